//! A PNG picture: chunks with lengths and checksums, which everybyte computes, checks and repairs.
//!
//! `cargo run -p everybyte-tests --example png -- explain PICTURE.png`

use everybyte::packing::Zlib;
use everybyte::sums::crc32;
use everybyte::{
    Format, Limits, codes, layout,
    list::{filling, rest, until},
    text::{Latin1, NulString, Text},
    view::ByteOrder,
};

/// A picture.
#[layout]
#[brw(big, magic = b"\x89PNG\r\n\x1a\n")]
pub struct Png {
    header: HeaderChunk,
    /// The last chunk is the end.
    #[br(parse_with = until(|chunk: &Chunk| &chunk.kind == b"IEND"))]
    #[layout(opens(Zlib as Rows, join, args(header.body.width.into(), header.body.height.into(), header.body.colour.samples() * u64::from(header.body.depth), header.body.interlace)))]
    #[layout(rule("png/data", error, chunks.iter().any(|chunk| &chunk.kind == b"IDAT"), "there are no rows: a picture has an IDAT"))]
    chunks: Vec<Chunk>,
}

/// The first chunk.
#[layout]
#[brw(big)]
struct HeaderChunk {
    /// Bytes of the body.
    #[br(temp)]
    length: u32,
    kind: HeaderKind,
    #[layout(size = length)]
    body: Header,
    /// CRC-32 of the kind and the body.
    #[br(temp)]
    #[layout(check_of = "kind..body", sum = crc32)]
    crc: u32,
}

/// The kind of the first chunk.
#[layout]
#[brw(magic = b"IHDR")]
struct HeaderKind {}

/// The header.
#[layout]
#[brw(big)]
struct Header {
    #[layout(fact, rule("png/size", error, width > 0, "a picture has at least one column"))]
    width: u32,
    #[layout(fact, rule("png/size", error, height > 0, "a picture has at least one row"))]
    height: u32,
    /// Bits of a sample.
    #[layout(fact)]
    #[layout(rule("png/depth", error, matches!(depth, 1 | 2 | 4 | 8 | 16), "a sample has no {depth} bits"))]
    depth: u8,
    #[layout(fact)]
    #[layout(rule("png/colour", error, colour.name().is_some(), "colour type {} is not defined", colour.0))]
    #[layout(rule("png/depth", error, colour.least_depth() <= u64::from(depth) && u64::from(depth) <= colour.most_depth(), "{} samples have no {depth} bits", colour.words()))]
    colour: Colour,
    /// 0: deflate.
    #[layout(fact, rule("png/compression", error, compression == 0, "compression {compression} is not defined"))]
    compression: u8,
    /// 0: five filters, one for each row.
    #[layout(fact, rule("png/filter", error, filter == 0, "filter method {filter} is not defined"))]
    filter: u8,
    #[layout(fact)]
    #[layout(rule("png/interlace", error, interlace.name().is_some(), "interlacing {} is not defined", interlace.0))]
    interlace: Interlace,
}

/// A length, a kind, as many bytes, and a checksum.
#[layout]
#[brw(big)]
struct Chunk {
    /// Bytes of the body.
    #[br(temp)]
    length: u32,
    /// A letter in lower case at the beginning: readers that do not know the kind pass over it.
    #[layout(fact, key)]
    #[layout(rule("png/kind", error, kind.iter().all(u8::is_ascii_alphabetic), "a kind has four letters"))]
    #[layout(rule("png/header", error, &kind != b"IHDR", "a picture has one header"))]
    kind: [u8; 4],
    #[br(args(kind))]
    #[layout(size = length)]
    body: Body,
    /// CRC-32 of the kind and the body.
    #[br(temp)]
    #[layout(check_of = "kind..body", sum = crc32)]
    crc: u32,
}

/// The content of a chunk.
#[layout(match = kind)]
#[brw(big)]
#[br(import(kind: [u8; 4]))]
enum Body {
    /// The colours that indices stand for.
    #[when(b"PLTE")]
    Palette {
        #[br(parse_with = filling(u64::MAX))]
        #[layout(rule("png/palette", error, (1..=256).contains(&colours.len()), "a palette has 1 to 256 colours"))]
        colours: Vec<Rgb>,
    },
    /// The exponent of the brightness.
    #[when(b"gAMA")]
    Gamma {
        /// Times 100,000.
        #[layout(fact, rule("png/gamma", warning, gamma > 0, "a gamma of 0 is meaningless"))]
        gamma: u32,
    },
    /// The size of a pixel.
    #[when(b"pHYs")]
    Physical {
        /// Pixels a unit, from left to right.
        #[layout(fact)]
        x: u32,
        /// Pixels a unit, from top to bottom.
        #[layout(fact)]
        y: u32,
        #[layout(fact)]
        unit: Unit,
    },
    /// A name, and what it stands for.
    #[when(b"tEXt")]
    Text {
        #[layout(fact)]
        #[layout(rule("png/keyword", error, (1..80).contains(&keyword.bytes().len()), "a keyword has 1 to 79 letters"))]
        keyword: NulString,
        #[layout(fact)]
        #[br(parse_with = rest)]
        text: Text<Latin1>,
    },
    /// A name, and what it stands for, compressed.
    #[when(b"zTXt")]
    CompressedText {
        #[layout(fact)]
        #[layout(rule("png/keyword", error, (1..80).contains(&keyword.bytes().len()), "a keyword has 1 to 79 letters"))]
        keyword: NulString,
        /// 0: zlib.
        #[layout(fact, rule("png/compression", error, method == 0, "compression {method} is not defined"))]
        method: u8,
        #[layout(opens(Zlib as Words))]
        #[br(parse_with = rest)]
        text: Vec<u8>,
    },
    /// Nothing: the end of the picture.
    #[when(b"IEND")]
    End {},
    /// Compressed rows: all chunks of this kind together.
    #[when(b"IDAT")]
    Data {
        #[layout(piece = Rows)]
        #[br(parse_with = rest)]
        data: Vec<u8>,
    },
    /// A kind that is not declared here.
    #[when(_)]
    Other {
        #[layout(payload)]
        #[br(parse_with = rest)]
        bytes: Vec<u8>,
    },
}

/// The rows of a picture whose pixels have `bits` bits.
#[layout(match = interlace)]
#[br(import(width: u64, height: u64, bits: u64, interlace: Interlace))]
enum Rows {
    #[when(Interlace::NONE if bits > 0)]
    Whole {
        #[br(count = height, args { inner: ((width * bits).div_ceil(8),) })]
        rows: Vec<Row>,
    },
    #[when(Interlace::ADAM7 if bits > 0)]
    Passes {
        #[br(args((width + 7) / 8, (height + 7) / 8, bits))]
        first: Pass,
        #[br(args((width + 3) / 8, (height + 7) / 8, bits))]
        second: Pass,
        #[br(args((width + 3) / 4, (height + 3) / 8, bits))]
        third: Pass,
        #[br(args((width + 1) / 4, (height + 3) / 4, bits))]
        fourth: Pass,
        #[br(args((width + 1) / 2, (height + 1) / 4, bits))]
        fifth: Pass,
        #[br(args(width / 2, (height + 1) / 2, bits))]
        sixth: Pass,
        #[br(args(width, height / 2, bits))]
        seventh: Pass,
    },
    /// Rows whose length is not known.
    #[when(_)]
    Unknown {
        #[br(parse_with = rest)]
        bytes: Vec<u8>,
    },
}

/// The rows of a pass. One without columns has no rows.
#[layout]
#[br(import(width: u64, height: u64, bits: u64))]
struct Pass {
    #[br(count = if width == 0 { 0 } else { height }, args { inner: ((width * bits).div_ceil(8),) })]
    rows: Vec<Row>,
}

/// A row of pixels.
#[layout]
#[br(import(length: u64))]
struct Row {
    #[layout(fact, rule("png/row-filter", error, filter < 5, "filter {filter} is not defined"))]
    filter: u8,
    /// Differences from other pixels, which the filter says.
    #[layout(payload)]
    #[br(count = length)]
    pixels: Vec<u8>,
}

/// A text that was compressed.
#[layout]
struct Words {
    #[layout(fact)]
    #[br(parse_with = rest)]
    text: Text<Latin1>,
}

/// A colour of a palette.
#[layout]
struct Rgb {
    red: u8,
    green: u8,
    blue: u8,
}

codes! {
    /// The samples of a pixel.
    struct Colour(u8) {
        /// The brightness.
        GREY = 0 => "grey", samples = 1, least_depth = 1, most_depth = 16;
        /// Red, green and blue.
        RGB = 2 => "rgb", samples = 3, least_depth = 8, most_depth = 16;
        /// An index into the palette.
        PALETTE = 3 => "palette", samples = 1, least_depth = 1, most_depth = 8;
        /// The brightness, and how opaque it is.
        GREY_ALPHA = 4 => "grey-alpha", samples = 2, least_depth = 8, most_depth = 16;
        /// Red, green, blue, and how opaque they are.
        RGBA = 6 => "rgba", samples = 4, least_depth = 8, most_depth = 16;
    }
}

codes! {
    /// The order of the rows.
    struct Interlace(u8) {
        /// From top to bottom.
        NONE = 0 => "none";
        /// Seven passes, each finer than the one before.
        ADAM7 = 1 => "Adam7";
    }
}

codes! {
    /// The unit of a pixel's size.
    struct Unit(u8) {
        /// None: the sizes are a ratio.
        NONE = 0 => "none";
        /// The metre.
        METRE = 1 => "metre";
    }
}

impl Format for Png {
    const NAME: &'static str = "PNG";

    const BYTE_ORDER: ByteOrder = ByteOrder::Big;

    /// Deflate can expand one byte to 1,032.
    fn limits() -> Limits {
        Limits::default().bytes(1100)
    }
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Png>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use everybyte::forge::{Choices, Mutation, Of, Repair, Session, replay};
    use everybyte::packing::Packing;
    use everybyte::{Endian, Source, check, explain, finding::Severity, format::rewrite, read, write};

    fn chunk(kind: &[u8; 4], body: Body) -> Chunk {
        Chunk { kind: *kind, body }
    }

    /// Returns a picture of one white pixel, whose compressed bytes are in these chunks.
    fn white(pieces: &[&[u8]]) -> Png {
        let body = Header {
            width: 1,
            height: 1,
            depth: 8,
            colour: Colour::GREY,
            compression: 0,
            filter: 0,
            interlace: Interlace::NONE,
        };
        let text = Body::Text { keyword: NulString::default(), text: "white".try_into().unwrap() };
        let data = pieces.iter().map(|piece| chunk(b"IDAT", Body::Data { data: piece.to_vec() }));
        let mut chunks = vec![chunk(b"tEXt", text)];
        chunks.extend(data);
        chunks.push(chunk(b"IEND", Body::End {}));
        Png { header: HeaderChunk { kind: HeaderKind {}, body }, chunks }
    }

    /// One stored block of deflate: a filter and the pixel.
    const PIXEL: &[u8] = b"\x78\x01\x01\x02\0\xfd\xff\0\xff\x01\x01\x01\0";

    /// Pictures from other programs, which are in the repository.
    const PICTURES: [&[u8]; 2] =
        [include_bytes!("../../docs/src/page.png"), include_bytes!("../../docs/src/two-files.png")];

    #[test]
    fn a_picture_of_others_is_explained_and_written_back_from_its_value() {
        for picture in PICTURES {
            let explained = explain::<Png>(picture);
            assert_eq!(explained.findings, []);
            assert!(explained.to_string().ends_with("every byte accounted for\n"));
            let value: Png = read(Source::new(picture), Endian::Big, ()).unwrap();
            assert_eq!(write(&value, Endian::Big).unwrap(), picture);
            assert_eq!(rewrite::<Png>(picture).unwrap(), picture);
        }
    }

    /// A picture of 2 × 2 pixels with a compressed text, which Pillow 13.0.0 wrote.
    const COMPRESSED_TEXT: &[u8] = include_bytes!("pictures/compressed-text.png");

    #[test]
    fn compressed_text_is_a_space_of_its_own() {
        let explained = explain::<Png>(COMPRESSED_TEXT);
        assert_eq!(explained.findings, []);
        assert_eq!(explained.spaces[1].title, "chunks[0].body.text, unpacked");
        assert!(explained.to_string().contains("the quick brown fox"), "{explained}");
        let mut broken = COMPRESSED_TEXT.to_vec();
        let at = broken.windows(4).position(|bytes| bytes == b"zTXt").unwrap() + 4 + 8 + 1;
        broken[at + 4] ^= 0x55;
        let rules: Vec<_> = check::<Png>(&broken).into_iter().map(|finding| finding.rule.to_string()).collect();
        assert_eq!(rules, ["content", "checksum"]);
    }

    #[test]
    fn a_recipe_changes_what_is_compressed_and_packs_it_again() {
        let recipe = "set chunks[0].body.text!text = \"short\"".parse().unwrap();
        let made = replay(&Of::<Png>::new(), COMPRESSED_TEXT, &recipe).unwrap();
        assert_eq!(check::<Png>(&made), []);
        assert!(explain::<Png>(&made).to_string().contains("short"));
        assert!(made.len() < COMPRESSED_TEXT.len());
    }

    #[test]
    fn a_picture_is_built_from_a_value_with_its_lengths_and_sums() {
        let picture = write(&white(&[PIXEL]), Endian::Big).unwrap();
        assert_eq!(picture[8..12], [0, 0, 0, 13]);
        assert_eq!(picture[29..33], crc32(&picture[12..29]).to_be_bytes());
        let findings = check::<Png>(&picture);
        assert_eq!(findings.len(), 1);
        assert_eq!((findings[0].rule.as_str(), findings[0].path.as_str()), ("png/keyword", "chunks[0].body.keyword"));
    }

    #[test]
    fn a_wrong_picture_has_findings() {
        let mut picture = white(&[PIXEL]);
        (picture.header.body.depth, picture.header.body.colour) = (3, Colour(7));
        picture.chunks[0] = chunk(b"gAMA", Body::Gamma { gamma: 0 });
        let mut file = write(&picture, Endian::Big).unwrap();
        let findings = check::<Png>(&file);
        let found: Vec<_> = findings.iter().map(|finding| (finding.rule.as_str(), finding.severity)).collect();
        let (error, warning) = (Severity::Error, Severity::Warning);
        let expected = [("png/depth", error), ("png/colour", error), ("png/depth", error), ("png/gamma", warning)];
        assert_eq!(found, expected);
        file[29] ^= 1;
        assert!(check::<Png>(&file).iter().any(|finding| finding.rule == "checksum"));
    }

    #[test]
    fn a_recipe_repairs_the_lengths_and_the_sums() {
        let recipe = "duplicate chunks[0]\nset chunks[0].body.text = \"short\"".parse().unwrap();
        let made = replay(&Of::<Png>::new(), COMPRESSED_TEXT, &recipe).unwrap();
        assert!(explain::<Png>(&made).findings.iter().all(|finding| finding.rule == "content"));
        assert!(!check::<Png>(&made).iter().any(|finding| finding.rule == "checksum"));
    }

    #[test]
    fn rows_are_joined_out_of_all_chunks_of_data() {
        let pieces = [&PIXEL[..4], b"", &PIXEL[4..9], &PIXEL[9..]];
        let mut picture = white(&pieces);
        picture.chunks.remove(0);
        let file = write(&picture, Endian::Big).unwrap();
        let explained = explain::<Png>(&file);
        assert_eq!(explained.findings, []);
        assert_eq!(check::<Png>(&file), []);
        assert_eq!(explained.spaces[1].title, "chunks, joined and unpacked");
        let row = explained.spaces[1].nodes.iter().next().unwrap().children().next().unwrap();
        assert_eq!(row.child("pixels").unwrap().first_bytes(), [0xFF]);
    }

    #[test]
    fn a_recipe_changes_rows_and_packs_them_into_their_pieces() {
        let mut picture = white(&[&PIXEL[..4], &PIXEL[4..9], &PIXEL[9..]]);
        picture.chunks.remove(0);
        let file = write(&picture, Endian::Big).unwrap();
        let recipe = "set chunks!rows[0].filter = 4".parse().unwrap();
        let made = replay(&Of::<Png>::new(), &file, &recipe).unwrap();
        assert_eq!(check::<Png>(&made), []);
        let value: Png = read(Source::new(&made), Endian::Big, ()).unwrap();
        let lengths = value.chunks.iter().filter_map(|chunk| match &chunk.body {
            Body::Data { data } => Some(data.len()),
            _ => None,
        });
        assert_eq!(lengths.take(2).collect::<Vec<_>>(), [4, 5]);
        assert_ne!(made, file);
    }

    #[test]
    fn wrong_rows_have_findings() {
        let rules = |content: &[u8]| {
            let mut picture = white(&[&Zlib::pack(content)]);
            picture.chunks.remove(0);
            let found = check::<Png>(&write(&picture, Endian::Big).unwrap());
            found.into_iter().map(|finding| (finding.rule.to_string(), finding.path, finding.space)).collect::<Vec<_>>()
        };
        assert_eq!(rules(&[0, 1]), []);
        assert_eq!(rules(&[5, 1]), [("png/row-filter".into(), "rows[0].filter".into(), 1)]);
        assert_eq!(rules(&[0]), [("too-many".into(), "rows[0].pixels".into(), 1)]);
        assert_eq!(rules(&[0, 1, 2]), [("gap".into(), "gap".into(), 1)]);
        let mut picture = white(&[b"?!"]);
        picture.chunks.remove(0);
        let found = check::<Png>(&write(&picture, Endian::Big).unwrap());
        assert_eq!((found[0].rule.as_str(), found[0].path.as_str()), ("content", "chunks[0].body.data"));
    }

    /// Only the declaration states how a checksum is computed.
    #[test]
    fn a_repaired_mutant_has_sums_that_hold_and_is_valid_more_often_than_one_that_is_not_repaired() {
        let picture = COMPRESSED_TEXT;
        let grammar = Of::<Png>::new();
        let mut session = Session::new(&grammar);
        let mut clean = [0, 0];
        for (place, repair) in [Repair::Nothing, Repair::Everything].into_iter().enumerate() {
            let how = Mutation { repair, ..Mutation::default() };
            for seed in 0..300 {
                let mutant = session.mutate(picture, &how, &mut Choices::seeded(seed));
                clean[place] += usize::from(check::<Png>(&mutant.bytes).is_empty() && mutant.bytes != picture);
            }
        }
        assert!(clean[1] > 2 * clean[0], "{clean:?}");
    }

    #[test]
    fn any_picture_keeps_the_promises() {
        everybyte::fuzzing::values::<Png>(300);
    }
}
