//! Arrow schemas, whose tables may share parts, so a short schema can describe an immense one.
//!
//! A schema is a flatbuffer, a graph of tables in bytes. Several fields may point to the same child, and its children may share
//! theirs: thirty levels of two fields each make a billion fields in a kilobyte. The flatbuffers verifier gives up after a
//! million tables. A schema that passes it is traversed here as the reader would, and its cost is added up.

use super::ensure;
use crate::error::{Error, Result};
use arrow_ipc::{Field, KeyValue, Schema};

/// The memory for a field and the arrays built from it.
const FIELD: u64 = 1024;

/// The maximum nesting of fields, the same as in Arrow's reader.
const DEEPEST: usize = 64;

/// Checks the schema that a Parquet file contains as text. Other texts are left to the reader.
#[cfg(feature = "parquet")]
pub(super) fn judge_text(text: &str, left: u64) -> Result<()> {
    let Some(bytes) = of_base64(text) else { return Ok(()) };
    // A length may precede the message.
    let message = if bytes.starts_with(&[0xff; 4]) { bytes.get(8..).unwrap_or_default() } else { &bytes };
    let message = arrow_ipc::root_as_message(message).ok();
    message.and_then(|message| message.header_as_schema()).map_or(Ok(()), |schema| judge(schema, left).map(drop))
}

/// Refuses a schema that needs more memory than is left. Returns its memory.
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

/// Returns the cost of a note: its two strings, and its position in a table.
fn texts(note: KeyValue<'_>) -> u64 {
    let length: usize = [note.key(), note.value()].into_iter().flatten().map(str::len).sum();
    2 * length as u64 + 64
}

/// Decodes base64 text in the same way as Parquet's reader.
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
