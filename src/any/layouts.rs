//! The declared layouts of all formats, to be shown.

use super::rooms::ROOMS;
use crate::format::Format;
use everybyte::Book;
use ndbytes_schemas::gzip;
use ndbytes_schemas::zip;

/// The layouts of a format, or of a container (gzip, zip).
#[derive(Debug)]
#[non_exhaustive]
pub struct LayoutReference {
    /// The format; `None` for gzip and zip, which contain files of others.
    pub format: Option<Format>,
    /// The short name, with which rules begin too.
    pub name: &'static str,
    /// The name that people use.
    pub title: &'static str,
    /// The order of bytes.
    pub order: &'static str,
    /// A field reference for each structure.
    pub books: Vec<Book>,
}

/// Every layout there is, by format, of the formats that are built in.
pub fn layouts() -> impl Iterator<Item = LayoutReference> {
    let of_room = |room: &&crate::room::Room| {
        let (order, books) = room.layouts;
        LayoutReference {
            format: Some(room.format),
            name: room.format.name(),
            title: room.format.title(),
            order,
            books: books(),
        }
    };
    ROOMS.iter().map(of_room).chain(of_wraps())
}

/// The short name of each of [`layouts`], and the name that people use. No layout is looked at.
pub fn layout_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_rooms = ROOMS.iter().map(|room| (room.format.name(), room.format.title()));
    of_rooms.chain(WRAPS.iter().map(|(name, title, _)| (*name, *title)))
}

/// The name of a container, its title, and its layouts.
type Wrap = (&'static str, &'static str, fn() -> Vec<Book>);

/// The containers (gzip, zip).
static WRAPS: [Wrap; 2] =
    [("gzip", "gzip, around files", || vec![Book::of::<gzip::Member>()]), ("zip", "zip, around files", zip_books)];

fn of_wraps() -> impl Iterator<Item = LayoutReference> {
    WRAPS.iter().map(|&(name, title, books)| {
        let (order, books) = ("little-endian", books());
        LayoutReference { format: None, name, title, order, books }
    })
}

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
