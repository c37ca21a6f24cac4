//! JSON as a text encoding, and access to the values in it.
//!
//! [`Text::all`] deserializes only the values at its path and skips the rest, without building a tree of the whole text, because
//! the directory of a model file may be megabytes of JSON. A step `*` visits all keys and elements. Values of a type other than the
//! requested one are skipped, so one odd entry does not hide the others.

use super::owned::OfBytes;
use super::text::{Encoding, JSON, Padding, Text, Utf8};
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// JSON in UTF-8, optionally surrounded by white space.
///
/// ```
/// use everybyte::text::{Json, Text};
///
/// let text = Text::<Json>::new(r#"{"width": 640, "layers": [{"width": 320}]}"#)?;
/// assert_eq!(text.all::<u32>("/width"), [640]);
/// assert_eq!(text.all::<u32>("/layers/*/width"), [320]);
/// assert!(Text::<Json>::new("{,").is_err());
/// # Ok::<(), everybyte::text::TextError>(())
/// ```
///
/// Bytes that are not JSON are kept and reported as the finding `encoding`. [`Text::all`] returns the values at a
/// path.
pub enum Json {}

impl Encoding for Json {
    const NAME: &'static str = JSON;

    fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
        serde_json::from_slice::<IgnoredAny>(bytes).ok().and_then(|_| Utf8::decode(bytes))
    }

    fn encode(text: &str) -> Option<Vec<u8>> {
        Json::decode(text.as_bytes()).map(|text| text.as_bytes().to_vec())
    }

    fn made_up(length: usize, choose: &mut dyn FnMut(u64) -> u64) -> Option<Vec<u8>> {
        (length > 0).then(|| value(length, 0, choose))
    }
}

impl<P: Padding> Text<Json, P>
where
    Text<Json, P>: OfBytes,
{
    /// Returns the values of type `T` at a path, in the order of the text. The path is a JSON Pointer in which `*` matches every
    /// key and index. Values of other types are skipped. The result is empty if the text is not JSON or if the path is more than
    /// 127 levels deep.
    ///
    /// ```
    /// use everybyte::text::{Json, Text};
    ///
    /// let text = Text::<Json>::new(r#"{"b": {"size": [2, 3]}, "a": {"size": [4]}}"#)?;
    /// assert_eq!(text.all::<u64>("/*/size/*"), [2, 3, 4]);
    /// assert_eq!(text.all::<[u64; 2]>("/*/size"), [[2, 3]]);
    /// # Ok::<(), everybyte::text::TextError>(())
    /// ```
    pub fn all<T: DeserializeOwned>(&self, path: &str) -> Vec<T> {
        let steps: Vec<String> =
            path.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect();
        let mut found = Vec::new();
        let mut reader = serde_json::Deserializer::from_slice(self.bytes());
        match (At { steps: &steps, found: &mut found }).deserialize(&mut reader) {
            Ok(()) if reader.end().is_ok() => found,
            _ => Vec::new(),
        }
    }
}

/// Implements the trait for values without parts.
macro_rules! no_parts {
    ($($visit:ident($scalar:ty))*) => {$(
        fn $visit<E>(self, _: $scalar) -> Result<(), E> {
            Ok(())
        }
    )*};
}

/// A value, and the steps from it to the requested values.
struct At<'s, T> {
    steps: &'s [String],
    found: &'s mut Vec<T>,
}

impl<T: DeserializeOwned> At<'_, T> {
    /// The part of the value that the next step selects.
    fn part(&mut self) -> At<'_, T> {
        At { steps: &self.steps[1..], found: self.found }
    }

    /// Returns whether the next step selects a part.
    fn leads_to(&self, name: &str) -> bool {
        self.steps[0] == "*" || self.steps[0] == name
    }
}

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for At<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        if !self.steps.is_empty() {
            return reader.deserialize_any(self);
        }
        let value = <serde_json::Value as serde::Deserialize>::deserialize(reader)?;
        self.found.extend(serde_json::from_value(value));
        Ok(())
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for At<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    no_parts! {
        visit_bool(bool)
        visit_i64(i64)
        visit_u64(u64)
        visit_f64(f64)
        visit_str(&str)
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            match self.leads_to(&key) {
                true => map.next_value_seed(self.part())?,
                false => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        for index in 0.. {
            let name = index.to_string();
            let is_there = match self.leads_to(&name) {
                true => list.next_element_seed(self.part())?.is_some(),
                false => list.next_element::<IgnoredAny>()?.is_some(),
            };
            if !is_there {
                break;
            }
        }
        Ok(())
    }
}

/// The maximum nesting of generated values.
const MOST_LEVELS: u32 = 6;

/// Returns a value with this number of bytes.
fn value(length: usize, level: u32, choose: &mut dyn FnMut(u64) -> u64) -> Vec<u8> {
    let is_list = length >= 5 && level < MOST_LEVELS;
    match (length, choose(4)) {
        (0, _) => Vec::new(),
        (1, _) => vec![b'0' + choose(10) as u8],
        (2, 0) => b"[]".to_vec(),
        (2, 1) => b"{}".to_vec(),
        (_, 0) if is_list => {
            let first = 1 + choose(length as u64 - 4) as usize;
            let [first, second] = [first, length - 3 - first].map(|length| value(length, level + 1, choose));
            [b"[", &*first, b",", &second, b"]"].concat()
        }
        (_, 1) if length >= 7 && level < MOST_LEVELS => {
            let key = [b'a' + choose(26) as u8];
            [b"{\"", &key[..], b"\":", &value(length - 6, level + 1, choose), b"}"].concat()
        }
        _ => {
            let letters = (2..length).map(|_| b'a' + choose(26) as u8);
            [b'"'].into_iter().chain(letters).chain([b'"']).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the maximum nesting of lists and objects in JSON whose strings contain only letters.
    fn depth(text: &[u8]) -> u32 {
        let opened = text.iter().scan(0, |depth, byte| {
            *depth += u32::from(matches!(byte, b'[' | b'{'));
            *depth -= u32::from(matches!(byte, b']' | b'}'));
            Some(*depth)
        });
        opened.max().unwrap_or(0)
    }

    #[test]
    fn values_of_any_length_are_json_of_at_most_seven_levels() {
        let mut state = 1_u64;
        let mut choose = |count| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % count
        };
        let mut deepest = 0;
        for length in 1..2000 {
            let text = Json::made_up(length, &mut choose).unwrap();
            assert!(text.len() == length && Json::decode(&text).is_some(), "{}", text.escape_ascii());
            deepest = deepest.max(depth(&text));
        }
        // The last level may be an empty list.
        assert_eq!(deepest, MOST_LEVELS + 1);
        assert_eq!(Json::made_up(0, &mut choose), None);
    }
}
