//! Schemas of Arrow, whose tables may share parts: a short one can describe an immense one.

use super::ensure;
use crate::error::{Error, Result};
use arrow_ipc::{Field, KeyValue, Schema};

/// The memory that a field takes, with the arrays that are made of it.
const FIELD: u64 = 1024;

/// Fields within fields, at most: as many as Arrow's reader allows.
const DEEPEST: usize = 64;

/// Judges the schema that a Parquet file has as a text. A text that is none is left to the reader.
#[cfg(feature = "parquet")]
pub(super) fn judge_text(text: &str, left: u64) -> Result<()> {
    let Some(bytes) = of_base64(text) else { return Ok(()) };
    // A length may stand before the message.
    let message = if bytes.starts_with(&[0xff; 4]) { bytes.get(8..).unwrap_or_default() } else { &bytes };
    let message = arrow_ipc::root_as_message(message).ok();
    message.and_then(|message| message.header_as_schema()).map_or(Ok(()), |schema| judge(schema, left).map(drop))
}

/// Refuses a schema that takes more than is left. Returns what it takes.
pub(super) fn judge(schema: Schema<'_>, left: u64) -> Result<u64> {
    let mut needed = schema.custom_metadata().into_iter().flatten().map(texts).fold(0, u64::saturating_add);
    for field in schema.fields().into_iter().flatten() {
        needed = needed.saturating_add(of_field(field, 0)?);
    }
    ensure(needed, left, || "the schema, which describes the columns".into())?;
    Ok(needed)
}

fn of_field(field: Field<'_>, depth: usize) -> Result<u64> {
    if depth > DEEPEST {
        return Err(Error::Broken(format!("its columns are nested in more than {DEEPEST} others")));
    }
    let own = field.custom_metadata().into_iter().flatten().map(texts).fold(FIELD, u64::saturating_add);
    let mut needed = own.saturating_add(field.name().map_or(0, |name| 2 * name.len() as u64));
    for child in field.children().into_iter().flatten() {
        needed = needed.saturating_add(of_field(child, depth + 1)?);
    }
    Ok(needed)
}

/// The cost of a note: its two texts, and its place in a table.
fn texts(note: KeyValue<'_>) -> u64 {
    let length: usize = [note.key(), note.value()].into_iter().flatten().map(str::len).sum();
    2 * length as u64 + 64
}

/// The bytes of a text in base 64, as Parquet's reader decodes it.
#[cfg(feature = "parquet")]
fn of_base64(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        })
    };
    let mut bytes = Vec::new();
    for four in text.trim_end_matches('=').as_bytes().chunks(4) {
        let mut word = 0_u32;
        for byte in four {
            word = word << 6 | u32::from(digit(*byte)?);
        }
        let word = word << (6 * (4 - four.len()));
        bytes.extend_from_slice(&word.to_be_bytes()[1..four.len()]);
    }
    Some(bytes)
}

#[cfg(all(test, feature = "parquet"))]
mod tests {
    use super::*;

    #[test]
    fn text_in_base_64_becomes_its_bytes() {
        for (text, bytes) in [("", &b""[..]), ("TQ==", b"M"), ("TWE=", b"Ma"), ("TWFu", b"Man"), ("TWFuTQ", b"ManM")] {
            assert_eq!(of_base64(text).as_deref(), Some(bytes), "{text}");
        }
        assert_eq!(of_base64("T W"), None);
    }
}
