//! Writes IDX files item by item.

use super::elements::{IdxElement, header, write_slice};
use crate::bytes::atomic::AtomicFile;
use crate::error::{Error, Result};
use ndarray::{ArrayRef, Dimension};
use std::io::{Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// Writes items one by one. Their number, which is the length of the first axis, is written to the header at the end.
///
/// The file appears when [`StreamWriter::finish`] returns. If the writer is dropped before that, it leaves no file.
///
/// ```
/// # let items = [ndarray::Array2::<f32>::zeros((28, 28))];
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("features.idx");
/// use ndbytes::idx::{self, StreamWriter};
///
/// let mut writer = StreamWriter::<f32>::create(&path, &[28, 28])?;
/// for item in &items {
///     writer.push(item)?;
/// }
/// writer.finish()?;
/// assert_eq!(idx::open(&path)?.shape(), [items.len(), 28, 28]);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct StreamWriter<T> {
    path: PathBuf,
    file: AtomicFile,
    item_shape: Vec<usize>,
    items: usize,
    elements: PhantomData<T>,
}

impl<T: IdxElement> StreamWriter<T> {
    /// Starts a file whose items have this shape.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] as for [`write()`](super::write()); [`Error::Io`].
    pub fn create(path: impl AsRef<Path>, item_shape: &[usize]) -> Result<Self> {
        let path = path.as_ref().to_owned();
        let header = header::<T>(&[&[0], item_shape].concat())?;
        let mut file = AtomicFile::create(&path)?;
        file.write_all(&header).map_err(|error| Error::io(&path, error))?;
        Ok(StreamWriter { path, file, item_shape: item_shape.to_vec(), items: 0, elements: PhantomData })
    }

    /// Appends one item.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if its shape differs from the shape of the items; [`Error::Io`].
    pub fn push<D: Dimension>(&mut self, item: &ArrayRef<T, D>) -> Result<()> {
        if item.shape() != self.item_shape {
            let what = format!("an item of shape {:?} among items of shape {:?}", item.shape(), self.item_shape);
            return Err(Error::Inexpressible { format: "IDX", what });
        }
        if item.is_empty() {
            self.items += 1;
            return Ok(());
        }
        self.push_slice(&item.iter().copied().collect::<Vec<_>>())
    }

    /// Appends one or more items, given as row-major elements.
    ///
    /// # Errors
    /// [`Error::BufferLength`] if the elements do not form whole items; [`Error::Io`].
    pub fn push_slice(&mut self, elements: &[T]) -> Result<()> {
        let size: usize = self.item_shape.iter().product();
        if size == 0 || !elements.len().is_multiple_of(size) {
            return Err(Error::BufferLength { needed: size as u64, given: elements.len() as u64 });
        }
        write_slice(&mut self.file, elements).map_err(|error| error.at(&self.path))?;
        self.items += elements.len() / size;
        Ok(())
    }

    /// Writes the number of items to the header and gives the file its name.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if there are more than 2³² − 1 items; [`Error::Io`].
    pub fn finish(mut self) -> Result<()> {
        let header = header::<T>(&[&[self.items], self.item_shape.as_slice()].concat())?;
        let patched = self.file.seek(SeekFrom::Start(0)).and_then(|_| self.file.write_all(&header));
        patched.map_err(|error| Error::io(&self.path, error))?;
        self.file.commit()
    }
}
