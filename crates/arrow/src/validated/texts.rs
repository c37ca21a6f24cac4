//! Texts and bytes: their offsets, their views, and UTF-8.

use super::offsets::{ensure_offsets, part};
use crate::error::Trouble;
use arrow_array::types::{ByteArrayType, ByteViewType};
use arrow_array::{Array, GenericByteArray, GenericByteViewArray};
use arrow_buffer::{ArrowNativeType, Buffer};
use arrow_data::{ByteView, MAX_INLINE_VIEW_LEN};
use ndbytes::{Error, Memory};
use std::mem::size_of;

/// The kind of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bytes {
    Text,
    Any,
}

impl Bytes {
    fn name(self) -> &'static str {
        match self {
            Bytes::Text => "text",
            Bytes::Any => "value",
        }
    }

    /// Returns the name of the item at an index: `text 3`, `text 3 of its items`.
    fn item(self, item: usize, place: &str) -> String {
        let of = if place.is_empty() { "" } else { " of " };
        format!("{} {item}{of}{place}", self.name())
    }
}

/// Checks the offsets of texts or bytes, and UTF-8.
pub(super) fn ensure_valid<T: ByteArrayType>(
    array: &GenericByteArray<T>,
    bytes: Bytes,
    place: &str,
) -> Result<(), Trouble> {
    // The import reads no bytes for an array without items, whatever its only offset is: in a slice, it can have any value.
    if array.is_empty() {
        return Ok(());
    }
    let offsets = array.value_offsets();
    let texts = part(place, &format!("{}s", bytes.name()));
    let span = ensure_offsets(offsets, array.values().len(), &texts)?;
    if bytes == Bytes::Any {
        return Ok(());
    }
    let start = span.start;
    let content = &array.values()[span];
    if content.is_ascii() {
        return Ok(());
    }
    let broken = match std::str::from_utf8(content) {
        Ok(text) => {
            let place = |offset: &T::Offset| offset.as_usize() - start;
            offsets.iter().map(place).find(|&place| !text.is_char_boundary(place))
        }
        Err(error) => Some(error.valid_up_to()),
    };
    match broken {
        None => Ok(()),
        Some(broken) => {
            // The last text that begins at or before the byte.
            let item = offsets.partition_point(|offset| offset.as_usize() - start <= broken);
            Err(Trouble::Column(format!("{} is not UTF-8", bytes.item(item.saturating_sub(1), place))))
        }
    }
}

/// A string in a buffer: the number of the buffer, and where the string begins and ends.
type Long = (u32, u32, u32);

/// Checks the views of texts or bytes, and UTF-8.
pub(super) fn ensure_views<T: ByteViewType + ?Sized>(
    array: &GenericByteViewArray<T>,
    bytes: Bytes,
    memory: &Memory,
    place: &str,
) -> Result<(), Trouble> {
    let (views, buffers) = (array.views(), array.data_buffers());
    let texts = part(place, &format!("{}s", bytes.name()));
    let (mut longs, needed, what) =
        (Vec::<Long>::new(), (views.len() * size_of::<Long>()) as u64, "the views of a column");
    let _debited = memory.take(needed, what)?;
    longs.try_reserve_exact(views.len()).map_err(|_| Error::Limit { what, needed, left: 0 })?;
    for (item, &raw) in views.iter().enumerate() {
        let refuse = |what: &str| Err(Trouble::Column(format!("{} {what}", bytes.item(item, place))));
        let view = ByteView::from(raw);
        let inline = raw.to_le_bytes();
        if view.length <= MAX_INLINE_VIEW_LEN {
            let (text, rest) = inline[size_of::<u32>()..].split_at(view.length as usize);
            if rest.iter().any(|&byte| byte != 0) {
                return refuse("has bytes after its end in its view");
            }
            if bytes == Bytes::Text && std::str::from_utf8(text).is_err() {
                return refuse("is not UTF-8");
            }
            continue;
        }
        let Some(buffer) = buffers.get(view.buffer_index as usize) else {
            return refuse(&format!("is in buffer {}, but there are {}", view.buffer_index, buffers.len()));
        };
        let (start, end) = (u64::from(view.offset), u64::from(view.offset) + u64::from(view.length));
        let Some(text) = buffer.get(start as usize..end as usize) else {
            return refuse(&format!("ends at byte {end} of buffer {}, which has {}", view.buffer_index, buffer.len()));
        };
        if text[..size_of::<u32>()] != view.prefix.to_le_bytes() {
            return refuse("does not begin with the bytes that its view states");
        }
        if bytes == Bytes::Text {
            let Ok(end) = u32::try_from(end) else { return refuse("ends after 4 GiB of its buffer") };
            longs.push((view.buffer_index, view.offset, end));
        }
    }
    ensure_utf8(longs, buffers, &texts)
}

/// Checks the UTF-8 of texts in buffers. Overlapping texts are valid if everything that they cover is, and if each
/// begins and ends at a character boundary. Each byte is therefore checked at most once, however many texts share it.
fn ensure_utf8(mut longs: Vec<Long>, buffers: &[Buffer], texts: &str) -> Result<(), Trouble> {
    if !longs.is_sorted() {
        longs.sort_unstable();
    }
    let mut rest = &longs[..];
    while let Some(&(number, start, mut end)) = rest.first() {
        let mut count = 0;
        while let Some(&(_, _, next)) = rest.get(count).filter(|next| next.0 == number && next.1 <= end) {
            end = end.max(next);
            count += 1;
        }
        let (together, others) = rest.split_at(count);
        let refuse = |from: u32, to: u32| {
            let what = format!("{texts} are not UTF-8 in bytes {from} to {to} of buffer {number}");
            Err(Trouble::Column(what))
        };
        let content = &buffers[number as usize][start as usize..end as usize];
        let Ok(text) = std::str::from_utf8(content) else { return refuse(start, end) };
        let is_cut = |place: u32| !text.is_char_boundary((place - start) as usize);
        if let Some(&(_, from, to)) = together.iter().find(|(_, from, to)| is_cut(*from) || is_cut(*to)) {
            return refuse(from, to);
        }
        rest = others;
    }
    Ok(())
}
