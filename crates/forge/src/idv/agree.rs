//! Adjusts blocks to changed values: numbers of rows, sizes of vectors, and numbers of categories.

use super::codecs::type_of;
use super::file_parts::{AnnotationParts, ColumnParts, FileParts, rows_of_blocks};
use super::rows::{Item, MOST_ITEMS, Row};
use super::table::{MOST_ROWS, UnpackBudget};
use super::valid::understood;
use super::values::LAST_TICK;
use everybyte::{Endian, Source, read};
use ndbytes::idv::{ColumnType, ItemType};
use ndbytes_schemas::idv::{Header, Parameters, Storage};

/// Adjusts blocks and annotations to changed values in the tables. `None` if there is nothing to do, or if a value
/// requires more than the forge generates.
pub(super) fn agree(before: &[u8], after: &[u8]) -> Option<Vec<u8>> {
    let header: Header = read(Source::new(after), Endian::Little, ()).ok()?;
    let rows = u64::try_from(header.row_count).ok().filter(|&rows| rows <= MOST_ROWS)?;
    let old = FileParts::take_apart(before)?;
    let mut new = FileParts::take_apart(after).filter(|new| new.columns.len() == old.columns.len())?;
    let of_blocks = old.columns.iter().zip(&new.columns).find_map(|(old, new)| {
        (old.entry.rows_per_block != new.entry.rows_per_block).then_some(new.entry.rows_per_block)
    });
    if let Some(of_blocks) = of_blocks {
        rows_of_blocks(of_blocks).or((rows == 0).then_some(0))?;
        new.columns.iter_mut().for_each(|column| column.entry.rows_per_block = of_blocks);
    }
    let mut room = UnpackBudget::default();
    for (old_column, column) in old.columns.iter().zip(&mut new.columns) {
        follow(old_column, column, [old.rows(), rows], &mut room)?;
    }
    new.reorder();
    Some(new.put_together()).filter(|file| file != after)
}

/// Adjusts the rows of a column to its new properties.
fn follow(old: &ColumnParts, new: &mut ColumnParts, [old_rows, rows]: [u64; 2], room: &mut UnpackBudget) -> Option<()> {
    let Some(column_type) = type_of(&new.entry.codec) else {
        new.blocks.clone_from(&old.blocks);
        new.is_lookup_lost = old.is_lookup_lost;
        return Some(());
    };
    let storage = understood(&new.entry.codec).1.storage;
    let had = old.rows_within(old_rows, room).unwrap_or_default();
    let fitted = fitted(&had, &column_type, storage, rows)?;
    if !new.set_rows(&fitted) {
        return None;
    }
    let old_type = type_of(&old.entry.codec);
    let has_changed = old_type.as_ref() != Some(&column_type);
    let old_annotations = old.annotations();
    for (number, annotation) in new.annotations_if_any().iter_mut().enumerate() {
        let Some(row) = old_annotations.get(number).and_then(|old| old.row(room)) else { continue };
        if has_changed && let Some(names) = names_of(annotation.entry.kind.bytes(), &column_type) {
            resize(annotation, names);
        }
        follow_annotation(annotation, row);
    }
    Some(())
}

/// Returns the names that an annotation of a column needs.
fn names_of(kind: &[u8], column_type: &ColumnType) -> Option<u64> {
    match (kind, column_type.item) {
        (b"SlotNames", _) => column_type.vector_size().map(u64::from),
        (b"KeyValues", ItemType::Key(key)) => Some(key.count),
        _ => None,
    }
}

/// Changes the stated number of names.
fn resize(annotation: &mut AnnotationParts, names: u64) {
    if let (Parameters::Vector { vector }, Ok(names)) = (&mut annotation.entry.codec.parameters, i32::try_from(names))
        && names as u64 <= MOST_ROWS
        && let [size] = &mut vector.dims[..]
    {
        *size = names;
    }
}

fn follow_annotation(annotation: &mut AnnotationParts, row: Row) {
    let Some(column_type) = type_of(&annotation.entry.codec) else { return };
    let storage = understood(&annotation.entry.codec).1.storage;
    if let Some(row) = fitted(&[row], &column_type, storage, 1).and_then(|mut rows| rows.pop()) {
        annotation.set_row(row);
    }
}

/// Returns the required number of rows of the required type; `None` if that is too much.
pub(super) fn fitted(had: &[Row], column_type: &ColumnType, storage: Storage, rows: u64) -> Option<Vec<Row>> {
    let size = column_type.vector_size();
    if rows.saturating_mul(size.unwrap_or(1).into()) > MOST_ITEMS {
        return None;
    }
    let empty = match column_type.dims {
        None => Row::Item(Item::zero(storage)),
        Some(_) => Row::Vector { length: 0, indices: None, items: Vec::new() },
    };
    let of_vectors = |row: &&Row| matches!(row, Row::Vector { .. }) == column_type.dims.is_some();
    let had: Vec<&Row> = had.iter().filter(of_vectors).collect();
    let mut fitted = Vec::new();
    let mut held = 0;
    for row in 0..rows as usize {
        let mut row =
            had.get(row.checked_rem(had.len()).unwrap_or(0)).map_or_else(|| empty.clone(), |&row| row.clone());
        if let Some(size) = size {
            row = row.resized(size, storage);
        }
        row.items_mut().iter_mut().for_each(|item| fit(item, storage, column_type.item));
        held += 1 + row.items().len() as u64;
        if held > MOST_ITEMS {
            return None;
        }
        fitted.push(row);
    }
    Some(fitted)
}

/// Converts an item to a storage and a type. A key becomes one of the categories, and a time one of the years 1 to
/// 9999.
fn fit(item: &mut Item, storage: Storage, item_type: ItemType) {
    let is_fit = match storage {
        Storage::Numbers(_) => matches!(item, Item::Number(_)),
        // A missing boolean does not fit in a single bit.
        Storage::Bits => matches!(item, Item::Number(0 | 1)),
        Storage::BitPairs => matches!(item, Item::Number(0..=2)),
        Storage::DateTimeOffset => matches!(item, Item::Time(..)),
        Storage::Text => matches!(item, Item::Text(_)),
    };
    if !is_fit {
        *item = Item::zero(storage);
    }
    match (item, item_type) {
        (Item::Number(number), ItemType::Key(key)) => *number %= u128::from(key.count) + 1,
        (Item::Number(number), ItemType::DateTime) => *number %= LAST_TICK as u128 + 1,
        _ => {}
    }
}
