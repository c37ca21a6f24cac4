//! The register: one line a kind.

use super::craft::{Breaker, Craft};
use super::general;
use super::kind::Kind;
use super::plain_bytes::PlainBytes;
use everybyte::forge::Grammar;

/// The craft of a kind.
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

/// The grammar of a kind; the raw-bytes grammar if the kind is unknown.
pub(super) fn grammar(kind: Option<Kind>) -> &'static (dyn Grammar + Sync) {
    match kind {
        Some(kind) => craft(kind),
        None => &PlainBytes,
    }
}

/// The breakers of a rule, and the kinds of their files.
pub(super) fn breakers(rule: &str) -> impl Iterator<Item = (Kind, &'static Breaker)> {
    let of_kind = |kind: Kind| craft(kind).breakers().iter().map(move |breaker| (kind, breaker));
    let general = general::BREAKERS.iter().map(|(kind, breaker)| (*kind, breaker));
    Kind::ALL.into_iter().flat_map(of_kind).chain(general).filter(move |(_, breaker)| breaker.rule == rule)
}
