//! The members of an archive or a store: its files of a known format, told by their first bytes.

use super::directory::{Claims, Directory, Entry, text};
use super::member::{Member, Place};
use super::unpack::{HEAD, Unpacker};
use crate::bytes::input::Input;
use crate::bytes::limits::{Budget, Debit};
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::format::{self, Format};
use std::ops::Range;
use std::path::PathBuf;

/// The last parts of the names under which ML.NET keeps IDV streams.
const STREAM_NAMES: [&str; 4] = ["Schema", "TrainSchema", "Schema.idv", "DefaultMap.idv"];

/// The ends of the names that python-blosc2 gives to the frames in a store.
const FRAME_ENDINGS: [&str; 4] = [".b2nd", ".b2f", ".b2b", ".b2e"];

/// The usual ends of the names of IDX files.
const IDX_ENDINGS: [&str; 2] = [".idx", "-ubyte"];

/// Some IDV streams stand after their length.
const PREFIX: usize = 4;

/// Bytes that are debited for a member, beside its name.
const MEMBER_COST: u64 = 1 << 10;

/// The number of addresses that an error lists.
const LISTED: usize = 16;

/// The members of an archive, or of a store.
#[derive(Debug)]
pub(crate) struct Contents {
    pub members: Vec<Member>,
    /// Entries of unknown format: they are encrypted, damaged, or compressed with a method that is not supported.
    pub closed: u64,
}

/// Members in the making. Possible members count if there is a certain one.
#[derive(Default)]
pub(crate) struct Collection {
    sure: Vec<(usize, Member)>,
    suspects: Vec<(usize, Member)>,
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
        Contents { members: self.sure.into_iter().map(|(_, member)| member).collect(), closed: self.closed }
    }
}

impl Contents {
    /// Looks through a zip archive.
    pub fn read(input: &Input<'_>) -> Result<Self> {
        let debit = Debit::new(input.budget());
        let directory = Directory::read(input, &debit)?;
        let (mut unpacker, mut collection) = (Unpacker::new(), Collection::default());
        for (place, entry) in directory.entries.iter().enumerate().filter(|(_, entry)| !entry.is_hidden) {
            let is_named = is_known_name(&entry.name);
            let (member, is_sure) = match peek(&directory, entry, input, &mut unpacker)? {
                Peeked::Known(known, packed) => {
                    let flaw = directory.judge(entry, &packed)?.err();
                    (Member::entry(entry, Some(known), packed, flaw), true)
                }
                Peeked::Other(packed) if is_named => {
                    let flaw = directory.judge(entry, &packed)?.err();
                    (Member::entry(entry, None, packed, flaw), false)
                }
                Peeked::Other(_) => continue,
                Peeked::Damaged(flaw) => {
                    collection.closed += 1;
                    (Member::entry(entry, None, 0..0, Some(flaw)), is_named)
                }
                Peeked::Closed(flaw) => {
                    collection.closed += 1;
                    if !is_named {
                        continue;
                    }
                    (Member::entry(entry, None, 0..0, Some(flaw)), false)
                }
            };
            collection.add(place, member, is_sure, input.budget())?;
        }
        Ok(collection.finish())
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

    /// The error that one of the members has to be named, or `None` if there is no member. `address` gives a member's
    /// address.
    pub fn choice(&self, address: impl Fn(&Member) -> PathBuf) -> Option<Error> {
        let (members, more) = self.addresses(address);
        (!members.is_empty()).then_some(Error::Archive { members, more })
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

/// The kind of an entry, told by its first bytes.
enum Peeked {
    /// Content of a known format and of this length, maybe after a prefix, and its place.
    Known((Format, u64), Range<u64>),
    Other(Range<u64>),
    /// Its first bytes cannot be read.
    Damaged(Box<Finding>),
    /// It is encrypted, or compressed with a method that is not supported.
    Closed(Box<Finding>),
}

fn peek(directory: &Directory<'_>, entry: &Entry, input: &Input<'_>, unpacker: &mut Unpacker) -> Result<Peeked> {
    let claims = &entry.claims;
    if let Some(finding) = claims.closed() {
        return Ok(Peeked::Closed(finding.into()));
    }
    let packed = match directory.packed(entry)? {
        Ok(packed) => packed,
        Err(finding) => return Ok(Peeked::Damaged(finding)),
    };
    let (head, length) = match unpacker.head(claims, input, &packed)? {
        Ok(head) => head,
        Err(finding) => return Ok(Peeked::Damaged(finding)),
    };
    Ok(match known_format(&head[..length], claims.length, &entry.name) {
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
    let is_sure = format != Format::Idx || ends_with(name, &IDX_ENDINGS) || format::is_exact_idx(head, length);
    is_sure.then_some((format, length))
}

/// The length of an IDV stream in a file of `length` bytes that begins with `head`: the whole file, or its part after
/// the stream's length. `None` if it is not an IDV stream.
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
    let last = name.rsplit(|byte| matches!(byte, b'/' | b'\\')).next().unwrap_or_default();
    STREAM_NAMES.iter().any(|known| known.as_bytes() == last) || ends_with(last, &FRAME_ENDINGS)
}

fn ends_with(name: &[u8], endings: &[&str]) -> bool {
    endings.iter().any(|ending| name.ends_with(ending.as_bytes()))
}
