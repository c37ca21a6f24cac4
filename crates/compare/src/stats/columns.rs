//! Statistics of the columns of tables.

use super::Statistics;
use super::numbers::{Floats, Integers, Meaning};
use super::real::Real;
use super::texts::Texts;
use ndbytes::Result;
use ndbytes::idv::{Column, ColumnType, ItemType, Items, Nulls, Values};

/// The statistics of all items of a column, including the items of vectors. Items that sparse vectors do not store are
/// zeros or empty texts.
///
/// ```
/// let trees = ndbytes::idv::open("../../samples/trees.idv")?;
/// let evergreen = ndbytes_compare::stats::column(&trees.column("Evergreen")?)?;
/// assert_eq!(evergreen.values, trees.rows());
/// assert!(evergreen.distinct <= Some(2)); // booleans
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Errors
/// As for [`Column::read`].
pub fn column(column: &Column<'_>) -> Result<Statistics> {
    let mut collector: Option<ColumnCollector> = column.column_type().map(ColumnCollector::new);
    for block in 0..column.block_count() {
        let values = column.read_block(block)?;
        if let Some(collector) = &mut collector {
            collector.add(&values);
        }
    }
    Ok(collector.map_or_else(Statistics::default, ColumnCollector::finish))
}

/// Collects the values of a column piece by piece.
///
/// ```
/// use ndbytes::idv::{ColumnType, ItemType, Values};
/// use ndbytes_compare::stats::{ColumnCollector, Real};
///
/// let mut sizes = ColumnCollector::new(&ColumnType::scalar(ItemType::F32));
/// sizes.add(&Values::scalars(vec![1.0_f32, 2.0]));
/// sizes.add(&Values::scalars(vec![6.0_f32]));
/// assert_eq!(sizes.finish().mean, Some(Real::F64(3.0)));
/// ```
#[derive(Debug)]
pub struct ColumnCollector(Counts);

#[derive(Debug)]
enum Counts {
    /// Keys, which start at 1.
    Keys(Box<Integers<i128>>),
    Integers(Box<Integers<i128>>),
    /// 32-bit floats.
    Singles(Box<Floats<f64>>),
    Floats(Box<Floats<f64>>),
    Texts(Box<Texts>),
}

impl ColumnCollector {
    /// A collector for values of this type.
    pub fn new(column_type: &ColumnType) -> Self {
        let integers = |meaning| Counts::Integers(Box::new(Integers::new(meaning)));
        ColumnCollector(match column_type.item {
            ItemType::Key(_) => Counts::Keys(Box::new(Integers::new(Meaning::Label))),
            ItemType::F32 => Counts::Singles(Box::default()),
            ItemType::F64 => Counts::Floats(Box::default()),
            ItemType::Text | ItemType::RowId => Counts::Texts(Box::default()),
            ItemType::TimeSpan | ItemType::DateTime | ItemType::DateTimeOffset => integers(Meaning::Label),
            _ => integers(Meaning::Number),
        })
    }

    /// Adds the values of some rows.
    pub fn add(&mut self, values: &Values) {
        let missing = self.add_items(values);
        let absent = absent(values);
        match &mut self.0 {
            // A key that is not stored is zero, which means missing.
            Counts::Keys(keys) => keys.missing(missing + absent),
            Counts::Integers(integers) => {
                integers.missing(missing);
                integers.add_times(0, absent);
            }
            Counts::Singles(floats) | Counts::Floats(floats) => {
                floats.missing(missing);
                floats.add_times(0.0, absent);
            }
            Counts::Texts(texts) => {
                texts.missing(missing);
                texts.add_empty(absent);
            }
        }
    }

    /// Adds the stored items. Returns how many are missing.
    fn add_items(&mut self, values: &Values) -> u64 {
        let nulls = values.nulls();
        match (&mut self.0, values.items()) {
            (Counts::Singles(floats), Items::F32(items)) => each(items, nulls, |item| floats.add((*item).into())),
            (Counts::Floats(floats), Items::F64(items)) => each(items, nulls, |item| floats.add(*item)),
            (Counts::Texts(texts), Items::Text(items)) => {
                each(items.iter(), nulls, |item| texts.text(item.as_bytes(), letters(item.as_bytes())))
            }
            (Counts::Texts(texts), Items::RowId(items)) => each(items, nulls, |item| texts.value(&item.to_le_bytes())),
            (Counts::Keys(keys), items) => {
                let mut missing = 0;
                for place in 0..items.len() {
                    match items.category(place) {
                        Some(category) => keys.add(i128::from(category) + 1),
                        None => missing += 1,
                    }
                }
                missing
            }
            (Counts::Integers(integers), items) => add_integers(integers, items, nulls),
            _ => 0,
        }
    }

    /// The statistics of all values.
    pub fn finish(self) -> Statistics {
        match self.0 {
            Counts::Keys(keys) => keys.finish(),
            Counts::Integers(integers) => integers.finish(),
            Counts::Singles(floats) => floats.finish(|number| Real::F32(number as f32)),
            Counts::Floats(floats) => floats.finish(Real::F64),
            Counts::Texts(texts) => texts.finish(),
        }
    }
}

/// Passes on items one by one. Returns how many are missing.
fn each<T>(items: impl IntoIterator<Item = T>, nulls: &Nulls, mut take: impl FnMut(T)) -> u64 {
    let mut missing = 0;
    for (place, item) in items.into_iter().enumerate() {
        if !nulls.is_empty() && nulls.contains(place) {
            missing += 1;
        } else {
            take(item);
        }
    }
    missing
}

/// Adds integers of any width, booleans, and points in time.
fn add_integers(integers: &mut Integers<i128>, items: &Items, nulls: &Nulls) -> u64 {
    match items {
        Items::I8(items) => each(items, nulls, |item| integers.add((*item).into())),
        Items::I16(items) => each(items, nulls, |item| integers.add((*item).into())),
        Items::I32(items) => each(items, nulls, |item| integers.add((*item).into())),
        Items::I64(items) => each(items, nulls, |item| integers.add((*item).into())),
        Items::U8(items) => each(items, nulls, |item| integers.add((*item).into())),
        Items::U16(items) => each(items, nulls, |item| integers.add((*item).into())),
        Items::U32(items) => each(items, nulls, |item| integers.add((*item).into())),
        Items::U64(items) => each(items, nulls, |item| integers.add((*item).into())),
        Items::Bool(items) => each(items, nulls, |item| integers.add((*item).into())),
        Items::DateTimeOffset(items) => each(items, nulls, |item| integers.add(item.ticks.into())),
        _ => 0,
    }
}

/// Returns the number of items that sparse vectors do not store.
fn absent(values: &Values) -> u64 {
    if !values.are_vectors() {
        return 0;
    }
    let all: u64 = (0..values.rows()).filter_map(|row| values.vector(row)).map(|vector| vector.len() as u64).sum();
    all.saturating_sub(values.items().len() as u64)
}

/// Returns the number of characters in a UTF-8 text.
fn letters(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64
}
