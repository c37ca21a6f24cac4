//! The lengths of two files that belong together.

use super::inside;
use super::terms::Partner;
use ndbytes::idx::PAIR_LENGTH;
use ndbytes::names::{Content, Name};
use ndbytes::stores::is_url;
use ndbytes::{Error, Finding, Format, Input, Limits, Result, archive};
use std::path::{Path, PathBuf};

/// The sentence about a file whose first dimension, of this length, is not that of its partner. `None` if it is, and if the file
/// has no partner.
pub fn unequal(path: &Path, length: Option<u64>, partner: &Partner, limits: Limits) -> Option<String> {
    let (folder, name) = divided(path)?;
    let wanted = partner.of(&name)?;
    let Some(length) = length else {
        return Some("the array has no first dimension that a partner could share".to_owned());
    };
    match length_inside(&folder, &place(&folder, &name, &wanted), limits) {
        Ok(other) if other == Some(length) => None,
        Ok(other) => {
            let found = other.map_or_else(|| "none".to_owned(), |other| other.to_string());
            Some(format!("the first dimension is {length}, and that of the partner {wanted} is {found}"))
        }
        Err(Error::Io { source, .. }) => Some(format!("the partner {wanted} cannot be read: {source}")),
        Err(error) => Some(format!("the partner {wanted} cannot be read: {error}")),
    }
}

/// The length of the first dimension of an array, or the rows of a table. No values are read.
fn length_of(path: &Path, limits: Limits) -> Result<Option<u64>> {
    let info = ndbytes::info(Input::open(path, limits)?, &limits)?;
    let rows = info.table.map(|table| table.rows);
    Ok(rows.or_else(|| info.array.and_then(|array| array.shape.first().copied())))
}

/// The same of a file that nobody named: a link out of its folder is not followed, and no pipe is waited for.
fn length_inside(folder: &Path, path: &Path, limits: Limits) -> Result<Option<u64>> {
    if !is_url(folder) {
        inside::ensure(folder, path).map_err(|source| Error::Io { path: None, source })?;
    }
    length_of(path, limits)
}

/// The folder of a file, and its name; of a member of an archive, the name is that in the folder of the archive.
fn divided(path: &Path) -> Option<(PathBuf, String)> {
    let around = archive::file_of(path).map(Path::to_owned).unwrap_or_else(|| path.to_owned());
    let folder = around.parent()?;
    let parts = path.strip_prefix(folder).ok()?.components();
    let parts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
    Some((folder.to_owned(), parts.join("/")))
}

/// The path of a partner. In an archive, it is a member of the same archive if it does not name another one.
fn place(folder: &Path, name: &str, partner: &str) -> PathBuf {
    // Without a folder before it, a name could be taken for an URL, which no file may name.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match name.split_once('!') {
        Some((archive, _)) if !partner.contains('!') => folder.join(format!("{archive}!{partner}")),
        _ => folder.join(partner),
    }
}

/// The words in names of MNIST's files: images, and the endings of their labels.
const IMAGES: &str = "images";
const LABELS: &str = "labels";
const ENDINGS: [&str; 2] = ["idx1-ubyte", "idx2-int"];

/// The finding about a file of images that has another length than that of its labels, by the names of MNIST's files. No labels
/// are no finding.
pub fn of_names(path: &Path, limits: Limits) -> Option<Finding> {
    let labels = labels(path)?;
    let found = length_inside(path.parent()?, &path.with_file_name(&labels), limits).ok()??;
    let images = length_of(path, limits).ok()??;
    let message = format!("the file has {images} images, but {labels} has {found} labels");
    let finding = Finding::new(&PAIR_LENGTH, "dims[0]", 0..0, message).expected(found).found(images);
    (images != found).then_some(finding)
}

/// The name of the file of labels beside a file of images, by the names of MNIST's files.
pub fn labels(path: &Path) -> Option<String> {
    Name::of(path).filter(|name| name.binds() && name.content == Content::File(Format::Idx))?;
    let name = path.file_name()?.to_str()?;
    let (stem, ending) = name.rsplit_once(IMAGES).filter(|(_, ending)| ending.starts_with(['-', '.']))?;
    let sign = &ending[..1];
    let names = ENDINGS.iter().flat_map(|axes| ["", ".gz"].map(|gz| format!("{stem}{LABELS}{sign}{axes}{gz}")));
    names.into_iter().find(|name| path.with_file_name(name).is_file())
}
