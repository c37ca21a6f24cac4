//! JSON as written by Zarr's writers.

use crate::zarr::read_error::Result;
use ndbytes::Limits;
use serde_json::Value;

/// The maximum number of bytes of memory per byte of JSON.
const GROWTH: u64 = 32;

/// The non-finite numbers that Python writes without quotation marks, although JSON does not have them.
const WORDS: [&str; 3] = ["-Infinity", "Infinity", "NaN"];

/// Parses JSON that may contain Python's `NaN` and `Infinity`, which become strings.
pub fn read(bytes: &[u8], limits: Limits) -> Result<Value> {
    let needed = (bytes.len() as u64).saturating_mul(GROWTH);
    if needed > limits.memory {
        let what = "the metadata of the Zarr array";
        return Err(ndbytes::Error::Limit { what, needed, left: limits.memory }.into());
    }
    let parsed = serde_json::from_slice(bytes).or_else(|error| match quoted(bytes) {
        Some(quoted) => serde_json::from_slice(&quoted),
        None => Err(error),
    });
    Ok(parsed.map_err(|error| format!("the metadata is not JSON: {error}"))?)
}

/// Returns the same JSON with those words as strings, or `None` if there are none.
fn quoted(bytes: &[u8]) -> Option<Vec<u8>> {
    let (mut out, mut at, mut in_text, mut found) = (Vec::new(), 0, false, false);
    while let Some(&byte) = bytes.get(at) {
        let word = WORDS.iter().find(|word| !in_text && bytes[at..].starts_with(word.as_bytes()));
        if let Some(word) = word {
            out.extend(format!("\"{word}\"").bytes());
            at += word.len();
            found = true;
            continue;
        }
        if in_text && byte == b'\\' {
            out.push(byte);
            at += 1;
        } else if byte == b'"' {
            in_text = !in_text;
        }
        out.extend(bytes.get(at));
        at += 1;
    }
    found.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pythons_words_are_texts_outside_of_texts() {
        let read = |text: &str| read(text.as_bytes(), Limits::default());
        let found = read(r#"{"a": NaN, "b\"NaN": [-Infinity, Infinity], "c": "NaN"}"#).unwrap();
        assert_eq!(found, json!({"a": "NaN", "b\"NaN": ["-Infinity", "Infinity"], "c": "NaN"}));
        assert!(read("{NaN").is_err() && read("\"\\").is_err());
    }
}
