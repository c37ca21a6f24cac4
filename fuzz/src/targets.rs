//! The table of targets, which the fuzzer and `examples/replay.rs` use. `targets.txt` has the dictionary and the seeds
//! of each target.

use crate::bounds::in_turn;
use crate::{
    archives, arrow, b2nd, blosclz, budget, c_stream, contract, convert, descr, diff, folders, formats, idv, idx,
    inflate, ksy, large, lz4, npy, paths, ranges, rawarray, rawarray_crate, repair, slices, streaming, textconv,
    threads, tool, writer,
};
use Mutator::{Forge, ForgeOfAny, LibFuzzer};
use arbitrary::{Arbitrary, Unstructured};
use ndbytes_forge::{Kind, Plain, cross_inputs, mutate_input};
use std::env;
use std::fmt::Debug;
use std::path::Path;
use std::sync::LazyLock;

/// All targets. `crates/cli/tests/it/fuzzing.rs` compares their names with `targets.txt`.
const TARGETS: &[Target] = &[
    of_bytes("idx_bytes", Forge(Kind::Idx), idx::examine_bytes),
    of_values("idx_value", |bytes| with(bytes, idx::Sample::examine)),
    of_bytes("rawarray_bytes", Forge(Kind::RawArray), rawarray::examine_bytes),
    of_values("rawarray_value", |bytes| with(bytes, rawarray::Sample::examine)),
    of_bytes("idv_bytes", Forge(Kind::Idv), |bytes| in_turn(|| idv::examine_bytes(bytes))),
    of_bytes("idv_block", LibFuzzer, |bytes| {
        if let Some(sample) = idv::BlockSample::new(bytes) {
            in_turn(|| sample.examine());
        }
    }),
    of_values("idv_value", |bytes| with(bytes, |value: idv::Sample| in_turn(|| value.examine()))),
    of_bytes("arrow_export", Forge(Kind::Idv), |bytes| in_turn(|| arrow::examine(bytes))),
    of_values("c_stream", |bytes| with(bytes, |value: c_stream::Sample| in_turn(|| value.examine()))),
    of_bytes("b2nd_bytes", Forge(Kind::B2nd), |bytes| in_turn(|| b2nd::examine_bytes(bytes))),
    of_values("b2nd_value", |bytes| with(bytes, |value: b2nd::Sample| in_turn(|| value.examine()))),
    of_bytes("blosc2_chunk", LibFuzzer, |bytes| {
        if let Some(sample) = b2nd::ChunkSample::new(bytes) {
            in_turn(|| sample.examine());
        }
    }),
    of_bytes("npy_bytes", Forge(Kind::Npy), npy::examine_bytes),
    of_values("npy_value", |bytes| with(bytes, npy::Sample::examine)),
    of_bytes("npy_descr", LibFuzzer, descr::examine),
    of_bytes("zip_bytes", Forge(Kind::Zip), |bytes| in_turn(|| archives::examine_zip(bytes))),
    of_bytes("gzip_bytes", Forge(Kind::Gzip), archives::examine_gzip),
    of_bytes("inflate", LibFuzzer, inflate::examine),
    of_bytes("blosclz", LibFuzzer, blosclz::examine),
    of_bytes("lz4", LibFuzzer, lz4::examine),
    of_bytes("ksy_spec", LibFuzzer, ksy::examine_specification),
    of_bytes("ksy_file", LibFuzzer, ksy::examine_file),
    of_bytes("ksy_bundle", LibFuzzer, ksy::examine_bundle),
    of_bytes("formats", LibFuzzer, formats::examine),
    of_values("writer", |bytes| with(bytes, |session: writer::Session| in_turn(|| session.examine()))),
    of_bytes("slices", ForgeOfAny, |bytes| in_turn(|| slices::examine(bytes))),
    of_bytes("streaming", ForgeOfAny, |bytes| in_turn(|| streaming::examine(bytes))),
    of_bytes("ranges", ForgeOfAny, |bytes| in_turn(|| ranges::examine(bytes))),
    of_values("large", |bytes| with(bytes, large::Sample::examine)),
    of_bytes("paths", ForgeOfAny, |bytes| in_turn(|| paths::examine(bytes))),
    of_bytes("folders", ForgeOfAny, |bytes| in_turn(|| folders::examine(bytes))),
    of_bytes("repair", ForgeOfAny, |bytes| in_turn(|| repair::examine(bytes))),
    of_bytes("threads", ForgeOfAny, threads::examine),
    of_bytes("limits", ForgeOfAny, |bytes| in_turn(|| budget::examine(bytes))),
    of_bytes("rawarray_crate", Forge(Kind::RawArray), rawarray_crate::examine),
    of_bytes("tool", ForgeOfAny, |bytes| in_turn(|| tool::examine(bytes))),
    of_bytes("textconv", ForgeOfAny, |bytes| in_turn(|| textconv::examine(bytes))),
    of_bytes("diff", LibFuzzer, |bytes| in_turn(|| diff::examine(bytes))),
    of_bytes("parquet_bytes", LibFuzzer, |bytes| in_turn(|| convert::examine_table("parquet", bytes))),
    of_bytes("arrow_bytes", LibFuzzer, |bytes| in_turn(|| convert::examine_table("arrow", bytes))),
    of_bytes("arrows_bytes", LibFuzzer, |bytes| in_turn(|| convert::examine_table("arrows", bytes))),
    of_bytes("csv_bytes", LibFuzzer, |bytes| in_turn(|| convert::examine_table("csv", bytes))),
    of_bytes("jsonl_bytes", LibFuzzer, |bytes| in_turn(|| convert::examine_table("jsonl", bytes))),
    of_bytes("png_bytes", LibFuzzer, |bytes| in_turn(|| convert::examine_array("png", "", bytes))),
    of_bytes("zarr_bundle", LibFuzzer, |bytes| in_turn(|| convert::examine_store(bytes))),
    of_bytes("zarr_zip", Forge(Kind::Zip), |bytes| in_turn(|| convert::examine_array("zarr.zip", "", bytes))),
    of_bytes("contract", LibFuzzer, |bytes| in_turn(|| contract::examine(bytes))),
    of_bytes("safetensors_bytes", Forge(Kind::Safetensors), |bytes| {
        in_turn(|| convert::examine_array("safetensors", "", bytes))
    }),
    of_bytes("gguf_bytes", Forge(Kind::Gguf), |bytes| in_turn(|| convert::examine_array("gguf", "", bytes))),
    of_bytes("npz_bytes", Forge(Kind::Zip), |bytes| in_turn(|| convert::examine_array("npz", "!surface.npy", bytes))),
];

/// The variable with the name of the target, which is used if the file of the process has another name.
const VARIABLE: &str = "NDBYTES_FUZZ_TARGET";

/// A target: its name, its question about an input, and the mutator of its inputs.
#[derive(Debug)]
pub struct Target {
    name: &'static str,
    mutator: Mutator,
    question: Question,
}

/// The question of a target.
#[derive(Debug)]
enum Question {
    /// A question about the bytes themselves.
    Bytes(fn(&[u8])),
    /// A question about the value made from the bytes. The answer is `false` if they do not form a value.
    Value(fn(&[u8]) -> bool),
}

/// The mutator of the inputs of a target.
#[derive(Debug)]
enum Mutator {
    /// The forge, as files of one kind.
    Forge(Kind),
    /// The forge, with the kind determined by content.
    ForgeOfAny,
    /// Only libFuzzer.
    LibFuzzer,
}

const fn of_bytes(name: &'static str, mutator: Mutator, examine: fn(&[u8])) -> Target {
    Target { name, mutator, question: Question::Bytes(examine) }
}

const fn of_values(name: &'static str, examine: fn(&[u8]) -> bool) -> Target {
    Target { name, mutator: LibFuzzer, question: Question::Value(examine) }
}

/// Examines the value made from an input, like `fuzz_target!` of libfuzzer-sys. Returns `false` if there is none.
fn with<'a, T: Arbitrary<'a> + Debug>(bytes: &'a [u8], examine: impl FnOnce(T)) -> bool {
    static SHOWN: LazyLock<bool> = LazyLock::new(|| env::var_os("NDBYTES_FUZZ_SHOW").is_some());
    // libFuzzer finds longer inputs sooner if it learns nothing from inputs that are too short.
    if bytes.len() < T::size_hint(0).0 {
        return false;
    }
    let Ok(value) = T::arbitrary_take_rest(Unstructured::new(bytes)) else { return false };
    if *SHOWN {
        eprintln!("{value:#?}");
    }
    examine(value);
    true
}

impl Target {
    /// The target with this name.
    ///
    /// # Errors
    ///
    /// A sentence with the names of all targets.
    pub fn named(name: &str) -> Result<&'static Self, String> {
        let names = || TARGETS.iter().map(|target| target.name).collect::<Vec<_>>().join(" ");
        let found = TARGETS.iter().find(|target| target.name == name);
        found.ok_or_else(|| format!("there is no target {name:?}; targets: {}", names()))
    }

    /// The target of this process, selected by its file name or else by `NDBYTES_FUZZ_TARGET`.
    ///
    /// # Errors
    ///
    /// As for [`Target::named`].
    pub fn of_process() -> Result<&'static Self, String> {
        let program = env::args_os().next().unwrap_or_default();
        let file = Path::new(&program).file_name().unwrap_or_default().to_string_lossy();
        Target::named(&file).or_else(|_| {
            let name = env::var_os(VARIABLE).unwrap_or_default();
            Target::named(&name.to_string_lossy()).map_err(|problem| format!("{VARIABLE}: {problem}"))
        })
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Asks the target's question about an input. Returns `false` if the input is not worth keeping.
    pub fn examine(&self, bytes: &[u8]) -> bool {
        match self.question {
            Question::Bytes(examine) => {
                examine(bytes);
                true
            }
            Question::Value(examine) => examine(bytes),
        }
    }

    /// Mutates an input of `size` bytes in place, like a custom mutator of libFuzzer; `plain` is libFuzzer's own.
    pub fn mutate(&self, data: &mut [u8], size: usize, max: usize, seed: u32, plain: Plain) -> usize {
        match self.mutator {
            Forge(kind) => mutate_input(Some(kind), data, size, max, seed, plain),
            ForgeOfAny => mutate_input(None, data, size, max, seed, plain),
            LibFuzzer => plain(data, size, max),
        }
    }

    /// Copies a part of an input into another one, like a custom crossover of libFuzzer. Returns 0 if it does not.
    pub fn cross(&self, one: &[u8], other: &[u8], out: &mut [u8], seed: u32) -> usize {
        match self.mutator {
            Forge(kind) => cross_inputs(Some(kind), one, other, out, seed),
            ForgeOfAny => cross_inputs(None, one, other, out, seed),
            LibFuzzer => 0,
        }
    }
}
