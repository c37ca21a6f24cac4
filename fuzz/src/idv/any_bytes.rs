//! The guarantees for arbitrary bytes that may be in the format.

use super::table::Outcome;
use super::{file_parts, model, naive, table};
use crate::bounds::limits;
use crate::bytes::{self, is_limited};
use crate::random::Random;
use crate::share::{Question, Share};
use crate::{layout, scratch};
use binrw::{BinRead, args};
use everybyte::{BinWrite, Endian, Layout, Source};
use ndbytes::idv::{NewColumn, Options, Table, Tables, Writer};
use ndbytes::{Checker, Depth, Error, Finding, Format, Input, Limits, Reference, Report, Severity};
use ndbytes_schemas::idv::{
    Annotations, Block, Codec, Column, Columns, Header, Items, Lookup, Parameters, SlotNames, Tail,
};
use std::fmt::Debug;
use std::io::Cursor;
use std::ops::Range;

/// The maximum number of columns to examine one by one, because several may share their bytes.
const MOST_COLUMNS: usize = 16;

/// The maximum number of blocks of a column to read with their layout.
const MOST_BLOCKS: usize = 4;

/// Asserts the guarantees for arbitrary bytes that may be IDV.
pub fn examine_bytes(file: &[u8]) {
    let share = Share::of(file);
    let report = bytes::examine_share(file, share);
    if ndbytes::is_gzip(file) {
        // The target `gzip_bytes` covers files inside gzip.
        return;
    }
    if share.asks(Question::Layouts) {
        read_tables(file);
    }
    if report.format == Some(Format::Idv) && share.asks(Question::Elements) {
        examine_content(file, &report);
    }
}

/// Asserts the guarantees for the content of a table with this strict report.
pub(super) fn examine_content(file: &[u8], report: &Report) {
    let share = Share::of(file);
    let structure = check(file, Depth::Structure);
    let mut random = Random::of(file);
    let table = examine(file, &options(), &mut random, (&structure, report), share, is_error);
    if !bytes::is_accepted(report) && share.asks(Question::Lenient) {
        // Parts that ML.NET ignores are tolerated in the structure, but values must be valid.
        let is_tolerated = |finding: &Finding| match structure.findings().contains(finding) {
            true => finding.reference == Reference::Accepts,
            false => finding.rule.reference == Reference::Accepts,
        };
        let stands_in_the_way = |finding: &Finding| is_error(finding) && !is_tolerated(finding);
        examine(file, &tolerant(), &mut random, (&structure, report), share, stands_in_the_way);
    }
    if bytes::is_accepted(report) && share.asks(Question::Rewrite) {
        let table = table.expect("what is accepted can be opened");
        rewrite(&table);
        repeat(file, &table, &mut random);
    }
}

pub(super) fn check(file: &[u8], depth: Depth) -> Report {
    Checker::new().limits(limits()).depth(depth).check_slice(file).expect("bytes in memory can be read")
}

pub(super) fn options() -> Options {
    Options::new().limits(limits())
}

/// Tolerates everything that can be tolerated.
fn tolerant() -> Options {
    ndbytes::rules().fold(options(), Options::tolerate)
}

fn is_error(finding: &Finding) -> bool {
    finding.severity == Severity::Error
}

/// Asserts that a table can be opened unless its structure has an error, and read unless there is any error.
fn examine<'a>(
    file: &'a [u8],
    options: &Options,
    random: &mut Random,
    (structure, report): (&Report, &Report),
    share: Share,
    stands_in_the_way: impl Fn(&Finding) -> bool,
) -> Option<Table<'a>> {
    let is_free = |report: &Report| !report.findings().iter().any(&stands_in_the_way);
    let opened = options.from_slice(file);
    assert_eq!(opened.is_ok(), is_free(structure), "{structure:?}, but {opened:?}");
    let table = opened.ok()?;
    let outcome = table::examine(&table, random);
    match outcome {
        _ if is_limited(report) => {}
        Outcome::Limited => panic!("more memory is needed than for a check"),
        outcome => assert_eq!(outcome == Outcome::Read, is_free(report), "{report:?}, but {outcome:?}"),
    }
    if share.asks(Question::Confined) {
        confine(file, options, &table);
    }
    if file.len() > bytes::HEAD && share.asks(Question::Path) {
        let path = scratch::path();
        std::fs::write(&path, file).expect("scratch files can be written");
        let opened = options.open(&path).expect("it was opened before");
        assert_eq!(table::examine(&opened, random), outcome);
        compare(&opened, &table, |error, other| assert_eq!(error.finding(), other.and_then(Error::finding)));
    }
    Some(table)
}

/// Asserts that with very little memory, values are the same, or the limit is exceeded.
fn confine(file: &[u8], options: &Options, table: &Table<'_>) {
    let options = options.clone().limits(Limits::default().memory(1 << 10));
    let confined = options.read(Input::from_slice(file, limits())).expect("it was opened before");
    compare(&confined, table, |error, other| match error {
        Error::Limit { .. } => {}
        error => assert_eq!(error.finding(), other.and_then(Error::finding)),
    });
}

/// Asserts that tables have the same values, except where the other one has an allowed error.
fn compare(table: &Table<'_>, other: &Table<'_>, allow: impl Fn(&Error, Option<&Error>)) {
    assert_eq!((table.rows(), table.columns().len()), (other.rows(), other.columns().len()));
    for (column, other) in table.columns().zip(other.columns()).take(MOST_COLUMNS) {
        match (column.read(), other.read()) {
            (Ok(values), Ok(other)) if model::is_small(&values) => assert!(model::rows(&values) == model::rows(&other)),
            (Ok(values), Ok(other)) => assert_eq!(values.rows(), other.rows()),
            (Err(Error::UnreadableColumn { .. }), Err(Error::UnreadableColumn { .. })) => {}
            (Err(error), other) => allow(&error, other.as_ref().err()),
            (Ok(_), Err(error)) => assert!(matches!(error, Error::Limit { .. }), "{error}"),
        }
    }
}

/// Asserts that a rewritten table has the same values and annotations, unless the current version cannot express them.
fn rewrite(table: &Table<'_>) {
    let mut columns = Vec::new();
    let mut values = Vec::new();
    for column in table.columns().filter(|column| column.is_readable() && !column.is_hidden()) {
        let (Some(column_type), Ok(read)) = (column.column_type(), column.read()) else { return };
        let mut new = NewColumn::new(column.name(), column_type.clone());
        for annotation in column.annotations() {
            if let (Some(value_type), Ok(value)) = (annotation.value_type(), annotation.read()) {
                new = new.annotation(annotation.kind(), value_type.clone(), value);
            }
        }
        columns.push(new);
        values.push(read);
    }
    let written = Writer::new(columns).begin(Cursor::new(Vec::new())).and_then(|mut writer| {
        match values.is_empty() {
            true => writer.write_empty_rows(table.rows())?,
            false => writer.write(&values)?,
        }
        writer.finish_sink()
    });
    let file = match written {
        Ok(file) => file.into_inner(),
        Err(Error::Inexpressible { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    let again = Options::new().from_slice(&file).expect("what was written can be read");
    assert_eq!(again.rows(), table.rows());
    for (column, values) in again.columns().zip(&values) {
        let before = table.column(&column.name()).expect("it was read before");
        let read = column.read().expect("what was written can be read");
        assert!(!model::is_small(&read) || model::rows(&read) == model::rows(values), "{}", column.name());
        for annotation in column.annotations() {
            let before = before.annotation(&annotation.kind()).expect("it was read before").read();
            let (before, read) = (before.expect("read before"), annotation.read().expect("it was written"));
            assert!(!model::is_small(&read) || model::rows(&read) == model::rows(&before), "{}", annotation.kind());
        }
    }
}

/// Asserts that reading the same file twice as one table yields every row twice.
fn repeat(file: &[u8], table: &Table<'_>, random: &mut Random) {
    let open = || options().from_slice(file).expect("it was opened before");
    let tables = match Tables::new(vec![open(), open()]) {
        Ok(tables) => tables,
        // If the values of keys cannot be read, it is unknown whether they are the same.
        Err(Error::UnreadableColumn { .. }) => {
            let mut keys = table.columns().map(|column| column.key_values());
            let is_unknown = keys.any(|values| matches!(values, Err(Error::UnreadableColumn { .. })));
            assert!(is_unknown, "every column can be compared with itself");
            return;
        }
        Err(error) => panic!("a table has the same columns as itself: {error}"),
    };
    assert_eq!(tables.rows(), table.rows().saturating_mul(2));
    for (name, column_type) in tables.columns() {
        let column = table.column(&name).expect("there is such a column");
        assert_eq!(column.column_type(), Some(&column_type));
        let start = random.below(tables.rows());
        let range = start..start + random.below(tables.rows() - start + 1);
        let (Ok(once), Ok(read)) = (column.read(), tables.read_rows(&name, range.clone())) else { continue };
        assert_eq!(read.rows() as u64, range.end - range.start);
        if model::is_small(&once) && model::is_small(&read) {
            let twice = [model::rows(&once), model::rows(&once)].concat();
            assert!(model::rows(&read) == twice[range.start as usize..range.end as usize], "{range:?} of {name}");
        }
    }
}

/// Reads every structure that offsets point to, in every way, and writes it back.
fn read_tables(file: &[u8]) {
    let source = Source::new(file);
    let at = |offset: i64| u64::try_from(offset).ok().filter(|&offset| offset > 0).map(|offset| source.at(offset));
    let Some(header) = read_back::<Header>(source, (), |_| vec![]) else { return };
    at(header.tail_offset).and_then(|source| read_back::<Tail>(source, (), |_| vec![]));
    let (Some(source), Ok(column_count)) = (at(header.columns_offset), u32::try_from(header.column_count)) else {
        return;
    };
    let version = header.version;
    let regions = |columns: &Columns| columns.columns.iter().flat_map(|column| regions(&column.codec)).collect();
    let Some(columns) = read_back::<Columns>(source, args! { version, column_count }, regions) else { return };
    for column in columns.columns.iter().take(MOST_COLUMNS) {
        let block_count = file_parts::block_count(header.row_count, column.rows_per_block.value());
        if let (Some(source), Some(block_count)) = (at(column.lookup_offset), block_count) {
            let lookup = read_back::<Lookup>(source, args! { block_count }, |_| vec![]);
            lookup.iter().for_each(|lookup| read_blocks(file, &header, column, lookup));
        }
        if let Some(source) = column.annotations_offset.and_then(at) {
            let regions =
                |table: &Annotations| table.entries.iter().flat_map(|entry| self::regions(&entry.codec)).collect();
            read_back::<Annotations>(source, (), regions);
        }
        let count = column.slot_names.as_ref().and_then(|extent| u32::try_from(extent.count).ok());
        if let (Some(source), Some(count)) = (column.slot_names_offset.and_then(at), count) {
            read_back::<SlotNames>(source, args! { count }, |_| vec![]);
        }
    }
}

/// Reads the first blocks of a column with their layout.
fn read_blocks(file: &[u8], header: &Header, column: &Column, lookup: &Lookup) {
    let Some(storage) = column.codec.storage() else { return };
    let items = Items { vectors: matches!(column.codec.parameters, Parameters::Vector { .. }), storage };
    let rows_per_block = column.rows_per_block.value();
    for (place, entry) in lookup.blocks.iter().take(MOST_BLOCKS).enumerate() {
        let start = usize::try_from(entry.offset).unwrap_or(usize::MAX);
        let end = start.saturating_add(usize::try_from(entry.stored_length).unwrap_or(usize::MAX));
        let Some(stored) = file.get(start..end) else { continue };
        let Some(Some(content)) = naive::decompress(stored, column.compression) else { continue };
        let before = (place as u64).saturating_mul(rows_per_block);
        let rows = rows_per_block.min((header.row_count as u64).saturating_sub(before));
        read_back::<Block>(Source::new(&content), args! { items, rows }, block_regions);
    }
}

/// Reads a structure in every way and writes it back.
pub(super) fn read_back<'a, T>(
    source: Source<'_>,
    args: <T as BinRead>::Args<'a>,
    regions: impl Fn(&T) -> Vec<Range<u64>>,
) -> Option<T>
where
    T: BinRead + Layout + PartialEq + Debug + for<'w> BinWrite<Args<'w> = ()>,
    <T as BinRead>::Args<'a>: Clone,
{
    layout::read_back(source, Endian::Little, args, regions)
}

/// The bytes of a codec that its layout does not write.
pub(super) fn regions(codec: &Codec) -> Vec<Range<u64>> {
    let mut inside = match &codec.parameters {
        Parameters::Vector { vector } => regions(&vector.item),
        Parameters::Key { key } => regions(&key.number),
        Parameters::OldKey { key } => regions(&key.number),
        Parameters::Other { bytes } => vec![bytes.range()],
    };
    inside.push(codec.excess.range());
    inside
}

/// The bytes of a block that its layout does not write.
fn block_regions(block: &Block) -> Vec<Range<u64>> {
    use ndbytes_schemas::idv::Scalars;
    let of = |scalars: &Scalars| match scalars {
        Scalars::Numbers { values: numbers }
        | Scalars::Bits { bytes: numbers }
        | Scalars::BitPairs { words: numbers } => {
            vec![numbers.range()]
        }
        Scalars::DateTimeOffset { offsets, ticks } => vec![offsets.range(), ticks.range()],
        Scalars::Text { ends, text, .. } => vec![ends.range(), text.range()],
    };
    match block {
        Block::Scalars { scalars } => of(scalars),
        Block::Vectors { vectors } => [vec![vectors.indices.range()], of(&vectors.items)].concat(),
    }
}
