//! The format that is defined, and names of it in other languages.

use crate::byte_order::ByteOrder;
use crate::reference::{Book, TypeDoc};
use binrw::Endian;

/// A format to be defined: its layouts, the first of which begins a file.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'b> {
    /// The short name, in lower case.
    pub name: &'b str,
    /// The name that people use.
    pub title: &'b str,
    /// The licence of the definition, if it has one.
    pub license: Option<&'b str>,
    /// The byte order of integers, where the layouts do not state it.
    pub byte_order: ByteOrder,
    /// The field references of its structures.
    pub books: &'b [Book],
}

impl<'b> Subject<'b> {
    /// A format without a licence, whose integers are little-endian where the layouts do not say otherwise.
    pub fn new(name: &'b str, title: &'b str, books: &'b [Book]) -> Self {
        Subject { name, title, license: None, byte_order: ByteOrder::Little, books }
    }

    /// The byte order that all files have; `None` if each states its own.
    pub(super) fn order(self, root: &TypeDoc) -> Option<Endian> {
        root.endian.or(match self.byte_order {
            ByteOrder::Little => Some(Endian::Little),
            ByteOrder::Big => Some(Endian::Big),
            ByteOrder::BigIf { .. } => None,
        })
    }

    /// The pages of all types, each once. The first one is the root.
    pub(super) fn pages(self) -> Vec<&'b TypeDoc> {
        let mut pages: Vec<&TypeDoc> = Vec::new();
        for page in self.books.iter().flat_map(|book| &book.types) {
            if !pages.iter().any(|known| known.name == page.name) {
                pages.push(page);
            }
        }
        pages
    }
}

/// `BigEndian` or `zfp (fixed rate)` as `big_endian` and `zfp_fixed_rate`.
pub fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut was_small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && was_small {
            snake.push('_');
        }
        was_small = letter.is_ascii_lowercase();
        match letter {
            letter if letter.is_ascii_alphanumeric() => snake.push(letter.to_ascii_lowercase()),
            _ if snake.is_empty() || snake.ends_with('_') => {}
            _ => snake.push('_'),
        }
    }
    let snake = snake.trim_end_matches('_');
    if snake.starts_with(|first: char| first.is_ascii_alphabetic()) { snake.to_owned() } else { format!("n_{snake}") }
}
