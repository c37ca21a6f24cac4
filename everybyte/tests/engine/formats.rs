//! Tests of a format's functions: files explained, checked and written back, whatever their bytes.

use everybyte::{
    Explained, Format,
    bytes::{Bytes, Region, Zeros},
    check, escape,
    examination::Examination,
    explain,
    format::rewrite,
    fuzzing, layout,
    list::filling,
    map::Index,
    view::ByteOrder,
};

/// A directory of entries at offsets.
#[layout]
#[brw(little, magic = b"DIR")]
struct Directory {
    count: u8,
    #[br(count = count)]
    entries: Vec<Entry>,
}

#[layout]
struct Entry {
    kind: u8,
    offset: u8,
    length: u8,
}

/// The target of an entry of kind 1.
#[layout]
struct Target {
    value: u16,
    zero: Zeros<1>,
}

impl Format for Directory {
    const NAME: &'static str = "directory";

    fn examine(&self, file: &mut Examination<'_>) {
        for (place, entry) in self.entries.iter().enumerate() {
            let name = ("entry", place as u64);
            match entry.kind {
                1 => {
                    if let Some(target) = file.within::<Target>(name, entry.offset, entry.length, ())
                        && !target.zero.are_zero()
                    {
                        file.finding("directory/zero", format!("entry[{place}].zero"), "the byte is not zero");
                    }
                }
                2 => {
                    let content: Vec<u8> = file.bytes().iter().rev().copied().collect();
                    let _ = file.space::<Target>("the file backwards", &content, ());
                }
                _ => drop(file.region(name, entry.offset, entry.length)),
            }
        }
    }
}

/// Returns a line for every finding: rule, path and bytes.
fn findings(explained: &Explained) -> Vec<String> {
    let line = |it: &everybyte::Finding| format!("{} {} {}..{}", it.rule, it.path, it.bytes.start, it.bytes.end);
    explained.findings.iter().map(line).collect()
}

/// Returns a line for every field of every space: path and bytes.
fn fields(explained: &Explained) -> Vec<String> {
    let spans = everybyte::map::spans(&explained.spaces);
    spans.iter().map(|it| format!("{}: {} {}..{}", it.space, it.path, it.node.start(), it.node.end())).collect()
}

#[test]
fn structures_at_offsets_are_mapped_in_file_order() {
    let file = b"DIR\x02\x01\x0c\x03\x00\x0a\x02ab\x05\x00\x00";
    let explained = explain::<Directory>(file);
    assert_eq!(findings(&explained), [""; 0]);
    let expected = ["0: entry[1] 10..12", "0: entry[0].value 12..14", "0: entry[0].zero 14..15"];
    assert_eq!(fields(&explained)[8..], expected);
    assert_eq!(explained.spaces[0].nodes.iter().last().unwrap().index(), Some(Index::One(0)));
    assert_eq!(rewrite::<Directory>(file).unwrap(), file);
}

#[test]
fn a_broken_structure_at_an_offset_is_a_finding_with_its_path() {
    let of = |entries: &[u8], rest: &[u8]| {
        let file = [b"DIR", &[(entries.len() / 3) as u8][..], entries, rest].concat();
        findings(&explain::<Directory>(&file))
    };
    assert_eq!(of(&[1, 7, 3], &[5, 0, 9]), ["directory/zero entry[0].zero 9..10"]);
    assert_eq!(of(&[1, 7, 2], &[5, 0]), ["truncated entry[0].zero 9..10"]);
    assert_eq!(of(&[1, 7, 3], &[5]), ["truncated entry[0].value 7..9"]);
    assert_eq!(of(&[1, 200, 3], &[]), ["outside entry[0] 200..200"]);
    assert_eq!(of(&[0, 7, 9], &[1, 2, 3]), ["truncated entry[0] 7..16"]);
    assert_eq!(of(&[0, 8, 1], &[1, 2, 3]), ["gap gap 7..8", "gap gap 9..10"]);
    assert_eq!(of(&[], b"x")[0], "gap gap 4..5");
}

#[test]
fn structures_that_overlap_are_reported_and_kept() {
    let file = [b"DIR\x03\x01\x0d\x03\x01\x0d\x03\x00\x0e\x04".as_slice(), &[1, 0, 0, 9, 8]].concat();
    let explained = explain::<Directory>(&file);
    assert_eq!(findings(&explained), ["overlap entry[1] 13..16", "overlap entry[2] 14..16"]);
    assert_eq!(explained.findings[0].message, "3 bytes of it also belong to entry[0]");
    let expected = ["0: entry[2] 16..18", "1: entry[1].value 0..2", "1: entry[1].zero 2..3", "2: entry[2] 0..4"];
    assert_eq!(fields(&explained)[13..], expected);
    fuzzing::bytes::<Directory>(&file);
}

#[test]
fn content_that_is_not_in_the_file_has_a_space_of_its_own() {
    let explained = explain::<Directory>(b"DIR\x01\x02\x00\x00");
    assert_eq!((explained.spaces.len(), explained.spaces[1].length), (2, 7));
    assert_eq!(explained.findings[0].space, 1);
    assert!(explained.to_string().contains("the file backwards  7 bytes"), "{explained}");
}

#[test]
fn a_file_with_too_many_shared_bytes_is_not_read_for_ever() {
    /// A list of structures, each as long as the file.
    #[layout]
    struct Sharing {
        bytes: [u8; 1000],
    }
    impl Format for Sharing {
        const NAME: &'static str = "sharing";

        fn examine(&self, file: &mut Examination<'_>) {
            for place in 0..1_000_000 {
                let _ = file.at::<Sharing>(("copy", place), 0u8, ());
            }
        }
    }
    let explained = explain::<Sharing>(&[0; 1000]);
    assert_eq!(explained.findings.iter().filter(|finding| finding.rule == "limit").count(), 1);
    assert!(explained.spaces.len() < 100, "{}", explained.spaces.len());
}

#[test]
fn a_field_elsewhere_is_mapped_where_it_stands() {
    #[layout]
    struct Outer {
        inner: Inner,
        last: u8,
    }
    #[layout]
    #[brw(little)]
    struct Inner {
        pointer: u8,
        #[br(seek_before = std::io::SeekFrom::Start(u64::from(pointer)), restore_position)]
        #[bw(seek_before = std::io::SeekFrom::Start(u64::from(*pointer)), restore_position)]
        target: u16,
        next: u8,
    }
    impl Format for Outer {
        const NAME: &'static str = "outer";
    }
    let explained = explain::<Outer>(&[4, 1, 2, 0, 5, 0]);
    let expected = ["0: inner.pointer 0..1", "0: inner.next 1..2", "0: last 2..3", "0: gap 3..4", "0: target 4..6"];
    assert_eq!(fields(&explained), expected);
    let broken = explain::<Outer>(&[9, 1, 2]);
    assert!(findings(&broken).contains(&"truncated inner.target 9..11".to_owned()), "{broken}");
    for pointer in 0..12 {
        fuzzing::bytes::<Outer>(&[pointer, 1, 2, 0, 5, 0]);
    }

    /// The same, but in content that is not in the file.
    #[layout]
    struct Wrapped {
        pointer: u8,
    }
    impl Format for Wrapped {
        const NAME: &'static str = "wrapped";

        fn examine(&self, file: &mut Examination<'_>) {
            let _ = file.space::<Outer>("inside", &[self.pointer, 1, 2, 0, 5, 0], ());
        }
    }
    for pointer in 0..12 {
        fuzzing::bytes::<Wrapped>(&[pointer]);
    }
    assert_eq!(fields(&explain::<Wrapped>(&[4]))[1..], expected.map(|field| field.replace("0: ", "1: ")));
}

/// Elements to the end of the file.
#[layout]
struct Stack {
    #[br(parse_with = filling(u64::MAX))]
    items: Vec<Item>,
}

/// A counted text.
#[layout]
struct Item {
    length: u8,
    #[br(args { length: length.into() })]
    text: Bytes,
}

impl Format for Stack {
    const NAME: &'static str = "stack";
}

#[test]
fn a_list_that_fills_its_space_has_a_node_for_the_first_elements() {
    let explained = explain::<Stack>(&[0; 100]);
    let fields = fields(&explained);
    assert_eq!(
        (fields[0].as_str(), fields.last().unwrap().as_str()),
        ("0: items[0].length 0..1", "0: items[64..100] 64..100")
    );
    assert_eq!(findings(&explained), [""; 0]);
    assert_eq!(rewrite::<Stack>(&[0; 100]).unwrap(), [0; 100]);
    fuzzing::any_values::<Stack>(50);
}

#[test]
fn a_list_that_fills_its_space_names_the_element_that_fails() {
    let mut file = [0; 100];
    file[99] = 5;
    let explained = explain::<Stack>(&file);
    assert_eq!(findings(&explained), ["too-many items[99].text 100..100"]);
    assert_eq!(findings(&explain::<Stack>(&[1, 0, 3, 0])), ["too-many items[1].text 3..4"]);
}

#[test]
fn what_is_printed_does_not_steer_the_terminal() {
    /// Text up to a zero byte.
    #[layout]
    struct Text {
        text: everybyte::text::NulString,
        #[br(assert(false, "refused: {:?}", text.bytes()))]
        rest: u8,
    }
    impl Format for Text {
        const NAME: &'static str = "text";
    }
    let shown = explain::<Text>(b"\x1b[2J\x07\x9b\0a").to_string();
    assert!(shown.chars().all(|letter| letter == '\n' || !letter.is_control()), "{shown:?}");
    assert_eq!(escape("a\u{1b}[2J\u{202e}\"é\n"), "a\\u{1b}[2J\\u{202e}\"é\\n");
}

#[test]
fn findings_and_rows_are_bounded() {
    /// Every second byte is a gap.
    #[layout]
    struct Gaps {
        first: u8,
    }
    impl Format for Gaps {
        const NAME: &'static str = "gaps";

        fn examine(&self, file: &mut Examination<'_>) {
            for place in 1..file.length() / 2 {
                file.region(("part", place), 2 * place, 1u8);
            }
        }
    }
    let file = [0; 60_000];
    let findings = check::<Gaps>(&file);
    assert_eq!((findings.len(), findings.last().unwrap().message.as_str()), (1001, "the file has 29000 more findings"));
    let shown = explain::<Gaps>(&file).to_string();
    assert!(shown.lines().count() < 10_200 && shown.contains("… and 50000 more fields"), "{}", shown.lines().count());
}

#[test]
fn the_byte_order_may_depend_on_the_file() {
    #[layout]
    struct Ordered {
        mark: u8,
        value: u16,
    }
    impl Format for Ordered {
        const NAME: &'static str = "ordered";

        const BYTE_ORDER: ByteOrder = ByteOrder::BigIf { at: 0, bytes: b"M" };
    }
    assert!(explain::<Ordered>(b"M\x01\x02").to_string().contains("258"));
    assert!(explain::<Ordered>(b"I\x01\x02").to_string().contains("513"));
}

#[test]
fn a_region_that_is_cut_off_is_a_finding() {
    #[layout]
    struct Cut {
        #[br(args { length: 8 })]
        body: Region,
    }
    impl Format for Cut {
        const NAME: &'static str = "cut";
    }
    let found = check::<Cut>(&[0; 3]);
    assert_eq!((&*found[0].rule, found[0].bytes.clone()), ("truncated", 0..8));
    assert_eq!(found[0].to_string(), "truncated: body, at byte 0: the bytes end after 3 of 8");
}
