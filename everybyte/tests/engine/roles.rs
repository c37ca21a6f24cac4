//! Roles of numbers, and the fields that they refer to, through the public interface.

use everybyte::links::Links;
use everybyte::map::{Nodes, Space, keyed_spans};
use everybyte::role::{Origin, Role, Target};
use everybyte::{
    Endian, Source, layout,
    reference::{Book, TypeKind},
};

/// The table at the beginning of a file.
#[layout]
#[brw(little)]
struct Table {
    /// Bytes of the table.
    #[layout(extent = Table)]
    length: u16,
    #[br(temp)]
    #[bw(try_calc = u8::try_from(sections.len()))]
    count: u8,
    #[br(count = count)]
    sections: Vec<Section>,
}

#[layout]
#[brw(little)]
struct Section {
    #[layout(fact, key)]
    tag: u8,
    #[layout(place = outer::section, after = outer::table)]
    offset: u8,
    #[layout(extent = outer::section)]
    length: u8,
}

/// Two sections: tag 7 is the last byte, tag 9 the two before it.
const FILE: [u8; 12] = [9, 0, 2, 7, 2, 1, 9, 0, 2, 0xAA, 0xAB, 0xBB];

fn map(bytes: &[u8], sections: [(u64, u64); 2]) -> Vec<Space> {
    let mut nodes = Nodes::new();
    let (_, table) = nodes.trace::<Table>(Source::new(bytes), Endian::Little, ());
    nodes.edit(table).name("table").add();
    for (start, end) in sections {
        nodes.leaf("section", start..end).add();
    }
    vec![Space::new(0, "file", bytes.len() as u64, nodes, |_, _| Ok::<(), ()>(())).unwrap()]
}

#[test]
fn numbers_lead_to_the_fields_that_they_are_about() {
    let map = map(&FILE, [(9, 11), (11, 12)]);
    let links = Links::new(&map);
    let found: Vec<_> = links
        .all()
        .map(|link| (link.number.name(), link.role.name(), link.subject.map(|it| (it.node.name(), it.start..it.end))))
        .collect();
    let section = |range| Some(("section", range));
    let expected = [
        ("length", "extent", Some(("table", 0..9))),
        ("count", "counts", Some(("sections", 3..9))),
        ("offset", "place", section(11..12)),
        ("length", "extent", section(11..12)),
        ("offset", "place", section(9..11)),
        ("length", "extent", section(9..11)),
    ];
    assert_eq!(found, expected);
    assert!(links.all().all(|link| link.agrees() == Some(true)));
}

#[test]
fn a_number_that_leads_nowhere_does_not_agree() {
    let map = map(&FILE, [(9, 10), (10, 12)]);
    let wrong: Vec<_> = Links::new(&map).all().filter(|link| link.agrees() != Some(true)).collect();
    let wrong: Vec<_> = wrong.iter().map(|link| (link.number.name(), link.number.start(), link.agrees())).collect();
    let no = Some(false);
    assert_eq!(wrong, [("offset", 4, no), ("length", 5, no), ("length", 8, no)]);
}

#[test]
fn a_search_ends_in_a_space_that_opens_itself() {
    let target = Target::new("nowhere");
    let mut nodes = Nodes::new();
    nodes.leaf("number", 0..1).role(Role::Extent { target }).opens(0).add();
    let map = vec![Space::new(0, "file", 1, nodes, |_, _| Ok::<(), ()>(())).unwrap()];
    let links = Links::new(&map);
    assert!(links.all().all(|link| link.subject.is_none()));
    assert!(links.opener(0).is_none());
}

#[test]
fn an_element_is_known_by_its_key() {
    let map = map(&FILE, [(9, 11), (11, 12)]);
    let keys: Vec<String> = keyed_spans(&map).into_iter().filter_map(|span| span.key).collect();
    assert_eq!(keys[..2], ["table.sections[7].tag", "table.sections[7].offset"]);
    assert_eq!(keys[3], "table.sections[9].tag");
}

#[test]
fn elements_of_one_key_are_told_apart_from_the_last_backwards() {
    let mut file = FILE;
    file[3] = 9;
    let map = map(&file, [(9, 11), (11, 12)]);
    let keys: Vec<String> = keyed_spans(&map).into_iter().filter_map(|span| span.key).collect();
    assert_eq!((&*keys[0], &*keys[3]), ("table.sections[9~1].tag", "table.sections[9].tag"));
}

#[test]
fn the_field_reference_states_roles() {
    let book = Book::of::<Table>();
    let TypeKind::Structure(fields) = &book.types[0].kind else { panic!("{book:?}") };
    let roles: Vec<_> = fields.iter().map(|field| (field.name.as_str(), field.is_number, field.role.clone())).collect();
    let expected = [
        ("length", true, Some(Role::Extent { target: Target::new("Table") })),
        ("count", true, Some(Role::Counts { target: Target::beside("sections") })),
        ("sections", false, None),
    ];
    assert_eq!(roles, expected);
    let TypeKind::Structure(fields) = &book.types[1].kind else { panic!("{book:?}") };
    assert!(fields[0].is_key);
    let place = Role::Place { target: Target::new("section"), origin: Origin::After("table".into()) };
    assert_eq!(fields[1].role, Some(place.clone()));
    assert_eq!(place.to_string(), "place of section after table");
}
