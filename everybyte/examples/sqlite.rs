//! The pages of an SQLite database. `cargo run -p everybyte-tests --example sqlite -- explain FILE`
//!
//! Source: "Database File Format" on sqlite.org, sections 1.3 and 1.6.

use everybyte::{Format, bytes::Zeros, codes, layout, list::filling};

/// 1.3: the header, and pages of one size. The first page begins with the header.
#[layout]
#[brw(big, magic = b"SQLite format 3\0")]
pub struct Sqlite {
    /// 1 stands for 65,536.
    #[layout(rule("sqlite/page-size", error, page_size == 1 || (page_size >= 512 && page_size.is_power_of_two()), "a page has a power of two from 512 to 65,536 bytes"))]
    page_size: u16,
    write_version: Journal,
    read_version: Journal,
    /// Bytes at the end of each page, for extensions.
    #[layout(rule("sqlite/reserved", error, page_size == 1 || page_size - u16::from(reserved) >= 480, "a page has at least 480 bytes that are not reserved"))]
    reserved: u8,
    #[layout(rule("sqlite/fraction", error, most_fraction == 64, "it is always 64"))]
    most_fraction: u8,
    #[layout(rule("sqlite/fraction", error, least_fraction == 32, "it is always 32"))]
    least_fraction: u8,
    #[layout(rule("sqlite/fraction", error, leaf_fraction == 32, "it is always 32"))]
    leaf_fraction: u8,
    #[layout(fact)]
    changes: u32,
    #[layout(counts = pages)]
    page_count: u32,
    free_list: u32,
    free_pages: u32,
    #[layout(fact)]
    schema_cookie: u32,
    #[layout(rule("sqlite/schema", error, schema_format <= 4, "the format of schemas is 0 to 4"))]
    schema_format: u32,
    #[layout(fact)]
    cache: u32,
    largest_root: u32,
    encoding: Encoding,
    #[layout(fact)]
    user_version: u32,
    is_incremental: u32,
    #[layout(fact)]
    application: u32,
    zeros: Zeros<20>,
    #[layout(fact)]
    valid_for: u32,
    #[layout(writer)]
    version: u32,
    #[br(args(if page_size == 1 { 65_436 } else { u64::from(page_size) - 100 }))]
    first: Page,
    #[br(parse_with = filling(u64::MAX), args(if page_size == 1 { 65_536 } else { page_size.into() }))]
    pages: Vec<Page>,
}

codes! {
    /// How changes are made safe.
    struct Journal(u8) {
        /// A copy of old pages.
        LEGACY = 1 => "legacy";
        /// A log of new pages.
        LOG = 2 => "write-ahead log";
    }
}

/// The encoding of texts.
#[layout]
#[brw(repr = u32)]
enum Encoding {
    /// The database is empty.
    None = 0,
    Utf8 = 1,
    Utf16Le = 2,
    Utf16Be = 3,
}

/// One page.
#[layout]
#[br(import(length: u64))]
struct Page {
    kind: PageKind,
    #[layout(inline)]
    #[br(args(kind, length - 1))]
    body: Body,
}

codes! {
    /// The kind of a page of a tree: its first byte.
    struct PageKind(u8) {
        /// No page of a tree: free, or the rest of a long row.
        OTHER = 0 => "other";
        /// A page of an index that leads to others.
        INDEX = 2 => "interior-index";
        /// A page of a table that leads to others.
        TABLE = 5 => "interior-table";
        /// A page of an index with entries.
        INDEX_LEAF = 10 => "leaf-index";
        /// A page of a table with rows.
        TABLE_LEAF = 13 => "leaf-table";
    }
}

/// 1.6, "B-tree Pages".
#[layout(match = kind)]
#[br(import(kind: PageKind, length: u64))]
enum Body {
    /// A page that leads to others.
    #[when(PageKind::INDEX | PageKind::TABLE)]
    Interior {
        first_free: u16,
        #[br(temp)]
        count: u16,
        /// The first byte of a cell; 0 stands for 65,536.
        content: u16,
        fragments: u8,
        /// The page for what comes after all cells.
        right: u32,
        #[br(count = count)]
        pointers: Vec<u16>,
        /// Free bytes, and cells in any order.
        #[layout(payload)]
        #[br(count = length - 11 - 2 * u64::from(count))]
        cells: Vec<u8>,
    },
    /// A page with rows or entries.
    #[when(PageKind::INDEX_LEAF | PageKind::TABLE_LEAF)]
    Leaf {
        first_free: u16,
        #[br(temp)]
        count: u16,
        content: u16,
        fragments: u8,
        #[br(count = count)]
        pointers: Vec<u16>,
        #[layout(payload)]
        #[br(count = length - 7 - 2 * u64::from(count))]
        cells: Vec<u8>,
    },
    /// 1.5 and 1.6.3: a page of the list of free pages, or of a long row.
    #[when(_)]
    Other {
        #[layout(payload)]
        #[br(count = length)]
        bytes: Vec<u8>,
    },
}

impl Format for Sqlite {
    const NAME: &'static str = "SQLite";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Sqlite>()
}
