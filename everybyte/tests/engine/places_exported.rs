//! Definitions of structures at offsets for Kaitai Struct and ImHex.

use everybyte::definition::{Subject, imhex, kaitai};
use everybyte::{layout, reference::Book, text::Text};

/// A page with cells.
#[layout]
#[brw(big, magic = b"PAGE")]
#[allow(dead_code)]
struct Page {
    #[br(temp)]
    count: u8,
    #[br(temp, count = count)]
    pointers: Vec<u16>,
    /// The cells.
    #[layout(each(pointer in pointers), at = pointer)]
    cells: Vec<Option<Cell>>,
    next: u32,
    #[layout(extent = title)]
    length: u8,
    /// The title of the page.
    #[br(if(next > 0))]
    #[layout(at = next, size = length, after = length)]
    title: Option<Cell>,
    entries_offset: u16,
    #[br(count = count)]
    #[layout(at = entries_offset, relative_to = Page)]
    entries: Vec<Entry>,
    #[layout(each(entry in entries), at = entry.offset, size = entry.length)]
    contents: Vec<Cell>,
}

#[layout]
#[brw(big)]
#[allow(dead_code)]
struct Entry {
    offset: u16,
    length: u16,
}

#[layout]
#[brw(big)]
#[allow(dead_code)]
struct Cell {
    #[br(temp)]
    length: u8,
    #[br(count = length)]
    text: Text,
}

fn subject(book: &Book) -> Subject<'_> {
    Subject::new("pages", "pages", std::slice::from_ref(book))
}

#[test]
fn kaitai_places_structures_by_instances() {
    let book = Book::of::<Page>();
    let text = kaitai(subject(&book));
    let expected = r#"  - id: cells
    type: "cells_at(pointers[_index])"
    repeat: expr
    repeat-expr: "pointers.size"
"#;
    assert!(text.contains(expected), "{text}");
    let expected = r#"  title:
    pos: "length_end + next"
    type: "cell"
    size: "length"
    if: "(next > 0)"
"#;
    assert!(text.contains(expected), "{text}");
    let expected = r#"  entries:
    pos: "own_start + entries_offset"
    type: "entry"
    repeat: expr
    repeat-expr: "count"
"#;
    assert!(text.contains(expected), "{text}");
    assert!(text.contains(r#"type: "contents_at(entries[_index].offset, entries[_index].length)""#), "{text}");
    if let Some(path) = std::env::var_os("KSY_OUT") {
        std::fs::write(path, &text).unwrap();
    }
}

#[test]
fn imhex_places_structures_and_the_elements_of_lists() {
    let book = Book::of::<Page>();
    let text = imhex(subject(&book));
    assert!(text.contains("Cell title @ addressof(length) + sizeof(length) + next;"), "{text}");
    assert!(text.contains("Entry entries[count] @ addressof(this) + entries_offset;"), "{text}");
    let expected = "struct PageCellsAt {\n    Cell value @ parent.pointers[std::core::array_index()];\n};\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("    PageCellsAt cells[std::core::member_count(pointers)];\n"), "{text}");
    assert!(book.page("Page").is_some_and(|page| format!("{page:?}").contains("cells")));
}
