//! The formats of files that gzip and zip files may contain.

use super::forged_file::ForgedFile;
use super::kind_driver::KindDriver;
use super::{b2nd, gguf, idv, idx, npy, rawarray, safetensors};
use everybyte::forge::Choices;
use ndbytes::detect;

/// The drivers of the formats whose files are in containers.
const DRIVERS: [&KindDriver; 7] =
    [&idx::DRIVER, &rawarray::DRIVER, &idv::DRIVER, &b2nd::DRIVER, &npy::DRIVER, &safetensors::DRIVER, &gguf::DRIVER];

/// The maximum number of attempts to get a file that is not a directory.
const TRIES: usize = 16;

/// Returns the driver for content, by its first bytes.
pub fn driver_of(content: &[u8]) -> Option<&'static KindDriver> {
    let format = detect(content, content.len() as u64)?;
    DRIVERS.into_iter().find(|driver| driver.name == format.name())
}

/// Returns a valid file of a random format, and the usual extension of its name.
pub fn any(choices: &mut Choices<'_>, size: usize) -> (&'static str, ForgedFile) {
    let driver = *choices.pick(&DRIVERS);
    // Containers hold files, and few valid b2nd arrays are directories.
    let file = (0..TRIES).map(|_| (driver.valid)(choices, size)).find(|whole| whole.others.is_empty());
    match file {
        Some(whole) => (driver.extension(), whole),
        None => (npy::DRIVER.extension(), (npy::DRIVER.valid)(choices, size)),
    }
}
