//! Breakers of the rules about header, tail, and the positions of parts.

use super::subject::{Subject, number, patched};
use crate::forged_file::ForgedFile;
use crate::idv::file_parts::{BlockParts, Order, Part};
use crate::kind_driver::Breaker;
use everybyte::Layout;
use everybyte::forge::Choices;
use ndbytes_schemas::idv::{Compression, Header, NetString, Tail, Version};

/// Offsets of fields of the header.
const COLUMNS_OFFSET: usize = 24;
const TAIL_OFFSET: usize = 32;
const ROW_COUNT: usize = 40;
const COLUMN_COUNT: usize = 48;
const RESERVED: usize = 52;

/// The length of the header.
const HEADER: u64 = Header::MIN_SIZE;

/// The length of the magic.
const MAGIC: u64 = 8;

/// The breakers, in the order of the rules.
pub(super) static BREAKERS: [Breaker; 16] = [
    Breaker::new("idv/truncated-header", truncated_header, ""),
    Breaker::new("idv/bad-magic", bad_magic, ""),
    Breaker::new("idv/incompatible-version", incompatible_version, ""),
    Breaker::new("idv/old-version", old_version, ""),
    Breaker::new("idv/new-version", new_version, ""),
    Breaker::new("idv/negative-count", negative_count, ""),
    Breaker::new("idv/reserved-bytes", reserved_bytes, ""),
    Breaker::new("idv/columns-offset", columns_offset, ""),
    Breaker::new("idv/tail-offset", tail_offset, ""),
    Breaker::new("idv/truncated", truncated, ""),
    Breaker::new("idv/bad-tail", bad_tail, ""),
    Breaker::new("idv/trailing-bytes", trailing_bytes, ""),
    Breaker::new("idv/after-tail", after_tail, ""),
    Breaker::new("idv/overlap", overlap, ""),
    Breaker::new("idv/gap", gap, ""),
    Breaker::new("idv/unreadable-columns", unreadable_columns, ""),
];

/// Creates a table with a column of numbers.
fn table(choices: &mut Choices<'_>) -> Subject {
    let codec = number(choices);
    Subject::new(choices, codec)
}

/// Returns an offset inside the header, or a negative one.
pub(super) fn too_low(choices: &mut Choices<'_>) -> i64 {
    match choices.below(3) {
        0 => -1 - choices.below(1 << 40) as i64,
        1 => HEADER as i64 - 1,
        _ => choices.below(HEADER - 1) as i64 + 1,
    }
}

/// Returns an offset at or after the end of a file or part.
fn too_high(choices: &mut Choices<'_>, end: usize) -> i64 {
    match choices.below(3) {
        0 => i64::MAX,
        1 => end as i64,
        _ => end as i64 + choices.below(1 << 40) as i64,
    }
}

/// Truncates a file within the header, but after the magic.
fn truncated_header(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut file = table(choices).draft.put_together();
    file.truncate((MAGIC + choices.below(HEADER - MAGIC)) as usize);
    Some(ForgedFile::unknown(file))
}

/// Flips one bit of the magic.
fn bad_magic(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let file = table(choices).draft.put_together();
    let at = choices.below(MAGIC) as usize;
    let wrong = file[at] ^ (1 << choices.below(8));
    patched(file, at, &[wrong])
}

/// Makes a file require a newer reader.
fn incompatible_version(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let codec = number(choices);
    let version = *choices.pick(&[Version::V5, Version::V6]);
    let mut subject = Subject::with(choices, version, codec, Compression::NONE);
    subject.draft.header.compatible_version = Version(version.0 + 1 + choices.small(20));
    if version == Version::V6 && choices.one_in(2) {
        subject.draft.header.version = subject.draft.header.compatible_version;
    }
    subject.whole()
}

fn old_version(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let old = Version(Version::V6.0 - 3 - choices.below(3));
    let codec = number(choices);
    let version = *choices.pick(&[old, Version::V6, Version::V5]);
    let mut subject = Subject::with(choices, version, codec, Compression::DEFLATE);
    subject.draft.header.compatible_version = old;
    subject.whole()
}

fn new_version(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    subject.draft.header.version.0 += 1 + choices.below(1 << 40);
    subject.whole()
}

fn negative_count(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let file = table(choices).draft.put_together();
    let negative = -1 - choices.below(1 << 30) as i64;
    match choices.one_in(2) {
        true => patched(file, ROW_COUNT, &negative.to_le_bytes()),
        false => patched(file, COLUMN_COUNT, &(negative as i32).to_le_bytes()),
    }
}

fn reserved_bytes(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let file = table(choices).draft.put_together();
    let at = RESERVED + choices.index(HEADER as usize - RESERVED);
    patched(file, at, &[1 + choices.below(255) as u8])
}

fn columns_offset(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let file = table(choices).draft.put_together();
    let offset = if choices.one_in(2) { too_low(choices) } else { too_high(choices, file.len()) };
    patched(file, COLUMNS_OFFSET, &offset.to_le_bytes())
}

fn tail_offset(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let file = table(choices).draft.put_together();
    let offset = too_low(choices);
    patched(file, TAIL_OFFSET, &offset.to_le_bytes())
}

fn truncated(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut file = table(choices).draft.put_together();
    let most = file.len() - HEADER as usize;
    let cut = 1 + choices.index(most);
    file.truncate(file.len() - cut);
    Some(ForgedFile::unknown(file))
}

fn bad_tail(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let file = table(choices).draft.put_together();
    let at = file.len() - 1 - choices.below(Tail::MIN_SIZE) as usize;
    let wrong = file[at] ^ (1 << choices.below(8));
    patched(file, at, &[wrong])
}

fn trailing_bytes(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    let length = 1 + choices.index(20);
    subject.draft.rest = choices.bytes(length);
    subject.whole()
}

fn after_tail(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    let mut parts = subject.draft.usual_parts();
    let last = parts.len();
    parts.swap(last - 2, last - 1);
    subject.draft.order = Order::Kept(parts);
    subject.whole()
}

/// Adds a second column that claims the blocks of the first one.
fn overlap(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    let at = subject.at;
    let mut shared = subject.column().clone();
    shared.entry.name = NetString::new("shared");
    for block in &mut shared.blocks {
        let length = block.bytes.len() as i32;
        *block = BlockParts { bytes: Vec::new(), length: block.length, lie: Some((0, length)) };
    }
    let count = shared.blocks.len();
    subject.draft.columns.push(shared);
    let last = subject.draft.columns.len() - 1;
    // Offsets have a fixed width, so positions do not change.
    let assembled = subject.draft.assemble();
    for block in 0..count {
        let offset = assembled.start(Part::Block(at, block)) as i64;
        let shared = &mut subject.draft.columns[last].blocks[block];
        shared.lie = shared.lie.map(|(_, length)| (offset, length));
    }
    subject.whole()
}

/// Adds unused bytes before the tail.
fn gap(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let subject = table(choices);
    let mut assembled = subject.draft.assemble();
    let tail = assembled.start(Part::Tail);
    let length = 1 + choices.index(12);
    let bytes = choices.bytes(length);
    assembled.file.splice(tail..tail, bytes);
    patched(assembled.file, TAIL_OFFSET, &((tail + length) as i64).to_le_bytes())
}

/// Makes the header claim more columns than there are.
fn unreadable_columns(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let subject = table(choices);
    let count = subject.draft.columns.len() as i32;
    let more = *choices.pick(&[1, 2, i32::MAX - count]);
    patched(subject.draft.put_together(), COLUMN_COUNT, &(count + more).to_le_bytes())
}
