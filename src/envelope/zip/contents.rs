//! The members of an archive or a store: its files of a known format, detected by their first bytes.

use super::claims::Claims;
use super::directory::{Directory, Entry, text};
use super::judge::Judge;
use super::local::Local;
use super::member::{Member, Place};
use super::rules;
use super::unpack::{HEAD, Unpacker};
use crate::bytes::input::Input;
use crate::bytes::limits::{Budget, Debit};
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::Rule;
use crate::format::names::{Content, Name};
use crate::format::{self, Format, is_gzip};
use std::ops::Range;
use std::path::PathBuf;

/// The last parts of the names under which ML.NET keeps IDV streams.
const STREAM_NAMES: [&str; 4] = ["Schema", "TrainSchema", "Schema.idv", "DefaultMap.idv"];

/// An entry that each model of ML.NET has.
const MODEL: &str = "TrainingInfo/Version.txt";

/// Some IDV streams stand after their length.
const PREFIX: usize = 4;

/// Bytes that are debited for a member, beside its name.
const MEMBER_COST: u64 = 1 << 10;

/// The number of addresses that an error lists.
const LISTED: usize = 16;

/// The rules about the place of an entry.
static STRUCTURAL: [&Rule; 2] = [&rules::BAD_ENTRY, &rules::OVERLAP];

/// The members of an archive, or of a store.
#[derive(Debug)]
pub(crate) struct Contents {
    pub members: Vec<Member>,
    /// Entries of a zip archive, or files of a store.
    pub entries: u64,
    /// Entries of unknown format: they are encrypted, damaged, or compressed with a method that is not supported.
    pub closed: u64,
    /// True if ML.NET made the archive: a model without a table is one all the same.
    is_model: bool,
    /// The findings about the archive itself, beside those about its members.
    pub findings: Vec<Finding>,
}

/// Members in the making. Possible members count if there is a certain one.
#[derive(Default)]
pub(crate) struct Collection {
    sure: Vec<(usize, Member)>,
    suspects: Vec<(usize, Member)>,
    pub entries: u64,
    closed: u64,
}

impl Collection {
    /// Adds the member at a place of the directory, at the cost of the budget.
    pub fn add(&mut self, place: usize, member: Member, is_sure: bool, budget: &Budget) -> Result<()> {
        budget.take(MEMBER_COST + member.name.len() as u64, "the members of an archive")?;
        let list = if is_sure { &mut self.sure } else { &mut self.suspects };
        list.push((place, member));
        Ok(())
    }

    pub fn finish(mut self) -> Contents {
        if !self.sure.is_empty() {
            self.sure.append(&mut self.suspects);
            self.sure.sort_unstable_by_key(|&(place, _)| place);
        }
        let members = self.sure.into_iter().map(|(_, member)| member).collect();
        Contents { members, entries: self.entries, closed: self.closed, is_model: false, findings: Vec::new() }
    }

    /// Removes what is wrong with the places of possible members if there is no certain one.
    fn take_flaws(&mut self) -> impl Iterator<Item = Box<Finding>> {
        let suspects = if self.sure.is_empty() { std::mem::take(&mut self.suspects) } else { Vec::new() };
        suspects.into_iter().filter_map(|(_, member)| match member.place {
            Place::Entry { flaw, .. } => flaw.filter(|flaw| STRUCTURAL.contains(&flaw.rule)),
            Place::File(_) => None,
        })
    }
}

impl Contents {
    /// Looks through a zip archive, and judges its structure.
    pub fn read(input: &Input<'_>) -> Result<Self> {
        let (debit, mut findings) = (Debit::new(input.budget()), Findings::default());
        let directory = Directory::read(input, &debit, &mut findings)?;
        let mut judge = Judge::new(input, findings);
        let (mut unpacker, mut collection) = (Unpacker::new(), Collection::default());
        for (number, entry) in directory.entries.iter().enumerate() {
            collection.entries += 1;
            input.budget().ensure_time()?;
            let local = directory.local(entry)?;
            let flaw = match &local {
                Ok(local) => directory.judge(entry, local).err(),
                Err(flaw) => Some(flaw.clone()),
            };
            match &local {
                Ok(local) => judge.entry(number, entry, local, flaw.is_none())?,
                Err(_) => judge.damaged(&entry.claims),
            }
            let is_named = is_known_name(&entry.name);
            let peeked = match (entry.is_hidden, local) {
                (true, _) => None,
                (false, local) => Some(peek(entry, local, input, &mut unpacker)?),
            };
            collection.closed += u64::from(matches!(peeked, Some(Peeked::Damaged(_) | Peeked::Closed(_))));
            let (member, is_sure) = match peeked {
                Some(Peeked::Known(known, packed)) => (Member::entry(entry, Some(known), packed, flaw), true),
                Some(Peeked::Other(packed)) if is_named => (Member::entry(entry, None, packed, flaw), false),
                Some(Peeked::Damaged(flaw)) => (Member::entry(entry, None, 0..0, Some(flaw)), is_named),
                Some(Peeked::Closed(flaw)) if is_named => (Member::entry(entry, None, 0..0, Some(flaw)), false),
                _ => {
                    // It is no member: what is wrong with it is said of the archive.
                    flaw.into_iter().for_each(|flaw| judge.push(*flaw));
                    if entry.claims.is_repeated {
                        judge.push(entry.claims.repeated());
                    }
                    continue;
                }
            };
            collection.add(number, member, is_sure, input.budget())?;
        }
        collection.take_flaws().for_each(|flaw| judge.push(*flaw));
        let is_model = directory.find(MODEL).is_some();
        Ok(Contents { is_model, findings: judge.finish(&directory), ..collection.finish() })
    }

    /// Returns whether there are entries, but no member among them.
    pub fn is_foreign(&self) -> bool {
        self.members.is_empty() && self.entries > 0 && !self.is_model
    }

    /// Advice about an archive that is taken for a file.
    pub fn help(&self) -> String {
        match (self.members.len(), self.closed) {
            (0, 0) => "it holds no array and no table that ndbytes reads: unpack it first".into(),
            (0, closed) => format!(
                "it holds no array and no table that ndbytes reads, but {closed} of its entries cannot be looked into"
            ),
            (number, _) => format!("its {number} members have addresses: `ndbytes info` lists them"),
        }
    }

    /// The error that one of the members has to be named, or `None` if it is an archive of other files. `address` gives a member's
    /// address.
    pub fn choice(&self, address: impl Fn(&Member) -> PathBuf) -> Option<Error> {
        let (members, more) = self.addresses(address);
        (!self.is_foreign()).then_some(Error::Archive { members, more })
    }

    /// The first addresses of members, and the number of further ones.
    pub fn addresses(&self, address: impl Fn(&Member) -> PathBuf) -> (Vec<PathBuf>, usize) {
        let listed = self.members.iter().take(LISTED).map(address).collect();
        (listed, self.members.len().saturating_sub(LISTED))
    }
}

impl Member {
    /// `known` is the format, and the length of what is of it.
    fn entry(entry: &Entry, known: Option<(Format, u64)>, packed: Range<u64>, flaw: Option<Box<Finding>>) -> Self {
        let Claims { length, .. } = entry.claims;
        Member {
            name: text(&entry.name).into(),
            length: known.map_or(length, |(_, length)| length),
            format: known.map(|(format, _)| format),
            place: Place::Entry { claims: entry.claims, packed, flaw },
        }
    }
}

/// The kind of an entry, detected by its first bytes.
enum Peeked {
    /// Content of a known format and of this length, maybe after a prefix, and its place.
    Known((Format, u64), Range<u64>),
    Other(Range<u64>),
    /// Its first bytes cannot be read.
    Damaged(Box<Finding>),
    /// It is encrypted, or compressed with a method that is not supported.
    Closed(Box<Finding>),
}

fn peek(
    entry: &Entry,
    local: Result<Local, Box<Finding>>,
    input: &Input<'_>,
    unpacker: &mut Unpacker,
) -> Result<Peeked> {
    let claims = &entry.claims;
    if let Some(finding) = claims.closed() {
        return Ok(Peeked::Closed(finding.into()));
    }
    let packed = match local {
        Ok(local) => local.packed,
        Err(flaw) => return Ok(Peeked::Damaged(flaw)),
    };
    let (head, length) = match unpacker.head(claims, input, &packed)? {
        Ok(head) => head,
        Err(finding) => return Ok(Peeked::Damaged(finding)),
    };
    let known = match is_gzip(&head[..length]) {
        // What its content is, its name says: the first bytes are too few to inflate it.
        true => format_inside_gzip(&entry.name).map(|format| (format, claims.length)),
        false => known_format(&head[..length], claims.length, &entry.name),
    };
    Ok(match known {
        Some(known) => Peeked::Known(known, packed),
        None => Peeked::Other(packed),
    })
}

/// The format of a file of `length` bytes that begins with `head`, and the length of its content. Many files begin as
/// IDX does: without an IDX name, a file is IDX only if its length is the one that its header declares.
pub(crate) fn known_format(head: &[u8], length: u64, name: &[u8]) -> Option<(Format, u64)> {
    if let Some(stream) = idv_length(head, length) {
        return Some((Format::Idv, stream));
    }
    let format = format::detect(head, length)?;
    let is_named = || content_of_name(name) == Some(Content::File(format));
    (format.is_sure(head, length) || is_named()).then_some((format, length))
}

/// The length of an IDV stream in a file of `length` bytes that begins with `head`. It is that of the whole file, or of
/// its part after the stream's length. `None` if it is not an IDV stream.
pub(crate) fn idv_length(head: &[u8], length: u64) -> Option<u64> {
    let is_idv = |head: &[u8], length| format::detect(head, length) == Some(Format::Idv);
    let head = &head[..head.len().min(HEAD)];
    if is_idv(head, length) {
        return Some(length);
    }
    let (prefix, rest) = head.split_first_chunk::<PREFIX>()?;
    let rest_length = u64::try_from(i32::from_le_bytes(*prefix)).ok()?;
    let fits = rest_length.checked_add(PREFIX as u64) == Some(length);
    (fits && is_idv(rest, rest_length)).then_some(rest_length)
}

/// Returns whether ML.NET gives such names to IDV streams only, or python-blosc2 to frames only.
pub(crate) fn is_known_name(name: &[u8]) -> bool {
    let is_frame = matches!(content_of_name(name), Some(Content::File(Format::B2nd) | Content::Frame));
    is_frame || STREAM_NAMES.iter().any(|known| known.as_bytes() == last_part(name))
}

/// The content that the name of an entry stands for, if it is not compressed once more.
fn content_of_name(name: &[u8]) -> Option<Content> {
    let name = Name::of(&*String::from_utf8_lossy(last_part(name))).filter(|name| !name.is_gzip)?;
    Some(name.content)
}

/// The format of the content that the name of a gzip file stands for.
fn format_inside_gzip(name: &[u8]) -> Option<Format> {
    match Name::of(&*String::from_utf8_lossy(last_part(name))).filter(|name| name.is_gzip)?.content {
        Content::File(format) => Some(format),
        Content::Frame | Content::Archive(_) => None,
    }
}

/// The name of an entry without its folders, which `/` or `\` parts.
fn last_part(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default()
}
