//! Reads fields and instances from bytes.
//!
//! A field is read in this order: condition, stream and position, repetition, size, padding and terminator, process,
//! content, rules. A value that violates a rule, or a string of known length that cannot be decoded, is recorded, and
//! reading continues. Anything else ends the structure that contains the field. If the size of that structure is
//! stated, reading continues in the structure around it.

use super::context::Context;
use super::machine::Machine;
use super::slots::{Owner, Parts, State};
use super::stream::Stream;
use super::value::{Bytes, Cause, Place, Read, Val, fault, hex, unsigned};
use crate::resolve::{Content, Field, Formula, Order, Parent, Repeat, Term};
use std::sync::Arc;

/// The field that is being read: its structure, its slot and its stream.
#[derive(Clone, Copy)]
pub struct Here {
    pub structure: u32,
    pub slot: usize,
    pub stream: u32,
}

impl<'s> Machine<'s> {
    /// Reads a field, unless its condition is false.
    pub(super) fn field(&mut self, structure: u32, slot: usize, field: &'s Field) -> Read<()> {
        let context = Context::of(structure);
        if let Some(when) = &field.when
            && !self.truth(when, &context)?
        {
            self.slot_mut(structure, slot).state = State::Absent;
            // Even then, the bits before the field end at a byte boundary, unless more bits would follow.
            if !matches!(field.content, Content::Bits { .. }) && !self.own(structure).is_instance(slot) {
                let stream = self.structures[structure as usize].stream;
                self.stream(stream).align();
            }
            return Ok(());
        }
        if let Some(value) = &field.value {
            let val = self.evaluate_to_keep(value, &context)?;
            let val = self.named(field, val);
            let found = self.slot_mut(structure, slot);
            (found.val, found.state) = (val.clone(), State::Done);
            return match &field.valid {
                Some(valid) => self.validate(valid, &val, field, &context),
                None => Ok(()),
            };
        }
        let stream = match &field.io {
            Some(io) => match self.evaluate(io, &context)? {
                Val::Io(stream) => stream,
                _ => return fault(Cause::Other, format!("`{}` is not a stream", io.text)),
            },
            None => self.structures[structure as usize].stream,
        };
        let here = Here { structure, slot, stream };
        let Some(pos) = &field.pos else { return self.elements(here, field, context) };
        let pos = self.size(pos, &context)?;
        let found = self.stream(stream);
        let (before, bits_left) = (found.pos, found.bits_left);
        let length = found.end - found.base;
        if pos > length {
            return fault(Cause::End, format!("`pos` is {pos}; the stream has {length} bytes"));
        }
        (found.pos, found.bits_left) = (found.base + pos, 0);
        let read = self.elements(here, field, context);
        let found = self.stream(stream);
        (found.pos, found.bits_left) = (before, bits_left);
        read
    }

    /// Reads the elements of a repetition.
    fn elements(&mut self, here: Here, field: &'s Field, mut context: Context) -> Read<()> {
        let Here { structure, slot, stream } = here;
        let found = self.stream(stream);
        if !matches!(field.content, Content::Bits { .. }) {
            found.align();
        }
        let (space, start, bits_left) = (found.space, found.start(), found.bits_left);
        let begun = self.slot_mut(structure, slot);
        (begun.space, begun.start, begun.end) = (space, start, start);
        begun.bits_before = if bits_left > 0 { 8 - bits_left as u8 } else { 0 };
        begun.parts = None;
        let count = match &field.repeat {
            Repeat::Once => return self.alone(here, field, &context, start),
            Repeat::Count(count) => Some(self.size(count, &context)?),
            Repeat::ToEnd | Repeat::Until(_) => None,
        };
        let begun = self.slot_mut(structure, slot);
        begun.val = Val::List(Arc::default());
        begun.parts.get_or_insert_default();
        let mut length = 0;
        while count.is_none_or(|count| length < count) {
            if matches!(field.repeat, Repeat::ToEnd) && self.stream(stream).is_at_end() {
                break;
            }
            context.index = Some(length as i128);
            let read = self.one(here, field, &context);
            let pos = self.stream(stream).pos;
            let Some(val) = read? else { break };
            let found = self.slot_mut(structure, slot);
            found.end = pos.max(found.end);
            let ends = &mut found.parts.get_or_insert_default().ends;
            let is_bits = matches!(field.content, Content::Bits { .. });
            let taken = if is_bits { ends.skip() } else { ends.push(pos) };
            self.append(here, val.clone(), taken)?;
            length += 1;
            if let Repeat::Until(until) = &field.repeat {
                context.it = Some(val);
                if self.truth(until, &context)? {
                    break;
                }
            }
        }
        self.slot_mut(structure, slot).state = State::Done;
        Ok(())
    }

    /// Reads a field that does not repeat.
    fn alone(&mut self, here: Here, field: &'s Field, context: &Context, start: usize) -> Read<()> {
        let read = self.one(here, field, context);
        let pos = self.stream(here.stream).pos;
        let found = self.slot_mut(here.structure, here.slot);
        found.end = pos.max(start);
        (found.val, found.state) = match read? {
            Some(val) => (val, State::Done),
            None => (Val::Nothing, State::Failed),
        };
        Ok(())
    }

    /// Adds an element to the list of a field; its end also takes memory. An instance that holds the list keeps a copy of it.
    fn append(&mut self, here: Here, val: Val, taken: usize) -> Read<()> {
        let first = self.structures[here.structure as usize].first;
        if let Val::List(list) = &mut self.slots[first + here.slot].val {
            let is_copied = Arc::get_mut(list).is_none() || !list.suits(&val);
            let copied = if is_copied { list.len() * list.each() } else { 0 };
            let list = Arc::make_mut(list);
            list.push(val);
            self.budget.values(list.each() + copied + taken)?;
        }
        Ok(())
    }

    /// Reads a field or an element of a repeated one. `None` if a field has bytes that are not text, which is recorded as a
    /// violation.
    fn one(&mut self, here: Here, field: &'s Field, context: &Context) -> Read<Option<Val>> {
        let content = self.chosen(&field.content, context)?;
        let begin = self.stream(here.stream).pos;
        let val = match content {
            Content::Nothing => Val::Nothing,
            Content::Int { .. } | Content::Float { .. } | Content::Bits { .. } => {
                let val = self.number(here, content)?;
                self.named(field, val)
            }
            Content::Bytes => {
                let (bytes, _) = self.raw(here, field, context)?;
                Val::Bytes(bytes)
            }
            Content::Text(encoding) => {
                let (bytes, _) = self.raw(here, field, context)?;
                let is_alone = matches!(field.repeat, Repeat::Once) && !self.own(here.structure).is_instance(here.slot);
                match self.text(&bytes, encoding) {
                    // The end of the bytes is known, so the fields after them can be read.
                    Err(stop) if stop.cause == Cause::Conversion && is_alone => {
                        self.violated(here, field, begin, Err(stop));
                        return Ok(None);
                    }
                    read => read?,
                }
            }
            Content::Structure { number, arguments } => self.structure(here, field, context, (*number, arguments))?,
            Content::Opaque(name) => {
                return fault(Cause::Other, format!("the type `{name}` is not declared by the specification"));
            }
            Content::Switch { .. } => return fault(Cause::Other, "a value chooses a choice"),
        };
        if let (Some(contents), Val::Bytes(found)) = (&field.contents, &val)
            && !self.is_alike(found, contents)?
        {
            let message = format!("the bytes are {}, not {}", hex(self.bytes(found)), hex(contents));
            let read: Read<()> = fault(Cause::Contents, message);
            self.violated(here, field, begin, read);
        }
        if let Some(valid) = &field.valid {
            if matches!(field.repeat, Repeat::Once) {
                self.slot_mut(here.structure, here.slot).val = val.clone();
            }
            match self.validate(valid, &val, field, context) {
                Err(stop) if !is_violation(stop.cause) => return Err(stop),
                read => self.violated(here, field, begin, read),
            }
        }
        Ok(Some(val))
    }

    /// Decodes a string and charges its cost.
    fn text(&mut self, bytes: &Bytes, encoding: &crate::text::Encoding) -> Read<Val> {
        let mark = self.budget.mark();
        let text = self.decoded(bytes, encoding);
        self.budget.release(mark);
        let text = text?;
        self.keep_value(&text)?;
        Ok(text)
    }

    /// Returns whether bytes are equal to the constant bytes.
    fn is_alike(&mut self, found: &Bytes, contents: &[u8]) -> Read<bool> {
        self.budget.work(contents.len())?;
        Ok(self.bytes(found) == contents)
    }

    /// Records a violation. Reading continues.
    fn violated(&mut self, here: Here, field: &'s Field, begin: usize, read: Read<()>) {
        let Err(mut stop) = read else { return };
        let stream = self.stream(here.stream);
        let (space, end) = (stream.space, stream.pos.max(begin));
        let element = match field.repeat {
            Repeat::Once => None,
            _ => self.slot(here.structure, here.slot).parts.as_ref().map(|parts| parts.ends.len()),
        };
        let Here { structure, slot, .. } = here;
        stop.at.get_or_insert(field.at);
        stop.place = Some(Place { structure, slot, element, space, start: begin, end, is_instance: false });
        self.keep(*stop);
    }

    /// Returns the content that a value selects.
    fn chosen(&mut self, content: &'s Content, context: &Context) -> Read<&'s Content> {
        let mut content = content;
        while let Content::Switch { on, cases, default } = content {
            let on = self.evaluate(on, context)?;
            let mut chosen = &**default;
            for (case, alternative) in cases {
                let Some(case) = case else { continue };
                if self.is_case(&on, case, context)? {
                    chosen = alternative;
                    break;
                }
            }
            content = chosen;
        }
        Ok(content)
    }

    /// Returns whether a value matches a case. Most cases are constants, which need no evaluation.
    fn is_case(&mut self, on: &Val, case: &'s Formula, context: &Context) -> Read<bool> {
        match (on, &case.term) {
            (Val::Int(on), Term::Int(case)) => self.budget.step().map(|()| on == case),
            (Val::Label(of, on), Term::Label(other, case)) => self.budget.step().map(|()| of == other && on == case),
            _ => {
                let case = self.evaluate(case, context)?;
                self.equal(on, &case)
            }
        }
    }

    fn structure(
        &mut self,
        here: Here,
        field: &'s Field,
        context: &Context,
        (number, arguments): (usize, &'s [Formula]),
    ) -> Read<Val> {
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.evaluate_to_keep(argument, context)?);
        }
        let stream = if field.is_unbounded() {
            here.stream
        } else {
            let (bytes, space) = self.raw(here, field, context)?;
            let range = match bytes {
                Bytes::In { start, end, .. } => start..end,
                Bytes::Listed(_) | Bytes::Own(_) => return fault(Cause::Other, "the bytes have no position"),
            };
            self.budget.memory(size_of::<Stream>() as u64)?;
            self.streams.push(Stream::new(space, range));
            self.streams.len() as u32 - 1
        };
        let parent = match &field.parent {
            Parent::Around => Some(here.structure),
            Parent::None => None,
            Parent::Of(formula) => match self.evaluate(formula, context)? {
                Val::Structure(parent) => Some(parent),
                _ => None,
            },
        };
        let is_once = matches!(field.repeat, Repeat::Once);
        let element = context.index.filter(|_| !is_once).map(|index| index as usize);
        let inner =
            self.begin(number, stream, parent, Some(Owner::new(here.structure, here.slot, element)), &values)?;
        // Nested content sees the field that it belongs to.
        if is_once {
            self.slot_mut(here.structure, here.slot).val = Val::Structure(inner);
        }
        match self.fields(inner) {
            Ok(()) => {}
            // The end of a bounded structure is known, so the fields after it can be read.
            Err(stop) if !field.is_unbounded() && stop.cause != Cause::Limit => self.keep(*stop),
            Err(stop) => {
                if !is_once {
                    let pos = self.stream(stream).pos;
                    let found = self.slot_mut(here.structure, here.slot);
                    found.end = pos.max(found.end);
                    let taken = found.parts.get_or_insert_with(Box::<Parts>::default).ends.push(pos);
                    self.append(here, Val::Structure(inner), taken)?;
                }
                return Err(stop);
            }
        }
        Ok(Val::Structure(inner))
    }

    /// Returns a number as a value of the field's enumeration, if it has one.
    fn named(&self, field: &Field, val: Val) -> Val {
        match (field.enumeration, &val) {
            (Some(number), Val::Int(value)) => Val::Label(number, *value),
            (Some(number), Val::Bool(value)) => Val::Label(number, i128::from(*value)),
            (Some(number), Val::Label(_, value)) => Val::Label(number, *value),
            _ => val,
        }
    }

    /// Reads a number.
    fn number(&mut self, here: Here, content: &Content) -> Read<Val> {
        let chosen = self.structures[here.structure as usize].is_little;
        let is_little = |order: Order| match order {
            Order::Little => Ok(true),
            Order::Big => Ok(false),
            Order::Chosen => chosen.map_or_else(|| fault(Cause::Undecided, "no byte order is chosen"), Ok),
        };
        let stream = &mut self.streams[here.stream as usize];
        let bytes = &*self.spaces[stream.space as usize].bytes;
        Ok(match content {
            Content::Int { size, is_signed, order } => {
                let is_little = is_little(*order)?;
                let raw = unsigned(&bytes[stream.take((*size).into())?], is_little);
                let unused = 64 - 8 * u32::from(*size);
                Val::Int(if *is_signed { i128::from((raw << unused) as i64 >> unused) } else { raw.into() })
            }
            Content::Float { size, order } => {
                let is_little = is_little(*order)?;
                let raw = unsigned(&bytes[stream.take((*size).into())?], is_little);
                Val::Float(if *size == 4 { f32::from_bits(raw as u32).into() } else { f64::from_bits(raw) })
            }
            Content::Bits { width: 1, is_little } => Val::Bool(stream.bits(1, *is_little, bytes)? != 0),
            Content::Bits { width, is_little } => Val::Int(stream.bits(*width, *is_little, bytes)?.into()),
            _ => return fault(Cause::Other, "this is not a number"),
        })
    }
}

/// Returns whether a fault is an invalid value, after which reading can continue.
pub fn is_violation(cause: Cause) -> bool {
    use Cause::{Contents, NotAnyOf, NotEqual, NotExpr, NotInEnum, TooLarge, TooSmall};
    matches!(cause, Contents | NotEqual | TooSmall | TooLarge | NotAnyOf | NotInEnum | NotExpr)
}
