//! TrueType and OpenType fonts: a directory of tables. `cargo run -p everybyte-tests --example truetype -- explain FILE`
//!
//! Source: "The OpenType Font File" and the pages on `head` and `maxp` in Microsoft's OpenType specification.

use everybyte::bits::*;
use everybyte::sums::words32;
use everybyte::{Format, codes, examination::Examination, layout, list::rest, view::ByteOrder};

/// The directory with which a font begins.
#[layout]
#[brw(big)]
pub struct Font {
    version: Version,
    /// Number of tables.
    #[br(temp)]
    count: u16,
    /// The largest power of two that is not above the number of tables, times 16.
    #[br(temp)]
    #[bw(calc = search_range_of(tables.len()))]
    search_range: u16,
    /// The exponent of that power.
    #[br(temp)]
    #[bw(calc = tables.len().max(1).ilog2() as u16)]
    entry_selector: u16,
    /// Number of tables times 16, less `search_range`.
    #[br(temp)]
    #[bw(calc = range_shift_of(tables.len()))]
    range_shift: u16,
    /// The tables, in the order of their tags.
    #[br(count = count)]
    #[layout(rule("font/entry-selector", error, u32::from(entry_selector) == tables.len().max(1).ilog2(),
        "the exponent should be {}, not {entry_selector}", tables.len().max(1).ilog2()))]
    #[layout(rule("font/search-range", error, search_range == search_range_of(tables.len()),
        "the search range should be {}, not {search_range}", search_range_of(tables.len())))]
    #[layout(rule("font/range-shift", error, range_shift == range_shift_of(tables.len()),
        "the range shift should be {}, not {range_shift}", range_shift_of(tables.len())))]
    #[layout(rule("font/order", error, tables.is_sorted_by_key(|table| table.tag), "the tables are not in the order of their tags"))]
    tables: Vec<Record>,
    #[layout(each(table in tables), at = table.offset, size = table.length)]
    #[br(args(table.tag))]
    contents: Vec<Option<Table>>,
}

fn search_range_of(tables: usize) -> u16 {
    16_u16.checked_shl(tables.max(1).ilog2()).unwrap_or(0)
}

fn range_shift_of(tables: usize) -> u16 {
    (tables as u16).wrapping_mul(16).wrapping_sub(search_range_of(tables))
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
    #[layout(key)]
    tag: [u8; 4],
    /// The sum of the table's words of 32 bits; that of `head` leaves out its `adjustment`.
    #[layout(check_of = outer::contents, sum = table_sum)]
    check_sum: u32,
    /// From the beginning of the file.
    #[layout(place = outer::contents)]
    offset: u32,
    /// Bytes of the table, without padding.
    #[layout(extent = outer::contents)]
    length: u32,
}

/// Returns the sum of a table's words. Zeros replace the adjustment of `head`, which is recognised by its magic number.
fn table_sum(table: &[u8]) -> u32 {
    let adjustment = match table {
        [_, _, _, _, _, _, _, _, adjustment @ .., _, _, _, _]
            if table.get(12..16) == Some(&[0x5F, 0x0F, 0x3C, 0xF5]) =>
        {
            words32(&adjustment[..4])
        }
        _ => 0,
    };
    words32(table).wrapping_sub(adjustment)
}

/// Returns a number that makes the sum of the whole file 0xB1B0AFBA.
fn adjustment_of(file: &[u8]) -> u32 {
    0xB1B0_AFBA_u32.wrapping_sub(words32(file))
}

/// A table, by its tag.
#[layout(match = tag)]
#[brw(big)]
#[br(import(tag: [u8; 4]))]
enum Table {
    #[when(b"head")]
    Head {
        #[layout(inline)]
        head: Head,
    },
    #[when(b"maxp")]
    Maxp {
        #[layout(inline)]
        maxp: Maxp,
    },
    /// A table that is not declared here.
    #[when(_)]
    Other {
        #[layout(payload)]
        #[br(parse_with = rest)]
        bytes: Vec<u8>,
    },
}

/// Facts about the whole font.
#[layout]
#[brw(big)]
struct Head {
    /// 1.0.
    #[layout(steady)]
    version: u32,
    /// The makers' own number.
    revision: u32,
    /// Makes the sum of the whole file 0xB1B0AFBA.
    #[layout(check_of = Font, sum = adjustment_of)]
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

impl Format for Font {
    const NAME: &'static str = "TrueType";

    const BYTE_ORDER: ByteOrder = ByteOrder::Big;

    /// Up to three bytes after a table pad it to a multiple of four, unless another table begins there.
    fn examine(&self, file: &mut Examination<'_>) {
        let mut starts: Vec<u64> = self.tables.iter().map(|table| table.offset.into()).collect();
        starts.sort_unstable();
        for (place, table) in self.tables.iter().enumerate() {
            let end = u64::from(table.offset) + u64::from(table.length);
            let next = starts.partition_point(|&start| start < end);
            let next = starts.get(next).copied().unwrap_or(u64::MAX).min(file.length());
            let padding = end.next_multiple_of(4).min(next).saturating_sub(end);
            file.region(("padding", place as u64), end, padding);
        }
    }
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Font>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use everybyte::{check, explain, format::rewrite};

    /// Returns a directory of two tables: `maxp` of version 0.5, and three bytes of another.
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
        assert!(text.contains("contents[0].glyphs") && text.contains("contents[1].bytes"), "{text}");
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
        assert_eq!(rules(&file), ["checksum"]);
        file = font();
        file[39] = 0x2C;
        assert_eq!(rules(&file), ["checksum", "checksum", "overlap", "overlap", "gap"]);
        assert_eq!(rules(&font()[..50]), ["outside"]);
        file = font();
        file[11] = 1;
        assert_eq!(rules(&file), ["font/range-shift"]);
    }

    #[test]
    fn any_font_keeps_the_promises() {
        everybyte::fuzzing::values::<Font>(300);
    }
}
