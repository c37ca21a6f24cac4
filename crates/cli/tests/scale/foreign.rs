//! Converts third-party files. Whatever their bytes, the result must be a file or a sentence, without a panic in this
//! project's code, and within the memory limit.

use crate::cli::{Streams, run};
use crate::{ALONE, CONSTANT};
use ndbytes_testkit::allocations::peak_of_all;
use ndbytes_testkit::project;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};

/// The memory limit.
const BUDGET: u64 = 2 << 20;

/// The number of mutants of each kind in a normal run of the tests, and in a long one.
const FEW: u64 = 300;
const MANY: u64 = 20_000;

/// A kind of third-party file, or of an additional input.
struct Kind {
    /// Its name, which is also its extension.
    name: &'static str,
    /// The sources from which seeds are converted.
    sources: &'static [&'static str],
    ask: Ask,
}

/// The operation on a file.
enum Ask {
    /// Convert it to one of these kinds.
    Convert(&'static [&'static str]),
    /// Check a directory with it: the arguments that create one, and the arguments that read it, the last of which is
    /// joined with its path.
    Check(&'static [&'static str], &'static [&'static str]),
}

const KINDS: [Kind; 13] = [
    Kind { name: "parquet", sources: &["trees.idv", "rows.jsonl"], ask: Ask::Convert(TABLES) },
    Kind { name: "arrow", sources: &["trees.idv", "rows.jsonl"], ask: Ask::Convert(TABLES) },
    Kind { name: "arrows", sources: &["trees.idv", "rows.jsonl"], ask: Ask::Convert(TABLES) },
    Kind { name: "csv", sources: &["trees.idv"], ask: Ask::Convert(TABLES) },
    Kind { name: "jsonl", sources: &["trees.idv", "rows.jsonl"], ask: Ask::Convert(TABLES) },
    Kind { name: "png", sources: &["surface.ra"], ask: Ask::Convert(ARRAYS) },
    Kind { name: "safetensors", sources: &["surface.ra"], ask: Ask::Convert(ARRAYS) },
    Kind { name: "gguf", sources: &["surface.ra"], ask: Ask::Convert(ARRAYS) },
    Kind { name: "npz", sources: &["surface.ra"], ask: Ask::Convert(ARRAYS) },
    Kind { name: "seal", sources: &[], ask: Ask::Check(&["seal", "--broken", "--out"], &["check", "--sealed="]) },
    Kind {
        name: "baseline",
        sources: &[],
        ask: Ask::Check(&["check", "--update-baseline", "--baseline"], &["check", "--baseline="]),
    },
    Kind {
        name: "since-parquet",
        sources: &[],
        ask: Ask::Check(
            &["check", "--format", "parquet", "--table", "files", "--force", "--out"],
            &["check", "--format", "parquet", "--table", "files", "--force", "--out", "OUT", "--since="],
        ),
    },
    Kind {
        name: "since-arrow",
        sources: &[],
        ask: Ask::Check(
            &["check", "--format", "arrow", "--table", "files", "--force", "--out"],
            &["check", "--format", "arrow", "--table", "files", "--force", "--out", "OUT", "--since="],
        ),
    },
];

const TABLES: &[&str] = &["idv", "parquet", "arrow", "jsonl", "csv"];
const ARRAYS: &[&str] = &["npy", "b2nd"];

/// Rows with lists, structures, texts and nulls.
const ROWS: &str = r#"{"list":[1,2,3],"text":"one","inner":{"a":1.5,"b":["x","y"]},"truth":true}
{"list":[],"text":null,"inner":{"a":null,"b":[]},"truth":false}
{"list":[4],"text":"three","inner":{"a":-2.0,"b":["z"]},"truth":null}
"#;

/// How a run of the tool ended.
struct Ended {
    status: i32,
    words: String,
    peak: u64,
}

/// Runs the tool with a memory limit.
fn ask(arguments: &[OsString], budget: u64) -> Ended {
    let (mut printed, mut words) = (Vec::new(), Vec::new());
    let memory = budget.to_string();
    let first = ["ndbytes", "--max-memory", &memory, "--max-output", "4M"].map(OsString::from);
    let all = first.into_iter().chain(arguments.iter().cloned());
    let (outcome, peak) = peak_of_all(|| run(all, Streams::captured(&mut io::empty(), &mut printed, &mut words)));
    Ended { status: i32::from(outcome), words: String::from_utf8(words).expect("messages are text"), peak }
}

fn convert(file: &Path, out: &Path, budget: u64) -> Ended {
    let first = ["convert", "--lossy", "--force"].map(OsString::from);
    ask(&[&first[..], &[file.into(), out.into()]].concat(), budget)
}

/// The locations of panics that a guard hid from the user. The paths of this project's files are relative.
static OUR_PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Records panics in this project's files. It replaces the hook that is silent in a guard.
fn note_panics(folder: &Path) {
    static NOTED: Once = Once::new();
    // A guard sets its hook when it is first needed, so that must happen first.
    let file = project().join("tests/frozen/hostile/parquet_caught_panic.parquet");
    convert(&file, &folder.join("first.csv"), BUDGET);
    NOTED.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            if !Path::new(&place).is_absolute() {
                OUR_PANICS.lock().unwrap_or_else(PoisonError::into_inner).push(info.to_string());
            }
            before(info);
        }));
    });
}

/// A pseudorandom sequence.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end.max(1) as u64).expect("it is below the end")
    }

    /// Returns a changed copy, with bits flipped, bytes and numbers replaced, and parts removed, doubled or moved.
    fn mutant(&mut self, seed: &[u8]) -> Vec<u8> {
        let mut bytes = seed.to_vec();
        for _ in 0..=[0, 0, 1, 4][self.below(4)] {
            let place = self.below(bytes.len());
            let length = (1 + self.below(16)).min(bytes.len() - place);
            match self.below(8) {
                0 | 1 if length > 0 => bytes[place] ^= 1 << self.below(8),
                2 | 3 if length > 0 => bytes[place] = [0, 1, 0x7f, 0x80, 0xff, 0x1c, 0x15][self.below(7)],
                4 if length > 0 => {
                    let numbers = [0_i64, -1, i64::MAX, i64::MIN, i64::from(i32::MAX), 1 << 32, 1 << 24, 65_536];
                    let number = numbers[self.below(8)].to_le_bytes();
                    let length = length.min([4, 8][self.below(2)]);
                    bytes[place..place + length].copy_from_slice(&number[..length]);
                }
                5 => drop(bytes.drain(place..place + length)),
                6 => {
                    let part = bytes[place..place + length].to_vec();
                    let target = self.below(bytes.len());
                    bytes.splice(target..target, part);
                }
                _ => {
                    let from = self.below(bytes.len());
                    let length = length.min(bytes.len() - from);
                    let to = place.min(bytes.len() - length);
                    bytes.copy_within(from..from + length, to);
                }
            }
        }
        bytes
    }
}

/// The files of a kind from which mutants are made.
fn seeds(folder: &Path, kind: &Kind) -> Vec<Vec<u8>> {
    let made = folder.join(format!("seed.{}", kind.name));
    if let Ask::Check(arguments, _) = kind.ask {
        let mut arguments: Vec<OsString> = arguments.iter().map(Into::into).collect();
        arguments.extend([made.clone().into(), folder.join("files").into()]);
        let ended = ask(&arguments, 64 << 20);
        assert!(made.exists(), "{}: status {}, {}", kind.name, ended.status, ended.words);
        return vec![fs::read(made).unwrap()];
    }
    fs::write(folder.join("rows.jsonl"), ROWS).unwrap();
    let mut seeds = Vec::new();
    for source in kind.sources {
        let sample = project().join("samples").join(source);
        let source = if sample.exists() { sample } else { folder.join(source) };
        let ended = convert(&source, &made, 64 << 20);
        assert_eq!(ended.status, 0, "{} of {}: {}", kind.name, source.display(), ended.words);
        seeds.push(fs::read(&made).unwrap());
    }
    // Files that pyarrow wrote, with every compression.
    let others = fs::read_dir(project().join("tests/frozen/arrow")).unwrap();
    let mut others: Vec<_> = others.map(|entry| entry.unwrap().path()).collect();
    others.sort();
    let is_of_kind = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension == Some(kind.name) || (kind.name, extension) == ("arrow", Some("feather"))
    };
    seeds.extend(others.iter().filter(|path| is_of_kind(path)).map(|path| fs::read(path).unwrap()));
    seeds
}

/// Runs the tool on a mutant and describes the run.
fn ask_about(file: &Path, folder: &Path, kind: &Kind, chance: &mut Chance) -> (String, Ended) {
    match kind.ask {
        Ask::Convert(targets) => {
            let target = targets[chance.below(targets.len())];
            // For an archive, a member is converted.
            let mut address = OsString::from(file);
            if kind.name == "npz" {
                address.push("!surface.npy");
            }
            let file = Path::new(&address);
            (format!("to {target}"), convert(file, &folder.join(format!("out.{target}")), BUDGET))
        }
        Ask::Check(_, arguments) => {
            let (last, first) = arguments.split_last().expect("there are arguments");
            let argument = |argument: &&str| match *argument {
                "OUT" => folder.join("out").into(),
                argument => argument.into(),
            };
            let mut all: Vec<OsString> = first.iter().map(argument).collect();
            let mut last = OsString::from(last);
            last.push(file);
            all.extend([last, folder.join("files").into()]);
            ("checked".into(), ask(&all, BUDGET))
        }
    }
}

/// Runs the tool on mutants of a kind and fails for those that break a guarantee.
fn mutants_keep_the_promises(kind: &Kind, count: u64) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("files")).unwrap();
    let broken = ndbytes_testkit::corpus::root().join("idx/bad/dims-cut.idx");
    for (from, to) in [(project().join("samples/surface.ra"), "surface.ra"), (broken, "broken.idx")] {
        fs::copy(from, folder.join("files").join(to)).unwrap();
    }
    let seeds = seeds(folder, kind);
    note_panics(folder);
    let name = kind.name;
    let file = folder.join(format!("mutant.{name}"));
    let mut failures = Vec::new();
    let (mut read, mut most) = (0, 0);
    for number in 0..count {
        let mut chance = Chance(0x9e37_79b9_7f4a_7c15 ^ (number << 8 | name.len() as u64));
        let seed = &seeds[chance.below(seeds.len())];
        let bytes = chance.mutant(seed);
        fs::write(&file, &bytes).unwrap();
        let (asked, ended) = ask_about(&file, folder, kind, &mut chance);
        most = most.max(ended.peak);
        let panics = std::mem::take(&mut *OUR_PANICS.lock().unwrap_or_else(PoisonError::into_inner));
        let granted = BUDGET + bytes.len() as u64 + CONSTANT;
        let is_check = matches!(kind.ask, Ask::Check(..));
        let fault = match ended.status {
            _ if !panics.is_empty() => Some(panics.join("; ")),
            _ if ended.peak > granted => Some(format!("{} bytes were allocated, {granted} granted", ended.peak)),
            _ if ended.words.contains("internal error") => Some(ended.words),
            // A check always finds errors in one of the other files, whatever the mutant contains.
            0 | 1 if ended.status == 0 || is_check => {
                read += 1;
                None
            }
            // The mutant violates a rule of ndbytes.
            1 if ended.words.starts_with("error[") => None,
            2 if ended.words.contains("error: ") || is_check => None,
            status => Some(format!("status {status}: {}", ended.words)),
        };
        if let Some(fault) = fault {
            let kept = std::env::temp_dir().join(format!("mutant-{number}.{name}"));
            fs::write(&kept, &bytes).unwrap();
            failures.push(format!("{} {asked}: {fault}", kept.display()));
        }
    }
    println!("{name}: {count} mutants, {read} of them read, {most} bytes at most");
    assert!(failures.is_empty(), "{}:\n{}", failures.len(), failures.join("\n"));
    assert!(read > 0, "{name}: no mutant is read, so that nothing after the beginning was tried");
}

#[test]
fn mutant_of_a_foreign_kind_is_converted_or_refused_within_its_memory() {
    KINDS.iter().for_each(|kind| mutants_keep_the_promises(kind, FEW));
}

#[test]
#[ignore = "it takes an hour"]
fn many_mutants_of_foreign_kinds_are_converted_or_refused_within_their_memory() {
    KINDS.iter().for_each(|kind| mutants_keep_the_promises(kind, MANY));
}

/// The outcome for each hostile file, read as some kind: the text after its path, or `None` if it can be read.
const HOSTILE: [(&str, &str, Option<&str>); 12] = [
    ("bodylie.arrow", "jsonl", Some("the message at byte 128: the footer gives it 96 and 4278190080 bytes")),
    ("bodylie2.arrow", "idv", Some("the message at byte 136: the footer gives it 144 and 4294967295 bytes")),
    ("arrow_caught_panic.arrow", "parquet", Some("buffer 0 has 7700742144 bytes from byte 0 on")),
    ("valid_union.arrow", "parquet", Some("the column \"x\" has the type Union(")),
    ("valid_union.arrow", "idv", Some("the column \"x\" has the type Union(")),
    ("valid_union.arrow", "jsonl", Some("the column \"x\", which has the type Union(")),
    ("valid_union.arrow", "arrow", None),
    ("union_panic.arrow", "parquet", Some("the column \"x\" has the type Union(")),
    ("dictstr.parquet", "idv", Some("20000004 bytes are needed for a page of row group 0 of the column \"s\"")),
    ("onelist.parquet", "jsonl", Some("are needed for the values of row group 0 of the column \"x.list.element\"")),
    ("bigstr.parquet", "parquet", Some("100000026 bytes are needed for a page of row group 0 of the column \"s\"")),
    ("parquet_caught_panic.parquet", "jsonl", Some("row group 0: the reader failed on invalid values")),
];

#[test]
fn hostile_file_of_another_program_is_refused_by_its_claims() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    for (name, target, words) in HOSTILE {
        let file = project().join("tests/frozen/hostile").join(name);
        let length = fs::metadata(&file).unwrap().len();
        let out = folder.path().join(format!("out.{target}"));
        let ended = convert(&file, &out, BUDGET);
        let granted = BUDGET + length + CONSTANT;
        assert!(ended.peak <= granted, "{name}: {} bytes were allocated, {granted} granted", ended.peak);
        match words {
            None => assert_eq!((ended.status, &*ended.words), (0, ""), "{name}"),
            Some(words) => {
                assert_eq!(ended.status, 2, "{name}: {}", ended.words);
                assert!(ended.words.contains(words) && ended.words.lines().count() == 1, "{name}: {}", ended.words);
                assert!(!out.exists(), "{name}");
            }
        }
        let _ = fs::remove_file(out);
    }
}

#[test]
fn table_of_an_earlier_run_takes_no_memory_for_a_body_that_it_does_not_have() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let file = project().join("tests/frozen/hostile/since_bodylie.arrow");
    let granted = BUDGET + fs::metadata(&file).unwrap().len() + CONSTANT;
    let mut since = OsString::from("--since=");
    since.push(file);
    let out = folder.path().join("out").into_os_string();
    let first = ["check", "--format", "parquet", "--table", "files", "--out"].map(OsString::from);
    let sample = project().join("samples/surface.ra").into_os_string();
    let ended = ask(&[&first[..], &[out, since, sample]].concat(), BUDGET);
    assert_eq!(ended.status, 0, "{}", ended.words);
    assert!(ended.peak <= granted, "{} bytes were allocated, {granted} granted", ended.peak);
}

/// Creates a store with one chunk of nested shards, each followed by a codec.
fn shards_in_shards(folder: &Path, levels: usize, length: usize, steps: &[serde_json::Value]) -> PathBuf {
    use serde_json::json;
    let named = |name: &str| json!({"name": name, "configuration": {"endian": "little"}});
    let mut codecs = vec![named("bytes")];
    let mut stored = vec![1; length];
    for _ in 0..levels {
        let inner = json!({"chunk_shape": [length], "codecs": codecs, "index_codecs": [named("bytes")]});
        codecs = vec![json!({"name": "sharding_indexed", "configuration": inner})];
        codecs.extend(steps.iter().cloned());
        stored.extend([0, stored.len() as u64].into_iter().flat_map(u64::to_le_bytes));
        if !steps.is_empty() {
            let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
            packed.write_all(&stored).unwrap();
            stored = packed.finish().unwrap();
        }
    }
    let node = json!({
        "zarr_format": 3, "node_type": "array", "shape": [length], "data_type": "uint8", "fill_value": 0,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [length]}}, "codecs": codecs,
        "chunk_key_encoding": {"name": "default"}, "attributes": {},
    });
    let store = folder.join(format!("{levels}-{}.zarr", steps.len()));
    fs::create_dir_all(store.join("c")).unwrap();
    fs::write(store.join("zarr.json"), node.to_string()).unwrap();
    fs::write(store.join("c/0"), stored).unwrap();
    store
}

#[test]
fn shards_in_shards_have_one_memory_together() {
    const LENGTH: usize = 1 << 20;
    const BUDGET: u64 = 8 << 20;
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let gzip = serde_json::json!({"name": "gzip", "configuration": {"level": 0}});
    for (levels, steps, is_read) in
        [(1, vec![], true), (38, vec![], true), (1, vec![gzip.clone()], true), (38, vec![gzip], false)]
    {
        let store = shards_in_shards(folder.path(), levels, LENGTH, &steps);
        let out = folder.path().join("out.npy");
        let ended = convert(&store, &out, BUDGET);
        let granted = BUDGET + LENGTH as u64 + CONSTANT;
        assert!(ended.peak <= granted, "{levels} levels: {} bytes were allocated, {granted} granted", ended.peak);
        assert_eq!(ended.status == 0, is_read, "{levels} levels: {}", ended.words);
    }
}

#[test]
fn table_of_many_columns_is_written_as_parquet_if_its_columns_have_room() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap();
    let [file, out] = ["wide.csv", "wide.parquet"].map(|name| folder.path().join(name));
    let line = |cell: fn(usize) -> String| (0..1000).map(cell).collect::<Vec<_>>().join(",");
    fs::write(&file, format!("{}\n{}\n", line(|place| format!("c{place}")), line(|place| place.to_string()))).unwrap();
    let length = fs::metadata(&file).unwrap().len();
    for (budget, status) in [(40 << 20, 2), (64 << 20, 0)] {
        let ended = convert(&file, &out, budget);
        let granted = budget + length + CONSTANT;
        assert!(ended.peak <= granted, "{} bytes were allocated, {granted} granted", ended.peak);
        assert_eq!(ended.status, status, "{}", ended.words);
        let is_refused = ended.words.contains("24576000 bytes are needed for the writers of the columns of Parquet");
        assert_eq!(is_refused, status == 2, "{}", ended.words);
    }
}

/// Each test that SECURITY.md names exists, and each kind of input that is tested here has a row.
#[test]
fn security_page_has_a_row_with_a_test_for_each_kind_of_input() {
    let page = fs::read_to_string(project().join("SECURITY.md")).unwrap();
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.starts_with("| ") && line.matches(" | ").count() == 3)
        .map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect())
        .collect();
    for row in &rows[1..] {
        let tests: Vec<&str> = row[3].split(", ").map(|test| test.trim_matches('`')).collect();
        assert!(tests.iter().all(|test| project().join(test).is_file()), "{row:?}");
    }
    let tried_here = |name: &str| {
        let is_here = |row: &&Vec<&str>| row[3].contains("crates/cli/tests/scale/foreign.rs");
        rows.iter().filter(is_here).any(|row| row[0].to_lowercase().contains(name))
    };
    let names = [
        "parquet",
        "arrow files",
        "streams",
        "csv",
        "json lines",
        "png",
        "safetensors",
        ".gguf",
        "npz",
        "seals",
        "baselines",
    ];
    for name in names {
        assert!(tried_here(name), "{name}");
    }
}
