//! The least and the greatest element of an array.

use super::elements::Elements;
use crate::error::Result;
use crate::types::dtype::{Element, Kind};
use half::{bf16, f16};

/// The least and the greatest of all elements, in words. `None` for elements without an order, or without elements.
pub(crate) fn extremes(elements: &Elements<'_>) -> Result<Option<String>> {
    match elements.dtype.kind {
        Kind::I8 => ordered::<i8>(elements),
        Kind::I16 => ordered::<i16>(elements),
        Kind::I32 => ordered::<i32>(elements),
        Kind::I64 => ordered::<i64>(elements),
        Kind::I128 => ordered::<i128>(elements),
        Kind::U8 => ordered::<u8>(elements),
        Kind::U16 => ordered::<u16>(elements),
        Kind::U32 => ordered::<u32>(elements),
        Kind::U64 => ordered::<u64>(elements),
        Kind::U128 => ordered::<u128>(elements),
        Kind::F16 => ordered::<f16>(elements),
        Kind::Bf16 => ordered::<bf16>(elements),
        Kind::F32 => ordered::<f32>(elements),
        Kind::F64 => ordered::<f64>(elements),
        _ => Ok(None),
    }
}

/// Elements that are compared in one go.
const PIECE: u64 = 64 << 10;

fn ordered<T: Element + PartialOrd + std::fmt::Debug>(elements: &Elements<'_>) -> Result<Option<String>> {
    let mut extremes: Option<(T, T)> = None;
    let mut unordered = 0_u64;
    let mut start = 0;
    while start < elements.count {
        elements.input.budget().ensure_time()?;
        let end = elements.count.min(start + PIECE);
        for value in elements.range_to_vec::<T>(start..end)? {
            #[allow(clippy::eq_op, reason = "only NaN differs from itself")]
            if value != value {
                unordered += 1;
                continue;
            }
            let (least, greatest) = extremes.unwrap_or((value, value));
            extremes =
                Some((if value < least { value } else { least }, if value > greatest { value } else { greatest }));
        }
        start = end;
    }
    let range = extremes.map(|(least, greatest)| format!("min {least:?}, max {greatest:?}"));
    let nan = (unordered > 0).then(|| format!("{unordered} NaN"));
    let words: Vec<String> = range.into_iter().chain(nan).collect();
    Ok((!words.is_empty()).then(|| words.join(", ")))
}
