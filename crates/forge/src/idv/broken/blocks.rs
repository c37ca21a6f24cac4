//! Breakers of the rules about the content of blocks.

use super::subject::{Subject, number};
use crate::forged_file::ForgedFile;
use crate::idv::codecs::{key, plain, vector};
use crate::idv::rows::{Fields, Item, Row, encode};
use crate::idv::valid::stated_size;
use crate::idv::values;
use crate::idv::values::LAST_TICK;
use crate::kind_driver::Breaker;
use everybyte::forge::Choices;
use ndbytes_schemas::idv::{Codec, Compression, Version};

/// The breakers, in the order of the rules.
pub(super) static BREAKERS: [Breaker; 19] = [
    Breaker::new("idv/short-block", short_block, ""),
    Breaker::new("idv/excess-block-bytes", excess_block_bytes, ""),
    Breaker::new("idv/text-count", text_count, ""),
    Breaker::new("idv/text-boundaries", text_boundaries, ""),
    Breaker::new("idv/missing-text", missing_text, ""),
    Breaker::new("idv/vector-count", vector_count, ""),
    Breaker::new("idv/vector-size", vector_size, ""),
    Breaker::new("idv/sparse-count", sparse_count, ""),
    Breaker::new("idv/index-count", index_count, ""),
    Breaker::new("idv/excess-indices", excess_indices, ""),
    Breaker::new("idv/indices", indices, ""),
    Breaker::new("idv/key-value", key_value, ""),
    Breaker::new("idv/bool-padding", bool_padding, ""),
    Breaker::new("idv/bool-value", bool_value, ""),
    Breaker::new("idv/date-time", date_time, ""),
    Breaker::new("idv/time-zone", time_zone, ""),
    Breaker::new("idv/missing-time", missing_time, ""),
    // The same, but for existing files.
    Breaker::new("idv/bool-value", old_booleans, "splice columns[?].block[?].scalars.words[?][0..1] = x\"03\""),
    Breaker::new(
        "idv/missing-time",
        times,
        "splice columns[?].block[?].scalars.values[?][0..8] = x\"0000000000000080\"",
    ),
];

/// Creates a table whose column has this codec, and changes the fields of its block.
fn with_fields(
    choices: &mut Choices<'_>,
    codec: Codec,
    change: impl FnOnce(&mut Fields, &mut Choices<'_>) -> Option<()>,
) -> Option<ForgedFile> {
    let mut subject = Subject::new(choices, codec);
    let mut fields = subject.fields();
    change(&mut fields, choices)?;
    subject.set_content(&fields.write());
    subject.whole()
}

/// Creates a table whose column has this codec, and changes an item of its block.
fn with_item(choices: &mut Choices<'_>, codec: Codec, item: Item) -> Option<ForgedFile> {
    with_fields(choices, codec, |fields, choices| {
        let place = choices.index(fields.items.len());
        *fields.items.get_mut(place)? = item;
        Some(())
    })
}

/// Creates vectors of numbers, all of the same size. The first is sparse and stores at least one item.
fn sparse(choices: &mut Choices<'_>, change: impl FnOnce(&mut Fields, u32)) -> Option<ForgedFile> {
    let size = 3 + choices.below(3) as u32;
    let mut subject = Subject::new(choices, vector(plain("Int32"), vec![size as i32]));
    let mut places: Vec<u32> = (0..size).filter(|_| choices.one_in(2)).take(size as usize - 1).collect();
    if places.is_empty() {
        places.push(choices.below(size.into()) as u32);
    }
    let items = places.iter().map(|_| Item::Number(choices.below(100).into())).collect();
    *subject.rows.first_mut()? = Row::Vector { length: size, indices: Some(places), items };
    let mut fields = subject.fields();
    change(&mut fields, size);
    subject.set_content(&fields.write());
    subject.whole()
}

/// Ends a block before its last item.
fn short_block(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let codec = number(choices);
    let mut subject = Subject::new(choices, codec);
    let mut content = subject.fields().write();
    content.truncate(choices.index(content.len()));
    subject.set_content(&content);
    subject.whole()
}

/// Adds bytes after the last item.
fn excess_block_bytes(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let codec = if choices.one_in(2) { plain("TextSpan") } else { number(choices) };
    let mut subject = Subject::new(choices, codec);
    let mut content = subject.fields().write();
    let more = 1 + choices.index(5);
    content.extend(choices.bytes(more));
    subject.set_content(&content);
    subject.whole()
}

/// Adds a row to the block, or removes one.
fn with_other_rows(choices: &mut Choices<'_>, codec: Codec) -> Option<ForgedFile> {
    let mut subject = Subject::new(choices, codec);
    match choices.one_in(2) && subject.rows.len() > 1 {
        true => drop(subject.rows.pop()),
        false => {
            let row = values::row(choices, &subject.column_type, Version::V6);
            subject.rows.push(row);
        }
    }
    let size = stated_size(choices, &subject.rows, &subject.column_type);
    subject.set_content(&encode(&subject.rows, subject.items, size));
    subject.whole()
}

/// Sets a number of texts that differs from the number of rows.
fn text_count(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    with_other_rows(choices, plain("TextSpan"))
}

fn text_boundaries(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = Subject::new(choices, plain("TextSpan"));
    let mut content = subject.fields().write();
    // The last end, after the count, does not match the text.
    let last = 4 * subject.rows.len();
    let end = u32::from_le_bytes(*content.get(last..)?.first_chunk()?);
    let wrong = end + 1 + choices.below(1 << 20) as u32;
    content.get_mut(last..last + 4)?.copy_from_slice(&wrong.to_le_bytes());
    subject.set_content(&content);
    subject.whole()
}

fn missing_text(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    with_item(choices, plain("TextSpan"), Item::Text(None))
}

/// Sets a number of vectors that differs from the number of rows.
fn vector_count(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    with_other_rows(choices, vector(plain("Int32"), vec![2]))
}

/// Sets a vector size other than the column's.
fn vector_size(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (size, other) = *choices.pick(&[(2, 3), (3, 2), (1, 4), (4, 1)]);
    let mut subject = Subject::new(choices, vector(plain("Int16"), vec![other]));
    let codec = vector(plain("Int16"), vec![size]);
    let (column_type, _) = crate::idv::valid::understood(&codec);
    // The other blocks keep the size.
    let rows: Vec<Row> = (0..subject.draft.rows()).map(|_| values::row(choices, &column_type, Version::V6)).collect();
    let fields = subject.fields();
    subject.column().entry.codec = codec;
    if !subject.column().set_rows(&rows) {
        return None;
    }
    subject.set_content(&fields.write());
    subject.whole()
}

/// Creates a sparse vector that stores all of its items, or a negative number of them.
fn sparse_count(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let size = 1 + choices.below(4) as u32;
    let mut subject = Subject::new(choices, vector(plain("Int32"), vec![size as i32]));
    let is_full = choices.one_in(2);
    let places: Vec<u32> = if is_full { (0..size).collect() } else { Vec::new() };
    let items = vec![Item::Number(7); places.len()];
    *subject.rows.first_mut()? = Row::Vector { length: size, indices: Some(places), items };
    let mut fields = subject.fields();
    if !is_full {
        *fields.shape.as_mut()?.stored.first_mut()? = -2 - choices.below(100) as i32;
    }
    subject.set_content(&fields.write());
    subject.whole()
}

/// Creates fewer indices than stored items.
fn index_count(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    sparse(choices, |fields, _| {
        if let Some(shape) = &mut fields.shape {
            shape.indices.pop();
            shape.index_count -= 1;
        }
    })
}

fn excess_indices(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let more = 1 + choices.below(3) as i32;
    sparse(choices, |fields, _| {
        if let Some(shape) = &mut fields.shape {
            shape.indices.extend(0..more);
            shape.index_count += more;
        }
    })
}

fn indices(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let wrong = if choices.one_in(2) { -1 - choices.below(9) as i32 } else { 6 + choices.below(9) as i32 };
    sparse(choices, |fields, _| {
        if let Some(first) = fields.shape.as_mut().and_then(|shape| shape.indices.first_mut()) {
            *first = wrong;
        }
    })
}

/// Sets a key above the number of categories.
fn key_value(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let count = 1 + choices.below(200);
    let over = count + 1 + choices.below(255 - count);
    with_item(choices, key(plain("Byte"), count), Item::Number(over.into()))
}

/// Sets padding bits. There are fewer rows than a byte has bits, so the highest bit of each block is unused.
fn bool_padding(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let rows = 1 + choices.below(7);
    let facts = (Version::V6, rows, rows);
    let compression = *choices.pick(&[Compression::NONE, Compression::DEFLATE]);
    let mut subject = Subject::of_rows(choices, facts, plain("Boolean"), compression);
    let mut content = subject.fields().write();
    *content.last_mut()? |= 0x80;
    subject.set_content(&content);
    subject.whole()
}

/// Creates a valid table with booleans of two bits.
fn old_booleans(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    Subject::with(choices, Version::V5, plain("DvBool"), Compression::NONE).whole()
}

fn bool_value(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = Subject::with(choices, Version::V5, plain("DvBool"), Compression::NONE);
    let mut fields = subject.fields();
    let place = choices.index(fields.items.len());
    *fields.items.get_mut(place)? = Item::Number(3);
    subject.set_content(&fields.write());
    subject.whole()
}

/// Sets ticks before the year 1, or after the year 9999.
fn date_time(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let over = LAST_TICK as u64 + 1 + choices.below(1 << 40);
    let ticks = if choices.one_in(2) { over } else { (1 + choices.below(1 << 40)).wrapping_neg() };
    match choices.one_in(2) {
        true => with_item(choices, plain("DateTime"), Item::Number(ticks.into())),
        false => with_item(choices, plain("DateTimeOffset"), Item::Time(0, ticks as i64)),
    }
}

/// Sets an offset from UTC beyond 14 hours, the limit of .NET.
fn time_zone(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let minutes = 841 + choices.below(9) as i16;
    let minutes = if choices.one_in(2) { minutes } else { -minutes };
    with_item(choices, plain("DateTimeOffset"), Item::Time(minutes, LAST_TICK / 2))
}

/// Creates a valid table with times.
fn times(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    Subject::with(choices, Version::V6, plain("DateTime"), Compression::NONE).whole()
}

fn missing_time(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    match choices.below(3) {
        0 => with_item(choices, plain("DateTimeOffset"), Item::Time(0, i64::MIN)),
        1 => with_item(choices, plain("DateTime"), Item::Number(1 << 63)),
        _ => with_item(choices, plain("TimeSpan"), Item::Number(1 << 63)),
    }
}
