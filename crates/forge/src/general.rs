//! Breakers of the rules that apply to files of any format.

use super::forged_file::ForgedFile;
use super::kind_driver::Breaker;
use super::{idv, npy};
use everybyte::forge::Choices;

/// A memory limit that is too low for the columns of a table, in bytes.
const MEMORY: u64 = 256;

/// The breakers and the names of the kinds of their files.
pub(super) static BREAKERS: &[(&str, Breaker)] = &[
    // This removes the magic that identifies files.
    (npy::DRIVER.name, Breaker::new("unknown-format", plain, "splice magic[0..6] = x\"f0f1f2f3f4f5\"")),
    (idv::DRIVER.name, Breaker { memory: Some(MEMORY), ..Breaker::new("limit-exceeded", table, "") }),
];

/// Creates a valid array.
fn plain(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    Some((npy::DRIVER.valid)(choices, 1024))
}

/// Creates a valid table.
fn table(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    Some((idv::DRIVER.valid)(choices, 1024))
}
