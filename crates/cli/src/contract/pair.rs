//! Compares the lengths of two files that belong together.

use super::inside;
use super::terms::Partner;
use ndbytes::idx::{FIRST_DIMENSION, PAIR_LENGTH};
use ndbytes::names::{Content, Name};
use ndbytes::stores::is_url;
use ndbytes::{Error, Finding, Format, Input, Limits, Result, archive, is_gzip};
use std::path::{Path, PathBuf};

/// Returns the sentence about a file whose first axis, of this length, differs from its partner's. `None` if they are
/// equal, or if the file has no partner.
pub fn unequal(path: &Path, length: Option<u64>, partner: &Partner, limits: Limits) -> Option<String> {
    let (folder, name) = divided(path)?;
    let wanted = partner.of(&name)?;
    let Some(length) = length else {
        return Some("the array has no axes, so it cannot have a partner".to_owned());
    };
    match length_inside(&folder, &place(&folder, &name, &wanted), limits) {
        Ok(other) if other == Some(length) => None,
        Ok(other) => {
            let found = other.map_or_else(|| "none".to_owned(), |other| other.to_string());
            Some(format!("the length of the first axis is {length}, but that of the partner {wanted} is {found}"))
        }
        Err(Error::Io { source, .. }) => Some(format!("the partner {wanted} cannot be read: {source}")),
        Err(error) => Some(format!("the partner {wanted} cannot be read: {error}")),
    }
}

/// Returns the length of the first axis of an array, or the number of rows in a table. No values are read.
fn length_in(input: Input<'_>, limits: Limits) -> Result<Option<u64>> {
    let info = ndbytes::info(input, &limits)?;
    let rows = info.table.map(|table| table.rows);
    Ok(rows.or_else(|| info.array.and_then(|array| array.shape.first().copied())))
}

/// Like `length_in`, but for a file that the user did not name: links out of its directory are not followed, and pipes
/// are not read.
fn length_inside(folder: &Path, path: &Path, limits: Limits) -> Result<Option<u64>> {
    if !is_url(folder) {
        inside::ensure(folder, path).map_err(|source| Error::Io { path: None, source })?;
    }
    length_in(Input::open(path, limits)?, limits)
}

/// Returns the directory of a file, and its name. For a member of an archive, the name is relative to the directory of
/// the archive.
fn divided(path: &Path) -> Option<(PathBuf, String)> {
    let around = archive::file_of(path).map(Path::to_owned).unwrap_or_else(|| path.to_owned());
    let folder = around.parent()?;
    let parts = path.strip_prefix(folder).ok()?.components();
    let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
    Some((folder.to_owned(), parts.join("/")))
}

/// Returns the path of a partner. In an archive, it is a member of the same archive unless it names another one.
fn place(folder: &Path, name: &str, partner: &str) -> PathBuf {
    // Without a directory before it, a name could be mistaken for a URL, which a contract must not name.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match name.split_once('!') {
        Some((archive, _)) if !partner.contains('!') => folder.join(format!("{archive}!{partner}")),
        _ => folder.join(partner),
    }
}

/// The words in the names of MNIST's files that denote images and labels.
const IMAGES: &str = "images";
const LABELS: &str = "labels";
const ENDINGS: [&str; 2] = ["idx1-ubyte", "idx2-int"];

/// Returns the finding if the number of images in a file differs from the number of labels, whose file is found by the
/// naming scheme of MNIST. Missing labels are not a finding.
pub fn of_names(path: &Path, limits: Limits) -> Option<Finding> {
    let labels = labels(path)?;
    let found = length_inside(path.parent()?, &path.with_file_name(&labels), limits).ok()??;
    let input = Input::open(path, limits).ok()?;
    let is_packed = is_gzip(input.head());
    let images = length_in(input, limits).ok()??;
    if images == found {
        return None;
    }
    let message = format!("the file has {images} images, but {labels} has {found} labels");
    let finding = Finding::new(&PAIR_LENGTH, "dims[0]", FIRST_DIMENSION, message).expected(found).found(images);
    Some(if is_packed { finding.inside_gzip() } else { finding })
}

/// Returns the name of the label file for an image file, following the naming scheme of MNIST.
pub fn labels(path: &Path) -> Option<String> {
    Name::of(path).filter(|name| name.binds() && name.content == Content::File(Format::Idx))?;
    let name = path.file_name()?.to_str()?;
    let (stem, ending) = name.rsplit_once(IMAGES).filter(|(_, ending)| ending.starts_with(['-', '.']))?;
    let sign = &ending[..1];
    let names = ENDINGS.iter().flat_map(|axes| ["", ".gz"].map(|gz| format!("{stem}{LABELS}{sign}{axes}{gz}")));
    names.into_iter().find(|name| path.with_file_name(name).is_file())
}
