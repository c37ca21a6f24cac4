//! Files whose format is known only at run time.

use super::array::{self, Array};
use super::drivers::known_format;
use super::named::with_name;
use crate::bytes::input::Input;
use crate::error::Error;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::format::Format;
use crate::idv::Table;
use crate::options::{Handle, OpenOptions, Settings};
use crate::types::dtype::Element;
use ndarray::ArrayD;
use std::path::Path;

/// The content of a file: an array or a table.
///
/// ```
/// use ndbytes::File;
///
/// let file = ndbytes::open("samples/trees.idv")?;
/// let File::Table(trees) = &file else { panic!("the file holds an array") };
/// assert_eq!((trees.rows(), file.format().title()), (4, "IDV"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "an opened file is one value; nobody keeps lists of them")]
pub enum File<'a> {
    /// An array.
    Array(Array<'a>),
    /// A table.
    Table(Box<Table<'a>>),
}

/// Options for opening a file of any format: [`OpenOptions`] has the methods.
pub type Options = OpenOptions<File<'static>>;

/// Opens a file of any format.
///
/// ```
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/samples/temperatures.b2nd");
/// use ndbytes::File;
///
/// match ndbytes::open(path)? {
///     File::Array(array) => println!("{:?} of {}", array.shape(), array.item_type()),
///     File::Table(table) => println!("{} rows", table.rows()),
///     _ => {}
/// }
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Errors
/// [`Error::Invalid`] if it is in an unknown format or breaks a rule of its format. [`Error::Archive`] if it is an
/// archive that has members or is empty. [`Error::Io`]. [`Error::Limit`].
pub fn open(path: impl AsRef<Path>) -> Result<File<'static>> {
    Options::new().open(path)
}

/// Reads the array of a file of any format.
///
/// ```
/// let heights = ndbytes::read::<f32>("samples/surface.ra")?;
/// assert_eq!((heights.shape(), heights[[0, 0]]), (&[4, 6][..], 3.75));
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Errors
/// As for [`open`]; also [`Error::NoArray`] if the file contains a table, and [`Error::WrongType`] if the elements are not `T`.
pub fn read<T: Element>(path: impl AsRef<Path>) -> Result<ArrayD<T>> {
    let options = Options::new();
    Array::read(Input::open(path, options.settings.limits)?, &options)?.to_array()
}

impl Handle for File<'static> {
    type Of<'a> = File<'a>;

    fn read_with<'a>(input: Input<'a>, settings: &Settings) -> Result<File<'a>> {
        with_name(input, settings, |input| match known_format(&input) {
            Some(Format::Idv) => Table::read_with(input, settings).map(|table| File::Table(Box::new(table))),
            _ => array::read_known(input, settings).map(File::Array),
        })
    }
}

impl<'a> File<'a> {
    /// The format of the file.
    pub fn format(&self) -> Format {
        match self {
            File::Array(array) => array.format(),
            File::Table(_) => Format::Idv,
        }
    }

    /// The array.
    ///
    /// # Errors
    /// [`Error::NoArray`] if the file contains a table.
    pub fn into_array(self) -> Result<Array<'a>> {
        match self {
            File::Array(array) => Ok(array),
            File::Table(_) => Err(Error::NoArray { format: Format::Idv }),
        }
    }

    /// Warnings: findings that did not prevent reading.
    pub fn warnings(&self) -> &[Finding] {
        match self {
            File::Array(array) => array.warnings(),
            File::Table(table) => table.warnings(),
        }
    }

    /// The errors that were tolerated because of the options.
    pub fn tolerated(&self) -> &[Finding] {
        match self {
            File::Array(array) => array.tolerated(),
            File::Table(table) => table.tolerated(),
        }
    }
}
