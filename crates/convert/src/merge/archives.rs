//! Merges three versions of a zip archive, member by member.

use super::conflict::{Conflict, Place};
use super::files::merge;
use super::options::{Decide, Options};
use super::outcome::{Merge, Merged};
use super::tally::MOST_CONFLICTS;
use super::versions::{Version, Versions};
use crate::containers::zip;
use crate::error::{Error, Result};
use ndbytes::archive::{Archive, Member};
use ndbytes::{File, Input, Limits};
use std::collections::{BTreeMap, BTreeSet};

/// Merges two versions of a zip archive, such as `.npz`, member by member. Members that both sides changed are merged like files. If only
/// one side added, removed or changed a member, its version is used.
///
/// The members of the merged archive are in the order of our version, and compressed if ours are.
///
/// # Errors
/// As for [`merge`]. [`Error::NoMembers`] if an archive contains files that are neither arrays nor tables.
pub fn merge_archives(archives: Versions<&Archive<'_>>, options: &Options, decide: &mut Decide<'_>) -> Result<Merge> {
    let options = &Options { limits: options.limits.started(), gzip: false };
    for archive in [archives.base, archives.ours, archives.theirs] {
        if archive.entries() != archive.members().len() as u64 {
            return Err(Error::NoMembers);
        }
    }
    let is_compressed = {
        let unpacked = archives.ours.members().iter().map(|member| member.length()).fold(0, u64::saturating_add);
        archives.ours.length() < unpacked
    };
    let members = archives.map(|archive| {
        archive.members().iter().rev().map(|member| (member.name(), member)).collect::<BTreeMap<_, _>>()
    });
    let mut merge = Archives { archives, members, options, decide, found: Merge::nothing(), is_decided: true, made: 0 };
    let mut bytes = Vec::new();
    let mut archive = zip::Archive::new(&mut bytes);
    let names = |archive: &Archive<'_>| archive.members().iter().map(|it| it.name().to_owned()).collect::<Vec<_>>();
    let mut seen = BTreeSet::new();
    for name in names(archives.ours).into_iter().chain(names(archives.theirs)).chain(names(archives.base)) {
        options.limits.ensure_time()?;
        if !seen.insert(name.clone()) {
            continue;
        }
        if let Some(member) = merge.member(&name)? {
            archive.entry(&name, member.len() as u64, is_compressed, |to| Ok(to.write_all(&member)?))?;
        }
    }
    archive.finish()?;
    let (is_decided, mut found) = (merge.is_decided, merge.found);
    found.merged = is_decided.then_some(Merged::File(bytes));
    Ok(found)
}

/// A merge of archives in progress.
struct Archives<'a, 'd> {
    archives: Versions<&'a Archive<'a>>,
    /// The members by name. If several have the same name, the first one.
    members: Versions<BTreeMap<&'a str, &'a Member>>,
    options: &'a Options,
    decide: &'a mut Decide<'d>,
    found: Merge,
    is_decided: bool,
    /// The number of bytes in the merged members.
    made: u64,
}

impl Archives<'_, '_> {
    /// Returns the merged member with this name, or `None` if the merged archive does not contain it.
    fn member(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let found = self.members.each_ref().map(|members| members.get(name).copied());
        let load =
            |archive: &Archive<'_>, member: Option<&Member>| member.map(|member| archive.load(member)).transpose();
        let inputs = Versions {
            base: load(self.archives.base, found.base)?,
            ours: load(self.archives.ours, found.ours)?,
            theirs: load(self.archives.theirs, found.theirs)?,
        };
        let bytes = inputs.each_ref().try_map(|input| input.as_ref().map(Input::bytes).transpose())?;
        let merged = match (bytes.changed(), &inputs) {
            (Some(version), _) => {
                match version {
                    Version::Ours if bytes.ours != bytes.base => self.found.from_ours += 1,
                    Version::Theirs => self.found.from_theirs += 1,
                    _ => {}
                }
                bytes.of(version).map(<[u8]>::to_vec)
            }
            (None, Versions { base: Some(base), ours: Some(ours), theirs: Some(theirs) }) => {
                self.file(name, Versions { base, ours, theirs })?
            }
            (None, _) => {
                let what = match (bytes.ours.is_some(), bytes.theirs.is_some()) {
                    (true, true) => "both sides added it with different content",
                    (true, false) => "ours changed it, and theirs removed it",
                    _ => "theirs changed it, and ours removed it",
                };
                let version = self.conflict(name, &Conflict { place: Place::File(what.to_owned()), values: None });
                bytes.of(version.unwrap_or(Version::Ours)).map(<[u8]>::to_vec)
            }
        };
        self.made = self.made.saturating_add(merged.as_ref().map_or(0, |bytes| bytes.len() as u64));
        let (what, limits) = ("the merged archive", &self.options.limits);
        limits.ensure_output(what, self.made)?;
        match self.made > limits.memory {
            true => Err(ndbytes::Error::Limit { what, needed: self.made, left: limits.memory }.into()),
            false => Ok(merged),
        }
    }

    /// Merges the files of a member that both sides changed.
    fn file(&mut self, name: &str, inputs: Versions<&Input<'static>>) -> Result<Option<Vec<u8>>> {
        let options = self.options;
        let files = inputs.try_map(|input| read(input, options.limits))?;
        let found = merge(files.each_ref(), options, &mut |conflict| self.conflict(name, conflict))?;
        self.found.from_ours += found.from_ours;
        self.found.from_theirs += found.from_theirs;
        match found.merged {
            Some(Merged::File(bytes)) => Ok(Some(bytes)),
            Some(Merged::Version(version)) => Ok(Some(inputs.of(version).bytes()?.to_vec())),
            None => Ok(None),
        }
    }

    /// Records a conflict in a member and returns the chosen version if a side was chosen.
    fn conflict(&mut self, name: &str, conflict: &Conflict) -> Option<Version> {
        let place = Place::Member(name.to_owned(), Box::new(conflict.place.clone()));
        let conflict = Conflict { place, values: conflict.values.clone() };
        let decided = (self.decide)(&conflict);
        self.is_decided &= decided.is_some();
        self.found.conflict_count += 1;
        if self.found.conflicts.len() < MOST_CONFLICTS {
            self.found.conflicts.push(conflict);
        }
        decided
    }
}

/// Reads a version of a member as an array or a table.
fn read<'i>(input: &'i Input<'static>, limits: Limits) -> Result<File<'i>> {
    Ok(ndbytes::Options::new().limits(limits).read(input.again(limits)?)?)
}
