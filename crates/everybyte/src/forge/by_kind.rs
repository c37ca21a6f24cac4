//! Values for each kind of field of a file.

use crate::hash::NumberedMap;

/// Values for kinds of fields, in the order in which the kinds first appear in a file. So a choice among them follows from the file
/// alone, whatever numbers the kinds got by files before it.
#[derive(Debug)]
pub struct ByKind<V> {
    entries: Vec<(usize, V)>,
    places: NumberedMap<usize, usize>,
}

impl<V> Default for ByKind<V> {
    fn default() -> Self {
        ByKind { entries: Vec::new(), places: NumberedMap::default() }
    }
}

impl<V: Default> ByKind<V> {
    /// The value of a kind; the default one if there is none yet.
    pub fn entry(&mut self, kind: usize) -> &mut V {
        let entries = &mut self.entries;
        let place = *self.places.entry(kind).or_insert_with(|| {
            entries.push((kind, V::default()));
            entries.len() - 1
        });
        &mut self.entries[place].1
    }
}

impl<V> ByKind<V> {
    /// The value of a kind.
    pub fn get(&self, kind: usize) -> Option<&V> {
        self.places.get(&kind).map(|&place| &self.entries[place].1)
    }

    /// The kinds that two files have.
    pub fn shared(&self, other: &Self) -> Vec<usize> {
        self.entries.iter().map(|(kind, _)| *kind).filter(|kind| other.places.contains_key(kind)).collect()
    }

    /// The number of kinds.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there is no kind.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of the kind that appears so many places after the first one.
    pub fn at(&self, place: usize) -> Option<&V> {
        self.entries.get(place).map(|(_, value)| value)
    }

    /// The values of all kinds.
    pub fn values(&self) -> impl Iterator<Item = &V> + '_ {
        self.entries.iter().map(|(_, value)| value)
    }
}
