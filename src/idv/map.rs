//! The byte map of an IDV file, and of what is decompressed from it.

use super::blocks::{Target, annotation_stored, block_stored, rows_text};
use super::decode::Content;
use super::sections::Part;
use super::stream::{Scratch, Stored};
use super::structure::{Examined, Structure, examine_structure};
use crate::bytemap::{ByteMap, Space, drop_empty};
use crate::input::Input;
use crate::{Depth, Format, Limits, Result};
use binrw::args;
use ndbytes_schemas::idv::{Annotations, Block, Columns, Compression, Header, Lookup, SlotNames, Tail};
use ndbytes_schemas::{Endian, Index, Node, Source, Value, trace};
use std::collections::HashSet;
use std::ops::Range;

/// How many blocks of a column have a field of their own.
const NAMED_BLOCKS: usize = 64;

/// How many blocks of a column are mapped inside.
const SHOWN_BLOCKS: usize = 4;

/// How many blocks of all columns, and how many annotations, are mapped inside.
const SHOWN_IN_ALL: usize = 64;

/// The most bytes of a block that is mapped inside.
const LARGEST_SHOWN: u64 = 16 << 20;

/// How many bytes of a text are shown.
const SHOWN_TEXT: u64 = 32;

/// Maps a file, whatever its state.
pub(crate) fn byte_map(input: Input<'_>, depth: Depth) -> Result<ByteMap> {
    let Examined { input, structure, .. } = examine_structure(input)?;
    let Some(structure) = structure else {
        let (_, header) = trace::<Header>(input.source(), Endian::Little, ());
        let header = Node { name: "header", ..header };
        return Ok(ByteMap::new(Some(Format::Idv), vec![Space::new(0, "file", &input, vec![header])?]));
    };
    let mut mapper = Mapper { input: &input, structure: &structure, shown: HashSet::new(), nested: Vec::new() };
    if depth == Depth::Payload {
        mapper.choose();
    }
    let mut nodes = mapper.nodes()?;
    drop_empty(&mut nodes);
    let mut spaces = vec![Space::new(0, "file", &input, nodes)?];
    spaces.append(&mut mapper.nested);
    spaces.sort_by_key(|space| space.id);
    Ok(ByteMap::new(Some(Format::Idv), spaces))
}

struct Mapper<'s> {
    input: &'s Input<'s>,
    structure: &'s Structure,
    /// The blocks that are mapped inside.
    shown: HashSet<(usize, usize)>,
    nested: Vec<Space>,
}

impl Mapper<'_> {
    /// Chooses the blocks that are mapped inside: the first of every column, as long as there are not too many.
    fn choose(&mut self) {
        for block in 0..SHOWN_BLOCKS {
            for (column, parts) in self.structure.columns.iter().enumerate() {
                if block < parts.lookup.blocks.len() && self.shown.len() < SHOWN_IN_ALL {
                    self.shown.insert((column, block));
                }
            }
        }
    }

    /// The fields of the file, each byte in one of them at the most.
    fn nodes(&mut self) -> Result<Vec<Node>> {
        let structure = self.structure;
        let mut nodes = Vec::new();
        let mut reached = 0;
        let mut parts = structure.sections.parts().iter().peekable();
        while let Some((place, part)) = parts.next() {
            // Where things overlap, the first one has the bytes.
            if place.start < reached {
                continue;
            }
            reached = place.end;
            if is_hidden(*part) {
                let mut count = 1;
                while let Some((next, _)) = parts.next_if(|(next, part)| is_hidden(*part) && next.start == reached) {
                    reached = next.end;
                    count += 1;
                }
                let mut node = Node::leaf("blocks", place.start, reached);
                node.type_name = "bytes".into();
                node.meaning = format!("{count} blocks");
                nodes.push(node);
                continue;
            }
            nodes.push(self.part(place, *part)?);
        }
        Ok(nodes)
    }

    fn part(&mut self, place: &Range<u64>, part: Part) -> Result<Node> {
        let structure = self.structure;
        let version = structure.header.version;
        let count = structure.header.column_count as u32;
        Ok(match part {
            Part::Header => named("header", self.traced(place, |source| trace::<Header>(source, LITTLE, ()).1)?),
            Part::Tail => named("tail", self.traced(place, |source| trace::<Tail>(source, LITTLE, ()).1)?),
            Part::Columns => {
                let trace =
                    |source: Source<'_>| trace::<Columns>(source, LITTLE, args! { version, column_count: count }).1;
                // The list is what the table consists of.
                let root = self.traced(place, trace)?;
                root.children.into_iter().next().unwrap_or_else(|| Node::leaf("columns", place.start, place.end))
            }
            Part::Lookup(column) => {
                let block_count = structure.columns[column].lookup.blocks.len() as u64;
                let root = self.traced(place, |source| trace::<Lookup>(source, LITTLE, args! { block_count }).1)?;
                column_node(column, named("lookup", root))
            }
            Part::Annotations(column) => {
                let root = self.traced(place, |source| trace::<Annotations>(source, LITTLE, ()).1)?;
                column_node(column, named("annotations", root))
            }
            Part::SlotNames(column) => {
                let names = structure.columns[column].slot_names.as_ref();
                let count = names.map_or(0, |(names, _)| names.slots.len()) as u32;
                let root = self.traced(place, |source| trace::<SlotNames>(source, LITTLE, args! { count }).1)?;
                column_node(column, named("slot_names", root))
            }
            Part::Block(column, block) => {
                let stored = block_stored(structure, column, block);
                let target = Target::of_block(structure, column, block);
                let target = target.filter(|_| self.shown.contains(&(column, block)));
                let node = self.block(place, stored, target, &part.to_string())?;
                let rows = structure.columns[column].rows_of(block, structure.rows());
                let node = Node { name: "block", index: Some(Index::One(block as u64)), ..node };
                column_node(column, self.titled(node, &rows_text(&rows)))
            }
            Part::AnnotationBlock(column, number) => {
                let annotation = &structure.columns[column].annotations[number];
                let stored = annotation_stored(structure, column, number);
                let title = format!("{part} {:?}", annotation.entry.kind.lossy());
                let node = self.block(place, stored, Target::of_annotation(structure, annotation), &title)?;
                let node = Node { name: "annotation", index: Some(Index::One(number as u64)), ..node };
                column_node(column, self.titled(node, &annotation.entry.kind.lossy()))
            }
        })
    }

    /// Says what is in a block, and gives the space that it decompresses to its name.
    fn titled(&mut self, node: Node, what: &str) -> Node {
        if !node.children.is_empty() {
            return node;
        }
        let meaning = if node.meaning.is_empty() { what.to_owned() } else { format!("{what}; {}", node.meaning) };
        Node { meaning, ..node }
    }

    /// A structure of the file.
    fn traced(&self, place: &Range<u64>, trace: impl Fn(Source<'_>) -> Node) -> Result<Node> {
        let traced = self.input.parse_at(place.start, |source| Ok(trace(source.until(place.end))))?;
        Ok(traced.unwrap_or_else(|_| Node::leaf("", place.start, place.end)))
    }

    /// A block: its parts if it is not compressed, and a space of its own for them if it is.
    fn block(
        &mut self,
        place: &Range<u64>,
        stored: Option<Stored>,
        target: Option<Target<'_>>,
        title: &str,
    ) -> Result<Node> {
        let mut leaf = Node::leaf("", place.start, place.end);
        let name = stored.as_ref().and_then(|stored| stored.compression.name());
        leaf.type_name = name.unwrap_or("bytes").to_owned();
        let (Some(stored), Some(target)) = (stored, target) else { return Ok(leaf) };
        if self.nested.len() >= SHOWN_IN_ALL {
            return Ok(leaf);
        }
        if stored.length.is_some_and(|length| length > LARGEST_SHOWN) || place.end - place.start > LARGEST_SHOWN {
            return Ok(leaf);
        }
        let mut scratch = Scratch::new(self.input.budget());
        let Ok(Ok(content)) = scratch.load(self.input, &stored, &mut Vec::new()) else { return Ok(leaf) };
        let Content { bytes, base, space } = content;
        let Target { stored: items, rows, .. } = target;
        let (_, mut root) = trace::<Block>(content.source(), LITTLE, args! { items, rows });
        show_text(&mut root, &content);
        if stored.compression == Compression::NONE {
            return Ok(Node { end: base + bytes.len() as u64, ..root });
        }
        let inflated = Input::from_slice(bytes, Limits::default());
        let title = format!("{title}, from {:#x}..{:#x}", place.start, place.end);
        let mut nodes = root.children;
        drop_empty(&mut nodes);
        self.nested.push(Space::new(space, &title, &inflated, nodes)?);
        leaf.meaning = format!("decompresses into space {space}");
        Ok(leaf)
    }
}

const LITTLE: Endian = Endian::Little;

fn named(name: &'static str, node: Node) -> Node {
    Node { name, ..node }
}

/// Something that belongs to a column, under the column's name; one of several, under theirs too.
fn column_node(column: usize, node: Node) -> Node {
    let node = match node.index {
        Some(_) => around(node.name, node),
        None => node,
    };
    Node { index: Some(Index::One(column as u64)), ..around("columns", node) }
}

fn around(name: &'static str, node: Node) -> Node {
    let (start, end, complete) = (node.start, node.end, node.complete);
    Node { complete, children: vec![node], ..Node::leaf(name, start, end) }
}

/// Shows the beginning of the text of a block of texts.
fn show_text(node: &mut Node, content: &Content<'_>) {
    if node.name == "text" && node.complete {
        let text = content.bytes(node.start..node.end.min(node.start + SHOWN_TEXT));
        node.value = Value::Text(String::from_utf8_lossy(text).into_owned());
    }
    node.children.iter_mut().for_each(|child| show_text(child, content));
}

/// Whether a block is one of those that share a field with others.
fn is_hidden(part: Part) -> bool {
    matches!(part, Part::Block(_, block) if block >= NAMED_BLOCKS)
}
