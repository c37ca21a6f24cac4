//! The seeds that every arm of the experiment starts with.

use super::readers::READERS;
use ndbytes_forge::Forge;
use std::path::Path;
use std::{env, fs, process};

/// If `NDBYTES_FUZZERS_SEEDS` names a directory, writes the seeds of each kind into a subdirectory, and ends the
/// process. The seeds are the same as from `ndbytes forge --seeds`.
pub fn write_seeds() {
    let Some(folder) = env::var_os("NDBYTES_FUZZERS_SEEDS") else { return };
    for reader in READERS {
        let of_kind = Path::new(&folder).join(reader.kind.name());
        fs::create_dir_all(&of_kind).expect("the folder can be made");
        for (number, seed) in Forge::new(1).seeds(reader.kind).iter().enumerate() {
            fs::write(of_kind.join(number.to_string()), &seed.bytes).expect("a seed can be written");
        }
    }
    process::exit(0)
}
