//! Columns and their annotations.

use super::read::batches::Batches;
use super::read::blocks::{annotation_path, annotation_stored};
use super::read::columns::ColumnBlocks;
use super::read::stream::Scratch;
use super::read::target::Target;
use super::structure::AnnotationParts;
use super::tolerance::admit;
use super::values::Values;
use super::values::types::ColumnType;
use crate::bytes::limits::Debit;
use crate::error::{Error, Result};
use ndbytes_schemas::idv as layout;
use std::ops::Range;

/// A column of a table.
///
/// ```
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/trees.idv");
/// let table = ndbytes::idv::open(path)?;
/// let names = table.column("Name")?;
/// assert_eq!((names.index(), names.name().as_str()), (0, "Name"));
/// assert_eq!(names.read()?.rows(), 4);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Column<'t> {
    pub(super) blocks: ColumnBlocks<'t>,
}

/// An annotation of a column, such as slot names or key values.
///
/// ```
/// use ndbytes::idv::{self, Value};
///
/// let trees = idv::open("samples/trees.idv")?;
/// let label = trees.column("Label")?;
/// let values = label.annotation("KeyValues").unwrap().read()?;
/// let names = values.vector(0).unwrap(); // the value of an annotation is a single row
/// assert!(matches!(names.get(0), Some(Value::Text(text)) if text == "conifer"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Annotation<'t> {
    column: Column<'t>,
    index: usize,
}

impl<'t> Column<'t> {
    pub(super) fn new(blocks: ColumnBlocks<'t>) -> Self {
        Column { blocks }
    }

    /// The column's index among all columns of the file.
    pub fn index(&self) -> usize {
        self.blocks.index
    }

    /// The name, in which bytes that are not UTF-8 become U+FFFD.
    pub fn name(&self) -> String {
        self.blocks.parts().entry.name.lossy().into_owned()
    }

    /// The type of the values; `None` if the codec is unknown.
    pub fn column_type(&self) -> Option<&'t ColumnType> {
        self.blocks.parts().column_type.as_ref()
    }

    /// The name of the codec.
    pub fn codec(&self) -> String {
        self.blocks.parts().entry.codec.name.lossy().into_owned()
    }

    /// The compression of the blocks.
    pub fn compression(&self) -> layout::Compression {
        self.blocks.parts().entry.compression
    }

    /// Returns whether a later, readable column has the same name.
    pub fn is_hidden(&self) -> bool {
        self.blocks.parts().is_hidden
    }

    /// Returns whether the codec and the compression are known.
    pub fn is_readable(&self) -> bool {
        self.blocks.parts().is_readable()
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.blocks.structure.rows()
    }

    /// The number of blocks.
    pub fn block_count(&self) -> usize {
        self.blocks.block_count()
    }

    /// The rows of a block.
    pub fn rows_of_block(&self, block: usize) -> Range<u64> {
        self.blocks.rows_of_block(block)
    }

    /// The total size of the blocks as stored, in bytes.
    pub fn stored_bytes(&self) -> u64 {
        self.blocks.parts().lookup.blocks.iter().map(|block| u64::try_from(block.stored_length).unwrap_or(0)).sum()
    }

    /// The annotations of the column.
    pub fn annotations(&self) -> impl ExactSizeIterator<Item = Annotation<'t>> + use<'t> {
        let column = *self;
        (0..self.blocks.parts().annotations.len()).map(move |index| Annotation { column, index })
    }

    /// The annotation of a kind, such as `SlotNames` or `KeyValues`.
    pub fn annotation(&self, kind: &str) -> Option<Annotation<'t>> {
        self.annotations().find(|annotation| annotation.kind() == kind)
    }

    /// The slot names of a column of vectors, each with its index. Slots without a name are left out. Files of version 1.1.1.3
    /// store slot names instead of annotations.
    ///
    /// # Errors
    /// As for [`Annotation::read`].
    pub fn slot_names(&self) -> Result<Option<Values>> {
        if let Some((names, _)) = &self.blocks.parts().slot_names {
            return Ok(Some(Values::of_slot_names(names)));
        }
        self.annotation("SlotNames").map(|annotation| annotation.read()).transpose()
    }

    /// The values of the categories of a key column. The first value belongs to the raw value 1.
    ///
    /// # Errors
    /// As for [`Annotation::read`].
    pub fn key_values(&self) -> Result<Option<Values>> {
        self.annotation("KeyValues").map(|annotation| annotation.read()).transpose()
    }

    /// Reads all values. Blocks are read, decompressed and decoded in parallel, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// [`Error::UnreadableColumn`] if the codec or compression is unknown; [`Error::Invalid`] if a block breaks a rule
    /// of severity error that is not tolerated; [`Error::Io`]; [`Error::Limit`].
    pub fn read(&self) -> Result<Values> {
        self.read_rows(0..self.rows())
    }

    /// Reads the values of some rows. Only the blocks that contain them are read.
    ///
    /// # Errors
    /// As for [`Column::read`]; also [`Error::OutOfRange`] if there are fewer rows.
    pub fn read_rows(&self, rows: Range<u64>) -> Result<Values> {
        let budget = self.blocks.budget();
        let kept = Debit::new(&budget);
        self.blocks.read_rows(rows, &budget, &kept)
    }

    /// Reads all values, a few blocks at a time.
    #[doc(hidden)]
    pub fn batches(&self) -> Batches<'t> {
        Batches::new(vec![self.blocks])
    }

    /// The values of a block.
    ///
    /// # Errors
    /// As for [`Column::read`]; also [`Error::OutOfRange`] if there are fewer blocks.
    pub fn read_block(&self, block: usize) -> Result<Values> {
        let column_type = self.blocks.readable_type()?;
        let mut values = Values::new(column_type.item, column_type.dims.is_some());
        let budget = self.blocks.budget();
        self.blocks.read_block_into(block, &mut Scratch::new(&budget), &Debit::new(&budget), &mut values)?;
        Ok(values)
    }
}

impl<'t> Annotation<'t> {
    /// The kind, such as `SlotNames` or `KeyValues`.
    pub fn kind(&self) -> String {
        self.parts().entry.kind.lossy().into_owned()
    }

    /// The type of the value; `None` if the codec is unknown.
    pub fn value_type(&self) -> Option<&'t ColumnType> {
        self.parts().column_type.as_ref()
    }

    /// The name of the codec.
    pub fn codec(&self) -> String {
        self.parts().entry.codec.name.lossy().into_owned()
    }

    fn parts(&self) -> &'t AnnotationParts {
        &self.column.blocks.parts().annotations[self.index]
    }

    /// The value, as a single row.
    ///
    /// # Errors
    /// [`Error::UnreadableColumn`] if the codec or compression is unknown; [`Error::Invalid`] if the block breaks a
    /// rule of severity error that is not tolerated; [`Error::Io`]; [`Error::Limit`].
    pub fn read(&self) -> Result<Values> {
        let ColumnBlocks { input, structure, settings, index } = self.column.blocks;
        let unreadable = || Error::UnreadableColumn { name: format!("{}.{}", self.column.name(), self.kind()) };
        let stored = annotation_stored(structure, index, self.index).ok_or_else(unreadable)?;
        let target = Target::of_annotation(structure, self.parts()).ok_or_else(unreadable)?;
        let budget = self.column.blocks.budget();
        let (values, findings) = target.read(input, &stored, &mut Scratch::new(&budget), &Debit::new(&budget))?;
        let path = annotation_path(index, self.index);
        let admitted = findings.into_iter().try_for_each(|finding| admit(settings, finding.within(&path)));
        input.placed(admitted)?;
        values.ok_or_else(unreadable)
    }
}
