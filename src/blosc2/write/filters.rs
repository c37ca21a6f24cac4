//! Filters as a writer applies them.

use super::inexpressible;
use crate::bytes::memory;
use crate::error::{Error, Result};
use crate::types::dtype::{Dtype, ElementKind};
use crate::types::item_type::ItemType;
use everybyte::Endian;
use ndbytes_codecs::filters;
use ndbytes_schemas::blosc2::{FILTER_SLOTS, FilterId, FilterIds};

/// The largest parameter of a filter that python-blosc2 can open: it takes them for signed.
const LARGEST_PARAMETER: u8 = i8::MAX as u8;

/// A filter of the bytes of a block, applied before they are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Filter {
    /// Puts the bytes of the same place in all items side by side. For NumPy's `str_`, an item is a character, not a whole
    /// text. Items of more than 255 bytes stay unfiltered.
    Shuffle,
    /// The same, for numbers of the given width (1 to 127 bytes) instead of items. C-Blosc2 before 2.23.1 reads it as
    /// [`Filter::Shuffle`].
    ShuffleBy(u8),
    /// Puts the bits of the same place in all items side by side.
    Bitshuffle,
    /// Keeps only the differing bits of an item. In a chunk's first block, they differ from the item before it. In the
    /// other blocks, they differ from the item at the same place of the first block. Only truncations may come before
    /// it. Chunks of several blocks have to be requested: [`Writer::delta_blocks`](crate::b2nd::Writer::delta_blocks).
    Delta,
    /// Keeps the difference of every byte from the one before it, in shuffled items of up to 127 bytes.
    Bytedelta,
    /// The same, for numbers of the given width (1 to 127 bytes) by which the items were shuffled.
    BytedeltaBy(u8),
    /// Keeps this many bits of the fraction of every float (`f32`: 1 to 23, `f64`: 1 to 52) and clears the others.
    /// Other numbers are read back. Infinities stay; a NaN may become one.
    TruncPrec(u8),
    /// Keeps this many of the highest bits of every integer and clears the others. Other numbers are read back. As with
    /// `TruncPrec`, a chunk that is stored uncompressed, at level 0 or because it does not become smaller, keeps all.
    IntTrunc(u8),
}

impl Filter {
    /// The filter of a number and a parameter in a file; `None` if no writer has it, or if it changes values.
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

    fn loses(self) -> bool {
        matches!(self, Filter::TruncPrec(_) | Filter::IntTrunc(_))
    }
}

/// Filters in a row.
#[derive(Debug, Clone, Default)]
pub struct Pipeline {
    filters: Vec<Filter>,
    /// Bytes of an item, and the size that the header of a chunk states.
    item_size: usize,
    typesize: usize,
}

impl Pipeline {
    /// The filters for items of a type.
    ///
    /// # Errors
    /// [`Error::Inexpressible`](crate::error::Error::Inexpressible) if they cannot be applied to it, or one after the other.
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
                // As in python-blosc2: a width that all readers interpret alike.
                (Filter::Bytedelta, item) if item.size() <= LARGEST_PARAMETER.into() => {
                    Filter::BytedeltaBy(item.size() as u8)
                }
                (filter, _) => filter,
            };
            let is_late = resolved.iter().any(|before| !before.loses());
            if is_late && filter.loses() {
                return Err(inexpressible("a truncation after another filter: it would not see numbers".into()));
            }
            if is_late && filter == Filter::Delta {
                let what = "the filter Delta after another one: C-Blosc2 would not always read the same";
                return Err(inexpressible(what.into()));
            }
            ensure_fits(filter, item_type)?;
            resolved.push(filter);
        }
        Ok(Pipeline { filters: resolved, ..Pipeline::none(item_type.size()) })
    }

    /// No filter, for items of `item_size` bytes.
    pub fn none(item_size: u64) -> Self {
        let item_size = item_size as usize;
        Pipeline { filters: Vec::new(), item_size, typesize: if item_size > 255 { 1 } else { item_size } }
    }

    /// The filter shuffle alone, for items of `item_size` bytes.
    pub fn shuffle(item_size: u64) -> Self {
        Pipeline { filters: vec![Filter::Shuffle], ..Pipeline::none(item_size) }
    }

    /// Bytes of an item.
    pub fn item_size(&self) -> usize {
        self.item_size
    }

    /// The size of an item that the header of a chunk states.
    pub fn typesize(&self) -> usize {
        self.typesize
    }

    /// The numbers and parameters of the filters. A single one takes the last slot, as in python-blosc2.
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

    /// Applies the lossy filters: gives a block as it will be read back.
    pub fn truncate(&self, block: &mut [u8]) {
        for &filter in &self.filters {
            self.truncate_by(filter, block);
        }
    }

    /// Applies all filters. For blocks other than a chunk's first one, `reference` is the first one as it will be read back.
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

    fn truncate_by(&self, filter: Filter, block: &mut [u8]) {
        let truncated = match filter {
            Filter::TruncPrec(bits) => filters::truncate_floats(self.typesize, bits as i8, block),
            Filter::IntTrunc(bits) => filters::truncate_integers(self.typesize, bits as i8, block),
            _ => true,
        };
        debug_assert!(truncated, "the parameter was checked");
    }
}

/// Judges whether a filter can be applied to items of a type.
fn ensure_fits(filter: Filter, item_type: &ItemType) -> Result<()> {
    let dtype = item_type.dtype();
    let most = match filter {
        Filter::Shuffle | Filter::Bitshuffle | Filter::Delta => return Ok(()),
        // Narrower items have it by their width.
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
