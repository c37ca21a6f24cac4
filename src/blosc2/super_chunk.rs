//! Open frames: their chunks, metalayers and attributes, whether or not they form an array.

use super::as_read::objects;
use super::attributes;
use super::chunk::blocks::{make_room, nan};
use super::chunk::header::Chunk;
use super::chunk::loader::ChargedLoader;
use super::chunk::stored::StoredChunk;
use super::frame::Frame;
use super::locate::{Located, locate};
use super::overlap::judge_overlap;
use super::read_frame::read_frame;
use super::write::filters::Filter;
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::error::{Error, Result};
use crate::findings::collect::{Findings, admit};
use crate::findings::finding::Finding;
use crate::findings::rule::Rule;
use crate::options::{Handle, OpenOptions, Settings};
use ndbytes_schemas::blosc2::{Codec, FilterId, Special};
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// Opens a frame: a file, or the directory of a sparse frame. The header, metalayers, index and trailer are read and checked
/// immediately. Chunks are not read until they are requested.
///
/// # Errors
/// [`Error::Invalid`] if the structure breaks a rule of severity error; [`Error::Limit`]; [`Error::Io`].
pub fn open(path: impl AsRef<Path>) -> Result<SuperChunk<'static>> {
    Options::new().open(path)
}

/// Reads a frame from memory.
///
/// # Errors
/// As for [`open`].
pub fn from_slice(bytes: &[u8]) -> Result<SuperChunk<'_>> {
    Options::new().from_slice(bytes)
}

/// Reads a stream to its end.
///
/// # Errors
/// As for [`open`].
pub fn from_reader(reader: impl Read) -> Result<SuperChunk<'static>> {
    Options::new().from_reader(reader)
}

/// Options for reading frames: [`OpenOptions`] has the methods.
pub type Options = OpenOptions<SuperChunk<'static>>;

/// What Blosc2 calls a super-chunk: bytes in compressed chunks, with metalayers and attributes.
///
/// ```
/// let frame = ndbytes::blosc2::open("samples/temperatures.b2nd")?;
/// assert_eq!(frame.chunk_count(), 3);
/// assert_eq!(frame.chunk(0)?.len() as u64, frame.chunk_length(0));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct SuperChunk<'a> {
    pub(crate) input: Input<'a>,
    #[doc(hidden)]
    pub frame: Frame,
    /// The errors that were tolerated, and the warnings.
    pub(crate) passed_over: Vec<Finding>,
    pub(crate) warnings: Vec<Finding>,
    pub(crate) tolerated: Vec<&'static Rule>,
}

impl Handle for SuperChunk<'static> {
    type Of<'a> = SuperChunk<'a>;

    fn read_with<'a>(input: Input<'a>, settings: &Settings) -> Result<SuperChunk<'a>> {
        let mut findings = Findings::default();
        let frame = read_frame(&input, &mut findings)?;
        let (passed_over, warnings) = admit(findings.into_vec(), |finding| settings.tolerates(finding.rule))?;
        let Some(frame) = frame else {
            // The tolerated violation prevents reading.
            return Err(passed_over.into_iter().next().expect("what could not be read is an error").into());
        };
        Ok(SuperChunk { input, frame, passed_over, warnings, tolerated: settings.tolerated.clone() })
    }
}

impl SuperChunk<'_> {
    /// The version of the frame.
    pub fn frame_version(&self) -> u8 {
        self.frame.header.flags.version().0
    }

    /// The number of chunks.
    pub fn chunk_count(&self) -> u64 {
        self.frame.index.len()
    }

    /// The decoded length of the chunk in bytes. Only the last chunk may be shorter than the others.
    pub fn chunk_length(&self, chunk: u64) -> u64 {
        self.frame.chunk_bytes(chunk)
    }

    /// The size of an item in bytes.
    pub fn item_size(&self) -> u64 {
        self.frame.item_size()
    }

    /// The decoded bytes of a chunk.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are fewer chunks; [`Error::Invalid`] if the chunk breaks a rule that is not
    /// tolerated; [`Error::Limit`]; [`Error::Io`].
    pub fn chunk(&self, chunk: u64) -> Result<Vec<u8>> {
        self.input.placed(self.decoded(chunk))
    }

    /// Decodes a chunk. Its memory is charged to the budget.
    fn decoded(&self, chunk: u64) -> Result<Vec<u8>> {
        let budget = self.input.budget();
        let (stored, header) = match self.find(chunk)? {
            Ok(found) => found,
            Err(kind) => return self.special(kind, self.chunk_length(chunk)),
        };
        let decoded = ChargedLoader::new(budget).whole(&header, &stored, budget)?;
        let space = self.frame.stored_space(chunk);
        let bytes = decoded.map_err(|finding| Box::new(stored.placed(*finding, chunk, space)))?;
        // The bytes now belong to the caller: they had to fit the budget, but do not stay charged.
        budget.give_back(bytes.capacity() as u64);
        Ok(bytes)
    }

    /// The stored size of a chunk in bytes, including its header; 0 if its entry in the index determines all items.
    ///
    /// # Errors
    /// As for [`SuperChunk::chunk`]. Its blocks are not decoded.
    pub fn chunk_stored_bytes(&self, chunk: u64) -> Result<u64> {
        let found = self.input.placed(self.find(chunk))?;
        Ok(found.map_or(0, |(_, header)| header.cbytes))
    }

    /// Finds a chunk and checks its header. If the chunk is not stored, returns the value of its items.
    fn find(&self, chunk: u64) -> Result<Result<(StoredChunk<'_>, Chunk), Special>> {
        let count = self.chunk_count();
        if chunk >= count {
            return Err(Error::OutOfRange { index: chunk, length: count });
        }
        let mut stored = match locate(&self.input, &self.frame, chunk)?? {
            Located::Stored(stored) => stored,
            Located::Special(kind) => return Ok(Err(kind)),
        };
        let mut findings = Findings::default();
        let space = self.frame.stored_space(chunk);
        let header = stored.chunk(self.frame.expected(chunk, None), chunk, space, &mut findings)?;
        let (passed_over, _) = admit(findings.into_vec(), |finding| self.tolerated.contains(&finding.rule))?;
        if let Some(header) = &header
            && let Some(finding) = judge_overlap(&self.input, &self.frame, chunk, header.cbytes)?
        {
            return Err(finding.into());
        }
        match header {
            Some(header) => Ok(Ok((stored, header))),
            None => Err(passed_over.into_iter().next().expect("what could not be read is an error").into()),
        }
    }

    /// The items of a chunk that is not stored.
    fn special(&self, kind: Special, length: u64) -> Result<Vec<u8>> {
        let (mut bytes, budget) = (Vec::new(), self.input.budget());
        let what = "a chunk";
        let needed = usize::try_from(length).map_err(|_| Error::Limit { what, needed: length, left: 0 })?;
        make_room(&mut bytes, needed, budget)?;
        bytes.fill(0);
        if kind == Special::NAN {
            let item = nan(self.item_size() as usize);
            bytes.chunks_exact_mut(item.len()).for_each(|place| place.copy_from_slice(item));
        }
        budget.give_back(bytes.capacity() as u64);
        Ok(bytes)
    }

    /// The codec that the writer was configured with; each chunk states its own.
    pub fn codec(&self) -> Codec {
        match self.frame.header.compression.codec() {
            Codec::REGISTERED => self.frame.header.user_codec,
            codec => codec,
        }
    }

    /// The compression level that the writer was configured with, 0 to 9.
    pub fn level(&self) -> u8 {
        self.frame.header.compression.level()
    }

    /// The filters that the writer was configured with, in order; each chunk states its own.
    pub fn filters(&self) -> Vec<&'static str> {
        self.frame.header.filters.used().map(FilterId::words).collect()
    }

    /// Returns the filters that the writer was configured with, if ndbytes can write them. Filters that change values are left out,
    /// because the values have already been changed.
    pub(crate) fn writers_filters(&self) -> Vec<Filter> {
        let header = &self.frame.header;
        let slots = header.filters.0.into_iter().zip(header.filter_meta);
        slots.filter_map(|(id, parameter)| Filter::of(id, parameter)).collect()
    }

    /// Returns whether each chunk is a separate file.
    pub fn is_sparse(&self) -> bool {
        self.frame.is_sparse()
    }

    /// The total size of all chunks as stored, in bytes.
    pub fn stored_bytes(&self) -> u64 {
        self.frame.header.cbytes.0 as u64
    }

    /// The names of the metalayers in the header.
    pub fn metalayer_names(&self) -> Vec<String> {
        self.metalayers().map(|(name, _)| name).collect()
    }

    /// Returns the metalayers in the header, each with the position of its content.
    pub(crate) fn metalayers(&self) -> impl Iterator<Item = (String, Range<u64>)> {
        let layers = &self.frame.header.metalayers;
        let entries = layers.directory.entries.iter().zip(&layers.contents);
        entries.map(|(entry, content)| (entry.name.lossy().into_owned(), content.bytes.range()))
    }

    /// The content of a metalayer in the header; msgpack if python-blosc2 wrote it.
    ///
    /// # Errors
    /// [`Error::NoMetalayer`]; [`Error::Io`].
    pub fn metalayer(&self, name: &str) -> Result<Vec<u8>> {
        let place =
            self.frame.metalayer(name.as_bytes()).ok_or_else(|| Error::NoMetalayer { name: name.to_owned() })?;
        self.input.copied(&place)
    }

    /// The metalayer in the header as a msgpack value.
    ///
    /// # Errors
    /// As for [`SuperChunk::metalayer`]; also [`Error::NoMsgpack`] if it is not msgpack.
    pub fn metalayer_value(&self, name: &str) -> Result<rmpv::Value> {
        attributes::value(&self.metalayer(name)?, name, self.input.budget())
    }

    /// The names of the attributes: the metalayers in the trailer, called `vlmeta` in python-blosc2.
    pub fn attribute_names(&self) -> Vec<String> {
        let attributes = self.frame.trailer.iter().map(|trailer| &trailer.attributes);
        let entries = attributes.flat_map(|layers| layers.directory.entries.iter().zip(&layers.contents));
        entries.map(|(entry, _)| entry.name.lossy().into_owned()).collect()
    }

    /// The decompressed content of an attribute; msgpack if python-blosc2 wrote it.
    ///
    /// # Errors
    /// [`Error::NoMetalayer`]; [`Error::Invalid`] if it cannot be decompressed; [`Error::Limit`]; [`Error::Io`].
    pub fn attribute(&self, name: &str) -> Result<Vec<u8>> {
        let mut entries = self.frame.trailer.iter().flat_map(|trailer| &trailer.attributes.directory.entries);
        let none = || Error::NoMetalayer { name: name.to_owned() };
        let number = entries.position(|entry| entry.name.bytes() == name.as_bytes()).ok_or_else(none)?;
        self.input.placed(attributes::decoded(&self.input, &self.frame, number))?.ok_or_else(none)
    }

    /// The attribute as a msgpack value.
    ///
    /// # Errors
    /// As for [`SuperChunk::attribute`]; also [`Error::NoMsgpack`] if it is not msgpack.
    pub fn attribute_value(&self, name: &str) -> Result<rmpv::Value> {
        attributes::value(&self.attribute(name)?, name, self.input.budget())
    }

    /// The items of a `BatchArray` of python-blosc2, if all of them are text. A table keeps the categories of a column in one.
    ///
    /// Returns `None` for another object, for other items, and for a frame that python-blosc2 refuses to read.
    ///
    /// # Errors
    /// [`Error::Limit`] if the texts need more memory than the limits allow; [`Error::Time`]; [`Error::Io`].
    pub fn texts(&self) -> Result<Option<Vec<String>>> {
        if self.input.folder().is_some() {
            return Ok(None);
        }
        let debit = Debit::new(self.input.budget());
        let file = self.input.seen(0..self.input.length(), &debit)?;
        objects::texts(&file, self.input.budget())
    }

    /// The errors that were tolerated because of the options.
    pub fn tolerated(&self) -> &[Finding] {
        &self.passed_over
    }

    /// Warnings: findings that did not prevent reading.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }
}
