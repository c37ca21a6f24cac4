//! The map that is being built: an arena of nodes and the fields that are being read.
//!
//! Invariants: `open` contains the fields around the reader's position, outermost first. A frame whose number is
//! [`NONE`](crate::nodes::NONE) has no node because the limit was reached, so no field inside it gets one either. Missing bytes of
//! fields without nodes are added up in `missing` until a node that represents these fields takes them over.
//!
//! An enum tries its variants in order. Before each, [`begin_alternative`](Recording::begin_alternative) cuts the arena
//! back to the size that it had before the previous variant. Nodes are never freed one by one.

use super::asides::Asides;
use super::frame::{Base, Failure, Frame, Part};
use crate::error::{Problem, problem};
use crate::label::Label;
use crate::name::Name;
use crate::nodes::{BROKEN, CUT, Entry, Facts, Id, Index, Key, NONE, Node, Nodes, ONE, Opened};
use crate::reference::{Layout, Said};
use crate::value::Value;
use binrw::BinResult;
use std::ops::Range;

/// The fields that are recorded in a session.
pub struct Recording {
    pub nodes: Nodes,
    /// The fields that are being read, each inside the previous one.
    pub open: Vec<Frame>,
    /// The number of bytes that are missing from omitted fields.
    missing: u64,
    /// The problem of the open field, if no error reports it.
    noted: Option<Problem>,
    pub failure: Option<Failure>,
    pub asides: Asides,
    /// The contents of fields.
    pub opened: Vec<Opened>,
}

impl Recording {
    pub const fn of(nodes: Nodes) -> Self {
        let asides = Asides::new();
        Recording { nodes, open: Vec::new(), missing: 0, noted: None, failure: None, asides, opened: Vec::new() }
    }

    /// Opens a field; for an element, `label` is the label of its list.
    pub fn begin<V: Layout>(&mut self, part: Part, label: Option<&'static Label>) -> u32 {
        let number = self.place::<V>(part, label);
        let mark = self.nodes.mark();
        self.open.push(Frame::new(part, number, mark));
        number
    }

    /// Creates a node for a field, after the other parts of the open field; [`NONE`] if there is no room.
    fn place<V: Layout>(&mut self, part: Part, label: Option<&'static Label>) -> u32 {
        self.put(part, |recording| recording.label::<V>(part.name, label))
    }

    /// Creates a node for a field that is not part of the open field; [`NONE`] if there is no room.
    pub fn unlinked<V: Layout>(&mut self, part: Part, label: Option<&'static Label>) -> u32 {
        match self.open.last().is_none_or(|around| around.number != NONE) && self.nodes.has_room() {
            true => self.made(part, |recording| recording.label::<V>(part.name, label)),
            false => NONE,
        }
    }

    fn put(&mut self, part: Part, label: impl FnOnce(&mut Self) -> u32) -> u32 {
        if !self.has_room() {
            return NONE;
        }
        let number = self.made(part, label);
        if let Some(around) = self.open.last_mut() {
            self.nodes.link_part(around.number, &mut around.parts, number);
        }
        number
    }

    fn made(&mut self, part: Part, label: impl FnOnce(&mut Self) -> u32) -> u32 {
        let mut entry = Entry::new(label(self), part.start, part.end);
        entry.set(BROKEN, !part.is_complete);
        if let Some(Index::One(index)) = part.index {
            entry.index = index;
            entry.set(ONE, true);
        }
        self.nodes.push(entry)
    }

    /// Returns whether there is room for another part of the open field. The first structure always has room.
    fn has_room(&mut self) -> bool {
        let Some(around) = self.open.last_mut() else { return true };
        around.is_cut |= around.number != NONE && !self.nodes.has_room();
        around.number != NONE && !around.is_cut
    }

    /// Creates one shared node for the parts of a field that have no nodes. If the field has no other parts, it
    /// represents them itself.
    fn close(&mut self, frame: &Frame) {
        if !frame.is_cut {
            return;
        }
        let missing = std::mem::take(&mut self.missing);
        let number = match frame.parts.last {
            NONE => frame.number,
            last => {
                let doc = Name::new("Parts for which the map has no room.");
                let label = self.nodes.label(Facts { name: Name::new("rest"), doc, ..Facts::default() });
                let start = self.nodes.node(Id(last)).end();
                let mut entry = Entry::new(label, start, frame.part.end.max(start));
                entry.set(BROKEN, !frame.part.is_complete);
                let (number, mut parts) = (self.nodes.push(entry), frame.parts);
                self.nodes.link_part(frame.number, &mut parts, number);
                number
            }
        };
        self.nodes.set_flag(number, CUT, true);
        let own = self.nodes.node(Id(number)).missing();
        self.nodes.set_missing(number, missing.saturating_add(own));
    }

    /// Drops all parts of a field except these.
    fn drop_parts(&mut self, place: usize, base: Base) {
        let frame = &mut self.open[place];
        if frame.number != NONE {
            self.nodes.cut_to(base.mark);
            self.asides.cut(self.nodes.made());
            let made = self.nodes.made();
            while self.opened.last().is_some_and(|opened| opened.opener.0 as usize >= made) {
                self.opened.pop();
            }
            self.nodes.end_parts(frame.number, base.parts);
        }
        (frame.parts, frame.is_cut) = (base.parts, base.is_cut);
    }

    /// Keeps the parts that the open field has so far, even if later alternatives are rejected. Returns the parts that
    /// were kept before.
    pub fn set_base(&mut self) -> Option<Base> {
        let mark = self.nodes.mark();
        let frame = self.open.last_mut()?;
        frame.base.replace(Base { parts: frame.parts, is_cut: frame.is_cut, mark, last: frame.last })
    }

    /// Restores the parts that were kept before.
    pub fn restore_base(&mut self, base: Option<Base>) {
        if let Some(frame) = self.open.last_mut() {
            frame.base = base;
        }
    }

    /// The label number of a field of this type.
    fn label<V: Layout>(&mut self, name: &'static str, label: Option<&'static Label>) -> u32 {
        let around = match label {
            Some(_) => NONE,
            None => self.open.last().map_or(NONE, |list| self.nodes.label_of(list.number)),
        };
        let bits = V::bits_of();
        let own = label.map_or(name.as_ptr() as usize, |label| std::ptr::from_ref(label) as usize);
        let of_type = V::type_name as fn() -> String as usize;
        let key: Key = (own, of_type, bits.map_or(0, |bits| bits as usize), around);
        self.nodes.declared(key, |labels| match label {
            Some(Label { name, doc, role, is_key, sum, codec, show, .. }) => Facts {
                name: Name::new(name),
                doc: Name::new(doc),
                type_name: V::type_name().into(),
                role: role.clone(),
                is_key: *is_key,
                sum: *sum,
                codec: *codec,
                show: *show,
                bits,
            },
            // A number in a list has the role of the list.
            None => {
                let role = if around == NONE { None } else { labels.get(around).role.clone() };
                Facts { name: Name::new(name), type_name: V::type_name().into(), role, bits, ..Facts::default() }
            }
        })
    }

    /// Closes the open field.
    pub fn end<V: Layout>(&mut self, result: &BinResult<V>, end: u64) {
        if let Some(part) = self.finish(result, end) {
            self.note_last(part);
        }
    }

    /// Closes the open field, which need not become a part of the enclosing field.
    pub fn finish<V: Layout>(&mut self, result: &BinResult<V>, end: u64) -> Option<Part> {
        let mut frame = self.open.pop()?;
        frame.part.end = end;
        frame.part.is_complete = result.is_ok();
        match result {
            Ok(value) => {
                (self.failure, self.noted) = (None, None);
                self.fill(&frame, value);
            }
            Err(error) if self.failure.is_none() => {
                let problem = self.noted.take().unwrap_or_else(|| problem(error, frame.alternative));
                self.fail(&frame, problem);
            }
            Err(_) => {}
        }
        if frame.number != NONE {
            self.nodes.set_end(frame.number, end);
        }
        self.close(&frame);
        Some(frame.part)
    }

    /// Sets the facts of a node that follow from its value.
    fn fill<V: Layout>(&mut self, frame: &Frame, value: &V) {
        let number = frame.number;
        let missing = value.missing();
        if number == NONE {
            return self.lose(missing);
        }
        self.nodes.set_flag(number, BROKEN, false);
        self.nodes.set_value(number, &value.value());
        match value.said() {
            Said::Own => self.nodes.set_meaning(number, value.meaning()),
            said => self.nodes.set_said(number, said),
        }
        if V::bits_of().is_none() {
            self.nodes.set_bits(number, value.bits());
        }
        self.nodes.set_missing(number, missing);
        self.nodes.set_alignment(number, value.alignment());
    }

    /// Records why the field of a closed frame cannot be read.
    fn fail(&mut self, frame: &Frame, problem: Problem) {
        let mut path = self.path();
        if !self.open.is_empty() {
            frame.part.step(&mut path);
        }
        let mut part = frame.part;
        // An assertion about the last part does not hold, or an expression has no result.
        if let Some(last) = frame.last.filter(|last| !last.is_complete) {
            last.step(&mut path);
            part = last;
        }
        self.failure = Some(Failure { path, bytes: part.start..part.end, problem });
    }

    /// Records why the open field cannot be read.
    pub fn note(&mut self, problem: &Problem) {
        self.noted = Some(problem.clone());
    }

    /// Records the error of the open field, unless the reason why it cannot be read is already known.
    pub fn note_error(&mut self, error: &binrw::Error) {
        if self.failure.is_none() && self.noted.is_none() {
            let alternative = self.open.last().and_then(|frame| frame.alternative);
            self.noted = Some(problem(error, alternative));
        }
    }

    /// Adds to the number of bytes that are missing from fields without nodes.
    pub fn lose(&mut self, missing: u64) {
        self.missing = self.missing.saturating_add(missing);
    }

    /// The number of bytes that are missing from fields without nodes.
    pub fn lost(&self) -> u64 {
        self.missing
    }

    pub fn set_lost(&mut self, missing: u64) {
        self.missing = missing;
    }

    /// The path of the open field.
    pub fn path(&self) -> String {
        let mut path = String::new();
        self.open.iter().skip(1).for_each(|frame| frame.part.step(&mut path));
        path
    }

    /// Adds a part to the open field for elements that have no separate nodes.
    pub fn add_summary<T: Layout>(&mut self, name: &'static str, index: Range<u64>, bytes: Range<u64>) {
        let end = bytes.end;
        let part =
            Part { end, is_complete: true, ..Part::new(name, Some(Index::Range(index.start, index.end)), bytes.start) };
        let number = self.place::<T>(part, None);
        if number != NONE {
            self.nodes.set_range(number, index, T::SIZE);
            let missing = std::mem::take(&mut self.missing);
            self.nodes.set_missing(number, missing);
        }
        self.note_last(part);
    }

    /// Adds a part that could not be read to the open field.
    pub fn add_failed(&mut self, name: &'static str) {
        let Some(around) = self.open.last() else { return };
        let part = Part::new(name, None, around.last.map_or(around.part.start, |last| last.end));
        self.put(part, |recording| recording.nodes.label(Facts { name: Name::new(name), ..Facts::default() }));
        self.note_last(part);
    }

    /// Adds unused bytes of the open field to its parts, if it has parts. Returns whether it does.
    pub fn add_surplus(&mut self, name: &'static str, bytes: Range<u64>) -> bool {
        if self.open.last().is_none_or(|around| around.last.is_none()) {
            return false;
        }
        let part = Part { end: bytes.end, is_complete: true, ..Part::new(name, None, bytes.start) };
        let doc = Name::new("Bytes after the structure, up to the size that is stated.");
        let facts = Facts { name: Name::new(name), doc, type_name: Name::new("bytes"), ..Facts::default() };
        let number = self.put(part, |recording| recording.nodes.label(facts));
        if number != NONE {
            self.nodes.set_said(number, Said::Amount);
        }
        self.note_last(part);
        true
    }

    fn note_last(&mut self, part: Part) {
        if let Some(around) = self.open.last_mut() {
            around.last = Some(part);
        }
    }

    /// The last part of the open field, if it has this name.
    pub fn last_named(&self, name: &str) -> Option<Id> {
        let last = self.open.last()?.parts.last;
        (last != NONE && self.nodes.node(Id(last)).name() == name).then_some(Id(last))
    }

    /// The bytes of the last part of the open field with this name, if it has a node.
    pub fn last_of(&self, name: &str) -> Option<Range<u64>> {
        let around = self.open.last().filter(|around| around.number != NONE)?;
        let parts = self.nodes.node(Id(around.number)).children();
        parts.filter(|part| part.name() == name).last().map(Node::place)
    }

    /// Drops the parts of the previous alternative of the open field and records which alternative is tried next. Returns where
    /// that one begins.
    pub fn begin_alternative(&mut self, name: &'static str) -> Option<(u64, usize)> {
        let place = self.open.len().checked_sub(1)?;
        let frame = &mut self.open[place];
        let base = frame.base();
        (frame.alternative, frame.last) = (Some(name), base.last);
        let (number, flaws) = (frame.number, frame.flaws);
        let start = base.last.map_or(frame.part.start, |last| last.end);
        (self.failure, self.noted) = (None, None);
        self.drop_parts(place, base);
        if number != NONE {
            self.nodes.set_value(number, &Value::Name(Name::new(name)));
        }
        Some((start, flaws))
    }

    /// Marks the last part of the open field as complete.
    pub fn set_last_complete(&mut self, is_complete: bool) {
        let Some(frame) = self.open.last_mut() else { return };
        if let Some(last) = &mut frame.last {
            last.is_complete = is_complete;
        }
        if frame.parts.last != NONE && !frame.is_cut {
            self.nodes.set_flag(frame.parts.last, BROKEN, !is_complete);
        }
    }
}
