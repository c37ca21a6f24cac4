//! The register: one line a kind.

use super::craft::{Breaker, Craft};
use super::kind::Kind;

/// What each kind brings to the forge.
pub(crate) fn craft(kind: Kind) -> &'static dyn Craft {
    match kind {
        Kind::Idx => &*super::idx::CRAFT,
        Kind::RawArray => &*super::rawarray::CRAFT,
        Kind::Idv => &*super::idv::CRAFT,
        Kind::B2nd => &*super::b2nd::CRAFT,
        Kind::Npy => &*super::npy::CRAFT,
        Kind::Gzip => &*super::gzip::CRAFT,
        Kind::Zip => &*super::zip::CRAFT,
    }
}

/// The breaker of the rule of this id; `None` if there is none.
pub(super) fn breaker(id: &str) -> Option<&'static Breaker> {
    Kind::ALL.into_iter().flat_map(|kind| craft(kind).breakers()).find(|breaker| breaker.rule == id)
}
