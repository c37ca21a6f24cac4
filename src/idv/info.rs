//! A short description of a table.

use super::column::Column;
use super::open::Options;
use super::table::Table;
use super::values::types::{ColumnType, ItemType};
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::format::Format;
use crate::format::info::{AnnotationInfo, ColumnInfo, Info, TableInfo};
use std::collections::BTreeMap;

/// Describes a table without reading its blocks.
pub(crate) fn info(input: Input<'_>, limits: Limits) -> Result<(Info, Vec<Finding>)> {
    let size = input.length();
    let table = Options::new().limits(limits).read(input)?;
    let (version, compatible) = (table.version(), table.compatible_version());
    let mut details = BTreeMap::new();
    if version != compatible {
        details.insert("compatible", compatible.to_string());
    }
    let mut columns = table.debited_list(table.columns().len(), "the columns of a table")?;
    for column in table.columns() {
        columns.push(column_info(&table, &column)?);
    }
    let warnings = table.warnings().to_vec();
    let table = TableInfo { rows: table.rows(), columns };
    let info = Info {
        format: Format::Idv,
        size,
        version: Some(version.to_string()),
        array: None,
        table: Some(table),
        details,
        metadata: Vec::new(),
    };
    Ok((info, warnings))
}

/// Describes a column. The memory for its name and for the names of its annotations is debited.
fn column_info(table: &Table<'_>, column: &Column<'_>) -> Result<ColumnInfo> {
    let info = ColumnInfo {
        name: column.name(),
        r#type: column.column_type().map_or_else(|| column.codec(), ToString::to_string),
        slots: column.column_type().and_then(ColumnType::vector_size).map(u64::from),
        categories: match column.column_type().map(|column_type| column_type.item) {
            Some(ItemType::Key(key)) => Some(key.count),
            _ => None,
        },
        readable: column.is_readable(),
        hidden: column.is_hidden(),
        compression: column.compression().name(),
        blocks: column.block_count() as u64,
        stored_bytes: column.stored_bytes(),
        annotations: Vec::new(),
    };
    let mut annotations = table.debited_list(column.annotations().len(), "annotations")?;
    for annotation in column.annotations() {
        let kind = annotation.kind();
        let r#type = annotation.value_type().map_or_else(|| annotation.codec(), ToString::to_string);
        table.debit(kind.len() + r#type.len(), "annotations")?;
        annotations.push(AnnotationInfo { kind, r#type });
    }
    table.debit(info.name.len() + info.r#type.len(), "the columns of a table")?;
    Ok(ColumnInfo { annotations, ..info })
}
