//! Statistics as JSON: the objects of `stats --json`, which `docs/src/json.md` describes. The Python package has them too.

use crate::show::json;
use ndbytes::{Array, Format, Items, Result, idv};
use ndbytes_compare::stats::{self, Series, Statistics};
use serde::Serialize;

/// The statistics of a file, or of values that are in none.
#[derive(Debug, Default, Serialize)]
pub struct StatsObject {
    /// The path, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The format, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// The slice that was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slice: Option<String>,
    /// The statistics of each part of the values.
    pub series: Vec<SeriesObject>,
    /// The compression of an array in chunks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunks: Option<Chunks>,
}

/// The statistics of one part of the values.
#[derive(Debug, Serialize)]
pub struct SeriesObject {
    r#type: String,
    #[serde(flatten)]
    series: Series,
}

impl SeriesObject {
    /// Statistics of values of a type, under a name.
    pub fn new(type_name: impl Into<String>, name: impl Into<String>, statistics: Statistics) -> Self {
        SeriesObject { r#type: type_name.into(), series: Series::new(name, statistics) }
    }
}

/// The compression of an array in chunks.
#[derive(Debug, Serialize)]
pub struct Chunks {
    /// Bytes of the values of each chunk.
    pub lengths: Vec<u64>,
    /// Bytes that each takes in the file; 0 if nothing is stored of it.
    pub stored: Vec<u64>,
}

impl Chunks {
    /// The lengths of the chunks of an array; `None` if it has no chunks.
    ///
    /// # Errors
    /// Those of reading the index.
    pub fn of(array: &Array<'_>) -> Result<Option<Self>> {
        let Array::B2nd(array) = array else { return Ok(None) };
        let container = array.container();
        let numbers = 0..container.chunk_count();
        let stored = numbers.clone().map(|chunk| container.chunk_stored_bytes(chunk)).collect::<Result<_>>()?;
        Ok(Some(Chunks { lengths: numbers.map(|chunk| container.chunk_length(chunk)).collect(), stored }))
    }
}

impl StatsObject {
    /// The statistics of an array.
    ///
    /// # Errors
    /// Those of reading the items.
    pub fn of_array(array: &Array<'_>) -> Result<Self> {
        let series = of_type(&array.item_type().to_string(), stats::array(array)?);
        Ok(StatsObject { format: Some(array.format()), series, chunks: Chunks::of(array)?, ..StatsObject::default() })
    }

    /// The statistics of items that are in no file.
    ///
    /// # Errors
    /// Those of reading the items.
    pub fn of_items(items: &mut dyn Items) -> Result<Self> {
        let type_name = items.item_type().to_string();
        Ok(StatsObject { series: of_type(&type_name, stats::items(items)?), ..StatsObject::default() })
    }

    /// The statistics of columns of a table.
    ///
    /// # Errors
    /// [`ndbytes::Error::NoColumn`], and those of reading the columns.
    pub fn of_columns(table: &idv::Table<'_>, names: &[String]) -> Result<Self> {
        let mut series = Vec::new();
        for name in names {
            let column = table.column(name)?;
            if let Some(column_type) = column.column_type() {
                series.push(SeriesObject::new(column_type.to_string(), name, stats::column(&column)?));
            }
        }
        Ok(StatsObject { format: Some(Format::Idv), series, ..StatsObject::default() })
    }

    /// The object, as text.
    pub fn to_json(&self) -> String {
        let mut text = Vec::new();
        json::value(&mut text, self).expect("memory takes all that is written to it");
        String::from_utf8(text).expect("JSON is Unicode")
    }
}

fn of_type(type_name: &str, series: Vec<Series>) -> Vec<SeriesObject> {
    series.into_iter().map(|Series { name, statistics, .. }| SeriesObject::new(type_name, name, statistics)).collect()
}
