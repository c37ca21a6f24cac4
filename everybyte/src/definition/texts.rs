//! Texts in definitions: their encoding, the byte that ends them, and the bytes after their end.

use crate::terms::{Form, TextForm};

/// Returns the text of a field, or of its elements.
pub fn text_of(form: &Form) -> Option<&TextForm> {
    match form {
        Form::Text(text) => Some(text),
        Form::List(element) | Form::Array(_, element) => text_of(element),
        _ => None,
    }
}

/// Returns the name of an encoding in Kaitai Struct; `None` if it has none.
fn encoding(text: &TextForm) -> Option<&'static str> {
    match text.encoding {
        "UTF-8" | "JSON" => Some("UTF-8"),
        "Latin-1" => Some("ISO-8859-1"),
        known @ ("ASCII" | "UTF-16LE" | "UTF-16BE") => Some(known),
        _ => None,
    }
}

/// Returns whether ImHex can show a text byte by byte.
pub fn has_letters(text: &TextForm) -> bool {
    encoding(text).is_some_and(|encoding| !encoding.starts_with("UTF-16"))
}

/// Returns a note about a text that Kaitai Struct can only read as bytes.
pub fn lost_in_kaitai(form: &Form) -> Option<String> {
    let text = text_of(form)?;
    encoding(text).is_none().then(|| format!("it is a text in {}; here it is shown as bytes", text.encoding))
}

/// Returns a note about a text that ImHex shows together with other bytes, or as bytes.
pub fn lost_in_imhex(form: &Form) -> Option<String> {
    let text = text_of(form)?;
    match !text.is_ended && (text.fill.is_some() || text.end.is_some()) {
        _ if !has_letters(text) => Some(format!("it is a text in {}; here it is shown as bytes", text.encoding)),
        true => Some("the bytes after the end of the text are shown with it".to_owned()),
        false => None,
    }
}

/// Writes the Kaitai Struct keys of a text. `size` writes the key for its size if the type does not fix it.
pub fn kaitai(text: &TextForm, size: impl FnOnce() -> String) -> String {
    let kind = encoding(text).map(|encoding| format!("  type: str\n  encoding: {encoding}\n"));
    let size = match text.size {
        Some(size) => format!("  size: {size}\n"),
        None if text.is_ended => String::new(),
        None => size(),
    };
    // Padding with the terminator itself needs no key: the text ends at the first such byte.
    let fill = text.fill.filter(|_| text.fill != text.end).map(|byte| format!("  pad-right: {byte:#04x}\n"));
    let end = text.end.map(|byte| format!("  terminator: {byte:#04x}\n"));
    kind.into_iter().chain([size]).chain(fill).chain(end).collect()
}
