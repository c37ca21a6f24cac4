//! The register: one line a kind.

use super::craft::Craft;
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
