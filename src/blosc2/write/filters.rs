//! The filters that a writer applies.

use super::inexpressible;
use crate::bytes::memory;
use crate::error::{Error, Result};
use crate::types::dtype::{Dtype, ElementKind};
use crate::types::item_type::ItemType;
use everybyte::Endian;
use ndbytes_codecs::filters;
use ndbytes_schemas::blosc2::{FILTER_SLOTS, FilterId, FilterIds};

/// The largest filter parameter that python-blosc2 can open, because it treats parameters as signed.
const LARGEST_PARAMETER: u8 = i8::MAX as u8;

/// A filter for the bytes of a block, applied before compression.
///
/// ```
/// use ndbytes::b2nd::{self, Filter, Writer};
///
/// let steps = ndarray::Array1::from_iter((0..10_000_i32).map(|step| 1_000_000 + 3 * step));
/// let file = Writer::new().filters([Filter::Shuffle, Filter::Bytedelta]).to_vec(&steps)?;
/// let plain = Writer::new().filters([]).to_vec(&steps)?;
/// assert!(4 * file.len() < plain.len());
/// assert_eq!(b2nd::from_slice(&file)?.filters(), ["shuffle", "bytedelta"]);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Filter {
    /// Groups the bytes of all items by their position in the item. For NumPy's `str_`, an item is a character, not a whole string.
    /// Items of more than 255 bytes are not filtered.
    Shuffle,
    /// Like `Shuffle`, but for numbers of the given width (1 to 127 bytes) instead of items. C-Blosc2 before 2.23.1 reads it as
    /// [`Filter::Shuffle`].
    ShuffleBy(u8),
    /// Groups the bits of all items by their position in the item.
    Bitshuffle,
    /// Keeps only the bits that differ from a reference item. In the first block of a chunk, this is the previous item. In the
    /// other blocks, it is the item at the same position in the first block. Only truncations may be applied before it. Chunks of
    /// several blocks must be enabled: [`Writer::delta_blocks`](crate::b2nd::Writer::delta_blocks).
    Delta,
    /// Stores the difference between each byte and the previous one, in shuffled items of up to 127 bytes.
    Bytedelta,
    /// Like `Bytedelta`, but for items that were shuffled as numbers of the given width (1 to 127 bytes).
    BytedeltaBy(u8),
    /// Keeps this many bits of the fraction of every float (`f32`: 1 to 23, `f64`: 1 to 52) and clears the others. Values change.
    /// Infinities are unchanged, but a NaN may become an infinity.
    TruncPrec(u8),
    /// Keeps this many of the highest bits of every integer and clears the others. Values change. As with `TruncPrec`, all bits are
    /// kept in a chunk that is stored uncompressed (at level 0, or because it would not become smaller).
    IntTrunc(u8),
}

impl Filter {
    /// Returns the filter for a number and a parameter in a file; `None` if the filter changes values or the writer does not
    /// support it.
    pub(crate) fn of(id: FilterId, parameter: u8) -> Option<Self> {
        let widths =
            [(Filter::Shuffle, Filter::ShuffleBy(parameter)), (Filter::Bytedelta, Filter::BytedeltaBy(parameter))];
        let by_width = widths.into_iter().map(|(plain, by)| if parameter == 0 { plain } else { by });
        by_width.chain([Filter::Bitshuffle, Filter::Delta]).find(|filter| filter.id() == id)
    }

    /// Its number in a file.
    fn id(self) -> FilterId {
        match self {
            Filter::Shuffle | Filter::ShuffleBy(_) => FilterId::SHUFFLE,
            Filter::Bitshuffle => FilterId::BITSHUFFLE,
            Filter::Delta => FilterId::DELTA,
            Filter::TruncPrec(_) => FilterId::TRUNC_PREC,
            Filter::Bytedelta | Filter::BytedeltaBy(_) => FilterId::BYTEDELTA,
            Filter::IntTrunc(_) => FilterId::INT_TRUNC,
        }
    }

    /// Its parameter in a file.
    fn parameter(self) -> u8 {
        match self {
            Filter::Shuffle | Filter::Bitshuffle | Filter::Delta | Filter::Bytedelta => 0,
            Filter::ShuffleBy(number) | Filter::BytedeltaBy(number) => number,
            Filter::TruncPrec(number) | Filter::IntTrunc(number) => number,
        }
    }

    /// Returns whether it changes values. Lossy filters must come before all others, because these would hide the values from them.
    fn loses(self) -> bool {
        matches!(self, Filter::TruncPrec(_) | Filter::IntTrunc(_))
    }
}

/// A sequence of filters.
#[derive(Debug, Clone, Default)]
pub struct Pipeline {
    filters: Vec<Filter>,
    /// The item size in bytes, and the item size that the header of a chunk states.
    item_size: usize,
    typesize: usize,
}

impl Pipeline {
    /// The filters for items of this type.
    ///
    /// # Errors
    /// [`Error::Inexpressible`](crate::error::Error::Inexpressible) if they cannot be applied to items of this type, or not in this
    /// order.
    pub fn new(filters: &[Filter], item_type: &ItemType) -> Result<Self> {
        if filters.len() > FILTER_SLOTS {
            return Err(inexpressible(format!(
                "{} filters, which exceed the maximum of {FILTER_SLOTS}",
                filters.len()
            )));
        }
        let mut resolved: Vec<Filter> = Vec::new();
        for &filter in filters {
            let filter = match (filter, item_type) {
                (Filter::Shuffle, ItemType::Plain(Dtype { kind: kind @ ElementKind::Str(_), .. })) => {
                    Filter::ShuffleBy(kind.swapped() as u8)
                }
                // The width is stated explicitly, as in python-blosc2, so that all readers interpret it alike.
                (Filter::Bytedelta, item) if item.size() <= LARGEST_PARAMETER.into() => {
                    Filter::BytedeltaBy(item.size() as u8)
                }
                (filter, _) => filter,
            };
            let is_late = resolved.iter().any(|before| !before.loses());
            if is_late && filter.loses() {
                return Err(inexpressible(
                    "a truncation after another filter, which leaves no numbers to truncate".into(),
                ));
            }
            if is_late && filter == Filter::Delta {
                let what = "the filter Delta after another one, which C-Blosc2 does not always read back correctly";
                return Err(inexpressible(what.into()));
            }
            ensure_fits(filter, item_type)?;
            resolved.push(filter);
        }
        Ok(Pipeline { filters: resolved, ..Pipeline::none(item_type.size()) })
    }

    /// No filters, for items of `item_size` bytes.
    pub fn none(item_size: u64) -> Self {
        let item_size = item_size as usize;
        Pipeline { filters: Vec::new(), item_size, typesize: if item_size > 255 { 1 } else { item_size } }
    }

    /// Only the shuffle filter, for items of `item_size` bytes.
    pub fn shuffle(item_size: u64) -> Self {
        Pipeline { filters: vec![Filter::Shuffle], ..Pipeline::none(item_size) }
    }

    /// The size of an item in bytes.
    pub fn item_size(&self) -> usize {
        self.item_size
    }

    /// The item size in the header of a chunk.
    pub fn typesize(&self) -> usize {
        self.typesize
    }

    /// The numbers and parameters of the filters. A single filter uses the last slot, as in python-blosc2.
    pub fn slots(&self) -> (FilterIds, [u8; FILTER_SLOTS]) {
        let (mut ids, mut parameters) = ([FilterId::NONE; FILTER_SLOTS], [0; FILTER_SLOTS]);
        let slots = ids.iter_mut().zip(&mut parameters).rev();
        for ((id, parameter), filter) in slots.zip(self.filters.iter().rev()) {
            (*id, *parameter) = (filter.id(), filter.parameter());
        }
        (FilterIds(ids), parameters)
    }

    /// Returns whether bytes are shuffled.
    pub fn shuffles(&self) -> bool {
        self.filters.iter().any(|filter| matches!(filter, Filter::Shuffle | Filter::ShuffleBy(_)))
    }

    /// Returns whether blocks refer to the first one.
    pub fn has_delta(&self) -> bool {
        self.filters.contains(&Filter::Delta)
    }

    /// Applies the lossy filters in place, so that the block is as it will be read back.
    pub fn truncate(&self, block: &mut [u8]) {
        for &filter in &self.filters {
            self.truncate_by(filter, block);
        }
    }

    /// Applies all filters. Except for the first block of a chunk, `reference` is that block as it will be read back.
    pub fn apply(&self, block: &mut Vec<u8>, other: &mut Vec<u8>, reference: Option<&[u8]>) -> Result<()> {
        for &filter in &self.filters {
            match filter {
                Filter::Shuffle | Filter::ShuffleBy(_) | Filter::Bitshuffle => {
                    let length = block.len();
                    if !memory::set_length(other, length) {
                        return Err(Error::Limit { what: "a block", needed: length as u64, left: 0 });
                    }
                    match filter {
                        Filter::Bitshuffle => filters::bitshuffle(self.typesize, block, other),
                        _ => filters::shuffle(self.width(filter), block, other),
                    }
                    std::mem::swap(block, other);
                }
                Filter::Delta => match reference {
                    None => filters::delta_first(self.typesize, block),
                    Some(reference) => filters::delta(self.typesize, block, reference),
                },
                Filter::Bytedelta | Filter::BytedeltaBy(_) => filters::bytedelta(self.width(filter), block),
                Filter::TruncPrec(_) | Filter::IntTrunc(_) => self.truncate_by(filter, block),
            }
        }
        Ok(())
    }

    /// The width of an item for a filter, in bytes.
    fn width(&self, filter: Filter) -> usize {
        match filter {
            Filter::ShuffleBy(width) | Filter::BytedeltaBy(width) => width.into(),
            _ => self.typesize,
        }
    }

    /// Applies a lossy filter in place.
    fn truncate_by(&self, filter: Filter, block: &mut [u8]) {
        let truncated = match filter {
            Filter::TruncPrec(bits) => filters::truncate_floats(self.typesize, bits as i8, block),
            Filter::IntTrunc(bits) => filters::truncate_integers(self.typesize, bits as i8, block),
            _ => true,
        };
        debug_assert!(truncated, "the parameter was checked");
    }
}

/// Checks whether a filter can be applied to items of a type.
fn ensure_fits(filter: Filter, item_type: &ItemType) -> Result<()> {
    let dtype = item_type.dtype();
    let most = match filter {
        Filter::Shuffle | Filter::Bitshuffle | Filter::Delta => return Ok(()),
        // For narrower items, it has already become `BytedeltaBy`.
        Filter::Bytedelta => {
            let what = format!(
                "the filter Bytedelta for items of {} bytes, which exceed the maximum of {LARGEST_PARAMETER}",
                dtype.kind.size()
            );
            return Err(inexpressible(what));
        }
        Filter::ShuffleBy(_) | Filter::BytedeltaBy(_) => LARGEST_PARAMETER,
        Filter::TruncPrec(_) => match dtype.kind {
            ElementKind::F32 => (f32::MANTISSA_DIGITS - 1) as u8,
            ElementKind::F64 => (f64::MANTISSA_DIGITS - 1) as u8,
            _ => return Err(inexpressible(format!("truncated floats, where the items are {item_type}"))),
        },
        Filter::IntTrunc(_) => match dtype.kind {
            ElementKind::I8
            | ElementKind::I16
            | ElementKind::I32
            | ElementKind::I64
            | ElementKind::U8
            | ElementKind::U16
            | ElementKind::U32
            | ElementKind::U64 => 8 * dtype.kind.size() as u8,
            _ => return Err(inexpressible(format!("truncated integers, where the items are {item_type}"))),
        },
    };
    if filter.loses() && dtype.endian == Endian::Big && dtype.kind.swapped() > 1 {
        return Err(inexpressible(format!("truncated numbers that are big-endian ({item_type})")));
    }
    match filter.parameter() {
        0 => Err(inexpressible(format!("the filter {filter:?}"))),
        parameter if parameter > most => {
            Err(inexpressible(format!("the filter {filter:?} for items of {item_type}: the maximum is {most}")))
        }
        _ => Ok(()),
    }
}
