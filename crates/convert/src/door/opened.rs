//! Opens what is at a path.
//!
//! Content decides, not names: the first bytes of a file determine its format. Only CSV and JSON Lines have no
//! signature; they are selected by the user or by the extension. Formats with rules are tried first, so a file is
//! foreign only if ndbytes has no rules for it.

use super::foreign::{Content, Foreign};
use super::kind::ForeignKind;
#[cfg(feature = "tables")]
use super::paths::name_of;
use super::paths::zarr_at;
use crate::error::Result;
use crate::kind::FileKind;
#[cfg(feature = "png")]
use crate::pictures::Pictures;
#[cfg(feature = "tables")]
use crate::tables::source::TableSource;
use crate::zarr::store::ZarrStore;
use ndbytes::internals::{gunzip, known_format, with_first_bytes};
use ndbytes::{Input, Limits, is_gzip};
use std::path::Path;

/// The opened content of a path.
///
/// ```
/// use ndbytes::Limits;
/// use ndbytes_convert::door::Opened;
///
/// match Opened::open("../../samples/surface.ra", None, Limits::default())? {
///     Opened::File(input) => assert_eq!(input.length(), 160), // for the library
///     Opened::Foreign(foreign) => println!("{} has no rules", foreign.kind()),
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "one is made per file, and moved a few times")]
pub enum Opened {
    /// A file for the library: in one of its formats, in an unknown format, or an archive.
    File(Input<'static>),
    /// Something that the library has no rules for.
    Foreign(Box<Foreign>),
}

impl Opened {
    /// Opens what a path names: a file, a member of an archive, a store, or an array in it. `said` is the kind of
    /// line-based text that the user requested, if any.
    ///
    /// # Errors
    /// Errors of [`Input::open`], and of opening the content.
    pub fn open(path: impl AsRef<Path>, said: Option<FileKind>, limits: Limits) -> Result<Self> {
        let path = path.as_ref();
        match Input::open(path, limits) {
            Ok(input) => Opened::read(path, input, said, limits),
            Err(error) => match Foreign::at(path, limits)? {
                Some(foreign) => Ok(Opened::Foreign(foreign.into())),
                None => Err(error.into()),
            },
        }
    }

    /// Detects what an input contains: by its content or, for line-based text, by the requested format or the file extension.
    ///
    /// # Errors
    /// Any error while reading the content.
    pub fn read(path: &Path, input: Input<'static>, said: Option<FileKind>, limits: Limits) -> Result<Self> {
        if said.is_none() && known_format(&input).is_some() {
            return Ok(Opened::File(input));
        }
        let input = unpacked(path, input, limits)?;
        let foreign = |kind, content| {
            let foreign = Foreign { path: path.to_owned(), kind, content, limits };
            Ok(Opened::Foreign(foreign.into()))
        };
        if said.is_none() && ZarrStore::is_zip(&input, limits) {
            let store = ZarrStore::zip(path, input, limits)?.into();
            return foreign(ForeignKind::Zarr, Content::Zarr { store, within: String::new() });
        }
        #[cfg(feature = "png")]
        if said.is_none() && Pictures::is_one(&input) {
            let pictures = Pictures::read(path, &input, limits)?;
            return foreign(ForeignKind::Png, Content::Pictures(pictures));
        }
        #[cfg(feature = "tables")]
        if let Some((kind, table)) = table(path, &input, said, limits)? {
            let table = match table {
                Some(table) => table,
                None => TableSource::read(name_of(path), kind, input, limits),
            };
            return foreign(foreign_kind(kind), Content::Table(table.at(path.to_string_lossy())));
        }
        #[cfg(feature = "tables")]
        if ndbytes::archive::is_archive(&input)
            && let Some(table) = ctable(path, &input, limits)?
        {
            return foreign(ForeignKind::CTable, Content::Table(table));
        }
        Ok(Opened::File(input))
    }
}

impl Foreign {
    /// Opens the directory of a store, or an array in a store or file. `None` if the path is neither.
    ///
    /// # Errors
    /// Any error while reading the table of a store.
    pub fn at(path: impl AsRef<Path>, limits: Limits) -> Result<Option<Self>> {
        let path = path.as_ref();
        #[cfg(feature = "tables")]
        if ndbytes::archive::is_store(path)
            && let Some(table) = ctable_of(ndbytes::archive::Archive::open(path, limits)?, path, limits)?
        {
            let content = Content::Table(table);
            return Ok(Some(Foreign { path: path.to_owned(), kind: ForeignKind::CTable, content, limits }));
        }
        Ok(zarr_at(path, limits).map(|(root, within, store)| {
            let content = Content::Zarr { store: store.into(), within: within.to_owned() };
            Foreign { path: root.to_owned(), kind: ForeignKind::Zarr, content, limits }
        }))
    }
}

impl ForeignKind {
    /// The kind of a file: by its content or, for line-based text, by its name; `None` for any other file.
    pub fn of(path: &Path, input: &Input<'_>, limits: Limits) -> Option<Self> {
        if ZarrStore::is_zip(input, limits) {
            return Some(ForeignKind::Zarr);
        }
        #[cfg(feature = "png")]
        if Pictures::is_one(input) {
            return Some(ForeignKind::Png);
        }
        #[cfg(feature = "tables")]
        if let Some(kind) = TableSource::kind_of(input).or_else(|| lines_by_name(path)) {
            return Some(foreign_kind(kind));
        }
        let _ = path;
        None
    }
}

/// Returns the kind of text format that the name of a file implies.
#[cfg(feature = "tables")]
fn lines_by_name(path: &Path) -> Option<FileKind> {
    let bare = path.with_extension("");
    FileKind::of_path(if is_gzip_name(path) { &bare } else { path }).filter(|kind| kind.is_lines())
}

/// Returns whether the name ends in `.gz`.
fn is_gzip_name(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"))
}

/// Returns the content of a gzip file if it begins like a supported file; otherwise the input itself.
fn unpacked(path: &Path, input: Input<'static>, limits: Limits) -> Result<Input<'static>> {
    if !is_gzip(input.head()) {
        return Ok(input);
    }
    let is_lines = is_gzip_name(path) && FileKind::of_path(path.with_extension("")).is_some_and(FileKind::is_lines);
    let is_meant = |head: &[u8]| is_beginning(head) || is_lines;
    if with_first_bytes(&input, |source| Some(is_meant(source.bytes()))) != Some(true) {
        return Ok(input);
    }
    let content = gunzip(input.bytes()?, limits.memory / 2, limits)?;
    Ok(Input::from_reader(&content[..], limits)?)
}

/// Returns whether bytes begin like a supported file.
fn is_beginning(head: &[u8]) -> bool {
    let input = Input::from_slice(head, Limits::default());
    #[cfg(feature = "png")]
    if Pictures::is_one(&input) {
        return true;
    }
    #[cfg(feature = "tables")]
    if TableSource::kind_of(&input).is_some() {
        return true;
    }
    let _ = input;
    false
}

/// Returns the third-party kind of a kind of file.
#[cfg(feature = "tables")]
fn foreign_kind(kind: FileKind) -> ForeignKind {
    match kind {
        FileKind::Parquet => ForeignKind::Parquet,
        FileKind::Arrow => ForeignKind::Arrow,
        FileKind::Csv => ForeignKind::Csv,
        FileKind::Jsonl => ForeignKind::Jsonl,
        _ => ForeignKind::Arrows,
    }
}

/// Returns the kind of a table, and the table itself if it was already read, as with text formats.
#[cfg(feature = "tables")]
fn table(
    path: &Path,
    input: &Input<'static>,
    said: Option<FileKind>,
    limits: Limits,
) -> Result<Option<(FileKind, Option<TableSource>)>> {
    if let Some(kind) = TableSource::kind_of(input).filter(|_| said.is_none()) {
        return Ok(Some((kind, None)));
    }
    let Some(kind) = said.or_else(|| lines_by_name(path)) else { return Ok(None) };
    Ok(Some((kind, Some(TableSource::text(name_of(path), kind, input, limits)?))))
}

/// Returns the python-blosc2 table in a zip archive.
#[cfg(feature = "tables")]
fn ctable(path: &Path, input: &Input<'static>, limits: Limits) -> Result<Option<TableSource>> {
    // The table opens the archive on its own.
    if !ndbytes::archive::Archive::read(input.again(limits)?, limits).is_ok_and(|archive| is_ctable(&archive)) {
        return Ok(None);
    }
    match ndbytes::archive::Archive::open(path, limits) {
        Ok(archive) => ctable_of(archive, path, limits),
        Err(_) => Ok(None),
    }
}

/// Returns whether an archive may be a python-blosc2 table, which stores each column as a b2nd array.
#[cfg(feature = "tables")]
fn is_ctable(archive: &ndbytes::archive::Archive<'_>) -> bool {
    archive.members().iter().any(|member| member.name().ends_with(".b2nd"))
}

/// Returns the archive as a python-blosc2 table; `None` if it is not one.
#[cfg(feature = "tables")]
fn ctable_of(archive: ndbytes::archive::Archive<'static>, path: &Path, limits: Limits) -> Result<Option<TableSource>> {
    if !is_ctable(&archive) {
        return Ok(None);
    }
    let (length, address) = (archive.length(), path.to_string_lossy().into_owned());
    let table = ndbytes_arrow::ctable::CTable::of(archive, limits);
    let table = table.map_err(|error| crate::error::Error::of_table(error, &address))?;
    Ok(table.map(|table| TableSource::store(name_of(path), table, length).at(address)))
}
