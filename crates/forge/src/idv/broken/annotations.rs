//! Breakers of the rules about annotations and compressed streams.

use super::header::too_low;
use super::subject::{Subject, number, patched};
use crate::deflate::deflated;
use crate::forged_file::ForgedFile;
use crate::idv::codecs::{key, plain, vector};
use crate::idv::file_parts::{AnnotationTableParts, Part};
use crate::idv::valid::{annotate, names};
use crate::kind_driver::Breaker;
use everybyte::forge::Choices;
use everybyte::varint::Leb128;
use ndbytes_schemas::idv::{Compression, NetString, Version};

/// The breakers, in the order of the rules.
pub(super) static BREAKERS: [Breaker; 15] = [
    Breaker::new("idv/annotations-offset", annotations_offset, ""),
    Breaker::new("idv/unreadable-annotations", unreadable_annotations, ""),
    Breaker::new("idv/annotation-count", annotation_count, ""),
    Breaker::new("idv/annotation-kind", annotation_kind, ""),
    Breaker::new("idv/duplicate-annotation", duplicate_annotation, ""),
    Breaker::new("idv/annotation-block", annotation_block, ""),
    Breaker::new("idv/unknown-annotation", unknown_annotation, ""),
    Breaker::new("idv/slot-name-count", slot_name_count, ""),
    Breaker::new("idv/key-value-count", key_value_count, ""),
    Breaker::new("idv/impossible-length", impossible_length, ""),
    Breaker::new("idv/corrupt-stream", corrupt_stream, ""),
    Breaker::new("idv/short-stream", short_stream, ""),
    Breaker::new("idv/long-stream", long_stream, ""),
    Breaker::new("idv/unended-stream", unended_stream, ""),
    Breaker::new("idv/stream-trailing-bytes", stream_trailing_bytes, ""),
];

fn table(choices: &mut Choices<'_>) -> Subject {
    let codec = number(choices);
    Subject::new(choices, codec)
}

/// Creates a table whose column has an annotation with arbitrary bytes.
fn annotated(choices: &mut Choices<'_>) -> Subject {
    let mut subject = table(choices);
    let length = 1 + choices.index(4);
    let bytes = choices.bytes(length);
    let codec = vector(plain("Byte"), vec![length as i32]);
    let numbers = [1, length as i32, -1, 0];
    let block = numbers.into_iter().flat_map(i32::to_le_bytes).chain(bytes).collect();
    annotate(subject.column(), "IsNormalized", codec, Compression::NONE, block);
    subject
}

/// Sets an offset inside the header or beyond the file.
fn annotations_offset(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    let offset = if choices.one_in(2) { too_low(choices) } else { i64::MAX - choices.below(1 << 40) as i64 };
    let column = subject.column();
    (column.annotations, column.entry.annotations_offset) = (AnnotationTableParts::Lost, Some(offset));
    subject.whole()
}

/// Makes the number of annotations continue into the first annotation, so it becomes larger than the file.
fn unreadable_annotations(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = annotated(choices);
    let kind = "k".repeat(100 + choices.index(20));
    subject.column().annotations_mut().first_mut()?.entry.kind = NetString::new(kind);
    let assembled = subject.draft.assemble();
    let at = assembled.start(Part::Annotations(subject.at));
    patched(assembled.file, at, &[0x80 | choices.below(0x80) as u8])
}

/// Creates an empty table of annotations.
fn annotation_count(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    subject.column().annotations = AnnotationTableParts::Table { count: Leb128::new(0), entries: Vec::new() };
    subject.whole()
}

/// Creates an annotation without a name.
fn annotation_kind(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = annotated(choices);
    subject.column().annotations_mut().first_mut()?.entry.kind = NetString::default();
    subject.whole()
}

/// Creates two annotations with the same name.
fn duplicate_annotation(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = annotated(choices);
    let entries = subject.column().annotations_mut();
    let copy = entries.first()?.clone();
    entries.push(copy);
    subject.whole()
}

fn annotation_block(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = annotated(choices);
    let offset = too_low(choices);
    let annotation = subject.column().annotations_mut().first_mut()?;
    annotation.is_lost = true;
    (annotation.entry.offset, annotation.entry.stored_length) = match choices.one_in(2) {
        true => (300, Leb128::new(0)),
        false => (offset, Leb128::new(1 + choices.below(1 << 20))),
    };
    subject.whole()
}

fn unknown_annotation(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = annotated(choices);
    let entry = &mut subject.column().annotations_mut().first_mut()?.entry;
    match choices.one_in(2) {
        true => entry.codec = plain("Image"),
        false => entry.compression = Compression(3 + choices.below(253) as u8),
    }
    subject.whole()
}

/// Creates more or fewer slot names than the vector has slots.
fn slot_name_count(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let size = 2 + choices.below(3) as u32;
    let mut subject = Subject::new(choices, vector(plain("Single"), vec![size as i32]));
    let count = if choices.one_in(2) { size + 1 + choices.small(4) as u32 } else { size - 1 };
    names(choices, subject.column(), "SlotNames", count, Version::V6);
    subject.whole()
}

/// Creates more or fewer names than the column has categories.
fn key_value_count(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let categories = 2 + choices.below(3);
    let mut subject = Subject::new(choices, key(plain("UInt32"), categories));
    let count = if choices.one_in(2) { categories + 1 + choices.small(4) } else { categories - 1 };
    names(choices, subject.column(), "KeyValues", count as u32, Version::V6);
    subject.whole()
}

/// Creates a table whose column is compressed, and returns the content of its block.
fn compressed(choices: &mut Choices<'_>) -> (Subject, Vec<u8>) {
    let codec = number(choices);
    let subject = Subject::with(choices, Version::V6, codec, Compression::DEFLATE);
    let content = subject.fields().write();
    (subject, content)
}

/// Sets a length that the compressed bytes cannot expand to.
fn impossible_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (mut subject, _) = compressed(choices);
    subject.block().length = i32::MAX - choices.below(1 << 20) as i32;
    subject.whole()
}

fn corrupt_stream(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (mut subject, content) = compressed(choices);
    let mut stream = deflated(choices, &content);
    // This kind of block is undefined.
    *stream.first_mut()? |= 0b110;
    subject.block().bytes = stream;
    subject.whole()
}

/// Creates a stream that ends before the stated length.
fn short_stream(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (mut subject, content) = compressed(choices);
    let kept = choices.index(content.len());
    subject.block().bytes = deflated(choices, &content[..kept]);
    subject.whole()
}

/// Creates a stream that continues after the stated length.
fn long_stream(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (mut subject, mut content) = compressed(choices);
    let more = 1 + choices.index(9);
    content.extend(choices.bytes(more));
    subject.block().bytes = deflated(choices, &content);
    subject.whole()
}

/// Creates a stream without a final block.
fn unended_stream(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (mut subject, content) = compressed(choices);
    // A stored block that is not the last one.
    let length = content.len() as u16;
    let head = [&[0], &length.to_le_bytes()[..], &(!length).to_le_bytes()].concat();
    subject.block().bytes = [head, content].concat();
    subject.whole()
}

/// Adds bytes after the end of the stream.
fn stream_trailing_bytes(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (mut subject, content) = compressed(choices);
    let mut stream = deflated(choices, &content);
    let more = 1 + choices.index(9);
    stream.extend(choices.bytes(more));
    subject.block().bytes = stream;
    subject.whole()
}
