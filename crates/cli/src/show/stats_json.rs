//! Statistics as JSON: the objects that `stats --json` prints, and that `docs/src/json.md` describes. The Python
//! package also returns them.

use crate::show::json;
use ndbytes::{Array, Format, Items, Result, idv};
use ndbytes_compare::stats::{self, Series, Statistics};
use serde::Serialize;

/// The statistics of a file, or of values that are not in a file.
#[derive(Debug, Default, Serialize)]
pub struct StatsObject {
    /// The path, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The format, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    /// The slice that was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slice: Option<String>,
    /// The statistics of each part of the values.
    pub series: Vec<SeriesObject>,
    /// The compression of a chunked array.
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
    /// Creates the statistics of values with this type and this name.
    pub fn new(type_name: impl Into<String>, name: impl Into<String>, statistics: Statistics) -> Self {
        SeriesObject { r#type: type_name.into(), series: Series::new(name, statistics) }
    }
}

/// The compression of a chunked array.
#[derive(Debug, Serialize)]
pub struct Chunks {
    /// The number of bytes of values in each chunk.
    pub lengths: Vec<u64>,
    /// The number of bytes of each chunk in the file; 0 if it is not stored.
    pub stored: Vec<u64>,
}

impl Chunks {
    /// Returns the lengths of the chunks of an array; `None` if it has no chunks.
    ///
    /// # Errors
    /// Any error while reading the index.
    pub fn of(array: &Array<'_>) -> Result<Option<Self>> {
        let Array::B2nd(array) = array else { return Ok(None) };
        let container = array.container();
        let numbers = 0..container.chunk_count();
        let stored = numbers.clone().map(|chunk| container.chunk_stored_bytes(chunk)).collect::<Result<_>>()?;
        Ok(Some(Chunks { lengths: numbers.map(|chunk| container.chunk_length(chunk)).collect(), stored }))
    }
}

impl StatsObject {
    /// Returns the statistics of an array.
    ///
    /// # Errors
    /// Any error while reading the items.
    pub fn of_array(array: &Array<'_>) -> Result<Self> {
        let series = of_type(&array.item_type().to_string(), stats::array(array)?);
        Ok(StatsObject {
            format: Some(array.format().name()),
            series,
            chunks: Chunks::of(array)?,
            ..StatsObject::default()
        })
    }

    /// Returns the statistics of items that are not in a file.
    ///
    /// # Errors
    /// Any error while reading the items.
    pub fn of_items(items: &mut dyn Items) -> Result<Self> {
        let type_name = items.item_type().to_string();
        Ok(StatsObject { series: of_type(&type_name, stats::items(items)?), ..StatsObject::default() })
    }

    /// Returns the statistics of columns of a table.
    ///
    /// # Errors
    /// [`ndbytes::Error::NoColumn`]; any error while reading the columns.
    pub fn of_columns(table: &idv::Table<'_>, names: &[String]) -> Result<Self> {
        let mut series = Vec::new();
        for name in names {
            let column = table.column(name)?;
            if let Some(column_type) = column.column_type() {
                series.push(SeriesObject::new(column_type.to_string(), name, stats::column(&column)?));
            }
        }
        Ok(StatsObject { format: Some(Format::Idv.name()), series, ..StatsObject::default() })
    }

    /// Returns the object as text.
    pub fn to_json(&self) -> String {
        let mut text = Vec::new();
        json::value(&mut text, self).expect("memory takes all that is written to it");
        String::from_utf8(text).expect("JSON is Unicode")
    }
}

fn of_type(type_name: &str, series: Vec<Series>) -> Vec<SeriesObject> {
    series.into_iter().map(|Series { name, statistics, .. }| SeriesObject::new(type_name, name, statistics)).collect()
}
