//! Headers as Python literals. They are mutated along their grammar, so that parsers do not reject mutants at the first letter.

use super::super::grid::Grid;
use super::file_parts::{FileParts, Spelling, header_of, padded, with_text};
use everybyte::forge::Choices;
use std::ops::Range;

/// Strings that readers may accept, and some that they should not.
const STRINGS: &[&str] = &[
    "'<f8'",
    "'>i4'",
    "'|u1'",
    "'|b1'",
    "'<U3'",
    "'|S0'",
    "'|O'",
    "'<c16'",
    "'<f16'",
    "'|V3'",
    "'<M8[ns]'",
    "'f8'",
    "'=f2'",
    "''",
    "\"<f4\"",
    "b'<f8'",
    "u'<f8'",
    "r'<f8'",
    "'<' 'f8'",
    "'\\x3cf8'",
    "'\\u003cf8'",
    "'<f8",
    "'shape'",
    "'descr'",
    "'fortran_order'",
];

/// Numbers, words, and values in brackets.
const VALUES: &[&str] = &[
    "True",
    "False",
    "None",
    "true",
    "0",
    "1",
    "2",
    "3",
    "10",
    "-1",
    "+1",
    "1.0",
    "1e3",
    "1j",
    "1L",
    "0x10",
    "0o7",
    "0b1",
    "01",
    "1_000",
    "65536",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "()",
    "(1,)",
    "(2, 3)",
    "[]",
    "[2]",
    "{}",
    "{1}",
    "[('a', '<f8')]",
    "[('a', '<f8'), ('b', '|u1', (2,))]",
    "[('', '|V2')]",
    "[(('t', 'n'), '<i2')]",
    "('<f8', (2,))",
];

/// Text between two parts.
const BETWEEN: &[&str] = &[" ", "\n", "\t", "\u{c}", "\\\n", " # x\n", ",", ", ,", "-", "+", "  ", "\0", "\u{e9}"];

/// Brackets around a part.
const AROUND: &[[&str; 2]] =
    &[["(", ")"], ["(", ",)"], ["[", "]"], ["{", "}"], ["{'a': ", "}"], ["-", ""], ["", "L"], ["b", ""]];

/// Changes the literal of a header along its grammar, one to three times. Payload and padding are not moved.
pub(super) fn mutate(file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
    let (major, text, rest) = header_of(file)?;
    let mut literal = text.trim_end().to_owned();
    for _ in 0..=choices.small(2) {
        literal = changed(&literal, choices)?;
    }
    let grid = Grid { dims: Vec::new(), item: 1, payload: rest.to_vec() };
    let spelling = Spelling { alignment: *choices.pick(&[64, 64, 16, 1]), ..Spelling::NUMPY };
    let draft = FileParts { major, descr: String::new(), is_fortran: false, grid, spelling, trailing: Vec::new() };
    with_text(&draft, &padded(&literal, &draft))
}

/// Returns a literal with one change.
fn changed(literal: &str, choices: &mut Choices<'_>) -> Option<String> {
    let parts = parts(literal);
    let part = parts.get(choices.index(parts.len()))?.clone();
    let here = &literal[part.clone()];
    let with = |new: &str| [&literal[..part.start], new, &literal[part.end..]].concat();
    Some(match choices.below(8) {
        0..=2 => {
            // Usually another one of the same sort.
            let is_string = here.starts_with(['\'', '"']) != choices.one_in(4);
            let others = if is_string { STRINGS } else { VALUES };
            with(others[choices.index(others.len())])
        }
        3 => {
            let [before, after] = *choices.pick(AROUND);
            with(&[before, here, after].concat())
        }
        4 => with(&[here, *choices.pick(BETWEEN)].concat()),
        // Including the comma or colon after it.
        5 => {
            let rest = literal[part.end..].trim_start_matches([',', ':', ' ']);
            [&literal[..part.start], rest].concat()
        }
        6 => with(&[here, ", ", here].concat()),
        _ => {
            let other = parts.get(choices.index(parts.len()))?.clone();
            let [first, second] = if other.start < part.start { [other, part] } else { [part, other] };
            if first.end > second.start {
                return None;
            }
            let [before, between, after] =
                [&literal[..first.start], &literal[first.end..second.start], &literal[second.end..]];
            [before, &literal[second.clone()], between, &literal[first.clone()], after].concat()
        }
    })
}

/// Returns the parts of a literal: strings, words, numbers, and bracketed parts with their content. An unclosed part
/// ends with the text.
fn parts(literal: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut open = Vec::new();
    let mut letters = literal.char_indices().peekable();
    while let Some((start, letter)) = letters.next() {
        let mut end = start + letter.len_utf8();
        match letter {
            '(' | '[' | '{' => open.push(start),
            ')' | ']' | '}' => parts.extend(open.pop().map(|start| start..end)),
            '\'' | '"' => {
                let mut is_escaped = false;
                for (at, next) in letters.by_ref() {
                    end = at + next.len_utf8();
                    if next == letter && !is_escaped {
                        break;
                    }
                    is_escaped = next == '\\' && !is_escaped;
                }
                parts.push(start..end);
            }
            letter if is_of_word(letter) => {
                while let Some((at, next)) = letters.next_if(|(_, next)| is_of_word(*next)) {
                    end = at + next.len_utf8();
                }
                parts.push(start..end);
            }
            _ => {}
        }
    }
    parts
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '.' | '+' | '-')
}
