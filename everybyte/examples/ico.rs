//! ICO and CUR: Windows icons and cursors. A directory states the offset and length of each picture.
//!
//! `cargo run -p everybyte-tests --example ico -- explain FILE`
//!
//! Source: "Icons" in Microsoft's Windows documentation (`ICONDIR` and `ICONDIRENTRY`).

use everybyte::{Format, codes, layout, list::rest};

/// The directory, and the pictures.
#[layout]
#[brw(little)]
pub struct Icons {
    #[layout(rule("ico/reserved", error, reserved == 0, "the first number is {reserved}, not 0"))]
    reserved: u16,
    #[layout(fact)]
    #[layout(rule("ico/kind", error, kind.name().is_some(), "kind {} is not defined", kind.0))]
    kind: Kind,
    /// Number of pictures.
    #[br(temp)]
    count: u16,
    #[br(count = count)]
    entries: Vec<Entry>,
    /// A picture for each entry.
    #[layout(each(entry in entries), at = entry.offset, size = entry.length)]
    pictures: Vec<Option<Picture>>,
}

codes! {
    /// The kind of the pictures.
    struct Kind(u16) {
        /// Icons.
        ICON = 1 => "icon";
        /// Cursors, which have a hot spot.
        CURSOR = 2 => "cursor";
    }
}

/// A picture as the directory has it.
#[layout]
#[brw(little)]
struct Entry {
    /// 0 stands for 256.
    #[layout(fact)]
    width: u8,
    /// 0 stands for 256.
    #[layout(fact)]
    height: u8,
    /// Colours of the palette; 0 if there are 256 or more.
    #[layout(fact)]
    colours: u8,
    reserved: u8,
    /// Planes; the column of a cursor's hot spot.
    #[layout(fact)]
    planes: u16,
    /// Bits of a pixel; the row of a cursor's hot spot.
    #[layout(fact)]
    bits: u16,
    /// Bytes of the picture.
    #[layout(extent = outer::pictures)]
    length: u32,
    #[layout(place = outer::pictures)]
    offset: u32,
}

/// A picture.
#[layout]
struct Picture {
    /// The length of a bitmap's header, or the beginning of a PNG.
    first: [u8; 4],
    #[br(args(first))]
    #[layout(inline)]
    content: Content,
}

/// The content of a picture.
#[layout(match = first)]
#[brw(little)]
#[br(import(first: [u8; 4]))]
enum Content {
    /// A bitmap without the header of its file.
    #[when(b"\x28\0\0\0")]
    Bitmap {
        #[layout(fact)]
        width: i32,
        /// Twice that of the picture: the mask stands after the colours.
        #[layout(fact)]
        height: i32,
        planes: u16,
        #[layout(fact)]
        bits: u16,
        /// The rest of the header, the palette, the colours and the mask.
        #[layout(payload)]
        #[br(parse_with = rest)]
        rest: Vec<u8>,
    },
    /// A PNG.
    #[when(b"\x89PNG")]
    Png {
        #[layout(payload)]
        #[br(parse_with = rest)]
        png: Vec<u8>,
    },
    /// Neither of them.
    #[when(_)]
    Other {
        #[layout(payload)]
        #[br(parse_with = rest)]
        other: Vec<u8>,
    },
}

impl Format for Icons {
    const NAME: &'static str = "ICO";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Icons>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use everybyte::forge::{Choices, Mutation, Of, Repair, Session, replay};
    use everybyte::{Endian, Source, check, explain, format::rewrite, read, write};

    /// Icons that Pillow 13.0.0 wrote, two as PNG and two as bitmaps.
    const ICONS: [&[u8]; 2] = [include_bytes!("icons/png.ico"), include_bytes!("icons/bitmap.ico")];

    #[test]
    fn icons_of_others_are_explained_and_written_back_from_their_values() {
        for file in ICONS {
            let explained = explain::<Icons>(file);
            assert_eq!(explained.findings, []);
            assert!(explained.to_string().ends_with("every byte accounted for\n"));
            assert!(explained.to_string().contains("pictures[1]"), "{explained}");
            let value: Icons = read(Source::new(file), Endian::Little, ()).unwrap();
            assert_eq!(write(&value, Endian::Little).unwrap(), file);
            assert_eq!(rewrite::<Icons>(file).unwrap(), file);
        }
    }

    #[test]
    fn wrong_icons_have_findings() {
        let rules = |file: &[u8]| check::<Icons>(file).iter().map(|it| it.to_string()).collect::<Vec<_>>();
        let mut file = ICONS[1].to_vec();
        file[2] = 3;
        assert_eq!(rules(&file), ["ico/kind: kind, at byte 2: kind 3 is not defined"]);
        let mut file = ICONS[1].to_vec();
        file[21] = 0xFF;
        let found = rules(&file);
        let outside = "outside: pictures[0], at byte 4278190118: its offset is 4278190118, but the space has 198 bytes";
        assert_eq!(found.last().map(String::as_str), Some(outside));
        assert_eq!(found[0], "gap: gap, at byte 38: no field claims these 56 bytes");
    }

    #[test]
    fn a_recipe_moves_what_stands_at_offsets() {
        let recipe = "set pictures[0].rest = x\"0102\"".parse().unwrap();
        let made = replay(&Of::<Icons>::new(), ICONS[1], &recipe).unwrap();
        assert!(made.len() < ICONS[1].len());
        assert_eq!(check::<Icons>(&made), []);
    }

    #[test]
    fn a_repaired_mutant_has_offsets_that_lead_to_its_pictures() {
        let grammar = Of::<Icons>::new();
        let mut session = Session::new(&grammar);
        let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
        let clean = (0..200).filter(|&seed| {
            let mutant = session.mutate(ICONS[1], &how, &mut Choices::seeded(seed));
            check::<Icons>(&mutant.bytes).is_empty()
        });
        let clean = clean.count();
        assert!(clean > 100, "{clean}");
    }

    #[test]
    fn any_icons_keep_the_promises() {
        everybyte::fuzzing::values::<Icons>(300);
    }
}
