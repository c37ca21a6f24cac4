//! Files and directories for which ndbytes has no rules, and their content.

use super::kind::ForeignKind;
use super::paths::{name_in, name_of};
use crate::arrays::part::ArraySource;
use crate::error::Result;
#[cfg(feature = "png")]
use crate::pictures::Pictures;
#[cfg(feature = "tables")]
use crate::tables::source::TableSource;
use crate::zarr::array::ZarrArray;
use crate::zarr::store::ZarrStore;
use ndbytes::Limits;
use std::path::{Path, PathBuf};

/// A file or directory that ndbytes reads although it has no rules for it: a Zarr store, or a table in a third-party format.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("sizes.csv");
/// # std::fs::write(&path, "Name,Size\nfir,40.5\nash,30.0\n").unwrap();
/// use ndbytes::Limits;
/// use ndbytes_convert::door::{ForeignKind, Opened};
///
/// # #[cfg(feature = "tables")]
/// # {
/// let opened = Opened::open(&path, None, Limits::default())?;
/// let Opened::Foreign(sizes) = opened else { panic!("ndbytes has no rules for CSV") };
/// assert_eq!(sizes.kind(), ForeignKind::Csv);
/// assert_eq!(sizes.table().unwrap().count()?, 2); // rows
/// # }
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug)]
pub struct Foreign {
    /// The path of the file or directory, without the name of a part of it.
    pub(super) path: PathBuf,
    pub(super) kind: ForeignKind,
    pub(super) content: Content,
    pub(super) limits: Limits,
}

/// The content at a path.
#[derive(Debug)]
pub(super) enum Content {
    /// A store and the path of the requested array or group in it.
    Zarr { store: Box<ZarrStore>, within: String },
    #[cfg(feature = "png")]
    Pictures(Pictures),
    #[cfg(feature = "tables")]
    Table(TableSource),
}

/// An array in a file or directory without rules.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("surface.zarr");
/// use ndbytes::Limits;
/// use ndbytes_convert::door::Foreign;
/// # use ndbytes_convert::{ArraySource, FileKind, Options, Source, Target, convert};
/// # let surface = ndbytes::open("../../samples/surface.ra")?.into_array()?;
/// # let sources = [Source::Array(ArraySource::new("surface", &surface))];
/// # convert(&sources, FileKind::Zarr, Target::File(&path), &Options::new())?;
///
/// let store = Foreign::at(&path, Limits::default())?.expect("a Zarr store");
/// for array in store.arrays()? {
///     println!("{}: {:?}", array.name, array.source().shape());
/// #   assert_eq!(array.source().shape(), [4, 6]);
/// }
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug)]
pub struct NamedArray<'f> {
    /// The name of the array, or the name of the file if the array has none.
    pub name: String,
    /// The name after `!` in an address. `None` for the only array of a file, which does not need a name.
    pub address: Option<String>,
    /// The array.
    pub held: Held<'f>,
}

/// How an array is stored.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("surface.zarr");
/// use ndbytes::Limits;
/// use ndbytes_convert::door::{Foreign, Held};
/// # use ndbytes_convert::{ArraySource, FileKind, Options, Source, Target, convert};
/// # let surface = ndbytes::open("../../samples/surface.ra")?.into_array()?;
/// # let sources = [Source::Array(ArraySource::new("surface", &surface))];
/// # convert(&sources, FileKind::Zarr, Target::File(&path), &Options::new())?;
///
/// let store = Foreign::at(&path, Limits::default())?.expect("a Zarr store");
/// assert!(matches!(store.arrays()?[0].held, Held::Zarr(_)));
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Held<'f> {
    /// In the chunks of a store.
    Zarr(Box<ZarrArray<'f>>),
    /// In pictures.
    #[cfg(feature = "png")]
    Pictures(&'f Pictures),
}

impl NamedArray<'_> {
    /// The array as a source for a conversion, or for reading items.
    pub fn source(&self) -> ArraySource<'_> {
        match &self.held {
            Held::Zarr(array) => ArraySource::zarr_array(&self.name, array),
            #[cfg(feature = "png")]
            Held::Pictures(pictures) => ArraySource::pictures(&self.name, pictures),
        }
    }
}

impl Foreign {
    /// Opens the pictures in a directory.
    #[cfg(feature = "png")]
    pub fn pictures(path: impl Into<PathBuf>, pictures: Pictures, limits: Limits) -> Self {
        Foreign { path: path.into(), kind: ForeignKind::Png, content: Content::Pictures(pictures), limits }
    }

    /// The path of the file or directory, without the name of an array in it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The kind.
    pub fn kind(&self) -> ForeignKind {
        self.kind
    }

    /// The length of the file in bytes; for a store, the length of its values.
    ///
    /// # Errors
    /// Any error while reading the descriptions of the arrays of a store.
    pub fn length(&self) -> Result<u64> {
        match &self.content {
            #[cfg(feature = "tables")]
            Content::Table(table) => Ok(table.length()),
            _ => Ok(self.arrays()?.iter().map(|array| array.source().length()).fold(0, u64::saturating_add)),
        }
    }

    /// The table, if there is one.
    #[cfg(feature = "tables")]
    pub fn table(&self) -> Option<&TableSource> {
        match &self.content {
            Content::Table(table) => Some(table),
            _ => None,
        }
    }

    /// Reads the descriptions of its arrays or columns.
    ///
    /// # Errors
    /// The first error in them.
    pub fn ensure_described(&self) -> Result<()> {
        #[cfg(feature = "tables")]
        if let Some(table) = self.table() {
            return table.shown_columns(self.limits).map(drop);
        }
        self.arrays().map(drop)
    }

    /// Reads all of its values.
    ///
    /// # Errors
    /// The first error.
    pub fn ensure_readable(&self) -> Result<()> {
        #[cfg(feature = "tables")]
        if let Some(table) = self.table() {
            return table.ensure_readable(self.limits);
        }
        for array in self.arrays()? {
            let source = array.source();
            let mut items = source.items()?;
            let (count, piece) = (items.count(), items.piece());
            let mut start = 0;
            while start < count {
                self.limits.ensure_time()?;
                let asked = piece.min(count - start);
                items.read(start, asked)?;
                start += asked;
            }
        }
        Ok(())
    }

    /// The requested arrays. A table has none.
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed) if it violates its format; any error of the library.
    pub fn arrays(&self) -> Result<Vec<NamedArray<'_>>> {
        match &self.content {
            Content::Zarr { store, within } => {
                // If the path is missing or not a group, opening it returns an error that names it.
                let names = match store.arrays(within)? {
                    arrays if arrays.is_empty() => vec![within.clone()],
                    arrays => arrays,
                };
                let open = |path: String| {
                    let held = Held::Zarr(ZarrArray::open(store, &path)?.into());
                    let name = name_in(&path, &self.path, within);
                    Ok(NamedArray { name, address: Some(path).filter(|path| !path.is_empty()), held })
                };
                names.into_iter().map(open).collect()
            }
            #[cfg(feature = "png")]
            Content::Pictures(pictures) => {
                let (name, held) = (name_of(&self.path), Held::Pictures(pictures));
                Ok(vec![NamedArray { name, address: None, held }])
            }
            #[cfg(feature = "tables")]
            Content::Table(_) => Ok(Vec::new()),
        }
    }
}
