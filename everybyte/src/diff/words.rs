//! Formats values so that their text shows where they differ.
//!
//! Two values may look the same as text although they differ in type, in length, or in a letter beyond the part that
//! is shown. The output then also shows what differs. Long strings are cut around the difference.

use crate::error::amount;
use crate::nodes::Node;
use crate::numerals::counted;
use crate::reference::Bits;
use crate::value::{Shown, Value};

/// The longest text of a value, in characters.
const LONGEST: usize = 60;

/// The longest text that is shown for bytes whose lengths differ. Beyond that, the lengths are more informative.
const LONGEST_BYTES: usize = 20;

/// The number of equal characters that are shown on both sides of a difference in long strings.
const AROUND: usize = 12;

/// The longest string that is kept completely, in bytes.
const LONGEST_KEPT: usize = 4096;

/// Returns a value with long strings truncated, because files may contain megabytes of text.
pub fn bounded(value: &Value) -> Value {
    match value {
        Value::Text(text) if text.len() > LONGEST_KEPT => {
            Value::Text(format!("{}…", &text[..boundary(text, LONGEST_KEPT)]))
        }
        value => value.clone(),
    }
}

/// Returns the last position, at or before this one, where a character begins or the string ends.
fn boundary(text: &str, place: usize) -> usize {
    (0..=place).rev().find(|&place| text.is_char_boundary(place)).unwrap_or(0)
}

/// Returns the parts in which two long strings differ; `None` if both are short or if they are equal.
fn long_texts(a: Node<'_>, b: Node<'_>) -> Option<[String; 2]> {
    let (Value::Text(a), Value::Text(b)) = (&a.value(), &b.value()) else { return None };
    if a.len().max(b.len()) <= LONGEST_KEPT {
        return None;
    }
    let before = a.bytes().zip(b.bytes()).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    let skipped = if before > 2 * AROUND { boundary(a, before - AROUND) } else { 0 };
    let excerpt = |text: &str| {
        let end = boundary(text, (skipped + LONGEST).min(text.len()));
        let (before, after) = (if skipped > 0 { "…" } else { "" }, if end < text.len() { "…" } else { "" });
        format!("{before}{:?}{after}", &text[skipped..end])
    };
    let shown = [a, b].map(|text| excerpt(text));
    (shown[0] != shown[1]).then_some(shown)
}

/// Formats both values as shown in a change.
pub fn of_both(a: Node<'_>, b: Node<'_>) -> [String; 2] {
    if let Some(texts) = long_texts(a, b) {
        return texts;
    }
    let are_told_by_meaning = [a, b].into_iter().all(is_code) && a.meaning() != b.meaning();
    let mut texts = [a, b].map(|node| if are_told_by_meaning { by_meaning(node) } else { value(node) });
    let is_opaque = [a, b].iter().all(|node| node.value() == Value::None);
    if is_opaque
        && !are_told_by_meaning
        && a.length() != b.length()
        && texts[0].len().max(texts[1].len()) > LONGEST_BYTES
    {
        texts = [a, b].map(|node| bytes(node.length()));
    }
    if texts[0] == texts[1] && a.meaning() != b.meaning() && !is_opaque {
        texts = [a, b].map(|node| format!("{} ({})", value(node), or_nothing(&node.meaning())));
    }
    if texts[0] == texts[1] && a.type_name() != b.type_name() {
        texts = [a, b].map(|node| format!("{} as {}", value(node), or_nothing(node.type_name())));
    }
    if texts[0] == texts[1] && a.length() != b.length() {
        texts = [a, b].map(|node| format!("{} in {}", value(node), bytes(node.length())));
    }
    if a.is_complete() != b.is_complete() || a.missing() != b.missing() {
        let missing = |node: Node<'_>| match (node.missing(), node.is_complete()) {
            (0, true) => "",
            (0, false) => ", cut short",
            _ => ", cut short by ",
        };
        for (text, node) in texts.iter_mut().zip([a, b]) {
            text.push_str(missing(node));
            if node.missing() > 0 {
                text.push_str(&bytes(node.missing()));
            }
        }
    }
    let [one, other] = texts;
    let shown = cut_both(one, other);
    // If a run of one letter is longer in one of the strings, the position of the difference is ambiguous.
    if shown[0] == shown[1] && a.length() != b.length() {
        return [a, b].map(|node| bytes(node.length()));
    }
    shown
}

/// Formats the value of a field that the other file does not have.
pub fn of_one(node: Node<'_>) -> String {
    if !node.is_leaf() {
        return bytes(node.length());
    }
    let text = if is_code(node) { by_meaning(node) } else { value(node) };
    cut(&text, 0, LONGEST)
}

/// Formats a bit field as shown in a change: its name or purpose, and its values.
pub fn of_bits(a: &Bits, b: &Bits) -> [String; 2] {
    if a.width == 1 && [a, b].iter().all(|bits| bits.meaning.is_empty()) {
        return [a, b].map(|bits| if bits.value == 0 { "no" } else { "yes" }.to_owned());
    }
    let text = |bits: &Bits| match bits.meaning.as_str() {
        "" => bits.value.to_string(),
        "not defined" => format!("{} (not defined)", bits.value),
        meaning => meaning.to_owned(),
    };
    [a, b].map(text)
}

/// Formats a number of bytes, with grouped digits.
pub fn bytes(number: u64) -> String {
    counted(number, "byte")
}

/// Returns whether the meaning of a value is more informative than the value.
fn is_code(node: Node<'_>) -> bool {
    let has_own_text = matches!(node.value(), Value::Name(_) | Value::Text(_) | Value::Single(_) | Value::Float(_));
    let is_opaque = matches!(node.value(), Value::None | Value::Bytes(..));
    let is_length = node.meaning() == amount(node.length()) || node.meaning() == "none";
    !(has_own_text || node.meaning().is_empty() || is_opaque && is_length)
}

fn by_meaning(node: Node<'_>) -> String {
    match &*node.meaning() {
        "not defined" => format!("{} (not defined)", node.value()),
        meaning => meaning.to_owned(),
    }
}

fn value(node: Node<'_>) -> String {
    let length = node.length();
    match &node.value() {
        Value::None if length == 0 => "nothing".into(),
        Value::None if !node.is_leaf() => bytes(length),
        Value::None => content(&Value::Bytes(node.first_bytes().to_vec(), length)),
        value if node.is_hex() => Shown { value, is_hex: true }.to_string(),
        value => content(value),
    }
}

/// Returns a value, without quotes if they are not needed.
fn content(value: &Value) -> String {
    match value {
        Value::Text(text) if is_plain(text) => text.clone(),
        Value::Text(text) if text.len() > LONGEST_KEPT => bounded(value).to_string(),
        Value::Bytes(content, length) if content.len() as u64 == *length => match std::str::from_utf8(content) {
            Ok(text) if is_plain(text) => text.to_owned(),
            _ => value.to_string(),
        },
        value => value.to_string(),
    }
}

/// Returns whether a string can be written without quotes.
fn is_plain(text: &str) -> bool {
    let begins_like_a_name = text.starts_with(|letter: char| letter.is_ascii_graphic() && !letter.is_ascii_digit());
    begins_like_a_name && text.len() <= LONGEST && text.chars().all(|letter| letter.is_ascii_graphic() && letter != '"')
}

/// Returns the string, or a word that shows that it is empty.
fn or_nothing(text: &str) -> &str {
    if text.is_empty() { "nothing" } else { text }
}

/// Cuts long strings to their differences and a few equal characters around them.
fn cut_both(a: String, b: String) -> [String; 2] {
    if [&a, &b].iter().all(|text| text.chars().nth(LONGEST).is_none()) {
        return [a, b];
    }
    let before = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let after = a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b).count();
    let skipped = if before > 2 * AROUND { before - AROUND } else { 0 };
    [a, b].map(|text| {
        let differing = text.chars().count().saturating_sub(after + skipped);
        cut(&text, skipped, (differing + AROUND).min(LONGEST))
    })
}

/// Returns at most `most` characters of a string, after skipping some.
fn cut(text: &str, skipped: usize, most: usize) -> String {
    let mut letters = text.chars().skip(skipped);
    let shown: String = letters.by_ref().take(most).collect();
    let (before, after) = (if skipped > 0 { "…" } else { "" }, if letters.next().is_some() { "…" } else { "" });
    format!("{before}{shown}{after}")
}
