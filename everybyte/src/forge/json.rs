//! Replaces JSON with other JSON.
//!
//! Random bytes in JSON cause only syntax errors, so a number is replaced with a number, or a letter with a letter, or a space
//! is inserted after a punctuation mark. This needs no parser, so the forge can mutate JSON without the feature `json`.

use super::choices::Choices;
use crate::fields::JSON;
use std::ops::Range;

/// A part of JSON that may be changed.
enum Token {
    /// A number, or one of `true`, `false` and `null`.
    Scalar(Range<usize>),
    /// The content of a string.
    Letters(Range<usize>),
    /// A punctuation mark, after which a space may be inserted.
    Mark(usize),
}

/// A type that contains JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Json {
    /// JSON of any size.
    Free,
    /// Fixed-size JSON, followed by padding.
    Padded,
}

impl Json {
    /// The kind of JSON that a type of this name contains; `None` for other types.
    pub fn of(type_name: &str) -> Option<Self> {
        let size = type_name.strip_prefix(JSON)?.strip_prefix(" text")?;
        Some(if size.is_empty() { Json::Free } else { Json::Padded })
    }

    /// Changes a number, letter or constant in JSON or inserts a space; `None` if there is nothing to change or if the
    /// result does not fit.
    pub fn mutate(self, json: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
        let mut new = mutate(json, choices)?;
        if self == Json::Padded {
            let padding = json.last().copied().filter(|byte| *byte == 0).unwrap_or(b' ');
            let needed = new.len().saturating_sub(json.len());
            if new.iter().rev().take(needed).any(|byte| *byte != padding) {
                return None;
            }
            new.truncate(json.len());
            new.extend(std::iter::repeat_n(padding, json.len() - new.len()));
        }
        Some(new)
    }
}

fn mutate(json: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
    let mut tokens = tokens(json);
    if tokens.is_empty() {
        return None;
    }
    let put = |range: Range<usize>, new: &[u8]| [&json[..range.start], new, &json[range.end..]].concat();
    Some(match tokens.swap_remove(choices.index(tokens.len())) {
        Token::Scalar(range) => put(range.clone(), &scalar(&json[range], choices)),
        Token::Letters(range) => {
            // Escapes stay intact.
            let start =
                range.end - json[range.clone()].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let has_escape = json[range.clone()].contains(&b'\\');
            let place =
                if has_escape || start == range.end { range.end } else { start + choices.index(range.end - start) };
            let end = if has_escape { place } else { (place + 1).min(range.end) };
            put(place..end, &[b'a' + choices.below(26) as u8])
        }
        Token::Mark(place) => put(place + 1..place + 1, b" "),
    })
}

/// Returns another number or constant.
fn scalar(old: &[u8], choices: &mut Choices<'_>) -> Vec<u8> {
    let number = std::str::from_utf8(old).ok().and_then(|text| text.parse::<u64>().ok());
    match (number, choices.below(4)) {
        (Some(number), 0) => number.saturating_add(1).to_string().into_bytes(),
        (Some(number), 1) => number.saturating_sub(1).to_string().into_bytes(),
        (Some(_), 2) => choices.below(10).to_string().into_bytes(),
        (Some(_), _) => choices.pick(&["0", "18446744073709551615", "-1", "1.5"]).as_bytes().to_vec(),
        (None, _) => choices.pick(&["true", "false", "null", "0"]).as_bytes().to_vec(),
    }
}

/// Returns the tokens of JSON. For any other text, the result is arbitrary.
fn tokens(json: &[u8]) -> Vec<Token> {
    let (mut tokens, mut place) = (Vec::new(), 0);
    while let Some(&byte) = json.get(place) {
        let start = place;
        place += 1;
        match byte {
            b'"' => {
                while json.get(place).is_some_and(|&byte| byte != b'"') {
                    place += if json[place] == b'\\' { 2 } else { 1 };
                }
                let end = place.min(json.len());
                tokens.push(Token::Letters(start + 1..end));
                place = end + 1;
            }
            b'[' | b'{' | b',' | b':' => tokens.push(Token::Mark(start)),
            byte if byte.is_ascii_alphanumeric() || byte == b'-' => {
                let is_inside = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
                place =
                    json[start..].iter().position(|byte| !is_inside(byte)).map_or(json.len(), |length| start + length);
                tokens.push(Token::Scalar(start..place));
            }
            _ => {}
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stays_json_and_other_texts_give_some_text() {
        let json = br#"{"a\"b": [1, -2.5e3, true, null], "": {"\u00e9": "x y", "z": 12}}"#;
        for seed in 0..2000 {
            let mut choices = Choices::seeded(seed);
            let mutated = mutate(json, &mut choices).unwrap();
            assert!(serde_json::from_slice::<serde_json::Value>(&mutated).is_ok(), "{}", mutated.escape_ascii());
            let (from, to) = (choices.index(json.len()), choices.index(json.len()));
            mutate(&json[from.min(to)..from.max(to)], &mut choices);
        }
        assert_eq!(mutate(b"", &mut Choices::seeded(1)), None);
        assert_eq!(mutate(b"]]", &mut Choices::seeded(1)), None);
    }
}
