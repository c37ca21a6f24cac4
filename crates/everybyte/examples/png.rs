//! A picture in PNG: chunks with lengths and checksums, which everybyte computes, checks and repairs.
//!
//! `cargo run -p everybyte --example png -- explain PICTURE.png`

use everybyte::packing::Zlib;
use everybyte::sums::crc32;
use everybyte::{Endian, Examination, Format, Latin1, NulString, Text, codes, filling, layout, rest, until};

/// A picture.
#[layout]
#[brw(big, magic = b"\x89PNG\r\n\x1a\n")]
pub struct Png {
    /// The first chunk is the header, the last one the end.
    #[br(parse_with = until(|chunk: &Chunk| &chunk.kind == b"IEND"))]
    chunks: Vec<Chunk>,
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
    /// The header.
    #[when(b"IHDR")]
    Header {
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
        #[layout(rule("png/depth", error, colour.has(depth), "{} samples have no {depth} bits", colour.words()))]
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
    },
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
    /// Compressed rows, and kinds that are not declared here.
    #[when(_)]
    Data {
        #[layout(payload)]
        #[br(parse_with = rest)]
        data: Vec<u8>,
    },
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
        GREY = 0 => "grey";
        /// Red, green and blue.
        RGB = 2 => "rgb";
        /// An index into the palette.
        PALETTE = 3 => "palette";
        /// The brightness, and how opaque it is.
        GREY_ALPHA = 4 => "grey-alpha";
        /// Red, green, blue, and how opaque they are.
        RGBA = 6 => "rgba";
    }
}

impl Colour {
    /// Returns whether samples may have so many bits.
    fn has(self, depth: u8) -> bool {
        match self {
            Colour::GREY => true,
            Colour::PALETTE => depth <= 8,
            _ => depth >= 8,
        }
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

    fn byte_order(_: &[u8]) -> Endian {
        Endian::Big
    }

    fn examine(&self, file: &mut Examination<'_>) {
        if self.chunks.first().is_none_or(|chunk| &chunk.kind != b"IHDR") {
            file.finding("png/header", "chunks[0].kind", "the first chunk is the header, IHDR");
        }
        if !self.chunks.iter().any(|chunk| &chunk.kind == b"IDAT") {
            file.finding("png/data", "", "there are no rows: a picture has an IDAT");
        }
    }
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Png>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use everybyte::forge::{Choices, Mutation, Of, Repair, Session, replay};
    use everybyte::{Severity, Source, check, explain, read, rewrite, write};

    /// A picture of one white pixel.
    fn white() -> Png {
        let header = Body::Header {
            width: 1,
            height: 1,
            depth: 8,
            colour: Colour::GREY,
            compression: 0,
            filter: 0,
            interlace: Interlace::NONE,
        };
        let text = Body::Text { keyword: NulString::default(), text: "white".try_into().unwrap() };
        // One stored block of deflate: a filter, and the pixel.
        let data = b"\x78\x01\x01\x02\0\xfd\xff\0\xff\x01\x01\x01\0".to_vec();
        let chunk = |kind: &[u8; 4], body| Chunk { kind: *kind, body };
        let chunks = vec![
            chunk(b"IHDR", header),
            chunk(b"tEXt", text),
            chunk(b"IDAT", Body::Data { data }),
            chunk(b"IEND", Body::End {}),
        ];
        Png { chunks }
    }

    /// Pictures of others, which stand in the repository.
    const PICTURES: [&[u8]; 2] =
        [include_bytes!("../../../docs/src/page.png"), include_bytes!("../../../docs/src/two-files.png")];

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
        assert_eq!(explained.spaces[1].title, "chunks[1].body.text, unpacked");
        assert!(explained.to_string().contains("the quick brown fox"), "{explained}");
        let mut broken = COMPRESSED_TEXT.to_vec();
        let at = broken.windows(4).position(|bytes| bytes == b"zTXt").unwrap() + 4 + 8 + 1;
        broken[at + 4] ^= 0x55;
        let rules: Vec<_> = check::<Png>(&broken).into_iter().map(|finding| finding.rule.to_string()).collect();
        assert_eq!(rules, ["content", "checksum"]);
    }

    #[test]
    fn a_recipe_changes_what_is_compressed_and_packs_it_again() {
        let recipe = "set chunks[1].body.text!text = \"short\"".parse().unwrap();
        let made = replay(&Of::<Png>::new(), COMPRESSED_TEXT, &recipe).unwrap();
        assert_eq!(check::<Png>(&made), []);
        assert!(explain::<Png>(&made).to_string().contains("short"));
        assert!(made.len() < COMPRESSED_TEXT.len());
    }

    #[test]
    fn a_picture_is_built_from_a_value_with_its_lengths_and_sums() {
        let picture = write(&white(), Endian::Big).unwrap();
        assert_eq!(picture[8..12], [0, 0, 0, 13]);
        assert_eq!(picture[29..33], crc32(&picture[12..29]).to_be_bytes());
        let findings = check::<Png>(&picture);
        assert_eq!(findings.len(), 1);
        assert_eq!((findings[0].rule.as_str(), findings[0].path.as_str()), ("png/keyword", "chunks[1].body.keyword"));
    }

    #[test]
    fn a_wrong_picture_has_findings() {
        let mut picture = white();
        picture.chunks.remove(1);
        let Body::Header { depth, colour, .. } = &mut picture.chunks[0].body else { panic!("the header is first") };
        (*depth, *colour) = (3, Colour(7));
        picture.chunks.insert(1, Chunk { kind: *b"gAMA", body: Body::Gamma { gamma: 0 } });
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
        let picture = PICTURES[0];
        let recipe = "duplicate chunks[0]\nset chunks[0].body.width = 7".parse().unwrap();
        let made = replay(&Of::<Png>::new(), picture, &recipe).unwrap();
        assert_eq!(made.len(), picture.len() + 25);
        assert_eq!(check::<Png>(&made), []);
    }

    /// No line beside the declaration says how a checksum is made.
    #[test]
    fn a_repaired_mutant_has_sums_that_hold_and_is_valid_more_often_than_one_that_is_not_repaired() {
        let picture = PICTURES[0];
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
        everybyte::fuzzing::any_values::<Png>(300);
    }
}
