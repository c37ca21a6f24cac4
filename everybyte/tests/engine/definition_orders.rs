//! Definitions of formats whose files state a byte order, and of alternatives that a code selects.

use everybyte::definition::{Subject, imhex, kaitai};
use everybyte::{Layout, codes, layout, reference::Book, view::ByteOrder};

/// A list of items.
#[layout]
#[allow(dead_code)]
struct Items {
    mark: u8,
    #[br(temp)]
    count: u16,
    #[br(count = count)]
    entries: Vec<Entry>,
    #[br(args(entry.kind))]
    #[layout(each(entry in entries), at = entry.offset, size = match entry.kind { Kind::NOTHING => 0, _ => entry.length })]
    items: Vec<Item>,
    /// A structure that is always little-endian.
    #[brw(little)]
    trailer: Trailer,
}

/// An entry.
#[layout]
#[allow(dead_code)]
struct Entry {
    kind: Kind,
    offset: u32,
    length: u32,
}

codes! {
    /// The kind of an item.
    struct Kind(u16) {
        /// None.
        NOTHING = 0 => "nothing";
        /// A number.
        NUMBER = 1 => "a number";
    }
}

/// An item, by its kind.
#[layout(match = kind)]
#[br(import(kind: Kind))]
#[allow(dead_code)]
enum Item {
    #[when(Kind::NUMBER)]
    Number { number: u32 },
    #[when(_)]
    Nothing {},
}

/// The end.
#[layout]
#[allow(dead_code)]
struct Trailer {
    sum: u32,
}

fn definitions<T: Layout>(byte_order: ByteOrder) -> [String; 2] {
    let books = [Book::of::<T>()];
    let subject = Subject { byte_order, ..Subject::new("items", "Items", &books) };
    [kaitai(subject), imhex(subject)]
}

#[track_caller]
fn ensure_parts(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part}\nis not in\n{text}");
    }
    assert!(!text.contains("NOT EXACT"), "{text}");
}

#[test]
fn kaitai_reads_the_mark_of_the_byte_order_first() {
    let [text, _] = definitions::<Items>(ByteOrder::BigIf { at: 0, bytes: b"M" });
    let parts = [
        "instances:\n  order_mark:\n    pos: 0\n    size: 1\n",
        "        switch-on: _root.order_mark\n        cases:\n          '[0x4d]': be\n          _: le\n",
        "      trailer:\n        meta:\n          endian: le\n",
    ];
    ensure_parts(&text, &parts);
}

#[test]
fn a_byte_order_that_all_files_have_is_that_of_the_definition() {
    let [kaitai, imhex] = definitions::<Items>(ByteOrder::Big);
    ensure_parts(&kaitai, &["meta:\n  id: items\n  title: \"Items\"\n  endian: be\n"]);
    assert!(imhex.contains("#pragma endian big"), "{imhex}");
}

#[test]
fn kaitai_chooses_alternatives_and_sizes_by_a_code() {
    let [text, _] = definitions::<Items>(ByteOrder::Little);
    let size = "((entries[_index].kind == kind::nothing) ? 0 : entries[_index].length)";
    let parts = [
        &format!("    type: \"items_at(entries[_index].offset, {size}, entries[_index].kind)\"\n"),
        "      - id: element_kind\n        type: u8\n        enum: kind\n",
        "        type: \"item(element_kind)\"\n",
        "        if: \"(kind == kind::a_number)\"\n",
        "        if: \"(not (kind == kind::a_number))\"\n",
    ];
    ensure_parts(&text, &parts);
}

#[test]
fn imhex_looks_at_the_mark_of_the_byte_order() {
    let [_, text] = definitions::<Items>(ByteOrder::BigIf { at: 4, bytes: b"MM" });
    let call = "std::core::set_endian(std::mem::read_unsigned(4, 2, std::mem::Endian::Big) == 0x4d4d \
                ? std::mem::Endian::Big : std::mem::Endian::Little);";
    assert!(text.contains(call), "{text}");
    assert!(text.contains("if ((kind == Kind::a_number)) ItemNumber<kind> number;"), "{text}");
    assert!(text.contains("    le u32 sum;"), "{text}");
}

/// Numbers of an order of their own in a structure of another.
#[layout]
#[brw(little)]
#[allow(dead_code)]
struct Mixed {
    #[br(temp)]
    count: u8,
    #[brw(big)]
    #[br(count = count)]
    numbers: Vec<u32>,
    #[br(temp)]
    place: u16,
    #[br(temp)]
    size: u16,
    /// Everything up to the size that is stated.
    #[layout(at = place, size = size)]
    #[br(parse_with = everybyte::list::rest)]
    text: Vec<u8>,
    #[brw(big)]
    last: f64,
}

#[test]
fn numbers_of_another_order_say_so_by_themselves() {
    let [kaitai, imhex] = definitions::<Mixed>(ByteOrder::Little);
    ensure_parts(&kaitai, &["type: u4be\n    repeat: expr", "type: f8be", "pos: \"place\"\n    size: \"size\""]);
    ensure_parts(&imhex, &["be u32 numbers[count];", "u8 text[size] @ place;", "be double last;"]);
}
