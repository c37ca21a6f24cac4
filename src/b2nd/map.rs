//! The byte map of a frame, with its decompressed parts.
//!
//! The layouts are traced, which yields a node for every field of the header, the index and the trailer. Since a map is meant for
//! people, only the first [`SHOWN_CHUNKS`] chunks, and the first [`SHOWN_BLOCKS`] blocks of each, are described in detail.
//! Decompressed content (the index, metalayers and blocks) is in separate spaces, to which the compressed bytes refer.
//!
//! A broken frame is mapped as far as it can be read. The remaining bytes are gaps.

use super::geometry::{Axis, Geometry};
use super::layer::{array_metalayer, layer_nodes};
use super::structure::Examined;
use crate::blosc2::attributes;
use crate::blosc2::chunk::header::{Blocks, Chunk, read_blocks};
use crate::blosc2::chunk::loader::ChargedLoader;
use crate::blosc2::chunk::stored::StoredChunk;
use crate::blosc2::frame::{Frame, INDEX_SPACE, header_nodes, trailer_nodes};
use crate::blosc2::locate::{Located, locate};
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::rule::Depth;
use crate::findings::words::{abridged, counted};
use everybyte::map::{Id, NodeMut, Nodes, Space};
use everybyte::role::Target;
use everybyte::{
    Endian, Source,
    map::{Index, Node},
    role::Role,
    trace::trace,
};
use ndbytes_schemas::blosc2::folder::chunk_file;
use ndbytes_schemas::blosc2::{ChunkBody, ChunkHeader, Index as ChunkIndex, IndexEntry, Stream, Trailer};
use std::ops::Range;

/// The maximum number of chunks that are mapped in detail.
const SHOWN_CHUNKS: usize = 4;

/// The maximum number of blocks in a chunk that are mapped in detail.
const SHOWN_BLOCKS: usize = 8;

/// The maximum number of bytes of a part that is mapped in detail, and of its decoded content.
const LARGEST_SHOWN: u64 = 16 << 20;

/// Maps a file in any state.
pub(crate) fn spaces(examined: &Examined<'_>, depth: Depth) -> Result<Vec<Space>> {
    let Examined { input, frame, layer, .. } = examined;
    let nodes = header_nodes(input);
    let header = nodes.root().id();
    let geometry = layer.as_ref().map(|layer| &layer.geometry);
    let mut mapper = Mapper { input, geometry, nodes, nested: Vec::new() };
    let level = match frame {
        Some(frame) => {
            mapper.metalayers(frame, header)?;
            mapper.frame(frame, header, depth)?
        }
        None => mapper.parts_of(header),
    };
    mapper.nodes.set_level(level);
    mapper.nodes.drop_empty();
    let mut spaces = vec![input.space(0, "file", mapper.nodes)?];
    spaces.append(&mut mapper.nested);
    spaces.sort_by_key(|space| space.id);
    Ok(spaces)
}

/// Builds the map of a frame.
struct Mapper<'m> {
    input: &'m Input<'m>,
    /// The geometry; `None` if the frame is not an array or is broken.
    geometry: Option<&'m Geometry>,
    /// The fields of the file.
    nodes: Nodes,
    nested: Vec<Space>,
}

impl<'m> Mapper<'m> {
    /// The direct children of a node.
    fn parts_of(&self, id: Id) -> Vec<Id> {
        self.nodes.node(id).children().map(Node::id).collect()
    }

    /// Adds the contents of the header's metalayers.
    fn metalayers(&mut self, frame: &Frame, header: Id) -> Result<()> {
        let array = array_metalayer(frame);
        for element in contents_of(&mut self.nodes, header, "metalayers") {
            let Some(content) = self.nodes.node(element).child("bytes") else { continue };
            let (content, place) = (content.id(), content.place());
            if Some(&place) == array.as_ref() {
                let layer = self.nodes.graft(layer_nodes(self.input, &place)?);
                self.become_field(element, "array", layer);
            } else if place.end - place.start <= LARGEST_SHOWN {
                let meaning = self.text(&self.input.copied(&place)?);
                self.nodes.edit(content).meaning(meaning);
            }
        }
        Ok(())
    }

    /// Formats bytes as a msgpack value; empty if they are not msgpack.
    fn text(&self, bytes: &[u8]) -> String {
        attributes::value(bytes, "", self.input.budget()).map(abridged).unwrap_or_default()
    }

    /// Turns the bytes of a metalayer's content into a field with another name and with the parts of `node`.
    fn become_field(&mut self, content: Id, name: &'static str, node: Id) -> Id {
        if let Some(length) = self.nodes.node(content).child("length").map(Node::id) {
            self.nodes.edit(length).role(Role::Extent { target: Target::beside(name) });
        }
        let bytes = self.nodes.node(content).child("bytes").expect("its caller found it").id();
        let type_name = self.nodes.node(node).type_name().to_owned();
        let parts = self.nodes.edit(node).take_parts();
        self.nodes.edit(bytes).name(name).type_name(type_name).extend(parts).id()
    }

    /// Removes the fields after an offset.
    fn clip(&mut self, id: Id, end: u64) {
        let place = self.nodes.node(id).place();
        let parts = self.nodes.edit(id).place(place.start..place.end.min(end)).take_parts();
        let kept: Vec<Id> = parts.into_iter().filter(|&part| self.nodes.node(part).start() < end).collect();
        kept.iter().for_each(|&part| self.clip(part, end));
        self.nodes.edit(id).extend(kept);
    }

    /// Maps the parts of a frame in file order.
    fn frame(&mut self, frame: &Frame, header: Id, depth: Depth) -> Result<Vec<Id>> {
        // If the header claims to be shorter than its parts, it ends where the chunks begin.
        self.clip(header, frame.header_length);
        let mut level = self.parts_of(header);
        if depth == Depth::Payload {
            level.extend(self.chunks(frame)?);
        } else if !frame.chunks_place().is_empty() {
            level
                .push(items(&mut self.nodes, "chunks", frame.chunks_place(), counted(frame.index.len(), "chunk")).id());
        }
        if let Some(chunk) = &frame.index_chunk {
            level.push(self.index(frame, chunk)?);
        }
        let trailer = self.nodes.graft(trailer_nodes::<Trailer>(self.input, &frame.trailer_place));
        let trailer = self.nodes.edit(trailer).name("trailer").id();
        if depth == Depth::Payload {
            for (number, element) in contents_of(&mut self.nodes, trailer, "attributes").into_iter().enumerate() {
                self.attribute(frame, number, element)?;
            }
        }
        level.push(trailer);
        let trailing = frame.trailer_place.end..self.input.length();
        if !trailing.is_empty() {
            level.push(bytes(&mut self.nodes, "trailing", trailing, "after the frame".into()).id());
        }
        Ok(level)
    }

    /// Maps the index chunk, and its offsets if it can be decompressed.
    fn index(&mut self, frame: &Frame, chunk: &Chunk) -> Result<Id> {
        let place = frame.index_place.start..frame.index_place.start + chunk.cbytes;
        let stored = StoredChunk::within(self.input, place);
        let node = chunk_node(&mut self.nodes, &stored, chunk)?;
        let node = self.nodes.edit(node).name("index");
        let Some(bytes) = frame.index.bytes() else { return Ok(node.id()) };
        let node = node.meaning("decodes to the space `index`").opens(INDEX_SPACE).id();
        let count = frame.index.len();
        let (_, nodes) = trace::<ChunkIndex>(Source::new(bytes), Endian::Little, binrw::args! { count });
        let mut nodes = nodes.into_parts();
        let entries = nodes.iter().flat_map(Node::children).filter_map(|node| Some((node.id(), node.index()?)));
        for (id, index) in entries.collect::<Vec<_>>() {
            let Index::One(chunk) = index else { continue };
            if !matches!(frame.index.entry(chunk), IndexEntry::At(_)) || frame.is_sparse() {
                // The entry is not an offset in this file: it is a special value or the number of a file.
                nodes.edit(id).role(Role::Fact);
            }
            if let Some(place) = place_text(frame, chunk) {
                nodes.edit(id).meaning(place);
            }
        }
        self.nested.push(memory(bytes).space(INDEX_SPACE, "index", nodes)?);
        Ok(node)
    }

    /// Maps the chunk of an attribute inside the trailer, and its msgpack.
    fn attribute(&mut self, frame: &Frame, number: usize, element: Id) -> Result<()> {
        let Some(content) = self.nodes.node(element).child("bytes") else { return Ok(()) };
        let place = content.place();
        // The directory of a broken trailer may point elsewhere.
        if attributes::place(frame, number) != Some(place.clone()) || place.end - place.start > LARGEST_SHOWN {
            return Ok(());
        }
        let Some(chunk) = attributes::chunk(self.input, frame, number, &mut Findings::default())? else {
            return Ok(());
        };
        let stored = StoredChunk::within(self.input, place.clone());
        let node = chunk_node(&mut self.nodes, &stored, &chunk)?;
        let content = self.become_field(element, "chunk", node);
        if chunk.nbytes > LARGEST_SHOWN {
            return Ok(());
        }
        let Some(decoded) = self.whole(&chunk, &stored)? else { return Ok(()) };
        let name = frame.trailer.as_ref().and_then(|trailer| trailer.attributes.directory.entries.get(number));
        let title =
            format!("attribute {}", name.map_or_else(|| number.to_string(), |entry| entry.name.lossy().into_owned()));
        let mut nodes = Nodes::new();
        if !decoded.is_empty() {
            bytes(&mut nodes, "value", 0..decoded.len() as u64, self.text(&decoded)).add();
        }
        self.nested.push(memory(&decoded).space(frame.attribute_space(number), &title, nodes)?);
        let meaning = format!("decodes to the space `{title}`");
        self.nodes.edit(content).meaning(meaning).opens(frame.attribute_space(number));
        Ok(())
    }

    /// Maps the chunks of a frame, with the first ones in detail. Chunks of a sparse frame are separate spaces.
    fn chunks(&mut self, frame: &Frame) -> Result<Vec<Id>> {
        let mut places: Vec<Range<u64>> = Vec::new();
        let mut shown: Vec<(Id, u64)> = Vec::new();
        for number in frame.index.distinct() {
            if places.len() == SHOWN_CHUNKS {
                break;
            }
            let IndexEntry::At(file) = frame.index.entry(number) else { continue };
            let Some((chunk, stored)) = self.stored(frame, number)? else { continue };
            let bytes = stored.base..stored.base + chunk.cbytes;
            if !frame.is_sparse() && places.iter().any(|place| place.start < bytes.end && bytes.start < place.end) {
                continue;
            }
            let mut own = Nodes::new();
            let node = self.chunk(&mut own, (frame, number), &chunk, &stored)?;
            own.add(node);
            if frame.is_sparse() {
                own.drop_empty();
                let title = format!("file {}", chunk_file(file));
                self.nested.push(stored.input().space(frame.stored_space(number), &title, own)?);
            } else {
                shown.push((self.nodes.graft(own), bytes.end));
            }
            places.push(bytes);
        }
        Ok(if frame.is_sparse() { Vec::new() } else { self.with_others(frame, shown) })
    }

    /// Adds the other chunks, or unused bytes, between the chunks that are mapped in detail, which are given with their ends.
    fn with_others(&mut self, frame: &Frame, mut shown: Vec<(Id, u64)>) -> Vec<Id> {
        shown.sort_by_key(|&(id, _)| self.nodes.node(id).start());
        let has_more = frame.index.len() > shown.len() as u64;
        let Range { start: mut reached, end } = frame.chunks_place();
        let mut all = Vec::new();
        for (node, node_end) in shown.into_iter().map(|(id, end)| (Some(id), end)).chain([(None, end)]) {
            let start = node.map_or(end, |id| self.nodes.node(id).start());
            if reached < start && has_more {
                all.push(items(&mut self.nodes, "chunks", reached..start, "more chunks".into()).id());
            }
            reached = node_end;
            all.extend(node);
        }
        all
    }

    /// Locates a stored chunk; `None` if its header cannot be read.
    fn stored(&self, frame: &Frame, number: u64) -> Result<Option<(Chunk, StoredChunk<'m>)>> {
        let Ok(Located::Stored(mut stored)) = locate(self.input, frame, number)? else { return Ok(None) };
        let expected = frame.expected(number, self.geometry.and_then(Geometry::demanded_blocks));
        let chunk = stored.chunk(expected, number, 0, &mut Findings::default())?;
        Ok(chunk.map(|chunk| (chunk, stored)))
    }

    /// Maps a chunk in detail. Its decoded bytes are a separate space.
    fn chunk(
        &mut self,
        nodes: &mut Nodes,
        (frame, number): (&Frame, u64),
        chunk: &Chunk,
        stored: &StoredChunk<'_>,
    ) -> Result<Id> {
        let node = chunk_node(nodes, stored, chunk)?;
        let key = self.geometry.map(|geometry| coordinates(geometry.place(number, Axis::chunks)));
        let node = nodes.edit(node).name("chunks").index(Index::One(number)).key(key).id();
        let decoded = frame.decoded_space(number);
        if self.decoded(decoded, number, chunk, stored)? {
            nodes.edit(node).meaning(format!("decodes to the space `chunk {number}`")).opens(decoded);
        }
        Ok(node)
    }

    /// The decoded bytes of a chunk; `None` if it cannot be decoded within the limits.
    fn whole(&self, chunk: &Chunk, stored: &StoredChunk<'_>) -> Result<Option<Vec<u8>>> {
        let budget = self.input.budget();
        match ChargedLoader::new(budget).whole(chunk, stored, budget) {
            Err(Error::Limit { .. }) | Ok(Err(_)) => Ok(None),
            Err(error) => Err(error),
            Ok(Ok(bytes)) => {
                budget.give_back(bytes.capacity() as u64);
                Ok(Some(bytes))
            }
        }
    }

    /// Adds the space of a decoded chunk. Returns false if it cannot be decoded or is not worth showing.
    fn decoded(&mut self, space: u32, number: u64, chunk: &Chunk, stored: &StoredChunk<'_>) -> Result<bool> {
        if chunk.nbytes == 0 || chunk.nbytes > LARGEST_SHOWN {
            return Ok(false);
        }
        let Some(decoded) = self.whole(chunk, stored)? else { return Ok(false) };
        let geometry = self.geometry;
        let block = match geometry {
            Some(geometry) if geometry.block_count > 0 => chunk.nbytes / geometry.block_count,
            _ => chunk.block_size.max(1),
        };
        let count = chunk.nbytes.div_ceil(block.max(1));
        let mut nodes = Nodes::new();
        for index in 0..count.min(SHOWN_BLOCKS as u64) {
            let meaning = geometry.map_or_else(String::new, |geometry| items_text(geometry, number, index));
            let place = index * block..((index + 1) * block).min(chunk.nbytes);
            let key = geometry.map(|geometry| coordinates(geometry.place(index, Axis::blocks)));
            items(&mut nodes, "block", place, meaning).index(Index::One(index)).key(key).add();
        }
        if count > SHOWN_BLOCKS as u64 {
            let place = SHOWN_BLOCKS as u64 * block..chunk.nbytes;
            let index = Index::Range(SHOWN_BLOCKS as u64, count);
            items(&mut nodes, "block", place, String::new()).index(index).add();
        }
        self.nested.push(memory(&decoded).space(space, &format!("chunk {number}"), nodes)?);
        Ok(true)
    }
}

/// Returns the contents of the metalayers in a part of the frame, and sets their names as their keys.
fn contents_of(nodes: &mut Nodes, root: Id, name: &str) -> Vec<Id> {
    let mut found = Vec::new();
    for layers in nodes.node(root).children().filter(|node| node.name() == name) {
        let entries = layers.child("directory").and_then(|node| node.child("entries"));
        let mut names = entries.into_iter().flat_map(Node::children).map(Node::own_key);
        let lists = layers.children().filter(|node| node.name() == "contents");
        found.extend(lists.flat_map(Node::children).map(|content| (content.id(), names.next().flatten())));
    }
    found.into_iter().map(|(id, key)| nodes.edit(id).key(key).id()).collect()
}

/// Formats a position in a grid as a key.
fn coordinates(place: Vec<u64>) -> String {
    place.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// Returns bytes in memory as a separate input.
fn memory(bytes: &[u8]) -> Input<'_> {
    Input::from_slice(bytes, Limits::default())
}

/// Adds a node of raw bytes.
fn bytes<'n>(nodes: &'n mut Nodes, name: &'static str, place: Range<u64>, meaning: String) -> NodeMut<'n> {
    nodes.leaf(name, place).type_name("bytes").meaning(meaning)
}

/// Adds a node for bytes of items, or of chunks of items.
fn items<'n>(nodes: &'n mut Nodes, name: &'static str, place: Range<u64>, meaning: String) -> NodeMut<'n> {
    bytes(nodes, name, place, meaning).role(Role::Payload)
}

/// Formats the position of a stored chunk.
fn place_text(frame: &Frame, chunk: u64) -> Option<String> {
    match frame.index.entry(chunk) {
        IndexEntry::At(number) if frame.is_sparse() => Some(format!("in the file {}", chunk_file(number))),
        IndexEntry::At(offset) => Some(format!("at byte {} of the file", frame.header_length.saturating_add(offset))),
        IndexEntry::Special(_) | IndexEntry::Undefined(_) => None,
    }
}

/// Formats the ranges of the array's items that are in a block, axis by axis.
fn items_text(geometry: &Geometry, chunk: u64, block: u64) -> String {
    let ranges = geometry.items_of_block(chunk, block).into_iter();
    let texts = ranges.map(|range| if range.is_empty() { "padding".into() } else { format!("{range:?}") });
    format!("items [{}]", texts.collect::<Vec<_>>().join(", "))
}

/// Adds the fields of a chunk, with its first blocks in detail.
fn chunk_node(nodes: &mut Nodes, stored: &StoredChunk<'_>, chunk: &Chunk) -> Result<Id> {
    let place = stored.base..stored.base + chunk.cbytes;
    let root = nodes.leaf("chunk", place.clone()).type_name("Chunk").id();
    if chunk.cbytes > LARGEST_SHOWN {
        return Ok(root);
    }
    let (mut buffer, budget) = (Vec::new(), stored.input().budget());
    match stored.fetch(0..chunk.cbytes, &mut buffer, budget) {
        Ok(bytes) => {
            let parts = chunk_parts(nodes, place, chunk, &bytes[..chunk.cbytes as usize]);
            nodes.edit(root).extend(parts);
        }
        Err(Error::Limit { .. }) => {}
        Err(error) => return Err(error),
    }
    budget.give_back(buffer.capacity() as u64);
    Ok(root)
}

/// Adds the fields of a chunk's bytes.
fn chunk_parts(nodes: &mut Nodes, Range { start, end }: Range<u64>, chunk: &Chunk, bytes: &[u8]) -> Vec<Id> {
    let source = Source::window(bytes, start, end);
    let (_, header) = nodes.trace::<ChunkHeader>(source, Endian::Little, ());
    let mut parts = vec![nodes.edit(header).name("header").id()];
    let body = source.at(start + chunk.header_length);
    let (_, body) = nodes.trace::<ChunkBody>(body, Endian::Little, binrw::args! { content: chunk.layout() });
    parts.extend(nodes.edit(body).take_parts());
    let mut blocks = Blocks::default();
    if read_blocks(chunk, bytes, &mut blocks).is_err() {
        return parts;
    }
    let mut order: Vec<usize> = (0..blocks.places.len()).collect();
    order.sort_by_key(|&block| blocks.places[block].start);
    let mut list = Vec::new();
    for &block in order.iter().take(SHOWN_BLOCKS) {
        let place = start + u64::from(blocks.places[block].start)..start + u64::from(blocks.places[block].end);
        let streams = chunk.stream_count(chunk.block_length(block as u64));
        let node = block_node(nodes, source.at(place.start).until(place.end), place, streams);
        list.push(nodes.edit(node).index(Index::One(block as u64)).id());
    }
    if let Some(&first) = order.get(SHOWN_BLOCKS) {
        let from = start + u64::from(blocks.places[first].start);
        let index = Index::Range(SHOWN_BLOCKS as u64, order.len() as u64);
        let more = counted((order.len() - SHOWN_BLOCKS) as u64, "more block");
        list.push(items(nodes, "blocks", from..end, more).index(index).id());
    }
    let from = list.first().map_or(end, |&block| nodes.node(block).start());
    parts.push(nodes.leaf("blocks", from..end).extend(list).id());
    parts
}

/// Adds the streams of a block.
fn block_node(nodes: &mut Nodes, source: Source<'_>, place: Range<u64>, streams: u64) -> Id {
    let mut at = source;
    let mut parts = Vec::new();
    for number in 0..streams {
        let (stream, root) = nodes.trace::<Stream>(at, Endian::Little, ());
        if stream.is_err() {
            break;
        }
        at = at.at(nodes.node(root).end());
        parts.push(nodes.edit(root).name("streams").index(Index::One(number)).id());
    }
    let streams = nodes.leaf("streams", place.start..at.position()).extend(parts).id();
    nodes.leaf("blocks", place).push(streams).id()
}
