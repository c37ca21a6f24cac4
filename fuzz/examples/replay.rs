//! Replays inputs in a fuzz target without a fuzzer, in order to measure coverage.
//!
//! `replay TARGET FILE|FOLDER…` runs the target on each file, and on one mutant of it if the forge mutates the target's
//! inputs. An input that crashes is saved in `fuzz/artifacts/TARGET`, and the exit status is 1.

use ndbytes_fuzz::targets::Target;
use std::path::Path;
use std::{env, fs, panic, process};

/// The longest input of the fuzz targets (`common.sh`).
const MAX_LEN: usize = 8192;

fn main() {
    let mut arguments = env::args_os().skip(1);
    let name = arguments.next().unwrap_or_default();
    let target = Target::named(&name.to_string_lossy()).unwrap_or_else(|problem| {
        eprintln!("{problem}");
        process::exit(2)
    });
    let mut replay = Replay { target, seed: 0, last: Vec::new(), crashes: 0 };
    arguments.for_each(|path| replay.path(Path::new(&path)));
    process::exit((replay.crashes > 0).into());
}

/// Replaces libFuzzer's own mutator and changes nothing.
fn unchanged(_: &mut [u8], size: usize, _: usize) -> usize {
    size
}

/// A target and the state of the replay.
struct Replay {
    target: &'static Target,
    /// The number of inputs so far.
    seed: u32,
    /// The last input.
    last: Vec<u8>,
    /// The number of crashes.
    crashes: u32,
}

impl Replay {
    /// Runs the target on a file, or on each file below a directory.
    fn path(&mut self, path: &Path) {
        if path.is_dir() {
            let entries = fs::read_dir(path).expect("the folder can be read");
            entries.for_each(|entry| self.path(&entry.expect("the folder can be read").path()));
            return;
        }
        println!("{}", path.display());
        self.input(fs::read(path).expect("the file can be read"));
    }

    /// Runs the target on an input, then on a mutant of it or on a crossing with the previous input.
    fn input(&mut self, input: Vec<u8>) {
        self.run(&input);
        self.seed += 1;
        let mut made = vec![0; input.len().max(MAX_LEN)];
        made[..input.len()].copy_from_slice(&input);
        let room = made.len();
        let used = match self.target.cross(&input, &self.last, &mut made, self.seed) {
            0 => self.target.mutate(&mut made, input.len(), room, self.seed, unchanged),
            used => used,
        };
        // Without the forge, the mutant is the input itself.
        if made[..used] != input {
            self.run(&made[..used]);
        }
        self.last = input;
    }

    fn run(&mut self, input: &[u8]) {
        if panic::catch_unwind(|| self.target.examine(input)).is_ok() {
            return;
        }
        let folder = Path::new("fuzz/artifacts").join(self.target.name());
        fs::create_dir_all(&folder).expect("a folder can be made");
        fs::write(folder.join(format!("replay-{}", self.crashes)), input).expect("the input can be written");
        self.crashes += 1;
    }
}
