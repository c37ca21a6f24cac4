//! JSON headers and the positions of their parts.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// The name of the entry that is not a tensor.
pub(super) const METADATA: &str = "__metadata__";

/// The keys of an entry.
const KEYS: [&str; 3] = ["data_offsets", "dtype", "shape"];

/// The entries of a header, in order.
pub(super) struct Header<'h>(pub Vec<Entry<'h>>);

/// An entry of a header.
pub(super) struct Entry<'h> {
    pub name: Cow<'h, str>,
    /// The value, in JSON.
    pub json: &'h str,
}

/// The description of a tensor. It may also be a list of the three values, which the reference reader accepts.
#[derive(serde::Deserialize)]
pub(super) struct Description<'h> {
    #[serde(borrow)]
    pub dtype: Cow<'h, str>,
    pub shape: Vec<u64>,
    pub data_offsets: [u64; 2],
}

/// A name that may borrow from the text. Deserializing a plain `Cow` never borrows.
#[derive(serde::Deserialize)]
struct Name<'h>(#[serde(borrow)] Cow<'h, str>);

impl<'h> Header<'h> {
    pub fn parse(text: &'h str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

impl<'de: 'h, 'h> Deserialize<'de> for Header<'h> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Vec<Entry<'de>>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with an entry for each tensor")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some((Name(name), value)) = map.next_entry::<Name<'de>, &'de RawValue>()? {
                    entries.push(Entry { name, json: value.get() });
                }
                Ok(entries)
            }
        }
        deserializer.deserialize_map(Entries).map(Header)
    }
}

impl<'h> Entry<'h> {
    /// The position of its value in the text that it was parsed from.
    pub fn place_in(&self, text: &str) -> Range<u64> {
        let start = (self.json.as_ptr() as usize).saturating_sub(text.as_ptr() as usize) as u64;
        start..start + self.json.len() as u64
    }

    pub fn description(&self) -> Result<Description<'h>, serde_json::Error> {
        serde_json::from_str(self.json)
    }

    /// The strings in the metadata; `None` if it is null.
    pub fn metadata(&self) -> Result<Option<BTreeMap<String, String>>, serde_json::Error> {
        serde_json::from_str(self.json)
    }

    /// Returns whether its value is an object.
    pub fn is_object(&self) -> bool {
        self.json.starts_with('{')
    }

    /// A key that the format does not define.
    pub fn other_key(&self) -> Option<String> {
        let keys: BTreeMap<String, IgnoredAny> = serde_json::from_str(self.json).ok()?;
        keys.into_keys().find(|key| !KEYS.contains(&key.as_str()))
    }
}
