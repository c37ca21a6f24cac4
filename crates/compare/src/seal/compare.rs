//! Compares files with their seal.

use super::describe::files;
use super::lines::{Line, Lines, Part};
use super::name::Name;
use super::read::{Seal, Sealed};
use crate::digest;
use crate::digest::Digest;
use ndbytes::archive::{Archive, file_of, is_of_tensors};
use ndbytes::internals::{
    Findings,
    words::{abridged, bytes},
};
use ndbytes::{CHANGED, Error, Finding, Input, Profile, Report, Result};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

impl Seal {
    /// Compares a file, or each file in the directory of a sparse frame, with the seal. There are at most 20 findings.
    /// Each is about the rule `changed`, and states the name and the bytes of the part that changed.
    /// For a tensor at an address such as `model.gguf!blk.0.weight`, only its bytes and the header of its file are read and compared.
    ///
    /// # Errors
    /// [`Error::Io`](ndbytes::Error::Io) if it cannot be read; [`Error::Seal`](ndbytes::Error::Seal) if the seal has changed since it was
    /// opened. [`Error::Time`](ndbytes::Error::Time); [`Error::Limit`](ndbytes::Error::Limit).
    pub fn compare(&self, path: &Path) -> Result<Vec<Finding>> {
        if let Some(file) = file_of(path) {
            return self.compare_tensor(file, path);
        }
        let Some(name) = &self.base().name(path) else { return Ok(vec![unlisted()]) };
        let mut findings = Findings::default();
        files(path, name, self.limits, &mut |file, input| {
            let mut found = Findings::default();
            self.compare_file(file, input, &mut found)?;
            for finding in found.into_vec() {
                findings.push(if file == name { finding } else { inside(finding, file) });
            }
            Ok(())
        })?;
        Ok(findings.into_vec())
    }

    /// The files in the seal that were not compared and no longer exist, at or below the paths that
    /// [`Files`](super::Files) started from, each with a report that has one finding.
    pub fn missing(&self) -> impl Iterator<Item = (PathBuf, Report)> + '_ {
        let unseen = self.files.iter().filter(|file| !file.seen.load(Ordering::Relaxed));
        let wanted = unseen.filter(|file| self.is_among(&file.name));
        wanted.filter_map(|file| {
            let path = self.base.path(&file.name)?;
            if fs::metadata(&path).is_ok_and(|found| found.is_file()) {
                return None;
            }
            let message = format!("the file is missing; its seal states {}", bytes(file.size));
            let finding = Finding::new(&CHANGED, "", 0..0, message).expected(file.digest);
            Some((path, Report::new(None, 0, vec![finding], Profile::Strict)))
        })
    }

    /// Compares a file with its entry and marks the entry as seen. Entries that are never seen belong to missing files.
    fn compare_file(&self, name: &Name, input: &Input<'_>, findings: &mut Findings) -> Result<()> {
        let Some(file) = self.file(name) else {
            findings.push(unlisted());
            return Ok(());
        };
        file.seen.store(true, Ordering::Relaxed);
        let (size, found) = (input.length(), digest::bytes(input)?);
        if size == file.size && found == file.digest {
            return Ok(());
        }
        if size != file.size {
            findings.push(resized(size, file.size));
        }
        self.compare_parts(file, input, |_| true, findings)?;
        if findings.is_empty() {
            let message = "the digest of the file differs from that in its seal, but the digests of its parts do not";
            let finding = Finding::new(&CHANGED, "", 0..size, message).expected(file.digest).found(found);
            findings.push(finding.help("the seal contradicts itself: it was not written by `ndbytes seal`"));
        }
        Ok(())
    }

    /// Compares a tensor, and the header that says where it is. A seal may have one digest for short neighbours, which are read, too.
    fn compare_tensor(&self, file: &Path, address: &Path) -> Result<Vec<Finding>> {
        let sealed = self.base().name(file).and_then(|name| self.file(&name));
        let Some(sealed) = sealed else { return Ok(vec![unlisted()]) };
        let limits = self.limits.started();
        let input = Input::open(file, limits)?;
        if !is_of_tensors(&input) {
            let why = "its seal has no digest of this part alone: compare the whole file";
            return Err(Error::io(address, io::Error::new(io::ErrorKind::Unsupported, why)));
        }
        let (header, tensor) = match Archive::read(input.again(limits)?, limits) {
            Ok(archive) => {
                let Some(places) = places(&archive, address) else {
                    return Input::open(address, limits).map(|_| vec![unlisted()]);
                };
                places
            }
            // The first part of the file says whether it was sealed like this.
            Err(Error::Invalid(_)) => (1, 0..0),
            Err(error) => return Err(error),
        };
        let is_wanted = |part: &Range<u64>| part.start < header || (part.start < tensor.end && tensor.start < part.end);
        let mut findings = Findings::default();
        if !self.compare_parts(sealed, &input, is_wanted, &mut findings)? {
            findings.push(resized(input.length(), sealed.size));
        }
        let found = findings.into_vec().into_iter().map(|mut finding| {
            let end = finding.offset + finding.length;
            if end > header && (finding.offset < tensor.start || end > tensor.end) {
                finding = finding.help("the seal has one digest for these bytes: some of them are not of this tensor");
            }
            // They are bytes of the file, not of the tensor.
            (finding.offset, finding.length) = (0, 0);
            finding
        });
        Ok(found.collect())
    }

    /// Compares those parts of a file whose bytes are wanted, to name the parts that changed. Returns whether the file has all of their
    /// bytes.
    fn compare_parts(
        &self,
        file: &Sealed,
        input: &Input<'_>,
        is_wanted: impl Fn(&Range<u64>) -> bool,
        findings: &mut Findings,
    ) -> Result<bool> {
        let mut lines = Lines::from(&self.input, file.parts);
        while let Some(Line::Part(Part { place, digest, name })) = lines.next()? {
            if !is_wanted(&place) {
                continue;
            }
            if place.end > input.length() {
                return Ok(false);
            }
            let found = Digest::of_range(input, place.clone())?;
            findings.extend((found != digest).then(|| {
                let (field, end) = (abridged(name), place.end - 1);
                let message = format!("{field} at bytes {} to {end} differs from its seal", place.start);
                Finding::new(&CHANGED, &field, place, message).expected(digest).found(found)
            }));
        }
        Ok(true)
    }
}

/// Returns the length of the header of a file of tensors, and the bytes of the tensor at an address; `None` if it has no such tensor.
fn places(archive: &Archive<'_>, address: &Path) -> Option<(u64, Range<u64>)> {
    let is_asked = |name: PathBuf| name.as_os_str() == address.as_os_str();
    let asked = archive.members().iter().find(|member| is_asked(archive.address(member)))?;
    let start = asked.place_of_tensor()?.start;
    let starts = archive.members().iter().filter_map(|member| Some(member.place_of_tensor()?.start));
    Some((starts.min()?, start..start.saturating_add(asked.length())))
}

/// Returns the finding about a file of another length.
fn resized(size: u64, sealed: u64) -> Finding {
    let message = format!("the file has {}, but its seal states {}", bytes(size), bytes(sealed));
    Finding::new(&CHANGED, "", sealed.min(size)..size, message).expected(sealed).found(size)
}

/// Returns the finding about a new file.
fn unlisted() -> Finding {
    Finding::new(&CHANGED, "", 0..0, "the file is not in the seal")
        .help("to accept the change, run `ndbytes seal` again")
}

/// Converts a finding about a file in the directory of a sparse frame to one about the directory.
fn inside(finding: Finding, file: &Name) -> Finding {
    let name = file.to_string();
    let name = name.rsplit('/').next().unwrap_or_default();
    let mut inside = finding;
    inside.message = format!("{name}: {}", inside.message);
    (inside.field, inside.offset, inside.length) = (name.to_owned(), 0, 0);
    inside
}
