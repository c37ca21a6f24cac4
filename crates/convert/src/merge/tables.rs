//! Merging tables.
//!
//! Rows are aligned by the hashes of their values. If both sides changed a row, its cells are merged one by one, so
//! two people can edit different columns of the same row. Tables with different columns, or with hidden ones, are
//! merged only if one side left them unchanged.
//!
//! Annotations are merged by name, like the metadata of arrays.

use super::conflict::Place;
use super::metadata::{self, Metadata};
use super::options::Options;
use super::outcome::Merged;
use super::plan::{Run, are_even, plan};
use super::tally::Tally;
use super::versions::{Version, Versions};
use crate::error::{Error, Result};
use ndbytes::idv::{Column, ColumnType, ItemType, NewColumn, Table, Value, Values, Writer};
use ndbytes::{Debited, Memory};
use ndbytes_compare::diff::Datum;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::io::Cursor;
use std::ops::Range;

/// The annotation with the names of categories.
const KEY_VALUES: &str = "KeyValues";

/// Merges tables.
pub fn merge(tables: Versions<&Table<'_>>, options: &Options, tally: &mut Tally<'_, '_>) -> Result<Merged> {
    let columns = tables.map(|table| table.columns().collect::<Vec<_>>());
    let annotations = columns.each_ref().try_map(|columns| annotations_of(columns))?;
    let merging = Merging::new(tables, &columns, options)?;
    if let Some(what) = unlike(&columns, &annotations) {
        let types = columns.each_ref().map(|columns| columns.iter().map(described).collect::<Vec<_>>());
        let (types, annotations) = (types.each_ref(), annotations.each_ref());
        let changed = Version::changed(|one, other| {
            let are_alike = types.of(one) == types.of(other) && annotations.of(one) == annotations.of(other);
            Ok::<bool, Error>(are_alike && merging.is_same(one, other))
        });
        return Ok(Merged::Version(changed?.unwrap_or_else(|| tally.conflict(Place::File(what), None))));
    }
    let annotations = metadata::merge(annotations, tally);
    let rows = merging.rows(tally)?;
    if !tally.is_not_ours {
        return Ok(Merged::Version(Version::Ours));
    }
    if !tally.is_not_theirs {
        return Ok(Merged::Version(Version::Theirs));
    }
    Ok(Merged::File(merging.write(&rows, &columns, annotations)?))
}

/// An annotation: its type and its values.
#[derive(Debug, Clone)]
struct Annotated {
    /// The index of its column, and its kind.
    place: (usize, String),
    value_type: ColumnType,
    values: Values,
}

impl PartialEq for Annotated {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place && self.value_type == other.value_type && self.values.is_identical(&other.values)
    }
}

/// Returns the annotations of all columns, by the names that conflicts use.
fn annotations_of(columns: &[Column<'_>]) -> Result<Metadata<Annotated>> {
    let mut all = Metadata::new();
    for (place, column) in columns.iter().enumerate() {
        for annotation in column.annotations() {
            let name = format!("column {}, annotation {}", quoted(&column.name()), quoted(&annotation.kind()));
            let values = annotation.read()?;
            let unreadable = || ndbytes::Error::UnreadableColumn { name: column.name() };
            let value_type = annotation.value_type().ok_or_else(unreadable)?.clone();
            all.insert(name, Annotated { place: (place, annotation.kind()), value_type, values });
        }
    }
    Ok(all)
}

/// Returns a name in quotes, for messages.
fn quoted(name: &str) -> String {
    Datum::text(name).to_string()
}

/// Returns the name of a column and its type, without the number of categories.
fn described(column: &Column<'_>) -> (String, Option<ColumnType>, bool) {
    let column_type = column.column_type().cloned().map(|mut column_type| {
        if let ItemType::Key(key) = &mut column_type.item {
            key.count = 0;
        }
        column_type
    });
    (column.name(), column_type, column.is_hidden())
}

/// Returns why rows cannot be merged.
fn unlike(columns: &Versions<Vec<Column<'_>>>, annotations: &Versions<Metadata<Annotated>>) -> Option<String> {
    let Versions { base, ours, theirs } =
        columns.each_ref().map(|columns| columns.iter().map(described).collect::<Vec<_>>());
    if base != ours || base != theirs {
        return Some("the columns differ".to_owned());
    }
    if base.iter().any(|(_, _, is_hidden)| *is_hidden) {
        return Some("the table has hidden columns, which no writer makes".to_owned());
    }
    for (name, base) in &annotations.base {
        let others = [&annotations.ours, &annotations.theirs].map(|annotations| annotations.get(name));
        // Keys are numbers, so their meaning stays the same only if new categories follow the old ones.
        let is_kept = |other: &Annotated| {
            let count = base.values.items().len();
            other.values.items().len() >= count && begin_alike(&base.values, &other.values)
        };
        if base.place.1 == KEY_VALUES && !others.into_iter().all(|other| other.is_some_and(is_kept)) {
            return Some(format!("the categories changed: {name}"));
        }
    }
    None
}

/// Returns whether one list of categories is the beginning of another.
fn begin_alike(one: &Values, other: &Values) -> bool {
    match (one.vector(0), other.vector(0)) {
        (Some(one), Some(other)) => (0..one.len()).all(|place| one.get(place) == other.get(place)),
        _ => one.is_identical(other),
    }
}

/// A hash with two secret keys, so an attacker cannot make two values with the same hash.
type Word = [u64; 2];

/// Three tables in memory.
struct Merging<'m> {
    tables: Versions<&'m Table<'m>>,
    /// The values of the columns.
    values: Versions<Vec<Values>>,
    keys: [RandomState; 2],
    options: &'m Options,
    _debited: Debited,
}

/// The source of a merged row.
enum RowSource {
    Rows(Version, Range<usize>),
    /// The version and the row that each column comes from.
    Cells(Vec<(Version, usize)>),
}

impl<'m> Merging<'m> {
    /// Prepares a merge: reads all columns, and charges the memory for a hash of each row.
    fn new(tables: Versions<&'m Table<'m>>, columns: &Versions<Vec<Column<'_>>>, options: &'m Options) -> Result<Self> {
        let rows = tables.base.rows().saturating_add(tables.ours.rows()).saturating_add(tables.theirs.rows());
        let memory = Memory::new(options.limits);
        let debited = memory.take(rows.saturating_mul(size_of::<Word>() as u64), "a hash of each row")?;
        let values = columns
            .each_ref()
            .try_map(|columns| columns.iter().map(|column| Ok(column.read()?)).collect::<Result<Vec<_>>>())?;
        let keys = [RandomState::new(), RandomState::new()];
        Ok(Merging { tables, values, keys, options, _debited: debited })
    }

    /// Returns whether two versions have the same values.
    fn is_same(&self, one: Version, other: Version) -> bool {
        let values = self.values.each_ref();
        let (one, other) = (values.of(one), values.of(other));
        one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_identical(other))
    }

    /// Returns a hash of each row.
    fn words(&self, version: Version) -> Result<Vec<Word>> {
        let rows = self.tables.of(version).rows() as usize;
        let columns = self.values.each_ref().of(version);
        (0..rows).map(|row| self.word(columns.iter().filter_map(|values| values.get(row)))).collect()
    }

    /// Returns the hash of a row.
    fn word<'v>(&self, values: impl Iterator<Item = Value<'v>>) -> Result<Word> {
        self.options.limits.ensure_time()?;
        let mut hashers = self.keys.each_ref().map(BuildHasher::build_hasher);
        for value in values {
            hashers.iter_mut().for_each(|hasher| feed(&value, hasher));
        }
        Ok(hashers.map(|hasher| hasher.finish()))
    }

    /// Merges the rows.
    fn rows(&self, tally: &mut Tally<'_, '_>) -> Result<Vec<RowSource>> {
        let Versions { base, ours, theirs } = Versions::EACH.try_map(|version| self.words(version))?;
        let runs = plan(&base, &ours, &theirs);
        let mut taken = Vec::new();
        for run in runs {
            match run {
                Run::Same(rows) => taken.push(RowSource::Rows(Version::Ours, rows)),
                Run::Ours(rows) => {
                    tally.change(Version::Ours, rows.len() as u64);
                    taken.push(RowSource::Rows(Version::Ours, rows));
                }
                Run::Theirs(rows) => {
                    tally.change(Version::Theirs, rows.len() as u64);
                    taken.push(RowSource::Rows(Version::Theirs, rows));
                }
                Run::Both { base, ours, theirs } if are_even(&base, &ours, &theirs) => {
                    for place in 0..base.len() {
                        let row = Versions {
                            base: base.start + place,
                            ours: ours.start + place,
                            theirs: theirs.start + place,
                        };
                        taken.push(RowSource::Cells(self.cells(row, tally)?));
                    }
                }
                Run::Both { base, ours, theirs } => {
                    let ranges = Versions { base, ours, theirs };
                    let version = tally.conflict(Place::Rows(ranges.clone()), None);
                    taken.push(RowSource::Rows(version, ranges.of(version)));
                }
            }
        }
        Ok(taken)
    }

    /// Merges the cells of a row that both changed.
    fn cells(&self, row: Versions<usize>, tally: &mut Tally<'_, '_>) -> Result<Vec<(Version, usize)>> {
        let columns = self.tables.ours.columns();
        let cells = columns.enumerate().map(|(place, column)| {
            let cell = |version: Version| self.values.each_ref().of(version)[place].get(row.of(version));
            let values = Versions::EACH.map(cell);
            let words = values.try_map(|value| self.word(value.into_iter()))?;
            let version = match words.changed() {
                Some(version) => {
                    // Unchanged, or changed by both in the same way.
                    if words.ours != words.theirs {
                        tally.change(version, 1);
                    }
                    version
                }
                None => {
                    let shown = values.map(|value| value.map_or(Datum::Missing, |value| Datum::of_value(&value)));
                    tally.conflict(Place::Cell(row.ours as u64, column.name()), Some(shown))
                }
            };
            Ok((version, row.of(version)))
        });
        cells.collect()
    }

    /// The merged table as a file.
    fn write(
        &self,
        rows: &[RowSource],
        columns: &Versions<Vec<Column<'_>>>,
        annotations: Metadata<Annotated>,
    ) -> Result<Vec<u8>> {
        let mut new: Vec<NewColumn> = Vec::new();
        for (place, column) in columns.ours.iter().enumerate() {
            let unreadable = || ndbytes::Error::UnreadableColumn { name: column.name() };
            let mut column_type = column.column_type().ok_or_else(unreadable)?.clone();
            let others = [&columns.base[place], &columns.theirs[place]];
            for other in others.into_iter().filter_map(Column::column_type) {
                if let (ItemType::Key(key), ItemType::Key(other)) = (&mut column_type.item, other.item) {
                    key.count = key.count.max(other.count);
                }
            }
            let of_column = annotations.values().filter(|annotated| annotated.place.0 == place);
            let column = NewColumn::new(column.name(), column_type);
            new.push(of_column.fold(column, |column, Annotated { place, value_type, values }| {
                column.annotation(place.1.clone(), value_type.clone(), values.clone())
            }));
        }
        let mut writer = Writer::new(new);
        if let Some(column) = columns.ours.first() {
            writer = writer.compression(column.compression());
            let rows = if column.block_count() > 1 { column.rows_of_block(0) } else { 0..0 };
            if let Ok(rows @ 1..) = usize::try_from(rows.end - rows.start) {
                writer = writer.rows_per_block(rows);
            }
        }
        let mut table = writer.begin(Cursor::new(Vec::new()))?;
        for taken in rows {
            self.options.limits.ensure_time()?;
            let values = |place: usize| match taken {
                RowSource::Rows(version, rows) => self.values.each_ref().of(*version)[place].slice(rows.clone()),
                RowSource::Cells(cells) => {
                    let (version, row) = cells[place];
                    self.values.each_ref().of(version)[place].slice(row..row + 1)
                }
            };
            if columns.ours.is_empty() {
                if let RowSource::Rows(_, rows) = taken {
                    table.write_empty_rows(rows.len() as u64)?;
                }
                continue;
            }
            let values: Vec<Values> = (0..columns.ours.len()).map(values).collect();
            table.write(&values)?;
            self.options.limits.ensure_output("the merged table", table.length())?;
        }
        Ok(table.finish_sink()?.into_inner())
    }
}

/// Feeds all components of a value to a hasher.
fn feed(value: &Value<'_>, hasher: &mut impl Hasher) {
    std::mem::discriminant(value).hash(hasher);
    match value {
        Value::Null => {}
        Value::Bool(value) => value.hash(hasher),
        Value::Int(value) => value.hash(hasher),
        Value::Uint(value) => value.hash(hasher),
        Value::RowId(value) => value.hash(hasher),
        Value::F32(value) => value.to_bits().hash(hasher),
        Value::F64(value) => value.to_bits().hash(hasher),
        Value::DateTimeOffset(value) => (value.ticks, value.offset_minutes).hash(hasher),
        Value::Text(value) => value.as_bytes().hash(hasher),
        Value::Vector(vector) => {
            vector.len().hash(hasher);
            vector.indices().hash(hasher);
            vector.stored().for_each(|item| feed(&item, hasher));
        }
    }
}
