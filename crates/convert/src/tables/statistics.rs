//! Statistics of the columns of a table. Nulls are missing values.
//!
//! Tables of all kinds are first converted to Arrow batches. Their values then go through the collectors of
//! [`ndbytes_compare::stats`], which IDV and arrays also use, so the same column has the same statistics in every
//! format.

use super::rows::{Reading, columns_of};
use super::source::TableSource;
use super::text::{Cell, CellKind, CellText};
use crate::error::Result;
use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field, TimeUnit};
use ndbytes::idv::{ColumnType, ItemType as Item, Items, Texts, Values};
use ndbytes::{ItemType, Limits};
use ndbytes_compare::stats::{Collector, ColumnCollector, Statistics};

/// The statistics of a column.
///
/// ```
/// use ndbytes::{Input, Limits};
/// use ndbytes_convert::{FileKind, TableSource};
///
/// let limits = Limits::default();
/// let csv = Input::from_slice(b"Name,Size\nfir,40\nash,30\n", limits);
/// let table = TableSource::text("trees", FileKind::Csv, &csv, limits)?;
/// let columns = table.statistics(limits, &mut |_| ())?;
/// assert_eq!((&*columns[1].name, columns[1].statistics.sum), ("Size", Some(70)));
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ColumnStatistics {
    /// The name.
    pub name: String,
    /// The type, as Arrow names it.
    pub type_name: String,
    /// The statistics. For lists, they cover all items.
    pub statistics: Statistics,
}

impl TableSource {
    /// The statistics of the selected rows, column by column. `progress` receives the number of rows of each batch. Columns whose values
    /// have no text form are left out.
    ///
    /// # Errors
    /// Any error while reading the table.
    pub fn statistics(&self, limits: Limits, progress: &mut dyn FnMut(u64)) -> Result<Vec<ColumnStatistics>> {
        let readable = self.readable()?.0;
        let mut reading = Reading::new(&readable, limits)?;
        let mut counts: Vec<Option<Counts>> = reading.schema.fields().iter().map(|field| Counts::new(field)).collect();
        let columns = columns_of(&reading.schema);
        reading.each(&mut |batch| {
            for (counts, array) in counts.iter_mut().zip(batch.columns()) {
                if let Some(counts) = counts {
                    counts.add(array).map_err(|what| self.refused(&what))?;
                }
            }
            progress(batch.num_rows() as u64);
            Ok(true)
        })?;
        let all = columns.into_iter().zip(counts).filter_map(|(column, counts)| {
            let (name, type_name, statistics) = (column.name, column.type_name, counts?.finish());
            Some(ColumnStatistics { name, type_name, statistics })
        });
        Ok(all.collect())
    }
}

/// The counts of a column's values.
struct Counts {
    seen: Seen,
    text: CellText,
    missing: u64,
}

/// The collector for the values of a column.
enum Seen {
    /// Numbers and times, as NumPy represents them.
    Numbers(Box<Collector>, Vec<u8>),
    /// Everything else as text.
    Texts(Box<ColumnCollector>),
}

impl Counts {
    /// Creates empty counts. `None` if the values have no text form.
    fn new(field: &Field) -> Option<Self> {
        let text = CellText::of(field).ok()?;
        let seen = match item_of(field).and_then(|name| name.parse::<ItemType>().ok()) {
            Some(item_type) => Seen::Numbers(Box::new(Collector::new(&item_type)), Vec::new()),
            None => Seen::Texts(Box::new(ColumnCollector::new(&ColumnType { item: Item::Text, dims: None }))),
        };
        Some(Counts { seen, text, missing: 0 })
    }

    /// Adds an array; the items of lists and vectors are counted.
    fn add(&mut self, array: &ArrayRef) -> Result<(), String> {
        if let Some(items) = items_of(array) {
            return items.iter().try_for_each(|items| self.add(items));
        }
        match &mut self.seen {
            Seen::Numbers(collector, bytes) => {
                bytes.clear();
                put_numbers(array, bytes);
                collector.add(bytes);
                self.missing += array.logical_null_count() as u64;
            }
            Seen::Texts(collector) => {
                let (mut texts, mut cell) = (Texts::default(), Cell::default());
                for row in 0..array.len() {
                    self.text.put(array, row, &mut cell)?;
                    match cell.kind {
                        CellKind::Missing => self.missing += 1,
                        CellKind::Bare | CellKind::Text => texts.push(&cell.text),
                    }
                }
                collector.add(&Values::scalars(Items::Text(texts)));
            }
        }
        Ok(())
    }

    /// The statistics of all values.
    fn finish(self) -> Statistics {
        let mut statistics = match self.seen {
            Seen::Numbers(collector, _) => {
                collector.finish().into_iter().next().map_or_else(Statistics::default, |series| series.statistics)
            }
            Seen::Texts(collector) => collector.finish(),
        };
        statistics.values += self.missing;
        statistics.missing += self.missing;
        statistics
    }
}

/// Returns the items in a column of lists, without missing rows. `None` for a column without lists.
fn items_of(array: &ArrayRef) -> Option<Vec<ArrayRef>> {
    let rows = || (0..array.len()).filter(|&row| array.is_valid(row));
    match array.data_type() {
        DataType::FixedSizeList(..) if array.null_count() == 0 => {
            let list = array.as_fixed_size_list();
            let size = list.value_length() as usize;
            Some(vec![list.values().slice(0, list.len() * size)])
        }
        DataType::FixedSizeList(..) => Some(rows().map(|row| array.as_fixed_size_list().value(row)).collect()),
        DataType::List(_) => Some(rows().map(|row| array.as_list::<i32>().value(row)).collect()),
        DataType::LargeList(_) => Some(rows().map(|row| array.as_list::<i64>().value(row)).collect()),
        _ => None,
    }
}

/// Returns NumPy's name of the type of the items, if they are numbers or times.
fn item_of(field: &Field) -> Option<String> {
    let is_little = cfg!(target_endian = "little");
    let (order, unit) = (if is_little { '<' } else { '>' }, unit);
    let name = match item_type(field.data_type()) {
        DataType::Boolean => "|b1".to_owned(),
        DataType::Int8 => "|i1".to_owned(),
        DataType::UInt8 => "|u1".to_owned(),
        DataType::Int16 => format!("{order}i2"),
        DataType::UInt16 => format!("{order}u2"),
        DataType::Int32 => format!("{order}i4"),
        DataType::UInt32 => format!("{order}u4"),
        DataType::Int64 => format!("{order}i8"),
        DataType::UInt64 => format!("{order}u8"),
        DataType::Float16 => format!("{order}f2"),
        DataType::Float32 => format!("{order}f4"),
        DataType::Float64 => format!("{order}f8"),
        DataType::Date32 => format!("{order}M8[D]"),
        DataType::Date64 => format!("{order}M8[ms]"),
        DataType::Timestamp(of, _) => format!("{order}M8[{}]", unit(*of)),
        DataType::Duration(of) | DataType::Time32(of) | DataType::Time64(of) => format!("{order}m8[{}]", unit(*of)),
        _ => return None,
    };
    Some(name)
}

/// Returns the type of the items in nested lists.
fn item_type(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::FixedSizeList(child, _) | DataType::List(child) | DataType::LargeList(child) => {
            item_type(child.data_type())
        }
        other => other,
    }
}

/// Returns the unit in NumPy's notation.
fn unit(unit: TimeUnit) -> &'static str {
    match unit {
        TimeUnit::Second => "s",
        TimeUnit::Millisecond => "ms",
        TimeUnit::Microsecond => "us",
        TimeUnit::Nanosecond => "ns",
    }
}

/// Appends the bytes of the numbers that are not missing.
fn put_numbers(array: &ArrayRef, bytes: &mut Vec<u8>) {
    macro_rules! put {
        ($type:ty) => {
            array.as_primitive::<$type>().iter().flatten().for_each(|item| bytes.extend(item.to_ne_bytes()))
        };
    }
    match array.data_type() {
        DataType::Boolean => bytes.extend(array.as_boolean().iter().flatten().map(u8::from)),
        DataType::Int8 => put!(Int8Type),
        DataType::UInt8 => put!(UInt8Type),
        DataType::Int16 => put!(Int16Type),
        DataType::UInt16 => put!(UInt16Type),
        DataType::Int32 => put!(Int32Type),
        DataType::UInt32 => put!(UInt32Type),
        DataType::Int64 => put!(Int64Type),
        DataType::UInt64 => put!(UInt64Type),
        DataType::Float16 => put!(Float16Type),
        DataType::Float32 => put!(Float32Type),
        DataType::Float64 => put!(Float64Type),
        DataType::Date32 => {
            let days = array.as_primitive::<Date32Type>().iter().flatten();
            days.for_each(|day| bytes.extend(i64::from(day).to_ne_bytes()));
        }
        DataType::Date64 => put!(Date64Type),
        DataType::Timestamp(unit, _) => match unit {
            TimeUnit::Second => put!(TimestampSecondType),
            TimeUnit::Millisecond => put!(TimestampMillisecondType),
            TimeUnit::Microsecond => put!(TimestampMicrosecondType),
            TimeUnit::Nanosecond => put!(TimestampNanosecondType),
        },
        other => put_durations(array, other, bytes),
    }
}

/// Appends the bytes of the durations that are not missing, in 8 bytes each.
fn put_durations(array: &ArrayRef, data_type: &DataType, bytes: &mut Vec<u8>) {
    macro_rules! put {
        ($type:ty) => {
            array.as_primitive::<$type>().iter().flatten().for_each(|item| bytes.extend(item.to_ne_bytes()))
        };
    }
    match data_type {
        DataType::Duration(unit) => match unit {
            TimeUnit::Second => put!(DurationSecondType),
            TimeUnit::Millisecond => put!(DurationMillisecondType),
            TimeUnit::Microsecond => put!(DurationMicrosecondType),
            TimeUnit::Nanosecond => put!(DurationNanosecondType),
        },
        DataType::Time32(unit) => {
            macro_rules! wide {
                ($type:ty) => {
                    array
                        .as_primitive::<$type>()
                        .iter()
                        .flatten()
                        .map(i64::from)
                        .for_each(|it| bytes.extend(it.to_ne_bytes()))
                };
            }
            match unit {
                TimeUnit::Second => wide!(Time32SecondType),
                _ => wide!(Time32MillisecondType),
            }
        }
        DataType::Time64(TimeUnit::Microsecond) => put!(Time64MicrosecondType),
        DataType::Time64(_) => put!(Time64NanosecondType),
        _ => {}
    }
}
