//! The part of an exhaustive loop that a run takes.
//!
//! Loops over each byte of each file take one position in nine, so that the tests of a change take minutes. The gate begins at an
//! offset that its commit gives: nine commits see all positions. `NDBYTES_ONE_IN=1` takes all of them, as the weekly job does.

/// Positions that are one apart in a share of one in one.
const ONE_IN: usize = 9;

fn number(name: &str) -> Option<usize> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is a number, not {value:?}")))
}

/// Returns whether this run takes every position.
pub fn is_whole() -> bool {
    number("NDBYTES_ONE_IN") == Some(1)
}

/// Takes a share of the positions of a loop.
///
/// ```
/// # use ndbytes_testkit::share::share;
/// assert!(share(0..1_000).count() >= 111);
/// ```
pub fn share<I: Iterator>(positions: I) -> impl Iterator<Item = I::Item> {
    let step = number("NDBYTES_ONE_IN").unwrap_or(ONE_IN).max(1);
    let first = number("NDBYTES_OFFSET").unwrap_or(0) % step;
    positions.skip(first).step_by(step)
}
