//! The keys of our own, which Kaitai Struct ignores: `-check`, `-role` and `-pack`.

use super::keys;
use super::model::{Check, Meaning, Origin, StatedRole};
use crate::expression::Word;
use crate::place::{Sound, flaw};
use crate::sums;
use crate::yaml::Yaml;

/// The forms of `-role`, for sentences.
const ROLES: &str = "`extent of x`, `counts x`, `place of x`, `copy of x`, `index of x`, `check of x`, `crc32 of x`, `writer`, `fact`, `payload` and `steady` are";

/// A checksum: `crc32(field)`, `crc32(first, second)` or `crc32(first..last)`.
pub fn check(yaml: &Yaml) -> Sound<Check> {
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
        return flaw(yaml.at, format!("`{text}` is no checksum: {known}"));
    }
    Ok(Check { sum: sum.trim().into(), over: names.into_iter().map(Word::from).collect(), is_run, at: yaml.at })
}

/// The role of a number: `extent of body`, `counts entries * 2 + 1`, `place of table after header`.
pub fn role(yaml: &Yaml) -> Sound<Option<StatedRole>> {
    let Some(stated) = yaml.get("-role") else { return Ok(None) };
    if let Some(check) = yaml.get("-check") {
        return flaw(check.at, "`-check` and `-role` both say what the number is");
    }
    match parsed(stated.text()) {
        Some((meaning, times, plus)) => Ok(Some(StatedRole { meaning, times, plus, at: stated.at })),
        None => flaw(stated.at, format!("`{}` is no role: {ROLES}", stated.text())),
    }
}

/// A role, its factor and its summand, as maps show them.
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

/// The origin of a place, and the words after it. It stands before a unit and a summand, or after them.
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

/// A field: its name, or names of fields in fields, separated by points, or the ends of a run, with `..` between them. After a
/// name, `!` is the content that the field is unpacked into. After a path, `[]` is each element of a list, and `..` the elements up
/// to the one around the number.
fn path(text: &str) -> Option<Word> {
    let is_name = |name: &str| keys::is_name(name.strip_suffix('!').unwrap_or(name));
    let is_path = |path: &str| path.split('.').all(is_name);
    let is_right = match text.split_once("..") {
        Some((first, last)) => is_path(first) && (last.is_empty() || is_path(last)),
        None => is_path(text.strip_suffix("[]").unwrap_or(text)),
    };
    is_right.then(|| text.into())
}

/// The level at which bytes are packed again after an edit: `-pack: zlib 9`.
pub fn level(yaml: &Yaml) -> Sound<Option<u8>> {
    let Some(stated) = yaml.get("-pack") else { return Ok(None) };
    if yaml.get("process").map(Yaml::text) != Some("zlib") {
        return flaw(stated.at, "`-pack` needs `process: zlib` beside it");
    }
    let level = stated.text().strip_prefix("zlib ").and_then(|level| level.trim().parse().ok());
    match level.filter(|level| *level <= 9) {
        Some(level) => Ok(Some(level)),
        None => flaw(stated.at, format!("`{}` is no packing: `zlib 0` to `zlib 9` are", stated.text())),
    }
}
