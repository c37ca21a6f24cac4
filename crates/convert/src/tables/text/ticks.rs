//! IDV ticks as text, with all seven digits.

use super::times;
use arrow_schema::{Field, Schema, SchemaRef};
use ndbytes::DateUnit;
use ndbytes::idv::{ColumnType, ItemType};
use ndbytes_arrow::{TICKS_OF_1970, metadata};
use std::sync::Arc;

/// The metadata of a column whose integers are ticks to be written as text.
const MARK: &str = "ndbytes.convert.ticks";

/// The number of nanoseconds in a tick.
const NANOSECONDS: u32 = 100;

/// The meaning of ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ticks {
    /// A point in time, counted from the year 1.
    Point,
    /// A duration.
    Span,
}

impl Ticks {
    /// The meaning of the integers of a column; `None` if they are plain numbers.
    pub fn of(field: &Field) -> Option<Self> {
        field.metadata().contains_key(MARK).then(|| Ticks::by_type(field)).flatten()
    }

    fn by_type(field: &Field) -> Option<Self> {
        let column_type: ColumnType = field.metadata().get(metadata::TYPE)?.parse().ok()?;
        match column_type.item {
            ItemType::DateTime | ItemType::DateTimeOffset => Some(Ticks::Point),
            ItemType::TimeSpan => Some(Ticks::Span),
            _ => None,
        }
    }

    /// Ticks as text; `None` if they are not a valid date.
    pub fn text(self, ticks: i64) -> Option<String> {
        match self {
            Ticks::Point => times::point(ticks.checked_sub(TICKS_OF_1970)?, DateUnit::Nanosecond, NANOSECONDS),
            Ticks::Span => Some(times::span(i128::from(ticks) * i128::from(NANOSECONDS))),
        }
    }
}

/// Marks the columns of times as ticks.
pub fn mark(schema: &Schema) -> SchemaRef {
    let marked = schema.fields().iter().map(|field| {
        let mut field = Field::clone(field);
        if Ticks::by_type(&field).is_some() {
            field.metadata_mut().insert(MARK.to_owned(), String::new());
        }
        field
    });
    Arc::new(Schema::new_with_metadata(marked.collect::<Vec<_>>(), schema.metadata().clone()))
}
