//! Metadata by name: everything in a file besides its values.

use super::conflict::Place;
use super::tally::Tally;
use super::versions::Versions;
use std::collections::BTreeMap;

/// Metadata by name.
pub type Metadata<T> = BTreeMap<String, T>;

/// Merges metadata by name. An entry that one side deleted and the other left unchanged is deleted.
pub fn merge<T: PartialEq>(versions: Versions<Metadata<T>>, tally: &mut Tally<'_, '_>) -> Metadata<T> {
    let Versions { mut base, mut ours, mut theirs } = versions;
    let mut merged = Metadata::new();
    let names: Vec<String> = base.keys().chain(ours.keys()).chain(theirs.keys()).cloned().collect();
    for name in names {
        let values = Versions { base: base.remove(&name), ours: ours.remove(&name), theirs: theirs.remove(&name) };
        // The name occurred more than once.
        if values == (Versions { base: None, ours: None, theirs: None }) {
            continue;
        }
        let version = match values.changed() {
            Some(version) if values.ours == values.theirs => version,
            Some(version) => {
                tally.take(version);
                version
            }
            None => tally.conflict(Place::Metadata(name.clone()), None),
        };
        if let Some(value) = values.of(version) {
            merged.insert(name, value);
        }
    }
    merged
}
