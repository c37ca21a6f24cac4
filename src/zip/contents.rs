//! The members of an archive or a store, which are its files in known formats, detected by their first bytes.
//!
//! Names are not sufficient, because ML.NET stores its tables without an extension, after a four-byte length. Some entries cannot
//! be examined because they are damaged, encrypted, or compressed with an unsupported method. A damaged entry with a reserved name
//! is a member. Any other such entry is only a possible member, and counts only if the archive has members that are certain.
//! Otherwise, every damaged archive would seem to be one that ndbytes reads.

use super::content::{MODEL, SMALL_LEAVES, content_of_name, format_inside_gzip, is_known_name, last_part};
use super::directory::{Directory, Entry, text};
use super::directory_claims::DirectoryClaims;
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
use crate::format::names::Content;
use crate::format::{self, Format, is_gzip};
use std::ops::Range;
use std::path::PathBuf;

/// The size in bytes of the length that precedes some IDV streams.
const PREFIX: usize = 4;

/// The memory for each member in bytes, in addition to its name.
const MEMBER_COST: u64 = 1 << 10;

/// The entry in which `torch.save` stores the pickle of a model.
const PICKLE: &[u8] = b"data.pkl";

/// The maximum number of addresses that an error lists.
pub(super) const LISTED: usize = 16;

/// The rules about the position of an entry.
static STRUCTURAL: [&Rule; 2] = [&rules::BAD_ENTRY, &rules::OVERLAP];

/// The members of an archive or store.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    pub members: Vec<Member>,
    /// The number of entries in a zip archive, or of files in a store.
    pub entries: u64,
    /// The number of entries whose format is unknown because they are encrypted, are damaged, or use an unsupported compression
    /// method.
    pub closed: u64,
    /// True if ML.NET made the archive. A model without a table is then also recognised.
    is_model: bool,
    /// The format that determines which reader reads the archive.
    pub content: Option<Format>,
    /// Entries of an `.npz` that are not members. NumPy reads all entries.
    pub others: Vec<Member>,
    /// The reason why the archive is not read although its entries can be examined.
    pub refusal: Option<Finding>,
    /// True if it contains the pickle of a PyTorch model.
    is_pickled: bool,
    /// The findings about the archive itself, not about its members.
    pub findings: Vec<Finding>,
}

/// Members that are being collected. Possible members count only if there is at least one certain member.
#[derive(Default)]
pub(crate) struct Collection {
    sure: Vec<(usize, Member)>,
    suspects: Vec<(usize, Member)>,
    pub entries: u64,
    closed: u64,
}

impl Collection {
    /// Adds the member at a position in the directory, charging the budget.
    pub fn add(&mut self, place: usize, member: Member, is_sure: bool, budget: &Budget) -> Result<()> {
        budget.take(MEMBER_COST + member.name.len() as u64, "the members of an archive")?;
        let list = if is_sure { &mut self.sure } else { &mut self.suspects };
        list.push((place, member));
        Ok(())
    }

    /// The members and the findings about them, in file order.
    pub fn finish(mut self) -> Contents {
        if !self.sure.is_empty() {
            self.sure.append(&mut self.suspects);
            self.sure.sort_unstable_by_key(|&(place, _)| place);
        }
        let Collection { sure, entries, closed, .. } = self;
        let members = sure.into_iter().map(|(_, member)| member).collect();
        Contents { members, entries, closed, ..Contents::default() }
    }

    /// Removes the findings about possible members if none is certain.
    fn take_flaws(&mut self) -> impl Iterator<Item = Box<Finding>> {
        let suspects = if self.sure.is_empty() { std::mem::take(&mut self.suspects) } else { Vec::new() };
        suspects.into_iter().filter_map(|(_, member)| match member.place {
            Place::Entry { flaw, .. } => flaw.filter(|flaw| STRUCTURAL.contains(&flaw.rule)),
            Place::File(_) | Place::Tensor(_) => None,
        })
    }
}

impl Contents {
    /// Reads a zip archive and checks its structure.
    ///
    /// # Errors
    /// [`Error::Invalid`] if its directory is invalid or entries share bytes; [`Error::Limit`]; [`Error::Io`].
    pub fn read(input: &Input<'_>) -> Result<Self> {
        let mut contents = Contents::look(input)?;
        match contents.refusal.take() {
            Some(flaw) => Err(flaw.into()),
            None => Ok(contents),
        }
    }

    /// Like `read`, but reads as far as any archive reader would: see [`Contents::refusal`].
    pub fn look(input: &Input<'_>) -> Result<Self> {
        let (debit, mut findings) = (Debit::new(input.budget()), Findings::default());
        let mut directory = Directory::look(input, &debit, &mut findings)?;
        let (refusal, content) = (directory.refusal(), directory.content());
        // No known reader accepts any other archive with such a flaw.
        if let Some(flaw) = refusal.as_ref().filter(|_| !matches!(content, Some(Format::Npy | Format::B2nd))) {
            return Err(flaw.clone().into());
        }
        directory.flaws.iter().for_each(|flaw| findings.push(flaw.clone()));
        findings.extend((content == Some(Format::B2nd)).then(|| no_store(&directory)).flatten());
        let mut judge = Judge::new(input, findings);
        // The finding that entries share bytes, unless a finding about one of them already reports this.
        let mut untold = refusal.clone().filter(|_| directory.flaws.is_empty());
        let (is_npz, mut others) = (content == Some(Format::Npy), Vec::new());
        let (mut unpacker, mut collection) = (Unpacker::new(), Collection::default());
        for (number, entry) in directory.entries.iter().enumerate() {
            collection.entries += 1;
            input.budget().ensure_time()?;
            let local = directory.local(entry)?;
            let judged = |local| directory.judge(entry, local).err();
            let flaw = local.as_ref().map_or_else(|flaw| Some(flaw.clone()), judged);
            untold = untold.filter(|shared| flaw.as_ref().is_none_or(|flaw| flaw.rule != shared.rule));
            match &local {
                Ok(local) => judge.entry(number, entry, local, flaw.is_none())?,
                Err(_) => judge.damaged(&entry.claims),
            }
            let flaw = flaw.map(|flaw| Box::new(flaw.in_archive_of(content)));
            let place = local.as_ref().map_or(0..0, |local| local.packed.clone());
            let peeked = match (entry.is_hidden, local) {
                (true, _) => Peeked::Hidden,
                (false, local) => peek(entry, local, input, &mut unpacker)?,
            };
            collection.closed += u64::from(matches!(peeked, Peeked::Damaged(_) | Peeked::Closed(_)));
            let is_other = matches!(peeked, Peeked::Other(_));
            if let Some((member, is_sure)) = member_of(entry, peeked, place.clone(), flaw.clone(), content) {
                collection.add(number, member, is_sure, input.budget())?;
                continue;
            }
            if entry.claims.is_repeated {
                judge.push(entry.claims.repeated());
            }
            if is_npz && is_other {
                others.push(Member::entry(entry, None, place, flaw));
            } else {
                // This entry is not a member, so findings about it belong to the archive.
                flaw.into_iter().for_each(|flaw| judge.push(*flaw));
            }
        }
        collection.take_flaws().map(|flaw| *flaw).chain(untold).for_each(|flaw| judge.push(flaw));
        let is_model = directory.find(MODEL).is_some();
        let is_pickled = directory.entries.iter().any(|entry| last_part(&entry.name) == PICKLE);
        let findings = judge.finish(&directory).into_iter().map(|finding| finding.in_archive_of(content)).collect();
        Ok(Contents { is_model, is_pickled, content, others, refusal, findings, ..collection.finish() })
    }

    /// The tensors of a file.
    pub(super) fn of_tensors(members: Vec<Member>, findings: Vec<Finding>) -> Self {
        let entries = members.len() as u64;
        Contents { members, entries, findings, ..Contents::default() }
    }

    /// Returns whether there are entries, but no members among them.
    pub fn is_foreign(&self) -> bool {
        self.members.is_empty() && self.entries > 0 && !self.is_model
    }

    /// Advice for a caller who uses an archive like a file.
    pub fn help(&self) -> String {
        match (self.members.len(), self.closed) {
            (0, _) if self.is_pickled => {
                "it is a PyTorch model, whose pickle runs code when it is loaded: save its tensors as safetensors"
                    .into()
            }
            (0, 0) => "it contains no array or table that ndbytes reads: unpack it first".into(),
            (0, closed) => format!(
                "it contains no array or table that ndbytes reads, but {closed} of its entries cannot be opened"
            ),
            (number, _) => format!("name one of its {number} members; `ndbytes info` lists them"),
        }
    }

    /// The error that asks the caller to name a member; `None` if the archive contains only other files. `address` returns a
    /// member's address.
    pub fn choice(&self, address: impl Fn(&Member) -> PathBuf) -> Option<Error> {
        let (members, more) = self.addresses(address);
        (!self.is_foreign()).then_some(Error::Archive { members, more })
    }

    /// The addresses of the first members, and the number of others.
    pub fn addresses(&self, address: impl Fn(&Member) -> PathBuf) -> (Vec<PathBuf>, usize) {
        let listed = self.members.iter().take(LISTED).map(address).collect();
        (listed, self.members.len().saturating_sub(LISTED))
    }
}

/// Returns the member in an entry, and whether it is certain; `None` if the entry is not a member.
fn member_of(
    entry: &Entry,
    peeked: Peeked,
    place: Range<u64>,
    flaw: Option<Box<Finding>>,
    content: Option<Format>,
) -> Option<(Member, bool)> {
    let (is_named, is_npz) = (is_known_name(&entry.name), content == Some(Format::Npy));
    let damaged = |place, found: Box<Finding>| {
        let found = Box::new(found.in_archive_of(content));
        Member::entry(entry, None, place, Some(found))
    };
    match peeked {
        Peeked::Known(known, packed) => Some((Member::entry(entry, Some(known), packed, flaw), true)),
        Peeked::Other(packed) if is_named => Some((Member::entry(entry, None, packed, flaw), false)),
        Peeked::Damaged(found) => Some((damaged(place, found), is_named || is_npz)),
        Peeked::Closed(found) if is_named || is_npz => Some((damaged(place, found), is_npz)),
        Peeked::Other(_) | Peeked::Closed(_) | Peeked::Hidden => None,
    }
}

impl Member {
    /// `known` is the format, with the length of the content that belongs to it.
    fn entry(entry: &Entry, known: Option<(Format, u64)>, packed: Range<u64>, flaw: Option<Box<Finding>>) -> Self {
        let DirectoryClaims { length, .. } = entry.claims;
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
    /// The content has a known format and this length, and is at this position, possibly after a prefix.
    Known((Format, u64), Range<u64>),
    Other(Range<u64>),
    /// The first bytes cannot be read.
    Damaged(Box<Finding>),
    /// The entry is encrypted, or compressed with an unsupported method.
    Closed(Box<Finding>),
    /// The entry is ignored, because a later entry has the same name.
    Hidden,
}

/// The finding about an archive that python-blosc2 does not open as a store, although its name or an entry indicates a store.
fn no_store(directory: &Directory<'_>) -> Option<Finding> {
    let Some(entry) = directory.find(SMALL_LEAVES) else {
        let message = format!("the store has no entry {SMALL_LEAVES}");
        return Some(Finding::new(&rules::STORE, "", directory.ending.place.clone(), message));
    };
    let message = format!("the entry {SMALL_LEAVES} is compressed");
    (!entry.claims.is_stored()).then(|| Finding::new(&rules::STORE, "method", entry.claims.field("method"), message))
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
        // The name determines the content, because there are too few first bytes to decompress.
        true => format_inside_gzip(&entry.name).map(|format| (format, claims.length)),
        false => known_format(&head[..length], claims.length, &entry.name),
    };
    Ok(match known {
        Some(known) => Peeked::Known(known, packed),
        None => Peeked::Other(packed),
    })
}

/// Returns the format of a file of `length` bytes that begins with `head`, and the length of its content. Many other files begin
/// like IDX, so without an IDX name, a file is IDX only if its length is the one that its header declares.
pub(crate) fn known_format(head: &[u8], length: u64, name: &[u8]) -> Option<(Format, u64)> {
    if let Some(stream) = idv_length(head, length) {
        return Some((Format::Idv, stream));
    }
    let format = format::detect(head, length)?;
    let is_named = || content_of_name(name) == Some(Content::File(format));
    (format.is_sure(head, length) || is_named()).then_some((format, length))
}

/// Returns the length of an IDV stream in a file of `length` bytes that begins with `head`. It is the length of the complete file,
/// or that of the rest of the file after the stated length of the stream. `None` if it is not an IDV stream.
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
