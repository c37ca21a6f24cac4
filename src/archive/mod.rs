//! Zip archives: the IDV streams in the models of ML.NET.
//!
//! A stream in an archive has an address, `model.zip!TransformerChain\Transform_000\TrainSchema`: the archive's path, `!`,
//! and the name of the entry, in which `/` stands for `\` as well. Wherever a path is taken, an address is; a file that
//! has such a name comes first. What is at the address is unpacked into memory, within the [`Limits`], and then is like
//! any file. Nothing is ever written to disk. Archives inside archives are not opened.

mod directory;
pub(crate) mod rules;
mod unpack;

use crate::format::{self, Format};
use crate::input::Input;
use crate::limits::Debit;
use crate::{Error, Finding, Limits, Result};
use directory::{Claims, Directory, Entry, text};
pub use rules::*;
use std::ops::Range;
use std::path::{Path, PathBuf};
use unpack::{HEAD, Unpacker, implausible, plausible};

/// The last parts of the names under which ML.NET keeps streams.
const KNOWN_NAMES: [&str; 4] = ["Schema", "TrainSchema", "Schema.idv", "DefaultMap.idv"];

/// Some streams stand behind their length.
const PREFIX: usize = 4;

/// Bytes that are debited for a stream, beside its name.
const STREAM_COST: u64 = 1 << 10;

/// How many addresses an error lists.
const LISTED: usize = 16;

/// A zip archive whose directory was read.
#[derive(Debug)]
pub struct Archive<'a> {
    input: Input<'a>,
    limits: Limits,
    contents: Contents,
}

/// An IDV stream in an archive, as the directory describes it.
#[derive(Debug)]
pub struct Stream {
    name: String,
    length: u64,
    claims: Claims,
    packed: Range<u64>,
    format: Option<Format>,
    /// Why it cannot be unpacked, if that is known already.
    flaw: Option<Box<Finding>>,
}

/// What is in an archive.
#[derive(Debug)]
pub(crate) struct Contents {
    pub streams: Vec<Stream>,
    /// Entries that are encrypted, damaged, or compressed in a way that is not read: nobody knows what they are.
    pub closed: u64,
}

impl Stream {
    /// The name of the entry, as it is in the archive.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of the stream, as the directory says.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Its format; none of an entry that is damaged, or that is not what its name says.
    pub(crate) fn format(&self) -> Option<Format> {
        self.format
    }
}

impl Archive<'static> {
    /// Opens an archive, and looks for IDV streams in it.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the directory cannot be read, [`Error::Limit`] if it is too large, [`Error::Io`].
    pub fn open(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        Archive::read(Input::open(path, limits)?, limits)
    }
}

impl<'a> Archive<'a> {
    /// Looks for IDV streams in something that was opened.
    ///
    /// # Errors
    /// As for [`Archive::open`].
    pub fn read(input: Input<'a>, limits: Limits) -> Result<Self> {
        let contents = Contents::read(&input)?;
        Ok(Archive { input, limits, contents })
    }

    /// The IDV streams, in the order of the directory: entries that begin as IDV does, or with four bytes of length and
    /// then as IDV does. With them come what may have been one: entries that are too damaged to tell, and those that are
    /// something else under a name of which ML.NET makes streams only. To open and check them says what is wrong.
    pub fn streams(&self) -> &[Stream] {
        &self.contents.streams
    }

    /// What [`Input::open`] takes for a stream.
    pub fn address(&self, stream: &Stream) -> PathBuf {
        address(self.input.path(), &stream.name)
    }

    /// Unpacks a stream.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the entry breaks a rule of archives, [`Error::Limit`], [`Error::Io`].
    pub fn load(&self, stream: &Stream) -> Result<Input<'static>> {
        self.load_with(stream, &mut Unpacker::new())
    }

    fn load_with(&self, stream: &Stream, unpacker: &mut Unpacker) -> Result<Input<'static>> {
        if let Some(flaw) = &stream.flaw {
            return Err(Error::Invalid(flaw.clone()));
        }
        let Stream { name, claims, packed, .. } = stream;
        load(&self.input, self.limits, name, claims, packed.clone(), unpacker)
    }

    /// Unpacks all streams, one after the other. An archive cannot make this work for ever: what they come to together is
    /// limited as one of them is, and those beyond break [`RATIO`].
    pub fn load_each(&self) -> impl Iterator<Item = (&Stream, Result<Input<'static>>)> {
        let most = plausible(self.input.length());
        let (mut unpacked, mut unpacker) = (0_u64, Unpacker::new());
        self.streams().iter().map(move |stream| {
            let together = unpacked.saturating_add(stream.claims.length);
            if together > most {
                let message = "the streams of the archive come to more than it may hold";
                return (stream, Err(implausible(&stream.claims, together, message).into()));
            }
            unpacked = together;
            (stream, self.load_with(stream, &mut unpacker))
        })
    }

    /// The archive itself.
    pub fn into_input(self) -> Input<'a> {
        self.input
    }
}

impl Contents {
    pub fn read(input: &Input<'_>) -> Result<Self> {
        let bytes = input.bytes()?;
        let debit = Debit::new(input.budget());
        let directory = Directory::read(bytes, &debit)?;
        let mut unpacker = Unpacker::new();
        let (mut streams, mut closed) = (Vec::new(), 0);
        // What may have been a stream: it counts if there is one for sure.
        let mut suspects = Vec::new();
        for (place, entry) in directory.entries.iter().enumerate().filter(|(_, entry)| !entry.is_hidden) {
            let is_named = has_known_name(entry.name);
            let (stream, counts) = match peek(&directory, entry, bytes, &mut unpacker) {
                Peeked::Idv(length, packed) => {
                    let flaw = directory.judge(entry, &packed).err();
                    (Stream::new(entry, Some(length), packed, flaw), true)
                }
                Peeked::Other(packed) if is_named => {
                    let flaw = directory.judge(entry, &packed).err();
                    (Stream::new(entry, None, packed, flaw), false)
                }
                Peeked::Other(_) => continue,
                Peeked::Damaged(flaw) => {
                    closed += 1;
                    (Stream::new(entry, None, 0..0, Some(flaw)), is_named)
                }
                Peeked::Closed(flaw) => {
                    closed += 1;
                    if !is_named {
                        continue;
                    }
                    (Stream::new(entry, None, 0..0, Some(flaw)), false)
                }
            };
            input.budget().take(STREAM_COST + stream.name.len() as u64, "the streams of an archive")?;
            if counts { streams.push((place, stream)) } else { suspects.push((place, stream)) }
        }
        if !streams.is_empty() {
            streams.append(&mut suspects);
            streams.sort_unstable_by_key(|&(place, _)| place);
        }
        Ok(Contents { streams: streams.into_iter().map(|(_, stream)| stream).collect(), closed })
    }

    /// What to do about an archive that is taken for a file.
    pub fn help(&self) -> String {
        match (self.streams.len(), self.closed) {
            (0, 0) => "there is no IDV stream in it: unpack it first".into(),
            (0, closed) => format!("there is no IDV stream in it, but {closed} of its entries cannot be looked into"),
            (number, _) => format!("the IDV streams in it ({number}) have addresses: `ndbytes info` lists them"),
        }
    }

    /// The first addresses of streams, and how many more there are.
    pub fn addresses(&self, path: Option<&Path>) -> (Vec<PathBuf>, usize) {
        let listed = self.streams.iter().take(LISTED).map(|stream| address(path, &stream.name)).collect();
        (listed, self.streams.len().saturating_sub(LISTED))
    }
}

impl Stream {
    /// `idv` is the length behind the prefix, if the entry begins as a stream does.
    fn new(entry: &Entry<'_>, idv: Option<u64>, packed: Range<u64>, flaw: Option<Box<Finding>>) -> Self {
        Stream {
            name: text(entry.name).into_owned(),
            length: idv.unwrap_or(entry.claims.length),
            claims: entry.claims,
            packed,
            format: idv.map(|_| Format::Idv),
            flaw,
        }
    }
}

/// What an entry is, told by its first bytes.
enum Peeked {
    /// An IDV stream of this length, maybe behind a prefix, and where it stands.
    Idv(u64, Range<u64>),
    Other(Range<u64>),
    /// Its first bytes cannot be had.
    Damaged(Box<Finding>),
    /// It is encrypted, or compressed in a way that is not read.
    Closed(Box<Finding>),
}

fn peek(directory: &Directory<'_>, entry: &Entry<'_>, bytes: &[u8], unpacker: &mut Unpacker) -> Peeked {
    let claims = &entry.claims;
    if let Some(finding) = claims.closed() {
        return Peeked::Closed(finding.into());
    }
    let packed = match directory.packed(entry) {
        Ok(packed) => packed,
        Err(finding) => return Peeked::Damaged(finding),
    };
    // `Directory::packed` gives nothing beyond the archive's end.
    let packed_bytes = &bytes[packed.start as usize..packed.end as usize];
    let (head, length) = match unpacker.head(claims, packed_bytes, packed.start) {
        Ok(head) => head,
        Err(finding) => return Peeked::Damaged(finding),
    };
    match idv_length(&head[..length], claims.length) {
        Some(length) => Peeked::Idv(length, packed),
        None => Peeked::Other(packed),
    }
}

/// Whether something that was opened is a file that begins like a zip archive.
pub fn is_archive(input: &Input<'_>) -> bool {
    input.head().starts_with(b"PK\x03\x04") && input.path().is_some() && !input.is_entry()
}

/// The file of an address, if a file has no such name.
pub fn file_of(address: &Path) -> Option<&Path> {
    if address.exists() {
        return None;
    }
    splits(address).map(|(file, _)| file).find(|file| file.is_file())
}

/// Opens what stands at an address; nothing if the path is none.
pub(crate) fn open_address(address: &Path, limits: Limits) -> Option<Result<Input<'static>>> {
    for (file, name) in splits(address).filter(|(file, _)| file.is_file()) {
        match Input::open(file, limits) {
            Ok(input) if is_archive(&input) => return Some(load_named(&input, limits, name)),
            Ok(_) => {}
            Err(error) => return Some(Err(error)),
        }
    }
    None
}

/// The ways in which a path can be an address, those with the longest path first.
fn splits(address: &Path) -> impl Iterator<Item = (&Path, &str)> {
    let text = address.to_str().unwrap_or_default();
    text.rmatch_indices('!').map(|(at, _)| (Path::new(&text[..at]), &text[at + 1..]))
}

fn address(archive: Option<&Path>, name: &str) -> PathBuf {
    let Some(archive) = archive else { return name.into() };
    let mut address = archive.as_os_str().to_owned();
    address.push("!");
    address.push(name);
    address.into()
}

fn load_named(input: &Input<'_>, limits: Limits, name: &str) -> Result<Input<'static>> {
    let debit = Debit::new(input.budget());
    let directory = Directory::read(input.bytes()?, &debit)?;
    let Some(entry) = directory.find(name) else {
        drop(debit);
        let (streams, more) = Contents::read(input)?.addresses(input.path());
        return Err(Error::NoEntry { entry: name.to_owned(), streams, more });
    };
    if let Some(finding) = entry.claims.closed() {
        return Err(finding.into());
    }
    let packed = directory.packed(entry).map_err(Error::Invalid)?;
    directory.judge(entry, &packed).map_err(Error::Invalid)?;
    load(input, limits, &text(entry.name), &entry.claims, packed, &mut Unpacker::new())
}

fn load(
    input: &Input<'_>,
    limits: Limits,
    name: &str,
    claims: &Claims,
    packed: Range<u64>,
    unpacker: &mut Unpacker,
) -> Result<Input<'static>> {
    // What a stream may take does not depend on the others.
    let budget = limits.budget(input.length());
    let mut bytes = unpacker.unpack(claims, input.range(packed.clone())?, packed.start, &budget)?;
    let length = bytes.as_slice().len();
    let stream = idv_length(bytes.as_slice(), length as u64).map_or(length, |stream| stream as usize);
    bytes.as_mut_slice().copy_within(length - stream.., 0);
    bytes.resize(stream);
    let mut warnings = Vec::new();
    if claims.is_repeated {
        let message = "the archive has several entries of this name; this is the last one";
        warnings.push(Finding::new(&rules::DUPLICATE_NAME, "name", claims.name(), message));
    }
    Ok(Input::entry(address(input.path(), name), bytes, budget, warnings))
}

/// The length of an IDV stream in an entry of `length` bytes that begins with `head`: of all of it, or of what is behind
/// its length. None if it is something else.
fn idv_length(head: &[u8], length: u64) -> Option<u64> {
    let is_idv = |head: &[u8], length| format::detect(head, length) == Some(Format::Idv);
    let head = &head[..head.len().min(HEAD)];
    if is_idv(head, length) {
        return Some(length);
    }
    let (prefix, rest) = head.split_first_chunk::<PREFIX>()?;
    let rest_length = u64::try_from(i32::from_le_bytes(*prefix)).ok()?;
    let fits = rest_length.checked_add(PREFIX as u64) == Some(length);
    (fits && is_idv(rest, rest_length)).then_some(rest_length)
}

fn has_known_name(name: &[u8]) -> bool {
    let last = name.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default();
    KNOWN_NAMES.iter().any(|known| known.as_bytes() == last)
}
