//! The grammars of the kinds, and the breakers of the rules.

use super::general;
use super::kind::Kind;
use super::kind_driver::Breaker;
use super::plain_bytes::PlainBytes;
use everybyte::forge::Grammar;

/// Returns the grammar of a kind, or the raw-bytes grammar if the kind is unknown.
pub(super) fn grammar(kind: Option<Kind>) -> &'static (dyn Grammar + Sync) {
    match kind {
        Some(kind) => kind.driver(),
        None => &PlainBytes,
    }
}

/// Returns the breakers of a rule, and the kinds of their files.
pub(super) fn breakers(rule: &str) -> impl Iterator<Item = (Kind, &'static Breaker)> {
    let of_kind = |kind: Kind| kind.driver().breakers.iter().copied().flatten().map(move |breaker| (kind, breaker));
    let general = general::BREAKERS.iter().filter_map(|(name, breaker)| Some((Kind::named(name)?, breaker)));
    Kind::ALL.into_iter().flat_map(of_kind).chain(general).filter(move |(_, breaker)| breaker.rule == rule)
}
