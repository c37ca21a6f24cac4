//! Complete valid `.npy` files.

use super::super::elements::{Sort, elements};
use super::super::forged_file::{Content, ForgedFile};
use super::super::grid::{Grid, axes, extents, length, room};
use super::file_parts::{FileParts, Spelling, put_together};
use everybyte::Endian;
use everybyte::forge::Choices;
use ndbytes::ItemType;
use ndbytes::internals::described;
use ndbytes::internals::read;

/// NumPy's maximum number of axes.
const AXES: u64 = 64;

/// How the values of a type are chosen.
#[derive(Debug, Clone, Copy)]
enum Values {
    /// Numbers of this kind and width; a complex number is two of them.
    Numbers(Sort, usize),
    /// Either 0 or 1.
    Truths,
    /// Four-byte characters that are letters.
    Letters,
    /// Any bytes.
    Any,
}

/// Names of types without a byte order, whether they have one, and how their values are chosen.
const PLAIN: [(&str, bool, Values); 20] = [
    ("u1", false, Values::Any),
    ("b1", false, Values::Truths),
    ("i1", false, Values::Any),
    ("i2", true, Values::Numbers(Sort::Plain, 2)),
    ("u2", true, Values::Numbers(Sort::Plain, 2)),
    ("i4", true, Values::Numbers(Sort::Plain, 4)),
    ("u4", true, Values::Numbers(Sort::Plain, 4)),
    ("i8", true, Values::Numbers(Sort::Plain, 8)),
    ("u8", true, Values::Numbers(Sort::Plain, 8)),
    ("f2", true, Values::Numbers(Sort::Float(5), 2)),
    ("f4", true, Values::Numbers(Sort::Float(8), 4)),
    ("f8", true, Values::Numbers(Sort::Float(11), 8)),
    ("c8", true, Values::Numbers(Sort::Float(8), 4)),
    ("c16", true, Values::Numbers(Sort::Float(11), 8)),
    ("S3", false, Values::Any),
    ("V5", false, Values::Any),
    ("U2", true, Values::Letters),
    ("M8[s]", true, Values::Numbers(Sort::Plain, 8)),
    ("m8[25us]", true, Values::Numbers(Sort::Plain, 8)),
    ("M8[D]", true, Values::Numbers(Sort::Plain, 8)),
];

/// The types of the fields of a structure: all except booleans.
const FIELD_TYPES: [&str; 6] = ["<i4", "|u1", ">f8", "|S3", "<U2", "<M8[s]"];

/// Chooses an item type as Python writes it, its values, and their byte order.
fn item_type(choices: &mut Choices<'_>) -> (String, Values, Endian) {
    if choices.one_in(5) {
        return (structure(choices, 0), Values::Any, Endian::Little);
    }
    let (name, has_order, values) = *choices.pick(&PLAIN);
    let is_big = has_order && choices.one_in(3);
    let order = match (has_order, is_big) {
        (false, _) => '|',
        (true, false) => '<',
        (true, true) => '>',
    };
    (format!("'{order}{name}'"), values, if is_big { Endian::Big } else { Endian::Little })
}

/// Creates a list of fields that includes structures or subarrays.
fn structure(choices: &mut Choices<'_>, depth: u64) -> String {
    let fields = 1 + choices.small(4);
    let fields = (0..fields).map(|number| {
        let name = ["a", "b", "x y", "number", "z"][number as usize % 5];
        let item = match depth < 2 && choices.one_in(6) {
            true => structure(choices, depth + 1),
            false => format!("'{}'", choices.pick(&FIELD_TYPES)),
        };
        match choices.below(6) {
            1 => format!("('{name}', {item}, (2,))"),
            2 => format!("('{name}', {item}, (1, 3))"),
            // A gap, as NumPy writes padding.
            3 => format!("('{name}', {item}), ('', '|V{}')", choices.from_to(1, 7)),
            _ => format!("('{name}', {item})"),
        }
    });
    format!("[{}]", fields.collect::<Vec<_>>().join(", "))
}

fn payload(choices: &mut Choices<'_>, values: Values, endian: Endian, length: usize) -> Vec<u8> {
    match values {
        Values::Numbers(sort, width) => elements(choices, sort, width, length / width, endian),
        Values::Truths => (0..length).map(|_| choices.below(2) as u8).collect(),
        Values::Letters => (0..length / 4)
            .flat_map(|_| {
                let letter = choices.from_to(u64::from(b' '), u64::from(b'z')) as u32;
                if endian == Endian::Big { letter.to_be_bytes() } else { letter.to_le_bytes() }
            })
            .collect(),
        Values::Any => choices.bytes(length),
    }
}

fn spelling(choices: &mut Choices<'_>) -> Spelling {
    if !choices.one_in(3) {
        return Spelling::NUMPY;
    }
    let orders = [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]];
    Spelling {
        order: *choices.pick(&orders),
        is_tight: choices.one_in(2),
        has_comma: choices.one_in(2),
        alignment: *choices.pick(&[64, 16, 32]),
        spare: choices.small(2) as usize,
    }
}

/// Creates a draft of a valid file of at most about `size` bytes.
pub(crate) fn draft(choices: &mut Choices<'_>, size: usize) -> FileParts {
    let (descr, values, endian) = item_type(choices);
    let item = descr_size(&descr);
    let axes = if choices.one_in(12) { 0 } else { axes(choices, AXES) };
    let room = room(choices, size.saturating_sub(128));
    let dims = extents(choices, axes, item, room);
    let length = length(&dims, item).unwrap_or(0) as usize;
    let payload = payload(choices, values, endian, length);
    let major = if choices.one_in(3) { choices.from_to(2, 3) as u8 } else { 1 };
    let is_fortran = choices.one_in(3);
    let grid = Grid { dims, item, payload };
    let spelling = spelling(choices);
    let mut draft = FileParts { major, descr, is_fortran, grid, spelling, trailing: Vec::new() };
    while put_together(&draft).is_some_and(|bytes| bytes.len() > size) && draft.grid.shrink() {}
    draft
}

/// Returns the length in bytes of an item of a type.
pub(crate) fn descr_size(descr: &str) -> u64 {
    parsed(descr).map_or(1, |item_type| item_type.size())
}

/// Parses a Python type string.
fn parsed(descr: &str) -> Option<ItemType> {
    described(&read(descr).ok()?).ok().map(|described| described.item_type)
}

/// Returns the content of a file.
fn content(draft: &FileParts) -> Content {
    let Some(item_type) = parsed(&draft.descr) else { return Content::Unknown };
    let Grid { dims, item, payload } = &draft.grid;
    let items = if draft.is_fortran { row_major(dims, *item as usize, payload) } else { payload.clone() };
    Content::Array { item_type: item_type.to_string(), shape: dims.clone(), items }
}

/// Rearranges items from Fortran order into C order.
fn row_major(dims: &[u64], item: usize, payload: &[u8]) -> Vec<u8> {
    let count = payload.len().checked_div(item).unwrap_or(0);
    let mut items = Vec::new();
    for number in 0..count as u64 {
        let mut rest = number;
        let mut at = 0;
        let mut stride = dims.iter().product::<u64>();
        for extent in dims.iter().rev() {
            stride /= extent;
            at += rest % extent * stride;
            rest /= extent;
        }
        let start = at as usize * item;
        items.extend(payload.iter().skip(start).take(item));
    }
    items
}

/// Creates a valid file.
pub(crate) fn whole(choices: &mut Choices<'_>, size: usize) -> ForgedFile {
    let draft = draft(choices, size);
    // The headers for the types above are short.
    let bytes = put_together(&draft).unwrap_or_default();
    ForgedFile::new(bytes, content(&draft))
}
