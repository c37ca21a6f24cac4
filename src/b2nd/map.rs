//! The byte map of a frame, and of its decompressed parts.

use super::geometry::{Axis, Geometry};
use super::layer::{array_metalayer, layer_node};
use super::structure::Examined;
use crate::blosc2::attributes;
use crate::blosc2::chunk::header::{Blocks, Chunk, read_blocks};
use crate::blosc2::chunk::loader::Loan;
use crate::blosc2::chunk::stored::StoredChunk;
use crate::blosc2::frame::{Frame, INDEX_SPACE, header_node, trailer_node};
use crate::blosc2::locate::{Located, locate};
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::rule::Depth;
use crate::findings::words::{abridged, counted};
use everybyte::map::{Space, drop_empty};
use everybyte::role::Target;
use everybyte::{Endian, Index, Node, Role, Source, trace};
use ndbytes_schemas::blosc2::folder::chunk_file;
use ndbytes_schemas::blosc2::{ChunkBody, ChunkHeader, Index as ChunkIndex, IndexEntry, Stream, Trailer};
use std::ops::Range;

/// The number of chunks that are mapped in detail.
const SHOWN_CHUNKS: usize = 4;

/// The number of blocks of a chunk that are mapped in detail.
const SHOWN_BLOCKS: usize = 8;

/// The maximum number of bytes of a part that is mapped in detail, and of its decoded content.
const LARGEST_SHOWN: u64 = 16 << 20;

/// Maps a file, whatever its state.
pub(crate) fn spaces(examined: &Examined<'_>, depth: Depth) -> Result<Vec<Space>> {
    let Examined { input, frame, layer, .. } = examined;
    let mut header = header_node(input);
    let geometry = layer.as_ref().map(|layer| &layer.geometry);
    let mut mapper = Mapper { input, geometry, nested: Vec::new() };
    let mut nodes = match frame {
        Some(frame) => {
            mapper.metalayers(frame, &mut header)?;
            mapper.frame(frame, header, depth)?
        }
        None => header.children,
    };
    drop_empty(&mut nodes);
    let mut spaces = vec![input.space(0, "file", nodes)?];
    spaces.append(&mut mapper.nested);
    spaces.sort_by_key(|space| space.id);
    Ok(spaces)
}

struct Mapper<'m> {
    input: &'m Input<'m>,
    /// The geometry, or `None` if the frame is not an array, or a broken one.
    geometry: Option<&'m Geometry>,
    nested: Vec<Space>,
}

impl<'m> Mapper<'m> {
    /// Adds the contents of the header's metalayers.
    fn metalayers(&self, frame: &Frame, header: &mut Node) -> Result<()> {
        let array = array_metalayer(frame);
        for element in contents_of(header, "metalayers") {
            let Some(content) = bytes_of(element) else { continue };
            let place = content.start..content.end;
            if Some(&place) == array.as_ref() {
                become_field(element, "array", layer_node(self.input, &place)?);
            } else if place.end - place.start <= LARGEST_SHOWN {
                content.meaning = self.text(&self.input.copied(&place)?);
            }
        }
        Ok(())
    }

    /// Bytes as a msgpack value, in words; empty if they are not msgpack.
    fn text(&self, bytes: &[u8]) -> String {
        attributes::value(bytes, "", self.input.budget()).map(abridged).unwrap_or_default()
    }

    fn frame(&mut self, frame: &Frame, mut header: Node, depth: Depth) -> Result<Vec<Node>> {
        // A header that claims less than its parts take ends where the chunks begin.
        clip(&mut header, frame.header_length);
        let mut nodes = header.children;
        if depth == Depth::Payload {
            nodes.extend(self.chunks(frame)?);
        } else if !frame.chunks_place().is_empty() {
            nodes.push(items_node("chunks", frame.chunks_place(), counted(frame.index.len(), "chunk")));
        }
        if let Some(chunk) = &frame.index_chunk {
            nodes.push(self.index(frame, chunk)?);
        }
        let mut trailer = Node { name: "trailer", ..trailer_node::<Trailer>(self.input, &frame.trailer_place) };
        if depth == Depth::Payload {
            for (number, element) in contents_of(&mut trailer, "attributes").into_iter().enumerate() {
                self.attribute(frame, number, element)?;
            }
        }
        nodes.push(trailer);
        let trailing = frame.trailer_place.end..self.input.length();
        if !trailing.is_empty() {
            nodes.push(bytes_node("trailing", trailing, "after the frame".into()));
        }
        Ok(nodes)
    }

    fn index(&mut self, frame: &Frame, chunk: &Chunk) -> Result<Node> {
        let place = frame.index_place.start..frame.index_place.start + chunk.cbytes;
        let stored = StoredChunk::within(self.input, place);
        let mut node = Node { name: "index", ..chunk_node(&stored, chunk)? };
        if let Some(entries) = frame.index.bytes() {
            let count = frame.index.len();
            let (_, root) = trace::<ChunkIndex>(Source::new(entries), Endian::Little, binrw::args! { count });
            let mut nodes = root.children;
            for node in nodes.iter_mut().flat_map(|entries| &mut entries.children) {
                if let Some(Index::One(chunk)) = node.index {
                    if !matches!(frame.index.entry(chunk), IndexEntry::At(_)) || frame.is_sparse() {
                        // It leads nowhere in this file: it says what the chunk is, or which file has it.
                        node.role = Some(Role::Fact);
                    }
                    node.meaning = place_text(frame, chunk).unwrap_or(std::mem::take(&mut node.meaning));
                }
            }
            self.nested.push(memory(entries).space(INDEX_SPACE, "index", nodes)?);
            node.meaning = "decodes to the space `index`".into();
            node.opens = Some(INDEX_SPACE);
        }
        Ok(node)
    }

    fn attribute(&mut self, frame: &Frame, number: usize, element: &mut Node) -> Result<()> {
        let Some(content) = bytes_of(element) else { return Ok(()) };
        let place = content.start..content.end;
        // The directory of a broken trailer leads elsewhere.
        if attributes::place(frame, number) != Some(place.clone()) || place.end - place.start > LARGEST_SHOWN {
            return Ok(());
        }
        let Some(chunk) = attributes::chunk(self.input, frame, number, &mut Findings::default())? else {
            return Ok(());
        };
        let stored = StoredChunk::within(self.input, place.clone());
        let content = become_field(element, "chunk", chunk_node(&stored, &chunk)?);
        if chunk.nbytes > LARGEST_SHOWN {
            return Ok(());
        }
        let Some(decoded) = self.whole(&chunk, &stored)? else { return Ok(()) };
        let name = frame.trailer.as_ref().and_then(|trailer| trailer.attributes.directory.entries.get(number));
        let title =
            format!("attribute {}", name.map_or_else(|| number.to_string(), |entry| entry.name.lossy().into_owned()));
        let value = bytes_node("value", 0..decoded.len() as u64, self.text(&decoded));
        let nodes = if decoded.is_empty() { Vec::new() } else { vec![value] };
        self.nested.push(memory(&decoded).space(frame.attribute_space(number), &title, nodes)?);
        content.meaning = format!("decodes to the space `{title}`");
        content.opens = Some(frame.attribute_space(number));
        Ok(())
    }

    /// The chunks of a frame, the first ones in detail. Those of a sparse frame are spaces of their own.
    fn chunks(&mut self, frame: &Frame) -> Result<Vec<Node>> {
        let mut places: Vec<Range<u64>> = Vec::new();
        let mut shown: Vec<(Node, u64)> = Vec::new();
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
            let node = self.chunk(frame, number, &chunk, &stored)?;
            if frame.is_sparse() {
                let (title, mut nodes) = (format!("file {}", chunk_file(file)), vec![node]);
                drop_empty(&mut nodes);
                self.nested.push(stored.input().space(frame.stored_space(number), &title, nodes)?);
            } else {
                shown.push((node, bytes.end));
            }
            places.push(bytes);
        }
        Ok(if frame.is_sparse() { Vec::new() } else { with_others(frame, shown) })
    }

    /// A stored chunk, or `None` if its header cannot be read.
    fn stored(&self, frame: &Frame, number: u64) -> Result<Option<(Chunk, StoredChunk<'m>)>> {
        let Ok(Located::Stored(mut stored)) = locate(self.input, frame, number)? else { return Ok(None) };
        let expected = frame.expected(number, self.geometry.and_then(Geometry::demanded_blocks));
        let chunk = stored.chunk(expected, number, 0, &mut Findings::default())?;
        Ok(chunk.map(|chunk| (chunk, stored)))
    }

    /// A chunk in detail. Its decoded bytes are a space of their own.
    fn chunk(&mut self, frame: &Frame, number: u64, chunk: &Chunk, stored: &StoredChunk<'_>) -> Result<Node> {
        let mut node = chunk_node(stored, chunk)?;
        (node.name, node.index) = ("chunks", Some(Index::One(number)));
        node.key = self.geometry.map(|geometry| coordinates(geometry.place(number, Axis::chunks)).into());
        let decoded = frame.decoded_space(number);
        if self.decoded(decoded, number, chunk, stored)? {
            node.meaning = format!("decodes to the space `chunk {number}`");
            node.opens = Some(decoded);
        }
        Ok(node)
    }

    /// The decoded bytes of a chunk, or `None` if it does not decode within the limits.
    fn whole(&self, chunk: &Chunk, stored: &StoredChunk<'_>) -> Result<Option<Vec<u8>>> {
        let budget = self.input.budget();
        match Loan::new(budget).whole(chunk, stored, budget) {
            Err(Error::Limit { .. }) | Ok(Err(_)) => Ok(None),
            Err(error) => Err(error),
            Ok(Ok(bytes)) => {
                budget.give_back(bytes.capacity() as u64);
                Ok(Some(bytes))
            }
        }
    }

    /// Adds the space of a decoded chunk. Returns false if it does not decode, or is not worth showing.
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
        let mut nodes = Vec::new();
        for index in 0..count.min(SHOWN_BLOCKS as u64) {
            let meaning = geometry.map_or_else(String::new, |geometry| items_text(geometry, number, index));
            let place = index * block..((index + 1) * block).min(chunk.nbytes);
            let key = geometry.map(|geometry| coordinates(geometry.place(index, Axis::blocks)).into());
            nodes.push(Node { index: Some(Index::One(index)), key, ..items_node("block", place, meaning) });
        }
        if count > SHOWN_BLOCKS as u64 {
            let place = SHOWN_BLOCKS as u64 * block..chunk.nbytes;
            let index = Some(Index::Range(SHOWN_BLOCKS as u64, count));
            nodes.push(Node { index, ..items_node("block", place, String::new()) });
        }
        self.nested.push(memory(&decoded).space(space, &format!("chunk {number}"), nodes)?);
        Ok(true)
    }
}

/// The chunks that are mapped in detail, each with its end. Between them there are others, or unused bytes.
fn with_others(frame: &Frame, mut shown: Vec<(Node, u64)>) -> Vec<Node> {
    shown.sort_by_key(|(node, _)| node.start);
    let has_more = frame.index.len() > shown.len() as u64;
    let mut nodes = Vec::new();
    let mut reached = frame.chunks_place().start;
    let end = frame.chunks_place().end;
    let between = |from: u64, to: u64, nodes: &mut Vec<Node>| {
        if from < to && has_more {
            nodes.push(items_node("chunks", from..to, "more chunks".into()));
        }
    };
    for (node, node_end) in shown {
        between(reached, node.start, &mut nodes);
        reached = node_end;
        nodes.push(node);
    }
    between(reached, end, &mut nodes);
    nodes
}

/// Removes the fields after an offset.
fn clip(node: &mut Node, end: u64) {
    node.end = node.end.min(end);
    node.children.retain(|child| child.start < end);
    node.children.iter_mut().for_each(|child| clip(child, end));
}

/// The contents of the metalayers in the part of this name, with their names as keys.
fn contents_of<'n>(root: &'n mut Node, name: &str) -> Vec<&'n mut Node> {
    let mut found = Vec::new();
    for layers in root.children.iter_mut().filter(|node| node.name == name) {
        let part = |name| layers.children.iter().find(move |node| node.name == name);
        let entries = part("directory").and_then(|node| node.children.iter().find(|node| node.name == "entries"));
        let entries = entries.map_or(&[][..], |entries| &entries.children);
        let names = entries.iter().map(Node::own_key);
        let names: Vec<Option<String>> = names.collect();
        let lists = layers.children.iter_mut().filter(|node| node.name == "contents");
        for (place, content) in lists.flat_map(|node| &mut node.children).enumerate() {
            content.key = names.get(place).cloned().flatten().map(String::into_boxed_str);
            found.push(content);
        }
    }
    found
}

/// The bytes of a metalayer's content.
fn bytes_of(content: &mut Node) -> Option<&mut Node> {
    content.children.iter_mut().find(|node| node.name == "bytes")
}

/// Turns the bytes of a metalayer's content into a field of another name, with the parts of `node`.
fn become_field<'n>(content: &'n mut Node, name: &'static str, node: Node) -> &'n mut Node {
    let length = content.children.iter_mut().find(|node| node.name == "length");
    length.into_iter().for_each(|length| length.role = Some(Role::Extent { target: Target::beside(name) }));
    let bytes = bytes_of(content).expect("its caller found it");
    (bytes.name, bytes.type_name, bytes.children) = (name, node.type_name, node.children);
    bytes
}

/// A place in a grid, as a key.
fn coordinates(place: Vec<u64>) -> String {
    place.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

fn memory(bytes: &[u8]) -> Input<'_> {
    Input::from_slice(bytes, Limits::default())
}

fn bytes_node(name: &'static str, place: Range<u64>, meaning: String) -> Node {
    Node { type_name: "bytes".into(), meaning, ..Node::leaf(name, place.start, place.end) }
}

/// Bytes of items, or of chunks of them.
fn items_node(name: &'static str, place: Range<u64>, meaning: String) -> Node {
    Node { role: Some(Role::Payload), ..bytes_node(name, place, meaning) }
}

/// A field made of others.
fn around(name: &'static str, start: u64, end: u64, children: Vec<Node>) -> Node {
    Node { children, ..Node::leaf(name, start, end) }
}

/// The place of a stored chunk, in words.
fn place_text(frame: &Frame, chunk: u64) -> Option<String> {
    match frame.index.entry(chunk) {
        IndexEntry::At(number) if frame.is_sparse() => Some(format!("in the file {}", chunk_file(number))),
        IndexEntry::At(offset) => Some(format!("at byte {} of the file", frame.header_length.saturating_add(offset))),
        IndexEntry::Special(_) | IndexEntry::Undefined(_) => None,
    }
}

/// The items of the array in a block, axis by axis.
fn items_text(geometry: &Geometry, chunk: u64, block: u64) -> String {
    let ranges = geometry.items_of_block(chunk, block).into_iter();
    let texts = ranges.map(|range| if range.is_empty() { "padding".into() } else { format!("{range:?}") });
    format!("items [{}]", texts.collect::<Vec<_>>().join(", "))
}

/// The fields of a chunk, its first blocks in detail.
fn chunk_node(stored: &StoredChunk<'_>, chunk: &Chunk) -> Result<Node> {
    let (start, end) = (stored.base, stored.base + chunk.cbytes);
    let mut root = bytes_node("chunk", start..end, String::new());
    root.type_name = "Chunk".into();
    if chunk.cbytes > LARGEST_SHOWN {
        return Ok(root);
    }
    let (mut buffer, budget) = (Vec::new(), stored.input().budget());
    match stored.fetch(0..chunk.cbytes, &mut buffer, budget) {
        Ok(bytes) => chunk_fields(&mut root, chunk, &bytes[..chunk.cbytes as usize]),
        Err(Error::Limit { .. }) => {}
        Err(error) => return Err(error),
    }
    budget.give_back(buffer.capacity() as u64);
    Ok(root)
}

/// Adds the fields of a chunk's bytes.
fn chunk_fields(root: &mut Node, chunk: &Chunk, bytes: &[u8]) {
    let (start, end) = (root.start, root.end);
    let source = Source::window(bytes, start, end);
    let (_, header) = trace::<ChunkHeader>(source, Endian::Little, ());
    let body = source.at(start + chunk.header_length);
    let (_, body) = trace::<ChunkBody>(body, Endian::Little, binrw::args! { content: chunk.layout() });
    root.children.push(Node { name: "header", ..header });
    root.children.extend(body.children);
    let mut blocks = Blocks::default();
    if read_blocks(chunk, bytes, &mut blocks).is_err() {
        return;
    }
    let mut order: Vec<usize> = (0..blocks.places.len()).collect();
    order.sort_by_key(|&block| blocks.places[block].start);
    let mut list = Vec::new();
    for &block in order.iter().take(SHOWN_BLOCKS) {
        let place = start + u64::from(blocks.places[block].start)..start + u64::from(blocks.places[block].end);
        let streams = chunk.stream_count(chunk.block_length(block as u64));
        let mut at = source.at(place.start).until(place.end);
        let mut parts = Vec::new();
        for number in 0..streams {
            let (stream, root) = trace::<Stream>(at, Endian::Little, ());
            if stream.is_err() {
                break;
            }
            at = at.at(root.end);
            parts.push(Node { name: "streams", index: Some(Index::One(number)), ..root });
        }
        let streams = around("streams", place.start, at.position(), parts);
        let node = around("blocks", place.start, place.end, vec![streams]);
        list.push(Node { index: Some(Index::One(block as u64)), ..node });
    }
    if let Some(&first) = order.get(SHOWN_BLOCKS) {
        let from = start + u64::from(blocks.places[first].start);
        let index = Some(Index::Range(SHOWN_BLOCKS as u64, order.len() as u64));
        let more = counted((order.len() - SHOWN_BLOCKS) as u64, "more block");
        list.push(Node { index, ..items_node("blocks", from..end, more) });
    }
    let from = list.first().map_or(end, |block| block.start);
    root.children.push(around("blocks", from, end, list));
}
