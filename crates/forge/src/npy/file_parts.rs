//! Splits `.npy` files into parts and builds them.

use super::super::grid::{GROWTH, Grid, length, resized};
use binrw::args;
use everybyte::{Endian, Source, read};
use ndbytes::internals::Value;
use ndbytes::internals::described;
use ndbytes::internals::{Text, written};
use ndbytes_schemas::npy::Npy;

/// The number of bytes before the length of the text.
const BEGINNING: usize = 8;

/// A `.npy` file.
#[derive(Debug, Clone)]
pub(crate) struct FileParts {
    /// The major version; the minor one is 0.
    pub major: u8,
    /// The type of the items, as Python writes it.
    pub descr: String,
    /// Whether the first axis varies fastest.
    pub is_fortran: bool,
    /// Dimensions and items, as in the file.
    pub grid: Grid,
    /// How the text is written.
    pub spelling: Spelling,
    /// The bytes after the items.
    pub trailing: Vec<u8>,
}

/// How the text of a header is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spelling {
    /// The order of the three keys.
    pub order: [usize; 3],
    /// Whether there are no spaces after commas and colons.
    pub is_tight: bool,
    /// Whether there is a comma after the last entry, as NumPy writes it.
    pub has_comma: bool,
    /// The offset of the items is a multiple of this number.
    pub alignment: usize,
    /// Additional padding, as a multiple of the alignment.
    pub spare: usize,
}

impl Spelling {
    /// The spelling of NumPy.
    pub const NUMPY: Spelling =
        Spelling { order: [0, 1, 2], is_tight: false, has_comma: true, alignment: 64, spare: 0 };
}

/// Returns the shape of an array as Python writes it.
fn shape(dims: &[u64]) -> String {
    match dims {
        [only] => format!("({only},)"),
        dims => format!("({})", dims.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// Returns the number of bytes in the length of the text in a version.
fn width(major: u8) -> usize {
    if major <= 1 { 2 } else { 4 }
}

/// Returns the dictionary of a header.
pub(crate) fn dictionary(draft: &FileParts) -> String {
    let order = if draft.is_fortran { "True" } else { "False" };
    let entries = [
        format!("'descr': {}", draft.descr),
        format!("'fortran_order': {order}"),
        format!("'shape': {}", shape(&draft.grid.dims)),
    ];
    let entries = draft.spelling.order.map(|key| entries[key % 3].as_str()).join(", ");
    let end = if draft.spelling.has_comma { ", }" } else { "}" };
    format!("{{{entries}{end}")
}

/// Returns the text of a header: the dictionary, spaces and a newline.
pub(crate) fn padded(dictionary: &str, draft: &FileParts) -> Vec<u8> {
    let mut text: Vec<u8> = match draft.major {
        3.. => dictionary.bytes().collect(),
        // Header texts of these versions have no letters beyond Latin-1.
        _ => dictionary.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap_or(b'?')).collect(),
    };
    let before = BEGINNING + width(draft.major);
    let alignment = draft.spelling.alignment.max(1);
    let end = (before + text.len() + 1).next_multiple_of(alignment) + draft.spelling.spare * alignment;
    let spaces = end - before - 1 - text.len();
    text.extend(std::iter::repeat_n(b' ', spaces));
    text.push(b'\n');
    text
}

/// Creates a file with this text in its header; `None` if it is too long for the version.
pub(crate) fn with_text(draft: &FileParts, text: &[u8]) -> Option<Vec<u8>> {
    let mut file = b"\x93NUMPY".to_vec();
    file.extend([draft.major, 0]);
    match draft.major {
        0 | 1 => file.extend(u16::try_from(text.len()).ok()?.to_le_bytes()),
        _ => file.extend(u32::try_from(text.len()).ok()?.to_le_bytes()),
    }
    file.extend(text);
    file.extend(&draft.grid.payload);
    file.extend(&draft.trailing);
    Some(file)
}

/// Builds a file; returns `None` if its header is too long for the version.
pub(crate) fn put_together(draft: &FileParts) -> Option<Vec<u8>> {
    let dictionary = dictionary(draft);
    let dictionary = if draft.spelling.is_tight { tight(&dictionary) } else { dictionary };
    with_text(draft, &padded(&dictionary, draft))
}

/// Returns a text without the spaces after commas and colons outside of quotes.
fn tight(text: &str) -> String {
    let (mut tight, mut quote, mut before) = (String::new(), None, ' ');
    for letter in text.chars() {
        match (quote, letter) {
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
        if letter != ' ' || quote.is_some() || !matches!(before, ',' | ':') {
            tight.push(letter);
        }
        before = letter;
    }
    tight
}

/// Splits a file into parts; returns `None` if its header cannot be read.
pub(crate) fn take_apart(file: &[u8]) -> Option<FileParts> {
    let (header, end, facts) = facts(file)?;
    let items = file.get(end..)?;
    let stated = length(&facts.dims, facts.item).unwrap_or(u64::MAX).min(items.len() as u64);
    let (payload, trailing) = items.split_at_checked(stated as usize)?;
    Some(FileParts {
        major: header.major,
        descr: facts.descr,
        is_fortran: facts.is_fortran,
        grid: Grid { dims: facts.dims, item: facts.item, payload: payload.to_vec() },
        spelling: Spelling { alignment: if end.is_multiple_of(64) { 64 } else { 16 }, ..Spelling::NUMPY },
        trailing: trailing.to_vec(),
    })
}

/// The values in a header.
struct Facts {
    descr: String,
    is_fortran: bool,
    dims: Vec<u64>,
    item: u64,
}

/// Returns the header of a file, its end, and its values.
fn facts(file: &[u8]) -> Option<(Npy, usize, Facts)> {
    let header = read::<Npy>(Source::new(file), Endian::Little, args! {}).ok()?;
    let dictionary = Text::of(&header).ok()?.dictionary().ok()?;
    let entry = |name: &str| {
        let named =
            dictionary.entries.iter().rev().find(|(key, _)| matches!(&key.value, Value::Text(key) if key == name));
        named.map(|(_, value)| value)
    };
    let descr = entry("descr")?;
    let item = described(descr).ok()?.item_type.size();
    let is_fortran = matches!(entry("fortran_order")?.value, Value::Bool(true));
    let Value::Tuple(extents) = &entry("shape")?.value else { return None };
    let extent = |value: &Value| match value {
        Value::Integer(extent) => u64::try_from(*extent).ok(),
        _ => None,
    };
    let dims = extents.iter().map(|literal| extent(&literal.value)).collect::<Option<Vec<u64>>>()?;
    let end = header.payload.offset as usize;
    Some((header, end, Facts { descr: written(descr), is_fortran, dims, item }))
}

/// Returns the version of a file, the text of its header, and the bytes after it.
pub(crate) fn header_of(file: &[u8]) -> Option<(u8, String, &[u8])> {
    let header = read::<Npy>(Source::new(file), Endian::Little, args! {}).ok()?;
    let end = header.payload.offset as usize;
    let text = file.get(BEGINNING + width(header.major)..end)?;
    let text = match header.major {
        3.. => String::from_utf8_lossy(text).into_owned(),
        _ => text.iter().copied().map(char::from).collect(),
    };
    Some((header.major, text, &file[end..]))
}

/// Adjusts the items of `after` to its header. `before` contains the items and the bytes after them.
pub(crate) fn agree(before: &[u8], after: &[u8]) -> Option<Vec<u8>> {
    let old = take_apart(before)?;
    let (_, end, facts) = facts(after)?;
    let most = before.len() as u64 + GROWTH;
    let length = length(&facts.dims, facts.item).filter(|length| *length <= most)?;
    let payload = resized(&old.grid.payload, length as usize);
    Some([after.get(..end)?, &payload, &old.trailing].concat())
}
