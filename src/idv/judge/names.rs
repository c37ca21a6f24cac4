//! The names and numbers of a codec, including nested ones.

use everybyte::varint::Leb128;
use ndbytes_schemas::idv::{Codec, NetString, Parameters};

/// Returns the strings and LEB128 numbers of a codec and of the codecs inside it.
pub(crate) fn codec_fields<'c>(
    codec: &'c Codec,
    path: &str,
    texts: &mut Vec<(String, &'c NetString)>,
    numbers: &mut Vec<(String, Leb128)>,
) {
    texts.push((format!("{path}.name"), &codec.name));
    numbers.push((format!("{path}.parameters_length"), codec.parameters_length));
    let (inner, inside) = match &codec.parameters {
        Parameters::Vector { vector } => (&vector.item, "vector.item"),
        Parameters::Key { key } => (&key.number, "key.number"),
        Parameters::OldKey { key } => (&key.number, "key.number"),
        Parameters::Other { .. } => return,
    };
    codec_fields(inner, &format!("{path}.parameters.{inside}"), texts, numbers);
}

pub(crate) fn not_utf8(texts: &[(String, &NetString)]) -> Option<String> {
    texts.iter().find(|(_, text)| text.text().is_none()).map(|(field, _)| field.clone())
}

pub(crate) fn overlong(texts: &[(String, &NetString)], numbers: &[(String, Leb128)]) -> Option<String> {
    let lengths = texts.iter().map(|(field, text)| (field, text.length()));
    let numbers = numbers.iter().map(|(field, number)| (field, *number));
    lengths.chain(numbers).find(|(_, number)| number.is_overlong()).map(|(field, _)| field.clone())
}
