//! BMP: Windows pictures. `cargo run -p everybyte-tests --example bmp -- explain FILE`
//!
//! Source: Microsoft's documentation of `BITMAPFILEHEADER`, `BITMAPCOREHEADER`, `BITMAPINFOHEADER` and `BITMAPV5HEADER`.

use everybyte::{Format, layout};

/// The headers and the palette. The pixels stand at an offset.
#[layout]
#[brw(little, magic = b"BM")]
pub struct Bmp {
    /// Bytes of the file.
    #[layout(extent = Bmp)]
    file_size: u32,
    /// For the use of the program that made the file.
    #[layout(steady)]
    reserved: [u8; 4],
    pixels_offset: u32,
    /// Bytes of the header that begins here; tells its version.
    #[layout(steady)]
    #[layout(rule("bmp/header", error, matches!(header_size, 12 | 40 | 52 | 56 | 108 | 124), "no header has {header_size} bytes"))]
    header_size: u32,
    #[br(args(header_size))]
    header: Header,
    /// Colours that the pixels name, four bytes each: blue, green, red, zero.
    #[br(count = header.palette())]
    palette: Vec<u8>,
    #[br(count = header.pixels())]
    #[layout(at = pixels_offset, payload)]
    pixels: Option<Vec<u8>>,
}

/// The header of the picture, in its versions.
#[layout]
#[brw(little)]
#[br(import(size: u32))]
enum Header {
    /// That of OS/2 and Windows 2.
    #[br(pre_assert(size == 12))]
    Core {
        #[layout(fact, rule("bmp/size", error, width > 0, "a picture has at least one column"))]
        width: u16,
        #[layout(fact, rule("bmp/size", error, height > 0, "a picture has at least one row"))]
        height: u16,
        #[layout(steady, rule("bmp/planes", error, planes == 1, "a picture has one plane, not {planes}"))]
        planes: u16,
        #[layout(fact, rule("bmp/bits", error, matches!(bits, 1 | 4 | 8 | 24), "a pixel has no {bits} bits"))]
        bits: u16,
    },
    /// That of Windows 3, and all later ones, which are longer.
    #[br(pre_assert(size >= 40))]
    Info {
        #[layout(fact, rule("bmp/size", error, width > 0, "a picture has at least one column"))]
        width: i32,
        /// Negative if the first row is the top one.
        #[layout(fact, rule("bmp/size", error, height.unsigned_abs() > 0, "a picture has at least one row"))]
        height: i32,
        #[layout(steady, rule("bmp/planes", error, planes == 1, "a picture has one plane, not {planes}"))]
        planes: u16,
        /// Bits of a pixel.
        #[layout(fact, rule("bmp/bits", error, matches!(bits, 0 | 1 | 4 | 8 | 16 | 24 | 32), "a pixel has no {bits} bits"))]
        bits: u16,
        compression: Compression,
        /// Bytes of the pixels; may be 0 if they are not compressed.
        image_size: u32,
        /// Pixels a metre, from left to right and from top to bottom.
        resolution: [i32; 2],
        /// Colours in the palette; 0 stands for all that the bits can name.
        #[layout(fact, rule("bmp/colours", error, matches!(colours, 0..=256), "a palette has no {colours} colours"))]
        colours: u32,
        important_colours: u32,
        /// Masks and colour spaces of the later versions.
        #[br(count = u64::from(size) - 40 + compression.masks(size))]
        further: Vec<u8>,
    },
}

/// How the pixels are stored.
#[layout]
#[brw(little, repr = u32)]
enum Compression {
    Rgb = 0,
    /// Run lengths, 8 bits a pixel.
    Rle8 = 1,
    /// Run lengths, 4 bits a pixel.
    Rle4 = 2,
    /// Masks say where the colours are.
    Bitfields = 3,
    Jpeg = 4,
    Png = 5,
    /// Masks, one of them for opacity.
    AlphaBitfields = 6,
}

impl Compression {
    /// Returns the number of bytes of the masks after a version 3 header, which contains none itself.
    fn masks(self, size: u32) -> u64 {
        match self {
            Compression::Bitfields if size == 40 => 12,
            Compression::AlphaBitfields if size == 40 => 16,
            _ => 0,
        }
    }
}

impl Header {
    fn palette(&self) -> u64 {
        match *self {
            Header::Core { bits: bits @ 1..=8, .. } => 3 << bits,
            Header::Info { colours: 0, bits: bits @ 1..=8, .. } => 4 << bits,
            Header::Info { colours, .. } => 4 * u64::from(colours),
            Header::Core { .. } => 0,
        }
    }

    /// Returns the number of bytes of the pixels; if the picture is too large, a number that exceeds any file.
    fn pixels(&self) -> u64 {
        let rows =
            |width: u64, height: u64, bits: u16| (width * u64::from(bits)).div_ceil(32).saturating_mul(4 * height);
        match *self {
            Header::Core { width, height, bits, .. } => rows(width.into(), height.into(), bits),
            Header::Info {
                width,
                height,
                bits,
                compression: Compression::Rgb | Compression::Bitfields | Compression::AlphaBitfields,
                ..
            } => rows(width.unsigned_abs().into(), height.unsigned_abs().into(), bits),
            Header::Info { image_size, .. } => image_size.into(),
        }
    }
}

impl Format for Bmp {
    const NAME: &'static str = "BMP";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Bmp>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use everybyte::{check, explain, format::rewrite};

    /// Two rows of three pixels, 24 bits each.
    fn picture() -> Vec<u8> {
        let mut file = b"BM\x4e\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x03\0\0\0\x02\0\0\0\x01\0\x18\0".to_vec();
        file.extend([0; 24]);
        file.extend([0xFF; 24]);
        file
    }

    #[test]
    fn a_picture_is_explained_to_the_byte() {
        let explained = explain::<Bmp>(&picture());
        assert_eq!(explained.findings, []);
        let text = explained.to_string();
        assert!(text.contains("pixels") && text.ends_with("every byte accounted for\n"), "{text}");
    }

    #[test]
    fn a_picture_is_written_back() {
        assert_eq!(rewrite::<Bmp>(&picture()).unwrap(), picture());
    }

    #[test]
    fn a_broken_picture_has_findings() {
        let rules = |file: &[u8]| check::<Bmp>(file).iter().map(|finding| finding.rule.clone()).collect::<Vec<_>>();
        assert_eq!(rules(&picture()[..60]), ["too-many"]);
        let mut file = picture();
        file[10] = 0x30;
        assert_eq!(rules(&file), ["overlap", "gap"]);
        file[10] = 0x38;
        assert_eq!(rules(&file), ["gap", "too-many"]);
        file[30] = 9;
        assert_eq!(rules(&file), ["unknown-code"]);
        assert_eq!(rules(b"BA"), ["wrong-magic"]);
    }

    #[test]
    fn any_picture_keeps_the_promises() {
        everybyte::fuzzing::values::<Bmp>(300);
    }
}
