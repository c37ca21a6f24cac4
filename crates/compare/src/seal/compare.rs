//! Files beside what their seal states.

use super::describe::files;
use super::lines::{Line, Lines, Part};
use super::name::Name;
use super::read::{Seal, Sealed};
use crate::digest;
use crate::digest::Digest;
use ndbytes::internals::{
    Findings,
    words::{abridged, bytes},
};
use ndbytes::{CHANGED, Finding, Input, Profile, Report, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

impl Seal {
    /// Compares a file, or each file in the folder of a sparse frame, with what the seal states. Each finding breaks the rule
    /// `changed`. It names the part that changed, and its bytes. There are at most 20.
    ///
    /// # Errors
    /// [`Error::Io`](ndbytes::Error::Io) if it cannot be read, [`Error::Seal`](ndbytes::Error::Seal) if the seal has changed since
    /// it was opened. [`Error::Time`](ndbytes::Error::Time), [`Error::Limit`](ndbytes::Error::Limit).
    pub fn compare(&self, path: &Path) -> Result<Vec<Finding>> {
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

    /// The files of the seal that were not compared and are gone: those at the paths from which
    /// [`Files`](super::Files) started, and below them. Each has a report with one finding.
    pub fn missing(&self) -> impl Iterator<Item = (PathBuf, Report)> + '_ {
        let unseen = self.files.iter().filter(|file| !file.seen.load(Ordering::Relaxed));
        let wanted = unseen.filter(|file| self.is_among(&file.name));
        wanted.filter_map(|file| {
            let path = self.base.path(&file.name)?;
            if fs::metadata(&path).is_ok_and(|found| found.is_file()) {
                return None;
            }
            let message = format!("the file is gone: its seal states {}", bytes(file.size));
            let finding = Finding::new(&CHANGED, "", 0..0, message).expected(file.digest);
            Some((path, Report::new(None, 0, vec![finding], Profile::Strict)))
        })
    }

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
            let message = format!("the file has {}, but its seal states {}", bytes(size), bytes(file.size));
            findings
                .push(Finding::new(&CHANGED, "", file.size.min(size)..size, message).expected(file.size).found(size));
        }
        self.compare_parts(file, input, findings)?;
        if findings.is_empty() {
            let message = "the digest of the file differs from that in its seal, but the digests of its parts do not";
            let finding = Finding::new(&CHANGED, "", 0..size, message).expected(file.digest).found(found);
            findings.push(finding.help("the seal contradicts itself: it was not written by `ndbytes seal`"));
        }
        Ok(())
    }

    fn compare_parts(&self, file: &Sealed, input: &Input<'_>, findings: &mut Findings) -> Result<()> {
        let mut lines = Lines::from(&self.input, file.parts);
        while let Some(Line::Part(Part { place, digest, name })) = lines.next()? {
            // That bytes are missing is said already.
            if place.end > input.length() {
                break;
            }
            let found = Digest::of_range(input, place.clone())?;
            findings.extend((found != digest).then(|| {
                let (field, end) = (abridged(name), place.end - 1);
                let message = format!("{field} at bytes {} to {end} differs from its seal", place.start);
                Finding::new(&CHANGED, &field, place, message).expected(digest).found(found)
            }));
        }
        Ok(())
    }
}

/// The finding about a file that is new.
fn unlisted() -> Finding {
    Finding::new(&CHANGED, "", 0..0, "the file is not in the seal").help("`ndbytes seal` writes the seal anew")
}

/// A finding about a file in the folder of a sparse frame, as one about the folder.
fn inside(finding: Finding, file: &Name) -> Finding {
    let name = file.to_string();
    let name = name.rsplit('/').next().unwrap_or_default();
    let mut inside = finding;
    inside.message = format!("{name}: {}", inside.message);
    (inside.field, inside.offset, inside.length) = (name.to_owned(), 0, 0);
    inside
}
