//! Paths of fields.

/// The name of the columns of a table in paths.
pub const COLUMNS: &str = "columns";

/// Returns the path of a column.
pub(crate) fn column_path(index: usize) -> String {
    format!("{COLUMNS}[{index}]")
}
