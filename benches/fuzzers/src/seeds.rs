//! The seeds with which every arm begins.

use super::readers::READERS;
use ndbytes_forge::Forge;
use std::path::Path;
use std::{env, fs, process};

/// Writes the seeds of each kind into a folder of its own, and ends the process, if `NDBYTES_FUZZERS_SEEDS` names a folder for them.
/// They are those of `ndbytes forge --seeds`.
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
