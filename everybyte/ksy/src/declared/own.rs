//! Our own keys, which Kaitai Struct ignores: `-check`, `-role` and `-pack`.
//!
//! Kaitai Struct describes how to read a file. To repair or mutate one, the engine must know how a number follows from
//! others. The compiler skips keys that begin with a hyphen, so a specification with these keys still works everywhere.

use super::keys;
use super::model::{Check, Meaning, Origin, StatedRole};
use crate::expression::Word;
use crate::place::{SpecResult, error_at};
use crate::sums;
use crate::yaml::Yaml;

/// The forms of `-role`, for messages.
const ROLES: &str = "`extent of x`, `counts x`, `place of x`, `copy of x`, `index of x`, `check of x`, `crc32 of x`, `writer`, `fact`, `payload` and `steady` are";

/// Parses a checksum: `crc32(field)`, `crc32(first, second)` or `crc32(first..last)`.
pub fn check(yaml: &Yaml) -> SpecResult<Check> {
    let text = yaml.text();
    let parts = text.strip_suffix(')').and_then(|text| text.split_once('('));
    let (sum, over, is_run) = match parts {
        Some((sum, over)) => match over.split_once("..") {
            Some((first, last)) => (sum, vec![first, last], true),
            None => (sum, over.split(',').collect(), false),
        },
        None => (text, Vec::new(), false),
    };
    let names: Vec<&str> = over.into_iter().map(str::trim).collect();
    if names.is_empty() || !names.iter().all(|name| keys::is_name(name)) {
        let known = "`crc32(field)`, `crc32(first, second)` and `crc32(first..last)` are";
        return error_at(yaml.at, format!("`{text}` is not a checksum: expected {known}"));
    }
    Ok(Check { sum: sum.trim().into(), over: names.into_iter().map(Word::from).collect(), is_run, at: yaml.at })
}

/// Parses the role of a number: `extent of body`, `counts entries * 2 + 1`, `place of table after header`.
pub fn role(yaml: &Yaml) -> SpecResult<Option<StatedRole>> {
    let Some(stated) = yaml.get("-role") else { return Ok(None) };
    if let Some(check) = yaml.get("-check") {
        return error_at(check.at, "`-check` and `-role` exclude each other");
    }
    match parsed(stated.text()) {
        Some((meaning, times, plus)) => Ok(Some(StatedRole { meaning, times, plus, at: stated.at })),
        None => error_at(stated.at, format!("`{}` is not a role: {ROLES}", stated.text())),
    }
}

/// Parses a role, its factor and its summand, as shown in maps.
fn parsed(text: &str) -> Option<(Meaning, u16, i16)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (meaning, rest) = match &words[..] {
        ["writer"] => (Meaning::Writer, &[][..]),
        ["fact"] => (Meaning::Fact, &[][..]),
        ["payload"] => (Meaning::Payload, &[][..]),
        ["steady"] => (Meaning::Steady, &[][..]),
        ["extent", "of", target, rest @ ..] => (Meaning::Extent(path(target)?), rest),
        ["counts", target, rest @ ..] => (Meaning::Counts(path(target)?), rest),
        ["copy", "of", target] => (Meaning::Copy(path(target)?), &[][..]),
        ["index", "of", target] => (Meaning::Index(path(target)?), &[][..]),
        ["check", "of", target] => (Meaning::Check(None, path(target)?), &[][..]),
        ["place", "of", target, rest @ ..] => {
            let (target, (origin, rest)) = (path(target)?, origin(rest));
            (Meaning::Place(target, origin), rest)
        }
        [sum, "of", target] => (Meaning::Check(Some(sums::named(sum)?), path(target)?), &[][..]),
        _ => return None,
    };
    let (times, rest) = match rest {
        ["*" | "×", times, rest @ ..] => (times.parse().ok().filter(|&times| times > 0)?, rest),
        rest => (1, rest),
    };
    let plus = match rest {
        [] => 0,
        ["+", plus] => plus.parse().ok()?,
        ["-" | "−", minus] => minus.parse::<i16>().ok()?.checked_neg()?,
        _ => return None,
    };
    Some((meaning, times, plus))
}

/// Parses the origin of a position and returns the words after it. It comes before a unit and a summand, or after them.
fn origin<'w>(words: &'w [&'w str]) -> (Origin, &'w [&'w str]) {
    let origin = |word: &str, name: &str| match word {
        "in" if keys::is_name(name) => Some(Origin::Structure(name.into())),
        "after" if keys::is_name(name) => Some(Origin::After(name.into())),
        _ => None,
    };
    if let [word, name, rest @ ..] = words
        && let Some(origin) = origin(word, name)
    {
        return (origin, rest);
    }
    match words {
        [rest @ .., word, name] => origin(word, name).map_or((Origin::Space, words), |origin| (origin, rest)),
        _ => (Origin::Space, words),
    }
}

/// Parses a field: its name, the names of nested fields separated by dots, or the ends of a run separated by `..`.
/// After a name, `!` means the content that the field is unpacked into. After a path, `[]` means each element of a
/// list, and `..` the elements up to the one that contains the number.
fn path(text: &str) -> Option<Word> {
    let is_name = |name: &str| keys::is_name(name.strip_suffix('!').unwrap_or(name));
    let is_path = |path: &str| path.split('.').all(is_name);
    let is_right = match text.split_once("..") {
        Some((first, last)) => is_path(first) && (last.is_empty() || is_path(last)),
        None => is_path(text.strip_suffix("[]").unwrap_or(text)),
    };
    is_right.then(|| text.into())
}

/// Parses the level for packing bytes again after an edit: `-pack: zlib 9`.
pub fn level(yaml: &Yaml) -> SpecResult<Option<u8>> {
    let Some(stated) = yaml.get("-pack") else { return Ok(None) };
    if yaml.get("process").map(Yaml::text) != Some("zlib") {
        return error_at(stated.at, "`-pack` needs `process: zlib` in the same field");
    }
    let level = stated.text().strip_prefix("zlib ").and_then(|level| level.trim().parse().ok());
    match level.filter(|level| *level <= 9) {
        Some(level) => Ok(Some(level)),
        None => error_at(stated.at, format!("`{}` is not a packing: expected `zlib 0` to `zlib 9`", stated.text())),
    }
}
