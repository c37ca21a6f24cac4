//! The smallest and the largest element of an array.

use super::elements::Elements;
use crate::bytes::threads;
use crate::error::Result;
use crate::types::dtype::{Element, ElementKind};
use everybyte::map::Space;
use half::{bf16, f16};
use rayon::prelude::*;
use std::ops::Range;

/// Adds the kind of elements in a field to a map and, if `elements` is given, their range.
pub(crate) fn describe(space: &mut Space, field: &str, kind: String, elements: Option<Elements<'_>>) -> Result<()> {
    let Some(node) = space.edit(field) else { return Ok(()) };
    let node = node.type_name(kind);
    if let Some(reach) = elements.as_ref().map(extremes).transpose()?.flatten() {
        node.meaning(reach);
    }
    Ok(())
}

/// Formats the minimum and the maximum of all elements. `None` if the elements are not ordered or if there are none.
pub(crate) fn extremes(elements: &Elements<'_>) -> Result<Option<String>> {
    match elements.dtype.kind {
        ElementKind::I8 => ordered::<i8>(elements),
        ElementKind::I16 => ordered::<i16>(elements),
        ElementKind::I32 => ordered::<i32>(elements),
        ElementKind::I64 => ordered::<i64>(elements),
        ElementKind::I128 => ordered::<i128>(elements),
        ElementKind::U8 => ordered::<u8>(elements),
        ElementKind::U16 => ordered::<u16>(elements),
        ElementKind::U32 => ordered::<u32>(elements),
        ElementKind::U64 => ordered::<u64>(elements),
        ElementKind::U128 => ordered::<u128>(elements),
        ElementKind::F16 => ordered::<f16>(elements),
        ElementKind::Bf16 => ordered::<bf16>(elements),
        ElementKind::F32 => ordered::<f32>(elements),
        ElementKind::F64 => ordered::<f64>(elements),
        _ => Ok(None),
    }
}

/// The number of elements that are compared at once.
const PIECE: u64 = 64 << 10;

/// Arrays of at least this many bytes are shared among the threads of the current rayon pool.
const PARALLEL: u64 = 8 << 20;

/// The extremes of some elements, and the number of unordered ones.
struct Extremes<T> {
    range: Option<(T, T)>,
    unordered: u64,
}

impl<T: Element + PartialOrd> Extremes<T> {
    /// No elements.
    const NONE: Self = Extremes { range: None, unordered: 0 };

    /// The minimum and maximum of a range of elements. NaN is unordered, so it is counted separately.
    fn of(elements: &Elements<'_>, range: Range<u64>) -> Result<Self> {
        elements.input.budget().ensure_time()?;
        let mut found = Self::NONE;
        for value in elements.range_to_vec::<T>(range)? {
            #[allow(clippy::eq_op, reason = "only NaN differs from itself")]
            if value != value {
                found.unordered += 1;
                continue;
            }
            found.range = Some(wider(found.range.unwrap_or((value, value)), (value, value)));
        }
        Ok(found)
    }

    /// Combines two sets of extremes.
    fn and(self, other: Self) -> Self {
        let range = match (self.range, other.range) {
            (Some(range), Some(other)) => Some(wider(range, other)),
            (range, other) => range.or(other),
        };
        Extremes { range, unordered: self.unordered + other.unordered }
    }
}

/// Returns the range that covers both. If two bounds are equal, the first one is kept.
fn wider<T: PartialOrd>((least, greatest): (T, T), (low, high): (T, T)) -> (T, T) {
    (if low < least { low } else { least }, if high > greatest { high } else { greatest })
}

/// Formats the extremes and the number of NaNs; `None` for an array without elements. Long arrays are divided among threads.
fn ordered<T: Element + PartialOrd + std::fmt::Debug>(elements: &Elements<'_>) -> Result<Option<String>> {
    let pieces = 0..elements.count.div_ceil(PIECE);
    let of = |piece: u64| Extremes::<T>::of(elements, piece * PIECE..elements.count.min((piece + 1) * PIECE));
    let Extremes { range, unordered } = if elements.byte_length() < PARALLEL {
        pieces.map(of).try_fold(Extremes::NONE, |all, part| part.map(|part| all.and(part)))?
    } else {
        threads::ready();
        pieces.into_par_iter().map(of).try_reduce(|| Extremes::NONE, |all, part| Ok(all.and(part)))?
    };
    let range = range.map(|(least, greatest)| format!("min {least:?}, max {greatest:?}"));
    let nan = (unordered > 0).then(|| format!("{unordered} NaN"));
    let words: Vec<String> = range.into_iter().chain(nan).collect();
    Ok((!words.is_empty()).then(|| words.join(", ")))
}
