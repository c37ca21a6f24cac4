//! How the rules about files of any format are broken.

use super::craft::{Breaker, Craft};
use super::npy;
use super::whole::Whole;
use everybyte::forge::Choices;

/// The memory that is less than the payload of the file needs, in bytes.
const MEMORY: u64 = 16;

/// The breakers, on files of NumPy's format.
pub(super) static BREAKERS: &[Breaker] = &[
    // Nothing is left of the magic by which files are known.
    Breaker::new("unknown-format", file, "splice magic[0..6] = x\"f0f1f2f3f4f5\""),
    Breaker { memory: Some(MEMORY), ..Breaker::new("limit-exceeded", file, "") },
];

fn file(choices: &mut Choices<'_>) -> Option<Whole> {
    Some(npy::CRAFT.valid(choices, 1024))
}
