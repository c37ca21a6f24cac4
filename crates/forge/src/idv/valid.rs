//! Generates complete valid files.
//!
//! Choices go from large to small: version, rows, columns, and then values. The rest follows from them. No columns are
//! added after one that would make the file too large. Strange names and sizes are frequent, because readers are rarely
//! tested with them.

use super::codecs::{self, KEY_NUMBERS, type_of};
use super::file_parts::{AnnotationParts, BlockParts, ColumnParts, FileParts, Order, Part};
use super::rows::{Item, Row, encode};
use super::stream::pack_anyhow;
use super::values;
use crate::forged_file::{Content, ForgedFile};
use everybyte::forge::Choices;
use everybyte::varint::Leb128;
use ndbytes::idv::{ColumnType, ItemType, Values};
use ndbytes_schemas::idv::{Annotation, Codec, Compression, Items, NetString, Parameters, Version};

/// The maximum number of columns of a table.
const MOST_COLUMNS: u64 = 6;

/// The maximum number of rows of a table.
const MOST_ROWS: u64 = 40;

/// The maximum number of blocks of a column.
const MOST_BLOCKS: u64 = 4;

/// The maximum number of categories that have names.
const MOST_NAMED: u64 = 6;

/// Names of columns.
const NAMES: [&str; 8] = ["x", "Label", "Features", "y", "é", " ", "\0", "a name that takes more bytes than others do"];

/// Kinds of annotations other than slot names and categories.
const KINDS: [&str; 4] = ["IsNormalized", "ScoreColumnKind", "CategoricalSlotRanges", "é"];

/// Creates a complete valid file of at most about `size` bytes.
pub(super) fn valid(choices: &mut Choices<'_>, size: usize) -> ForgedFile {
    let version = version(choices);
    let rows = if choices.one_in(10) { 0 } else { rows_of(choices) };
    let mut draft = FileParts::new(version, rows);
    if choices.one_in(6) {
        draft.header.compatible_version = Version(version.0 - choices.below(version.0 - OLDEST.0 + 1));
    }
    let per_block = rows_per_block(choices, rows);
    let count = match choices.below(24) {
        23 => 0,
        19..23 => 2 + choices.below(MOST_COLUMNS - 1),
        _ => 1,
    };
    let mut columns = Vec::new();
    for number in 0..count {
        let name = name(choices, &columns, number);
        let (column, values) = column(choices, &name, &draft, per_block);
        draft.columns.push(column);
        columns.push((name, values));
        if draft.put_together().len() > size {
            // A column that is too large is left out, and so are the following ones.
            draft.columns.pop();
            columns.pop();
            break;
        }
    }
    draft.order = order(choices, &draft);
    if draft.columns.is_empty() {
        // The offset of a table without columns is ignored.
        draft.header.columns_offset = choices.below(512) as i64;
    }
    ForgedFile::new(draft.put_together(), Content::Table { rows, columns })
}

/// The oldest version that breaks no rule.
const OLDEST: Version = Version(0x0001_0001_0001_0004);

fn version(choices: &mut Choices<'_>) -> Version {
    match choices.below(6) {
        4 => Version::V5,
        5 => OLDEST,
        _ => Version::V6,
    }
}

/// Chooses a nonzero number of rows: usually few.
fn rows_of(choices: &mut Choices<'_>) -> u64 {
    if choices.one_in(8) { 1 + choices.below(MOST_ROWS) } else { 1 + choices.below(4) }
}

/// Chooses the number of rows per block, such that there are few blocks. The last one may be short.
fn rows_per_block(choices: &mut Choices<'_>, rows: u64) -> u64 {
    if rows == 0 {
        // Blocks without rows need no content.
        return *choices.pick(&[1, 0, 8192, i32::MAX as u64]);
    }
    if choices.one_in(3) { rows.div_ceil(1 + choices.below(MOST_BLOCKS.min(rows))) } else { rows }
}

/// Returns a name that no other column has.
fn name(choices: &mut Choices<'_>, columns: &[(String, Values)], number: u64) -> String {
    let name = (*choices.pick(&NAMES)).to_owned();
    if columns.iter().any(|(other, _)| *other == name) { format!("{name}{number}") } else { name }
}

/// Creates a column of any type, and its values.
pub(super) fn column(
    choices: &mut Choices<'_>,
    name: &str,
    draft: &FileParts,
    per_block: u64,
) -> (ColumnParts, Values) {
    let version = draft.header.version;
    let (codec, compression) = (codec(choices, version), compression(choices));
    let (column_type, items) = understood(&codec);
    let (mut column, rows) = filled(choices, name, codec, compression, draft, per_block);
    if version.has_annotations() && choices.one_in(4) {
        annotations(choices, &mut column, &column_type, version);
    }
    (column, values::values(&rows, &column_type, items.storage, version))
}

/// Creates a column without annotations, and its rows.
pub(super) fn filled(
    choices: &mut Choices<'_>,
    name: &str,
    codec: Codec,
    compression: Compression,
    draft: &FileParts,
    per_block: u64,
) -> (ColumnParts, Vec<Row>) {
    let version = draft.header.version;
    let (column_type, items) = understood(&codec);
    let mut all: Vec<Row> = (0..draft.rows()).map(|_| values::row(choices, &column_type, version)).collect();
    let is_split = column_type.item == ItemType::Text && choices.one_in(2);
    let mut column = ColumnParts::new(name, codec, compression, per_block);
    for rows in all.chunks_mut(per_block.max(1) as usize) {
        if is_split {
            values::split_texts(rows);
        }
        column.blocks.push(block(choices, rows, &column_type, items, compression));
    }
    (column, all)
}

/// Creates a block of some rows.
pub(super) fn block(
    choices: &mut Choices<'_>,
    rows: &[Row],
    column_type: &ColumnType,
    items: Items,
    compression: Compression,
) -> BlockParts {
    let content = encode(rows, items, stated_size(choices, rows, column_type));
    let length = content.len();
    BlockParts::new(pack_anyhow(choices, &content, compression).unwrap_or(content), length)
}

/// Returns the size that a block states for its vectors: the common size, or 0 if each states its own.
pub(super) fn stated_size(choices: &mut Choices<'_>, rows: &[Row], column_type: &ColumnType) -> u32 {
    if let Some(size) = column_type.vector_size() {
        return size;
    }
    let length = |row: &Row| if let Row::Vector { length, .. } = row { *length } else { 0 };
    let first = rows.first().map_or(0, length);
    let are_same = rows.iter().all(|row| length(row) == first);
    if are_same && !choices.one_in(3) { first } else { 0 }
}

/// Returns the type of a codec in a valid file, and the layout of its items.
pub(super) fn understood(codec: &Codec) -> (ColumnType, Items) {
    let column_type = type_of(codec).unwrap_or_else(|| ColumnType::scalar(ItemType::U8));
    let storage = codec.storage().unwrap_or(ndbytes_schemas::idv::Storage::Numbers(everybyte::number::Number::U8));
    (column_type, Items { vectors: matches!(codec.parameters, Parameters::Vector { .. }), storage })
}

pub(super) fn compression(choices: &mut Choices<'_>) -> Compression {
    *choices.pick(&[Compression::NONE, Compression::DEFLATE])
}

/// Returns a codec that belongs to a version.
pub(super) fn codec(choices: &mut Choices<'_>, version: Version) -> Codec {
    let item = item_codec(choices, version);
    if choices.one_in(2) { codecs::vector(item, dims(choices)) } else { item }
}

fn item_codec(choices: &mut Choices<'_>, version: Version) -> Codec {
    let simple: Vec<&str> = codecs::simple(version).map(|(name, _)| name).collect();
    // Keys are as likely as five other codecs.
    let chosen = choices.index(simple.len() + 5);
    simple.get(chosen).map_or_else(|| key(choices, version), |name| codecs::plain(name))
}

/// Returns a codec of categories.
fn key(choices: &mut Choices<'_>, version: Version) -> Codec {
    let &(name, width) = choices.pick(&KEY_NUMBERS);
    let most = u64::MAX >> (64 - 8 * u32::from(width));
    let count = match choices.below(4) {
        0 => most,
        1 => 1 + choices.below(most),
        _ => 1 + choices.below(MOST_NAMED),
    };
    let number = codecs::plain(name);
    if version <= Version::V5 || choices.one_in(6) {
        // The number of categories is an `i32`; 0 means unknown.
        let count = i32::try_from(count).unwrap_or(0);
        return codecs::old_key(number, 1, 0, count);
    }
    match choices.one_in(8) {
        true => codecs::key(codecs::key(number, most), count),
        false => codecs::key(number, count),
    }
}

/// Chooses the dimensions of a vector: known, unknown, or missing, as in old files.
fn dims(choices: &mut Choices<'_>) -> Vec<i32> {
    let extent = 1 + choices.below(4) as i32;
    match choices.below(8) {
        0..=2 => vec![extent],
        3 => vec![0],
        4 => vec![2, extent],
        5 => vec![0, extent],
        6 => vec![1, 1, extent],
        _ => Vec::new(),
    }
}

/// Adds annotations: names of slots and of categories if they fit, and others.
fn annotations(choices: &mut Choices<'_>, column: &mut ColumnParts, column_type: &ColumnType, version: Version) {
    if let Some(size) = column_type.vector_size().filter(|_| choices.one_in(2)) {
        names(choices, column, "SlotNames", size, version);
    }
    if let ItemType::Key(key) = column_type.item
        && key.count <= MOST_NAMED
        && choices.one_in(2)
    {
        names(choices, column, "KeyValues", key.count as u32, version);
    }
    let others = u64::from(column.annotations().is_empty()) + choices.small(2);
    for kind in KINDS.iter().take(others as usize) {
        let codec = codec(choices, version);
        let compression = compression(choices);
        let (column_type, items) = understood(&codec);
        let rows = [values::row(choices, &column_type, version)];
        let block = block(choices, &rows, &column_type, items, compression);
        annotate(column, kind, codec, compression, block.bytes);
    }
}

/// Creates an annotation with one text for each slot or category.
pub(super) fn names(choices: &mut Choices<'_>, column: &mut ColumnParts, kind: &str, count: u32, version: Version) {
    let codec = codecs::vector(codecs::plain("TextSpan"), vec![count as i32]);
    let compression = compression(choices);
    let (column_type, items) = understood(&codec);
    let texts = (0..count).map(|_| values::item(choices, ItemType::Text, true, version));
    let rows = [Row::Vector { length: count, indices: None, items: texts.collect::<Vec<Item>>() }];
    let block = block(choices, &rows, &column_type, items, compression);
    annotate(column, kind, codec, compression, block.bytes);
}

/// Adds an annotation.
pub(super) fn annotate(column: &mut ColumnParts, kind: &str, codec: Codec, compression: Compression, bytes: Vec<u8>) {
    let kind = NetString::new(kind);
    let entry = Annotation { kind, codec, compression, offset: 0, stored_length: Leb128::new(0) };
    column.annotations_mut().push(AnnotationParts { entry, bytes, is_lost: false });
}

/// Chooses an order of the parts. The tail comes last.
pub(super) fn order(choices: &mut Choices<'_>, draft: &FileParts) -> Order {
    let mut parts = draft.usual_parts();
    parts.retain(|part| *part != Part::Tail);
    match choices.below(6) {
        3 => parts.sort_unstable(),
        4 => parts.reverse(),
        5 => {
            for place in (1..parts.len()).rev() {
                parts.swap(place, choices.index(place + 1));
            }
        }
        _ => return Order::Usual,
    }
    parts.push(Part::Tail);
    Order::Kept(parts)
}
