//! Structures at offsets, and derived numbers.

use crate::sampler::own::Again;
use everybyte::{
    Format,
    bytes::Bytes,
    layout,
    number::{Octal, U24},
    text::Text,
    varint::Leb128,
};

/// A page after a header, and one that is not always there.
#[layout]
#[brw(big)]
pub struct Pages {
    version: u8,
    next: u16,
    #[br(if(next > 0))]
    #[layout(at = next)]
    page: Option<Page>,
}

impl Pages {
    /// Returns whether the writer computes the position of a structure.
    pub fn has_computed_places(&self) -> bool {
        self.page.is_some()
    }
}

/// Cells at each of some offsets, which count from the page, and at places with lengths.
#[layout]
#[brw(big)]
struct Page {
    #[br(temp)]
    count: u8,
    #[br(temp, count = count)]
    pointers: Vec<u16>,
    #[br(temp)]
    places: u8,
    #[br(count = places)]
    entries: Vec<Place>,
    #[layout(each(pointer in pointers), at = pointer, relative_to = Page)]
    cells: Vec<Option<Name>>,
}

/// A place whose numbers are computed.
#[layout]
#[brw(big)]
struct Place {
    #[br(temp)]
    offset: u16,
    #[br(temp)]
    length: u8,
    #[layout(at = offset, size = length)]
    name: Name,
}

#[layout]
struct Name {
    #[br(temp)]
    length: u8,
    #[br(count = length)]
    text: Text,
}

impl Format for Pages {
    const NAME: &'static str = "pages";
}

/// Numbers about other fields: a place, lengths, counts, a copy and runs of fields.
#[layout]
#[brw(little, magic = b"SHELF")]
pub struct Shelf {
    #[layout(place = note)]
    note_offset: u16,
    #[layout(extent = "note_offset..books")]
    length: u16,
    #[br(temp)]
    #[bw(try_calc = u8::try_from(books.len()))]
    count: u8,
    #[layout(copy_of = count)]
    count_again: u8,
    #[layout(counts = books)]
    books_again: u8,
    #[br(count = count)]
    books: Vec<Volume>,
    #[layout(extent = note)]
    note_length: Leb128,
    #[br(args { length: note_length.value() })]
    note: Bytes,
    #[layout(extent = Shelf)]
    total: u16,
}

#[layout]
#[brw(little)]
struct Volume {
    #[layout(key)]
    tag: u8,
    #[layout(place = outer::note)]
    offset: u16,
    #[layout(extent = "title..weight")]
    length: u8,
    #[layout(extent = title)]
    title_length: u8,
    #[br(args { length: title_length.into() })]
    title: Bytes,
    #[brw(big)]
    weight: f32,
}

impl Format for Shelf {
    const NAME: &'static str = "shelf";
}

/// Structures at offsets that numbers of several kinds state. Some have to be there, and some may lead to the same bytes again.
#[layout]
#[brw(big)]
pub struct Shelves {
    start: Octal<4>,
    size: i8,
    #[layout(at = start, size = size)]
    first: Option<Label>,
    far: U24,
    #[layout(at = far)]
    second: Option<Label>,
    again_size: U24,
    #[layout(size = again_size.value())]
    again: Again,
    #[br(temp)]
    pointer_count: u16,
    #[br(count = pointer_count)]
    pointers: Vec<u16>,
    #[layout(each(pointer in pointers), at = pointer)]
    labels: Vec<Option<Label>>,
    #[br(temp)]
    further_count: u16,
    #[br(count = further_count)]
    further_pointers: Vec<u16>,
    #[layout(each(pointer in further_pointers), at = pointer)]
    further: Vec<Label>,
}

#[layout]
#[brw(big)]
struct Label {
    #[br(temp)]
    length: u16,
    #[br(count = length)]
    text: Vec<u8>,
}

impl Format for Shelves {
    const NAME: &'static str = "shelves";
}
