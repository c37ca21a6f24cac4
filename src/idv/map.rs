//! The byte map of an IDV file, and of its decompressed blocks.

use super::read::blocks::{annotation_stored, block_stored, rows_text};
use super::read::stream::{Scratch, Stored};
use super::read::target::{Content, Target};
use super::sections::Part;
use super::structure::Structure;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::bytes::map::MapBudget;
use crate::error::Result;
use crate::findings::rule::Depth;
use crate::findings::words::{counted, quoted};
use binrw::args;
use everybyte::keys;
use everybyte::map::{GAP, Space, drop_empty};
use everybyte::{Endian, Index, Layout, Node, ParseError, Role, Source, Value, trace};
use ndbytes_schemas::idv::{
    Annotation, Annotations, Block, BlockEntry, Column, Columns, Compression, Header, Lookup, Slot, SlotNames, Tail,
};
use std::collections::HashSet;
use std::ops::Range;

/// The number of blocks of a column that have a field of their own.
const NAMED_BLOCKS: usize = 64;

/// The number of blocks of a column that are mapped in detail.
const SHOWN_BLOCKS: usize = 4;

/// The number of blocks of all columns, and of annotations, that are mapped in detail.
const SHOWN_IN_ALL: usize = 64;

/// The maximum number of bytes of a block that is mapped in detail.
const LARGEST_SHOWN: u64 = 16 << 20;

/// The number of runs of parts that have a field each if the map has no room for more.
const MOST_RUNS: usize = 1 << 10;

/// The number of bytes of a text that are shown.
const SHOWN_TEXT: u64 = 32;

/// Maps a file, whatever its state; without tables, only its header.
pub(crate) fn spaces(input: &Input<'_>, structure: Option<&Structure>, depth: Depth) -> Result<Vec<Space>> {
    let Some(structure) = structure else {
        let (_, header) = trace::<Header>(input.source(), Endian::Little, ());
        let header = Node { name: "header", ..header };
        return Ok(vec![input.space(0, "file", vec![header])?]);
    };
    let room = MapBudget::new(input.budget());
    let mut mapper = Mapper { input, structure, shown: HashSet::new(), nested: Vec::new(), room };
    if depth == Depth::Payload {
        mapper.choose();
    }
    let mut nodes = mapper.nodes()?;
    drop_empty(&mut nodes);
    let mut spaces = vec![input.space(0, "file", nodes)?];
    spaces.append(&mut mapper.nested);
    spaces.sort_by_key(|space| space.id);
    Ok(spaces)
}

struct Mapper<'s> {
    input: &'s Input<'s>,
    structure: &'s Structure,
    /// The blocks that are mapped in detail.
    shown: HashSet<(usize, usize)>,
    nested: Vec<Space>,
    room: MapBudget<'s>,
}

impl Mapper<'_> {
    /// Chooses the blocks that are mapped in detail: the first ones of every column, up to a limit.
    fn choose(&mut self) {
        for block in 0..SHOWN_BLOCKS {
            for (column, parts) in self.structure.columns.iter().enumerate() {
                if block < parts.lookup.blocks.len() && self.shown.len() < SHOWN_IN_ALL {
                    self.shown.insert((column, block));
                }
            }
        }
    }

    /// The fields of the file. Each byte is in at most one of them.
    fn nodes(&mut self) -> Result<Vec<Node>> {
        let structure = self.structure;
        let mut nodes = Vec::new();
        let (mut reached, mut runs) = (0, 0);
        let mut parts = structure.sections.parts().iter().peekable();
        while let Some((place, part)) = parts.next() {
            // Of overlapping parts, the first one has the bytes.
            if place.start < reached {
                continue;
            }
            reached = place.end;
            if !is_hidden(*part) && (!self.room.is_full() || is_outline(*part)) {
                let node = self.part(place, *part)?;
                if self.room.admit(&node) || is_outline(*part) {
                    nodes.push(node);
                    continue;
                }
            }
            let (mut count, mut are_blocks) = (1, is_hidden(*part));
            let is_full = self.room.is_full();
            let shares = |part: Part| is_hidden(part) || (is_full && !is_outline(part));
            while let Some((next, part)) = parts.next_if(|(next, part)| shares(*part) && next.start == reached) {
                reached = next.end;
                count += 1;
                are_blocks &= is_hidden(*part);
            }
            let run = shared(place.start..reached, count, are_blocks);
            if !self.room.admit(&run) {
                runs += 1;
            }
            if runs > MOST_RUNS {
                // There are gaps between nearly all parts, which is a finding.
                let meaning = "not mapped: there are more parts and gaps than a map shows".into();
                nodes.push(Node { meaning, ..Node::leaf(GAP, place.start, self.input.length()) });
                break;
            }
            nodes.push(run);
        }
        Ok(nodes)
    }

    fn part(&mut self, place: &Range<u64>, part: Part) -> Result<Node> {
        let structure = self.structure;
        let version = structure.header.version;
        let count = structure.header.column_count as u32;
        Ok(match part {
            Part::Header => {
                named("header", self.traced::<Header, _>(place, |source| trace::<Header>(source, LITTLE, ()))?)
            }
            Part::Tail => named("tail", self.traced::<Tail, _>(place, |source| trace::<Tail>(source, LITTLE, ()))?),
            Part::Columns => {
                let trace =
                    |source: Source<'_>| trace::<Columns>(source, LITTLE, args! { version, column_count: count });
                // The list is what the table consists of.
                let root = self.traced::<Column, _>(place, trace)?;
                root.children.into_iter().next().unwrap_or_else(|| Node::leaf("columns", place.start, place.end))
            }
            Part::Lookup(column) => {
                let block_count = structure.columns[column].lookup.blocks.len() as u64;
                let root = self
                    .traced::<BlockEntry, _>(place, |source| trace::<Lookup>(source, LITTLE, args! { block_count }))?;
                column_node(column, named("lookup", root))
            }
            Part::Annotations(column) => {
                let root = self.traced::<Annotation, _>(place, |source| trace::<Annotations>(source, LITTLE, ()))?;
                column_node(column, named("annotations", root))
            }
            Part::SlotNames(column) => {
                let names = structure.columns[column].slot_names.as_ref();
                let count = names.map_or(0, |(names, _)| names.slots.len()) as u32;
                let root =
                    self.traced::<Slot, _>(place, |source| trace::<SlotNames>(source, LITTLE, args! { count }))?;
                column_node(column, named("slot_names", root))
            }
            Part::Block(column, block) => {
                let title = part.to_string();
                column_node(column, self.block_of_column(place, column, block, &title)?)
            }
            Part::AnnotationBlock(column, number) => {
                let title = part.to_string();
                column_node(column, self.block_of_annotation(place, column, number, &title)?)
            }
        })
    }

    fn block_of_column(&mut self, place: &Range<u64>, column: usize, block: usize, title: &str) -> Result<Node> {
        let structure = self.structure;
        let target = Target::of_block(structure, column, block);
        let target = target.filter(|_| self.shown.contains(&(column, block)));
        let node = self.block(place, block_stored(structure, column, block), target, title)?;
        let rows = structure.columns[column].rows_of(block, structure.rows());
        let key = Some(format!("rows {}..", rows.start).into());
        let node = Node { name: "block", index: Some(Index::One(block as u64)), key, ..node };
        Ok(self.titled(node, &rows_text(&rows)))
    }

    fn block_of_annotation(&mut self, place: &Range<u64>, column: usize, number: usize, title: &str) -> Result<Node> {
        let structure = self.structure;
        let annotation = &structure.columns[column].annotations[number];
        let kind = annotation.entry.kind.lossy();
        let title = format!("{title} {}", quoted(&kind));
        let target = Target::of_annotation(structure, annotation);
        let node = self.block(place, annotation_stored(structure, column, number), target, &title)?;
        let key = keys::of_text(&kind).map(String::into_boxed_str);
        let node = Node { name: "annotation", index: Some(Index::One(number as u64)), key, ..node };
        Ok(self.titled(node, &kind))
    }

    /// Describes the content of a block, and gives its decompressed space a name.
    fn titled(&mut self, node: Node, what: &str) -> Node {
        if !node.children.is_empty() {
            return node;
        }
        let meaning = if node.meaning.is_empty() { what.to_owned() } else { format!("{what}; {}", node.meaning) };
        Node { meaning, ..node }
    }

    /// A structure of the file, most of which is a list of `E`.
    fn traced<E: Layout, T>(
        &self,
        place: &Range<u64>,
        trace: impl Fn(Source<'_>) -> (Result<T, Box<ParseError>>, Node),
    ) -> Result<Node> {
        let traced = self.input.trace_at::<E, _>(place, trace)?;
        Ok(traced.unwrap_or_else(|| Node::leaf("", place.start, place.end)))
    }

    /// A block: its parts if it is not compressed, and a space of its own for them if it is.
    fn block(
        &mut self,
        place: &Range<u64>,
        stored: Option<Stored>,
        target: Option<Target<'_>>,
        title: &str,
    ) -> Result<Node> {
        let mut leaf = Node { role: Some(Role::Payload), ..Node::leaf("", place.start, place.end) };
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
        if !nodes.iter().all(|node| self.room.admit(node)) {
            return Ok(leaf);
        }
        self.nested.push(inflated.space(space, &title, nodes)?);
        leaf.meaning = format!("decompresses into space {space}");
        leaf.opens = Some(space);
        Ok(leaf)
    }
}

const LITTLE: Endian = Endian::Little;

fn named(name: &'static str, node: Node) -> Node {
    Node { name, ..node }
}

/// A field of a column, under the column's name, and under the name of its list if it is one of several.
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

/// One field for adjacent parts.
fn shared(place: Range<u64>, count: usize, are_blocks: bool) -> Node {
    let (name, noun) = if are_blocks { ("blocks", "block") } else { ("parts", "part") };
    let meaning = counted(count as u64, noun);
    let role = are_blocks.then_some(Role::Payload);
    Node { type_name: "bytes".into(), meaning, role, ..Node::leaf(name, place.start, place.end) }
}

/// Returns whether a part always has a field of its own.
fn is_outline(part: Part) -> bool {
    matches!(part, Part::Header | Part::Columns | Part::Tail)
}

/// Returns whether a block is one of those that share a field with others.
fn is_hidden(part: Part) -> bool {
    matches!(part, Part::Block(_, block) if block >= NAMED_BLOCKS)
}
