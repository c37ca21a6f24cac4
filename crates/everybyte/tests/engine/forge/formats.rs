//! A format with numbers of every role, and with content that is stored in another form.

use everybyte::bits::*;
use everybyte::forge::{Choices, Grammar, Of};
use everybyte::map::Space;
use everybyte::{Book, Bytes, Endian, Format, Layout, Leb128, Node, Source, codes, layout, trace};

/// A shelf of books, and a note in hexadecimal digits.
#[layout]
#[brw(little, magic = b"SHELF")]
pub struct Shelf {
    /// Bytes up to the note.
    #[layout(extent = "magic..note")]
    length: u32,
    #[layout(place = note)]
    note_offset: u16,
    #[layout(fact)]
    wood: Wood,
    marks: Marks,
    #[br(temp)]
    #[bw(try_calc = u8::try_from(books.len()))]
    count: u8,
    #[layout(copy_of = count)]
    count_again: u8,
    #[br(count = count)]
    books: Vec<Volume>,
    #[layout(extent = note)]
    note_length: Leb128,
    /// Digits of the content, two a byte.
    #[br(args { length: note_length.value() })]
    note: Bytes,
    /// The sum of the bytes up to the note.
    #[layout(check_of = "magic..note")]
    sum: u16,
}

/// A book.
#[layout]
#[brw(little)]
pub struct Volume {
    #[layout(extent = title)]
    title_length: u8,
    #[br(args { length: title_length.into() })]
    title: Bytes,
    #[layout(fact)]
    pages: u16,
    #[brw(big)]
    weight: f32,
}

codes! {
    /// The wood of a shelf.
    pub struct Wood(u8) {
        /// Oak.
        OAK = 1 => "oak";
        /// Ash.
        ASH = 2 => "ash";
        /// Elm.
        ELM = 7 => "elm";
    }
}

/// The content of a shelf.
#[layout(bits = 8)]
pub struct Marks {
    doors: bool,
    boards: B3,
    reserved: B4,
}

/// The content of the note.
#[layout]
#[brw(big)]
pub struct Note {
    #[br(temp)]
    #[bw(try_calc = u8::try_from(words.len()))]
    count: u8,
    #[br(count = count)]
    words: Vec<u16>,
    #[layout(check_of = words)]
    sum: u8,
}

impl Format for Shelf {
    const NAME: &'static str = "shelf";

    fn book() -> Book {
        let mut book = Book::of::<Self>();
        Note::describe(&mut book);
        book
    }
}

/// The grammar of shelves.
pub struct Shelves(Of<Shelf>);

impl Shelves {
    pub fn new() -> Self {
        Shelves(Of::new())
    }
}

impl Grammar for Shelves {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn books(&self) -> &[Book] {
        self.0.books()
    }

    fn byte_order(&self, file: &[u8]) -> Endian {
        self.0.byte_order(file)
    }

    fn map(&self, file: &[u8]) -> Vec<Space> {
        let mut spaces = self.0.map(file);
        let Some(note) = spaces[0].edit("note") else { return spaces };
        let place = note.as_node().place();
        let digits = file.get(place.start as usize..place.end as usize).unwrap_or_default();
        let Some(content) = unpacked(digits) else { return spaces };
        note.opens(9);
        let (_, nodes) = trace::<Note>(Source::new(&content), Endian::Big, ());
        let read = |buffer: &mut [u8], at: u64| {
            let bytes = content.get(at as usize..).and_then(|rest| rest.get(..buffer.len())).ok_or(())?;
            buffer.copy_from_slice(bytes);
            Ok::<(), ()>(())
        };
        spaces.extend(Space::new(9, "note", content.len() as u64, nodes.into_parts(), read));
        spaces
    }

    fn content(&self, file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
        let note = spaces.first()?.nodes.iter().find(|node| node.opens() == Some(space))?;
        unpacked(file.get(note.start() as usize..note.end() as usize)?)
    }

    fn pack(&self, _: &[u8], _: &[Space], _: u32, content: &[u8]) -> Option<Vec<u8>> {
        Some(packed(content))
    }

    fn check_sum(&self, number: Node<'_>, bytes: &[u8]) -> Option<u64> {
        let sum = bytes.iter().fold(0_u64, |sum, &byte| sum + u64::from(byte));
        Some(sum % (1 << (number.length() * 8)))
    }

    fn operations(&self) -> &'static [&'static str] {
        &["paint"]
    }

    fn operate(&self, _: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
        let mut file = file.to_vec();
        *file.get_mut(12)? = *choices.pick(&[0, 1, 2, 3]);
        Some(file)
    }
}

fn unpacked(digits: &[u8]) -> Option<Vec<u8>> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(byte).collect()
}

fn packed(content: &[u8]) -> Vec<u8> {
    content.iter().flat_map(|byte| format!("{byte:02x}").into_bytes()).collect()
}

/// A shelf of two books, with a note of two words.
pub fn shelf() -> Vec<u8> {
    let note = packed(&[2, 0, 5, 1, 0, 6]);
    let mut file = b"SHELF\0\0\0\0\0\0\x01\x03\x02\x02".to_vec();
    for (title, pages) in [("Emma", 474_u16), ("She", 317)] {
        file.push(title.len() as u8);
        file.extend(title.as_bytes());
        file.extend(pages.to_le_bytes());
        file.extend(1.5_f32.to_be_bytes());
    }
    file.push(note.len() as u8);
    let offset = file.len();
    file.extend(note);
    let length = file.len() as u32;
    file[5..9].copy_from_slice(&length.to_le_bytes());
    file[9..11].copy_from_slice(&(offset as u16).to_le_bytes());
    let sum = file.iter().map(|&byte| u16::from(byte)).sum::<u16>();
    file.extend(sum.to_le_bytes());
    file
}
