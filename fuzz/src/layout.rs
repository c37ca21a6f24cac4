//! The guarantees for every layout and arbitrary bytes.

use binrw::{BinRead, BinWrite};
use everybyte::links::Links;
use everybyte::map::{is_below, keyed_spans, part_of, spans};
use everybyte::{
    Endian, Explained, Layout, ParseError, Source,
    error::Problem,
    map::Node,
    read,
    trace::{length_of, trace},
    write,
};
use std::fmt::Debug;
use std::ops::Range;

/// The maximum memory of a value per byte of the file. A list of one element has room for several.
const MOST_HELD: u64 = 1024;

/// Reads a layout untraced, traced, and from only the beginning of its space, and asserts that the value or error is the same.
pub fn read_in_every_way<'a, T>(source: Source<'_>, endian: Endian, args: T::Args<'a>) -> Result<T, Box<ParseError>>
where
    T: BinRead + Layout + PartialEq + Debug,
    T::Args<'a>: Clone,
{
    let mut reader = source;
    let untraced = T::read_options(&mut reader, endian, args.clone());
    let (traced, nodes) = trace::<T>(source, endian, args.clone());
    assert_eq!(untraced.is_ok(), traced.is_ok(), "untraced {untraced:?}, traced {traced:?}");
    match untraced {
        Ok(untraced) => {
            let root = nodes.root();
            assert_eq!(Ok(&untraced), traced.as_ref());
            assert_eq!(root.end(), reader.position(), "the trace ends where reading ends");
            assert_leaves_tile(root);
            assert_eq!(
                (root.value(), &*root.meaning()),
                (untraced.value(), &*untraced.meaning()),
                "the map says it too"
            );
            assert_bounded(&untraced, root.length());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
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

/// Asserts that the memory of a value is proportional to its bytes.
fn assert_bounded(value: &impl Layout, bytes: u64) {
    let heap = value.heap();
    assert!(heap <= MOST_HELD * bytes.max(1), "{heap} bytes of memory are held for {bytes} bytes");
}

/// Reads a structure in every way. If that succeeds, asserts that it is written back unchanged, except for regions,
/// whose content the writer supplies.
pub fn read_back<'a, T>(
    source: Source<'_>,
    endian: Endian,
    args: <T as BinRead>::Args<'a>,
    regions: impl Fn(&T) -> Vec<Range<u64>>,
) -> Option<T>
where
    T: BinRead + Layout + PartialEq + Debug + for<'w> BinWrite<Args<'w> = ()>,
    <T as BinRead>::Args<'a>: Clone,
{
    let value = read_in_every_way::<T>(source, endian, args).ok()?;
    let start = source.position() as usize;
    let mut written = write(&value, endian).expect("what was read can be written");
    let length = length_of(&value, endian) as usize;
    assert!(written.len() <= length);
    written.resize(length, 0);
    // A structure without bytes may be at any position.
    let bytes = source.bytes().get(start..start + length).unwrap_or_default();
    for region in regions(&value) {
        let region = region.start as usize - start..region.end as usize - start;
        written[region.clone()].copy_from_slice(&bytes[region]);
    }
    assert!(written == bytes, "{value:?} is what it is written to");
    Some(value)
}

/// Asserts that the parts of a structure are contiguous and cover it.
fn assert_leaves_tile(node: Node<'_>) {
    assert!(node.is_complete(), "{node:?}");
    if node.is_leaf() {
        return;
    }
    let mut end = node.start();
    for child in node.children() {
        assert_eq!(child.start(), end, "a hole or an overlap before {}", child.name());
        end = child.end();
        assert_leaves_tile(child);
    }
    assert_eq!(node.end(), end, "a hole at the end of {}", node.name());
}

/// Asserts that the fields and gaps of each space cover every byte exactly once.
pub fn assert_explained(explained: &Explained, file: &[u8]) {
    for space in &explained.spaces {
        let mut end = 0;
        for span in spans(std::slice::from_ref(space)) {
            assert_eq!(span.node.start(), end, "a byte has one place: {}", span.path);
            end = span.node.end();
            let held = span.node.value().heap();
            assert!(held <= MOST_HELD * span.node.length().max(1), "a value of {held} bytes: {}", span.path);
        }
        assert_eq!(end, space.length, "all bytes have a place");
    }
    assert_eq!(explained.spaces[0].length, file.len() as u64);
    for finding in &explained.findings {
        assert!(
            (finding.space as usize) < explained.spaces.len() && finding.bytes.start <= finding.bytes.end,
            "{finding:?}"
        );
    }
}

/// Asserts that links point to bytes of a space, and that the part for a field is the field with everything below it.
pub fn assert_linked(explained: &Explained) {
    let links = Links::new(&explained.spaces);
    for link in links.all() {
        assert!(link.subject.is_none_or(|subject| subject.start <= subject.end), "{}", link.number.name());
        let (words, name) = (link.role.to_string(), link.role.name().replace('_', " "));
        assert!(words.starts_with(&name), "{words} but {name}");
    }
    for space in &explained.spaces {
        // If the field has no bytes, it is not in the map.
        let opened = links.opener(space.id).map(|opener| opener.opens());
        assert!(opened.is_none_or(|opened| opened == Some(space.id) && space.id > 0), "{opened:?} is not {}", space.id);
    }
    let spans = keyed_spans(&explained.spaces);
    let Some(span) = spans.get(spans.len() / 2) else { return };
    let part = part_of(&explained.spaces, &span.path);
    assert!(part.iter().any(|one| one.path == span.path), "{}", span.path);
    assert!(part.iter().all(|one| one.space != span.space || is_below(&one.path, &span.path) || one.key.is_some()));
}
