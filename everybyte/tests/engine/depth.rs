//! Structures that contain themselves: a file cannot nest them deeper than the limit of a reader.

use binrw::BinRead;
use everybyte::{
    Format, Limits, Source, check, explain,
    format::{check_within, explain_within, rewrite},
    fuzzing, layout,
    list::{filling, until},
    read,
    text::{Text, Utf8},
};

/// A link in a box.
#[layout]
struct Link {
    more: u8,
    #[br(if(more != 0))]
    next: Option<Box<Link>>,
}

/// A tree in lists.
#[layout]
struct Tree {
    count: u8,
    #[br(count = count)]
    branches: Vec<Tree>,
}

/// Alternatives that hold others, with and without nodes of their own.
#[layout]
struct Item {
    tag: u8,
    #[layout(inline)]
    #[br(args(tag))]
    body: Body,
}

#[layout(match = tag)]
#[br(import(tag: u8))]
enum Body {
    #[when(0)]
    Empty {},
    #[when(1)]
    Pair { first: Box<Item>, second: Box<Item> },
    #[when(2)]
    Tried {
        #[layout(inline)]
        item: Box<Item>,
    },
    #[when(3)]
    Text {
        length: u8,
        #[br(count = length)]
        text: Text<Utf8>,
    },
    #[when(4)]
    Sized {
        size: u8,
        #[layout(size = size)]
        item: Box<Item>,
    },
    #[when(5)]
    Until {
        #[br(parse_with = until(|item: &Item| item.tag == 0))]
        items: Vec<Item>,
    },
    #[when(6)]
    Tree {
        #[br(count = 1)]
        items: Vec<Item>,
    },
    #[when(_)]
    Filling {
        #[br(parse_with = filling(u64::MAX))]
        items: Vec<Item>,
    },
}

macro_rules! formats {
    ($($layout:ident)*) => { $(
        impl Format for $layout {
            const NAME: &'static str = stringify!($layout);
        }
    )* };
}

formats! { Link Tree Item }

/// Reads a file in every way, on a thread with the default stack size.
fn in_every_way<F: Format>(file: Vec<u8>) {
    let work = move || {
        let found = check::<F>(&file);
        assert_eq!(found[0].rule, "limit", "{found:?}");
        assert_eq!(found[0].message, "the structures are nested deeper than 64 levels");
        assert_eq!(explain::<F>(&file).findings, found);
        let _ = explain::<F>(&file).to_string();
        assert!(read::<F>(Source::new(&file), everybyte::Endian::Little, ()).is_err());
        assert!(rewrite::<F>(&file).is_err());
        fuzzing::bytes::<F>(&file);
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn nested_structures_are_refused_where_they_are_too_deep() {
    in_every_way::<Link>(vec![1; 2_000_000]);
    in_every_way::<Tree>(vec![1; 2_000_000]);
    for tag in [1, 2, 5, 6, 7] {
        in_every_way::<Item>(vec![tag; 2_000_000]);
    }
}

/// Alternatives that all hold others.
#[layout]
enum Either {
    #[br(pre_assert(true))]
    One {
        #[br(assert(number != 2))]
        number: u8,
        next: Box<Either>,
    },
    #[br(pre_assert(true))]
    Other { number: u8, next: Box<Either> },
    #[br(pre_assert(true))]
    Last {
        #[br(assert(number == 0))]
        number: u8,
    },
}

formats! { Either }

#[test]
fn no_alternatives_of_structures_that_are_too_deep_are_tried() {
    in_every_way::<Either>(vec![1; 2_000_000]);
    in_every_way::<Either>(vec![2; 2_000_000]);
    assert!(Either::read_le(&mut std::io::Cursor::new(vec![1; 200])).is_err());
    assert!(Either::read_le(&mut std::io::Cursor::new(vec![1, 2, 0])).is_ok(), "the next file is no worse for it");
    assert_eq!(check::<Either>(&[1, 2, 0]), []);
}

#[test]
fn values_of_structures_that_contain_themselves_are_made_up() {
    fuzzing::any_values::<Link>(20);
    fuzzing::any_values::<Tree>(20);
    fuzzing::any_values::<Item>(20);
}

#[test]
fn a_caller_may_allow_more_levels() {
    let file = [[1; 99].as_slice(), &[0]].concat();
    assert_eq!(check::<Link>(&file)[0].rule, "limit");
    let explained = explain_within::<Link>(&file, Limits::default().depth(100));
    assert_eq!(explained.findings, []);
    assert_eq!(check_within::<Link>(&file, Limits::default().depth(100)), []);
    assert_eq!(check_within::<Link>(&file, Limits::default().depth(99)), []);
    let found = check_within::<Link>(&file, Limits::default().depth(98));
    assert_eq!((found[0].bytes.start, found[0].path.matches("next").count()), (99, 99));
}
