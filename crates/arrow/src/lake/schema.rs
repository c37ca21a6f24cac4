//! The tables and their schemas, each declared in one place.

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use std::sync::{Arc, LazyLock};

/// A table about many files.
///
/// ```
/// use ndbytes_arrow::lake::Table;
///
/// let schema = Table::Findings.schema();
/// let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
/// assert_eq!(names[..5], ["path", "format", "rule", "severity", "field"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Table {
    /// One row per finding. A file without findings has no row.
    Findings,
    /// One row per file, and one per member of an archive or a store. Members come before their archive.
    Files,
    /// One row per column of every table.
    Columns,
}

/// The schemas, built once, in the order of [`Table::ALL`].
static SCHEMAS: LazyLock<[SchemaRef; 3]> = LazyLock::new(|| {
    let path = Field::new("path", DataType::Utf8, false);
    let format = Field::new("format", DataType::Utf8, true);
    let place = Field::new("place", DataType::UInt32, false);
    let with = |before: &[Field], fields: Fields| {
        let before = before.iter().cloned().map(Arc::new);
        Arc::new(Schema::new(before.chain(fields.iter().cloned()).collect::<Fields>()))
    };
    [
        with(&[path.clone(), format], finding_fields()),
        Arc::new(Schema::new(file_fields())),
        with(&[path, place], column_fields()),
    ]
});

impl Table {
    /// All tables.
    pub const ALL: [Table; 3] = [Table::Findings, Table::Files, Table::Columns];

    /// Its name: `findings`, `files` or `columns`.
    pub fn name(self) -> &'static str {
        match self {
            Table::Findings => "findings",
            Table::Files => "files",
            Table::Columns => "columns",
        }
    }

    /// Its schema, which does not depend on any option.
    pub fn schema(self) -> SchemaRef {
        SCHEMAS[self as usize].clone()
    }
}

fn text(name: &str) -> Field {
    Field::new(name, DataType::Utf8, false)
}

fn number(name: &str) -> Field {
    Field::new(name, DataType::UInt64, false)
}

/// Returns a list, whose items are never null.
fn list(name: &str, item: DataType, is_nullable: bool) -> Field {
    Field::new_list(name, item_field(item), is_nullable)
}

/// Returns the field of the items in a list.
pub(crate) fn item_field(item: DataType) -> Arc<Field> {
    Arc::new(Field::new(Field::LIST_FIELD_DEFAULT_NAME, item, false))
}

/// Returns the fields of a finding.
pub(crate) fn finding_fields() -> Fields {
    Fields::from(vec![
        text("rule"),
        text("severity"),
        text("field"),
        Field::new("space", DataType::UInt32, false),
        number("offset"),
        number("length"),
        text("message"),
        text("expected").with_nullable(true),
        text("found").with_nullable(true),
        text("help").with_nullable(true),
        text("reference").with_nullable(true),
    ])
}

/// Returns the fields of a column.
pub(crate) fn column_fields() -> Fields {
    Fields::from(vec![
        text("name"),
        text("type"),
        number("slots").with_nullable(true),
        number("categories").with_nullable(true),
        Field::new("readable", DataType::Boolean, false),
        Field::new("hidden", DataType::Boolean, false),
        text("compression").with_nullable(true),
        number("blocks"),
        number("stored_bytes"),
    ])
}

/// Returns the type of points in time: nanoseconds since 1970.
pub(crate) fn time() -> DataType {
    DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into()))
}

/// Returns the fields of a file.
fn file_fields() -> Fields {
    Fields::from(vec![
        text("path"),
        text("member").with_nullable(true),
        text("format").with_nullable(true),
        number("size").with_nullable(true),
        Field::new("mtime", time(), true),
        text("digest").with_nullable(true),
        text("verdict"),
        text("error").with_nullable(true),
        text("version").with_nullable(true),
        text("dtype").with_nullable(true),
        text("order").with_nullable(true),
        list("shape", DataType::UInt64, true),
        number("rows").with_nullable(true),
        list("columns", DataType::Struct(column_fields()), true),
        list("findings", DataType::Struct(finding_fields()), false),
    ])
}
