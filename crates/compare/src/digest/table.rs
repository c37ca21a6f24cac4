//! The digest of a table.
//!
//! The definition is in the [parent module](super). Values are hashed row by row in leaves of 4,096 rows, so the blocks
//! of the file do not matter.

use super::{Digest, number, text};
use blake3::Hasher;
use ndbytes::idv::{Annotation, Column, ColumnType, Table, Value, Values};
use ndbytes::{Error, Result};

/// The number of rows in a leaf.
const LEAF: u64 = 4096;

/// The number of bytes that are gathered before they are hashed.
const PIECE: usize = 64 << 10;

/// The digest of the values of a table: see the [module](super).
///
/// ```
/// use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values, Writer};
/// use ndbytes_compare::digest;
///
/// let table = |rows_per_block| {
///     let size = NewColumn::new("Size", ColumnType::scalar(ItemType::F32));
///     let mut file = Writer::new([size]).rows_per_block(rows_per_block).begin(std::io::Cursor::new(Vec::new()))?;
///     file.write(&[Values::scalars(vec![0.5_f32, 1.5, 2.5])])?;
///     Ok::<_, ndbytes::Error>(file.finish_sink()?.into_inner())
/// };
/// // The division into blocks does not matter.
/// let (one, two) = (table(1)?, table(2)?);
/// let of = |bytes| digest::of_table(&ndbytes::idv::from_slice(bytes)?);
/// assert_eq!(of(&one)?, of(&two)?);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Errors
/// Any error while reading its values.
pub fn of_table(table: &Table<'_>) -> Result<Digest> {
    let columns: Vec<Column<'_>> = table.columns().filter(Column::is_readable).collect();
    let mut begun = Begun::of(table, columns.len());
    columns.iter().try_for_each(|column| begun.column(column, &mut |_, _| ()))?;
    table.ensure_rest()?;
    Ok(begun.finish())
}

/// The digest of a table, computed column by column.
pub(crate) struct Begun(Hasher);

impl Begun {
    /// Starts the digest of a table. The domain prefix distinguishes it from digests of arrays.
    pub fn of(table: &Table<'_>, columns: usize) -> Self {
        let mut hasher = Hasher::new();
        text(&mut hasher, b"ndbytes table 1");
        number(&mut hasher, table.rows());
        number(&mut hasher, columns as u64);
        Begun(hasher)
    }

    /// Adds the next column. `note` is called with every row.
    pub fn column(&mut self, column: &Column<'_>, note: &mut dyn FnMut(u64, &Value<'_>)) -> Result<()> {
        head(column, &mut self.0)?;
        leaves(column, &mut self.0, note)
    }

    /// The digest of everything hashed so far.
    pub fn finish(&self) -> Digest {
        Digest::of(&self.0)
    }
}

/// Adds everything that precedes the leaves of a column.
fn head(column: &Column<'_>, hasher: &mut Hasher) -> Result<()> {
    text(hasher, column.name().as_bytes());
    type_name(column.column_type(), hasher);
    let read = |annotation: Annotation<'_>| match annotation.read() {
        Ok(values) => Some(Ok((annotation.kind(), annotation.value_type().cloned(), values))),
        Err(Error::UnreadableColumn { .. }) => None,
        Err(error) => Some(Err(error)),
    };
    let annotations = column.annotations().filter_map(read).collect::<Result<Vec<_>>>()?;
    number(hasher, annotations.len() as u64);
    for (kind, value_type, values) in annotations {
        text(hasher, kind.as_bytes());
        type_name(value_type.as_ref(), hasher);
        let mut bytes = Vec::new();
        values.iter().for_each(|value| push(&value, hasher, &mut bytes));
        hasher.update(&bytes);
    }
    Ok(())
}

/// Hashes the name of a type, empty if it is unknown.
fn type_name(column_type: Option<&ColumnType>, hasher: &mut Hasher) {
    text(hasher, column_type.map(ToString::to_string).unwrap_or_default().as_bytes());
}

/// Adds the leaves of a column.
fn leaves(column: &Column<'_>, hasher: &mut Hasher, note: &mut dyn FnMut(u64, &Value<'_>)) -> Result<()> {
    let mut batches = column.batches();
    let (mut leaf, mut bytes) = (Hasher::new(), Vec::new());
    let mut row = 0;
    while let Some(batch) = batches.next() {
        let batch = batch?;
        for value in batch.values(0).into_iter().flat_map(Values::iter) {
            push(&value, &mut leaf, &mut bytes);
            note(row, &value);
            row += 1;
            if row % LEAF == 0 {
                hasher.update(leaf.update(&bytes).finalize().as_bytes());
                leaf.reset();
                bytes.clear();
            }
        }
    }
    if row % LEAF > 0 {
        hasher.update(leaf.update(&bytes).finalize().as_bytes());
    }
    Ok(())
}

/// Gathers the bytes of a value and hashes them when there are enough.
pub(crate) fn push(value: &Value<'_>, hasher: &mut Hasher, bytes: &mut Vec<u8>) {
    if bytes.len() > PIECE {
        hasher.update(bytes);
        bytes.clear();
    }
    match value {
        Value::Null => return bytes.push(0),
        _ => bytes.push(1),
    }
    match value {
        Value::Vector(vector) => {
            bytes.extend((vector.len() as u64).to_le_bytes());
            bytes.push(vector.indices().is_some().into());
            bytes.extend((vector.stored().len() as u64).to_le_bytes());
            for index in vector.indices().into_iter().flatten() {
                bytes.extend(u64::from(*index).to_le_bytes());
            }
            vector.stored().for_each(|item| push(&item, hasher, bytes));
        }
        Value::Text(text) => {
            bytes.extend((text.as_bytes().len() as u64).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        Value::Int(number) => bytes.extend(number.to_le_bytes()),
        Value::Uint(number) => bytes.extend(number.to_le_bytes()),
        Value::RowId(id) => bytes.extend(id.to_le_bytes()),
        Value::F32(number) => bytes.extend(number.to_bits().to_le_bytes()),
        Value::F64(number) => bytes.extend(number.to_bits().to_le_bytes()),
        Value::Bool(value) => bytes.push((*value).into()),
        Value::DateTimeOffset(time) => {
            bytes.extend(time.ticks.to_le_bytes());
            bytes.extend(time.offset_minutes.to_le_bytes());
        }
        Value::Null => {}
    }
}
