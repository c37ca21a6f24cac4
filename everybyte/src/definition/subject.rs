//! The format to define, and the conversion of names to snake case.

use crate::byte_order::ByteOrder;
use crate::reference::{Book, TypeDoc};
use binrw::Endian;

/// A format to define, with its layouts. The first layout starts at the beginning of the file.
///
/// ```
/// use everybyte::definition::{Subject, kaitai};
/// use everybyte::{layout, reference::Book};
///
/// #[layout]
/// struct Point {
///     x: u8,
///     y: u8,
/// }
///
/// let books = [Book::of::<Point>()];
/// let subject = Subject { license: Some("CC0-1.0"), ..Subject::new("point", "Points", &books) };
/// assert!(kaitai(subject).contains("id: point"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Subject<'b> {
    /// The short name, in lower case.
    pub name: &'b str,
    /// The display name.
    pub title: &'b str,
    /// The licence of the definition, if it has one.
    pub license: Option<&'b str>,
    /// The byte order of integers whose layouts do not state one.
    pub byte_order: ByteOrder,
    /// The field references of its structures.
    pub books: &'b [Book],
}

impl<'b> Subject<'b> {
    /// Creates a format without a licence that is little-endian unless its layouts state otherwise.
    pub fn new(name: &'b str, title: &'b str, books: &'b [Book]) -> Self {
        Subject { name, title, license: None, byte_order: ByteOrder::Little, books }
    }

    /// Returns the byte order that all files have; `None` if each states its own.
    pub(super) fn order(self, root: &TypeDoc) -> Option<Endian> {
        root.endian.or(match self.byte_order {
            ByteOrder::Little => Some(Endian::Little),
            ByteOrder::Big => Some(Endian::Big),
            ByteOrder::BigIf { .. } => None,
        })
    }

    /// Returns the pages of all types, each once. The first one is the root.
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

/// Converts `BigEndian` or `zfp (fixed rate)` to `big_endian` and `zfp_fixed_rate`.
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

/// Adds a first line that counts the places that are not exact, if there are any. `comment` begins a comment.
pub(super) fn marked(comment: &str, text: String) -> String {
    let mark = format!("{comment} NOT EXACT: ");
    match text.lines().filter(|line| line.trim_start().starts_with(&mark)).count() {
        0 => text,
        1 => format!("{comment} Not whole: 1 place, marked below with NOT EXACT.\n{text}"),
        places => format!("{comment} Not whole: {places} places, each marked below with NOT EXACT.\n{text}"),
    }
}
