//! Values that readers are likely to mishandle.
//!
//! Random integers rarely find bugs: nearly all of them are too large and rejected by the first check. Values that do
//! find bugs are near a limit: of the width, of the current value, or of the number's role. A length is therefore set
//! to one byte more than the file has, and an offset to the start, the middle or the end of another field.

use super::choices::Choices;
use super::field_table::{FieldTable, Slot};
use super::number::{Body, Shape, limits};
use super::shapes::Shapes;
use crate::reference::Bits;
use crate::role::Role;

/// Lengths near which readers have limits.
const LENGTHS: [usize; 9] = [0, 1, 7, 8, 31, 32, 127, 128, 16 << 10];

/// Names that have a special meaning for file systems, terminals and parsers.
const TEXTS: [&str; 12] =
    ["..", "/", "a/../b", "\0", "\u{202e}", "\u{feff}x", "\r\n", "é", "\u{1F600}", "%s%n", "NaN", "\u{ffff}"];

/// An integer for a slot: a limit of its width, a neighbour of its value, or a value that is dangerous in its role. With `mild`,
/// the integer stays near the current value.
pub fn integer(table: &FieldTable<'_>, slot: &Slot<'_>, old: i128, mild: bool, choices: &mut Choices<'_>) -> i128 {
    let field = &table.fields[slot.field];
    let width = field.each.unwrap_or(field.length());
    let (least, most) = slot.shape.range(width as usize);
    if mild {
        let near = [old + 1, old - 1, old + 2, old / 2, old.saturating_mul(2), old ^ 1, 1, 2, 3, 4, 8];
        return (*choices.pick(&near)).clamp(least, most);
    }
    let bits = (width.min(16) * 8).max(1);
    let power = 1_i128 << choices.below(bits.min(126));
    let mut values = vec![0, 1, -1, least, most, most / 2, most / 2 + 1, most / 2 - 1, power - 1, power, power + 1];
    values.extend([old.wrapping_add(1), old.wrapping_sub(1), old.saturating_mul(2), old / 2, old.wrapping_neg()]);
    // Values that depend on the role have the same weight as all values above together.
    let mut of_role = Vec::new();
    if let Some(role) = &field.role {
        role_values(table, slot.field, role, choices, &mut of_role);
    }
    let values = if !of_role.is_empty() && choices.one_in(2) { of_role } else { values };
    (*choices.pick(&values)).clamp(least, most)
}

fn role_values(table: &FieldTable<'_>, number: usize, role: &Role, choices: &mut Choices<'_>, values: &mut Vec<i128>) {
    let field = &table.fields[number];
    let length = i128::from(table.lengths.get(&field.space).copied().unwrap_or(0));
    match role {
        Role::Place { .. } => {
            let dependent = table.dependent(number);
            let from = dependent.and_then(|dependent| dependent.leads).map_or(0, |lead| i128::from(lead.from));
            let other = &table.fields[choices.index(table.fields.len())];
            let [start, end] = [other.start, other.end].map(i128::from);
            // Values near the start and the end of another field, its middle, the number itself, and the end of the space.
            values.extend([start, start + 1, start - 1, end, end - 1, (start + end) / 2, field.start.into(), length]);
            values.iter_mut().for_each(|value| *value -= from);
        }
        Role::Extent { .. } | Role::Counts { .. } => {
            let value = table.dependent(number).and_then(|dependent| dependent.value).unwrap_or(0);
            let left = length - i128::from(field.end);
            values.extend([value + 1, value - 1, length, length + 1, left, left + 1, value + left]);
        }
        _ => {}
    }
}

/// Returns another code, usually a defined one and otherwise an undefined one. With `mild`, it is always defined.
pub fn code(shape: &Shape<'_>, width: usize, old: i128, mild: bool, choices: &mut Choices<'_>) -> Option<i128> {
    let Body::Integer { codes, is_signed, .. } = shape.body else { return None };
    let (least, most) = limits(width, is_signed);
    if !codes.is_empty() && (mild || !choices.one_in(8)) {
        let is_other = |code: &i128| *code != old && (least..=most).contains(code);
        let others: Vec<i128> = codes.iter().map(|code| code.code).filter(is_other).collect();
        return (!others.is_empty()).then(|| *choices.pick(&others));
    }
    let greatest = codes.iter().map(|code| code.code).max().unwrap_or(0);
    Some((*choices.pick(&[greatest + 1, most, least, 0x80, old ^ 0x80, greatest + 2])).clamp(least, most))
}

/// The value of an integer after one of its bit fields has changed, and the name of that field.
pub fn run<'b>(
    shapes: &Shapes<'_>,
    bits: &'b [Bits],
    old: i128,
    mild: bool,
    choices: &mut Choices<'_>,
) -> Option<(&'b str, i128)> {
    let usable: Vec<&Bits> = bits.iter().filter(|run| !(mild && run.name.contains("reserved"))).collect();
    let run = *usable.get(choices.index(usable.len()))?;
    let most = (1_i128 << run.width.min(64)) - 1;
    let value = old >> run.first & most;
    let codes = shapes.codes(&run.type_name);
    let new = if run.width == 1 {
        value ^ 1
    } else if !codes.is_empty() && (mild || !choices.one_in(8)) {
        codes[choices.index(codes.len())].code
    } else {
        *choices.pick(&[value + 1, value - 1, 0, most, 1, most / 2])
    };
    Some((&run.name, new.clamp(0, most)))
}

/// A floating-point number that fits into `width` bytes.
pub fn float(width: usize, choices: &mut Choices<'_>) -> f64 {
    let values =
        [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE, 5e-324];
    let value = *choices.pick(&values);
    if width == 4 { f64::from(value as f32) } else { value }
}

/// Returns a string similar to another one.
fn near(old: &[u8], choices: &mut Choices<'_>) -> Vec<u8> {
    let mut text = old.to_vec();
    match choices.below(4) {
        0 => text.push(b'a' + choices.below(26) as u8),
        1 if text.last().is_some_and(u8::is_ascii) => drop(text.pop()),
        2 => text.extend_from_within(..),
        _ => {
            let ascii = places(&text, u8::is_ascii_alphanumeric);
            match ascii.get(choices.index(ascii.len())) {
                Some(&place) => text[place] = b'a' + choices.below(26) as u8,
                None => text.push(b'x'),
            }
        }
    }
    text
}

/// Returns the positions of the bytes that satisfy a condition.
fn places(text: &[u8], is_it: impl Fn(&u8) -> bool) -> Vec<usize> {
    (0..text.len()).filter(|&place| is_it(&text[place])).collect()
}

/// A replacement for a character of a string: its index and the new character. A digit is replaced with a digit, and a capital
/// letter with a capital letter. `None` if no character can be changed.
pub fn letter(text: &[u8], choices: &mut Choices<'_>) -> Option<(usize, u8)> {
    let letters = places(text, u8::is_ascii_alphanumeric);
    let &place = letters.get(choices.index(letters.len()))?;
    Some((
        place,
        match text[place] {
            b'0'..=b'9' => b'0' + choices.below(10) as u8,
            b'A'..=b'Z' => b'A' + choices.below(26) as u8,
            _ => b'a' + choices.below(26) as u8,
        },
    ))
}

/// A variation of a string that its reader may still accept, whatever grammar the string has.
pub fn mild_text(old: &[u8], choices: &mut Choices<'_>) -> Vec<u8> {
    let marks = places(old, u8::is_ascii_punctuation);
    match (choices.below(8), letter(old, choices)) {
        (0, _) | (_, None) => near(old, choices),
        // Most text grammars accept a space there.
        (1..=3, _) if !marks.is_empty() => {
            let place = choices.pick(&marks) + 1;
            [&old[..place], b" ", &old[place..]].concat()
        }
        (_, Some((place, letter))) => {
            let mut text = old.to_vec();
            text[place] = letter;
            text
        }
    }
}

/// A string to replace another.
pub fn text(old: &[u8], most: usize, choices: &mut Choices<'_>) -> Vec<u8> {
    match choices.below(6) {
        0 => {
            let length = (*choices.pick(&LENGTHS)).min(most);
            let letter = b'a' + choices.below(26) as u8;
            vec![letter; length]
        }
        1 => choices.pick(&TEXTS).as_bytes().to_vec(),
        2 => [old, choices.pick(&TEXTS).as_bytes()].concat(),
        // Bytes that never begin a UTF-8 character, and one that begins a character without completing it.
        3 => [old, &[*choices.pick(&[0xFF, 0xC0, 0xE2, 0x80])]].concat(),
        4 => old[..choices.index(old.len())].to_vec(),
        _ => near(old, choices),
    }
}
