//! Replays inputs in the fuzz targets without a fuzzer. All targets are in one binary, whose coverage is measured.
//!
//! `replay TARGET FILE|FOLDER…` gives each file to the target, and one mutant of it. An input that crashes is
//! left in `fuzz/artifacts/TARGET`, and the exit status is 1.

#![allow(unused_attributes, unused_imports, reason = "the modules are binaries of fuzzers, which have no main")]

extern crate self as libfuzzer_sys;

use std::path::Path;
use std::{env, fs, panic, process};

/// The longest input of the fuzz targets (`common.sh`).
const MAX_LEN: usize = 8192;

/// Stands for the macro of libfuzzer-sys: the target becomes a function of its module.
#[macro_export]
macro_rules! fuzz_target {
    (|$bytes:ident: &[u8]| $body:expr) => {
        pub fn run($bytes: &[u8]) {
            $body
        }
    };
    (|$value:ident: $type:ty| $body:expr) => {
        pub fn run(bytes: &[u8]) {
            let bytes = arbitrary::Unstructured::new(bytes);
            let Ok($value) = <$type as arbitrary::Arbitrary>::arbitrary_take_rest(bytes) else { return };
            $body
        }
    };
}

/// Stands for the macro of libfuzzer-sys: the mutator becomes a function.
#[macro_export]
macro_rules! fuzz_mutator {
    (|$data:ident: &mut [u8], $size:ident: usize, $max:ident: usize, $seed:ident: u32| $body:block) => {
        pub fn mutate($data: &mut [u8], $size: usize, $max: usize, $seed: u32) -> usize {
            $body
        }
    };
}

/// Stands for the macro of libfuzzer-sys: the crossover becomes a function.
#[macro_export]
macro_rules! fuzz_crossover {
    (|$one:ident: &[u8], $other:ident: &[u8], $out:ident: &mut [u8], $seed:ident: u32| $body:block) => {
        pub fn cross($one: &[u8], $other: &[u8], $out: &mut [u8], $seed: u32) -> usize {
            $body
        }
    };
}

/// Stands for libFuzzer's own mutator, which changes nothing here.
pub fn fuzzer_mutate(_: &mut [u8], size: usize, _: usize) -> usize {
    size
}

/// A target: what it does with an input, and how its inputs are mutated and crossed, if not by libFuzzer.
struct Target {
    name: &'static str,
    run: fn(&[u8]),
    forge: Option<(Mutate, Cross)>,
}

type Mutate = fn(&mut [u8], usize, usize, u32) -> usize;
type Cross = fn(&[u8], &[u8], &mut [u8], u32) -> usize;

macro_rules! targets {
    (forged: $($forged:ident)*, plain: $($plain:ident)*) => {
        #[path = "../fuzz_targets"]
        mod targets {
            $(pub mod $forged;)*
            $(pub mod $plain;)*
        }

        const TARGETS: &[Target] = &[
            $(Target {
                name: stringify!($forged),
                run: targets::$forged::run,
                forge: Some((targets::$forged::mutate, targets::$forged::cross)),
            },)*
            $(Target { name: stringify!($plain), run: targets::$plain::run, forge: None },)*
        ];
    };
}

targets! {
    forged: idx_bytes rawarray_bytes idv_bytes b2nd_bytes npy_bytes zip_bytes gzip_bytes arrow_export slices streaming threads limits
        rawarray_crate tool textconv,
    plain: idx_value rawarray_value idv_block idv_value b2nd_value blosc2_chunk npy_value inflate blosclz lz4 writer diff
}

fn main() {
    let mut arguments = env::args_os().skip(1);
    let name = arguments.next().expect("the first argument names a target");
    let target = TARGETS.iter().find(|target| name == *target.name).expect("the first argument names a target");
    let mut replay = Replay { target, seed: 0, last: Vec::new(), crashes: 0 };
    arguments.for_each(|path| replay.path(Path::new(&path)));
    process::exit((replay.crashes > 0).into());
}

/// A target, and where it is.
struct Replay<'t> {
    target: &'t Target,
    /// The number of inputs so far.
    seed: u32,
    /// The last input.
    last: Vec<u8>,
    /// The number of crashes.
    crashes: u32,
}

impl Replay<'_> {
    /// Gives the target a file, or each file of a folder and of the folders in it.
    fn path(&mut self, path: &Path) {
        if path.is_dir() {
            let entries = fs::read_dir(path).expect("the folder can be read");
            entries.for_each(|entry| self.path(&entry.expect("the folder can be read").path()));
            return;
        }
        println!("{}", path.display());
        self.input(fs::read(path).expect("the file can be read"));
    }

    /// Gives the target an input, then a mutant of it, or what it is when it is crossed with the last one.
    fn input(&mut self, input: Vec<u8>) {
        self.run(&input);
        self.seed += 1;
        if let Some((mutate, cross)) = self.target.forge {
            let mut made = vec![0; input.len().max(MAX_LEN)];
            made[..input.len()].copy_from_slice(&input);
            let room = made.len();
            let used = match cross(&input, &self.last, &mut made, self.seed) {
                0 => mutate(&mut made, input.len(), room, self.seed),
                used => used,
            };
            self.run(&made[..used]);
        }
        self.last = input;
    }

    fn run(&mut self, input: &[u8]) {
        if panic::catch_unwind(|| (self.target.run)(input)).is_ok() {
            return;
        }
        let folder = Path::new("fuzz/artifacts").join(self.target.name);
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::write(folder.join(format!("replay-{}", self.crashes)), input).expect("the input can be written");
        self.crashes += 1;
    }
}
