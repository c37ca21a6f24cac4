//! Assembles directories of recipes: `tests/corpus` becomes `target/corpus`, and `fuzz/seeds` becomes `target/seeds`.
//!
//! Only the recipes are in the repository. Tests assemble them at the start with [`assembled`], and scripts with
//! `tests/assemble.sh`. They are assembled again only after a change of a recipe or of the assembler. Nothing here
//! needs another crate, so the script can compile it without cargo.

#![allow(clippy::disallowed_methods, reason = "the recipes are the project's own")]

use crate::recipe::{self, Member};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Error};
use std::path::{Path, PathBuf};

/// The file of a directory that describes the others. It comes first in the recipe.
pub const FRAME: &str = "chunks.b2frame";

/// The sources of the assembler, since another version may produce other bytes.
const SOURCES: [&str; 4] = [
    include_str!("assembly.rs"),
    include_str!("recipe/mod.rs"),
    include_str!("recipe/family.rs"),
    include_str!("recipe/assemble.rs"),
];

/// A file: its directory below the assembled one, its name, and its bytes.
type Source = (PathBuf, String, Vec<u8>);

/// Assembles all recipes below a directory of the project into `target/NAME`, unless this has already been done. Each file has its
/// recipe next to it; other files are copied. Processes that call this at the same time wait for the first of them.
pub fn assembled(project: &Path, from: &str, name: &str) -> io::Result<PathBuf> {
    let target = project.join("target");
    let (folder, stamp) = (target.join(name), target.join(format!("{name}.stamp")));
    fs::create_dir_all(&target)?;
    let mut sources = Vec::new();
    collect(&project.join(from), Path::new(""), &mut sources)?;
    let current = fingerprint(&sources);
    let lock = File::create(target.join(format!("{name}.lock")))?;
    lock.lock()?;
    if folder.is_dir() && fs::read_to_string(&stamp).is_ok_and(|made| made == current) {
        return Ok(folder);
    }
    // A killed run leaves no stamp, so the next one starts over.
    let new = target.join(format!("{name}.new"));
    for old in [&stamp, &new] {
        remove(old)?;
    }
    fs::create_dir(&new)?;
    sources.iter().try_for_each(|source| write_source(&new, source))?;
    remove(&folder)?;
    fs::rename(&new, &folder)?;
    fs::write(&stamp, current)?;
    Ok(folder)
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}

/// The files below a directory, sorted by name.
fn collect(root: &Path, below: &Path, sources: &mut Vec<Source>) -> io::Result<()> {
    let mut entries = fs::read_dir(root.join(below))?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().into_string().map_err(|name| Error::other(format!("{}", name.display())))?;
        if entry.file_type()?.is_dir() {
            collect(root, &below.join(name), sources)?;
        } else {
            sources.push((below.to_owned(), name, fs::read(entry.path())?));
        }
    }
    Ok(())
}

/// Returns a hash that depends only on bytes, so that programs built by different compilers agree.
fn fingerprint(sources: &[Source]) -> String {
    let mut hasher = DefaultHasher::new();
    let mut write = |bytes: &[u8]| {
        hasher.write(&(bytes.len() as u64).to_le_bytes());
        hasher.write(bytes);
    };
    SOURCES.iter().for_each(|text| write(text.as_bytes()));
    for (below, name, bytes) in sources {
        [below.as_os_str().as_encoded_bytes(), name.as_bytes(), bytes].into_iter().for_each(&mut write);
    }
    format!("{:016x}\n", hasher.finish())
}

/// Copies a file, or writes the files of a family into its directory, such as `idx/bad`. A family at the top level,
/// such as the seeds of a target, gets its own directory.
fn write_source(root: &Path, (below, name, bytes): &Source) -> io::Result<()> {
    let Some(family) = name.strip_suffix(".recipe") else {
        fs::create_dir_all(root.join(below))?;
        return fs::write(root.join(below).join(name), bytes);
    };
    let wrong = |problem: String| Error::other(format!("{}: {problem}", below.join(name).display()));
    let text = str::from_utf8(bytes).map_err(|error| wrong(error.to_string()))?;
    let folder = if below.as_os_str().is_empty() { root.join(family) } else { root.join(below) };
    fs::create_dir_all(&folder)?;
    for member in recipe::members(text).map_err(wrong)? {
        write_member(&folder, &member).map_err(|error| wrong(format!("[{}]: {error}", member.name)))?;
    }
    Ok(())
}

fn write_member(folder: &Path, member: &Member<'_>) -> io::Result<()> {
    let (bytes, others) = recipe::body(&member.text, member.line).map_err(Error::other)?;
    match member.name.strip_suffix('/') {
        Some(name) => {
            let inner = folder.join(name);
            fs::create_dir_all(&inner)?;
            fs::write(inner.join(FRAME), bytes)?;
            others.iter().try_for_each(|(name, bytes)| fs::write(inner.join(name), bytes))?;
        }
        None => fs::write(folder.join(member.name), bytes)?,
    }
    // A seed has only bytes.
    if recipe::has_header(&member.text) {
        let (stem, _) = member.name.split_once('.').unwrap_or((member.name, ""));
        fs::write(folder.join(stem).with_extension("recipe"), &member.text)?;
    }
    Ok(())
}
