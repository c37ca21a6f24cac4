//! Determines which items of arrays a file kind can hold, and how.
//!
//! Each target has its own item types, and its own function here, with four possible results: the same bytes under a
//! type of the target, a wider type that holds every number exactly, raw bytes without a meaning, or a refusal. Numbers
//! are never rounded, and integers never wrap.
//!
//! This module does not decide whether a change of type is acceptable. It becomes a [`Loss`], and [`Options`] decide:
//! `u16` as `i32` needs [`Options::lossy`], since the file no longer states the original type.

use super::tensor_types;
use super::view::View;
use super::widen::Widening;
use crate::error::{Error, Loss, Result, Weight};
use crate::kind::FileKind;
use crate::options::Options;
use crate::zarr::types::v3_of;
use ndbytes::everybyte::Endian;
use ndbytes::{Dtype, ElementKind, ItemType};
use ndbytes_schemas::gguf::Gguf;

/// How items are stored.
#[derive(Debug)]
pub struct Fit {
    /// The type that the items have in the target.
    pub item_type: ItemType,
    /// The change of the bytes, if there is one.
    pub widening: Option<Widening>,
    /// The losses.
    pub loss: Option<Loss>,
}

/// Decides how a kind stores the items of an array.
#[cfg_attr(not(feature = "png"), allow(unused_variables, reason = "only pictures have options"))]
pub fn fit(kind: FileKind, view: &View<'_>, options: &Options<'_>) -> Result<Fit> {
    let stored = view.item_type();
    match kind {
        FileKind::Idx | FileKind::IdxGzip => {
            if view.shape().is_empty() {
                return Err(Error::Refused { kind, what: "an array without axes".into() });
            }
            idx(kind, view)
        }
        FileKind::RawArray => rawarray(kind, view),
        FileKind::B2nd => match of_numpy(stored) {
            Some(item_type) if item_type.size() > 0 => Ok(same(item_type)),
            _ => raw(kind, view),
        },
        FileKind::Npy | FileKind::Npz => Ok(npy(kind, view)),
        FileKind::Safetensors => safetensors(kind, view),
        FileKind::Gguf => gguf(kind, view),
        FileKind::Zarr | FileKind::ZarrZip => zarr(kind, view),
        #[cfg(feature = "png")]
        FileKind::Png => png(kind, view, options),
        #[cfg(not(feature = "png"))]
        FileKind::Png => Err(Error::NotBuilt { kind, feature: "png" }),
        FileKind::Idv | FileKind::Parquet | FileKind::Arrow | FileKind::Arrows | FileKind::Csv | FileKind::Jsonl => {
            Err(Error::Refused { kind, what: "an array".into() })
        }
    }
}

/// Returns items that are stored unchanged.
fn same(item_type: ItemType) -> Fit {
    Fit { item_type, widening: None, loss: None }
}

/// Returns the type under its NumPy name, or `None` if NumPy does not have it.
fn of_numpy(item_type: &ItemType) -> Option<ItemType> {
    match item_type {
        // A bit becomes a byte when it is read.
        ItemType::Plain(Dtype { kind: ElementKind::Bit, .. }) => Some(plain(ElementKind::Bool, Endian::Little)),
        // Single bytes have no byte order.
        ItemType::Plain(Dtype { kind, .. }) if kind.swapped() == 1 => known(&plain(*kind, Endian::Little)),
        other => known(other),
    }
}

/// Converts an item type to its NumPy text and back, if that preserves the layout: `.npy` and b2nd store only the text.
fn known(item_type: &ItemType) -> Option<ItemType> {
    item_type.to_string().parse().ok().filter(|parsed: &ItemType| parsed.has_layout_of(item_type))
}

/// Returns a plain item type.
fn plain(kind: ElementKind, endian: Endian) -> ItemType {
    ItemType::Plain(Dtype::new(kind, endian))
}

/// Returns items whose type changes, with the loss to report.
fn changed(kind: FileKind, view: &View<'_>, item_type: ItemType, widening: Option<Widening>, instead: String) -> Fit {
    let what = format!("the type {} of {}", named(view.item_type()), view.name());
    Fit { item_type, widening, loss: Some(Loss { kind, what, instead, weight: Weight::Values }) }
}

/// Returns the name of a type in a sentence.
fn named(item_type: &ItemType) -> String {
    match item_type {
        ItemType::Plain(dtype) => match dtype.kind {
            kind @ (ElementKind::Bytes(_)
            | ElementKind::Str(_)
            | ElementKind::Record(_)
            | ElementKind::DateTime(_)
            | ElementKind::TimeDelta(_)) => {
                format!("{kind} ({})", dtype.descr())
            }
            kind => kind.to_string(),
        },
        other => other.to_string(),
    }
}

/// Returns the error for an item type that a kind cannot hold.
fn refused(kind: FileKind, view: &View<'_>) -> Error {
    Error::Refused { kind, what: format!("items of {}", named(view.item_type())) }
}

/// Returns items as raw bytes, without their meaning.
fn raw(kind: FileKind, view: &View<'_>) -> Result<Fit> {
    let size = view.item_type().size();
    if size == 0 {
        return Err(refused(kind, view));
    }
    let bytes = if size == 1 { "1 byte".into() } else { format!("{size} bytes") };
    let instead = format!("whose items become {bytes} raw bytes each");
    Ok(changed(kind, view, plain(ElementKind::Record(size), Endian::Little), None, instead))
}

/// The item types of IDX: unsigned bytes, signed integers of 8 to 32 bits, and floats of 32 and 64 bits. Other numbers
/// are widened to one of these if that is exact.
fn idx(kind: FileKind, view: &View<'_>) -> Result<Fit> {
    let stored = view.item_type();
    let ItemType::Plain(dtype) = stored else { return Err(refused(kind, view)) };
    match dtype.kind {
        ElementKind::U8
        | ElementKind::I8
        | ElementKind::I16
        | ElementKind::I32
        | ElementKind::F32
        | ElementKind::F64 => {
            return Ok(same(stored.clone()));
        }
        ElementKind::Bool | ElementKind::Bit => {
            let instead = "whose items become 0 and 1 of type u8".into();
            return Ok(changed(kind, view, plain(ElementKind::U8, Endian::Little), None, instead));
        }
        _ => {}
    }
    widened(kind, view, *dtype)
}

/// Returns items with the same values in a wider type.
fn widened(kind: FileKind, view: &View<'_>, dtype: Dtype) -> Result<Fit> {
    let widening = Widening::of(dtype).ok_or_else(|| refused(kind, view))?;
    let instead = format!("whose items become the same numbers of type {}", widening.to());
    Ok(changed(kind, view, plain(widening.to(), Endian::NATIVE), Some(widening), instead))
}

/// The item types of RawArray. Types without their own class are stored as raw bytes.
fn rawarray(kind: FileKind, view: &View<'_>) -> Result<Fit> {
    let stored = view.item_type();
    let ItemType::Plain(dtype) = stored else { return raw(kind, view) };
    match dtype.kind {
        ElementKind::DateTime(_) | ElementKind::TimeDelta(_) => Ok(counts(kind, view, dtype.endian)),
        ElementKind::Bytes(_)
        | ElementKind::Str(_)
        | ElementKind::LongDouble
        | ElementKind::ComplexLongDouble
        | ElementKind::Record(0) => raw(kind, view),
        _ => Ok(same(stored.clone())),
    }
}

/// The item types of safetensors, which are little-endian.
fn safetensors(kind: FileKind, view: &View<'_>) -> Result<Fit> {
    let stored = view.item_type();
    let ItemType::Plain(dtype) = stored else { return Err(refused(kind, view)) };
    match dtype.kind {
        ElementKind::Bit => Ok(same(plain(ElementKind::Bool, Endian::Little))),
        ElementKind::DateTime(_) | ElementKind::TimeDelta(_) => Ok(counts(kind, view, dtype.endian)),
        known if tensor_types::has(known) => Ok(same(stored.clone())),
        _ => Err(refused(kind, view)),
    }
}

/// The item types of GGUF that are not blocks: signed integers, and floats, of at most 4 axes. Other numbers are widened to one of these
/// if that is exact.
fn gguf(kind: FileKind, view: &View<'_>) -> Result<Fit> {
    let stored = view.item_type();
    let ItemType::Plain(dtype) = stored else { return Err(refused(kind, view)) };
    let axes = view.shape().len();
    if axes > Gguf::MOST_AXES {
        let most = Gguf::MOST_AXES;
        return Err(Error::Refused {
            kind,
            what: format!("an array of {axes} axes, which exceed the maximum of {most}"),
        });
    }
    match dtype.kind {
        ElementKind::Bf16 if axes == 0 => Err(Error::Refused { kind, what: "a bf16 number without axes".into() }),
        ElementKind::DateTime(_) | ElementKind::TimeDelta(_) => Ok(counts(kind, view, dtype.endian)),
        ElementKind::Bool | ElementKind::Bit => {
            let instead = "whose items become 0 and 1 of type i8".into();
            Ok(changed(kind, view, plain(ElementKind::I8, Endian::Little), None, instead))
        }
        known if tensor_types::GGUF.iter().any(|(kind, _)| *kind == known) => Ok(same(stored.clone())),
        _ => widened(kind, view, *dtype),
    }
}

/// The item types of Zarr. Other items become raw bytes: Zarr has no such type, or none that its readers agree on.
fn zarr(kind: FileKind, view: &View<'_>) -> Result<Fit> {
    let stored = view.item_type();
    match stored {
        // A bit becomes a byte when it is read.
        ItemType::Plain(Dtype { kind: ElementKind::Bit, .. }) => Ok(same(plain(ElementKind::Bool, Endian::Little))),
        other if v3_of(other).is_some() => Ok(same(other.clone())),
        _ => raw(kind, view),
    }
}

/// The samples of PNG: 1 or 2 bytes, or any number if it is scaled to 8 bits.
#[cfg(feature = "png")]
fn png(kind: FileKind, view: &View<'_>, options: &Options<'_>) -> Result<Fit> {
    let stored = view.item_type().clone();
    if !super::png::is_scaled(view, options)? {
        return Ok(same(stored));
    }
    Ok(changed(kind, view, stored, None, "whose range becomes that of samples, from 0 to 255".into()))
}

/// Returns dates and durations as plain counts, without their unit.
fn counts(kind: FileKind, view: &View<'_>, endian: Endian) -> Fit {
    let instead = "whose items become their counts of type i64".into();
    changed(kind, view, plain(ElementKind::I64, endian), None, instead)
}

/// The item types of `.npy`. Its writer converts the items itself.
fn npy(kind: FileKind, view: &View<'_>) -> Fit {
    let stored = view.item_type().clone();
    let instead = match &stored {
        ItemType::Plain(dtype) => match dtype.kind {
            ElementKind::I128 | ElementKind::U128 => "whose items become structured values of two halves",
            ElementKind::Complex32 => "whose items become structures of two parts",
            ElementKind::Bf16 => "whose items become 2 raw bytes each",
            _ => return same(stored),
        },
        _ => return same(stored),
    };
    changed(kind, view, stored, None, instead.into())
}
