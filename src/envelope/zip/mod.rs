//! Archives and stores. Archives are zip files, such as the models of ML.NET and the `.b2z` of python-blosc2. Stores
//! are the folders (`.b2d`) that the latter are made of.
//!
//! A file of a known format in them is a [`Member`]. It has an address. That of an entry of an archive is the archive's
//! path, `!`, and the name of the entry, such as `store.b2z!g/x.b2nd`. `/` and `\` are the same in it. That of a file
//! in a folder is its path. Wherever a path is taken, an address is; a file that has such a name comes first. The entry
//! at an address is unpacked into memory, within the [`Limits`], and then is like any file. A frame that is stored
//! uncompressed is read where it is in the archive, after its checksum was proven. Nothing is ever written to disk.
//! Archives inside archives are not opened.
//!
//! The structure of an archive is judged too: [`Archive::findings`]. Its byte map is that of
//! [`Checker::explain`](crate::Checker::explain).
//!
//! A store also holds Blosc2 frames that are not arrays. They are members, and are not an error in a store. Their
//! structure is checked; the content of their chunks is for python-blosc2 to judge.

mod claims;
mod contents;
pub mod directory;
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
mod unpack;
pub(crate) mod write;

use crate::bytes::input::Input;
use crate::bytes::limits::{Budget, Debit, Limits};
use crate::bytes::stores;
pub use crate::envelope::store::is_store;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::format;
use claims::Claims;
pub(crate) use contents::Contents;
use contents::idv_length;
use directory::Directory;
pub(crate) use directory::text;
pub use member::Member;
use member::Place;
use ndbytes_codecs::deflate::most_inflated;
pub use rules::*;
use std::ops::Range;
use std::path::{Path, PathBuf};
use unpack::{HEAD, Unpacker};

/// A zip archive whose directory was read, or the folder of a store.
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

/// The target of a path.
#[derive(Debug)]
pub enum Opened<'a> {
    /// A file.
    File(Input<'a>),
    /// An archive, or a store, that has members or no entry at all.
    Archive(Archive<'a>),
}

impl Opened<'static> {
    /// Opens a file, an archive, or the folder of a store.
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
    /// Looks for members in an open input. An archive of other files is a file.
    ///
    /// # Errors
    /// As for [`Archive::read`].
    pub fn from_input(input: Input<'a>, limits: Limits) -> Result<Self> {
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
    /// Opens a zip archive, or the folder of a store, and looks for members in it.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the directory cannot be read, [`Error::Limit`] if it is too large, [`Error::Io`].
    pub fn open(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        let path = path.as_ref();
        match Input::find(path, limits)? {
            Some(input) => Archive::read(input, limits),
            None => Archive::folder(path, limits),
        }
    }

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
        let contents = Contents::read(&input)?;
        Ok(Archive { source: Source::Zip(input), limits: limits.started(), contents })
    }

    /// The members, in the order of the directory. They are files that begin as a known format does, or with four bytes
    /// of length and then as IDV does. Possible members are included: entries that are too damaged to tell, and entries
    /// of another content under a name that ML.NET or python-blosc2 reserves. Opening or checking them reports the
    /// flaw.
    pub fn members(&self) -> &[Member] {
        &self.contents.members
    }

    /// The number of entries of the archive, or of files of the store, members or not.
    pub fn entries(&self) -> u64 {
        self.contents.entries
    }

    /// The address of a member, for [`Input::open`]. If the archive has no path, that is the name alone.
    pub fn address(&self, member: &Member) -> PathBuf {
        match &member.place {
            Place::File(path) => path.clone(),
            Place::Entry { .. } => address_in(self.input().and_then(Input::path), &member.name),
        }
    }

    /// Returns whether it holds files, but none that ndbytes reads: another program made it. An archive without any entry,
    /// as `numpy.savez` makes it of no array, is not foreign.
    pub(crate) fn is_foreign(&self) -> bool {
        self.contents.is_foreign()
    }

    /// The findings about the archive itself: its records, and bytes that no member has. The members have findings of
    /// their own.
    pub fn findings(&self) -> &[Finding] {
        &self.contents.findings
    }

    /// The archive's own bytes, or `None` for a folder.
    #[doc(hidden)]
    pub fn input(&self) -> Option<&Input<'a>> {
        match &self.source {
            Source::Zip(input) => Some(input),
            Source::Folder(_) => None,
        }
    }

    /// Bytes of the archive, or of a folder's members.
    pub fn length(&self) -> u64 {
        let of_members = || self.members().iter().map(Member::length).fold(0, u64::saturating_add);
        self.input().map_or_else(of_members, Input::length)
    }

    pub(crate) fn budget(&self) -> &Budget {
        match &self.source {
            Source::Zip(input) => input.budget(),
            Source::Folder(budget) => budget,
        }
    }

    /// Unpacks a member, or opens its file.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the entry breaks a rule of archives, [`Error::Limit`], [`Error::Io`].
    pub fn load(&self, member: &Member) -> Result<Input<'static>> {
        self.load_with(member, &mut Unpacker::new())
    }

    fn load_with(&self, member: &Member, unpacker: &mut Unpacker) -> Result<Input<'static>> {
        match &member.place {
            Place::File(path) => Input::open(path, self.limits),
            Place::Entry { flaw: Some(flaw), .. } => Err(Error::Invalid(flaw.clone())),
            Place::Entry { claims, packed, .. } => {
                let input = self.input().expect("entries are of an archive");
                load(input, self.limits, &member.name, claims, packed.clone(), unpacker)
            }
        }
    }

    /// Loads all members, one after the other. [`Limits::memory`] bounds each of them, and [`Limits::output`] what is unpacked of
    /// all: members beyond it break the rule `limit-exceeded`.
    pub fn load_each(&self) -> impl Iterator<Item = (&Member, Result<Input<'static>>)> {
        let (mut unpacked, mut unpacker) = (0_u64, Unpacker::new());
        self.members().iter().map(move |member| {
            if let Place::Entry { claims, packed, .. } = &member.place {
                // A claim that the packed bytes cannot keep breaks another rule.
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

/// Returns whether an input begins like a zip archive, and is not in one.
pub fn is_archive(input: &Input<'_>) -> bool {
    format::is_zip(input.head()) && !input.is_entry()
}

/// Refuses an archive that has members, and names them: the caller has to choose one. An archive without any entry is refused too.
/// Everything else passes. So does an archive whose directory cannot be read: [`check`](crate::check) reports its flaws.
///
/// # Errors
/// [`Error::Archive`], or [`Error::Io`] if the archive cannot be read.
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

/// The error of opening the folder of a store as a file.
pub(crate) fn choice_of_folder(root: &Path, limits: Limits) -> Error {
    let archive = match Archive::folder(root, limits) {
        Ok(archive) => archive,
        Err(error) => return error,
    };
    let none = || Error::io(root, std::io::ErrorKind::IsADirectory.into());
    archive.contents.choice(|member| archive.address(member)).unwrap_or_else(none)
}

/// The file of an address, if a file has no such name.
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

/// The same, with other ways to find a file and to open it.
pub(crate) fn open_address_with(
    address: &Path,
    limits: Limits,
    is_file: impl Fn(&Path) -> bool,
    open: impl Fn(&Path) -> Result<Input<'static>>,
) -> Option<Result<Input<'static>>> {
    for (file, name) in splits(address).filter(|(file, _)| is_file(file)) {
        match open(file) {
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

fn address_in(archive: Option<&Path>, name: &str) -> PathBuf {
    archive.map_or_else(|| name.into(), |archive| address(archive, name))
}

/// The address of a member of this name: its path in a folder, or the archive's path, `!` and the name.
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

fn load_named(input: &Input<'_>, limits: Limits, name: &str) -> Result<Input<'static>> {
    let debit = Debit::new(input.budget());
    let directory = Directory::read(input, &debit, &mut Findings::default())?;
    let Some(entry) = directory.find(name) else {
        drop(debit);
        let (members, more) = Contents::read(input)?.addresses(|member| address_in(input.path(), &member.name));
        return Err(Error::NoEntry { entry: name.to_owned(), members, more });
    };
    if let Some(finding) = entry.claims.closed() {
        return Err(finding.into());
    }
    let local = directory.local(entry)?.map_err(Error::Invalid)?;
    directory.judge(entry, &local)?;
    load(input, limits, &text(&entry.name), &entry.claims, local.packed, &mut Unpacker::new())
}

fn load(
    input: &Input<'_>,
    limits: Limits,
    name: &str,
    claims: &Claims,
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
    // Frames are read piece by piece. Elements of the other formats are viewed in place, which takes aligned memory.
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

/// Returns whether a Blosc2 frame begins at a place of the archive.
fn is_frame(input: &Input<'_>, place: &Range<u64>) -> Result<bool> {
    let mut head = [0; HEAD];
    let head = &mut head[..(place.end - place.start).min(HEAD as u64) as usize];
    input.read_at(head, place.start)?;
    Ok(format::is_frame(head))
}
