//! Encodes values as the bytes of a block.
//!
//! The layout of a block is declared once, for both reading and writing. To write numbers without first copying them into the
//! layout, a block is encoded in two steps. First, the layout is written with the counts of its lists, which yields a skeleton of
//! the right length. Then the skeleton is read to find the position of every list, and the numbers are written there directly.

use crate::bytes::memory;
use crate::error::{Error, Result};
use crate::idv::read::decode::{LAST_TICK, MOST_OFFSET_MINUTES, TICKS_PER_MINUTE};
use crate::idv::values::items::Items;
use crate::idv::values::make::inexpressible;
use crate::idv::values::texts::Texts;
use crate::idv::values::types::{ColumnType, ItemType};
use crate::idv::values::{Values, Vectors};
use binrw::args;
use everybyte::{
    Endian, Source, bytes::Bytes, list::Numbers, number::Number, read, trace::length_of, varint::Leb128, write,
};
use ndbytes_schemas::idv::{Block, Scalars, Storage, Vectors as StoredVectors};

/// Returns the bytes of a block that contains these rows.
///
/// # Errors
/// [`Error::Inexpressible`] if the values are of another type, or if the format cannot represent them.
pub(crate) fn encode(values: &Values, column_type: &ColumnType) -> Result<Vec<u8>> {
    ensure_expressible(values, column_type)?;
    let stored = column_type.stored();
    let text = match values.items() {
        Items::Text(texts) => Some(Joined::of(texts)?),
        _ => None,
    };
    let block = match &values.vectors {
        None => Block::Scalars { scalars: scalars(stored.storage, values.items().len(), text.as_ref())? },
        Some(vectors) => Block::Vectors { vectors: self::vectors(values, vectors, stored.storage, text.as_ref())? },
    };
    // The layout yields the positions of all numbers, which are then filled in.
    let length = length_of(&block, Endian::Little);
    let length =
        i32::try_from(length).map_err(|_| too_large("a block of over 2^31 - 1 bytes: use fewer rows per block"))?;
    let what = "the bytes of a block";
    let mut bytes =
        memory::zeros::<u8>(length as usize).ok_or(Error::Limit { what, needed: length as u64, left: 0 })?;
    let skeleton = write(&block, Endian::Little).map_err(|_| too_large("too many values in a block"))?;
    bytes[..skeleton.len()].copy_from_slice(&skeleton);
    let (source, rows) = (Source::new(&bytes), values.rows() as u64);
    let placed = read::<Block>(source, Endian::Little, args! { items: stored, rows });
    match placed.expect("what was written can be read") {
        Block::Scalars { scalars } => fill(&mut bytes, &scalars, values.items(), text.as_ref()),
        Block::Vectors { vectors } => {
            if let Some(Vectors::Mixed(mixed)) = &values.vectors {
                put(&mut bytes, &vectors.indices, mixed.indices.iter().map(|index| index.to_le_bytes()));
            }
            fill(&mut bytes, &vectors.items, values.items(), text.as_ref());
        }
    }
    Ok(bytes)
}

fn too_large(what: &str) -> Error {
    inexpressible(what.to_owned())
}

/// All texts of a block, joined into one.
struct Joined {
    text: String,
    /// The end of each text, in UTF-16 units.
    ends: Vec<i32>,
}

impl Joined {
    fn of(texts: &Texts) -> Result<Self> {
        let mut joined = Joined { text: String::new(), ends: Vec::new() };
        let mut end = 0_u64;
        let mut whole = true;
        for text in texts.iter() {
            end += match text.to_str() {
                Some(text) if text.is_ascii() => text.len() as u64,
                Some(text) => text.encode_utf16().count() as u64,
                None => {
                    whole = false;
                    text.utf16().count() as u64
                }
            };
            let end = i32::try_from(end).map_err(|_| too_large("over 2^31 - 1 UTF-16 units of text in a block"))?;
            joined.ends.push(end);
        }
        if whole {
            texts.iter().filter_map(|text| text.to_str()).for_each(|text| joined.text.push_str(text));
            return Ok(joined);
        }
        // Two adjacent halves of a character become one character in the file.
        for unit in char::decode_utf16(texts.iter().flat_map(|text| text.utf16())) {
            let half = |_| inexpressible("an unpaired surrogate".into());
            joined.text.push(unit.map_err(half)?);
        }
        Ok(joined)
    }
}

fn scalars(storage: Storage, count: usize, text: Option<&Joined>) -> Result<Scalars> {
    let items = count as u64;
    Ok(match storage {
        Storage::Numbers(number) => Scalars::Numbers { values: Numbers::new(number, items) },
        Storage::Bits => Scalars::Bits { bytes: Numbers::new(Number::U8, items.div_ceil(8)) },
        Storage::DateTimeOffset => Scalars::DateTimeOffset {
            offsets: Numbers::new(Number::I16, items),
            ticks: Numbers::new(Number::I64, items),
        },
        Storage::Text => {
            let length = text.map_or(0, |joined| joined.text.len()) as u64;
            Scalars::Text {
                count: i32::try_from(count).map_err(|_| too_large("over 2^31 - 1 texts in a block"))?,
                ends: Numbers::new(Number::I32, items),
                length: Leb128::new(length),
                text: Bytes::new(length),
            }
        }
        Storage::BitPairs => unreachable!("today's booleans are single bits"),
    })
}

fn vectors(values: &Values, vectors: &Vectors, storage: Storage, text: Option<&Joined>) -> Result<StoredVectors> {
    let rows = values.rows();
    let count = i32::try_from(rows).map_err(|_| too_large("over 2^31 - 1 vectors in a block"))?;
    let (size, lengths, stored_counts, index_count) = match vectors {
        // A size of 0 would mean vectors of different lengths, so empty vectors state their lengths.
        Vectors::Dense(0) => (0, vec![0; rows], vec![-1; rows], 0),
        Vectors::Dense(length) => (*length as i32, Vec::new(), vec![-1; rows], 0),
        Vectors::Mixed(mixed) => {
            let same =
                mixed.lengths.first().copied().filter(|first| mixed.lengths.iter().all(|length| length == first));
            let size = same.unwrap_or(0) as i32;
            let lengths = mixed.lengths.iter().map(|&length| length as i32);
            let counts = (0..rows).map(|row| match values.vector(row).and_then(|vector| vector.indices()) {
                Some(indices) => indices.len() as i32,
                None => -1,
            });
            (size, if size == 0 { lengths.collect() } else { Vec::new() }, counts.collect(), mixed.indices.len())
        }
    };
    let index_count = i32::try_from(index_count).map_err(|_| too_large("over 2^31 - 1 items of sparse vectors"))?;
    Ok(StoredVectors {
        count,
        size,
        lengths,
        stored_counts,
        index_count,
        indices: Numbers::new(Number::I32, index_count as u64),
        items: scalars(storage, values.items().len(), text)?,
    })
}

/// Copies items to the positions in the layout.
fn fill(bytes: &mut [u8], scalars: &Scalars, items: &Items, text: Option<&Joined>) {
    match (scalars, items) {
        (Scalars::Numbers { values: numbers }, items) => fill_numbers(bytes, numbers, items),
        (Scalars::Bits { bytes: packed }, Items::Bool(items)) => {
            put(
                bytes,
                packed,
                items
                    .chunks(8)
                    .map(|bits| [bits.iter().enumerate().fold(0, |byte, (place, &bit)| byte | u8::from(bit) << place)]),
            );
        }
        (Scalars::DateTimeOffset { offsets, ticks }, Items::DateTimeOffset(times)) => {
            put(bytes, offsets, times.iter().map(|time| time.offset_minutes.to_le_bytes()));
            put(bytes, ticks, times.iter().map(|time| time.ticks.to_le_bytes()));
        }
        (Scalars::Text { ends, text: place, .. }, Items::Text(_)) => {
            let Some(joined) = text else { return };
            put(bytes, ends, joined.ends.iter().map(|end| end.to_le_bytes()));
            let range = place.range();
            bytes[range.start as usize..range.end as usize].copy_from_slice(joined.text.as_bytes());
        }
        _ => unreachable!("the layout was made for these items"),
    }
}

fn fill_numbers(bytes: &mut [u8], numbers: &Numbers, items: &Items) {
    macro_rules! put_all {
        ($items:expr) => {
            put(bytes, numbers, $items.iter().map(|item| item.to_le_bytes()))
        };
    }
    match items {
        Items::I8(items) => put_all!(items),
        Items::I16(items) => put_all!(items),
        Items::I32(items) => put_all!(items),
        Items::I64(items) => put_all!(items),
        Items::U8(items) => put_all!(items),
        Items::U16(items) => put_all!(items),
        Items::U32(items) => put_all!(items),
        Items::U64(items) => put_all!(items),
        Items::RowId(items) => put_all!(items),
        Items::F32(items) => put_all!(items),
        Items::F64(items) => put_all!(items),
        Items::Bool(_) | Items::DateTimeOffset(_) | Items::Text(_) => unreachable!("these are not numbers"),
    }
}

fn put<const N: usize>(bytes: &mut [u8], numbers: &Numbers, items: impl Iterator<Item = [u8; N]>) {
    let range = numbers.range();
    let places = bytes[range.start as usize..range.end as usize].as_chunks_mut::<N>().0;
    places.iter_mut().zip(items).for_each(|(place, item)| *place = item);
}

/// Refuses values of another type and values that would be lost or read differently.
pub(crate) fn ensure_expressible(values: &Values, column_type: &ColumnType) -> Result<()> {
    let refuse = |what: String| Err(inexpressible(what));
    if std::mem::discriminant(values.items()) != std::mem::discriminant(&Items::new(column_type.item)) {
        return refuse(format!("items of another type in a column of {column_type}"));
    }
    if values.are_vectors() != column_type.dims.is_some() {
        let what = if values.are_vectors() { "vectors" } else { "single items" };
        return refuse(format!("{what} in a column of {column_type}"));
    }
    if !values.nulls().is_empty() {
        return refuse("missing values: version 1.1.1.6 has none".into());
    }
    if let Some(size) = column_type.vector_size() {
        let wrong =
            (0..values.rows()).filter_map(|row| values.vector(row)).find(|vector| vector.len() != size as usize);
        if let Some(vector) = wrong {
            return refuse(format!("a vector of {} items in a column of {column_type}", vector.len()));
        }
    }
    ensure_items(values, column_type.item)
}

fn ensure_items(values: &Values, item: ItemType) -> Result<()> {
    let refuse = |what: String| Err(inexpressible(what));
    match (item, values.items()) {
        (ItemType::Key(key), items) => {
            let over = (0..items.len()).filter_map(|item| items.category(item)).find(|&category| category >= key.count);
            match over {
                Some(category) => refuse(format!("the key {}, since there are {} categories", category + 1, key.count)),
                None => Ok(()),
            }
        }
        (ItemType::TimeSpan, Items::I64(ticks)) if !values.are_vectors() && ticks.contains(&i64::MIN) => {
            refuse("a duration of -2^63 ticks, which ML.NET reads as zero".into())
        }
        (ItemType::DateTime, Items::I64(ticks)) => match ticks.iter().find(|ticks| !(0..=LAST_TICK).contains(*ticks)) {
            Some(ticks) => refuse(format!("the time {ticks}, which is not between the years 1 and 9999")),
            None => Ok(()),
        },
        (ItemType::DateTimeOffset, Items::DateTimeOffset(times)) => {
            let is_wrong = |time: &&crate::idv::DateTimeOffset| {
                let minutes = time.offset_minutes;
                !(-MOST_OFFSET_MINUTES..=MOST_OFFSET_MINUTES).contains(&minutes)
                    || !(0..=LAST_TICK).contains(&time.ticks)
                    || !(0..=LAST_TICK).contains(&(time.ticks - i64::from(minutes) * TICKS_PER_MINUTE))
            };
            match times.iter().find(is_wrong) {
                Some(time) => {
                    refuse(format!("the time {time:?}, over 14 hours from UTC or out of the years 1 to 9999"))
                }
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}
