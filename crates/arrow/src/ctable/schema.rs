//! The description of a table in a store.

use crate::error::{Error, Result};
use ndbytes::Limits;
use ndbytes::archive::Archive;
use ndbytes::blosc2;
use serde_json::Value;

/// The name of the frame whose attributes describe the table.
const DESCRIPTION: &str = "_meta.b2f";

/// The maximum length of a description.
const LONGEST: usize = 16 << 20;

/// The maximum number of columns.
const MOST_COLUMNS: usize = 100_000;

/// A described table.
#[derive(Debug)]
pub struct Described {
    pub columns: Vec<DescribedColumn>,
}

/// A described column.
#[derive(Debug, Clone)]
pub struct DescribedColumn {
    pub name: String,
    /// Its name among the members.
    pub stored: String,
    pub kind: String,
    /// The unit of times.
    pub unit: Option<String>,
    /// Whether a mask states which values are missing.
    pub has_mask: bool,
    /// Whether another value marks missing values.
    pub has_sentinel: bool,
    /// The code of a missing category.
    pub null_code: i64,
    /// Whether the numbers in the items of an array stand for booleans.
    pub is_widened: bool,
}

impl Described {
    /// Returns the column with this name.
    pub fn column(&self, name: &str) -> Result<&DescribedColumn> {
        let found = self.columns.iter().find(|column| column.name == name);
        found.ok_or_else(|| Error::Column { column: name.to_owned(), what: "is not in the table".into() })
    }
}

/// Reads the description of a table; `None` if the store has none.
pub fn read(archive: &Archive<'static>, limits: Limits) -> Result<Option<Described>> {
    let Some(member) = archive.members().iter().find(|member| member.name() == DESCRIPTION) else { return Ok(None) };
    let frame = blosc2::Options::new().limits(limits).read(archive.load(member)?)?;
    let text = |name: &str| -> Result<Option<String>> {
        if !frame.attribute_names().iter().any(|attribute| attribute == name) {
            return Ok(None);
        }
        Ok(frame.attribute_value(name)?.as_str().map(str::to_owned))
    };
    if text("kind")?.as_deref() != Some("ctable") {
        return Ok(None);
    }
    let schema = text("schema")?.ok_or_else(|| broken("the table has no schema"))?;
    if schema.len() > LONGEST {
        return Err(broken(format!("the schema has {} bytes, but at most {LONGEST} are read", schema.len())));
    }
    let schema: Value =
        serde_json::from_str(&schema).map_err(|error| broken(format!("the schema is not JSON: {error}")))?;
    let listed = schema["columns"].as_array().ok_or_else(|| broken("the schema lists no columns"))?;
    if listed.len() > MOST_COLUMNS {
        return Err(broken(format!("the table has over {MOST_COLUMNS} columns")));
    }
    let stored = &schema["metadata"]["nested"]["logical_to_physical"];
    let columns = listed.iter().map(|column| {
        let text = |key: &str| column[key].as_str().map(str::to_owned);
        let name = text("name").ok_or_else(|| broken("a column has no name"))?;
        Ok(DescribedColumn {
            stored: stored[&name].as_str().unwrap_or(&name).to_owned(),
            kind: text("kind").ok_or_else(|| broken(format!("the column {name:?} has no type")))?,
            unit: text("unit"),
            has_mask: column["null_storage"] == "mask",
            has_sentinel: column["null_storage"] == "sentinel" || !column["null_value"].is_null(),
            null_code: column["null_code"].as_i64().unwrap_or(-1),
            is_widened: column["bool_widened_to_uint8"] == true,
            name,
        })
    });
    Ok(Some(Described { columns: columns.collect::<Result<_>>()? }))
}

/// Returns the error for a store that is not the table that it claims to be.
pub fn broken(what: impl Into<String>) -> Error {
    Error::Broken(what.into())
}
