//! The layouts of all formats, for display.

use super::drivers::DRIVERS;
use crate::format::Format;
use everybyte::reference::Book;
use ndbytes_schemas::gzip;
use ndbytes_schemas::zip;

/// The layouts of a format or of a container (gzip or zip).
///
/// ```
/// let idx = ndbytes::layouts().find(|layout| layout.name == "idx").unwrap();
/// assert_eq!((idx.title, idx.order), ("IDX", "big-endian"));
/// for structure in &idx.books[0].types {
///     println!("{}: {}", structure.name, structure.doc); // what `ndbytes layout idx` shows
/// }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct LayoutReference {
    /// The format; `None` for gzip and zip, which contain files of other formats.
    pub format: Option<Format>,
    /// The short name, which also begins the names of its rules.
    pub name: &'static str,
    /// The display name.
    pub title: &'static str,
    /// The byte order.
    pub order: &'static str,
    /// A field reference for each structure.
    pub books: Vec<Book>,
}

/// All layouts of the built-in formats and containers.
pub fn layouts() -> impl Iterator<Item = LayoutReference> {
    let of_format = |driver: &&crate::format_driver::FormatDriver| {
        let (order, books) = driver.layouts;
        LayoutReference {
            format: Some(driver.format),
            name: driver.format.name(),
            title: driver.format.title(),
            order,
            books: books(),
        }
    };
    DRIVERS.iter().map(of_format).chain(of_wraps())
}

/// The short name and the display name of each of the [`layouts`], without building any layout.
pub fn layout_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_formats = DRIVERS.iter().map(|driver| (driver.format.name(), driver.format.title()));
    of_formats.chain(WRAPS.iter().map(|(name, title, _)| (*name, *title)))
}

/// The name of a container, its title, and its layouts.
type Wrap = (&'static str, &'static str, fn() -> Vec<Book>);

/// The containers (gzip and zip).
static WRAPS: [Wrap; 2] =
    [("gzip", "gzip, around files", || vec![Book::of::<gzip::Member>()]), ("zip", "zip, around files", zip_books)];

/// Returns the layouts of gzip and zip, which contain files of any format.
fn of_wraps() -> impl Iterator<Item = LayoutReference> {
    WRAPS.iter().map(|&(name, title, books)| {
        let (order, books) = ("little-endian", books());
        LayoutReference { format: None, name, title, order, books }
    })
}

/// Returns the records of a zip archive, in the order of the file.
fn zip_books() -> Vec<Book> {
    vec![
        Book::of::<zip::LocalHeader>(),
        Book::of::<zip::DataDescriptor>(),
        Book::of::<zip::DirectoryEntry>(),
        Book::of::<zip::DirectorySignature>(),
        Book::of::<zip::ExtraField>(),
        Book::of::<zip::Zip64>(),
        Book::of::<zip::Zip64EndRecord>(),
        Book::of::<zip::Zip64Locator>(),
        Book::of::<zip::EndRecord>(),
    ]
}
