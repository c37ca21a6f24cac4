//! `#[layout(view)]`: the reader's fields, read in place.

mod agreement;
mod examples;
mod layouts;

use agreement::{POINT, SHELF};
use everybyte::{
    Endian, Layout,
    error::Problem,
    view::{Viewed, view},
};
use layouts::{BodyView, Flagged, Frames, Point, Shelf, Tables, Title};

#[test]
fn fields_at_fixed_offsets_are_read_where_they_are() {
    let point = view::<Point>(POINT, Endian::Little).unwrap();
    assert_eq!((point.id().unwrap(), point.kind().unwrap().name()), (1, Some("second")));
    assert_eq!((point.weight().unwrap(), point.colour().unwrap()), (1.0, [3, 4, 5]));
    assert!(point.marks().unwrap().is_set());
}

#[test]
fn a_fixed_size_is_a_constant() {
    const SIZE: u64 = Point::SIZE.unwrap();
    assert_eq!((SIZE, Shelf::SIZE), (13, None));
}

#[test]
fn texts_and_bytes_are_those_of_the_file() {
    let file = SHELF.concat();
    let shelf = Shelf::view(&file).unwrap();
    let name = shelf.name().unwrap();
    assert_eq!(name.text().as_deref(), Some("Zoll"));
    assert!(file.as_ptr_range().contains(&name.bytes().as_ptr()));
    let titles: Vec<_> =
        shelf.titles().unwrap().iter().map(|title| title.unwrap().title().unwrap().text().unwrap()).collect();
    assert_eq!(titles, ["red", ""]);
    assert_eq!((shelf.total().unwrap(), shelf.opens().unwrap().0), (9, 420));
}

#[test]
fn lists_are_indexed_up_to_their_end() {
    let file = SHELF.concat();
    let shelf = Shelf::view(&file).unwrap();
    let (points, titles) = (shelf.points().unwrap(), shelf.titles().unwrap());
    assert_eq!((points.len(), points.get(1).unwrap().unwrap().id().unwrap()), (2, 1));
    assert!(points.get(2).unwrap().is_none() && points.get(usize::MAX).unwrap().is_none());
    assert_eq!(titles.get(1).unwrap().unwrap().author().unwrap().text().as_deref(), Some("Bo"));
    assert!(titles.get(2).unwrap().is_none());
    assert_eq!((points.iter().count(), titles.iter().count(), points.iter().size_hint()), (2, 2, (1, Some(2))));
}

#[test]
fn an_error_names_the_field_and_its_offset() {
    let file = SHELF.concat();
    let cut = Shelf::view(&file[..52]).unwrap();
    assert_eq!(cut.points().unwrap().len(), 2);
    let error = cut.opens().unwrap_err();
    assert_eq!((&*error.path, error.offset), ("titles[1].author", 51));
    assert_eq!(cut.titles().unwrap().iter().last().unwrap().unwrap_err().path, "author");
    let other = [b"SHLF\x09", &file[5..]].concat();
    let shelf = Shelf::view(&other).unwrap();
    assert_eq!(shelf.version().unwrap_err().to_string(), "version at byte 4: version 9 is not known");
    assert_eq!(shelf.total().unwrap(), 9);
}

#[test]
fn a_view_of_a_file_with_another_beginning_is_refused() {
    let error = Shelf::view(b"SHEL\x03").unwrap_err();
    assert_eq!(error.problem, Problem::WrongMagic { expected: b"SHLF".to_vec(), found: b"SHEL".to_vec() });
    assert_eq!(Shelf::view(b"SH").unwrap_err().path, "magic");
}

#[test]
fn a_list_that_the_file_has_no_room_for_is_refused() {
    let shelf = Shelf::view(b"SHLF\x03\xff\xff\xff....").unwrap();
    let problem = Problem::TooMany { count: 0xff_ffff, element: 13, left: 4 };
    assert_eq!(shelf.points().unwrap_err().problem, problem);
}

#[test]
fn absent_fields_are_none_and_empty() {
    let flagged = view::<Flagged>(b"\x02\0\x07", Endian::Big).unwrap();
    assert_eq!((flagged.wide().unwrap(), flagged.many().unwrap().len(), flagged.twice().unwrap()), (None, 0, 3));
    assert_eq!(flagged.last().unwrap(), 0);
}

#[test]
fn alternatives_are_chosen_by_values() {
    let frames = Frames::view(b"FR\x01\0\x06\0\x01\0\x02ab\x08\0\0").unwrap();
    let mut bodies = frames.frames().unwrap().iter().map(|frame| frame.unwrap().body());
    let Some(Ok(BodyView::Pair(pair))) = bodies.next() else { panic!("a pair comes first") };
    assert_eq!((pair.b().unwrap(), pair.c().unwrap()), (2, &b"ab"[..]));
    let error = bodies.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "body at byte 14: no alternative is declared for 8");
}

#[test]
fn structures_at_offsets_are_viewed_when_they_are_asked_for() {
    let tables = Tables::view(&[0xff, 1, 6, 0, 6, 0, 1, b'a', b'A', 0]).unwrap();
    assert_eq!(tables.points().unwrap_err().problem, Problem::Outside { offset: 0xff, length: 10 });
    assert_eq!(tables.title().unwrap_err().problem, Problem::TooMany { count: 6, element: 1, left: 4 });
    assert!(tables.text().unwrap().is_none());
}

#[test]
fn elements_that_fill_a_space_end_with_an_error() {
    let title = view::<Title>(b"\x01aA", Endian::Little).unwrap();
    assert_eq!(title.author().unwrap_err().problem, Problem::End { needed: 2, left: 1 });
    let frames = Frames::view(b"FR\0\0\0\x02").unwrap();
    let results: Vec<bool> = frames.frames().unwrap().iter().map(|frame| frame.is_ok()).collect();
    assert_eq!(results, [true, false]);
    assert_eq!(frames.frames().unwrap().count().unwrap_err().path, "size");
}
