//! Operations on complete tables, which keep the rest of a file consistent.
//!
//! As with frames, a file is taken apart, changed as a program could have changed it, and put together: rows are added,
//! columns copied, codecs changed, and blocks resized. Values that a new codec cannot hold are converted, so the result
//! is a valid table if the file was one.

use super::agree::fitted;
use super::codecs::{self, type_of};
use super::file_parts::{AnnotationTableParts, ColumnParts, FileParts, Order, SlotNamesParts};
use super::rows::{Item, Row};
use super::table::{MOST_ROWS, UnpackBudget, recompress};
use super::valid::{annotate, block, codec, names, order, understood};
use super::values;
use everybyte::forge::Choices;
use everybyte::varint::Leb128;
use ndbytes::idv::{ColumnType, ItemType};
use ndbytes_schemas::idv::{Codec, Compression, NetString, Parameters, Slot, SlotNames, Storage, Version};

/// An operation on the parts of a file; returns `None` if it does not apply to them.
type Operation = fn(&mut FileParts, &mut Choices<'_>) -> Option<()>;

/// The operations and their names.
const OPERATIONS: [(&str, Operation); 19] = [
    ("version", version),
    ("rows-add", add_rows),
    ("rows-drop", drop_rows),
    ("rows-swap", swap_rows),
    ("values", change_values),
    ("column-add", add_column),
    ("column-copy", copy_column),
    ("column-drop", drop_column),
    ("columns-swap", swap_columns),
    ("column-name", name_column),
    ("column-codec", change_codec),
    ("column-compression", change_compression),
    ("blocks-resize", resize_blocks),
    ("blocks-repack", repack_blocks),
    ("annotation-add", add_annotation),
    ("annotation-drop", drop_annotation),
    ("annotation-copy", copy_annotation),
    ("slot-names", name_slots),
    ("order", change_order),
];

/// The names of the operations.
pub(super) static NAMES: [&str; OPERATIONS.len()] = {
    let mut names = [""; OPERATIONS.len()];
    let mut place = 0;
    while place < names.len() {
        names[place] = OPERATIONS[place].0;
        place += 1;
    }
    names
};

/// Names of columns and kinds of annotations.
const TEXTS: [&str; 8] = ["x", "Label", "Features", "SlotNames", "KeyValues", "é", "a\0b", "IsNormalized"];

/// The maximum number of rows that are added at once.
const MOST_ADDED: u64 = 8;

/// Performs the operation with a name on a file.
pub(super) fn operate(operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
    let (_, perform) = OPERATIONS.iter().find(|(name, _)| *name == operation)?;
    let mut draft = FileParts::take_apart(file)?;
    perform(&mut draft, choices)?;
    let made = draft.put_together();
    (made != file).then_some(made)
}

/// Returns a random column.
fn chosen<'d>(draft: &'d mut FileParts, choices: &mut Choices<'_>) -> Option<&'d mut ColumnParts> {
    let column = choices.index(draft.columns.len());
    draft.columns.get_mut(column)
}

/// Changes the version. Codecs and values that only the old version supports are converted.
fn version(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let (rows, mut room) = (draft.all_rows(), UnpackBudget::default());
    let last = Version::V6.0 & 0xFFFF;
    // The versions before 1.1.1.4 are rare.
    let number = if choices.one_in(8) { 1 + choices.below(3) } else { 4 + choices.below(last - 3) };
    let version = Version(Version::V6.0 - last + number);
    (draft.header.version, draft.header.compatible_version) = (version, version);
    for (column, rows) in draft.columns.iter_mut().zip(rows) {
        column.entry.slot_names_offset = Some(0);
        let changed = translate(&mut column.entry.codec, version);
        if let (Some(rows), true) = (rows, changed) {
            column.set_rows(&translated(rows, &column.entry.codec)?);
        }
        if let AnnotationTableParts::Table { entries, .. } = &mut column.annotations {
            for annotation in entries {
                let row = annotation.row(&mut room);
                if translate(&mut annotation.entry.codec, version)
                    && let Some(row) = row.and_then(|row| translated(vec![row], &annotation.entry.codec)?.pop())
                {
                    annotation.set_row(row);
                }
            }
        }
    }
    Some(())
}

/// Renames a codec for a version; returns `true` if values must be converted.
fn translate(codec: &mut Codec, version: Version) -> bool {
    const PAIRS: [(&str, &str); 4] = [
        ("Boolean", "DvBool"),
        ("DateTime", "DvDateTime"),
        ("DateTimeOffset", "DvDateTimeZone"),
        ("TimeSpan", "DvTimeSpan"),
    ];
    let is_old = version <= Version::V5;
    if let Parameters::Vector { vector } = &mut codec.parameters {
        let changed = translate(&mut vector.item, version);
        // The length of the inner codec has changed.
        codec.parameters_length = Leb128::new(codec.parameters.length());
        return changed;
    }
    if let Parameters::Key { key } = &codec.parameters
        && is_old
    {
        let count = i32::try_from(key.count).unwrap_or(0);
        *codec = codecs::old_key((*key.number).clone(), 1, 0, count);
        return false;
    }
    let name = codec.name.lossy().into_owned();
    let other = PAIRS.into_iter().find_map(|(new, old)| match is_old {
        true => (name == new).then_some(old),
        false => (name == old).then_some(new),
    });
    if let Some(other) = other {
        *codec = codecs::plain(other);
    }
    // In old versions, texts and times may be marked as missing.
    !is_old || other.is_some()
}

/// Returns the rows, without markers of missing values that the codec does not allow.
fn translated(mut rows: Vec<Row>, codec: &Codec) -> Option<Vec<Row>> {
    let column_type = type_of(codec)?;
    let storage = understood(codec).1.storage;
    for item in rows.iter_mut().flat_map(Row::items_mut) {
        match item {
            Item::Text(text) => *text = Some(text.take().unwrap_or_default()),
            Item::Time(minutes, ticks) if *ticks == i64::MIN => (*minutes, *ticks) = (0, 0),
            Item::Number(number) if is_time(&column_type) && *number == 1 << 63 => *number = 0,
            Item::Number(number) if storage == Storage::Bits => *number &= 1,
            Item::Number(_) | Item::Time(..) => {}
        }
    }
    let count = rows.len() as u64;
    fitted(&rows, &column_type, storage, count)
}

fn is_time(column_type: &ColumnType) -> bool {
    matches!(column_type.item, ItemType::TimeSpan | ItemType::DateTime)
}

/// Changes the rows of all columns at once. Every column must be readable.
fn change_rows(draft: &mut FileParts, mut change: impl FnMut(&mut Vec<Row>, &Codec)) -> Option<()> {
    let rows: Option<Vec<Vec<Row>>> = draft.all_rows().into_iter().collect();
    let mut rows = rows.filter(|rows| !rows.is_empty())?;
    for (rows, column) in rows.iter_mut().zip(&draft.columns) {
        change(rows, &column.entry.codec);
    }
    let count = rows.first().map_or(0, Vec::len);
    draft.header.row_count = count as i64;
    if count > 0 {
        // A block size above the number of rows would be a finding.
        let per_block = draft.columns.first().map_or(1, |column| column.entry.rows_per_block.value());
        draft.set_rows_per_block(per_block.clamp(1, count as u64));
    }
    draft.set_all_rows(rows.into_iter().map(Some).collect())
}

fn add_rows(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let (added, version, at) = (1 + choices.below(MOST_ADDED), draft.header.version, choices.any());
    if draft.rows() + added > MOST_ROWS {
        return None;
    }
    change_rows(draft, |rows, codec| {
        let (column_type, _) = understood(codec);
        let at = at.checked_rem(rows.len() as u64 + 1).unwrap_or(0) as usize;
        let new = (0..added).map(|_| values::row(choices, &column_type, version));
        let new: Vec<Row> = new.collect();
        rows.splice(at..at, new);
    })
}

fn drop_rows(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let rows = usize::try_from(draft.rows()).ok().filter(|&rows| rows > 0)?;
    let first = choices.index(rows);
    let last = first + choices.index(rows - first);
    change_rows(draft, |rows, _| drop(rows.drain(first..=last)))
}

fn swap_rows(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let rows = usize::try_from(draft.rows()).ok().filter(|&rows| rows > 1)?;
    let (one, other) = (choices.index(rows), choices.index(rows));
    change_rows(draft, |rows, _| rows.swap(one, other))
}

/// Changes the values of some rows of a column.
fn change_values(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let (version, rows) = (draft.header.version, draft.rows());
    let column = chosen(draft, choices)?;
    let (column_type, _) = understood(&column.entry.codec);
    let mut rows = column.rows(rows)?;
    for _ in 0..=choices.small(3) {
        let place = choices.index(rows.len());
        *rows.get_mut(place)? = values::row(choices, &column_type, version);
    }
    column.set_rows(&rows).then_some(())
}

/// Adds a column of any type, with as many rows as the others.
fn add_column(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let (version, rows) = (draft.header.version, draft.rows());
    if rows > MOST_ROWS {
        return None;
    }
    let codec = codec(choices, version);
    let per_block = draft.columns.first().map_or(rows.max(1), |column| column.entry.rows_per_block.value());
    let compression =
        *choices.pick(&[Compression::NONE, Compression::DEFLATE, Compression::DEFLATE, Compression::ZLIB]);
    let (column_type, _) = understood(&codec);
    let rows: Vec<Row> = (0..rows).map(|_| values::row(choices, &column_type, version)).collect();
    let name = *choices.pick(&TEXTS);
    let mut column = ColumnParts::new(name, codec, compression, per_block);
    if !column.set_rows(&rows) {
        return None;
    }
    let place = choices.index(draft.columns.len() + 1);
    draft.columns.insert(place, column);
    draft.reorder();
    Some(())
}

/// Copies a column, usually under another name.
fn copy_column(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let mut copy = chosen(draft, choices)?.clone();
    if !choices.one_in(4) {
        copy.entry.name = NetString::new(format!("{}2", copy.entry.name.lossy()));
    }
    draft.columns.push(copy);
    draft.reorder();
    Some(())
}

fn drop_column(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    if draft.columns.is_empty() {
        return None;
    }
    let column = choices.index(draft.columns.len());
    draft.columns.remove(column);
    draft.reorder();
    Some(())
}

fn swap_columns(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let count = draft.columns.len();
    if count < 2 {
        return None;
    }
    let first = choices.index(count - 1);
    let second = first + 1 + choices.index(count - 1 - first);
    draft.columns.swap(first, second);
    draft.reorder();
    Some(())
}

fn name_column(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let name = match choices.below(4) {
        0 => values::text(choices) + "n",
        1 => "n".repeat(*choices.pick(&[127, 128, 300])),
        _ => (*choices.pick(&TEXTS)).to_owned(),
    };
    chosen(draft, choices)?.entry.name = NetString::new(name);
    Some(())
}

/// Changes the codec and chooses values for it. Names of slots and categories that no longer fit are dropped.
fn change_codec(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let (version, rows) = (draft.header.version, draft.rows());
    let codec = codec(choices, version);
    let column = chosen(draft, choices)?;
    if rows > MOST_ROWS {
        return None;
    }
    let (column_type, items) = understood(&codec);
    let had = column.rows(rows).unwrap_or_default();
    column.entry.codec = codec;
    let rows: Vec<Row> = match choices.one_in(2) {
        true => fitted(&had, &column_type, items.storage, rows)?,
        false => (0..rows).map(|_| values::row(choices, &column_type, version)).collect(),
    };
    if let AnnotationTableParts::Table { entries, .. } = &mut column.annotations {
        entries.retain(|annotation| !matches!(annotation.entry.kind.bytes(), b"SlotNames" | b"KeyValues"));
        if entries.is_empty() {
            column.annotations = AnnotationTableParts::None;
        }
    }
    column.set_rows(&rows).then_some(())
}

fn change_compression(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let compression =
        *choices.pick(&[Compression::DEFLATE, Compression::NONE, Compression::DEFLATE, Compression::ZLIB]);
    recompress(chosen(draft, choices)?, compression, choices)
}

/// Changes the number of rows in the blocks of all columns.
fn resize_blocks(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let rows = draft.rows();
    if rows < 2 {
        return None;
    }
    let all: Option<Vec<Vec<Row>>> = draft.all_rows().into_iter().collect();
    let per_block = 1 + choices.below(rows);
    draft.set_rows_per_block(per_block);
    draft.reorder();
    draft.set_all_rows(all?.into_iter().map(Some).collect())
}

fn repack_blocks(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let column = chosen(draft, choices)?;
    recompress(column, column.entry.compression, choices)
}

fn add_annotation(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let version = draft.header.version;
    if !version.has_annotations() {
        return None;
    }
    let column = chosen(draft, choices)?;
    let kind = *choices.pick(&TEXTS);
    if column.annotations().iter().any(|annotation| annotation.entry.kind.bytes() == kind.as_bytes()) {
        return None;
    }
    let (column_type, _) = understood(&column.entry.codec);
    let size = match (kind, column_type.item) {
        ("SlotNames", _) => column_type.vector_size(),
        ("KeyValues", ItemType::Key(key)) => u32::try_from(key.count).ok(),
        _ => None,
    };
    if let Some(size) = size.filter(|&size| u64::from(size) <= MOST_ROWS) {
        names(choices, column, kind, size, version);
        return Some(());
    }
    let codec = codec(choices, version);
    let compression = *choices.pick(&[Compression::NONE, Compression::DEFLATE]);
    let (column_type, items) = understood(&codec);
    let rows = [values::row(choices, &column_type, version)];
    let block = block(choices, &rows, &column_type, items, compression);
    annotate(column, kind, codec, compression, block.bytes);
    Some(())
}

fn drop_annotation(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let column = chosen(draft, choices)?;
    let AnnotationTableParts::Table { entries, .. } = &mut column.annotations else { return None };
    if entries.len() < 2 {
        column.annotations = AnnotationTableParts::None;
        return Some(());
    }
    let number = choices.index(entries.len());
    entries.remove(number);
    Some(())
}

/// Copies all annotations of a column to another one.
fn copy_annotation(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let annotations = chosen(draft, choices)?.annotations.clone();
    chosen(draft, choices)?.annotations = annotations;
    Some(())
}

/// Names a slot, as in version 1.1.1.3.
fn name_slots(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    let (index, name) = (choices.below(8) as i32, NetString::new(values::text(choices)));
    if !draft.header.version.has_slot_names() {
        return None;
    }
    let column = chosen(draft, choices)?;
    let slot = Slot { index, name };
    match &mut column.slot_names {
        SlotNamesParts::Names(names) => names.slots.push(slot),
        none => *none = SlotNamesParts::Names(SlotNames { slots: vec![slot] }),
    }
    Some(())
}

fn change_order(draft: &mut FileParts, choices: &mut Choices<'_>) -> Option<()> {
    draft.order = match choices.one_in(4) {
        true => Order::Usual,
        false => order(choices, draft),
    };
    Some(())
}
