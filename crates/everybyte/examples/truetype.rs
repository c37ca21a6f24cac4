//! TrueType and OpenType fonts: a directory of tables. `cargo run -p everybyte --example truetype -- explain FILE`
//!
//! Source: "The OpenType Font File" and the pages on `head` and `maxp` in Microsoft's OpenType specification.

use everybyte::bits::*;
use everybyte::{Book, Endian, Examination, Format, Layout, codes, layout};

/// The directory with which a font begins.
#[layout]
#[brw(big)]
pub struct Font {
    version: Version,
    /// Number of tables.
    #[br(temp)]
    #[bw(try_calc = u16::try_from(tables.len()))]
    count: u16,
    /// The largest power of two that is not above the number of tables, times 16.
    search_range: u16,
    /// The exponent of that power.
    entry_selector: u16,
    /// Number of tables times 16, less `search_range`.
    range_shift: u16,
    /// The tables, in the order of their tags.
    #[br(count = count)]
    tables: Vec<Record>,
}

/// The kind of the outlines.
#[layout]
#[brw(big, repr = u32)]
enum Version {
    /// TrueType outlines.
    TrueType = 0x0001_0000,
    /// `OTTO`: outlines of PostScript.
    PostScript = 0x4F54_544F,
    /// `true`: TrueType outlines, Apple's way.
    Apple = 0x7472_7565,
}

/// The entry of a table in the directory.
#[layout]
#[brw(big)]
struct Record {
    tag: [u8; 4],
    /// The sum of the table's words of 32 bits; that of `head` leaves out its `adjustment`.
    check_sum: u32,
    /// From the beginning of the file.
    offset: u32,
    /// Bytes of the table, without padding.
    length: u32,
}

/// Facts about the whole font.
#[layout]
#[brw(big)]
struct Head {
    /// 1.0.
    version: u32,
    /// The makers' own number.
    revision: u32,
    /// Makes the sum of the whole file 0xB1B0AFBA.
    adjustment: u32,
    #[br(assert(magic == 0x5F0F_3CF5, "the magic number is not 0x5f0f3cf5"))]
    magic: u32,
    flags: HeadFlags,
    units_per_em: u16,
    /// Seconds since 1904.
    created: i64,
    modified: i64,
    x_min: i16,
    y_min: i16,
    x_max: i16,
    y_max: i16,
    mac_style: u16,
    /// In pixels.
    smallest_readable: u16,
    direction: Direction,
    /// Width of the offsets in `loca`.
    index_to_loc_format: LocaFormat,
    glyph_data_format: i16,
}

codes! {
    /// The direction of the glyphs.
    struct Direction(i16) {
        /// From right to left, with neutral ones.
        LEFT_NEUTRAL = -2 => "right to left, neutral";
        /// From right to left.
        LEFT = -1 => "right to left";
        /// Glyphs of both directions.
        MIXED = 0 => "mixed";
        /// From left to right.
        RIGHT = 1 => "left to right";
        /// From left to right, with neutral ones.
        RIGHT_NEUTRAL = 2 => "left to right, neutral";
    }
}

codes! {
    /// The width of an offset in `loca`.
    struct LocaFormat(i16) {
        /// 16 bits, which are half the offset.
        SHORT = 0 => "short";
        /// 32 bits.
        LONG = 1 => "long";
    }
}

/// How glyphs are placed and scaled.
#[layout(bits = 16)]
struct HeadFlags {
    /// The baseline is at y = 0.
    baseline_at_0: bool,
    /// The left side bearing is at x = 0.
    bearing_at_0: bool,
    /// Instructions depend on the size.
    by_size: bool,
    integer_scaling: bool,
    /// Instructions change the widths.
    changed_widths: bool,
    other: B11,
}

/// The needs of the font; the rest of version 1.0 is not declared here.
#[layout]
#[brw(big)]
struct Maxp {
    version: u32,
    glyphs: u16,
    #[br(if(version == 0x0001_0000))]
    limits: Option<[u8; 26]>,
}

/// Names in the map. A table of another tag is called `table`.
const TAGS: [&str; 20] = [
    "cmap", "hhea", "hmtx", "name", "OS/2", "post", "cvt", "fpgm", "glyf", "loca", "prep", "gasp", "CFF", "GDEF",
    "GPOS", "GSUB", "kern", "DSIG", "FFTM", "VDMX",
];

impl Format for Font {
    const NAME: &'static str = "TrueType";

    fn byte_order(_: &[u8]) -> Endian {
        Endian::Big
    }

    fn examine(&self, file: &mut Examination<'_>) {
        // Tables that share bytes are findings anyway; their sums could take for ever.
        let lengths = self.tables.iter().map(|table| u64::from(table.length)).sum::<u64>();
        for (place, table) in self.tables.iter().enumerate() {
            let Record { tag, offset, length, .. } = *table;
            match &tag {
                b"head" => drop(file.within::<Head>("head", offset, length, ())),
                b"maxp" => drop(file.within::<Maxp>("maxp", offset, length, ())),
                tag => match TAGS.iter().find(|known| known.as_bytes() == tag.trim_ascii_end()) {
                    Some(known) => drop(file.region(*known, offset, length)),
                    None => drop(file.region(("table", place as u64), offset, length)),
                },
            }
            let end = u64::from(offset) + u64::from(length);
            let padding = (end.next_multiple_of(4) - end).min(file.length().saturating_sub(end));
            file.region(("padding", place as u64), end, padding);
            if lengths <= file.length()
                && let Some(sum) = check_sum(file.bytes(), table)
                && sum != table.check_sum
            {
                let message = format!("the words of the table add up to {sum:#010x}");
                file.finding("font/check-sum", format!("tables[{place}].check_sum"), message);
            }
        }
        let power = self.tables.len().max(1).ilog2() as u16;
        if self.entry_selector != power {
            file.finding("font/entry-selector", "entry_selector", format!("it should be {power}"));
        }
        if !self.tables.is_sorted_by_key(|table| table.tag) {
            file.finding("font/order", "tables", "the tables are not in the order of their tags");
        }
    }

    fn book() -> Book {
        let mut book = Book::of::<Self>();
        Head::describe(&mut book);
        Maxp::describe(&mut book);
        book
    }
}

/// The sum of a table's words, if the file has all of it.
fn check_sum(file: &[u8], table: &Record) -> Option<u32> {
    let start = usize::try_from(table.offset).ok()?;
    let bytes = file.get(start..)?.get(..usize::try_from(table.length).ok()?)?;
    let sum = bytes.chunks(4).fold(0_u32, |sum, chunk| {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        sum.wrapping_add(u32::from_be_bytes(word))
    });
    let adjustment = bytes.get(8..12).filter(|_| table.tag == *b"head");
    let adjustment = adjustment.map_or(0, |word| u32::from_be_bytes(word.try_into().expect("it has four bytes")));
    Some(sum.wrapping_sub(adjustment))
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Font>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use everybyte::{check, explain, rewrite};

    /// A directory of two tables: `maxp` of version 0.5, and three bytes of another.
    fn font() -> Vec<u8> {
        let mut file = b"OTTO\0\x02\0\x20\0\x01\0\0".to_vec();
        file.extend(b"maxp\0\x05\x50\0\0\0\0\x2c\0\0\0\x06test\x01\x02\x03\0\0\0\0\x34\0\0\0\x03");
        file.extend(b"\0\0\x50\0\0\x05\0\0\x01\x02\x03\0");
        file[12 + 4..][..4].copy_from_slice(&[0, 5, 0x50, 0]);
        file
    }

    #[test]
    fn a_font_is_explained_to_the_byte() {
        let explained = explain::<Font>(&font());
        let text = explained.to_string();
        assert_eq!(explained.findings, [], "{text}");
        assert!(text.contains("maxp.glyphs") && text.contains("table[1]"), "{text}");
        assert!(text.ends_with("every byte accounted for\n"), "{text}");
    }

    #[test]
    fn a_font_is_written_back() {
        assert_eq!(rewrite::<Font>(&font()).unwrap(), font());
    }

    #[test]
    fn a_broken_font_has_findings() {
        let rules = |file: &[u8]| check::<Font>(file).iter().map(|finding| finding.rule.clone()).collect::<Vec<_>>();
        let mut file = font();
        file[54] = 9;
        assert_eq!(rules(&file), ["font/check-sum"]);
        file = font();
        file[39] = 0x2C;
        assert_eq!(rules(&file), ["font/check-sum", "overlap", "overlap", "gap"]);
        assert_eq!(rules(&font()[..50]), ["outside"]);
    }

    #[test]
    fn any_font_keeps_the_promises() {
        everybyte::fuzzing::any_values::<Font>(300);
    }
}
