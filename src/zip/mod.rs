//! Zip archives, and the directories of stores, as containers of files. [`archive`](crate::archive) is their public interface.
//!
//! The central directory is authoritative. [`directory`] reads it from the records at the end of the file ([`ending`]),
//! [`contents`] looks at the first bytes of each entry to find those of a known format, and [`judge`] compares the directory with
//! the headers before each entry. Readers that trust different copies of the same field see different files, so every disagreement
//! is a finding.
//!
//! An entry is unpacked into memory when it is loaded, up to the length that the directory declares. Before anything is allocated,
//! that length is charged, and is compared with the maximum to which the packed bytes can expand. Entries that share bytes are
//! refused, because they let zip bombs of kilobytes expand to petabytes. A Blosc2 frame that is stored uncompressed is read in
//! place.
//!
//! A file with several tensors (safetensors or GGUF) is also treated like an archive, with the tensors as members ([`tensors`]).

pub(crate) mod as_read;
pub(crate) mod content;
mod contents;
pub mod directory;
mod directory_claims;
mod ending;
pub(crate) mod entries;
mod extras;
mod folder;
mod judge;
mod local;
pub(crate) mod map;
mod member;
pub(crate) mod rules;
pub(crate) mod salvage;
pub(crate) mod store;
mod tensors;
mod unpack;
pub(crate) mod write;
pub(crate) mod zipfile;

use crate::bytes::input::Input;
use crate::bytes::limits::{Budget, Debit, Limits};
use crate::bytes::stores;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::format;
use as_read::in_archive_of;
pub(crate) use contents::Contents;
use contents::idv_length;
use directory::Directory;
pub(crate) use directory::text;
use directory_claims::DirectoryClaims;
pub use member::Member;
use member::Place;
use ndbytes_codecs::deflate::most_inflated;
pub use rules::*;
use std::ops::Range;
use std::path::{Path, PathBuf};
pub use store::is_store;
pub(crate) use tensors::choice_of_tensor;
#[doc(hidden)]
pub use tensors::is_of_tensors;
use unpack::{HEAD, Unpacker};

/// A zip archive whose directory has been read, or the directory of a store.
///
/// ```
/// use ndbytes::archive::Archive;
/// use ndbytes::{Limits, npy};
/// # fn zip_of_one(name: &str, content: &[u8]) -> Vec<u8> {
/// #     let bit = |crc: u32, _| crc >> 1 ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
/// #     let crc = !content.iter().fold(!0_u32, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), bit));
/// #     let length = (content.len() as u32).to_le_bytes();
/// #     let name_length = (name.len() as u32).to_le_bytes(); // and no extra field
/// #     let common = [&[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0][..], &crc.to_le_bytes(), &length, &length, &name_length].concat();
/// #     let local = [b"PK\x03\x04", &common[..], name.as_bytes(), content].concat();
/// #     let entry = [b"PK\x01\x02", &[20, 0][..], &common, &[0; 14], name.as_bytes()].concat();
/// #     let (size, start) = ((entry.len() as u32).to_le_bytes(), (local.len() as u32).to_le_bytes());
/// #     let end = [b"PK\x05\x06", &[0, 0, 0, 0, 1, 0, 1, 0][..], &size, &start, &[0, 0]].concat();
/// #     [local, entry, end].concat()
/// # }
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("weights.npz");
/// # std::fs::write(&path, zip_of_one("bias.npy", &npy::Writer::new().to_vec(&ndarray::arr1(&[0.5_f32, 2.0]))?)).unwrap();
///
/// let weights = Archive::open(&path, Limits::default())?;
/// for member in weights.members() {
///     let array = npy::Options::new().read(weights.load(member)?)?;
///     assert_eq!((member.name(), array.shape()), ("bias.npy", &[2][..]));
/// }
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// Opening reads the directory and the first bytes of each entry, not the content. Each member is unpacked separately when it is
/// loaded, so a flaw in one member does not affect the others.
#[derive(Debug)]
pub struct Archive<'a> {
    source: Source<'a>,
    limits: Limits,
    contents: Contents,
}

/// The source of the members.
#[derive(Debug)]
enum Source<'a> {
    Zip(Input<'a>),
    Folder(Budget),
}

/// What a path refers to.
///
/// ```
/// use ndbytes::Limits;
/// use ndbytes::archive::Opened;
///
/// match Opened::open("samples/trees.idv", Limits::default())? {
///     Opened::File(file) => assert_eq!(file.length(), 777),
///     Opened::Archive(archive) => println!("{} members", archive.members().len()),
/// }
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "one is made per file, and moved a few times")]
pub enum Opened<'a> {
    /// A file.
    File(Input<'a>),
    /// An archive or store that has members or is empty.
    Archive(Archive<'a>),
}

impl Opened<'static> {
    /// Opens a file, an archive, or the directory of a store.
    ///
    /// # Errors
    /// As for [`Input::open`] and [`Archive::read`].
    pub fn open(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        let path = path.as_ref();
        match Input::find(path, limits)? {
            Some(input) => Opened::from_input(input, limits),
            None => Archive::folder(path, limits).map(Opened::Archive),
        }
    }
}

impl<'a> Opened<'a> {
    /// Looks for members in an open input. An archive that contains only other files is treated as a file.
    ///
    /// # Errors
    /// As for [`Archive::read`].
    pub fn from_input(input: Input<'a>, limits: Limits) -> Result<Self> {
        if is_of_tensors(&input) {
            let archive = |input, contents| Archive { source: Source::Zip(input), limits: limits.started(), contents };
            return Ok(match tensors::several(&input)? {
                Some(contents) => Opened::Archive(archive(input, contents)),
                None => Opened::File(input),
            });
        }
        // Damage to the gzip stream is not reported until the file is read.
        if tensors::is_packed(&input)
            && let Ok(content) = tensors::unpacked(input.again(limits)?, limits)
            && let Some(contents) = tensors::several(&content)?
        {
            let source = Source::Zip(content);
            return Ok(Opened::Archive(Archive { source, limits: limits.started(), contents }));
        }
        if !is_archive(&input) {
            return Ok(Opened::File(input));
        }
        let contents = Contents::read(&input)?;
        Ok(match contents.is_foreign() {
            true => Opened::File(input),
            false => Opened::Archive(Archive { source: Source::Zip(input), limits: limits.started(), contents }),
        })
    }
}

impl Archive<'static> {
    /// Opens a zip archive, or the directory of a store, and looks for members.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the directory cannot be read; [`Error::Limit`] if it is too large; [`Error::Io`].
    pub fn open(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        let path = path.as_ref();
        match Input::find(path, limits)? {
            Some(input) => Archive::read(input, limits),
            None => Archive::folder(path, limits),
        }
    }

    /// Opens a store that is a directory.
    pub(crate) fn folder(root: &Path, limits: Limits) -> Result<Self> {
        let limits = limits.started();
        let budget = limits.budget(0);
        let contents = folder::read(root, limits, &budget)?;
        Ok(Archive { source: Source::Folder(budget), limits, contents })
    }
}

impl<'a> Archive<'a> {
    /// Looks for members in an open input.
    ///
    /// # Errors
    /// As for [`Archive::open`].
    pub fn read(input: Input<'a>, limits: Limits) -> Result<Self> {
        let contents = if is_of_tensors(&input) { tensors::all(&input)? } else { Contents::read(&input)? };
        Ok(Archive { source: Source::Zip(input), limits: limits.started(), contents })
    }

    /// Like [`Archive::read`], but also accepts an archive that this library does not read, if its entries can be examined.
    ///
    /// # Errors
    /// As for [`Archive::open`].
    pub(crate) fn look(input: Input<'a>, limits: Limits) -> Result<Self> {
        let contents = Contents::look(&input)?;
        Ok(Archive { source: Source::Zip(input), limits: limits.started(), contents })
    }

    /// The members, in directory order. They are files that start like a known format, or with a four-byte length followed by IDV.
    /// Possible members are included: entries that are too damaged to be recognised, and entries with other content whose names
    /// ML.NET or python-blosc2 reserves. The flaw is reported when such a member is opened or checked.
    pub fn members(&self) -> &[Member] {
        &self.contents.members
    }

    /// The number of entries in the archive, or of files in the store, including those that are not members.
    pub fn entries(&self) -> u64 {
        self.contents.entries
    }

    /// The address of a member, for [`Input::open`]. If the archive has no path, this is only the name.
    pub fn address(&self, member: &Member) -> PathBuf {
        match &member.place {
            Place::File(path) => path.clone(),
            Place::Entry { .. } | Place::Tensor(_) => address_in(self.input().and_then(Input::path), &member.name),
        }
    }

    /// Returns the format whose reader reads the archive; `None` if no reader is known.
    pub(crate) fn content(&self) -> Option<format::Format> {
        self.contents.content
    }

    /// Returns whether it contains files, but none that ndbytes reads, so another program created it. An archive without any
    /// entries, which `numpy.savez` creates if there are no arrays, is not foreign.
    pub(crate) fn is_foreign(&self) -> bool {
        self.contents.is_foreign()
    }

    /// The findings about the archive itself: its records, and bytes outside all members. Findings about members are separate.
    pub fn findings(&self) -> &[Finding] {
        &self.contents.findings
    }

    /// The archive's own bytes; `None` for a directory.
    #[doc(hidden)]
    pub fn input(&self) -> Option<&Input<'a>> {
        match &self.source {
            Source::Zip(input) => Some(input),
            Source::Folder(_) => None,
        }
    }

    /// The length of the archive in bytes; for a directory, the total length of its members.
    pub fn length(&self) -> u64 {
        let of_members = || self.members().iter().map(Member::length).fold(0, u64::saturating_add);
        self.input().map_or_else(of_members, Input::length)
    }

    /// The budget that all work on the archive is charged to.
    pub(crate) fn budget(&self) -> &Budget {
        match &self.source {
            Source::Zip(input) => input.budget(),
            Source::Folder(budget) => budget,
        }
    }

    /// Unpacks a member, or opens its file.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the entry breaks a rule of archives; [`Error::Limit`]; [`Error::Io`].
    pub fn load(&self, member: &Member) -> Result<Input<'static>> {
        self.load_with(member, &mut Unpacker::new())
    }

    /// Loads a member as a separate input, with buffers that are reused for the next one.
    fn load_with(&self, member: &Member, unpacker: &mut Unpacker) -> Result<Input<'static>> {
        match &member.place {
            Place::File(path) => Input::open(path, self.limits),
            Place::Tensor(tensor) => {
                let input = self.input().expect("tensors are of a file");
                tensor.open(input, address_in(input.path(), &member.name), input.fresh_budget(self.limits))
            }
            Place::Entry { flaw: Some(flaw), .. } => Err(Error::Invalid(flaw.clone())),
            Place::Entry { claims, packed, .. } => {
                let input = self.input().expect("entries are of an archive");
                let loaded = load(input, self.limits, &member.name, claims, packed.clone(), unpacker);
                in_archive_of(loaded, self.contents.content)
            }
        }
    }

    /// Loads all members, one after another. [`Limits::memory`] applies to each of them, and [`Limits::output`] applies to their
    /// total unpacked size. Members beyond it break the `limit-exceeded` rule.
    pub fn load_each(&self) -> impl Iterator<Item = (&Member, Result<Input<'static>>)> {
        self.load_all(false)
    }

    /// Like `Archive::load_each`, but on request followed by all other entries that the archive's reader reads.
    pub(crate) fn load_all(&self, others: bool) -> impl Iterator<Item = (&Member, Result<Input<'static>>)> {
        let (mut unpacked, mut unpacker) = (0_u64, Unpacker::new());
        let others = if others { &self.contents.others[..] } else { &[] };
        self.members().iter().chain(others).map(move |member| {
            if let Place::Entry { claims, packed, .. } = &member.place {
                // A length to which the packed bytes cannot expand breaks a different rule.
                let length = claims.length.min(most_inflated(packed.end - packed.start));
                let together = unpacked.saturating_add(length);
                if let Err(error) = self.limits.ensure_output("the content of the members together", together) {
                    return (member, Err(error));
                }
                unpacked = together;
            }
            (member, self.load_with(member, &mut unpacker))
        })
    }
}

/// Returns whether an input starts like a zip archive and is not inside one.
pub fn is_archive(input: &Input<'_>) -> bool {
    format::is_zip(input.head()) && !input.is_entry()
}

/// Refuses an archive that has members, and names them, because the caller must choose one. An archive without any entries is also
/// refused. Everything else is accepted, including an archive whose directory cannot be read, because [`check`](crate::check)
/// reports its errors.
///
/// # Errors
/// [`Error::Archive`]; [`Error::Io`] if the archive cannot be read.
pub(crate) fn ensure_one_file(input: &Input<'_>) -> Result<()> {
    if !is_archive(input) {
        return Ok(());
    }
    match Contents::read(input) {
        Ok(contents) => contents.choice(|member| address_in(input.path(), &member.name)).map_or(Ok(()), Err),
        Err(Error::Invalid(_) | Error::Limit { .. } | Error::Time { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

impl Archive<'_> {
    /// A description of the kind of file.
    pub fn kind(&self) -> &'static str {
        match &self.source {
            Source::Zip(input) => tensors::kind_of_tensors(input).map_or("zip archive", |kind| kind.file),
            Source::Folder(_) => "store",
        }
    }

    /// The file whose tensors are the members; `None` for any other archive.
    #[doc(hidden)]
    pub fn file_of_tensors(&self) -> Option<&Input<'_>> {
        self.input().filter(|input| is_of_tensors(input))
    }
}

/// Returns the error for opening the directory of a store as a file.
pub(crate) fn choice_of_folder(root: &Path, limits: Limits) -> Error {
    let archive = match Archive::folder(root, limits) {
        Ok(archive) => archive,
        Err(error) => return error,
    };
    let none = || Error::io(root, std::io::ErrorKind::IsADirectory.into());
    archive.contents.choice(|member| archive.address(member)).unwrap_or_else(none)
}

/// The file part of an address, if no file has the whole address as its name.
pub fn file_of(address: &Path) -> Option<&Path> {
    if stores::is_url(address) {
        return splits(address).map(|(file, _)| file).find(|file| stores::is_url(file));
    }
    if address.exists() {
        return None;
    }
    splits(address).map(|(file, _)| file).find(|file| file.is_file())
}

/// Opens the entry at an address, or returns `None` if the path is not an address.
pub(crate) fn open_address(address: &Path, limits: Limits) -> Option<Result<Input<'static>>> {
    open_address_with(address, limits, Path::is_file, |file| Input::open(file, limits))
}

/// Like `open_address`, but with other functions to find a file and to open it.
pub(crate) fn open_address_with(
    address: &Path,
    limits: Limits,
    is_file: impl Fn(&Path) -> bool,
    open: impl Fn(&Path) -> Result<Input<'static>>,
) -> Option<Result<Input<'static>>> {
    for (file, name) in splits(address).filter(|(file, _)| is_file(file)) {
        let opened = match open(file) {
            Ok(input) if is_archive(&input) => return Some(load_in(&input, limits, name, address)),
            Ok(input) if is_of_tensors(&input) => return Some(tensors::load_named(&input, limits, name)),
            Ok(input) if tensors::is_packed(&input) => {
                let content = tensors::unpacked(input, limits);
                return Some(content.and_then(|content| tensors::load_named(&content, limits, name)));
            }
            Ok(input) => input,
            Err(error) => return Some(Err(error)),
        };
        if let Some(number) = number(name)
            && let Some(array) = opened.array_of_several(number, address, limits).transpose()
        {
            return Some(array);
        }
    }
    None
}

/// Parses the number of an array in a file with several arrays, which is the end of an address.
fn number(name: &str) -> Option<u64> {
    name.parse().ok().filter(|number: &u64| number.to_string() == name)
}

/// Loads an entry of an archive, or one of several arrays in an entry.
fn load_in(archive: &Input<'_>, limits: Limits, name: &str, address: &Path) -> Result<Input<'static>> {
    let error = match load_named(archive, limits, name) {
        Err(error @ Error::NoEntry { .. }) => error,
        loaded => return loaded,
    };
    let divided = name.rsplit_once('!').and_then(|(entry, place)| Some((entry, number(place)?)));
    let Some((entry, number)) = divided else { return Err(error) };
    load_named(archive, limits, entry)?.array_of_several(number, address, limits)?.ok_or(error)
}

/// Returns the ways in which a path can be split into a file and a name, starting with the longest file path.
fn splits(address: &Path) -> impl Iterator<Item = (&Path, &str)> {
    let text = address.to_str().unwrap_or_default();
    text.rmatch_indices('!').map(|(at, _)| (Path::new(&text[..at]), &text[at + 1..]))
}

/// Returns the address of a member: `archive!name`, or only the name if the archive has no path.
fn address_in(archive: Option<&Path>, name: &str) -> PathBuf {
    archive.map_or_else(|| name.into(), |archive| address(archive, name))
}

/// The address of a member with this name: its path in a directory, or the archive's path, `!` and the name.
pub fn address(archive: impl AsRef<Path>, name: &str) -> PathBuf {
    let archive = archive.as_ref();
    if archive.is_dir() {
        return archive.join(name);
    }
    let mut address = archive.as_os_str().to_owned();
    address.push("!");
    address.push(name);
    address.into()
}

/// Loads an entry by name. Only the directory is needed: other entries are not examined.
fn load_named(input: &Input<'_>, limits: Limits, name: &str) -> Result<Input<'static>> {
    let debit = Debit::new(input.budget());
    let directory = Directory::read(input, &debit, &mut Findings::default())?;
    let content = directory.content();
    let Some(entry) = directory.find(name) else {
        drop(debit);
        let (members, more) = Contents::read(input)?.addresses(|member| address_in(input.path(), &member.name));
        return Err(Error::NoEntry { entry: name.to_owned(), members, more });
    };
    if let Some(finding) = entry.claims.closed() {
        return Err(finding.into());
    }
    let loaded = || {
        let local = directory.local(entry)?.map_err(Error::Invalid)?;
        directory.judge(entry, &local)?;
        load(input, limits, &text(&entry.name), &entry.claims, local.packed, &mut Unpacker::new())
    };
    in_archive_of(loaded(), content)
}

fn load(
    input: &Input<'_>,
    limits: Limits,
    name: &str,
    claims: &DirectoryClaims,
    packed: Range<u64>,
    unpacker: &mut Unpacker,
) -> Result<Input<'static>> {
    let address = address_in(input.path(), name);
    let mut warnings = Vec::new();
    if claims.is_repeated {
        warnings.push(claims.repeated());
    }
    // The budget of a member does not depend on the others.
    let budget = || input.fresh_budget(limits);
    // Frames are read piece by piece. Elements of the other formats are viewed in place, which requires aligned memory.
    if claims.is_stored()
        && is_frame(input, &packed)?
        && let Some(frame) = Input::part(input, packed.clone(), &address, budget(), &warnings)?
    {
        unpack::prove(claims, input, packed)?;
        return Ok(frame);
    }
    let budget = budget();
    let mut bytes = unpacker.unpack(claims, input, packed, &budget)?;
    let length = bytes.as_slice().len();
    let stream = idv_length(bytes.as_slice(), length as u64).map_or(length, |stream| stream as usize);
    bytes.as_mut_slice().copy_within(length - stream.., 0);
    bytes.shorten(stream);
    Ok(Input::entry(address, bytes, budget, warnings))
}

/// Returns whether a Blosc2 frame begins at a position in the archive.
fn is_frame(input: &Input<'_>, place: &Range<u64>) -> Result<bool> {
    let mut head = [0; HEAD];
    let head = &mut head[..(place.end - place.start).min(HEAD as u64) as usize];
    input.read_at(head, place.start)?;
    Ok(format::is_frame(head))
}
