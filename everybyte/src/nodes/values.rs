//! Stores values and meanings in entries and restores them.
//!
//! The two words of an entry can store any integer, float or name. Strings and bytes are appended to one buffer, and
//! the words contain their position. A meaning that is a static string is stored by number, in the second word if the
//! value does not use it and with the rare facts otherwise. A meaning such as `12 bytes` is not stored at all:
//! [`Meaning`] states how it follows from the entry.

use super::arena::Nodes;
use super::entry::{CUT, Entry, Kind, Meaning, Side};
use crate::error::amount;
use crate::name::Name;
use crate::reference::{Bits, Said, set_bits};
use crate::value::Value;
use std::borrow::Cow;

/// The maximum number of bytes of a byte string that are kept. Their number is stored in 16 bits.
const MOST_KEPT: usize = u16::MAX as usize;

impl Nodes {
    pub(super) fn entry(&self, number: u32) -> &Entry {
        &self.entries[number as usize]
    }

    pub(super) fn entry_mut(&mut self, number: u32) -> &mut Entry {
        &mut self.entries[number as usize]
    }

    pub(super) fn side(&self, number: u32) -> Option<&Side> {
        self.sides.get(self.entry(number).side as usize)
    }

    /// Returns further properties of a node, which are created if necessary.
    pub(super) fn side_mut(&mut self, number: u32) -> &mut Side {
        let side = self.entry(number).side as usize;
        if side < self.sides.len() {
            return &mut self.sides[side];
        }
        let last = self.sides.len();
        self.entry_mut(number).side = last as u32;
        self.sides.push(Side::default());
        &mut self.sides[last]
    }

    /// Sets the value of a node. Its meaning is unchanged.
    pub(crate) fn set_value(&mut self, number: u32, value: &Value) {
        let meaning = self.kept_meaning(number);
        let (kind, words) = match value {
            Value::None => (Kind::None, [0; 2]),
            Value::Uint(it) => match u64::try_from(*it) {
                Ok(it) => (Kind::Uint, [it, 0]),
                Err(_) => (Kind::WideUint, [*it as u64, (*it >> 64) as u64]),
            },
            Value::Int(it) => match i64::try_from(*it) {
                Ok(it) => (Kind::Int, [it as u64, 0]),
                Err(_) => (Kind::WideInt, [*it as u64, (*it >> 64) as u64]),
            },
            Value::Single(it) => (Kind::Single, [it.to_bits().into(), 0]),
            Value::Float(it) => (Kind::Float, [it.to_bits(), 0]),
            Value::Flags(it) => (Kind::Flags, [*it, 0]),
            Value::Name(name) => (Kind::Name, [self.names.number(name).into(), 0]),
            Value::Text(text) => {
                let place = self.keep(text.as_bytes());
                (Kind::Text, [place, text.len() as u64])
            }
            Value::Bytes(bytes, length) => {
                let kept = &bytes[..bytes.len().min(MOST_KEPT)];
                let place = self.keep(kept);
                (Kind::Bytes, [place << 16 | kept.len() as u64, *length])
            }
        };
        let entry = self.entry_mut(number);
        (entry.kind, entry.words) = (kind, words);
        if let Some(meaning) = meaning {
            self.put_meaning(number, meaning);
        }
    }

    /// The meaning that is stored beside a value.
    fn kept_meaning(&mut self, number: u32) -> Option<Name> {
        let entry = *self.entry(number);
        (entry.said == Meaning::Name).then(|| self.names.get(entry.words[1]).clone())
    }

    /// Stores bytes separately from the entries and returns their position.
    fn keep(&mut self, bytes: &[u8]) -> u64 {
        let place = self.texts.len() as u64;
        self.texts.extend_from_slice(bytes);
        place
    }

    /// Sets the meaning of a node's value.
    pub(crate) fn set_meaning(&mut self, number: u32, meaning: Cow<'static, str>) {
        match meaning {
            Cow::Borrowed("") => self.entry_mut(number).said = Meaning::None,
            Cow::Borrowed(meaning) => self.put_meaning(number, Name::new(meaning)),
            Cow::Owned(meaning) if meaning.is_empty() => self.entry_mut(number).said = Meaning::None,
            Cow::Owned(meaning) => self.put_meaning_beside(number, meaning.into()),
        }
    }

    pub(super) fn put_meaning(&mut self, number: u32, meaning: Name) {
        if !self.entry(number).kind.has_room() {
            return self.put_meaning_beside(number, meaning);
        }
        let name = self.names.number(&meaning);
        let entry = self.entry_mut(number);
        (entry.said, entry.words[1]) = (Meaning::Name, name.into());
    }

    fn put_meaning_beside(&mut self, number: u32, meaning: Name) {
        self.side_mut(number).meaning = Some(meaning);
        self.entry_mut(number).said = Meaning::Side;
    }

    /// Records how the meaning of a node follows from the node.
    pub(crate) fn set_said(&mut self, number: u32, said: Said) {
        self.entry_mut(number).said = match said {
            Said::Own => return,
            Said::Amount => Meaning::Amount,
            Said::AmountOrNone => Meaning::AmountOrNone,
            Said::Bits => Meaning::Bits,
        };
    }

    pub(super) fn value(&self, number: u32) -> Value {
        let entry = self.entry(number);
        let [low, high] = entry.words;
        let wide = || u128::from(high) << 64 | u128::from(low);
        match entry.kind {
            Kind::None => Value::None,
            Kind::Uint => Value::Uint(low.into()),
            Kind::Int => Value::Int((low as i64).into()),
            Kind::WideUint => Value::Uint(wide()),
            Kind::WideInt => Value::Int(wide() as i128),
            Kind::Single => Value::Single(f32::from_bits(low as u32)),
            Kind::Float => Value::Float(f64::from_bits(low)),
            Kind::Flags => Value::Flags(low),
            Kind::Name => Value::Name(self.names.get(low).clone()),
            Kind::Text => Value::Text(String::from_utf8_lossy(self.kept(low, high)).into_owned()),
            Kind::Bytes => Value::Bytes(self.kept(low >> 16, low & 0xffff).to_vec(), high),
        }
    }

    fn kept(&self, place: u64, length: u64) -> &[u8] {
        &self.texts[place as usize..][..length as usize]
    }

    pub(super) fn meaning(&self, number: u32) -> Cow<'_, str> {
        let entry = self.entry(number);
        let length = entry.end.saturating_sub(entry.start);
        match entry.said {
            _ if entry.is(CUT) => {
                format!("{} in parts that are not shown: the map has room for {} fields", amount(length), self.most)
                    .into()
            }
            Meaning::None => "".into(),
            Meaning::Name => self.names.get(entry.words[1]).as_str().into(),
            Meaning::Side => self.side(number).and_then(|side| side.meaning.as_deref()).unwrap_or_default().into(),
            Meaning::AmountOrNone if length == 0 => "none".into(),
            Meaning::Amount | Meaning::AmountOrNone => amount(length).into(),
            Meaning::Bits => set_bits(&self.bits(number)),
            Meaning::Gap => format!("{} that no field claims", amount(length)).into(),
        }
    }

    pub(super) fn bits(&self, number: u32) -> Vec<Bits> {
        let entry = self.entry(number);
        match (self.side(number), self.labels.get(entry.label).bits) {
            (Some(side), _) if !side.bits.is_empty() => side.bits.to_vec(),
            (_, Some(bits)) if entry.kind == Kind::Flags => bits(entry.words[0]),
            _ => Vec::new(),
        }
    }
}
