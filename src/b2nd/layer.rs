//! Reads and checks the metalayer that describes a frame's array.

use super::geometry::Geometry;
use super::rules;
use crate::blosc2::attributes;
use crate::blosc2::chunk::header::{LARGEST_BLOCK, LONGEST_HEADER};
use crate::blosc2::frame::{Frame, header_nodes};
use crate::blosc2::objects::{OTHER_OBJECTS, Object, TENSOR};
use crate::blosc2::repair::{read_repaired, trace_repaired};
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reference, Rule};
use crate::findings::words::abridged;
use crate::types::dtype::{Dtype, ElementKind};
use crate::types::item_type::ItemType;
use everybyte::map::Nodes;
use everybyte::{Source, error::Problem};
use ndbytes_schemas::b2nd::{ArrayLayer, METALAYER, OLD_METALAYER};
use ndbytes_schemas::blosc2::Metalayers;
use std::ops::Range;

/// The maximum number of axes that C-Blosc2 accepts: `B2ND_MAX_DIM`. If there are more, the `b2nd/too-many-axes` rule is violated.
pub const MOST_AXES: u8 = 16;

/// The maximum length of a chunk in bytes: `BLOSC2_MAX_BUFFERSIZE` in C-Blosc2, the largest `int32_t` minus the length of a header.
/// Longer chunks violate the `b2nd/too-large` rule.
pub const LARGEST_CHUNK: u64 = i32::MAX as u64 - LONGEST_HEADER;

/// The description of a frame without a metalayer that identifies it.
const SUPER_CHUNK: &str = "a super-chunk, a frame of chunks without a shape";

/// Explains an incorrect item size.
const FROM_MEMORY: &str = "python-blosc2 writes such frames itself: `to_cframe` of an array in memory whose items have \
                           more than 255 bytes says that they have 1. Save the array to a file instead";

/// The description of a frame's array.
#[derive(Debug)]
pub struct Layer {
    pub layer: ArrayLayer,
    pub geometry: Geometry,
    /// The type of the items; raw bytes if the file does not state a valid one.
    pub item_type: ItemType,
}

/// The metalayer that turns a frame into an array: b2nd's or, if there is none, caterva's.
pub fn array_metalayer(frame: &Frame) -> Option<Range<u64>> {
    frame.metalayer(METALAYER).or_else(|| frame.metalayer(OLD_METALAYER))
}

/// Returns the path of the metalayer at this index.
fn path(frame: &Frame, place: &Range<u64>) -> String {
    let number = frame.header.metalayers.contents.iter().position(|content| content.bytes.range() == *place);
    format!("metalayers.contents[{}].array", number.unwrap_or(0))
}

/// The fields of the layer, with corrected markers.
pub fn layer_nodes(input: &Input<'_>, place: &Range<u64>) -> Result<Nodes> {
    let bytes = input.copied(place)?;
    Ok(trace_repaired::<ArrayLayer>(Source::window(&bytes, place.start, place.end)))
}

/// Reads and checks the description of a frame's array; `None` if it is too damaged to be used.
pub fn read_layer(input: &Input<'_>, frame: &Frame, findings: &mut Findings) -> Result<Option<Layer>> {
    let names = &frame.header.metalayers.directory.entries;
    let Some(place) = array_metalayer(frame) else {
        findings.push(no_array(input, frame));
        return Ok(None);
    };
    let position = |object: &Object| names.iter().position(|entry| entry.name.bytes() == object.metalayer);
    // Some frames also have the metalayer of another object. The first entry that matches identifies the object.
    if let Some((object, number)) = OTHER_OBJECTS.iter().find_map(|object| Some((object, position(object)?))) {
        let field = format!("metalayers.directory.entries[{number}]");
        let kind = kind(input, frame, object.metalayer)?;
        let kind = kind.map_or_else(String::new, |kind| format!(" ({})", abridged(kind)));
        let message = format!("this is {}{kind}: its chunks are not its values", object.what);
        let finding = Finding::new(&rules::OTHER_OBJECT, &field, 0..0, message).placed_by(&header_nodes(input));
        findings.push(finding.help(object.help()).with_reference(object.reference()));
    }
    let bytes = input.copied(&place)?;
    let path = path(frame, &place);
    Judge { input, frame, place, path, findings }.judge(&bytes)
}

/// Returns the finding about a frame that is not an array.
fn no_array(input: &Input<'_>, frame: &Frame) -> Finding {
    let names = |metalayers: &Metalayers, object: &Object| {
        metalayers.directory.entries.iter().any(|entry| entry.name.bytes() == object.metalayer)
    };
    let object = OTHER_OBJECTS.into_iter().find(|object| names(&frame.header.metalayers, object));
    let is_tensor = || frame.trailer.as_ref().is_some_and(|trailer| names(&trailer.attributes, &TENSOR));
    let object = object.or_else(|| is_tensor().then_some(TENSOR));
    let what = object.as_ref().map_or(SUPER_CHUNK, |object| object.what);
    let message = format!("this is {what}, not an array: no metalayer is called `b2nd`");
    let finding = Finding::new(&rules::NO_ARRAY, "metalayers", 0..frame.header_length, message);
    let help = object.as_ref().map_or("python-blosc2 opens it as an SChunk", Object::help);
    let reference = object.as_ref().map_or(rules::NO_ARRAY.reference, Object::reference);
    let unchecked = if frame.has_unknown_chunks() { ". Its chunks are not checked" } else { "" };
    finding.placed_by(&header_nodes(input)).help(format!("{help}{unchecked}")).with_reference(reference)
}

/// Returns the kind of object stated in a metalayer.
fn kind(input: &Input<'_>, frame: &Frame, name: &[u8]) -> Result<Option<String>> {
    let Some(place) = frame.metalayer(name) else { return Ok(None) };
    let bytes = input.copied(&place)?;
    let value = attributes::value(&bytes, "", input.budget());
    let entries = value.as_ref().ok().and_then(|value| value.as_map());
    let kind = entries.and_then(|entries| entries.iter().find(|(key, _)| key.as_str() == Some("kind")));
    Ok(kind.and_then(|(_, kind)| kind.as_str()).map(str::to_owned))
}

/// Checks an array layer.
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

    /// Like `say`, but for a violation to which C-Blosc2 reacts differently.
    fn say_of(&mut self, reference: Reference, rule: &'static Rule, field: &str, message: impl Into<String>) {
        let (input, place, path) = (self.input, self.place.clone(), &self.path);
        self.findings.push_with(rule, || {
            let finding = Finding::new(rule, field, place.clone(), message).with_reference(reference);
            match layer_nodes(input, &place) {
                Ok(root) => finding.placed_by(&root).within(path),
                Err(_) => finding,
            }
        });
    }

    /// Parses the layer and collects findings; `None` if it cannot be used.
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
            let message =
                format!("the metalayer has {} bytes after the parts of the array", self.place.end - parsed.end);
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
            self.say(
                &rules::TOO_MANY_AXES,
                "ndim",
                format!("the array has {} axes, but C-Blosc2 takes at most {MOST_AXES}", layer.ndim),
            );
            return Ok(None);
        }
        let Some(geometry) = self.geometry(&layer) else { return Ok(None) };
        if !self.agrees(&geometry, &layer) {
            return Ok(None);
        }
        let item_type = self.item_type(&layer);
        Ok(Some(Layer { layer, geometry, item_type }))
    }

    /// The shapes of the array, its chunks and its blocks; `None` if no array can have them.
    fn geometry(&mut self, layer: &ArrayLayer) -> Option<Geometry> {
        let axes = layer.shape.extents.iter().zip(&layer.chunk_shape.extents).zip(&layer.block_shape.extents);
        for (axis, ((shape, chunk), block)) in axes.enumerate() {
            let (shape, chunk, block) = (shape.0, i64::from(chunk.0), i64::from(block.0));
            for (name, extent) in [("shape", shape), ("chunk_shape", chunk), ("block_shape", block)] {
                if extent < 0 {
                    self.say(
                        &rules::EXTENTS,
                        &format!("{name}.extents[{axis}]"),
                        format!("the dimension {extent} is negative"),
                    );
                    return None;
                }
            }
            if block == 0 && chunk > 0 || shape > 0 && chunk == 0 {
                let (name, what) = if chunk == 0 { ("chunk_shape", "chunks") } else { ("block_shape", "blocks") };
                let message = format!("the {what} have length 0 along axis {axis}, which has {shape}");
                self.say(&rules::EXTENTS, &format!("{name}.extents[{axis}]"), message);
                return None;
            }
            if block > chunk {
                let message = format!("blocks have {block} items along axis {axis}, but chunks have {chunk}");
                self.say(&rules::BLOCK_BEYOND_CHUNK, &format!("block_shape.extents[{axis}]"), message);
            }
        }
        let geometry = Geometry::new(layer, self.frame.item_size());
        let Some(geometry) = geometry else {
            self.say(&rules::TOO_LARGE, "shape", "the product of the dimensions is too large");
            return None;
        };
        let item_size = u128::from(self.frame.item_size());
        if u128::from(geometry.block_items) * item_size > LARGEST_BLOCK.into() {
            self.say_of(
                Reference::Unforeseen,
                &rules::TOO_LARGE,
                "block_shape",
                format!("a block of {} items exceeds the maximum", geometry.block_items),
            );
            return None;
        }
        if u128::from(geometry.chunk_items) * item_size > LARGEST_CHUNK.into() {
            self.say(
                &rules::TOO_LARGE,
                "chunk_shape",
                format!("a chunk of {} items exceeds the maximum", geometry.chunk_items),
            );
            return None;
        }
        Some(geometry)
    }

    /// Checks whether the frame's lengths match the shapes.
    fn agrees(&mut self, geometry: &Geometry, layer: &ArrayLayer) -> bool {
        let header = &self.frame.header;
        let chunk = if geometry.items == 0 { 0 } else { geometry.chunk_items * self.frame.item_size() };
        // The geometry guarantees that this product does not overflow.
        let whole = chunk * geometry.chunk_count;
        if whole > 0 && header.nbytes.0 > 0 && i64::from(header.chunksize.0) != chunk as i64 {
            let message =
                format!("a chunk of the array has {chunk} bytes, but one of the frame has {}", header.chunksize.0);
            let help = self.is_from_memory(geometry, layer).then(|| FROM_MEMORY.to_owned());
            self.frame_field("chunksize", message, help);
            return false;
        }
        let block = geometry.block_items * self.frame.item_size();
        if whole > 0 && i64::from(header.blocksize.0) != block as i64 {
            let message =
                format!("a block of the array has {block} bytes, but one of the frame has {}", header.blocksize.0);
            self.frame_field("blocksize", message, None);
            return false;
        }
        if header.nbytes.0 != whole as i64 {
            let message =
                format!("the chunks of the array have {whole} bytes, but those of the frame have {}", header.nbytes.0);
            self.frame_field("nbytes", message, None);
            return false;
        }
        true
    }

    /// Returns whether only the item size is wrong, as in frames that python-blosc2 writes for arrays in memory.
    fn is_from_memory(&self, geometry: &Geometry, layer: &ArrayLayer) -> bool {
        let text = layer.dtype.as_ref().and_then(|dtype| std::str::from_utf8(&dtype.text.bytes).ok());
        let item_type = text.and_then(|text| text.parse::<ItemType>().ok());
        let said = u64::try_from(self.frame.header.chunksize.0).ok();
        let chunk = item_type.and_then(|item_type| geometry.chunk_items.checked_mul(item_type.size()));
        self.frame.item_size() == 1 && chunk.is_some() && chunk == said
    }

    /// Adds a finding about a field of the frame header that contradicts the layer.
    fn frame_field(&mut self, field: &str, message: String, help: Option<String>) {
        let finding = Finding::new(&rules::GEOMETRY, field, 0..0, message).helped(help);
        self.findings.push(finding.placed_by(&header_nodes(self.input)));
    }

    /// The item type; raw bytes if the layer does not state a valid one.
    fn item_type(&mut self, layer: &ArrayLayer) -> ItemType {
        let item_size = self.frame.item_size();
        let raw = ItemType::Plain(Dtype::new(ElementKind::Record(item_size), everybyte::Endian::NATIVE));
        let Some(dtype) = &layer.dtype else { return raw };
        if dtype.format != 0 {
            self.say(&rules::DTYPE_FORMAT, "dtype.format", format!("dtype format {} is not known", dtype.format));
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
                format!("an item of dtype {text} has {} bytes, but one of the frame has {item_size}", item_type.size());
            self.say(&rules::ITEM_SIZE, "dtype.text", message);
            return raw;
        }
        item_type
    }
}
