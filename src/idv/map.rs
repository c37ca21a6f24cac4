//! The byte map of an IDV file and of its decompressed blocks.
//!
//! Tables may overlap, and there may be millions of blocks. The map is therefore built from the sorted sections of the file, and
//! blocks beyond the bounds below share one field. The blocks to show in detail are chosen before the map is built: the first ones
//! of each column, because users look at the beginning.

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
use everybyte::map::{GAP, Id, Nodes, Space};
use everybyte::{
    BinRead, Endian, Layout,
    map::{Index, Node, Value},
    role::Role,
    trace::trace,
};
use ndbytes_schemas::idv::{
    Annotation, Annotations, Block, BlockEntry, Column, Columns, Compression, Header, Lookup, Slot, SlotNames, Tail,
};
use std::collections::HashSet;
use std::ops::Range;

/// The maximum number of blocks of a column that have separate fields.
const NAMED_BLOCKS: usize = 64;

/// The maximum number of blocks of a column that are mapped in detail.
const SHOWN_BLOCKS: usize = 4;

/// The maximum number of blocks in all columns and annotations that are mapped in detail.
const SHOWN_IN_ALL: usize = 64;

/// The maximum length of a block that is mapped in detail.
const LARGEST_SHOWN: u64 = 16 << 20;

/// The maximum number of runs of parts that have separate fields if the map does not have room for all parts.
const MOST_RUNS: usize = 1 << 10;

/// The maximum number of bytes of a string that are shown.
const SHOWN_TEXT: u64 = 32;

/// Maps a file in any state. Without tables, maps only its header.
pub(crate) fn spaces(input: &Input<'_>, structure: Option<&Structure>, depth: Depth) -> Result<Vec<Space>> {
    let mut nodes = Nodes::new();
    let Some(structure) = structure else {
        let (_, header) = nodes.trace::<Header>(input.source(), Endian::Little, ());
        nodes.edit(header).name("header").add();
        return Ok(vec![input.space(0, "file", nodes)?]);
    };
    let room = MapBudget::new(input.budget());
    let mut mapper = Mapper { input, structure, nodes, shown: HashSet::new(), nested: Vec::new(), room };
    if depth == Depth::Payload {
        mapper.choose();
    }
    mapper.map()?;
    mapper.nodes.drop_empty();
    let mut spaces = vec![input.space(0, "file", mapper.nodes)?];
    spaces.append(&mut mapper.nested);
    spaces.sort_by_key(|space| space.id);
    Ok(spaces)
}

struct Mapper<'s> {
    input: &'s Input<'s>,
    structure: &'s Structure,
    /// The fields of the file.
    nodes: Nodes,
    /// The blocks that are mapped in detail.
    shown: HashSet<(usize, usize)>,
    nested: Vec<Space>,
    room: MapBudget<'s>,
}

impl Mapper<'_> {
    /// Selects the blocks to map in detail: the first ones of every column, up to a limit.
    fn choose(&mut self) {
        for block in 0..SHOWN_BLOCKS {
            for (column, parts) in self.structure.columns.iter().enumerate() {
                if block < parts.lookup.blocks.len() && self.shown.len() < SHOWN_IN_ALL {
                    self.shown.insert((column, block));
                }
            }
        }
    }

    /// Creates the fields of the file. Each byte is in at most one of them.
    fn map(&mut self) -> Result<()> {
        let structure = self.structure;
        let (mut reached, mut runs) = (0, 0);
        let mut parts = structure.sections.parts().iter().peekable();
        while let Some((place, part)) = parts.next() {
            // If parts overlap, the first one owns the bytes.
            if place.start < reached {
                continue;
            }
            reached = place.end;
            if !is_hidden(*part) && (!self.room.is_full() || is_outline(*part)) {
                let node = self.part(place, *part)?;
                if self.room.admit(self.nodes.node(node)) || is_outline(*part) {
                    self.nodes.add(node);
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
            let run = self.shared(place.start..reached, count, are_blocks);
            if !self.room.admit(self.nodes.node(run)) {
                runs += 1;
            }
            if runs > MOST_RUNS {
                // There are gaps between nearly all parts, which is reported as a finding.
                let meaning = "not mapped: there are more parts and gaps than a map shows";
                self.nodes.leaf(GAP, place.start..self.input.length()).meaning(meaning).add();
                break;
            }
            self.nodes.add(run);
        }
        Ok(())
    }

    /// Creates the node of a part, which is not positioned yet.
    fn part(&mut self, place: &Range<u64>, part: Part) -> Result<Id> {
        let Structure { header, columns, .. } = self.structure;
        let (version, column_count) = (header.version, header.column_count as u32);
        let (column, node) = match part {
            Part::Header => return self.traced::<Header, Header>("header", place, ()),
            Part::Tail => return self.traced::<Tail, Tail>("tail", place, ()),
            Part::Columns => {
                let root = self.traced::<Columns, Column>("columns", place, args! { version, column_count })?;
                // The whole table is this list.
                return Ok(self.nodes.node(root).children().next().map_or(root, Node::id));
            }
            Part::Lookup(column) => {
                let block_count = columns[column].lookup.blocks.len() as u64;
                (column, self.traced::<Lookup, BlockEntry>("lookup", place, args! { block_count })?)
            }
            Part::Annotations(column) => (column, self.traced::<Annotations, Annotation>("annotations", place, ())?),
            Part::SlotNames(column) => {
                let names = columns[column].slot_names.as_ref();
                let count = names.map_or(0, |(names, _)| names.slots.len()) as u32;
                (column, self.traced::<SlotNames, Slot>("slot_names", place, args! { count })?)
            }
            Part::Block(column, block) => (column, self.block_of_column(place, (column, block), part)?),
            Part::AnnotationBlock(column, number) => (column, self.block_of_annotation(place, (column, number), part)?),
        };
        let node = self.around("columns", node);
        Ok(self.nodes.edit(node).index(Index::One(column as u64)).id())
    }

    fn block_of_column(&mut self, place: &Range<u64>, (column, block): (usize, usize), part: Part) -> Result<Id> {
        let structure = self.structure;
        let target = Target::of_block(structure, column, block).filter(|_| self.shown.contains(&(column, block)));
        let node = self.block(place, block_stored(structure, column, block), target, &part.to_string())?;
        let rows = structure.columns[column].rows_of(block, structure.rows());
        Ok(self.listed(node, ("block", block), Some(format!("rows {}..", rows.start)), &rows_text(&rows)))
    }

    fn block_of_annotation(&mut self, place: &Range<u64>, (column, number): (usize, usize), part: Part) -> Result<Id> {
        let structure = self.structure;
        let annotation = &structure.columns[column].annotations[number];
        let (kind, target) = (annotation.entry.kind.lossy(), Target::of_annotation(structure, annotation));
        let title = format!("{part} {}", quoted(&kind));
        let node = self.block(place, annotation_stored(structure, column, number), target, &title)?;
        Ok(self.listed(node, ("annotation", number), keys::of_text(&kind), &kind))
    }

    /// Turns a node into an element of a list, with its number, its key and a description of its content.
    fn listed(&mut self, node: Id, (name, number): (&'static str, usize), key: Option<String>, what: &str) -> Id {
        let node = self.nodes.edit(node).name(name).index(Index::One(number as u64)).key(key);
        let own = node.as_node().meaning();
        let meaning = if own.is_empty() { what.to_owned() } else { format!("{what}; {own}") };
        let node = if node.as_node().is_leaf() { node.meaning(meaning) } else { node }.id();
        self.around(name, node)
    }

    /// Traces a structure in the file that is mostly a list of `E`.
    fn traced<'a, T, E>(&mut self, name: &'static str, place: &Range<u64>, args: T::Args<'a>) -> Result<Id>
    where
        T: BinRead<Args<'a>: Clone> + Layout,
        E: Layout,
    {
        let root = match self.input.trace_at::<T, E>(place, args)? {
            Some(traced) => self.nodes.graft(traced),
            None => self.nodes.leaf("", place.clone()).id(),
        };
        Ok(self.nodes.edit(root).name(name).id())
    }

    /// Maps the parts of a block. If the block is compressed, its parts are in a separate space.
    fn block(
        &mut self,
        place: &Range<u64>,
        stored: Option<Stored>,
        target: Option<Target<'_>>,
        title: &str,
    ) -> Result<Id> {
        let name = stored.as_ref().and_then(|stored| stored.compression.name());
        let leaf = self.nodes.leaf("", place.clone()).role(Role::Payload).type_name(name.unwrap_or("bytes")).id();
        let (Some(stored), Some(target)) = (stored, target) else { return Ok(leaf) };
        let lengths = [stored.length, Some(place.end - place.start)];
        if self.nested.len() >= SHOWN_IN_ALL || lengths.into_iter().flatten().any(|length| length > LARGEST_SHOWN) {
            return Ok(leaf);
        }
        let mut scratch = Scratch::new(self.input.budget());
        let Ok(Ok(content)) = scratch.load(self.input, &stored, &mut Vec::new()) else { return Ok(leaf) };
        let Content { bytes, base, space } = content;
        let Target { stored: items, rows, .. } = target;
        if stored.compression == Compression::NONE {
            let (_, root) = self.nodes.trace::<Block>(content.source(), LITTLE, args! { items, rows });
            show_text(&mut self.nodes, root, &content);
            let start = self.nodes.node(root).start();
            return Ok(self.nodes.edit(root).place(start..base + bytes.len() as u64).id());
        }
        let (_, mut nodes) = trace::<Block>(content.source(), LITTLE, args! { items, rows });
        let root = nodes.root().id();
        show_text(&mut nodes, root, &content);
        let mut nodes = nodes.into_parts();
        nodes.drop_empty();
        if !nodes.iter().all(|node| self.room.admit(node)) {
            return Ok(leaf);
        }
        let inflated = Input::from_slice(bytes, Limits::default());
        let title = format!("{title}, from {:#x}..{:#x}", place.start, place.end);
        self.nested.push(inflated.space(space, &title, nodes)?);
        let meaning = format!("decompresses into space {space}");
        Ok(self.nodes.edit(leaf).meaning(meaning).opens(space).id())
    }

    fn around(&mut self, name: &'static str, part: Id) -> Id {
        let (place, is_complete) = (self.nodes.node(part).place(), self.nodes.node(part).is_complete());
        self.nodes.leaf(name, place).complete(is_complete).push(part).id()
    }

    /// Creates one field for adjacent parts.
    fn shared(&mut self, place: Range<u64>, count: usize, are_blocks: bool) -> Id {
        let (name, noun) = if are_blocks { ("blocks", "block") } else { ("parts", "part") };
        let node = self.nodes.leaf(name, place).type_name("bytes").meaning(counted(count as u64, noun));
        node.role(are_blocks.then_some(Role::Payload)).id()
    }
}

const LITTLE: Endian = Endian::Little;

/// Shows the beginning of the text in a block of texts.
fn show_text(nodes: &mut Nodes, block: Id, content: &Content<'_>) {
    let texts = nodes.node(block).all().filter(|node| node.name() == "text" && node.is_complete());
    let texts: Vec<(Id, Range<u64>)> = texts.map(|node| (node.id(), node.place())).collect();
    for (id, place) in texts {
        let text = content.bytes(place.start..place.end.min(place.start + SHOWN_TEXT));
        nodes.edit(id).value(Value::Text(String::from_utf8_lossy(text).into_owned()));
    }
}

/// Returns whether a part always has its own field.
fn is_outline(part: Part) -> bool {
    matches!(part, Part::Header | Part::Columns | Part::Tail)
}

/// Returns whether a block is one of those that share a field.
fn is_hidden(part: Part) -> bool {
    matches!(part, Part::Block(_, block) if block >= NAMED_BLOCKS)
}
