//! Tests of the command: kinds by extension, refusals, slices, standard streams, and files that appear completely or not at all.

use crate::support::{run_in, run_with, samples};
use ndbytes_convert::FileKind;
use std::fs;

#[test]
fn the_kind_is_told_by_extension_or_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let input = ndbytes_testkit::corpus::root().join("idx/ok/u8-2d.idx");
    fs::copy(input, folder.path().join("a.idx")).unwrap();
    for name in ["out.txt", "out", "npy", "out.npy.gz", ".npy"] {
        let ended = run_in(folder.path(), &["convert", "--force", "a.idx", name]);
        assert_eq!((ended.status, ended.stdout.len()), (2, 0), "{name}");
        assert!(ended.stderr.contains(&format!("the type of {name} is unknown")), "{}", ended.stderr);
    }
    let ended = run_in(folder.path(), &["convert", "a.idx", "-"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("`--to` must name the type of standard output"), "{}", ended.stderr);
    assert_eq!(run_in(folder.path(), &["convert", "a.idx", "out.NPY"]).status, 0);
    assert_eq!(run_in(folder.path(), &["convert", "--to", "npy", "a.idx", "out.bin"]).status, 0);
    let standard = run_in(folder.path(), &["convert", "--to", "npy", "a.idx", "-"]);
    assert_eq!(standard.stdout, fs::read(folder.path().join("out.NPY")).unwrap());
    assert_eq!(standard.stdout, fs::read(folder.path().join("out.bin")).unwrap());
    let ended = run_in(folder.path(), &["convert", "--to", "hdf5", "a.idx", "-"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("\"hdf5\" is not one of the kinds idx, "), "{}", ended.stderr);
}

#[test]
fn standard_input_is_converted() {
    let folder = tempfile::tempdir().unwrap();
    for (name, kind) in [("surface.ra", "npy"), ("trees.idv", "parquet"), ("digits-idx3-ubyte.gz", "b2nd")] {
        let input = fs::File::open(samples().join(name)).unwrap();
        let ended = run_with(folder.path(), &["convert", "-", "-", "--to", kind], input);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        let (from, out) = (samples().join(name), folder.path().join("out"));
        let ended_too =
            run_in(folder.path(), &["convert", from.to_str().unwrap(), out.to_str().unwrap(), "--to", kind]);
        assert_eq!((ended_too.status, &ended.stdout), (0, &fs::read(&out).unwrap()), "{name}");
        fs::remove_file(out).unwrap();
    }
}

#[test]
fn metadata_that_are_left_out_are_named_in_one_line_or_refused_if_strict() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.npy");
    let out = out.to_str().unwrap();
    let ended = run_in(&samples(), &["convert", "--strict", "temperatures.b2nd", out]);
    assert_eq!(ended.status, 2);
    let words = "error: .npy cannot hold the metalayer \"places\" of temperatures.b2nd, nor one other thing; without `--strict`, it is dropped\n";
    assert_eq!(ended.stderr, words);
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
    let ended = run_in(&samples(), &["convert", "temperatures.b2nd", out]);
    assert_eq!(ended.status, 0);
    let words = "dropped: .npy cannot hold the metalayer \"places\" of temperatures.b2nd, the attribute \"unit\" of temperatures.b2nd\n";
    assert_eq!(ended.stderr, words);
    let ended = run_in(&samples(), &["convert", "-q", "--force", "temperatures.b2nd", out]);
    assert_eq!((ended.status, &*ended.stderr), (0, ""));
}

#[test]
fn types_that_are_given_up_have_to_be_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let input = ndbytes_testkit::corpus::root().join("npy/ok/bool.npy");
    let ended = run_in(folder.path(), &["convert", input.to_str().unwrap(), "out.idx"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.ends_with("; `--lossy` drops it\n"), "{}", ended.stderr);
}

#[test]
fn files_whose_check_is_an_error_are_refused_by_every_command_that_reads_them_whole() {
    let folder = tempfile::tempdir().unwrap();
    for (name, out) in [
        ("b2nd/bad/overlapping-chunks.b2nd", "out.npy"),
        ("b2nd/bad/attribute-broken.b2nd", "out.npy"),
        ("idv/bad/text-boundaries-unknown-codec.idv", "out.parquet"),
    ] {
        let file = ndbytes_testkit::corpus::root().join(name);
        let file = file.to_str().unwrap();
        for arguments in [&["check", file][..], &["cat", "--all", file], &["stats", file], &["convert", file, out]] {
            let ended = run_in(folder.path(), arguments);
            assert_eq!(ended.status, 1, "{arguments:?}: {}", ended.stderr);
        }
        assert!(!folder.path().join(out).exists(), "{name}");
    }
}

#[test]
fn warnings_of_what_is_read_are_said_unless_they_are_hushed() {
    let file = ndbytes_testkit::corpus::root().join("idv/ok/unknown-codec.idv");
    let file = file.to_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["cat", file][..],
        &["cat", "--json", file],
        &["stats", file],
        &["info", file],
        &["convert", file, "out.jsonl"],
    ] {
        let ended = run_in(folder.path(), arguments);
        assert_eq!(ended.status, 0, "{arguments:?}: {}", ended.stderr);
        let line = format!("warning[idv/unknown-codec]: {file}: ");
        assert_eq!(ended.stderr.matches(&line).count(), 1, "{arguments:?}: {}", ended.stderr);
        let _ = fs::remove_file(folder.path().join("out.jsonl"));
        let ended = run_in(folder.path(), &[&["-q"], arguments].concat());
        assert_eq!((ended.status, &*ended.stderr), (0, ""), "{arguments:?}");
    }
}

#[test]
fn byte_order_is_chosen_for_idx_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.idx"), b"\0\0\x0c\x01\0\0\0\x02\x01\0\0\0\x02\0\0\0").unwrap();
    let shown = |arguments: &[&str]| String::from_utf8(run_in(folder.path(), arguments).stdout).unwrap();
    assert_eq!(shown(&["cat", "a.idx"]), "[16777216 33554432]\n");
    assert_eq!(shown(&["cat", "--byte-order", "little", "a.idx"]), "[1 2]\n");
    let ended = run_in(folder.path(), &["cat", "--tolerate", "idx/implausible-byte-order", "a.idx"]);
    assert_eq!(ended.status, 2, "a warning stops no reader");
    let sample = samples().join("surface.ra");
    let ended = run_in(folder.path(), &["cat", "--byte-order", "little", sample.to_str().unwrap()]);
    assert!(ended.stderr.contains("`--byte-order` works only with IDX, but this is RawArray"), "{}", ended.stderr);
}

#[test]
fn tables_are_refused_as_arrays() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.npy");
    let ended = run_in(&samples(), &["convert", "trees.idv", out.to_str().unwrap()]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains(".npy cannot hold tables: use idv, "), "{}", ended.stderr);
    assert!(!out.exists());
}

#[test]
fn several_inputs_become_one_and_none_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.ra", "b.ra"] {
        fs::copy(samples().join("surface.ra"), folder.path().join(name)).unwrap();
    }
    let ended = run_in(folder.path(), &["convert", "a.ra", "b.ra[::-1]", "both.b2nd"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let both = ndbytes::read::<f64>(folder.path().join("both.b2nd"))
        .or_else(|_| ndbytes::read::<f32>(folder.path().join("both.b2nd")).map(|array| array.mapv(f64::from)));
    let one = ndbytes::open(folder.path().join("a.ra")).unwrap().into_array().unwrap().to_array_as::<f64>().unwrap();
    let both = both.unwrap();
    let rows = one.shape()[0];
    let (first, second) = both.view().split_at(ndbytes::ndarray::Axis(0), rows);
    assert_eq!(first, one);
    let mut turned = second.to_owned();
    turned.invert_axis(ndbytes::ndarray::Axis(0));
    assert_eq!(turned, one);
    for out in ["a.ra", "b.ra", "./b.ra"] {
        let ended = run_in(folder.path(), &["convert", "--force", "a.ra", "b.ra[0]", out]);
        assert_eq!(ended.status, 2);
        assert!(ended.stderr.contains("is the input file, which is never replaced"), "{}", ended.stderr);
    }
}

#[test]
fn a_frame_for_standard_output_is_held_within_the_memory_limit() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["convert", "--to", "b2nd", "surface.ra", "-"];
    let ended = run_in(&samples(), &arguments);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    fs::write(folder.path().join("out.b2nd"), &ended.stdout).unwrap();
    let out = folder.path().join("out.b2nd");
    assert_eq!(run_in(&samples(), &["check", out.to_str().unwrap()]).status, 0);
    let less = run_in(&samples(), &[&arguments[..], &["--max-memory", "300"]].concat());
    assert_eq!((less.status, less.stdout.len()), (2, 0));
    assert!(less.stderr.contains("which is written to a stream only once complete"), "{}", less.stderr);
}

#[test]
fn more_than_the_output_limit_is_not_begun() {
    let folder = tempfile::tempdir().unwrap();
    for kind in crate::support::kinds() {
        let out = folder.path().join(format!("out.{kind}"));
        let arguments = ["convert", "--lossy", "--max-output", "1000", "temperatures.b2nd", out.to_str().unwrap()];
        let ended = run_in(&samples(), &arguments);
        assert_eq!((ended.status, out.exists()), (1, false), "{kind}: {}", ended.stderr);
        assert!(ended.stderr.contains("limit-exceeded"), "{kind}: {}", ended.stderr);
    }
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
}

#[test]
fn every_file_of_the_corpus_is_converted_or_refused_without_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let (mut converted, mut refused) = (0, 0);
    for format in ["idx", "rawarray", "b2nd", "npy", "idv", "zip"] {
        for entry in ["ok", "bad"].map(|name| ndbytes_testkit::corpus::root().join(format).join(name)) {
            for path in fs::read_dir(entry).unwrap().map(|entry| entry.unwrap().path()) {
                if path.extension().is_some_and(|extension| extension == "recipe") {
                    continue;
                }
                for kind in ["npy", "b2nd", "ra"] {
                    let out = folder.path().join(format!("out.{kind}"));
                    let arguments = ["ndbytes", "convert", "--lossy"].map(std::ffi::OsString::from);
                    let paths = [path.clone().into_os_string(), out.clone().into_os_string()];
                    let (mut input, mut stdout, mut stderr) = (std::io::empty(), Vec::new(), Vec::new());
                    let streams = ndbytes_cli::Streams::captured(&mut input, &mut stdout, &mut stderr);
                    let status = ndbytes_cli::run(arguments.into_iter().chain(paths), streams);
                    assert_eq!(status == 0, out.exists(), "{}", path.display());
                    assert!(status == 0 || !stderr.is_empty(), "{}", path.display());
                    if status == 0 {
                        converted += 1;
                        fs::remove_file(&out).unwrap();
                    } else {
                        refused += 1;
                    }
                    assert!(fs::read_dir(folder.path()).unwrap().next().is_none(), "{}", path.display());
                }
            }
        }
    }
    assert!(converted > 300 && refused > 1000, "{converted} converted, {refused} refused");
}

#[test]
fn each_file_of_folders_is_converted_by_itself() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("data/sub")).unwrap();
    for (from, to) in [
        ("surface.ra", "surface.ra"),
        ("digits-idx3-ubyte.gz", "sub/digits-idx3-ubyte.gz"),
        ("digits-idx1-ubyte", "sub/labels.idx"),
        ("interrupted-idx3-ubyte", "broken-idx3-ubyte"),
    ] {
        fs::copy(samples().join(from), path("data").join(to)).unwrap();
    }
    fs::write(path("data/notes.txt"), "hello").unwrap();
    let ended = run_in(folder.path(), &["convert", "--to", "npy", "--out-dir", "out", "data"]);
    // A broken file does not stop the others.
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("error[idx/truncated-payload]"), "{}", ended.stderr);
    assert!(ended.stderr.ends_with("3 files converted; 1 not converted; 1 of other formats\n"), "{}", ended.stderr);
    for (name, whole) in
        [("out/surface.npy", "data/surface.ra"), ("out/sub/digits-idx3-ubyte.npy", "data/sub/digits-idx3-ubyte.gz")]
    {
        let alone = run_in(folder.path(), &["convert", "--to", "npy", whole, "-"]);
        assert_eq!(fs::read(path(name)).unwrap(), alone.stdout, "{name}");
    }
    assert!(path("out/sub/labels.npy").exists() && !path("out/broken-idx3-ubyte.npy").exists());
    // Existing files are kept, and files with the same name do not replace each other.
    let again = run_in(folder.path(), &["convert", "--to", "npy", "--out-dir", "out", "data/surface.ra"]);
    assert!(again.status == 2 && again.stderr.contains("`--force` replaces it"), "{}", again.stderr);
    fs::copy(path("data/surface.ra"), path("data/surface.idx")).unwrap();
    let twice = run_in(folder.path(), &["convert", "--to", "npy", "--out-dir", "new", "data"]);
    assert!(
        twice.status == 2 && twice.stderr.contains("another file is written to new/surface.npy"),
        "{}",
        twice.stderr
    );
}

#[test]
fn a_folder_that_is_converted_into_itself_is_walked_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(samples().join("surface.ra"), folder.path().join("surface.ra")).unwrap();
    for _ in 0..2 {
        let ended = run_in(folder.path(), &["convert", "--force", "--to", "npy", "--out-dir", "out", "."]);
        assert_eq!((ended.status, &*ended.stderr), (0, "1 file converted\n"));
    }
    let files = fs::read_dir(folder.path().join("out")).unwrap().count();
    assert_eq!(files, 1);
}

#[test]
fn the_files_may_be_those_of_a_list() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["a/x.ra", "b/x.ra"] {
        fs::create_dir_all(path(name).parent().unwrap()).unwrap();
        fs::copy(samples().join("surface.ra"), path(name)).unwrap();
    }
    fs::write(path("list"), "./a/x.ra\nb/x.ra\n").unwrap();
    fs::write(path("nulls"), "a/x.ra\0b/x.ra\0").unwrap();
    // Files with the same name keep their directories from the list.
    let ended = run_in(folder.path(), &["convert", "--to", "npy", "--out-dir", "out", "--files-from", "list"]);
    assert_eq!((ended.status, &*ended.stderr), (0, "2 files converted\n"));
    assert!(path("out/a/x.npy").exists() && path("out/b/x.npy").exists());
    // All files of a list are converted to one.
    let ended = run_in(folder.path(), &["convert", "-0", "--files-from", "nulls", "both.npy"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let alone = run_in(folder.path(), &["convert", "a/x.ra", "b/x.ra", "-", "--to", "npy"]);
    assert_eq!(fs::read(path("both.npy")).unwrap(), alone.stdout);
    fs::write(path("none"), "").unwrap();
    for (arguments, reason) in [
        (&["convert", "--files-from", "none", "all.npy"][..], "the list is empty"),
        (&["convert", "--files-from", "gone", "all.npy"], "gone: No such file"),
        (&["convert", "--files-from", "list"], "<IN OUT>"),
        (&["convert", "--files-from", "-", "-", "all.npy"], "cannot be both the list and a file of it"),
    ] {
        let ended = run_in(folder.path(), arguments);
        assert!(ended.status == 2 && ended.stderr.contains(reason), "{arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn a_file_among_many_that_is_refused_is_named_once() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["zero-columns", "text-split-surrogates"] {
        let file = ndbytes_testkit::corpus::root().join(format!("idv/ok/{name}.idv"));
        fs::copy(file, folder.path().join(format!("{name}.idv"))).unwrap();
    }
    let ended = run_in(folder.path(), &["convert", "--to", "parquet", "--out-dir", "out", "."]);
    let expected = "error: text-split-surrogates.idv: row 0 of the column \"a\" contains an unpaired surrogate, which Arrow text cannot hold: \
                    choose the texts lossy (`--lossy`)\n\
                    error: ./zero-columns.idv: Parquet cannot hold a table without columns\n\
                    0 files converted; 2 not converted\n";
    assert_eq!((ended.status, &*ended.stderr), (2, expected));
}

#[test]
fn an_error_that_asks_for_a_choice_names_the_option() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), "a,b\n1,x\n,y\n").unwrap();
    let ended = run_in(folder.path(), &["convert", "a.csv", "a.idv"]);
    assert!(ended.status == 2 && ended.stderr.contains("(`--nulls`)"), "{}", ended.stderr);
}

#[test]
fn a_target_is_needed() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, reason) in [
        (&["convert", "a.npy"][..], "no output file is named"),
        (&["convert", "--out-dir", "out", "a.npy"], "--to <KIND>"),
    ] {
        let ended = run_in(folder.path(), arguments);
        assert!(ended.status == 2 && ended.stderr.contains(reason), "{}", ended.stderr);
    }
}

/// Iterates over the list of kinds, so that new ones are also covered.
#[test]
fn a_file_of_a_kind_that_is_read_is_replaced_only_if_that_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let sample = |name: &str| samples().join(name).into_os_string().into_string().unwrap();
    let (picture, array, table) = (sample("digits-idx3-ubyte.gz[0]"), sample("surface.ra"), sample("trees.idv"));
    for kind in FileKind::ALL {
        let input = match kind {
            FileKind::Png | FileKind::Idx | FileKind::IdxGzip => &picture,
            kind if kind.is_table() => &table,
            _ => &array,
        };
        let out = format!("out.{kind}");
        // Line-based text is detected only by name.
        for other in [&out, "same"].into_iter().take(if kind.is_lines() { 1 } else { 2 }) {
            let ended = run_in(folder.path(), &["convert", "--to", kind.name(), input, other]);
            assert_eq!(ended.status, 0, "{kind}: {}", ended.stderr);
            for arguments in [
                &["convert", "--to", "npy", &array, other][..],
                &["convert", "--to", kind.name(), input, other],
                &["explain", "--html", other, &array],
                &["diff", "--html", other, &array, &array],
                &["check", "--format", "parquet", "--out", other, &array],
            ] {
                let ended = run_in(folder.path(), arguments);
                let says = ended.stderr.contains("exists and is") && ended.stderr.contains("`--force` replaces it");
                assert!(ended.status == 2 && says, "{arguments:?}: {}", ended.stderr);
            }
            let ended = run_in(folder.path(), &["convert", "--force", "--to", kind.name(), input, other]);
            assert_eq!(ended.status, 0, "{kind}: {}", ended.stderr);
            let place = folder.path().join(other);
            if place.is_dir() { fs::remove_dir_all(place).unwrap() } else { fs::remove_file(place).unwrap() }
        }
    }
    fs::write(folder.path().join(".ndbytes.toml"), "").unwrap();
    assert_eq!(run_in(folder.path(), &["convert", "--to", "npy", &array, ".ndbytes.toml"]).status, 0, "it is empty");
    for (name, content) in [(".ndbytes.toml", "[files]\n"), ("x.seal", "ndbytes seal 1\n")] {
        fs::write(folder.path().join(name), content).unwrap();
        let ended = run_in(folder.path(), &["convert", "--to", "npy", &array, name]);
        assert!(ended.status == 2 && ended.stderr.contains("`--force` replaces it"), "{name}: {}", ended.stderr);
    }
}

/// A system limit simulates a full disk. Also iterates over the list of kinds.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    // Numbers that no codec can compress.
    let numbers = (0..1_u64 << 20).map(|number| (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as u8);
    let array = ndbytes::ndarray::Array2::from_shape_vec((1 << 10, 1 << 10), numbers.collect()).unwrap();
    ndbytes::npy::write(folder.path().join("a.npy"), &array).unwrap();
    for kind in FileKind::ALL {
        let out = format!("out.{kind}");
        // GGUF does not support this type.
        let option = if kind == FileKind::Gguf { "--lossy" } else { "--quiet" };
        let convert = ["convert", option, "a.npy", &out];
        if run_in(folder.path(), &convert).status != 0 {
            assert!(kind.is_table(), "{kind} holds the array");
            continue;
        }
        let place = folder.path().join(&out);
        if place.is_dir() {
            fs::remove_dir_all(place).unwrap()
        } else {
            fs::remove_file(place).unwrap()
        }
        let mut limited = std::process::Command::new("sh");
        limited.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_ndbytes")]);
        let ended = limited.args(convert).current_dir(folder.path()).output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{kind}: {said}");
        assert!(said.contains(&format!("error: {out}")) || said.contains(&format!("/{out}")), "{kind}: {said}");
        assert!(!folder.path().join(&out).exists(), "{kind}");
    }
}
