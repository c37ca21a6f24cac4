//! Compares views of everybyte with zerocopy and `object`, on the same bytes in one run: `cargo run --release --bin views -- ELF`
//!
//! Each line has the best, the median and the worst of 51 turns in microseconds, and the ratio of the best time to the peer's best.

#![allow(clippy::disallowed_methods, reason = "it trusts its own files")]

use everybyte::{
    Endian, Format, ParseError, layout,
    list::{filling, rest},
    text::NulString,
    view::{ByteOrder, Viewed, view},
};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

/// A symbol of six fields.
#[layout(view)]
#[brw(little)]
struct Symbols {
    #[br(temp)]
    count: u32,
    #[br(count = count)]
    symbols: Vec<Symbol>,
}

#[layout(view)]
struct Symbol {
    name: u32,
    info: u8,
    other: u8,
    section: u16,
    value: u64,
    size: u64,
}

/// The same, but for zerocopy.
mod peer {
    use zerocopy::little_endian::{U16, U32, U64};
    use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

    #[derive(FromBytes, Immutable, KnownLayout, Unaligned)]
    #[repr(C)]
    pub struct Symbol {
        name: U32,
        info: u8,
        other: u8,
        section: U16,
        pub value: U64,
        size: U64,
    }
}

/// A 64-bit ELF file.
#[layout(view)]
#[brw(magic = b"\x7fELF")]
struct Elf {
    identity: [u8; 12],
    kind: u16,
    machine: u16,
    version: u32,
    entry: u64,
    segments_offset: u64,
    sections_offset: u64,
    flags: u32,
    header_size: u16,
    segment_size: u16,
    segment_count: u16,
    section_size: u16,
    #[br(temp)]
    section_count: u16,
    names: u16,
    #[br(count = section_count)]
    #[layout(at = sections_offset)]
    sections: Vec<Section>,
    #[br(args(section.kind))]
    #[layout(each(section in sections), at = section.offset, size = if section.kind == 0 || section.kind == 8 { 0 } else { section.size })]
    contents: Vec<Content>,
}

#[layout(view)]
struct Section {
    name: u32,
    kind: u32,
    flags: u64,
    address: u64,
    offset: u64,
    size: u64,
    link: u32,
    info: u32,
    alignment: u64,
    entry_size: u64,
}

#[layout(match = kind, view)]
#[br(import(kind: u32))]
enum Content {
    #[when(2 | 11)]
    Symbols {
        #[br(parse_with = filling(u64::MAX))]
        symbols: Vec<Symbol>,
    },
    #[when(_)]
    Other {
        #[br(parse_with = rest)]
        bytes: Vec<u8>,
    },
}

impl Format for Elf {
    const NAME: &'static str = "ELF";
    const BYTE_ORDER: ByteOrder = ByteOrder::BigIf { at: 5, bytes: b"\x02" };
}

/// Adds up the entry, the sizes of sections and the values of symbols, and the lengths of their names.
fn read_with_views(file: &[u8]) -> Result<(u64, usize), Box<ParseError>> {
    let elf = Elf::view(file)?;
    let (mut sum, mut letters, sections) = (elf.entry()?, 0, elf.sections()?);
    for (section, content) in sections.iter().zip(elf.contents()?) {
        let section = section?;
        sum = sum.wrapping_add(section.size()?);
        if !matches!(section.kind()?, 2 | 11) {
            continue;
        }
        let ContentView::Symbols(table) = content? else { continue };
        let strings = match elf.contents()?.nth(section.link()? as usize).transpose()? {
            Some(ContentView::Other(strings)) => strings.bytes()?,
            _ => &[],
        };
        for symbol in table.symbols()? {
            let symbol = symbol?;
            sum = sum.wrapping_add(symbol.value()?);
            let name = strings.get(symbol.name()? as usize..).unwrap_or_default();
            letters += view::<NulString>(name, Endian::Little)?.len();
        }
    }
    Ok((sum, letters))
}

/// The same, but with `object`.
fn read_with_object(file: &[u8]) -> Result<(u64, usize), object::Error> {
    use object::read::elf::{ElfFile64, FileHeader, SectionHeader};
    use object::{Object, ObjectSymbol, ObjectSymbolTable};
    let elf = ElfFile64::<object::Endianness>::parse(file)?;
    let (endian, mut letters) = (elf.endian(), 0);
    let mut sum = elf.elf_header().e_entry(endian);
    for section in elf.elf_section_table().iter() {
        sum = sum.wrapping_add(section.sh_size(endian));
    }
    for table in [elf.symbol_table(), elf.dynamic_symbol_table()].into_iter().flatten() {
        for symbol in table.symbols() {
            sum = sum.wrapping_add(symbol.address());
            letters += symbol.name_bytes()?.len();
        }
    }
    Ok((sum, letters))
}

/// Prints the time of some work, and its ratio to a peer's. Returns the best time.
fn timed<T>(name: &str, peer: Option<f64>, mut work: impl FnMut() -> T) -> f64 {
    let turn = || {
        let start = Instant::now();
        (0..10).for_each(|_| drop(black_box(work())));
        start.elapsed().as_nanos() as f64 / 10_000.0
    };
    let mut turns: Vec<f64> = std::iter::repeat_with(turn).take(51).collect();
    turns.sort_by(f64::total_cmp);
    let of_peer = peer.map(|peer| format!(", {:.2} of the peer's", turns[0] / peer)).unwrap_or_default();
    println!("{name:28} {:8.2} {:8.2} {:8.2}{of_peer}", turns[0], turns[25], turns[50]);
    turns[0]
}

fn main() -> Result<(), Box<dyn Error>> {
    const COUNT: usize = 100_000;
    let mut bytes = (COUNT as u32).to_le_bytes().to_vec();
    bytes.extend((0..COUNT * 24).map(|place| (place * 7) as u8));
    let with_zerocopy = || {
        let symbols =
            <[peer::Symbol] as zerocopy::FromBytes>::ref_from_prefix_with_elems(&black_box(&bytes)[4..], COUNT);
        symbols.map(|(symbols, _)| symbols.iter().fold(0_u64, |sum, symbol| sum.wrapping_add(symbol.value.get()))).ok()
    };
    let with_views = || -> Result<u64, Box<ParseError>> {
        let mut symbols = view::<Symbols>(black_box(&bytes), Endian::Little)?.symbols()?.iter();
        symbols.try_fold(0_u64, |sum, symbol| Ok(sum.wrapping_add(symbol?.value()?)))
    };
    assert_eq!(with_views().ok(), with_zerocopy());
    let peer = timed("symbols, zerocopy", None, with_zerocopy);
    timed("symbols, views", Some(peer), with_views);
    let path = std::env::args_os().nth(1).ok_or("name an ELF file of 64 bits")?;
    let file = std::fs::read(path)?;
    assert_eq!(read_with_views(&file)?, read_with_object(&file)?);
    let peer = timed("ELF, object", None, || read_with_object(black_box(&file)));
    timed("ELF, views", Some(peer), || read_with_views(black_box(&file)));
    Ok(())
}
