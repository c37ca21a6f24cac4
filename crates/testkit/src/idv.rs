//! Uses a table in every possible way and writes back its structures.

use super::values::value_text;
use crate::written_back::Space;
use ndbytes::everybyte::Endian;
use ndbytes::idv::{Column, DenseItem, Table, Values};
use ndbytes::schemas::idv::{
    Annotation, Annotations, Block, Codec, Columns, Compression, Header, Items, Lookup, Parameters, Scalars, SlotNames,
    Tail,
};
use ndbytes::{Error, Limits, Result};
use std::io::Read;
use std::ops::Range;

/// The maximum number of rows whose values are compared.
const COMPARED: usize = 40;

const LITTLE: Endian = Endian::Little;

/// Reads everything in a table, in every way, and reports the errors.
pub fn use_table(table: &Table<'_>, limits: &Limits, what: &dyn Fn() -> String) -> Vec<Error> {
    let mut errors = Vec::new();
    for column in table.columns() {
        for annotation in column.annotations() {
            match annotation.read() {
                Ok(values) => {
                    assert_eq!(values.rows(), 1, "{}", what());
                    use_values(&values, limits, what);
                }
                Err(Error::UnreadableColumn { .. }) => {}
                Err(error) => errors.push(error),
            }
        }
        // Reading the annotations already reports their errors.
        let _ = (column.slot_names(), column.key_values());
        if !column.is_readable() {
            assert!(matches!(column.read(), Err(Error::UnreadableColumn { .. })), "{}", what());
            continue;
        }
        match column.read() {
            Ok(values) => {
                use_values(&values, limits, what);
                compare_ways(&column, &values, what);
                if !column.is_hidden() {
                    compare_batches(table, &column, &values, what);
                }
            }
            Err(error) => errors.push(error),
        }
    }
    errors
}

fn use_values(values: &Values, limits: &Limits, what: &dyn Fn() -> String) {
    assert!(values.get(values.rows()).is_none() && values.vector(values.rows()).is_none(), "{}", what());
    for row in compared(0..values.rows()) {
        let Some(vector) = values.vector(row) else { continue };
        assert_eq!(vector.is_empty(), vector.get(0).is_none(), "{}", what());
        let last = vector.len().saturating_sub(1);
        for place in [0, last / 2, last] {
            assert_eq!(vector.get(place).is_some(), place < vector.len(), "{}", what());
        }
        assert!(vector.get(vector.len()).is_none(), "{}", what());
    }
    // The items have at most one of these types.
    let dense = [
        use_dense::<i8>(values, limits),
        use_dense::<i16>(values, limits),
        use_dense::<i32>(values, limits),
        use_dense::<i64>(values, limits),
        use_dense::<u8>(values, limits),
        use_dense::<u16>(values, limits),
        use_dense::<u32>(values, limits),
        use_dense::<u64>(values, limits),
        use_dense::<u128>(values, limits),
        use_dense::<f32>(values, limits),
        use_dense::<f64>(values, limits),
    ];
    assert!(dense.into_iter().filter(|&is_of_type| is_of_type).count() <= 1, "{}", what());
}

/// Converts values to an array and returns whether their items have this type.
fn use_dense<T: DenseItem>(values: &Values, limits: &Limits) -> bool {
    match values.to_dense::<T>(limits) {
        Ok(array) => {
            let length = values.vector(0).map_or(array.ncols(), |vector| vector.len());
            assert_eq!(array.dim(), (values.rows(), length));
            true
        }
        Err(error) => !matches!(error, Error::WrongItems { .. }),
    }
}

/// Asserts that blocks and ranges of rows have the same values as the whole column.
fn compare_ways(column: &Column<'_>, whole: &Values, what: &dyn Fn() -> String) {
    let rows = whole.rows() as u64;
    assert_eq!(rows, column.rows(), "{}", what());
    for block in 0..column.block_count() {
        let place = column.rows_of_block(block);
        compare(whole, place, &column.read_block(block).unwrap(), what);
    }
    for place in [0..0, 0..rows / 2, rows / 2..rows, rows / 3..rows - rows / 3, rows.saturating_sub(1)..rows] {
        compare(whole, place.clone(), &column.read_rows(place).unwrap(), what);
    }
    assert!(matches!(column.read_block(column.block_count()), Err(Error::OutOfRange { .. })), "{}", what());
    assert!(matches!(column.read_rows(0..rows + 1), Err(Error::OutOfRange { .. })), "{}", what());
}

fn compare_batches(table: &Table<'_>, column: &Column<'_>, whole: &Values, what: &dyn Fn() -> String) {
    let name = column.name();
    let mut batches = table.batches(&[&name, &name]).unwrap();
    let mut rows = 0;
    while let Some(batch) = batches.next() {
        let batch = batch.unwrap();
        assert_eq!(batch.rows().start, rows, "{}", what());
        rows = batch.rows().end;
        (0..2).for_each(|place| compare(whole, batch.rows(), batch.values(place).unwrap(), what));
        assert!(batch.values(2).is_none(), "{}", what());
    }
    assert_eq!(rows, whole.rows() as u64, "{}", what());
}

fn compare(whole: &Values, place: Range<u64>, part: &Values, what: &dyn Fn() -> String) {
    let place = place.start as usize..place.end as usize;
    assert_eq!(part.rows(), place.len(), "{}", what());
    for row in compared(place.clone()) {
        let (one, other) = (part.get(row - place.start).unwrap(), whole.get(row).unwrap());
        assert_eq!(value_text(one), value_text(other), "{}: row {row} of rows {place:?}", what());
    }
}

/// Some of the rows: the first ones and the last.
fn compared(rows: Range<usize>) -> impl Iterator<Item = usize> {
    let last = rows.clone().skip(COMPARED).last();
    rows.take(COMPARED).chain(last)
}

/// Asserts that the structures of an accepted file, each written back, result in the file.
pub fn assert_written_back(bytes: &[u8], what: &dyn Fn() -> String) {
    let file = Space { bytes, what };
    let (header, mut places) = (file.read::<Header>(LITTLE, 0, ()), Vec::new());
    places.push(file.same(LITTLE, 0..header.1, &header.0, &[]));
    let header = header.0;
    let (tail_start, version) = (header.tail_offset as u64, header.version);
    let (tail, end) = file.read::<Tail>(LITTLE, tail_start, ());
    places.push(file.same(LITTLE, tail_start..end, &tail, &[]));
    let column_count = header.column_count as u32;
    let columns_start = if column_count > 0 { header.columns_offset as u64 } else { end };
    let (columns, end) = file.read::<Columns>(LITTLE, columns_start, binrw::args! { version, column_count });
    let mut regions = Vec::new();
    columns.columns.iter().for_each(|column| codec_regions(&column.codec, &mut regions));
    places.push(file.same(LITTLE, columns_start..end, &columns, &regions));
    for column in &columns.columns {
        let (rows, per_block) = (header.row_count as u64, column.rows_per_block.value());
        if rows > 0 {
            let start = column.lookup_offset as u64;
            let block_count = (rows - 1) / per_block + 1;
            let (lookup, end) = file.read::<Lookup>(LITTLE, start, binrw::args! { block_count });
            places.push(file.same(LITTLE, start..end, &lookup, &[]));
            for (block, entry) in lookup.blocks.iter().enumerate() {
                let place = entry.offset as u64..entry.offset as u64 + entry.stored_length as u64;
                let rows = (rows - block as u64 * per_block).min(per_block);
                file.same_block(place.clone(), &column.codec, column.compression, rows);
                places.push(place);
            }
        }
        if let Some(start) = column.annotations_offset.filter(|&offset| offset != 0) {
            places.extend(file.same_annotations(start as u64));
        }
        if let (Some(start), Some(extent)) = (column.slot_names_offset, &column.slot_names) {
            let count = extent.count as u32;
            let (names, end) = file.read::<SlotNames>(LITTLE, start as u64, binrw::args! { count });
            places.push(file.same(LITTLE, start as u64..end, &names, &[]));
        }
    }
    places.retain(|place| !place.is_empty());
    places.sort_by_key(|place| place.start);
    let mut end = 0;
    for place in places {
        assert_eq!(place.start, end, "{}", what());
        end = place.end;
    }
    assert_eq!(end, bytes.len() as u64, "{}", what());
}

impl Space<'_> {
    /// The same, but for the decompressed content of a block.
    fn same_block(&self, place: Range<u64>, codec: &Codec, compression: Compression, rows: u64) {
        let stored = &self.bytes[place.start as usize..place.end as usize];
        let Some(storage) = codec.storage() else { return };
        let bytes = match compression {
            Compression::NONE => stored.to_vec(),
            Compression::DEFLATE => inflated(flate2::read::DeflateDecoder::new(stored)),
            Compression::ZLIB => inflated(flate2::read::ZlibDecoder::new(stored)),
            _ => return,
        };
        let space = Space { bytes: &bytes, what: self.what };
        let items = Items { vectors: matches!(codec.parameters, Parameters::Vector { .. }), storage };
        let (block, end) = space.read::<Block>(LITTLE, 0, binrw::args! { items, rows });
        assert_eq!(end, bytes.len() as u64, "{}", (self.what)());
        let mut regions = Vec::new();
        match &block {
            Block::Scalars { scalars } => scalars_regions(scalars, &mut regions),
            Block::Vectors { vectors } => {
                regions.push(vectors.indices.range());
                scalars_regions(&vectors.items, &mut regions);
            }
        }
        space.same(LITTLE, 0..end, &block, &regions);
    }

    /// The same, but for a table of annotations and their blocks.
    fn same_annotations(&self, start: u64) -> Vec<Range<u64>> {
        let (annotations, end) = self.read::<Annotations>(LITTLE, start, ());
        let mut regions = Vec::new();
        annotations.entries.iter().for_each(|entry| codec_regions(&entry.codec, &mut regions));
        let mut places = vec![self.same(LITTLE, start..end, &annotations, &regions)];
        for &Annotation { ref codec, compression, offset, stored_length, .. } in &annotations.entries {
            let place = offset as u64..offset as u64 + stored_length.value();
            self.same_block(place.clone(), codec, compression, 1);
            places.push(place);
        }
        places
    }
}

fn inflated(mut decoder: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    decoder.read_to_end(&mut bytes).unwrap();
    bytes
}

fn codec_regions(codec: &Codec, regions: &mut Vec<Range<u64>>) {
    regions.push(codec.excess.range());
    match &codec.parameters {
        Parameters::Vector { vector } => codec_regions(&vector.item, regions),
        Parameters::Key { key } => codec_regions(&key.number, regions),
        Parameters::OldKey { key } => codec_regions(&key.number, regions),
        Parameters::Other { bytes } => regions.push(bytes.range()),
    }
}

fn scalars_regions(scalars: &Scalars, regions: &mut Vec<Range<u64>>) {
    match scalars {
        Scalars::Numbers { values } => regions.push(values.range()),
        Scalars::Bits { bytes } => regions.push(bytes.range()),
        Scalars::BitPairs { words } => regions.push(words.range()),
        Scalars::DateTimeOffset { offsets, ticks } => regions.extend([offsets.range(), ticks.range()]),
        Scalars::Text { ends, text, .. } => regions.extend([ends.range(), text.range()]),
    }
}

/// Opens a table within limits and reads everything in it. Returns the first error.
pub fn read_all(table: Result<Table<'_>>, limits: &Limits, what: &dyn Fn() -> String) -> Result<()> {
    match use_table(&table?, limits, what).into_iter().next() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}
