//! A format with numbers of every role, and with content that is stored in another form.

use everybyte::bits::*;
use everybyte::forge::{Choices, Grammar, Of};
use everybyte::map::Space;
use everybyte::sums::Summed;
use everybyte::{
    Endian, Format, Layout, Source,
    bytes::{Bytes, Zeros},
    codes, layout,
    map::Node,
    reference::Book,
    text::{Ascii, Ended, Text},
    trace::trace,
    varint::Leb128,
};

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

    fn check_sum(&self, number: Node<'_>, bytes: &[u8]) -> Option<Summed> {
        let sum = bytes.iter().fold(0_u64, |sum, &byte| sum + u64::from(byte));
        Some((sum % (1 << (number.length() * 8))).into())
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

/// Returns a shelf of two books, with a note of two words.
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

/// TZif, RFC 9636: the zones of a computer.
#[layout]
#[brw(big)]
pub struct Zone {
    #[br(args(false))]
    first: Block,
    #[br(if(first.version != 0))]
    second: Option<Second>,
}

/// The block with 64 bits, and the rule for later times.
#[layout]
#[brw(big)]
struct Second {
    #[br(args(true))]
    block: Block,
    #[layout(rule("tzif/footer", error, newline == b'\n', "a footer begins with a newline"))]
    newline: u8,
    /// The rule as in POSIX.
    rule: Text<Ascii, Ended<b'\n'>>,
}

/// Header and data.
#[layout]
#[brw(big, magic = b"TZif")]
#[br(import(is_wide: bool))]
struct Block {
    #[layout(steady, rule("tzif/version", error, matches!(version, 0 | b'2'..=b'4'), "version {version} is not known"))]
    version: u8,
    reserved: Zeros<15>,
    #[br(temp)]
    ut_count: u32,
    #[br(temp)]
    standard_count: u32,
    #[br(temp)]
    leap_count: u32,
    #[br(temp)]
    time_count: u32,
    #[br(temp)]
    kind_count: u32,
    #[br(temp)]
    names_length: u32,
    #[br(count = time_count, args { inner: (is_wide,) })]
    times: Vec<Time>,
    #[br(count = time_count)]
    kinds_of_times: Vec<u8>,
    #[br(count = kind_count)]
    kinds: Vec<Kind>,
    #[br(count = names_length)]
    names: Vec<u8>,
    #[br(count = leap_count, args { inner: (is_wide,) })]
    leaps: Vec<Leap>,
    #[br(count = standard_count)]
    are_standard: Vec<u8>,
    #[br(count = ut_count)]
    are_ut: Vec<u8>,
}

/// Seconds since 1970.
#[layout(match = is_wide)]
#[brw(big)]
#[br(import(is_wide: bool))]
enum Time {
    #[when(true)]
    Wide {
        #[layout(inline)]
        time: i64,
    },
    #[when(false)]
    Narrow {
        #[layout(inline)]
        time: i32,
    },
}

/// A kind of local time.
#[layout]
#[brw(big)]
struct Kind {
    offset: i32,
    #[layout(rule("tzif/dst", error, is_dst <= 1, "0 or 1"))]
    is_dst: u8,
    name: u8,
}

/// A leap second.
#[layout]
#[brw(big)]
#[br(import(is_wide: bool))]
struct Leap {
    #[br(args(is_wide))]
    at: Time,
    correction: i32,
}

impl Format for Zone {
    const NAME: &'static str = "TZif";
}

/// The zone of Tokyo with its last time alone.
pub fn zone() -> Vec<u8> {
    let block = |time: &[u8]| {
        let counts = b"\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x04";
        [b"TZif2", &[0; 15][..], counts, time, b"\0\0\0\x7e\x90\0\0JST\0\0\0"].concat()
    };
    let (narrow, wide) = (0xdd8c_fff0_u32.to_be_bytes(), (-577_962_000_i64).to_be_bytes());
    [block(&narrow), block(&wide), b"\nJST-9\n".to_vec()].concat()
}
