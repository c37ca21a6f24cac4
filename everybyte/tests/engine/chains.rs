//! Lists whose elements state the offset of the next one, and numbers that are indices of lists.

use everybyte::forge::{Of, replay};
use everybyte::links::Links;
use everybyte::{
    Endian, Finding, Format, Source, check, explain,
    format::rewrite,
    layout,
    list::{until_all, until_sum},
    read, write,
};
use std::cell::Cell;

/// Pages, each of which says where the next one stands.
#[layout]
#[brw(big, magic = b"BOOK")]
struct Chained {
    first: u32,
    #[layout(at = first, chain(page => page.next))]
    pages: Vec<Page>,
}

#[layout]
#[brw(big)]
struct Page {
    #[layout(place = outer::pages)]
    next: u32,
    #[br(temp)]
    length: u8,
    #[br(count = length)]
    text: Vec<u8>,
}

impl Format for Chained {
    const NAME: &'static str = "chained";
}

/// Returns a file of pages at these offsets, in the order of the chain; the last one points to `last`.
fn book(offsets: &[u32], last: u32) -> Vec<u8> {
    let next = |place: usize| offsets.get(place).copied().unwrap_or(last);
    let pages = (0..offsets.len()).map(|place| Page { next: next(place + 1), text: vec![b'a' + (place % 26) as u8] });
    let first = next(0);
    write(&Chained { first, pages: pages.collect() }, Endian::Big).unwrap()
}

fn rules(findings: &[Finding]) -> Vec<(&str, &str)> {
    findings.iter().map(|finding| (finding.rule.as_str(), finding.path.as_str())).collect()
}

#[test]
fn a_chain_is_a_list_in_its_own_order() {
    let file = book(&[8, 20, 14], 0);
    let chained: Chained = read(Source::new(&file), Endian::Big, ()).unwrap();
    let texts: Vec<&[u8]> = chained.pages.iter().map(|page| &*page.text).collect();
    assert_eq!(texts, [b"a", b"b", b"c"]);
    assert_eq!(write(&chained, Endian::Big).unwrap(), file);
    assert_eq!(rewrite::<Chained>(&file).unwrap(), file);
    assert_eq!(check::<Chained>(&file), []);
    let explained = explain::<Chained>(&file);
    assert_eq!(explained.findings, []);
    assert!(explained.to_string().contains("pages[2].text"), "{explained}");
    // A chain without elements.
    assert_eq!(check::<Chained>(b"BOOK\0\0\0\0"), []);
    let empty = Chained { first: 0, pages: vec![] };
    assert_eq!(write(&empty, Endian::Big).unwrap(), b"BOOK\0\0\0\0");
}

#[test]
fn a_chain_that_leads_back_is_a_finding_and_ends() {
    let file = book(&[8, 14, 20], 14);
    let found = check::<Chained>(&file);
    assert_eq!(rules(&found), [("loop", "pages[2]")]);
    assert_eq!(found[0].message, "the next element would be pages[1] again, at byte 14: the list ends here");
    assert_eq!(explain::<Chained>(&file).findings, found);
    let chained: Chained = read(Source::new(&file), Endian::Big, ()).unwrap();
    assert_eq!(chained.pages.len(), 3);
    assert_eq!(write(&chained, Endian::Big).unwrap(), file);
    assert_eq!(rules(&check::<Chained>(&book(&[8], 8))), [("loop", "pages[0]")]);
}

#[test]
fn a_chain_that_leads_out_of_the_file_is_an_error_of_its_element() {
    let found = check::<Chained>(&book(&[8, 14], 999));
    assert_eq!(found[0].path, "pages[2]", "{found:?}");
    // Elements that share bytes.
    let mut file = book(&[8, 14], 0);
    file[11] = 13;
    assert!(!check::<Chained>(&file).is_empty());
}

#[test]
fn a_chain_of_ten_thousand_elements_is_read_without_depth() {
    let offsets: Vec<u32> = (0..10_000).map(|place| 8 + 6 * place).collect();
    let file = book(&offsets, 0);
    let chained: Chained = read(Source::new(&file), Endian::Big, ()).unwrap();
    assert_eq!(chained.pages.len(), 10_000);
    assert_eq!(check::<Chained>(&file), []);
    assert_eq!(explain::<Chained>(&file).findings, []);
}

#[test]
fn files_with_a_chain_are_made_up() {
    everybyte::fuzzing::values::<Chained>(200);
}

#[test]
fn links_lead_from_an_element_of_a_chain_to_the_next_one() {
    let file = book(&[8, 20, 14], 0);
    let explained = explain::<Chained>(&file);
    let links = Links::new(&explained.spaces);
    let led: Vec<Option<u64>> = links.all().map(|link| link.subject.map(|subject| subject.start)).collect();
    assert!(led.contains(&Some(20)) && led.contains(&Some(14)), "{led:?}");
}

/// Names, and references to them that count from one.
#[layout]
struct Names {
    #[br(temp)]
    count: u8,
    #[br(count = count)]
    names: Vec<u16>,
    #[layout(index_of = names, from = 1)]
    chosen: u8,
}

impl Format for Names {
    const NAME: &'static str = "names";
}

#[test]
fn an_index_leads_to_its_element() {
    let file = [3, 7, 0, 8, 0, 9, 0, 2];
    let explained = explain::<Names>(&file);
    assert_eq!(explained.findings, []);
    let links = Links::new(&explained.spaces);
    let link = links.all().find(|link| link.number.name() == "chosen").unwrap();
    let subject = link.subject.unwrap();
    assert_eq!((subject.start, subject.end, link.role.to_string()), (3, 5, "index of names − 1".to_owned()));
    // Another index changes one number, and nothing else.
    let made = replay(&Of::<Names>::new(), &file, &"set chosen = 3".parse().unwrap()).unwrap();
    assert_eq!(made, [3, 7, 0, 8, 0, 9, 0, 3]);
}

/// A table whose number of slots is stated, of which some elements take two.
#[layout]
struct Pool {
    slots: u8,
    #[br(parse_with = until_sum(slots.into(), |constant: &Constant| constant.slots()))]
    constants: Vec<Constant>,
    /// The same by a closure that moves what it counts with.
    #[br(parse_with = everybyte::list::until({ let n = Cell::new(0_u32); move |c: &Constant| { n.set(n.get() + 1); n.get() + u32::from(c.kind) >= u32::from(slots) } }))]
    again: Vec<Constant>,
    #[br(parse_with = until_all(|all: &[u8]| all.len() * 2 > 3))]
    pair: Vec<u8>,
}

#[layout]
struct Constant {
    kind: u8,
}

impl Constant {
    fn slots(&self) -> u64 {
        if self.kind == 5 { 2 } else { 1 }
    }
}

#[test]
fn a_list_ends_with_the_element_that_reaches_a_sum() {
    let pool: Pool = read(Source::new(&[3, 5, 1, 0, 2, 8, 9]), Endian::Big, ()).unwrap();
    assert_eq!((pool.constants.len(), pool.again.len(), pool.pair), (2, 2, vec![8, 9]));
    let none: Pool = read(Source::new(&[0, 0, 8, 9]), Endian::Big, ()).unwrap();
    assert_eq!((none.constants.len(), none.again.len()), (0, 1));
}

/// Elements at the offsets of some of the entries: the parameters of the closure are not fields.
#[layout]
#[brw(little, magic = b"FAR")]
struct Far {
    #[br(temp)]
    count: u8,
    #[br(count = count)]
    entries: Vec<Entry>,
    #[layout(each(entry in entries.iter().filter(|e| e.at > 0).collect::<Vec<_>>()), at = entry.at, size = entry.size * 2)]
    parts: Vec<Part>,
}

#[layout]
struct Entry {
    at: u8,
    size: u8,
}

#[layout]
struct Part {
    #[br(parse_with = everybyte::list::rest)]
    bytes: Vec<u8>,
}

impl Format for Far {
    const NAME: &'static str = "far";
}

#[test]
fn a_closure_in_each_has_parameters_of_its_own() {
    let file = b"FAR\x02\0\0\x08\x01ab";
    assert_eq!(check::<Far>(file), []);
    let far: Far = read(Source::new(file), Endian::Little, ()).unwrap();
    assert_eq!(
        (far.parts[0].bytes.as_slice(), write(&far, Endian::Little).unwrap().as_slice()),
        (&b"ab"[..], &file[..])
    );
}
