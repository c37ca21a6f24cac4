//! How the rules about files of any format are broken.

use super::craft::{Breaker, Craft};
use super::kind::Kind;
use super::whole::Whole;
use super::{idv, npy};
use everybyte::forge::Choices;

/// Less memory than the columns of a table need, in bytes.
const MEMORY: u64 = 256;

/// The breakers, and the kinds of their files.
pub(super) static BREAKERS: &[(Kind, Breaker)] = &[
    // Nothing is left of the magic by which files are known.
    (Kind::Npy, Breaker::new("unknown-format", plain, "splice magic[0..6] = x\"f0f1f2f3f4f5\"")),
    (Kind::Idv, Breaker { memory: Some(MEMORY), ..Breaker::new("limit-exceeded", table, "") }),
];

fn plain(choices: &mut Choices<'_>) -> Option<Whole> {
    Some(npy::CRAFT.valid(choices, 1024))
}

fn table(choices: &mut Choices<'_>) -> Option<Whole> {
    Some(idv::CRAFT.valid(choices, 1024))
}
