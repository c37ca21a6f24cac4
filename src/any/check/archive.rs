//! Predicts how an archive reader reacts to an archive that breaks a rule.

use crate::b2nd::is_passive;
use crate::blosc2::as_read::objects::{self, entry};
use crate::blosc2::as_read::{AsRead, FrameAsRead};
use crate::bytes::course::{self, Step, Stop, demand, each, known};
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::error::Result;
use crate::findings::rule::Reference;
use crate::format::Format;
use crate::zip::as_read::length_of_local;
use crate::zip::content::SMALL_LEAVES;
use crate::zip::zipfile::{Listed, list, unpacked};
use everybyte::Layout;
use ndbytes_schemas::b2nd::METALAYER;
use ndbytes_schemas::blosc2::Magic;
use ndbytes_schemas::npy::Npy;
use ndbytes_schemas::zip::LocalHeader;
use std::collections::BTreeMap;
use std::ops::Range;

/// The maximum length of an archive that is examined. It is limited because the archive is read into memory.
const LONGEST: u64 = 64 << 20;

/// The cost of checking whether an entry is a frame, as the number of bytes that could be decoded in the same time.
const EACH_ENTRY: u64 = 256;

/// Entries that share bytes are examined as often as they are listed, up to this multiple of the archive's length.
const MOST_TIMES: u64 = 4;

/// The extensions of entries that python-blosc2 treats as frames without looking at the content.
const OF_FRAMES: [&[u8]; 3] = [b".b2nd", b".b2f", b".b2b"];

/// The attribute of `embed.b2e` that lists its leaves.
const LIST_OF_LEAVES: &[u8] = b"estore_metadata";

/// The key suffix of leaves that contain the attributes of a group, which are read only on request.
const HIDDEN: &[u8] = b"/__vlmeta__";

/// The reaction of the reader for archives with this content; `None` if it is not known. `judge` returns the reaction to the bytes
/// of a file. `is_clean` returns whether the content of an entry breaks no rule.
///
/// # Errors
/// [`Error::Limit`](crate::Error::Limit); [`Error::Io`](crate::Error::Io).
pub(super) fn of_archive(
    input: &Input<'_>,
    content: Option<Format>,
    mut judge: impl FnMut(&[u8]) -> Result<Option<Reference>>,
    is_clean: impl Fn(&str) -> bool,
) -> Result<Option<Reference>> {
    if input.length() > LONGEST {
        return Ok(None);
    }
    let debit = Debit::new(input.budget());
    let file = input.seen(0..input.length(), &debit)?;
    course::reaction(match content {
        Some(Format::Npy) => by_numpy(input, &file, &mut judge),
        Some(Format::B2nd) => by_blosc2(input, &file, &mut judge, &is_clean),
        _ => return Ok(None),
    })
}

/// The last entry with each name, in the order in which the names first appear.
fn by_name(entries: &[Listed]) -> Vec<&Listed> {
    let mut last: BTreeMap<(&[u8], bool), &Listed> = BTreeMap::new();
    for entry in entries {
        last.insert(entry.name(), entry);
    }
    last.into_values().collect()
}

/// `numpy.load`, followed by reading each array of the archive. NumPy returns the bytes of entries that are not `.npy`.
fn by_numpy(input: &Input<'_>, file: &[u8], judge: &mut impl FnMut(&[u8]) -> Result<Option<Reference>>) -> Step {
    let entries = list(file)?;
    let mut left = file.len() as u64 * MOST_TIMES;
    each(by_name(&entries), |entry| {
        left = left.checked_sub(entry.packed.min(file.len() as u64)).ok_or(Stop::Unknown)?;
        let content = unpacked(input, file, entry)?;
        let bytes = content.as_slice();
        if !bytes.starts_with(&Npy::MAGIC) {
            return Ok(());
        }
        match judge(bytes)? {
            Some(Reference::Accepts) => Ok(()),
            Some(Reference::Refuses) => Err(Stop::Refused),
            _ => Err(Stop::Unknown),
        }
    })
}

/// The name of a leaf (the name of its entry without the extension), and the extension.
fn key(name: &[u8]) -> (&[u8], &[u8]) {
    let file = name.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    let first = name[file..].iter().position(|&byte| byte != b'.').unwrap_or(0);
    match name[file + first..].iter().rposition(|&byte| byte == b'.') {
        Some(dot) => name.split_at(file + first + dot),
        None => (name, &[]),
    }
}

/// A leaf of a store: the bytes that begin with it, and the name of its entry. Leaves in `embed.b2e` have no entry.
struct Leaf<'f> {
    bytes: &'f [u8],
    entry: Option<&'f [u8]>,
}

/// `blosc2.open` of a store, followed by reading all of its leaves. Leaves that are stored uncompressed are read in place.
fn by_blosc2(
    input: &Input<'_>,
    file: &[u8],
    judge: &mut impl FnMut(&[u8]) -> Result<Option<Reference>>,
    is_clean: &impl Fn(&str) -> bool,
) -> Step {
    let entries = list(file)?;
    let entries = by_name(&entries);
    demand(entries.iter().all(|entry| entry.start >= 0))?;
    let is_small = |entry: &&&Listed| entry.name().0 == SMALL_LEAVES.as_bytes();
    let small = entries.iter().find(is_small).ok_or(Stop::Refused)?;
    demand(small.is_stored())?;
    let mut reader = AsRead::new(frame_of(file, small)?, input.budget());
    let small = small_leaves(&mut reader);
    let mut left = reader.work_left;
    let mut leaves: BTreeMap<Vec<u8>, Leaf<'_>> = BTreeMap::new();
    if let Ok(small) = &small {
        let of_place = |place: &Range<usize>| Leaf { bytes: &small.bytes[place.clone()], entry: None };
        leaves.extend(small.places.iter().map(|(key, place)| (key.clone(), of_place(place))));
    }
    for entry in entries.iter().filter(|entry| !is_small(entry) && entry.is_stored()) {
        let (key, extension) = key(entry.name().0);
        let mut is_frame = OF_FRAMES.contains(&extension);
        if !is_frame && let Ok(frame) = frame_of(file, entry) {
            let mut reader = AsRead::within(frame, input.budget(), left);
            is_frame = reader.open().is_ok();
            left = reader.work_left.checked_sub(EACH_ENTRY).ok_or(Stop::Unknown)?;
        }
        if is_frame {
            let key = if key.starts_with(b"/") { key.to_vec() } else { [&b"/"[..], key].concat() };
            leaves.insert(key, Leaf { bytes: frame_of(file, entry)?, entry: Some(entry.name().0) });
        }
    }
    let read = each(&leaves, |(key, one)| {
        if !is_read(key, &leaves)? {
            return Ok(());
        }
        let mut reader = AsRead::within(one.bytes, input.budget(), left);
        let outcome = leaf(&mut reader, one.entry.is_none(), |frame| match one.entry {
            Some(name) => known(is_passive(frame) && is_clean(&String::from_utf8_lossy(name))),
            None => {
                let reaction = judge(one.bytes)?;
                demand(reaction != Some(Reference::Refuses))?;
                known(reaction == Some(Reference::Accepts))
            }
        });
        left = reader.work_left;
        outcome
    });
    each([small.map(|_| ()), read], |outcome| outcome)
}

/// Returns whether the leaf with this key is read, like `TreeStore.keys` and `_validate_key`. If a group has the same name, the group
/// is opened instead.
fn is_read(key: &[u8], leaves: &BTreeMap<Vec<u8>, Leaf<'_>>) -> Step<bool> {
    let shown = key.strip_suffix(HIDDEN).unwrap_or(key);
    if shown.is_empty() || key == b"/" {
        return Ok(false);
    }
    demand(shown.starts_with(b"/") && !shown.ends_with(b"/") && !shown.windows(2).any(|pair| pair == b"//"))?;
    demand(!shown.iter().any(|byte| b"\0\n\r\t".contains(byte)))?;
    let inside = [key, b"/"].concat();
    let is_group = leaves.range(inside.clone()..).next().is_some_and(|(key, _)| key.starts_with(&inside));
    Ok(shown == key && !is_group)
}

/// Reads a leaf: an array or another object. In memory, it must fill its place. `otherwise` decides if the reaction is not known.
fn leaf(reader: &mut AsRead<'_>, is_in_memory: bool, otherwise: impl FnOnce(&FrameAsRead) -> Step) -> Step {
    if is_in_memory {
        demand(reader.file.get(Magic::TEXT_OFFSET as usize..).is_some_and(|text| text.starts_with(&Magic::TEXT)))?;
        let frame = reader.open()?;
        demand(frame.length == reader.file.len() as i64)?;
        reader.copied(&frame)?;
    }
    match reader.object() {
        Err(Stop::Unknown) => {}
        outcome => return outcome,
    }
    let frame = reader.open()?;
    match objects::read(reader, &frame) {
        Err(Stop::Unknown) => otherwise(&frame),
        outcome => outcome,
    }
}

/// The decoded bytes of `embed.b2e`, and the positions of its leaves.
struct Small {
    bytes: Vec<u8>,
    places: Vec<(Vec<u8>, Range<usize>)>,
}

/// `EmbedStore`: opens `embed.b2e` and finds its leaves.
fn small_leaves(reader: &mut AsRead<'_>) -> Step<Small> {
    let mut small = Small { bytes: Vec::new(), places: Vec::new() };
    let frame = reader.open()?;
    demand(frame.metalayer(METALAYER).is_none())?;
    let Some(list) = frame.attributes.iter().find(|attribute| attribute.name == LIST_OF_LEAVES) else {
        return Ok(small);
    };
    let list = objects::value(&reader.attribute(list)?, reader.budget)?;
    demand(list.is_map() && entry(&list, "current_offset").is_some())?;
    let leaves = entry(&list, "embed_map").and_then(rmpv::Value::as_map).ok_or(Stop::Refused)?;
    if leaves.is_empty() {
        return Ok(small);
    }
    // Of a frame with longer items, the slices are other bytes than those of a leaf.
    demand(frame.typesize == 1)?;
    known((0..=LONGEST as i64).contains(&frame.nbytes))?;
    reader.hold(2 * frame.nbytes)?;
    let chunks = (0..frame.chunk_count()).map(|chunk| reader.chunk_bytes(&frame, chunk));
    let bytes = chunks.collect::<Step<Vec<Vec<u8>>>>().map(|chunks| chunks.concat());
    let mut left = frame.nbytes.unsigned_abs() * MOST_TIMES;
    each(leaves, |(key, leaf)| {
        let key = key.as_str().ok_or(Stop::Refused)?.as_bytes();
        if key.ends_with(HIDDEN) {
            small.places.push((key.to_vec(), 0..0));
            return Ok(());
        }
        let place = place(leaf, frame.nbytes)?;
        reader.slice(&frame, &place)?;
        left = left.checked_sub(place.end - place.start).ok_or(Stop::Unknown)?;
        let place = place.start as usize..place.end as usize;
        let length = bytes.as_ref().map_or(0, Vec::len);
        known(place.end <= length)?;
        small.places.push((key.to_vec(), place));
        Ok(())
    })?;
    small.bytes = bytes.map_err(|_| Stop::Unknown)?;
    Ok(small)
}

/// Returns the range of a leaf in `length` bytes, as a Python slice selects it.
fn place(leaf: &rmpv::Value, length: i64) -> Step<Range<u64>> {
    demand(leaf.is_map())?;
    known(entry(leaf, "urlbase").is_none())?;
    let number = |key| match entry(leaf, key) {
        Some(rmpv::Value::Integer(number)) => Ok(number.as_i64().unwrap_or(i64::MAX)),
        Some(rmpv::Value::Boolean(_)) => Err(Stop::Unknown),
        _ => Err(Stop::Refused),
    };
    let (start, own) = (number("offset")?, number("length")?);
    let [start, end] = [start, start.saturating_add(own)]
        .map(|at| if at < 0 { at.saturating_add(length).max(0) } else { at.min(length) }.unsigned_abs());
    Ok(start..end.max(start))
}

/// The bytes of the archive, starting with the data of an entry.
fn frame_of<'f>(file: &'f [u8], entry: &Listed) -> Step<&'f [u8]> {
    let fixed = LocalHeader::MIN_SIZE as usize;
    let start = usize::try_from(entry.start).map_err(|_| Stop::Refused)?;
    let mut header = [0; LocalHeader::MIN_SIZE as usize];
    let there = &file[start.min(file.len())..start.saturating_add(fixed).min(file.len())];
    header[..there.len()].copy_from_slice(there);
    file.get(start.saturating_add(length_of_local(header) as usize)..).ok_or(Stop::Refused)
}
