//! The examples keep their promises: files from other programs are explained without gaps, and written back from their values.
//!
//! `files` has a tiny file for each format, which `tests/peers/formats/run.py tiny` made. `peers` makes a few dozen per
//! format; its tests need the programs that `tests/peers/setup.sh` installs.

mod determinism;
mod lines;
mod peers;
pub mod promises;
mod snapshots;

use crate::declared::{elf, fits, flac, gguf, msgpack, nifti, pcap, png, safetensors, sqlite};
use promises::{MADE_UP, Promises};
use std::path::Path;

/// Returns the formats; if the environment variable `FORMAT` is set, only the one that it names.
pub fn all() -> Vec<Promises> {
    let name = std::env::var("FORMAT").ok();
    every().into_iter().filter(|format| name.as_ref().is_none_or(|name| name == format.name)).collect()
}

fn every() -> Vec<Promises> {
    vec![
        Promises::of::<msgpack::MessagePack>("msgpack"),
        Promises::of::<elf::Elf>("elf"),
        Promises::of::<nifti::Nifti>("nifti"),
        Promises::of::<pcap::Pcap>("pcap"),
        Promises::of::<safetensors::SafeTensors>("safetensors"),
        Promises::of::<gguf::Gguf>("gguf"),
        Promises::of::<flac::Flac>("flac"),
        Promises::of::<fits::Fits>("fits"),
        Promises::of::<sqlite::Sqlite>("sqlite"),
        Promises::of::<png::Png>("png"),
    ]
}

/// Returns the frozen file of a format.
pub fn frozen(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine/examples/files");
    let files = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> = files.filter(|path| path.file_stem().is_some_and(|stem| stem == name)).collect();
    assert_eq!(files.len(), 1, "{name}");
    std::fs::read(&files[0]).unwrap()
}

#[test]
fn frozen_files_of_other_programs_are_explained_to_the_byte_and_written_back_from_their_values() {
    for format in all() {
        let file = frozen(format.name);
        assert_eq!((format.broken)(&file), None, "{}", format.name);
    }
}

#[test]
fn made_up_files_keep_the_promises_and_most_are_valid() {
    let valid: Vec<_> = all().iter().map(|format| (format.name, (format.made_up)())).collect();
    assert!(valid.iter().all(|(_, valid)| 10 * valid >= 9 * MADE_UP), "{valid:?} of {MADE_UP}");
}
