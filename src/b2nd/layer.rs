//! The metalayer that makes an array of a frame, judged.

use super::attributes;
use super::chunk::{LARGEST_BLOCK, LONGEST_HEADER};
use super::frame::{Frame, header_node};
use super::geometry::Geometry;
use super::repair::{read_repaired, trace_repaired};
use super::rules;
use crate::finding::Findings;
use crate::input::Input;
use crate::{Dtype, Finding, ItemType, Kind, Reference, Result, Rule};
use ndbytes_schemas::b2nd::{ArrayLayer, METALAYER, OLD_METALAYER};
use ndbytes_schemas::{Node, Problem, Source};
use std::ops::Range;

/// The most axes that C-Blosc2 takes.
pub const MOST_AXES: u8 = 16;

/// The most bytes of a chunk.
pub const LARGEST_CHUNK: u64 = i32::MAX as u64 - LONGEST_HEADER;

/// Metalayers that say that the chunks hold nothing of what the object is, and what it is.
pub const OTHER_OBJECTS: [(&[u8], &str); 6] = [
    (b"LazyArray", "a lazy expression, whose values are computed from other arrays"),
    (b"proxy-source", "the cache of a proxy, whose values are fetched from somewhere else"),
    (b"b2o", "an object of python-blosc2 that is no array"),
    (b"vlarray", "a list of objects"),
    (b"batcharray", "a list of batches"),
    (b"listarray", "a list of lists"),
];

/// What makes an array of a frame.
#[derive(Debug)]
pub struct Layer {
    pub layer: ArrayLayer,
    pub geometry: Geometry,
    /// What the items are; their raw bytes if the file does not say, or says something impossible.
    pub item_type: ItemType,
}

/// The place of a metalayer's content in the header.
pub fn metalayer(frame: &Frame, name: &[u8]) -> Option<Range<u64>> {
    let mut names = frame.header.metalayers.directory.entries.iter();
    let number = names.position(|entry| entry.name.bytes() == name)?;
    frame.metalayer_places.get(number).cloned()
}

/// The metalayer that makes an array of a frame: b2nd's, or else caterva's.
pub fn array_metalayer(frame: &Frame) -> Option<Range<u64>> {
    metalayer(frame, METALAYER).or_else(|| metalayer(frame, OLD_METALAYER))
}

/// The path of the metalayer at this place.
fn path(frame: &Frame, place: &Range<u64>) -> String {
    let number = frame.header.metalayers.contents.iter().position(|content| content.bytes.range() == *place);
    format!("metalayers.contents[{}].array", number.unwrap_or(0))
}

/// The layer as a tree of fields, its markers put right.
pub fn layer_node(input: &Input<'_>, place: &Range<u64>) -> Result<Node> {
    let bytes = input.copied(place)?;
    Ok(trace_repaired::<ArrayLayer>(Source::window(&bytes, place.start, place.end)))
}

/// Reads and judges what makes an array of a frame; nothing if there is nothing to go on with.
pub fn read_layer(input: &Input<'_>, frame: &Frame, findings: &mut Findings) -> Result<Option<Layer>> {
    let names = &frame.header.metalayers.directory.entries;
    for (name, what) in OTHER_OBJECTS {
        if let Some(place) = names.iter().position(|entry| entry.name.bytes() == name) {
            let field = format!("metalayers.directory.entries[{place}]");
            let kind = kind(input, frame, name)?.map_or_else(String::new, |kind| format!(" ({kind})"));
            let message = format!("this is {what}{kind}: its chunks are not its values");
            let finding = Finding::new(&rules::OTHER_OBJECT, &field, 0..0, message).placed_by(&header_node(input));
            findings.push(finding.help("python-blosc2 opens it as what it is"));
        }
    }
    let Some(place) = array_metalayer(frame) else {
        let message = "no metalayer is called `b2nd`: this is a frame of chunks, not an array";
        let place = 0..frame.header_length;
        let finding = Finding::new(&rules::NO_ARRAY, "metalayers", place, message).placed_by(&header_node(input));
        findings.push(finding);
        return Ok(None);
    };
    let bytes = input.copied(&place)?;
    let path = path(frame, &place);
    Judge { input, frame, place, path, findings }.judge(&bytes)
}

/// What kind of object a metalayer says that it is.
fn kind(input: &Input<'_>, frame: &Frame, name: &[u8]) -> Result<Option<String>> {
    let Some(place) = metalayer(frame, name) else { return Ok(None) };
    let bytes = input.copied(&place)?;
    let value = attributes::value(&bytes, "", input.budget());
    let entries = value.as_ref().ok().and_then(|value| value.as_map());
    let kind = entries.and_then(|entries| entries.iter().find(|(key, _)| key.as_str() == Some("kind")));
    Ok(kind.and_then(|(_, kind)| kind.as_str()).map(str::to_owned))
}

struct Judge<'j> {
    input: &'j Input<'j>,
    frame: &'j Frame,
    place: Range<u64>,
    /// The path of the layer.
    path: String,
    findings: &'j mut Findings,
}

impl Judge<'_> {
    /// Adds a finding about a field of the layer.
    fn say(&mut self, rule: &'static Rule, field: &str, message: impl Into<String>) {
        self.say_of(rule.reference, rule, field, message);
    }

    /// The same, about something of which C-Blosc2 makes something else than of others.
    fn say_of(&mut self, reference: Reference, rule: &'static Rule, field: &str, message: impl Into<String>) {
        let (input, place, path) = (self.input, self.place.clone(), &self.path);
        self.findings.push_with(rule, || {
            let finding = Finding::new(rule, field, place.clone(), message).with_reference(reference);
            match layer_node(input, &place) {
                Ok(root) => finding.placed_by(&root).within(path),
                Err(_) => finding,
            }
        });
    }

    fn judge(mut self, bytes: &[u8]) -> Result<Option<Layer>> {
        let source = Source::window(bytes, self.place.start, self.place.end);
        let parsed = match read_repaired::<ArrayLayer>(source) {
            Ok(parsed) => parsed,
            Err(error) => {
                let message = match &error.problem {
                    Problem::WrongMagic { .. } => "there are too many wrong markers".to_owned(),
                    problem => format!("the metalayer cannot be read: {problem}"),
                };
                self.findings.push(Finding::unreadable(&rules::LAYER_LENGTH, &error, message).within(&self.path));
                return Ok(None);
            }
        };
        let path = &self.path;
        self.findings.extend(parsed.repairs.iter().map(|repair| repair.finding().within(path)));
        if parsed.end != self.place.end {
            let message = format!("{} bytes behind what makes the array", self.place.end - parsed.end);
            let finding = Finding::new(&rules::LAYER_LENGTH, path, parsed.end..self.place.end, message);
            self.findings.push(finding.with_reference(Reference::Accepts));
        }
        let layer = parsed.value;
        if layer.version != 0 {
            self.say(
                &rules::LAYER_VERSION,
                "version",
                format!("version {} of the metalayer is not known", layer.version),
            );
        }
        if layer.ndim > MOST_AXES {
            self.say(&rules::TOO_MANY_AXES, "ndim", format!("{} axes; C-Blosc2 takes {MOST_AXES}", layer.ndim));
            return Ok(None);
        }
        let Some(geometry) = self.geometry(&layer) else { return Ok(None) };
        if !self.agrees(&geometry) {
            return Ok(None);
        }
        let item_type = self.item_type(&layer);
        Ok(Some(Layer { layer, geometry, item_type }))
    }

    fn geometry(&mut self, layer: &ArrayLayer) -> Option<Geometry> {
        let axes = layer.shape.extents.iter().zip(&layer.chunk_shape.extents).zip(&layer.block_shape.extents);
        for (axis, ((shape, chunk), block)) in axes.enumerate() {
            let (shape, chunk, block) = (shape.0, i64::from(chunk.0), i64::from(block.0));
            for (name, extent) in [("shape", shape), ("chunk_shape", chunk), ("block_shape", block)] {
                if extent < 0 {
                    self.say(&rules::EXTENTS, &format!("{name}.extents[{axis}]"), format!("an extent of {extent}"));
                    return None;
                }
            }
            if block == 0 && chunk > 0 || shape > 0 && chunk == 0 {
                let (name, what) = if chunk == 0 { ("chunk_shape", "chunks") } else { ("block_shape", "blocks") };
                let message = format!("{what} without an extent along axis {axis}, which has {shape}");
                self.say(&rules::EXTENTS, &format!("{name}.extents[{axis}]"), message);
                return None;
            }
            if block > chunk {
                let message = format!("blocks of {block} along axis {axis} in chunks of {chunk}");
                self.say(&rules::BLOCK_BEYOND_CHUNK, &format!("block_shape.extents[{axis}]"), message);
            }
        }
        let geometry = Geometry::new(layer, self.frame.item_size());
        let Some(geometry) = geometry else {
            self.say(&rules::TOO_LARGE, "shape", "the extents are too large to count with");
            return None;
        };
        let item_size = u128::from(self.frame.item_size());
        if u128::from(geometry.block_items) * item_size > LARGEST_BLOCK.into() {
            self.say(
                &rules::TOO_LARGE,
                "block_shape",
                format!("a block of {} items is larger than any can be", geometry.block_items),
            );
            return None;
        }
        if u128::from(geometry.chunk_items) * item_size > LARGEST_CHUNK.into() {
            self.say(
                &rules::TOO_LARGE,
                "chunk_shape",
                format!("a chunk of {} items is larger than any can be", geometry.chunk_items),
            );
            return None;
        }
        Some(geometry)
    }

    /// What the frame says of the chunks has to be what the shapes come to.
    fn agrees(&mut self, geometry: &Geometry) -> bool {
        let header = &self.frame.header;
        let chunk = if geometry.items == 0 { 0 } else { geometry.chunk_items * self.frame.item_size() };
        // The geometry is one whose bytes can be counted.
        let whole = chunk * geometry.chunk_count;
        if whole > 0 && header.nbytes.0 > 0 && i64::from(header.chunksize.0) != chunk as i64 {
            let message = format!("a chunk of the array has {chunk} bytes, one of the frame {}", header.chunksize.0);
            self.frame_field("chunksize", message, Reference::Accepts);
            return false;
        }
        let block = geometry.block_items * self.frame.item_size();
        if whole > 0 && i64::from(header.blocksize.0) != block as i64 {
            let message = format!("a block of the array has {block} bytes, one of the frame {}", header.blocksize.0);
            self.frame_field("blocksize", message, Reference::Refuses);
            return false;
        }
        if header.nbytes.0 != whole as i64 {
            let message = format!("the chunks of the array have {whole} bytes, those of the frame {}", header.nbytes.0);
            let reference = if header.nbytes.0 < whole as i64 { Reference::Refuses } else { Reference::Accepts };
            self.frame_field("nbytes", message, reference);
            return false;
        }
        true
    }

    fn frame_field(&mut self, field: &str, message: String, reference: Reference) {
        let finding = Finding::new(&rules::GEOMETRY, field, 0..0, message);
        self.findings.push(finding.placed_by(&header_node(self.input)).with_reference(reference));
    }

    fn item_type(&mut self, layer: &ArrayLayer) -> ItemType {
        let item_size = self.frame.item_size();
        let raw = ItemType::Plain(Dtype::new(Kind::Record(item_size), crate::input::NATIVE));
        let Some(dtype) = &layer.dtype else { return raw };
        if dtype.format != 0 {
            self.say(&rules::DTYPE_FORMAT, "dtype.format", format!("dtypes of format {} are not known", dtype.format));
            return raw;
        }
        let Ok(text) = std::str::from_utf8(&dtype.text.bytes) else {
            self.say(&rules::DTYPE, "dtype.text", "the dtype is not UTF-8");
            return raw;
        };
        let item_type = match text.parse::<ItemType>() {
            Ok(item_type) => item_type,
            Err(error) => {
                self.say(&rules::DTYPE, "dtype.text", format!("the dtype cannot be read: {error}"));
                return raw;
            }
        };
        if item_type.size() != item_size {
            let message =
                format!("an item of dtype {text} has {} bytes, one of the frame {item_size}", item_type.size());
            // python-blosc2 reads beyond the items, unless the dtype has fewer bytes than they have.
            let reference = if item_type.size() > item_size { Reference::Accepts } else { Reference::Refuses };
            self.say_of(reference, &rules::ITEM_SIZE, "dtype.text", message);
            return raw;
        }
        item_type
    }
}
