//! The keys that a specification may have, and the forms of names.

use super::model::Code;
use crate::expression::{Expr, Word, parse};
use crate::place::{LocatedError, SpecResult, error_at};
use crate::yaml::{Kind, Yaml};
use std::sync::Arc;

/// The maximum number of characters of an expression in a message.
const SHOWN: usize = 200;

/// The keys at the top level of a file and of a type.
pub const TYPE: &[&str] = &["meta", "doc", "doc-ref", "params", "seq", "types", "instances", "enums", "to-string"];

/// The keys of `meta`. See <https://doc.kaitai.io/ksy_diagram.html> for all keys.
pub const META: &[&str] = &[
    "id",
    "title",
    "application",
    "file-extension",
    "xref",
    "license",
    "ks-version",
    "ks-debug",
    "ks-opaque-types",
    "ks-zero-copy-substream",
    "imports",
    "encoding",
    "endian",
    "bit-endian",
    "tags",
];

pub const PARAM: &[&str] = &["id", "type", "doc", "doc-ref", "enum"];

/// The keys of a label of an enumeration.
pub const LABEL: &[&str] = &["id", "doc", "doc-ref"];

/// The keys of a computed instance.
pub const VALUE_INSTANCE: &[&str] = &["value", "doc", "doc-ref", "enum", "if", "valid"];

/// The keys of `valid`.
pub const VALID: &[&str] = &["eq", "min", "max", "any-of", "in-enum", "expr"];

/// The keys of all fields except value instances; [`field`] checks which other keys the content allows.
const FIELD: &[&str] = &["id", "type", "doc", "doc-ref", "if", "repeat", "valid", "value", "pos", "io"];

/// Refuses unknown keys. Keys that begin with `-` are the author's own.
pub fn check<'k>(yaml: &Yaml, known: &[&'k str]) -> SpecResult<()> {
    let is_known = |key: &str| key.starts_with('-') || known.contains(&key);
    match yaml.pairs().iter().find(|(key, _)| !is_known(key.text())) {
        Some((key, _)) => {
            let mut known: Vec<&'k str> = known.to_vec();
            known.sort_unstable();
            error_at(key.at, format!("`{}` is not a key here; expected {}", key.text(), known.join(", ")))
        }
        None => Ok(()),
    }
}

/// Refuses keys that do not fit the content and the repetition of a field.
pub fn field(yaml: &Yaml, is_bytes: bool, is_text: bool, is_user: bool) -> SpecResult<()> {
    let mut known = FIELD.to_vec();
    match yaml.get("repeat").map(Yaml::text) {
        Some("expr") => known.push("repeat-expr"),
        Some("until") => known.push("repeat-until"),
        _ => {}
    }
    if is_bytes || is_text || is_user {
        known.extend(["size", "size-eos", "terminator", "include", "consume", "eos-error", "pad-right", "process"]);
    }
    if is_bytes {
        known.push("contents");
    }
    if is_text {
        known.push("encoding");
    }
    if is_user {
        known.push("parent");
    }
    // If an enumeration's type is not an integer, a later check produces a clearer message.
    known.push("enum");
    check(yaml, &known)
}

/// Parses the name of a field, type, parameter, enumeration or value.
pub fn name(yaml: &Yaml, of: &str) -> SpecResult<Word> {
    if !yaml.is_scalar() || yaml.is_null() {
        return error_at(yaml.at, format!("the name of {of} is missing: found {}", yaml.what()));
    }
    let text = yaml.text();
    if !is_name(text) {
        let form = "a lower-case letter, then lower-case letters, digits and `_`";
        return error_at(yaml.at, format!("`{text}` is not a valid name of {of}: {form}"));
    }
    Ok(text.into())
}

/// Returns whether a text is a name.
pub fn is_name(text: &str) -> bool {
    let is_word = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    text.starts_with(|letter: char| letter.is_ascii_lowercase()) && text.chars().all(is_word)
}

/// Returns the pairs of a map that may be missing.
pub fn map<'y>(yaml: &'y Yaml, key: &str) -> SpecResult<&'y [(Yaml, Yaml)]> {
    match yaml.get(key) {
        None => Ok(&[]),
        Some(value) if matches!(value.kind, Kind::Map(_)) => Ok(value.pairs()),
        Some(value) => error_at(value.at, format!("`{key}` is {}, not a map", value.what())),
    }
}

/// Returns the elements of a list that may be missing.
pub fn list<'y>(yaml: &'y Yaml, key: &str) -> SpecResult<&'y [Yaml]> {
    match yaml.get(key) {
        None => Ok(&[]),
        Some(value) if matches!(value.kind, Kind::List(_)) => Ok(value.items()),
        Some(value) => error_at(value.at, format!("`{key}` is {}, not a list", value.what())),
    }
}

/// Parses a flag, which may be missing.
pub fn flag(yaml: &Yaml, key: &str, default: bool) -> SpecResult<bool> {
    match yaml.get(key) {
        None => Ok(default),
        Some(value) => match value.text() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => error_at(value.at, format!("`{key}` is neither `true` nor `false`")),
        },
    }
}

/// Returns the text of a key; empty if it is missing.
pub fn text(yaml: &Yaml, key: &str) -> Word {
    yaml.get(key).map_or("", Yaml::text).trim().into()
}

/// Returns the first paragraph of a `doc`, on one line, because a map shows it with each field. Empty if there is none.
pub fn doc(yaml: &Yaml) -> Word {
    let text = yaml.get("doc").map_or("", Yaml::text).trim();
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    paragraph.split_whitespace().collect::<Vec<_>>().join(" ").into()
}

/// Parses an expression.
pub fn code(yaml: &Yaml) -> SpecResult<Code> {
    if !yaml.is_scalar() || yaml.is_null() {
        return error_at(yaml.at, format!("expected an expression, found {}", yaml.what()));
    }
    let expr = parse(yaml.text()).map_err(|(place, message)| LocatedError {
        at: yaml.place(place),
        message: format!("{message}: `{}`", yaml.text().trim_end()),
    })?;
    Ok(coded(yaml)(expr))
}

/// Parses parts of a scalar as expressions, which share its text.
pub fn coded(yaml: &Yaml) -> impl Fn(Expr) -> Code {
    // A block of lines ends with a line feed.
    let (text, at, is_straight): (Word, _, _) = (yaml.text().trim_end().into(), yaml.place(0), yaml.is_straight());
    let shown = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => Arc::clone(&text),
    };
    move |expr| Code { expr, text: Arc::clone(&text), shown: Arc::clone(&shown), at, is_straight }
}

/// Returns the expression of a key that may be missing.
pub fn optional(yaml: &Yaml, key: &str) -> SpecResult<Option<Code>> {
    yaml.get(key).map(code).transpose()
}

#[cfg(test)]
mod tests {
    use super::coded;
    use crate::expression::call;
    use crate::place::At;
    use crate::yaml::{Kind, Style, Yaml};
    use std::sync::Arc;

    #[test]
    fn arguments_share_the_text_that_they_stand_in() {
        let yaml = Yaml { at: At::default(), kind: Kind::Scalar("t(1, 2, 3)".to_owned(), Style::Plain) };
        let arguments: Vec<_> = call(yaml.text()).unwrap().1.into_iter().map(coded(&yaml)).collect();
        let [first, rest @ ..] = &arguments[..] else { panic!("there are three") };
        assert_eq!(rest.len(), 2);
        assert!(rest.iter().all(|it| Arc::ptr_eq(&it.text, &first.text) && Arc::ptr_eq(&it.shown, &first.shown)));
    }
}
