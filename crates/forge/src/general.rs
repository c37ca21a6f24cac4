//! How the rules about files of any format are broken.

use super::craft::Breaker;
use super::whole::Whole;
use super::{idv, npy};
use everybyte::forge::Choices;

/// Less memory than the columns of a table need, in bytes.
const MEMORY: u64 = 256;

/// The breakers, and the names of the kinds of their files.
pub(super) static BREAKERS: &[(&str, Breaker)] = &[
    // Nothing is left of the magic by which files are known.
    (npy::CRAFT.name, Breaker::new("unknown-format", plain, "splice magic[0..6] = x\"f0f1f2f3f4f5\"")),
    (idv::CRAFT.name, Breaker { memory: Some(MEMORY), ..Breaker::new("limit-exceeded", table, "") }),
];

fn plain(choices: &mut Choices<'_>) -> Option<Whole> {
    Some((npy::CRAFT.valid)(choices, 1024))
}

fn table(choices: &mut Choices<'_>) -> Option<Whole> {
    Some((idv::CRAFT.valid)(choices, 1024))
}
