//! The differences between the structures of two files, in words.

use everybyte::map::Name;
use everybyte::page::shown;
use ndbytes::everybyte::diff;
use serde::Serialize;

/// The maximum number of listed changes and payloads.
const CHANGES: usize = 400;
const PAYLOADS: usize = 100;

/// The maximum number of characters in a key, and in a value.
const KEY: usize = 300;
const VALUE: usize = 200;

/// The maximum number of listed keys per change.
const SAME: usize = 32;

#[derive(Debug, Serialize)]
pub struct Structure {
    changes: Vec<Change>,
    /// The number of changes that are not listed.
    further: u64,
    payloads: Vec<Payload>,
    follows: u64,
    elsewhere: u64,
    recoded: u64,
    ignored: u64,
    unread: u64,
}

#[derive(Debug, Serialize)]
struct Change {
    kind: &'static str,
    key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<Name>,
    a: Option<Place>,
    b: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    same: Vec<String>,
    times: (u64, u64),
    different_bytes: u64,
}

#[derive(Debug, Serialize)]
struct Place {
    space: u32,
    offset: u64,
    length: u64,
    text: String,
    meaning: String,
}

/// The payloads of one part of the files: elements and bytes on each side.
#[derive(Debug, Serialize)]
struct Payload {
    key: String,
    name: Name,
    a: (u64, u64),
    b: (u64, u64),
    different: u64,
    different_bytes: u64,
}

impl Structure {
    pub fn new(found: &diff::Structure) -> Self {
        let kept = found.changes.len().min(CHANGES);
        Structure {
            changes: found.changes[..kept].iter().map(Change::new).collect(),
            further: found.further + (found.changes.len() - kept) as u64,
            payloads: found.data.iter().take(PAYLOADS).map(Payload::new).collect(),
            follows: found.follows,
            elsewhere: found.elsewhere,
            recoded: found.recoded,
            ignored: found.ignored,
            unread: found.unread,
        }
    }
}

impl Change {
    fn new(change: &diff::Change) -> Self {
        Change {
            kind: change.kind.name(),
            key: shown(&change.key, KEY),
            bits: change.bits.clone(),
            a: change.a.as_ref().map(Place::new),
            b: change.b.as_ref().map(Place::new),
            role: change.role.as_ref().map(ToString::to_string),
            same: change.same.iter().take(SAME).map(|key| shown(key, KEY)).collect(),
            times: change.times,
            different_bytes: change.different_bytes,
        }
    }
}

impl Place {
    fn new(place: &diff::Place) -> Self {
        Place {
            space: place.space,
            offset: place.offset,
            length: place.length,
            text: shown(&place.text, VALUE),
            meaning: shown(&place.meaning, VALUE),
        }
    }
}

impl Payload {
    fn new(data: &diff::Data) -> Self {
        Payload {
            key: shown(&data.key, KEY),
            name: data.name.clone(),
            a: (data.a.parts, data.a.bytes),
            b: (data.b.parts, data.b.bytes),
            different: data.different,
            different_bytes: data.different_bytes,
        }
    }
}
