//! Members of two zip archives that are neither arrays nor tables, such as the weights of a model or the version of the
//! program that wrote it. They are compared byte by byte.

use super::members::too_long;
use super::options::Options;
use super::report::{Diff, MemberDiff};
use super::values::Values;
use super::verdict::Verdict;
use everybyte::escape;
use ndbytes::archive::{Archive, is_of_tensors};
use ndbytes::internals::Entries;
use ndbytes::{Error, Result};
use std::collections::BTreeSet;

/// The longest text that is shown on both sides: a version, a name.
const LONGEST_TEXT: usize = 64;

/// The result of the comparison.
#[derive(Debug, Default)]
pub(super) struct Others {
    /// The number of members that have the same bytes in both archives.
    pub equal: u64,
    /// The members that differ, sorted by name.
    pub members: Vec<MemberDiff>,
}

impl Others {
    /// Compares the members of two archives that [`Archive::members`] leaves out.
    pub fn of(a: &Archive<'_>, b: &Archive<'_>, options: &Options) -> Result<Self> {
        let (one, other) = (entries(a, options)?, entries(b, options)?);
        let known: BTreeSet<&str> = a.members().iter().chain(b.members()).map(|member| member.name()).collect();
        let is_other = |name: &&str| !known.contains(name) && !name.ends_with(['/', '\\']);
        let names: BTreeSet<&str> =
            one.iter().chain(&other).flat_map(|entries| entries.names("")).filter(is_other).collect();
        let (mut found, mut unpacked) = (Others::default(), 0_u64);
        for name in names {
            options.limits.ensure_time()?;
            let sides = (bytes(one.as_ref(), name)?, bytes(other.as_ref(), name)?);
            for side in [&sides.0, &sides.1].into_iter().flatten().flatten() {
                unpacked = unpacked.saturating_add(side.len() as u64);
            }
            if unpacked > options.limits.output {
                found.push(name, too_long(options));
                continue;
            }
            match compared(sides, options) {
                Some(diff) => found.push(name, diff),
                None => found.equal += 1,
            }
        }
        Ok(found)
    }

    /// Adds the comparison of a member.
    fn push(&mut self, name: &str, diff: Diff) {
        self.members.push(MemberDiff { name: name.to_owned(), diff });
    }
}

/// Returns all entries of a zip archive. `None` for a tensor file, which contains only members, and for a store.
fn entries<'a>(archive: &'a Archive<'_>, options: &Options) -> Result<Option<Entries<'a>>> {
    let Some(input) = archive.input().filter(|input| !is_of_tensors(input)) else { return Ok(None) };
    Entries::read(input.again(options.limits)?, options.limits).map(Some)
}

/// The bytes of a member, or why it cannot be unpacked.
type Unpacked = std::result::Result<Option<Vec<u8>>, String>;

/// Unpacks a member. I/O errors and an exceeded time limit end the comparison; an error in the member becomes its result.
fn bytes(entries: Option<&Entries<'_>>, name: &str) -> Result<Unpacked> {
    let Some(entries) = entries else { return Ok(Ok(None)) };
    match entries.get(name) {
        Ok(bytes) => Ok(Ok(bytes)),
        Err(error @ (Error::Io { .. } | Error::Time { .. })) => Err(error),
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// Returns the difference of two members, or `None` if they have the same bytes.
fn compared((one, other): (Unpacked, Unpacked), options: &Options) -> Option<Diff> {
    let (one, other) = match (one, other) {
        (Ok(one), Ok(other)) => (one, other),
        (Err(reason), _) | (_, Err(reason)) => return Some(incomparable(reason, options)),
    };
    let verdict = match (&one, &other) {
        (Some(one), Some(other)) if one == other => return None,
        (Some(_), Some(_)) => Verdict::ValuesDiffer,
        _ => Verdict::OneSided,
    };
    let mut diff = Diff::between(None, None, verdict, options);
    for (side, bytes) in [(&mut diff.a, &one), (&mut diff.b, &other)] {
        side.exists = bytes.is_some();
        side.size = bytes.as_ref().map_or(0, |bytes| bytes.len() as u64);
    }
    if let (Some(one), Some(other)) = (one, other) {
        diff.first_byte = Some(one.iter().zip(&other).take_while(|(one, other)| one == other).count() as u64);
        let mut values = Values::new(verdict);
        values.notes.extend(texts(&one, &other));
        diff.values = Some(values);
    }
    Some(diff)
}

/// Returns both texts as `old → new`, if they are short.
fn texts(one: &[u8], other: &[u8]) -> Option<String> {
    let text = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST_TEXT)?;
        let line = text.trim_end_matches(['\r', '\n']);
        (!line.contains(char::is_control)).then(|| line.to_owned())
    };
    let (one, other) = (text(one)?, text(other)?);
    Some(format!("{} → {}", escape(&format!("{one:?}")), escape(&format!("{other:?}"))))
}

/// Returns the result for members that cannot be compared. The reason may quote a file, so it is escaped.
fn incomparable(reason: String, options: &Options) -> Diff {
    let mut diff = Diff::between(None, None, Verdict::Incomparable, options);
    diff.values = Some(Values::incomparable(escape(&reason)));
    diff
}
