//! Stores: a directory or a zip archive that maps keys to values.
//!
//! A store may come from a stranger, so keys never lead outside it. Links anywhere on the path are refused, and so is
//! anything that is not a regular file. Checked directories are remembered, up to a bound; otherwise, each chunk would
//! cost a system call for each level above it.
//!
//! The values of a directory are read in parts. This matters for shards, in which a file may contain thousands of
//! chunks although only one is needed. An entry of a zip archive is unpacked as a whole.

use super::codecs::steps::zeros;
use super::meta::described::Described;
use super::meta::{json, v2, v3};
use super::read_error::{ReadError, Result};
use ndbytes::archive::is_archive;
use ndbytes::internals::{Entries, door};
use ndbytes::{Error, Input, Limits};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The metadata file of a Zarr 3 node.
pub const NODE: &str = "zarr.json";
/// The metadata files of Zarr 2: of an array, of a group, and of the attributes of both.
pub const ARRAY_2: &str = ".zarray";
pub const GROUP_2: &str = ".zgroup";
pub const ATTRIBUTES_2: &str = ".zattrs";

/// The maximum number of arrays to list in a store, and of directories in which to search for them.
const MOST_NODES: usize = 100_000;

/// The maximum number of directories to remember as real directories rather than links. Others are checked again.
const MOST_KNOWN: usize = 1 << 14;

/// A Zarr store: a directory or a zip archive.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("surface.zarr");
/// use ndbytes::Limits;
/// use ndbytes_convert::ZarrStore;
/// # use ndbytes_convert::{ArraySource, FileKind, Options, Source, Target, convert};
/// # let surface = ndbytes::open("../../samples/surface.ra")?.into_array()?;
/// # let sources = [Source::Array(ArraySource::new("surface", &surface))];
/// # convert(&sources, FileKind::Zarr, Target::File(&path), &Options::new())?;
///
/// assert!(ZarrStore::is_folder(&path));
/// let store = ZarrStore::folder(&path, Limits::default());
/// println!("{:?}", store.arrays("")?);
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug)]
pub struct ZarrStore {
    path: PathBuf,
    values: Values,
    limits: Limits,
}

#[derive(Debug)]
enum Values {
    /// The directories that are known not to be links.
    Folder(Mutex<HashSet<String>>),
    Zip(Box<Entries<'static>>),
}

/// The bytes of a value, or of a part of one.
pub enum Bytes<'b> {
    File(File, u64),
    Memory(Cow<'b, [u8]>),
}

impl Bytes<'_> {
    pub fn length(&self) -> u64 {
        match self {
            Bytes::File(_, length) => *length,
            Bytes::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// The memory that it holds, in bytes.
    pub fn held(&self) -> u64 {
        if let Bytes::Memory(Cow::Owned(bytes)) = self { bytes.len() as u64 } else { 0 }
    }

    /// All bytes.
    pub fn all(self, limits: Limits) -> Result<Vec<u8>> {
        match self {
            Bytes::Memory(bytes) => Ok(bytes.into_owned()),
            mut file @ Bytes::File(..) => file.read(0, file.length(), limits),
        }
    }

    /// Returns some of the bytes, which must exist. Bytes in memory are not copied.
    pub fn part(&mut self, start: u64, length: u64, limits: Limits) -> Result<Bytes<'_>> {
        match self {
            Bytes::Memory(bytes) => Ok(Bytes::Memory(bytes[start as usize..(start + length) as usize].into())),
            file @ Bytes::File(..) => Ok(Bytes::Memory(file.read(start, length, limits)?.into())),
        }
    }

    /// Reads some of the bytes, which must exist.
    pub fn read(&mut self, start: u64, length: u64, limits: Limits) -> Result<Vec<u8>> {
        match self {
            Bytes::Memory(bytes) => Ok(bytes[start as usize..(start + length) as usize].to_vec()),
            Bytes::File(file, _) => {
                let mut bytes = zeros(length, limits)?;
                file.seek(SeekFrom::Start(start))?;
                file.read_exact(&mut bytes)?;
                Ok(bytes)
            }
        }
    }
}

impl ZarrStore {
    /// Returns whether a directory contains a Zarr node.
    pub fn is_folder(path: impl AsRef<Path>) -> bool {
        [NODE, ARRAY_2, GROUP_2].iter().any(|name| path.as_ref().join(name).is_file())
    }

    /// Opens the directory of a store.
    pub fn folder(path: impl Into<PathBuf>, limits: Limits) -> ZarrStore {
        ZarrStore { path: path.into(), values: Values::Folder(Mutex::default()), limits: limits.started() }
    }

    /// Returns whether a file is a zip archive that contains a Zarr node.
    pub fn is_zip(input: &Input<'_>, limits: Limits) -> bool {
        let is_one = |entries: Entries<'_>| {
            [NODE, ARRAY_2, GROUP_2].into_iter().any(|name| entries.names(name).next() == Some(name))
        };
        is_archive(input) && input.again(limits).and_then(|input| Entries::read(input, limits)).is_ok_and(is_one)
    }

    /// Opens the zip archive of a store.
    ///
    /// # Errors
    /// [`Error::Invalid`] if its directory cannot be read; [`Error::Limit`].
    pub fn zip(path: impl Into<PathBuf>, input: Input<'static>, limits: Limits) -> ndbytes::Result<ZarrStore> {
        let entries = Entries::read(input, limits)?;
        Ok(ZarrStore { path: path.into(), values: Values::Zip(entries.into()), limits: limits.started() })
    }

    /// Returns whether it is a zip archive.
    pub(crate) fn is_zip_archive(&self) -> bool {
        matches!(self.values, Values::Zip(_))
    }

    /// Returns its limits.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// Returns the path of a value, for messages.
    pub(crate) fn path_of(&self, key: &str) -> PathBuf {
        match &self.values {
            Values::Folder(_) => self.path.join(key),
            Values::Zip(_) => ndbytes::archive::address(&self.path, key),
        }
    }

    /// Returns the value of a key, or `None` if the key does not exist.
    pub(crate) fn get(&self, key: &str) -> Result<Option<Bytes<'static>>> {
        match &self.values {
            Values::Zip(entries) => Ok(entries.get(key)?.map(|bytes| Bytes::Memory(bytes.into()))),
            Values::Folder(known) => {
                let folder = key.rsplit_once('/').map_or("", |(folder, _)| folder);
                if !self.is_reachable(folder, known)? {
                    return Ok(None);
                }
                let path = self.path.join(key);
                let Some(found) = present(fs::symlink_metadata(&path))? else { return Ok(None) };
                if !found.is_file() {
                    return Err(not("a regular file", &found).into());
                }
                let file = door::regular_itself(&path)?;
                let length = file.metadata()?.len();
                Ok(Some(Bytes::File(file, length)))
            }
        }
    }

    /// Returns whether a directory of the store exists. Links are refused, since they may lead outside it.
    fn is_reachable(&self, folder: &str, known: &Mutex<HashSet<String>>) -> Result<bool> {
        let known = || known.lock().unwrap_or_else(PoisonError::into_inner);
        if folder.is_empty() || known().contains(folder) {
            return Ok(true);
        }
        let ends = folder.match_indices('/').map(|(end, _)| end).chain([folder.len()]);
        for end in ends {
            let Some(found) = present(fs::symlink_metadata(self.path.join(&folder[..end])))? else { return Ok(false) };
            if !found.is_dir() {
                return Err(format!("{} of the store {}", &folder[..end], not("a folder", &found)).into());
            }
        }
        let mut known = known();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(folder.to_owned());
        Ok(true)
    }

    /// The names of all arrays at or below a path.
    ///
    /// # Errors
    /// [`Error::Io`]; also if there are too many.
    pub fn arrays(&self, at: &str) -> ndbytes::Result<Vec<String>> {
        self.listed(at).map_err(|flaw| flaw.at(self.path_of(at)))
    }

    fn listed(&self, at: &str) -> Result<Vec<String>> {
        ensure_path(at)?;
        let mut arrays = BTreeSet::new();
        let mut add = |name: String| {
            arrays.insert(name);
            match arrays.len() > MOST_NODES {
                true => Err(format!("the store has more than {MOST_NODES} arrays, which are not listed")),
                false => Ok(()),
            }
        };
        match &self.values {
            Values::Zip(entries) => {
                for name in entries.names(at) {
                    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
                    let below = folder.strip_prefix(at);
                    let is_below = at.is_empty() || below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
                    if is_below && [NODE, ARRAY_2].contains(&file) && self.node(folder)?.is_some_and(|it| it.is_array())
                    {
                        add(folder.to_owned())?;
                    }
                }
            }
            Values::Folder(_) => {
                let (mut left, mut seen) = (vec![at.to_owned()], 0);
                while let Some(path) = left.pop() {
                    self.limits.ensure_time()?;
                    match self.node(&path)? {
                        Some(node) if node.is_array() => add(path)?,
                        Some(_) => left.extend(self.folders(&path)?),
                        None => {}
                    }
                    seen += 1;
                    if seen + left.len() > MOST_NODES {
                        return Err(
                            format!("the store has more than {MOST_NODES} folders, which are not searched").into()
                        );
                    }
                }
            }
        }
        Ok(arrays.into_iter().collect())
    }

    /// Returns the directories in a directory of the store.
    fn folders(&self, path: &str) -> Result<Vec<String>> {
        let mut folders = Vec::new();
        for entry in fs::read_dir(self.path.join(path))? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if entry.file_type()?.is_dir() && folders.len() <= MOST_NODES {
                folders.push(if path.is_empty() { name } else { format!("{path}/{name}") });
            }
        }
        Ok(folders)
    }

    /// Returns the node at a path, or `None` if there is none.
    fn node(&self, path: &str) -> Result<Option<Node>> {
        if let Some(node) = self.json(path, NODE)? {
            return Ok(Some(Node::V3(node)));
        }
        if let Some(node) = self.json(path, ARRAY_2)? {
            return Ok(Some(Node::V2(node, self.json(path, ATTRIBUTES_2)?)));
        }
        Ok(self.json(path, GROUP_2)?.map(|_| Node::Group))
    }

    fn json(&self, path: &str, name: &str) -> Result<Option<Value>> {
        let key = within(path, name);
        let read = || match self.get(&key)? {
            Some(bytes) => Ok(Some(json::read(&bytes.all(self.limits)?, self.limits)?)),
            None => Ok(None),
        };
        read().map_err(|flaw: ReadError| ReadError::Error(flaw.at(self.path_of(&key))))
    }

    /// Returns the description of the array at a path.
    ///
    /// # Errors
    /// [`Error::Io`] if it does not exist or cannot be read.
    pub(crate) fn described(&self, path: &str) -> Result<Described, Error> {
        let read = || {
            ensure_path(path)?;
            let described = match self.node(path)? {
                Some(Node::V3(node)) => {
                    let kind = node.get("node_type").and_then(Value::as_str);
                    match (node.get("zarr_format").and_then(Value::as_u64), kind) {
                        (Some(3), Some("array")) => v3::array(&node)?,
                        (Some(3), Some("group")) => return Err("it is a group, not an array".into()),
                        _ => return Err("the metadata are not those of a node of Zarr 3".into()),
                    }
                }
                Some(Node::V2(node, attributes)) => v2::array(&node, attributes.as_ref())?,
                Some(Node::Group) => return Err("it is a group, not an array".into()),
                None => return Err("there is no array of Zarr".into()),
            };
            described.judged()
        };
        read().map_err(|flaw: ReadError| flaw.at(self.path_of(path)))
    }
}

/// A node of the hierarchy: its metadata.
enum Node {
    V3(Value),
    /// The array and its attributes.
    V2(Value, Option<Value>),
    /// A group of Zarr 2.
    Group,
}

impl Node {
    fn is_array(&self) -> bool {
        match self {
            Node::V3(node) => node.get("node_type").and_then(Value::as_str) != Some("group"),
            Node::V2(..) => true,
            Node::Group => false,
        }
    }
}

/// Returns the key of a file in a node.
pub fn within(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") }
}

/// Refuses a path that may lead outside the store.
pub fn ensure_path(path: &str) -> Result<()> {
    let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains(['\\', '\0']);
    match path.is_empty() || path.split('/').all(is_name) {
        true => Ok(()),
        false => Err(format!("{path:?} is not a path of names, which are not empty, \".\" or \"..\"").into()),
    }
}

fn not(what: &str, found: &fs::Metadata) -> String {
    match found.is_symlink() {
        true => "is a symbolic link, which is not followed".into(),
        false => format!("is not {what}"),
    }
}

/// Returns the result, or `None` if the file does not exist.
fn present<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}
