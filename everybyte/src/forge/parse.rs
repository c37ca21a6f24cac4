//! Parses the lines of a recipe.

use super::recipe::{Recipe, RecipeError, Repair, Roles, Setting, Step};
use crate::escape::escape;
use std::str::FromStr;

impl FromStr for Recipe {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let mut recipe = Recipe::default();
        for (place, line) in text.lines().enumerate() {
            let line = line.trim();
            match line.strip_prefix('#') {
                Some(comment) if recipe.steps.is_empty() => recipe.header.push(comment.trim().to_owned()),
                Some(_) => {}
                None => {
                    let step = step(line).map_err(|problem| RecipeError { line: place + 1, problem })?;
                    recipe.steps.extend(step);
                }
            }
        }
        Ok(recipe)
    }
}

impl FromStr for Repair {
    type Err = String;

    /// Parses a `repair …` line after its first word.
    fn from_str(words: &str) -> Result<Self, String> {
        repair(&words.split_whitespace().collect::<Vec<_>>())
    }
}

/// Parses the step on a line; `None` if it is empty.
fn step(line: &str) -> Result<Option<Step>, String> {
    let words = words(line)?;
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    let [verb, rest @ ..] = &words[..] else { return Ok(None) };
    let key = |key: &str| key.to_owned();
    let step = match (*verb, rest) {
        ("repair", rest) => Step::Repair(repair(rest)?),
        ("leave", [field]) => Step::Leave(key(field)),
        ("set", [field, "=", value]) => Step::Set { key: key(field), value: setting(value)? },
        ("splice", [field, "=", value]) => {
            let (field, from, to) = range(field)?;
            let bytes = match setting(value)? {
                Setting::Bytes(bytes) => bytes,
                Setting::Text(text) => text.into_bytes(),
                _ => return Err(format!("{value} is neither x\"…\" nor a string")),
            };
            Step::Splice { key: key(field), from, to, bytes }
        }
        ("remove", [field]) => Step::Remove(key(field)),
        ("duplicate", [field]) => Step::Duplicate(key(field)),
        ("swap", [one, other]) => Step::Swap(key(one), key(other)),
        ("copy", [from, "to", to]) => Step::Copy { from: key(from), to: key(to) },
        ("cut", [field, rest @ ..]) => {
            let by = match rest {
                [] => 0,
                ["+", by] => number(by)?,
                ["-", by] => -number(by)?,
                _ => return Err("only `+ NUMBER` or `- NUMBER` can follow the field of `cut`".into()),
            };
            Step::Cut { key: Some(key(field)).filter(|field| field != "end"), by }
        }
        ("append", [value]) => match setting(value)? {
            Setting::Bytes(bytes) => Step::Append(bytes),
            Setting::Text(text) => Step::Append(text.into_bytes()),
            _ => return Err(format!("{value} is neither x\"…\" nor a string")),
        },
        ("do", [operation, seed]) => Step::Do { operation: key(operation), seed: seeded(seed)? },
        ("plain", [seed]) => Step::Plain { seed: seeded(seed)? },
        (verb, _) => return Err(usage(verb)),
    };
    Ok(Some(step))
}

fn usage(verb: &str) -> String {
    let form = match verb {
        "leave" => "leave KEY",
        "set" => "set KEY = VALUE",
        "splice" => "splice KEY[a..b] = x\"…\"",
        "remove" => "remove KEY",
        "duplicate" => "duplicate KEY",
        "swap" => "swap KEY KEY",
        "copy" => "copy KEY to KEY",
        "cut" => "cut KEY + NUMBER",
        "append" => "append x\"…\"",
        "do" => "do OPERATION seed=N",
        "plain" => "plain seed=N",
        _ => return format!("`{}` is not a step", escape(verb)),
    };
    format!("expected `{form}`")
}

/// Returns the words of a line, up to a comment. Spaces and `#` in quotes and brackets are part of a word.
fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut is_quoted, mut is_escaped, mut depth) = (false, false, 0_u32);
    for letter in line.chars() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '#' => break,
            letter if letter.is_whitespace() => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                continue;
            }
            _ => {}
        }
        word.push(letter);
    }
    if is_quoted {
        return Err("a quote is not closed".into());
    }
    if depth > 0 {
        return Err("a bracket is not closed".into());
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    Ok(words)
}

/// Parses the roles on a `repair` line.
fn repair(words: &[&str]) -> Result<Repair, String> {
    match words {
        ["everything"] => Ok(Repair::Everything),
        ["nothing"] => Ok(Repair::Nothing),
        ["all-but", number] => match number.parse() {
            Ok(number) if number > 0 => Ok(Repair::AllBut(number)),
            _ => Err(format!("`{number}` is not a number from 1 to 255")),
        },
        [] => Err("`repair` needs a value: everything, nothing, all-but N, or roles".into()),
        names => {
            let mut roles = Roles::default();
            for name in names {
                let place = Roles::NAMES.iter().position(|known| known == name);
                let place =
                    place.ok_or_else(|| format!("`{}` is not a role: {}", escape(name), Roles::NAMES.join(", ")))?;
                *roles.flags()[place] = true;
            }
            Ok(Repair::Only(roles))
        }
    }
}

/// Parses a field and the bytes in it: `KEY[a..b]`.
fn range(text: &str) -> Result<(&str, u64, Option<u64>), String> {
    let problem = || "the field of `splice` ends with its bytes: `KEY[a..b]`, `KEY[a..end]`".to_owned();
    let (key, range) = text.strip_suffix(']').and_then(|text| text.rsplit_once('[')).ok_or_else(problem)?;
    let (from, to) = range.split_once("..").ok_or_else(problem)?;
    let from = from.parse().map_err(|_| problem())?;
    let to = if to == "end" { None } else { Some(to.parse().map_err(|_| problem())?) };
    Ok((key, from, to))
}

fn number(text: &str) -> Result<i64, String> {
    match setting(text) {
        Ok(Setting::Integer(number)) => i64::try_from(number).ok().filter(|&number| number > i64::MIN),
        _ => None,
    }
    .ok_or_else(|| format!("`{text}` is not a number"))
}

fn seeded(text: &str) -> Result<u64, String> {
    let number = text.strip_prefix("seed=").and_then(|number| number.parse().ok());
    number.ok_or_else(|| format!("`{}` should be `seed=N`", escape(text)))
}

/// Parses a value: a number, a string or bytes.
pub fn setting(text: &str) -> Result<Setting, String> {
    let problem = || format!("`{}` is not a value: expected 12, -3, 0xff, 1.5, \"text\" or x\"00ff\"", escape(text));
    if let Some(digits) = text.strip_prefix("x\"") {
        let digits = digits.strip_suffix('"').filter(|digits| digits.is_ascii()).ok_or_else(problem)?;
        let digits: Vec<u8> = digits.bytes().filter(|digit| *digit != b' ').collect();
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let is_hex = digits.len().is_multiple_of(2) && digits.iter().all(u8::is_ascii_hexdigit);
        let bytes = digits.chunks(2).map(byte).collect::<Option<Vec<u8>>>().filter(|_| is_hex);
        return bytes.map(Setting::Bytes).ok_or_else(problem);
    }
    if let Some(quoted) = text.strip_prefix('"') {
        let quoted = quoted.strip_suffix('"').ok_or_else(problem)?;
        return unquoted(quoted).map(Setting::Text).ok_or_else(problem);
    }
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let digits = digits.replace('_', "");
    let integer = match digits.strip_prefix("0x").filter(|digits| !digits.starts_with(['+', '-'])) {
        Some(digits) => i128::from_str_radix(&format!("{sign}{digits}"), 16),
        None => format!("{sign}{digits}").parse(),
    };
    match integer {
        Ok(integer) => Ok(Setting::Integer(integer)),
        Err(_) => text.parse().map(Setting::Float).map_err(|_| problem()),
    }
}

/// Parses a string in Rust's notation and removes its quotes.
fn unquoted(text: &str) -> Option<String> {
    let mut found = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            found.push(letter);
            continue;
        }
        found.push(match letters.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'u' => {
                let rest = letters.as_str().strip_prefix('{')?;
                let (digits, rest) = rest.split_once('}')?;
                letters = rest.chars();
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
            }
            letter @ ('"' | '\'' | '\\') => letter,
            _ => return None,
        });
    }
    Some(found)
}
