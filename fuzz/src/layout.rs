//! What holds for every layout and any bytes.

use binrw::BinRead;
use ndbytes_schemas::{Endian, Layout, Node, ParseError, Problem, Source, read, trace};
use std::fmt::Debug;

/// Reads a layout untraced, traced, and from no more than the beginning of its space: the same value or the same error.
pub fn read_in_every_way<'a, T>(source: Source<'_>, endian: Endian, args: T::Args<'a>) -> Result<T, Box<ParseError>>
where
    T: BinRead + Layout + PartialEq + Debug,
    T::Args<'a>: Clone,
{
    let mut reader = source;
    let untraced = T::read_options(&mut reader, endian, args.clone());
    let (traced, root) = trace::<T>(source, endian, args.clone());
    assert_eq!(untraced.is_ok(), traced.is_ok(), "untraced {untraced:?}, traced {traced:?}");
    if let Ok(untraced) = untraced {
        assert_eq!(Ok(&untraced), traced.as_ref());
        assert_eq!(root.end, reader.position(), "the trace ends where reading ends");
        assert_leaves_tile(&root);
    }
    assert_eq!(read::<T>(source, endian, args.clone()), traced);
    for at_hand in [source.bytes().len() / 2, source.bytes().len().saturating_sub(1)] {
        let prefix = Source::prefix(&source.bytes()[..at_hand], source.length()).at(source.position());
        match read::<T>(prefix, endian, args.clone()) {
            Err(error) if error.problem == Problem::Unavailable => {}
            result => assert_eq!(result, traced, "{at_hand} bytes at hand"),
        }
    }
    traced
}

/// The parts of a structure that was read stand one behind the other and fill it.
fn assert_leaves_tile(node: &Node) {
    assert!(node.complete, "{node:?}");
    if node.children.is_empty() {
        return;
    }
    let mut end = node.start;
    for child in &node.children {
        assert_eq!(child.start, end, "a hole or an overlap before {}", child.name);
        end = child.end;
        assert_leaves_tile(child);
    }
    assert_eq!(node.end, end, "a hole at the end of {}", node.name);
}
