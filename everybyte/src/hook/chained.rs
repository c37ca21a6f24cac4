//! Chains: lists in which each element states the offset of the next. They are read iteratively, so their length does
//! not matter.
//!
//! A chain may lead back to one of its elements. The offsets of all elements are kept in a tree map instead of a hash
//! map, because the file chooses them. At the first repetition, the list ends with the finding `loop`.

use super::derived::At;
use super::limited::Limited;
use super::offset_value::OffsetValue;
use super::placed::{Aside, Place};
use crate::error::Problem;
use crate::finding::Severity;
#[cfg(feature = "arbitrary")]
use crate::generator;
use crate::label::{Label, SHOWN_ELEMENTS};
use crate::recorder;
use crate::reference::Layout;
use crate::violation::{self, Violation};
use binrw::io::{Read, Seek};
use binrw::{BinResult, Endian};
use std::collections::BTreeMap;

/// The rule of a chain that leads back to one of its elements.
const LOOP: &str = "loop";

/// The position of the first or next element; `None` if the number is 0, which means that no element follows.
pub fn link<S: OffsetValue>(
    at: Result<impl OffsetValue, String>,
    origin: At,
    size: Option<Result<S, String>>,
) -> Option<Place> {
    let is_end = at.as_ref().is_ok_and(|at| at.whole() == Some(0));
    (!is_end).then(|| Place::new(at, origin, size))
}

/// Reads a list. Its first element is at a given offset, and each later element is at the offset that the previous one states.
pub fn chained<V: Layout, A: Clone, R: Read + Seek>(
    label: &'static Label,
    first: Option<Place>,
    next: impl Fn(&V) -> Option<Place>,
    parse: impl Fn(&mut Limited<'_>, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<Vec<V>> {
    move |reader, endian, args| {
        let read = |list: &mut Vec<V>, reader: &mut R, place: &Place| -> BinResult<()> {
            let field = Aside::element(label, list.len(), list.len() < SHOWN_ELEMENTS);
            list.push(field.read(reader, place, |reader| parse(reader, endian, args.clone()))?);
            Ok(())
        };
        recorder::list::<Vec<V>, _>(label, || {
            let mut list = Vec::new();
            #[cfg(feature = "arbitrary")]
            if generator::is_on() {
                // The elements' offsets are computed when they are written.
                let place = Place::new(Ok::<u64, String>(0), At(0), super::placed::UNSIZED);
                while generator::choice(3).is_some_and(|choice| choice > 0) {
                    read(&mut list, reader, &place)?;
                }
                return Ok(list);
            }
            let mut known = BTreeMap::new();
            let mut place = first.clone();
            while let Some(at) = &place {
                if let Ok(offset) = at.offset()
                    && let Some(before) = known.insert(offset, list.len())
                {
                    report(label.name, (list.len() - 1, before), offset);
                    break;
                }
                read(&mut list, reader, at)?;
                place = list.last().and_then(&next);
            }
            Ok(list)
        })
    }
}

/// Adds the finding for an element that leads back to an earlier one or to itself.
fn report(name: &'static str, (last, before): (usize, usize), offset: u64) {
    if violation::are_wanted() {
        violation::add(|| Violation {
            rule: LOOP,
            severity: Severity::Error,
            path: recorder::path_aside(name, Some(last as u64)),
            bytes: offset..offset,
            message: format!("the next element would be {name}[{before}] again, at byte {offset}: the list ends here"),
        });
    }
}

/// The offsets of a chain's elements, as the elements themselves state them.
pub fn chain_offsets<V>(
    first: Option<Place>,
    list: &[V],
    next: impl Fn(&V) -> Option<Place>,
) -> Vec<Result<u64, Problem>> {
    let mut place = first;
    let offset_of = |value: &V| {
        let next = place.as_ref().map(|_| next(value));
        std::mem::replace(&mut place, next.flatten()).map(|place| place.offset())
    };
    list.iter().map_while(offset_of).collect()
}
