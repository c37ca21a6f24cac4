//! Selects the share of an exhaustive loop that a run covers.
//!
//! Loops over each byte of each file visit only one position in nine, so that testing a change takes minutes. In the
//! gate, the commit determines the first position, so nine commits cover all positions. `NDBYTES_ONE_IN=1` covers all
//! of them, as in the weekly job.

/// The distance between two positions of a share.
const ONE_IN: usize = 9;

fn number(name: &str) -> Option<usize> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is a number, not {value:?}")))
}

/// Returns whether this run covers every position.
pub fn is_whole() -> bool {
    number("NDBYTES_ONE_IN") == Some(1)
}

/// Returns this run's share of the positions of a loop.
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
