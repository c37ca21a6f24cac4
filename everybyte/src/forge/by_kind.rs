//! Values per kind of field.

use crate::hash::NumberedMap;

/// Values per kind of field, in the order in which the kinds first appear in a file. A choice among them therefore
/// depends only on the file, regardless of the numbers that previous files assigned to the kinds.
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
    /// The value for a kind; the default if it has no value yet.
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
    /// Returns the value for a kind.
    pub fn get(&self, kind: usize) -> Option<&V> {
        self.places.get(&kind).map(|&place| &self.entries[place].1)
    }

    /// The kinds that both files have.
    pub fn shared(&self, other: &Self) -> Vec<usize> {
        self.entries.iter().map(|(kind, _)| *kind).filter(|kind| other.places.contains_key(kind)).collect()
    }

    /// The number of kinds.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there are no kinds.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the value of the kind at this position.
    pub fn at(&self, place: usize) -> Option<&V> {
        self.entries.get(place).map(|(_, value)| value)
    }

    /// Returns the values of all kinds.
    pub fn values(&self) -> impl Iterator<Item = &V> + '_ {
        self.entries.iter().map(|(_, value)| value)
    }
}
