//! Evaluates expressions in the context of a structure of the file.
//!
//! Names were resolved when the specification was loaded, so a term refers to a slot by number, and evaluating one needs
//! no lookup by text, unless the type is only known at run time. Each term costs a step of the budget. An expression's
//! temporary values count as memory until it ends.

use super::context::Context;
use super::machine::Machine;
use super::slots::State;
use super::value::{Bytes, Cause, List, Read, Val, fault};
use crate::expression::{Binary, Word};
use crate::resolve::{Formula, Property, Term};
use std::sync::Arc;

/// The maximum length of a string that an expression creates, in bytes.
const LONGEST_TEXT: usize = 1 << 20;

impl Machine<'_> {
    /// Evaluates an expression whose value is kept.
    pub(super) fn evaluate_to_keep(&mut self, formula: &Formula, context: &Context) -> Read<Val> {
        let val = self.evaluate(formula, context)?;
        self.keep_value(&val)?;
        Ok(val)
    }

    /// Evaluates an expression. Temporary values are released.
    pub fn evaluate(&mut self, formula: &Formula, context: &Context) -> Read<Val> {
        let mark = self.budget.mark();
        let found = self.term(&formula.term, context);
        self.budget.release(mark);
        found.map_err(|mut stop| {
            if stop.at.is_none() && stop.place.is_none() {
                stop.at = Some(formula.at);
                stop.message = format!("{}: `{}`", stop.message, formula.text);
            }
            stop
        })
    }

    /// Evaluates a condition.
    pub(super) fn truth(&mut self, formula: &Formula, context: &Context) -> Read<bool> {
        match self.evaluate(formula, context)? {
            Val::Bool(is) => Ok(is),
            _ => fault(Cause::Other, format!("`{}` is neither true nor false", formula.text)),
        }
    }

    /// Evaluates a number of bytes or elements, or a position.
    pub(super) fn size(&mut self, formula: &Formula, context: &Context) -> Read<usize> {
        match self.evaluate(formula, context)? {
            Val::Int(number) | Val::Label(_, number) => match usize::try_from(number) {
                Ok(size) => Ok(size),
                Err(_) => fault(Cause::Other, format!("`{}` is {number}, which is not a length", formula.text)),
            },
            _ => fault(Cause::Other, format!("`{}` is not an integer", formula.text)),
        }
    }

    /// Evaluates an expression. Each step is charged to the budget, which bounds the time.
    fn term(&mut self, term: &Term, context: &Context) -> Read<Val> {
        self.budget.step()?;
        Ok(match term {
            Term::Int(number) => Val::Int(*number),
            Term::Float(number) => Val::Float(*number),
            Term::Bool(is) => Val::Bool(*is),
            Term::Text(text) => Val::Text(Arc::clone(text)),
            Term::Bytes(bytes) => Val::Bytes(Bytes::Own(Arc::clone(bytes))),
            Term::Label(number, value) => Val::Label(*number, *value),
            Term::Own => Val::Structure(context.structure),
            Term::It => match &context.it {
                Some(val) => val.clone(),
                None => return fault(Cause::Other, "`_` has no value here"),
            },
            Term::Index => match context.index {
                Some(index) => Val::Int(index),
                None => return fault(Cause::Other, "`_index` has no value here"),
            },
            Term::Slot { of, number, slot } => match self.around(of, context) {
                Some(structure) => self.slot_of(structure, *number, *slot)?,
                None => match self.term(of, context)? {
                    Val::Structure(structure) => self.slot_of(structure, *number, *slot)?,
                    _ => return absent(),
                },
            },
            Term::Named(of, name) => {
                let base = self.term(of, context)?;
                self.member(base, name)?
            }
            Term::Property(of, property) => {
                let base = self.term(of, context)?;
                self.property(base, *property)?
            }
            Term::Decoded(of, encoding) => match self.term(of, context)? {
                Val::Bytes(bytes) => self.decoded(&bytes, encoding)?,
                Val::List(list) => {
                    let bytes = bytes_of(list)?;
                    self.decoded(&bytes, encoding)?
                }
                _ => return fault(Cause::Other, "only bytes can be decoded"),
            },
            Term::Not(_) | Term::Minus(_) | Term::Inverse(_) | Term::If(..) | Term::Binary(..) => {
                self.operated(term, context)?
            }
            made => self.made(made, context)?,
        })
    }

    /// Returns the structure itself, its root, or an enclosing one, which most expressions refer to; `None` for other
    /// terms.
    fn around(&self, term: &Term, context: &Context) -> Option<u32> {
        match term {
            Term::Own => Some(context.structure),
            Term::Property(of, Property::Root) => self.structures[self.around(of, context)? as usize].root,
            Term::Property(of, Property::Parent) => self.structures[self.around(of, context)? as usize].parent,
            _ => None,
        }
    }

    /// Evaluates operators and conditions.
    fn operated(&mut self, term: &Term, context: &Context) -> Read<Val> {
        Ok(match term {
            Term::Not(of) => match self.term(of, context)? {
                Val::Bool(is) => Val::Bool(!is),
                _ => return fault(Cause::Other, "the operand of `not` is not a boolean"),
            },
            Term::Minus(of) => match self.term(of, context)? {
                Val::Int(number) => match number.checked_neg() {
                    Some(number) => Val::Int(number),
                    None => return fault(Cause::Other, "the number is too large"),
                },
                Val::Float(number) => Val::Float(-number),
                _ => return fault(Cause::Other, "the operand of `-` is not a number"),
            },
            Term::Inverse(of) => match self.term(of, context)? {
                Val::Int(number) => Val::Int(!number),
                _ => return fault(Cause::Other, "the operand of `~` is not an integer"),
            },
            Term::If(condition, yes, no) => match self.term(condition, context)? {
                Val::Bool(true) => self.term(yes, context)?,
                Val::Bool(false) => self.term(no, context)?,
                _ => return fault(Cause::Other, "the condition is not a boolean"),
            },
            Term::Binary(by @ (Binary::And | Binary::Or), left, right) => {
                let Val::Bool(left) = self.term(left, context)? else {
                    return fault(Cause::Other, "an operand is not a boolean");
                };
                if left == (*by == Binary::Or) { Val::Bool(left) } else { self.term(right, context)? }
            }
            Term::Binary(by, left, right) => {
                let left = self.term(left, context)?;
                let right = match &**right {
                    // Constants need no evaluation.
                    Term::Int(number) => Val::Int(*number),
                    Term::Label(of, number) => Val::Label(*of, *number),
                    right => self.term(right, context)?,
                };
                self.operate(*by, &left, &right)?
            }
            _ => return fault(Cause::Other, "the expression is not an operator"),
        })
    }

    /// Evaluates a computed value.
    fn made(&mut self, term: &Term, context: &Context) -> Read<Val> {
        Ok(match term {
            Term::Format(parts) => {
                let mut text = String::new();
                for part in parts {
                    let part = match self.term(part, context)? {
                        Val::Text(part) => part,
                        Val::Int(number) => number.to_string().into(),
                        Val::Float(number) => number.to_string().into(),
                        _ => return fault(Cause::Other, "a part of the text is neither a text nor a number"),
                    };
                    self.text_of(text.len() + part.len())?;
                    text.push_str(&part);
                }
                Val::Text(text.into())
            }
            Term::List(items) => {
                self.budget.work(items.len() * size_of::<Val>())?;
                self.budget.made(items.len() * size_of::<Val>())?;
                let mut list = List::default();
                for item in items {
                    list.push(self.term(item, context)?);
                }
                Val::List(Arc::new(list))
            }
            Term::AsBytes(of) => match self.term(of, context)? {
                Val::List(list) => Val::Bytes(bytes_of(list)?),
                val => val,
            },
            Term::Element(of, index) => {
                let (base, index) = (self.term(of, context)?, self.term(index, context)?);
                self.element(&base, &index)?
            }
            Term::Number(of, base) => match (self.term(of, context)?, self.term(base, context)?) {
                (Val::Text(text), Val::Int(base)) => {
                    self.budget.work(text.len())?;
                    number(&text, base)?
                }
                _ => return fault(Cause::Other, "only a text can be read as a number"),
            },
            Term::Substring(parts) => {
                let [of, from, to] = &**parts;
                let parts = [self.term(of, context)?, self.term(from, context)?, self.term(to, context)?];
                self.part_of(parts)?
            }
            _ => return fault(Cause::Other, "the expression has no value"),
        })
    }

    /// Returns an element of a list or of bytes.
    fn element(&self, base: &Val, index: &Val) -> Read<Val> {
        let Val::Int(index) = index else { return fault(Cause::Other, "the index is not an integer") };
        let place = usize::try_from(*index).unwrap_or(usize::MAX);
        let (found, length) = match base {
            Val::List(list) => (list.get(place), list.len()),
            Val::Bytes(bytes) => {
                let bytes = self.bytes(bytes);
                (bytes.get(place).map(|&byte| Val::Int(byte.into())), bytes.len())
            }
            _ => return fault(Cause::Other, "only lists and bytes have elements"),
        };
        found.map_or_else(|| fault(Cause::Other, format!("element {index} of {length} does not exist")), Ok)
    }

    /// Returns a substring, given the positions of its characters.
    fn part_of(&mut self, parts: [Val; 3]) -> Read<Val> {
        let [Val::Text(text), Val::Int(from), Val::Int(to)] = parts else {
            return fault(Cause::Other, "only a text has substrings");
        };
        self.text_of(text.len())?;
        let [from, to] = [from, to].map(|place| usize::try_from(place).unwrap_or_default());
        Ok(Val::Text(text.chars().skip(from).take(to.saturating_sub(from)).collect::<String>().into()))
    }

    /// Charges the budget for a string that is created.
    pub(super) fn text_of(&mut self, length: usize) -> Read<()> {
        if length > LONGEST_TEXT {
            return fault(Cause::Limit, format!("an expression makes a text of more than {LONGEST_TEXT} bytes"));
        }
        self.budget.made(length)?;
        self.budget.work(length)
    }

    /// Returns the value of a slot.
    pub fn read_slot(&mut self, structure: u32, slot: usize) -> Read<Val> {
        let own = self.own(structure);
        if own.is_instance(slot) {
            return self.instance(structure, slot);
        }
        let found = self.slot(structure, slot);
        if matches!((found.state, &found.val), (State::Unread | State::Failed, Val::Nothing)) {
            let name = own.field(slot).map_or_else(|| &own.params[slot].name, |field| &field.name);
            return fault(Cause::Unread, format!("`{name}` is not read yet"));
        }
        Ok(found.val.clone())
    }

    /// Returns the value of a slot of a structure whose type is the declared one, or has a slot of the same name.
    fn slot_of(&mut self, structure: u32, number: usize, slot: usize) -> Read<Val> {
        if self.structures[structure as usize].number as usize == number {
            return self.read_slot(structure, slot);
        }
        let own = &self.plan.types[number];
        let name = own.field(slot).map_or_else(|| &own.params[slot].name, |field| &field.name);
        self.named_slot(structure, name)
    }

    /// Returns the value of a field that is looked up by name, in a structure whose type is only known at run time.
    fn named_slot(&mut self, structure: u32, name: &str) -> Read<Val> {
        let own = self.own(structure);
        match own.slots.get(name) {
            Some(&slot) => self.read_slot(structure, slot),
            None => fault(Cause::Other, format!("`{}` has no `{name}`", own.name)),
        }
    }

    /// Returns a member of a value whose kind was not known before.
    fn member(&mut self, base: Val, name: &Word) -> Read<Val> {
        let property = match (&base, &**name) {
            (Val::Structure(structure), name) if self.own(*structure).slots.contains_key(name) => {
                return self.named_slot(*structure, name);
            }
            (_, "_io") => Property::Io,
            (_, "_root") => Property::Root,
            (_, "_parent") => Property::Parent,
            (_, "pos") => Property::Pos,
            (_, "eof") => Property::Eof,
            (_, "size" | "length") => Property::Size,
            (_, "first") => Property::First,
            (_, "last") => Property::Last,
            (_, "min") => Property::Min,
            (_, "max") => Property::Max,
            (_, "reverse") => Property::Reverse,
            (_, "to_i") => Property::Integer,
            (_, "to_s") => Property::Text,
            _ => return fault(Cause::Other, format!("the value has no `{name}`")),
        };
        self.property(base, property)
    }

    /// Returns the value of a property such as `_io` or `size`.
    fn property(&mut self, base: Val, property: Property) -> Read<Val> {
        Ok(match (property, &base) {
            (Property::Io, Val::Structure(it)) => Val::Io(self.structures[*it as usize].stream),
            (Property::Root, Val::Structure(it)) => {
                self.structures[*it as usize].root.map_or(Val::Nothing, Val::Structure)
            }
            (Property::Parent, Val::Structure(it)) => {
                self.structures[*it as usize].parent.map_or(Val::Nothing, Val::Structure)
            }
            (Property::Pos, Val::Io(it)) => {
                let stream = &self.streams[*it as usize];
                Val::Int((stream.pos - stream.base) as i128)
            }
            (Property::Eof, Val::Io(it)) => Val::Bool(self.streams[*it as usize].is_at_end()),
            (Property::Size, Val::Io(it)) => {
                let stream = &self.streams[*it as usize];
                Val::Int((stream.end - stream.base) as i128)
            }
            (Property::Size, Val::Bytes(bytes)) => Val::Int(self.bytes(bytes).len() as i128),
            (Property::Size, Val::List(list)) => Val::Int(list.len() as i128),
            (Property::Size, Val::Text(text)) => {
                self.budget.work(text.len())?;
                Val::Int(text.chars().count() as i128)
            }
            (Property::Reverse, Val::Text(text)) => {
                self.text_of(text.len())?;
                Val::Text(text.chars().rev().collect::<String>().into())
            }
            (Property::Integer, Val::Int(number) | Val::Label(_, number)) => Val::Int(*number),
            (Property::Integer, Val::Float(number)) => Val::Int(number.trunc() as i128),
            (Property::Integer, Val::Bool(is)) => Val::Int((*is).into()),
            (Property::Integer, Val::Text(text)) => {
                self.budget.work(text.len())?;
                number(text, 10)?
            }
            (Property::Text, Val::Int(number)) => {
                let text = number.to_string();
                self.text_of(text.len())?;
                Val::Text(text.into())
            }
            (Property::First | Property::Last | Property::Min | Property::Max, _) => self.extreme(&base, property)?,
            (_, Val::Nothing) => return absent(),
            _ => return fault(Cause::Other, "the value has no such property"),
        })
    }

    /// Returns the first, the last, the smallest or the largest element.
    fn extreme(&mut self, base: &Val, property: Property) -> Read<Val> {
        let byte = |byte: Option<&u8>| byte.map(|&byte| Val::Int(byte.into()));
        let found = match (base, property) {
            (Val::Nothing, _) => return absent(),
            (Val::List(list), Property::First) => list.first(),
            (Val::List(list), Property::Last) => list.last(),
            (Val::List(list), _) => self.outermost(list, property)?,
            (Val::Bytes(bytes), _) => {
                let is_searched = matches!(property, Property::Min | Property::Max);
                self.budget.work(if is_searched { self.bytes(bytes).len() } else { 0 })?;
                let bytes = self.bytes(bytes);
                byte(match property {
                    Property::First => bytes.first(),
                    Property::Last => bytes.last(),
                    Property::Min => bytes.iter().min(),
                    _ => bytes.iter().max(),
                })
            }
            _ => return fault(Cause::Other, "only lists and bytes have elements"),
        };
        found.map_or_else(|| fault(Cause::Other, "the list is empty"), Ok)
    }

    /// Returns the smallest or the largest element of a list.
    fn outermost(&mut self, list: &List, property: Property) -> Read<Option<Val>> {
        self.budget.work(list.len())?;
        let mut found: Option<Val> = None;
        for val in list.iter() {
            let is_it = match &found {
                None => true,
                Some(found) => {
                    let order = self.order(&val, found)?;
                    if property == Property::Min { order.is_lt() } else { order.is_gt() }
                }
            };
            if is_it {
                found = Some(val);
            }
        }
        Ok(found)
    }
}

/// Returns the elements of a list as bytes. They are not copied, since many elements may refer to one list.
fn bytes_of(list: Arc<List>) -> Read<Bytes> {
    match list.bytes() {
        Some(_) => Ok(Bytes::Listed(list)),
        None => fault(Cause::Other, "an element is no byte of 0 to 255"),
    }
}

/// Returns the fault for using a field whose condition is false.
fn absent<T>() -> Read<T> {
    fault(Cause::Other, "a value is used that is not in this file")
}

/// Parses a number in a base.
fn number(text: &str, base: i128) -> Read<Val> {
    let Some(base) = u32::try_from(base).ok().filter(|base| (2..=36).contains(base)) else {
        return fault(Cause::Other, format!("base {base} is not supported"));
    };
    match i128::from_str_radix(text, base) {
        Ok(number) => Ok(Val::Int(number)),
        Err(_) => {
            let shown: String = text.chars().take(40).collect();
            fault(Cause::Conversion, format!("{shown:?} is not a number in base {base}"))
        }
    }
}
