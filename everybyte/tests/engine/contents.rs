//! Contents that fields unpack into, as declared.

use everybyte::definition::{Subject, imhex, kaitai};
use everybyte::diff::{Options, Side, structure};
use everybyte::forge::{Choices, Mutation, Of, Repair, Session, replay};
use everybyte::packing::{Codec, Deflate, Gzip, Packing, Unpacked, Zlib};
use everybyte::{
    Endian, Finding, Format, Limits, Source, check, explain,
    format::{check_within, explain_within},
    layout,
    list::{filling, rest},
    read,
    reference::Book,
    text::Text,
    write,
};

/// A text, compressed.
#[layout]
#[allow(dead_code)]
struct Note {
    length: u8,
    #[br(count = length)]
    #[layout(opens(Zlib as Words))]
    words: Vec<u8>,
    #[br(parse_with = everybyte::list::rest)]
    #[layout(opens(Gzip as Words))]
    others: Vec<u8>,
}

#[layout]
#[allow(dead_code)]
struct Words {
    first: u8,
    second: u8,
}

/// Rows, compressed.
#[layout]
#[brw(big)]
struct Picture {
    #[layout(fact)]
    width: u8,
    #[br(temp)]
    length: u16,
    #[br(count = length)]
    #[layout(opens(Zlib as Rows, args(width)))]
    rows: Vec<u8>,
    end: u8,
}

#[layout]
#[brw(big)]
#[br(import(width: u8))]
struct Rows {
    #[br(temp)]
    count: u8,
    #[br(count = count, args { inner: (width,) })]
    rows: Vec<Row>,
}

#[layout]
#[br(import(width: u8))]
struct Row {
    #[layout(fact)]
    #[layout(rule("picture/filter", error, filter < 5, "filter {filter} is not defined"))]
    filter: u8,
    #[layout(payload)]
    #[br(count = width)]
    pixels: Vec<u8>,
}

impl Format for Picture {
    const NAME: &'static str = "picture";

    fn limits() -> Limits {
        Limits::default().bytes(1 << 10)
    }
}

fn picture(content: &[u8]) -> Vec<u8> {
    write(&Picture { width: 2, rows: Zlib::pack(content), end: 9 }, Endian::Big).unwrap()
}

fn rules(findings: &[Finding]) -> Vec<(&str, &str, u32)> {
    findings.iter().map(|finding| (finding.rule.as_str(), finding.path.as_str(), finding.space)).collect()
}

#[test]
fn content_is_mapped_and_checked_as_a_space_of_its_own() {
    let file = picture(&[2, 0, 1, 2, 1, 3, 4]);
    let explained = explain::<Picture>(&file);
    assert_eq!(explained.findings, [], "{explained}");
    assert_eq!(explained.spaces[1].title, "rows, unpacked");
    assert!(explained.spaces[0].nodes.iter().any(|node| node.opens() == Some(1)));
    assert_eq!(check::<Picture>(&file), []);
    let value: Picture = read(Source::new(&file), Endian::Big, ()).unwrap();
    assert_eq!(write(&value, Endian::Big).unwrap(), file);
    assert_eq!(rules(&check::<Picture>(&picture(&[1, 7, 1, 2]))), [("picture/filter", "rows[0].filter", 1)]);
    assert_eq!(rules(&check::<Picture>(&picture(&[1, 0, 1, 2, 3]))), [("gap", "gap", 1)]);
    assert_eq!(rules(&check::<Picture>(&picture(&[2, 0, 1, 2]))), [("truncated", "rows[1].filter", 1)]);
}

#[test]
fn content_that_cannot_be_unpacked_is_a_finding() {
    let mut file = picture(&[1, 0, 1, 2]);
    file[3] = 0;
    assert_eq!(rules(&check::<Picture>(&file)), [("content", "rows", 0)]);
    let large = picture(&[0; 1 << 20]);
    let found = check_within::<Picture>(&large, Limits::default());
    assert_eq!(rules(&found), [("limit", "rows", 0)]);
    assert_eq!(found[0].message, "its content has more than the 65536 bytes that the limits leave");
    let found = check_within::<Picture>(&picture(&[1, 0, 1, 2]), Limits::default().spaces(0));
    assert_eq!(rules(&found), [("limit", "rows", 0)]);
}

#[test]
fn content_of_a_field_that_the_map_has_no_room_for_is_judged() {
    for (content, rule) in
        [(&[1, 0, 1, 2][..], None), (&[1, 7, 1, 2], Some("picture/filter")), (&[1, 0, 1, 2, 3], Some("gap"))]
    {
        for nodes in 0..16 {
            let limits = Limits::default().nodes(nodes);
            let found = check_within::<Picture>(&picture(content), limits);
            assert_eq!(found.first().map(|finding| &*finding.rule), rule, "{nodes} nodes");
            assert_eq!(explain_within::<Picture>(&picture(content), limits).findings, found, "{nodes} nodes");
        }
    }
}

#[test]
fn the_ways_of_packing_give_the_content_back() {
    fn is_kept<P: Packing>() {
        let content: Vec<u8> = (0..10_000_u32).map(|number| ((number * number) >> 7) as u8).collect();
        let packed = P::pack(&content);
        assert_eq!(P::unpack(&packed, 10_000), Unpacked::Content(content));
        assert_eq!(P::unpack(&packed, 9_999), Unpacked::TooMany);
        let longer = [&packed[..], b"!!"].concat();
        assert!(matches!(P::unpack(&longer, 10_000), Unpacked::Broken(why) if why.contains("2 bytes before")));
        assert!(matches!(P::unpack(&packed[..packed.len() / 2], 10_000), Unpacked::Broken(_)));
    }
    is_kept::<Deflate>();
    is_kept::<Zlib>();
    is_kept::<Gzip>();
    assert_eq!(format!("{:?}", Codec::of::<Zlib>()), "Codec(\"zlib\")");
}

#[test]
fn the_forge_changes_content_and_packs_it_again() {
    let file = picture(&[2, 0, 1, 2, 1, 3, 4]);
    let grammar = Of::<Picture>::new();
    let recipe = "duplicate rows!rows[1]\nset rows!rows[0].filter = 4".parse().unwrap();
    let made = replay(&grammar, &file, &recipe).unwrap();
    assert_eq!(made, picture(&[3, 4, 1, 2, 1, 3, 4, 1, 3, 4]));
    let mut session = Session::new(&grammar);
    let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
    let reached = (0..200).filter(|&seed| {
        let mutant = session.mutate(&file, &how, &mut Choices::seeded(seed));
        check::<Picture>(&mutant.bytes).is_empty()
            && explain::<Picture>(&mutant.bytes).spaces[1] != explain::<Picture>(&file).spaces[1]
    });
    assert!(reached.count() > 20);
}

#[test]
fn contents_are_compared() {
    let files = [picture(&[1, 0, 1, 2]), picture(&[1, 3, 1, 2])];
    let maps = files.each_ref().map(|file| explain::<Picture>(file));
    let read = |_: u32, _: u64, _: &mut [u8]| false;
    let sides = maps.each_ref().map(|map| Side { spaces: &map.spaces, read: &read });
    let found = structure(&sides[0], &sides[1], &Options::default());
    assert!(
        found.lines(false).any(|line| line.contains("filter: 0 → 3")),
        "{:?}",
        found.lines(false).collect::<Vec<_>>()
    );
}

/// A text whose packed bytes stand in several parts.
#[layout]
struct Story {
    #[br(parse_with = filling(u64::MAX))]
    #[layout(opens(Zlib as Rest, join))]
    parts: Vec<Part>,
}

#[layout]
struct Part {
    kind: u8,
    #[br(temp)]
    length: u8,
    #[br(args(kind))]
    #[layout(size = length)]
    body: Body,
}

/// A part that is tried as words first.
#[layout]
#[br(import(kind: u8))]
enum Body {
    #[br(pre_assert(kind < 2))]
    Words {
        #[layout(piece = Rest)]
        #[br(count = 2)]
        words: Vec<u8>,
        #[br(assert(end == 0))]
        end: u8,
    },
    #[br(pre_assert(kind < 3))]
    Note {
        #[br(parse_with = rest)]
        note: Vec<u8>,
    },
    #[br(pre_assert(kind == 3))]
    More {
        #[layout(piece = Rest)]
        #[br(parse_with = rest)]
        more: Vec<u8>,
    },
}

#[layout]
struct Rest {
    first: u8,
    #[br(parse_with = rest)]
    text: Text,
}

impl Format for Story {
    const NAME: &'static str = "story";
}

#[test]
fn pieces_of_alternatives_that_were_given_up_are_not_joined() {
    let packed = Zlib::pack(b"!hello");
    let length = packed.len() as u8 - 2;
    let file = [b"\x01\x03", &packed[..2], b"\0", b"\x01\x03??!", b"\x03", &[length], &packed[2..]].concat();
    assert_eq!(check::<Story>(&file), []);
    let explained = explain::<Story>(&file);
    assert_eq!(explained.findings, []);
    assert_eq!(explained.spaces[1].title, "parts, joined and unpacked");
    let opener = explained.spaces[0].nodes.all().find(|node| node.opens() == Some(1)).unwrap();
    assert_eq!((opener.name(), opener.pieces()), ("parts", &[2..4, 12..12 + u64::from(length)][..]));
    let cut = [b"\x01\x03", &packed[..2], b"\0"].concat();
    assert_eq!(rules(&check::<Story>(&cut)), [("content", "parts[0].body.words", 0)]);
    assert_eq!(check::<Story>(b"\x02\x01?"), []);
}

#[test]
fn content_in_more_pieces_than_the_map_shows_is_read_and_not_changed() {
    let packed = Zlib::pack(b"!hello");
    let pieces: Vec<u8> = packed.iter().flat_map(|&byte| [3, 1, byte]).collect();
    let file = [&[3, 0].repeat(100_000)[..], &pieces].concat();
    let explained = explain::<Story>(&file);
    assert_eq!(explained.findings, []);
    assert!(explained.to_string().contains("hello"));
    let recipe = "set parts!text = \"bye\"".parse().unwrap();
    let problem = replay(&Of::<Story>::new(), &file, &recipe).unwrap_err().problem;
    assert_eq!(problem, "the content of the field cannot be written back");
}

#[test]
fn stories_that_are_made_up_are_valid() {
    everybyte::fuzzing::values::<Story>(200);
}

#[test]
fn definitions_say_content_or_name_it() {
    let book = Book::of::<Picture>();
    let subject = Subject::new("picture", "picture", std::slice::from_ref(&book));
    let text = kaitai(subject);
    assert!(text.contains("# NOT EXACT: its bytes are zlib, and unpack into `rows`, which has parameters"), "{text}");
    assert!(imhex(subject).contains("NOT EXACT: its bytes are zlib, and unpack into `Rows`"));
    let book = Book::of::<Note>();
    let subject = Subject::new("note", "note", std::slice::from_ref(&book));
    let text = kaitai(subject);
    assert!(text.contains("    process: zlib\n    type: \"words\"\n"), "{text}");
    assert!(text.contains("# NOT EXACT: its bytes are gzip, and unpack into `words`"), "{text}");
    if let Some(path) = std::env::var_os("KSY_OUT") {
        std::fs::write(path, &text).unwrap();
    }
}

#[test]
fn any_files_with_contents_keep_the_promises() {
    everybyte::fuzzing::values::<Picture>(200);
}
