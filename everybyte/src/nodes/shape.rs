//! Changes to the positions of fields: gaps, order and moves.
//!
//! A reader records fields in the order in which it reads them, and offsets may point anywhere. A map requires more: at each
//! level, the fields are in the order of their bytes and do not overlap, and every byte belongs to exactly one leaf.
//! [`straightened`](Nodes::straightened) detaches fields that are out of order, [`insert`](Nodes::insert) puts each of them
//! into the smallest field that contains all of its bytes, and [`fill_gaps`](Nodes::fill_gaps) names the remaining bytes.
//!
//! All traversals except one use their own stack instead of recursion, because a map built by hand may have any depth.

use super::arena::{Chain, Id, Nodes};
use super::entry::{BROKEN, Entry, Kind, Meaning, NONE, SHOWN_BYTES, Side};
use super::home::Owner;
use super::labels::Facts;
use super::node::Node;
use crate::name::Name;
use std::ops::Range;

impl Nodes {
    /// Adds a node wherever there is no field, inside structures as well as between them.
    pub(crate) fn fill_gaps(&mut self, range: Range<u64>, name: &'static str) {
        let doc = Name::new("Bytes that no field claims.");
        let label = self.labels.number(Facts { name: Name::new(name), doc, ..Facts::default() });
        self.level = self.filled(self.level.first, range, label);
        let mut open = vec![self.level.first];
        while let Some(number) = open.pop() {
            if number == NONE {
                continue;
            }
            let Entry { start, end, next, first, .. } = *self.entry(number);
            open.push(next);
            if first != NONE {
                let first = self.filled(first, start..end, label).first;
                self.entry_mut(number).first = first;
                open.push(first);
            }
        }
        self.latest = (NONE, Chain::EMPTY);
    }

    /// Returns the chain of one level with a gap wherever a byte has no field.
    fn filled(&mut self, first: u32, range: Range<u64>, label: u32) -> Chain {
        let mut filled = Chain { first, last: NONE };
        let (mut position, mut at) = (range.start, first);
        while at != NONE {
            let Entry { start, end, next, .. } = *self.entry(at);
            if start > position {
                let gap = self.gap(label, position..start);
                self.entry_mut(gap).next = at;
                match filled.last {
                    NONE => filled.first = gap,
                    last => self.entry_mut(last).next = gap,
                }
            }
            position = position.max(end);
            (filled.last, at) = (at, next);
        }
        if position < range.end {
            let gap = self.gap(label, position..range.end);
            self.link(&mut filled, gap);
        }
        filled
    }

    fn gap(&mut self, label: u32, range: Range<u64>) -> u32 {
        self.push(Entry { said: Meaning::Gap, ..Entry::new(label, range.start, range.end) })
    }

    /// Keeps the first bytes of every field without parts, for display.
    pub(crate) fn sample<E>(&mut self, mut read_at: impl FnMut(&mut [u8], u64) -> Result<(), E>) -> Result<(), E> {
        let mut open = vec![self.level.first];
        while let Some(number) = open.pop() {
            if number == NONE {
                continue;
            }
            let Entry { start, end, next, first, .. } = *self.entry(number);
            open.push(next);
            if first != NONE {
                open.push(first);
                continue;
            }
            let sampled = end.saturating_sub(start).min(SHOWN_BYTES) as u8;
            let place = self.samples.len();
            let Ok(sample) = u32::try_from(place) else { return Ok(()) };
            let mut bytes = [0; SHOWN_BYTES as usize];
            let bytes = &mut bytes[..usize::from(sampled)];
            read_at(bytes, start)?;
            self.samples.extend_from_slice(bytes);
            let entry = self.entry_mut(number);
            (entry.sample, entry.sampled) = (sample, sampled);
        }
        Ok(())
    }

    /// Drops fields that take no bytes, unless reading failed in them or they are padding that may grow.
    pub fn drop_empty(&mut self) {
        self.retain(|node| node.start() < node.end() || !node.is_complete() || node.alignment().is_some());
    }

    /// Drops fields and parts of fields that do not satisfy a condition.
    pub fn retain(&mut self, is_kept: impl Fn(Node<'_>) -> bool) {
        self.level = self.retained(self.level.first, &is_kept);
        let mut open = vec![self.level.first];
        while let Some(number) = open.pop() {
            if number == NONE {
                continue;
            }
            let Entry { next, first, .. } = *self.entry(number);
            let first = self.retained(first, &is_kept).first;
            self.entry_mut(number).first = first;
            open.extend([next, first]);
        }
        self.latest = (NONE, Chain::EMPTY);
    }

    fn retained(&mut self, first: u32, is_kept: &impl Fn(Node<'_>) -> bool) -> Chain {
        let (mut kept, mut at) = (Chain::EMPTY, first);
        while at != NONE {
            let next = self.entry(at).next;
            if is_kept(Node::new(self, at)) {
                self.link(&mut kept, at);
            }
            at = next;
        }
        kept
    }

    /// Detaches the top-level fields and the parts that are not consecutive inside their enclosing field. Returns all
    /// of them in the order of their bytes. None of them extends beyond `length`.
    pub(crate) fn straightened(&mut self, length: u64) -> Vec<Id> {
        let mut level: Vec<u32> = self.iter().map(|node| node.id().0).collect();
        let mut elsewhere = Vec::new();
        for &number in &level {
            self.straighten(number, length, &mut elsewhere);
        }
        self.latest = (NONE, Chain::EMPTY);
        level.append(&mut elsewhere);
        level.sort_by_key(|&number| (self.entry(number).start, self.entry(number).end));
        level.into_iter().map(Id).collect()
    }

    /// Moves away the parts of a structure that are elsewhere, so that the others are consecutive. The recursion is
    /// as deep as the reader allows structures to be.
    fn straighten(&mut self, number: u32, length: u64, elsewhere: &mut Vec<u32>) {
        let entry = self.entry_mut(number);
        (entry.start, entry.end) = (entry.start.min(length), entry.end.min(length));
        let (mut reached, end, mut at) = (entry.start, entry.end, entry.first);
        let mut kept = Chain::EMPTY;
        while at != NONE {
            self.straighten(at, length, elsewhere);
            let part = *self.entry(at);
            if part.start < reached || part.end > end {
                elsewhere.push(at);
            } else {
                reached = part.end;
                self.link(&mut kept, at);
            }
            at = part.next;
        }
        self.entry_mut(number).first = kept.first;
    }

    /// Ends unfinished fields no later than the end of the space. With `exactly`, they end there, because the end of
    /// the space stopped them.
    pub(crate) fn end_with_space(&mut self, root: Id, length: u64, exactly: bool) {
        let mut open = vec![root.0];
        while let Some(number) = open.pop() {
            let entry = self.entry_mut(number);
            let end = if exactly && entry.is(BROKEN) { length } else { entry.end.min(length) };
            entry.end = end.max(entry.start);
            let parts = Node::new(self, number).children();
            open.extend(parts.filter(|part| !part.is_complete()).map(|part| part.id().0));
        }
    }

    /// Returns a field and its parts as a separate map, whose offsets are relative to `by`.
    pub(crate) fn apart(&self, id: Id, by: u64) -> Nodes {
        let mut apart = Nodes::within(self.most);
        // Each field, with the copies that its own copy belongs below and after.
        let mut open = vec![(id.0, NONE, NONE)];
        while let Some((number, around, before)) = open.pop() {
            let entry = *self.entry(number);
            let copy = apart.copy(self, number);
            let place = apart.entry_mut(copy);
            (place.start, place.end) = (entry.start.saturating_sub(by), entry.end.saturating_sub(by));
            if apart.side(copy).is_some_and(|side| !side.pieces.is_empty()) {
                for piece in &mut apart.side_mut(copy).pieces {
                    *piece = piece.start.saturating_sub(by)..piece.end.saturating_sub(by);
                }
            }
            if let Some(alignment) = apart.side(copy).and_then(|side| side.alignment) {
                apart.side_mut(copy).alignment = Some(alignment.counted_from(by));
            }
            match (before, around) {
                (NONE, NONE) => apart.level = Chain { first: copy, last: copy },
                (NONE, around) => apart.entry_mut(around).first = copy,
                (before, _) => apart.entry_mut(before).next = copy,
            }
            // The root has no siblings.
            if entry.next != NONE && around != NONE {
                open.push((entry.next, around, copy));
            }
            if entry.first != NONE {
                open.push((entry.first, copy, NONE));
            }
        }
        apart
    }

    /// Copies a field from another arena, without its parts.
    fn copy(&mut self, from: &Nodes, number: u32) -> u32 {
        let entry = *from.entry(number);
        let label = self.labels.number(from.labels.get(entry.label).clone());
        let copy = self.push(Entry { label, ..Entry::new(label, entry.start, entry.end) });
        self.set_value(copy, &from.value(number));
        let side: Option<Side> = from.side(number).cloned();
        let meaning = (entry.said == Meaning::Name).then(|| from.names.get(entry.words[1]).clone());
        let own = self.entry_mut(copy);
        (own.flags, own.index) = (entry.flags, entry.index);
        match meaning {
            Some(meaning) => self.put_meaning(copy, meaning),
            None => self.entry_mut(copy).said = entry.said,
        }
        if let Some(side) = side {
            // The structure that it is a part of may not be among the copied fields.
            *self.side_mut(copy) = Side { home: None, ..side };
        }
        copy
    }

    /// Moves all fields of another map into this one. Returns the first field of its top level, which has no position yet.
    ///
    /// # Panics
    /// Panics if the other map has no fields.
    pub fn graft(&mut self, other: Nodes) -> Id {
        let labels: Vec<u32> = other.labels.all().iter().map(|facts| self.labels.number(facts.clone())).collect();
        let names: Vec<u32> = other.names.all().iter().map(|name| self.names.number(name)).collect();
        let (nodes, sides) = (self.entries.len() as u32, self.sides.len() as u32);
        let (texts, samples) = (self.texts.len() as u64, self.samples.len() as u32);
        let moved = |number: u32, by: u32| if number == NONE { NONE } else { number + by };
        let name = |number: u64| u64::from(names[number as usize]);
        for mut entry in other.entries {
            entry.label = labels[entry.label as usize];
            (entry.next, entry.first) = (moved(entry.next, nodes), moved(entry.first, nodes));
            (entry.side, entry.sample) = (moved(entry.side, sides), entry.sample + samples);
            match entry.kind {
                Kind::Name => entry.words[0] = name(entry.words[0]),
                Kind::Text => entry.words[0] += texts,
                Kind::Bytes => entry.words[0] += texts << 16,
                _ => {}
            }
            if entry.said == Meaning::Name {
                entry.words[1] = name(entry.words[1]);
            }
            self.push(entry);
        }
        let home = |home: Option<u32>| home.map(|home| moved(home, nodes));
        self.sides.extend(other.sides.into_iter().map(|side| Side { home: home(side.home), ..side }));
        self.texts.extend(other.texts);
        self.samples.extend(other.samples);
        assert_ne!(other.level.first, NONE, "the other map has fields");
        Id(other.level.first + nodes)
    }

    /// Inserts fields without a position into the smallest fields that contain all of their bytes. Pass them in the
    /// order of their first bytes, longer fields first. Each byte appears only once in a map. A field is left out if it
    /// overlaps another one without being inside it, or if it is inside a value.
    ///
    /// Each field is given with its structure. If the field is stored elsewhere, its path is the structure's path plus
    /// its own step. `None` means that it belongs to the field that encloses its bytes.
    pub fn insert(&mut self, fields: impl IntoIterator<Item = (Id, Option<Owner>)>) {
        // For each level, the enclosing field and the last field in it that begins before the current one.
        let mut levels = vec![(NONE, NONE)];
        for (Id(number), owner) in fields {
            let around = self.insert_one(number, &mut levels);
            let home = owner.map(|owner| match owner {
                Owner::Level => NONE,
                Owner::Field(Id(home)) => home,
            });
            // A dropped structure may have parts elsewhere.
            if let Some(home) = home.filter(|&home| around != Some(home)) {
                self.side_mut(number).home = Some(home);
            }
        }
        self.level = self.chain_from(self.level.first);
        self.latest = (NONE, Chain::EMPTY);
    }

    /// Returns the field that encloses the inserted one, or the top level; `None` if the field was left out.
    ///
    /// `levels` is the path of the last insertion, from the top level inwards. Fields are inserted in the order of
    /// their first bytes, so the search at each level continues where it stopped. All insertions together visit each
    /// field once, whereas a search from the beginning would take quadratic time for a table of offsets.
    fn insert_one(&mut self, number: u32, levels: &mut Vec<(u32, u32)>) -> Option<u32> {
        let Entry { start, end, .. } = *self.entry(number);
        let mut depth = 0;
        loop {
            let (around, mut before) = levels[depth];
            let first = if around == NONE { self.level.first } else { self.entry(around).first };
            let mut next = if before == NONE { first } else { self.entry(before).next };
            while next != NONE && self.entry(next).start <= start {
                (before, next) = (next, self.entry(next).next);
                levels.truncate(depth + 1);
            }
            levels[depth].1 = before;
            if before != NONE && end <= self.entry(before).end {
                let inside = self.entry(before);
                let is_value = inside.kind != Kind::None || Node::new(self, before).opens().is_some();
                if inside.first == NONE && is_value {
                    return None;
                }
                if levels.len() == depth + 1 {
                    levels.push((before, NONE));
                }
                depth += 1;
                continue;
            }
            let is_free =
                (before == NONE || self.entry(before).end <= start) && (next == NONE || end <= self.entry(next).start);
            if is_free {
                self.entry_mut(number).next = next;
                match (before, around) {
                    (NONE, NONE) => self.level.first = number,
                    (NONE, around) => self.entry_mut(around).first = number,
                    (before, _) => self.entry_mut(before).next = number,
                }
                levels.truncate(depth + 1);
                levels[depth].1 = number;
            }
            return is_free.then_some(around);
        }
    }

    /// Renumbers the spaces that fields open.
    pub(crate) fn reopen(&mut self, number_of: impl Fn(u32) -> Option<u32>) {
        for side in &mut self.sides {
            side.opens = side.opens.and_then(&number_of);
        }
    }
}
