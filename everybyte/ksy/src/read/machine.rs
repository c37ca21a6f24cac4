//! The reader: structures from bytes, with the position of every field.
//!
//! A specification is data, so there are no Rust types to read into. Structures and fields are rows of two vectors,
//! referred to by number, so a map can be built from them afterwards, and a structure may refer to its parent and root
//! without cycles. A field in the sequence is read once, in order. An instance is read when an expression requests it,
//! and its state [`Busy`](State::Busy) reveals an instance that depends on itself.
//!
//! Reading never fails as a whole. A fault ends the structure that it is in, and everything before it is kept.

use super::context::Context;
use super::limits::{Budget, Granted, HELD};
use super::slots::{Owner, Slot, State, Structure};
use super::stream::Stream;
use super::value::{Bytes, Cause, Fault, List, Place, Read, Val, fault, grow};
use crate::packing::Unpacking;
use crate::resolve::{Field, Kind, Plan, Repeat, Type};
use everybyte::map::Name;
use std::borrow::Cow;
use std::sync::Arc;

/// The maximum nesting of structures and instances.
pub const DEPTH: u32 = 256;

/// The maximum number of findings that are kept.
const MOST_FINDINGS: usize = 1000;

/// A file while it is being read.
pub struct Machine<'s> {
    pub plan: &'s Plan,
    pub structures: Vec<Structure>,
    pub slots: Vec<Slot>,
    pub streams: Vec<Stream>,
    pub spaces: Vec<Space<'s>>,
    /// The faults of the file, in the order in which they were found.
    pub faults: Vec<Fault>,
    /// The number of faults that were not kept.
    pub further: usize,
    pub budget: Budget,
    pub depth: u32,
    deepest: u32,
    /// Whether reading ended because the nesting was deeper than allowed.
    pub is_cut: bool,
}

/// Bytes with their own offsets: the file, or unpacked bytes.
pub struct Space<'s> {
    pub title: Name,
    pub bytes: Cow<'s, [u8]>,
    /// How they were unpacked; `None` for the file.
    pub packed: Option<(Unpacking, Vec<Val>)>,
}

/// Returns the error for structures that are nested too deeply for the stack.
fn too_deep() -> String {
    format!("structures and instances are nested more than {DEPTH} deep")
}

impl<'s> Machine<'s> {
    /// Reads a file with nesting of at most `deepest`, which must not exceed [`DEPTH`].
    pub fn new(plan: &'s Plan, file: &'s [u8], deepest: u32, granted: Granted) -> Self {
        Machine {
            plan,
            structures: Vec::new(),
            slots: Vec::new(),
            streams: vec![Stream::new(0, 0..file.len())],
            spaces: vec![Space { title: Name::new("file"), bytes: Cow::Borrowed(file), packed: None }],
            faults: Vec::new(),
            further: 0,
            budget: Budget::of(file.len(), granted),
            depth: 0,
            deepest,
            is_cut: false,
        }
    }

    /// Reads the file. If an error stops reading, it is the last fault, and everything read before is kept.
    pub fn read(&mut self) {
        let begun = self.begin(0, 0, None, None, &[]);
        if let Err(stop) = begun.and_then(|root| self.fields(root)) {
            self.keep(*stop);
        }
    }

    /// Reads all instances that were not requested.
    pub fn read_instances(&mut self) {
        let mut structure = 0;
        while structure < self.structures.len() {
            let own = self.own(structure as u32);
            if self.is_inside_itself(structure as u32) {
                structure += 1;
                continue;
            }
            for slot in own.params.len() + own.sequence..own.params.len() + own.fields.len() {
                match self.instance(structure as u32, slot) {
                    Ok(_) => {}
                    Err(stop) if stop.cause == Cause::Limit => return self.keep(*stop),
                    Err(mut stop) => {
                        stop.place.iter_mut().for_each(|place| place.is_instance = true);
                        self.keep(*stop);
                    }
                }
            }
            structure += 1;
        }
    }

    /// Returns whether a structure is inside another one of its type at the same byte, which would recurse forever.
    fn is_inside_itself(&self, structure: u32) -> bool {
        let place = |structure: u32| {
            let found = &self.structures[structure as usize];
            (found.number, self.streams[found.stream as usize].space, found.start)
        };
        let outwards = |&structure: &u32| self.structures[structure as usize].owner.map(|owner| owner.structure);
        std::iter::successors(Some(structure), outwards).skip(1).any(|around| place(around) == place(structure))
    }

    /// Returns whether all streams were read to their ends.
    pub fn is_consumed(&self) -> bool {
        self.streams.iter().all(|stream| stream.pos >= stream.end)
    }

    /// Keeps a fault.
    pub fn keep(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FINDINGS { self.faults.push(fault) } else { self.further += 1 }
    }

    /// Returns the type of a structure.
    #[inline]
    pub fn own(&self, structure: u32) -> &'s Type {
        &self.plan.types[self.structures[structure as usize].number as usize]
    }

    /// Returns the type number of a structure.
    pub fn type_of(&self, structure: u32) -> u32 {
        self.structures[structure as usize].number
    }

    /// Returns the slot of a field of a structure.
    #[inline]
    pub fn slot(&self, structure: u32, slot: usize) -> &Slot {
        &self.slots[self.structures[structure as usize].first + slot]
    }

    /// Returns the slot of a field of a structure, so that it can be filled.
    #[inline]
    pub fn slot_mut(&mut self, structure: u32, slot: usize) -> &mut Slot {
        let first = self.structures[structure as usize].first;
        &mut self.slots[first + slot]
    }

    /// Returns a stream by its number.
    #[inline]
    pub fn stream(&mut self, number: u32) -> &mut Stream {
        &mut self.streams[number as usize]
    }

    /// Returns the bytes of a value.
    pub fn bytes<'a>(&'a self, bytes: &'a Bytes) -> &'a [u8] {
        match bytes {
            Bytes::In { space, start, end } => &self.spaces[*space as usize].bytes[*start..*end],
            Bytes::Listed(list) => list.bytes().unwrap_or_default(),
            Bytes::Own(bytes) => bytes,
        }
    }

    /// Charges the memory of a value that is kept, unless it is shared.
    pub fn keep_value(&mut self, val: &Val) -> Read<()> {
        let own = |count: usize, bytes: usize| if count == 1 { bytes as u64 + HELD } else { 0 };
        let bytes = match val {
            Val::Text(text) => own(Arc::strong_count(text), text.len()),
            Val::Bytes(Bytes::Own(bytes)) => own(Arc::strong_count(bytes), bytes.len()),
            Val::List(list) | Val::Bytes(Bytes::Listed(list)) => {
                if let (List::Any(vals), 1) = (&**list, Arc::strong_count(list)) {
                    vals.iter().try_for_each(|val| self.keep_value(val))?;
                }
                own(Arc::strong_count(list), list.len() * list.each())
            }
            _ => 0,
        };
        self.budget.memory(bytes)
    }

    /// Adds empty slots; returns the index of the first one.
    fn empty_slots(&mut self, count: usize, start: usize) -> usize {
        let first = self.slots.len();
        let empty = || Slot {
            val: Val::Nothing,
            state: State::Unread,
            bits_before: 0,
            space: 0,
            start,
            end: start,
            parts: None,
        };
        grow(&mut self.slots, count);
        #[expect(clippy::disallowed_methods, reason = "`structure` has debited the slots")]
        self.slots.resize_with(first + count, empty);
        first
    }

    /// Begins a structure.
    pub fn begin(
        &mut self,
        number: usize,
        stream: u32,
        parent: Option<u32>,
        owner: Option<Owner>,
        arguments: &[Val],
    ) -> Read<u32> {
        let plan: &'s Plan = self.plan;
        let own = &plan.types[number];
        let level = owner.map_or(0, |owner| self.structures[owner.structure as usize].level + 1);
        if u32::from(level) > self.deepest {
            self.is_cut = true;
            return fault(Cause::Limit, too_deep());
        }
        let count = own.params.len() + own.fields.len();
        self.budget.structure(count)?;
        let structure = self.structures.len() as u32;
        let start = self.streams[stream as usize].pos;
        let first = self.empty_slots(count, start);
        for (place, argument) in arguments.iter().enumerate().take(own.params.len()) {
            let slot = &mut self.slots[first + place];
            (slot.val, slot.state) = (argument.clone(), State::Done);
            if let (Kind::Enum(number), Val::Int(value)) = (&own.params[place].kind, argument) {
                slot.val = Val::Label(*number, *value);
            }
        }
        let around = owner.map(|owner| owner.structure);
        let is_same_file = around.is_none_or(|around| self.own(around).at.file == own.at.file);
        // A type of another specification is its own root, without a parent.
        let root = match around {
            Some(around) if is_same_file => self.structures[around as usize].root,
            _ => own.is_outermost.then_some(structure),
        };
        let parent = parent.filter(|_| is_same_file);
        let is_little = around.and_then(|around| self.structures[around as usize].is_little);
        grow(&mut self.structures, 1);
        self.structures.push(Structure {
            number: number as u32,
            stream,
            parent,
            root,
            owner,
            level,
            start,
            first,
            is_little,
        });
        Ok(structure)
    }

    /// Runs a function one level deeper.
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= self.deepest {
            self.is_cut = true;
            return fault(Cause::Limit, too_deep());
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reads the fields of a structure in order.
    pub fn fields(&mut self, structure: u32) -> Read<()> {
        self.deeper(|machine| {
            let own = machine.own(structure);
            machine.choose_order(structure, own)?;
            let first = own.params.len();
            for (place, field) in own.fields[..own.sequence].iter().enumerate() {
                let read = machine.field(structure, first + place, field);
                machine.located(structure, first + place, field, read)?;
            }
            Ok(())
        })
    }

    /// Chooses the byte order of a structure whose type makes it depend on a value.
    pub fn choose_order(&mut self, structure: u32, own: &'s Type) -> Read<()> {
        let Some(endian) = &own.endian else { return Ok(()) };
        let context = Context::of(structure);
        let on = self.evaluate(&endian.on, &context)?;
        let mut chosen = None;
        for (case, is_little) in &endian.cases {
            let is_it = match case {
                Some(case) => {
                    let case = self.evaluate(case, &context)?;
                    self.equal(&on, &case)?
                }
                None => true,
            };
            if is_it {
                chosen = Some(*is_little);
                break;
            }
        }
        self.structures[structure as usize].is_little = chosen;
        Ok(())
    }

    /// Adds the position to a fault, if it has none.
    pub fn located<T>(&mut self, structure: u32, slot: usize, field: &Field, read: Read<T>) -> Read<T> {
        read.map_err(|mut fault| {
            let stream = self.structures[structure as usize].stream;
            let found = self.slot_mut(structure, slot);
            found.state = State::Failed;
            let element = found.parts.as_ref().map(|parts| parts.ends.len());
            let element = element.filter(|_| !matches!(field.repeat, Repeat::Once));
            let (space, start, end) = (found.space, found.start, found.end);
            if fault.place.is_none() {
                // A structure that ends too early ends with its stream.
                let last = self.streams[stream as usize].end;
                let end =
                    if fault.cause == Cause::End && self.streams[stream as usize].space == space { last } else { end };
                let end = end.max(start);
                fault.place = Some(Place { structure, slot, element, space, start, end, is_instance: false });
                fault.at.get_or_insert(field.at);
            }
            fault
        })
    }

    /// Returns the value of an instance, which is read if necessary.
    pub fn instance(&mut self, structure: u32, slot: usize) -> Read<Val> {
        let own = self.own(structure);
        let found = self.slot(structure, slot);
        let Some(field) = own.field(slot) else { return Ok(found.val.clone()) };
        match found.state {
            State::Done | State::Absent => return Ok(found.val.clone()),
            State::Busy => return fault(Cause::Other, format!("`{}` depends on itself", field.name)),
            State::Unread | State::Failed => {}
        }
        self.slot_mut(structure, slot).state = State::Busy;
        let read = self.deeper(|machine| machine.field(structure, slot, field));
        self.located(structure, slot, field, read)?;
        Ok(self.slot(structure, slot).val.clone())
    }

    /// Returns the path of a field, as in the byte map.
    pub fn path(&self, structure: u32, slot: usize, element: Option<usize>) -> String {
        let mut steps = Vec::new();
        let mut place = Some((structure, slot, element));
        while let Some((structure, slot, element)) = place {
            let name = self.own(structure).field(slot).map_or("", |field| &*field.name);
            steps.push(match element {
                Some(element) => format!("{name}[{element}]"),
                None => name.to_owned(),
            });
            let owner = self.structures[structure as usize].owner;
            place = owner.map(|owner| (owner.structure, owner.slot as usize, owner.element()));
        }
        steps.reverse();
        steps.join(".")
    }
}
