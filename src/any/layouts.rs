//! The declared layouts of all formats, to be shown.

use super::rooms::ROOMS;
use crate::format::Format;
use everybyte::Book;
#[cfg(feature = "gzip")]
use ndbytes_schemas::gzip;

/// The layouts of a format, or of what is around files of a format.
#[derive(Debug)]
#[non_exhaustive]
pub struct LayoutReference {
    /// The format; `None` of gzip, which is around others.
    pub format: Option<Format>,
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
        LayoutReference { format: Some(room.format), title: room.format.title(), order, books: books() }
    };
    ROOMS.iter().map(of_room).chain(of_wraps())
}

#[cfg(feature = "gzip")]
fn of_wraps() -> Option<LayoutReference> {
    let books = vec![Book::of::<gzip::Member>()];
    Some(LayoutReference { format: None, title: "gzip, around IDX", order: "little-endian", books })
}

#[cfg(not(feature = "gzip"))]
fn of_wraps() -> Option<LayoutReference> {
    None
}
