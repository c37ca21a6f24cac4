//! TIFF 6.0, whose pages form a chain, with multi-page files from other programs.

use everybyte::{
    Format, Source, check, codes, explain,
    finding::Severity,
    format::rewrite,
    layout,
    list::{filling, rest},
    read,
    text::{Ascii, Closed, Text},
    view::ByteOrder,
    write,
};

/// A header, and where the first page stands.
#[layout]
struct Tiff {
    #[layout(steady, rule("tiff/order", error, order == *b"II" || order == *b"MM", "a file begins with II or MM"))]
    order: [u8; 2],
    #[layout(steady, rule("tiff/version", error, version == 42, "{version} is no version"))]
    version: u16,
    first: u32,
    #[layout(at = first, chain(page => page.next))]
    #[br(args(order == *b"MM"))]
    pages: Vec<Page>,
}

/// The fields of a page, and where the next one stands.
#[layout]
#[br(import(is_big_endian: bool))]
struct Page {
    #[br(calc = is_big_endian)]
    #[bw(ignore)]
    is_big: bool,
    #[br(temp)]
    count: u16,
    #[br(count = count)]
    entries: Vec<Entry>,
    /// 0 after the last page.
    #[layout(place = outer::pages)]
    next: u32,
    #[layout(each(entry in entries.iter().filter(|e| e.is_far()).collect::<Vec<_>>()), at = entry.value, size = entry.bytes())]
    #[br(args(entry.kind))]
    values: Vec<Values>,
    #[layout(each(strip in pieces(&entries, is_big)), at = strip.0, size = strip.1)]
    strips: Vec<Strip>,
}

/// A field of a page.
#[layout]
struct Entry {
    tag: u16,
    kind: Kind,
    count: u32,
    /// The value or, if it has over four bytes, where it stands.
    value: u32,
}

codes! {
    /// The type of a value.
    struct Kind(u16) {
        /// Any byte.
        BYTE = 1 => "byte", size = 1;
        /// A text that ends with a zero.
        ASCII = 2 => "ascii", size = 1;
        /// 16 bits.
        SHORT = 3 => "short", size = 2;
        /// 32 bits.
        LONG = 4 => "long", size = 4;
        /// A fraction.
        RATIONAL = 5 => "rational", size = 8;
    }
}

impl Entry {
    fn bytes(&self) -> u64 {
        u64::from(self.count).saturating_mul(self.kind.size())
    }

    fn is_far(&self) -> bool {
        self.bytes() > 4
    }

    /// Returns the number of an entry that has only one.
    fn number(&self, is_big: bool) -> u32 {
        if self.kind == Kind::SHORT && is_big { self.value >> 16 } else { self.value }
    }
}

/// Returns the offset and the length of the pixels of a page that has one strip.
fn pieces(entries: &[Entry], is_big: bool) -> Vec<(u32, u32)> {
    let number = |tag| entries.iter().find(|entry| entry.tag == tag && entry.count == 1).map(|it| it.number(is_big));
    number(273).zip(number(279)).into_iter().collect()
}

/// A value that does not fit into its entry.
#[layout(match = kind)]
#[br(import(kind: Kind))]
enum Values {
    #[when(Kind::ASCII)]
    Letters {
        #[br(parse_with = rest)]
        text: Text<Ascii, Closed<0>>,
    },
    #[when(Kind::RATIONAL)]
    Fractions {
        #[br(parse_with = filling(u64::MAX))]
        fractions: Vec<Fraction>,
    },
    #[when(_)]
    Other {
        #[br(parse_with = rest)]
        bytes: Vec<u8>,
    },
}

#[layout]
struct Fraction {
    numerator: u32,
    denominator: u32,
}

#[layout]
struct Strip {
    #[br(parse_with = rest)]
    #[layout(payload)]
    pixels: Vec<u8>,
}

impl Format for Tiff {
    const NAME: &'static str = "TIFF";
    const BYTE_ORDER: ByteOrder = ByteOrder::BigIf { at: 0, bytes: b"MM" };
    const PADDING: Option<u8> = Some(0);
}

const PILLOW: &[u8] = include_bytes!("pillow.tif");
const TIFFFILE: &[u8] = include_bytes!("tifffile.tif");

#[test]
fn pages_of_a_tiff_are_a_list() {
    for file in [PILLOW, TIFFFILE] {
        let order = Tiff::BYTE_ORDER.of(file);
        let tiff: Tiff = read(Source::new(file), order, ()).unwrap();
        let pixels: Vec<Vec<u8>> = tiff.pages.iter().map(|page| page.strips[0].pixels.clone()).collect();
        assert_eq!(pixels, [0, 40, 80].map(|first| (first..first + 15).collect::<Vec<u8>>()));
        assert_eq!(rewrite::<Tiff>(file).unwrap(), file);
    }
    assert_eq!(check::<Tiff>(TIFFFILE), []);
    let explained = explain::<Tiff>(TIFFFILE);
    assert_eq!(explained.findings, []);
    let shown = explained.to_string();
    assert!(shown.contains("pages[2].values[2].text") && shown.contains("pages[1].entries[0].tag"), "{shown}");
    let order = Tiff::BYTE_ORDER.of(TIFFFILE);
    assert_eq!(write(&read::<Tiff>(Source::new(TIFFFILE), order, ()).unwrap(), order).unwrap(), TIFFFILE);
}

#[test]
fn bytes_between_pages_that_belong_to_nobody_are_findings() {
    let found = check::<Tiff>(PILLOW);
    assert!(found.iter().all(|finding| finding.rule == "gap" && finding.severity == Severity::Error), "{found:?}");
    assert_eq!(found.iter().map(|finding| finding.bytes.start).collect::<Vec<_>>(), [161, 337]);
}

#[test]
fn a_page_that_leads_back_is_a_finding() {
    let mut file = TIFFFILE.to_vec();
    // The second page points back to the first one.
    file[0x17E..0x182].copy_from_slice(&8_u32.to_be_bytes());
    let found = check::<Tiff>(&file);
    assert!(found.iter().any(|finding| finding.rule == "loop" && finding.path == "pages[1]"), "{found:?}");
}
