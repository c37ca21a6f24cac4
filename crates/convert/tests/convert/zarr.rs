//! Zarr: frozen stores written by zarr-python, broken stores, and stores written by the tool.

use crate::support::{project, run_in};
use ndbytes::ndarray::{ArrayD, IxDyn};
use ndbytes::{Decoded, Limits, b2nd, npy};
use ndbytes_convert::{ArraySource, FileKind, Options, Source, Target, ZarrArray, ZarrStore};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn frozen() -> std::path::PathBuf {
    project().join("tests/frozen/zarr")
}

/// Runs a conversion in a directory and returns the text on standard error.
fn converted(folder: &Path, arguments: &[&str]) -> String {
    let ended = run_in(folder, &[&["convert"], arguments].concat());
    assert_eq!(ended.status, 0, "{arguments:?}: {}", ended.stderr);
    ended.stderr
}

/// The message of a refused conversion.
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let ended = run_in(folder, &[&["convert"], arguments].concat());
    assert_eq!(ended.status, 2, "{arguments:?}: {}", ended.stderr);
    ended.stderr.trim_end().trim_start_matches("error: ").to_owned()
}

fn same(folder: &Path, one: &str, other: &str) {
    let ended = run_in(folder, &["diff", "--values-only", one, other]);
    assert_eq!(ended.status, 0, "{one} {other}: {}{}", String::from_utf8_lossy(&ended.stdout), ended.stderr);
}

/// A directory with an array of 10 × 12 numbers as `a.npy` and `a.b2nd`. The latter has chunks of 4 × 6 and blocks of 2 × 3.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let array = ArrayD::from_shape_fn(IxDyn(&[10, 12]), |at| (at[0] * 12 + at[1]) as i32 + 1);
    npy::write(folder.path().join("a.npy"), &array).unwrap();
    let writer = b2nd::Writer::new().chunks([4, 6]).blocks([2, 3]).attribute("unit", &"K".into()).unwrap();
    writer.write(folder.path().join("a.b2nd"), &array).unwrap();
    folder
}

fn node(folder: &Path, store: &str) -> Value {
    serde_json::from_slice(&fs::read(folder.join(store).join("zarr.json")).unwrap()).unwrap()
}

#[test]
fn frozen_stores_have_the_items_that_zarr_python_reads() {
    let folder = tempfile::tempdir().unwrap();
    let mut read = 0;
    for entry in fs::read_dir(frozen()).unwrap() {
        let path = entry.unwrap().path();
        let Some(store) = path.to_str().and_then(|path| path.strip_suffix(".npy")) else { continue };
        converted(folder.path(), &["--force", store, "found.npy"]);
        same(folder.path(), "found.npy", path.to_str().unwrap());
        // Convert via b2nd and another store.
        converted(folder.path(), &["--force", store, "found.b2nd"]);
        same(folder.path(), "found.b2nd", path.to_str().unwrap());
        if !store.ends_with("fields.zarr") {
            converted(folder.path(), &["--force", "found.b2nd", "found.zarr.zip"]);
            converted(folder.path(), &["--force", "found.zarr.zip", "found.npy"]);
            same(folder.path(), "found.npy", path.to_str().unwrap());
        }
        read += 1;
    }
    assert_eq!(read, 8);
}

#[test]
fn array_of_a_group_is_addressed_by_its_path() {
    let (folder, store) = (folder(), frozen().join("group.zarr"));
    let store = store.to_str().unwrap();
    let words = refused(folder.path(), &[store, "x.npy"]);
    assert_eq!(
        words,
        format!("{store} has 2 arrays, but .npy holds one: choose one as in {store}!a; there are a, inner/b")
    );
    converted(folder.path(), &[&format!("{store}!inner/b[1:]"), "b.npy"]);
    converted(folder.path(), &[&format!("{store}/inner/b[1:]"), "same.npy"]);
    same(folder.path(), "b.npy", "same.npy");
    converted(folder.path(), &[store, "all.npz"]);
    converted(folder.path(), &["all.npz!inner/b.npy[1:]", "again.npy"]);
    same(folder.path(), "b.npy", "again.npy");
    // If an archive is named, all of its arrays are converted.
    converted(folder.path(), &["all.npz", "all.zarr"]);
    converted(folder.path(), &["all.zarr!inner/b[1:]", "once-more.npy"]);
    same(folder.path(), "b.npy", "once-more.npy");
    let words = refused(folder.path(), &["a.npy", "all.npz!a.npy", "twice.zarr"]);
    assert_eq!(words, "Zarr cannot hold two arrays of the name \"a\"");
    let words = refused(folder.path(), &[&format!("{store}!inner/c"), "x.npy"]);
    assert_eq!(words, format!("{store}/inner/c: there is no array of Zarr"));
    let words = refused(folder.path(), &[&format!("{store}!../plain.zarr"), "x.npy"]);
    assert!(
        words.ends_with("\"../plain.zarr\" is not a path of names, which are not empty, \".\" or \"..\""),
        "{words}"
    );
}

#[test]
fn blocks_of_b2nd_are_chunks_inside_of_shards_and_come_back() {
    let folder = folder();
    for codec in ["zstd", "gzip", "blosc", "none"] {
        for store in ["x.zarr", "x.zarr.zip"] {
            if codec != "zstd" && store == "x.zarr" {
                fs::remove_dir_all(folder.path().join(store)).unwrap();
            }
            converted(folder.path(), &["--force", "--codec", codec, "--strict", "a.b2nd", store]);
            converted(folder.path(), &["--force", "--strict", store, "back.b2nd"]);
            same(folder.path(), "a.b2nd", "back.b2nd");
            converted(folder.path(), &["--force", &format!("{store}[7:2:-2, 5]"), "part.npy"]);
            converted(folder.path(), &["--force", "a.npy[7:2:-2, 5]", "expected.npy"]);
            same(folder.path(), "part.npy", "expected.npy");
        }
        let node = node(folder.path(), "x.zarr");
        assert_eq!(node["chunk_grid"]["configuration"]["chunk_shape"], json!([4, 6]));
        assert_eq!(node["codecs"][0]["configuration"]["chunk_shape"], json!([2, 3]));
        assert_eq!(node["attributes"], json!({"unit": "K"}));
        assert_eq!(b2nd::open(folder.path().join("back.b2nd")).unwrap().attribute_names(), ["unit"]);
    }
}

#[test]
fn names_of_axes_and_attributes_are_kept_by_b2nd_and_left_out_by_name_elsewhere() {
    let (folder, store) = (folder(), frozen().join("plain.zarr"));
    let store = store.to_str().unwrap();
    let left_out = converted(folder.path(), &[store, "x.npy"]);
    assert_eq!(
        left_out,
        "dropped: .npy cannot hold the attribute \"range\" of plain.zarr, the attribute \"unit\" of plain.zarr, \
         the names of the axes of plain.zarr\n"
    );
    converted(folder.path(), &["--strict", store, "x.b2nd"]);
    converted(folder.path(), &["--strict", "x.b2nd", "x.zarr"]);
    let node = node(folder.path(), "x.zarr");
    assert_eq!(node["attributes"], json!({"unit": "K", "range": [0, 12]}));
    assert_eq!(node["dimension_names"], json!(["y", null]));
    // Only Zarr can hold the fill value.
    let shards = frozen().join("shards.zarr");
    let words = refused(folder.path(), &["--strict", shards.to_str().unwrap(), "y.b2nd"]);
    assert_eq!(words, "b2nd cannot hold the fill value \"NaN\" of shards.zarr; without `--strict`, it is dropped");
    converted(folder.path(), &["--strict", shards.to_str().unwrap(), "y.zarr"]);
    assert_eq!(self::node(folder.path(), "y.zarr")["fill_value"], json!("NaN"));
}

#[test]
fn store_is_never_written_into_by_what_reads_it() {
    let folder = folder();
    converted(folder.path(), &["a.npy", "in.zarr"]);
    fs::copy(folder.path().join("a.npy"), folder.path().join("b.npy")).unwrap();
    converted(folder.path(), &["a.npy", "b.npy", "group.zarr"]);
    for (input, out) in [
        ("in.zarr", "in.zarr/c/0/0"),
        ("in.zarr", "in.zarr/c/9/9"),
        ("in.zarr", "in.zarr/new.npy"),
        ("in.zarr[2:4]", "in.zarr/c/0/0"),
        ("in.zarr", "./in.zarr/../in.zarr/c/0/0"),
        ("group.zarr!a", "group.zarr/new.npy"),
        ("group.zarr/a", "group.zarr/a/c/0/0"),
    ] {
        let before = fs::read(folder.path().join("in.zarr/c/0/0")).unwrap();
        for force in ["--force", "--quiet"] {
            let words = refused(folder.path(), &[force, "--to", "npy", input, out]);
            assert!(words.ends_with(", where nothing is written"), "{input} {out}: {words}");
        }
        assert_eq!(fs::read(folder.path().join("in.zarr/c/0/0")).unwrap(), before);
    }
    // A store that is not read contains a chunk file in a known format.
    let words = refused(folder.path(), &["--to", "npy", "a.npy", "in.zarr/c/0/0"]);
    assert_eq!(words, "in.zarr/c/0/0 exists and is in the folder of a Zarr store; `--force` replaces it");
}

#[test]
fn store_is_replaced_by_another_one_if_that_is_asked_for_and_nothing_else_is_in_it() {
    let folder = folder();
    let group = frozen().join("group.zarr");
    converted(folder.path(), &[group.to_str().unwrap(), "x.zarr"]);
    let words = refused(folder.path(), &["a.npy", "x.zarr"]);
    assert_eq!(words, "x.zarr exists and is the folder of a Zarr store; `--force` replaces it");
    let words = refused(folder.path(), &["--force", "x.zarr!a", "x.zarr"]);
    assert_eq!(words, "x.zarr is the input file, which is never replaced");
    converted(folder.path(), &["--force", "a.npy", "x.zarr"]);
    same(folder.path(), "a.npy", &{
        converted(folder.path(), &["x.zarr", "back.npy"]);
        "back.npy".to_owned()
    });
    assert!(!folder.path().join("x.zarr/inner").exists(), "nothing of the store before is left");
    // Everything in the frozen stores belongs to them, in either version.
    for entry in fs::read_dir(frozen()).unwrap() {
        let from = entry.unwrap().path();
        if from.is_dir() {
            let to = folder.path().join(from.file_name().unwrap());
            copy(&from, &to);
            converted(folder.path(), &["--force", "a.npy", to.to_str().unwrap()]);
        }
    }
    for other in ["notes.txt", "c/notes.txt", "c/0/notes.txt", "c/x/0", "inner/0"] {
        let other = Path::new("x.zarr").join(other);
        fs::create_dir_all(folder.path().join(other.parent().unwrap())).unwrap();
        fs::write(folder.path().join(&other), "mine").unwrap();
        let words = refused(folder.path(), &["--force", "a.npy", "x.zarr"]);
        assert!(words.starts_with("x.zarr: is a directory with other content: "), "{other:?}: {words}");
        assert_eq!(fs::read_to_string(folder.path().join(&other)).unwrap(), "mine");
        fs::remove_file(folder.path().join(other)).unwrap();
        let _ = fs::remove_dir(folder.path().join("x.zarr/c/x"));
    }
}

/// Copies a directory with everything in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(path, to).unwrap();
        }
    }
}

#[test]
fn nothing_that_is_there_is_replaced_by_a_store() {
    let folder = folder();
    fs::create_dir(folder.path().join("x.zarr")).unwrap();
    fs::write(folder.path().join("x.zarr/notes.txt"), "mine").unwrap();
    let words = refused(folder.path(), &["--force", "a.npy", "x.zarr"]);
    assert_eq!(words, "x.zarr: is a directory with other content: notes.txt");
    assert_eq!(fs::read_to_string(folder.path().join("x.zarr/notes.txt")).unwrap(), "mine");
    // If its source turns out to be broken, the store does not appear.
    converted(folder.path(), &["a.b2nd", "good.zarr"]);
    let chunk = folder.path().join("good.zarr/c/2/1");
    let length = fs::metadata(&chunk).unwrap().len();
    fs::File::options().write(true).open(&chunk).unwrap().set_len(length - 1).unwrap();
    refused(folder.path(), &["good.zarr", "bad.zarr"]);
    refused(folder.path(), &["good.zarr", "bad.zarr.zip"]);
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(
        names.iter().all(|name| !name.to_string_lossy().contains("bad") && !name.to_string_lossy().contains("ndbytes"))
    );
    assert_eq!(
        refused(folder.path(), &["a.npy", "--to", "zarr", "-"]),
        "Zarr cannot hold a directory on standard output: use zarr.zip"
    );
}

/// Sets a member of the metadata, given by its JSON pointer.
fn set(node: &mut Value, place: &str, value: Value) {
    let (parent, name) = place.rsplit_once('/').unwrap();
    match node.pointer_mut(parent).unwrap() {
        Value::Array(list) => list[name.parse::<usize>().unwrap()] = value,
        Value::Object(members) => {
            members.insert(name.to_owned(), value);
        }
        other => panic!("{other} has no members"),
    }
}

#[test]
fn metadata_that_cannot_be_read_are_refused_by_name() {
    let folder = folder();
    converted(folder.path(), &["a.b2nd", "x.zarr"]);
    let good = node(folder.path(), "x.zarr");
    let inner = "/codecs/0/configuration";
    for (place, value, words) in [
        ("/shape", json!([10]), "a chunk has the shape [4, 6], but the array has 1 axes"),
        ("/shape", json!(vec![1; 65]), "the shape of the array has 65 axes, but at most 64 are read"),
        ("/chunk_grid/configuration/chunk_shape", json!(vec![1; 65]), "has 65 axes, but at most 64 are read"),
        (&format!("{inner}/chunk_shape"), json!(vec![1; 65]), "has 65 axes, but at most 64 are read"),
        ("/codecs", json!(vec![json!({"name": "crc32c"}); 33]), "a chunk has 33 codecs, but at most 32 are read"),
        (
            &format!("{inner}/codecs"),
            json!(vec![json!({"name": "crc32c"}); 33]),
            "a chunk has 33 codecs, but at most 32 are read",
        ),
        ("/shape", json!([10, -1]), "the shape of the array is not a list of dimensions"),
        ("/shape", json!([1_u64 << 62, 1_u64 << 62]), "has more bytes than can be counted"),
        ("/shape", json!([1_u64 << 63, 0]), "a dimension of the shape [9223372036854775808, 0] is too long"),
        ("/chunk_grid/configuration/chunk_shape", json!([0, 6]), "but a dimension of a chunk cannot be 0"),
        ("/chunk_grid/configuration/chunk_shape", json!([4, 5]), "is not made of whole chunks of [2, 3]"),
        ("/chunk_grid/name", json!("rectilinear"), "the chunk grid \"rectilinear\" is not one that ndbytes reads"),
        ("/data_type", json!("int2"), "the data type \"int2\" is not one that ndbytes reads"),
        ("/data_type", json!("r7"), "the data type \"r7\" is not one that ndbytes reads"),
        ("/fill_value", json!(1.5), "the fill value 1.5 is not one of items of <i4"),
        ("/codecs", json!([]), "no codec makes bytes of the items"),
        ("/codecs", json!([{"name": "zstd"}]), "the codec \"zstd\" cannot precede one that makes bytes"),
        ("/codecs", json!([{"name": "bytes"}]), "the codec \"bytes\" has no \"endian\""),
        (
            "/codecs",
            json!([{"name": "bytes"}, {"name": "bytes"}]),
            "the codec \"bytes\" cannot follow one that makes bytes",
        ),
        ("/codecs", json!([{"name": "vlen-utf8"}]), "the codec \"vlen-utf8\" is not one that ndbytes reads"),
        ("/codecs", json!([{"name": "transpose", "configuration": {"order": [0, 0]}}]), "is not one of 2 axes"),
        (&format!("{inner}/index_location"), json!("middle"), "the index of shards is at \"middle\""),
        (&format!("{inner}/index_codecs/1"), json!({"name": "gzip"}), "other than \"bytes\" and \"crc32c\""),
        (&format!("{inner}/chunk_shape"), json!([2, 0]), "but a dimension of a chunk cannot be 0"),
        ("/chunk_key_encoding/configuration/separator", json!("/../"), "can be \".\" or \"/\""),
        ("/dimension_names", json!(["y"]), "are not those of 2 axes"),
        ("/attributes", json!([]), "the attributes are not an object of JSON"),
        ("/storage_transformers", json!([{"name": "x"}]), "has storage transformers"),
        ("/novelty", json!({"name": "x"}), "have the member \"novelty\", which ndbytes does not know"),
        ("/zarr_format", json!(4), "the metadata are not those of a node of Zarr 3"),
    ] {
        let mut node = good.clone();
        set(&mut node, place, value);
        fs::write(folder.path().join("x.zarr/zarr.json"), node.to_string()).unwrap();
        let found = refused(folder.path(), &["x.zarr", "x.npy"]);
        assert!(found.contains(words), "{place}: {found}");
    }
    let mut node = good.clone();
    set(&mut node, "/novelty", json!({"must_understand": false}));
    fs::write(folder.path().join("x.zarr/zarr.json"), node.to_string()).unwrap();
    converted(folder.path(), &["x.zarr", "x.npy"]);
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    fs::write(folder.path().join("x.zarr/zarr.json"), deep).unwrap();
    assert!(refused(folder.path(), &["x.zarr", "y.npy"]).contains("the metadata is not JSON"));
}

#[test]
fn structures_of_zarr_2_are_read_up_to_a_depth() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("x.zarr")).unwrap();
    let store = |depth: usize| {
        let dtype = (0..depth).fold(json!("<i4"), |inner, _| json!([["a", inner]]));
        let metadata = json!({
            "zarr_format": 2, "shape": [2], "chunks": [2], "dtype": dtype, "compressor": null, "fill_value": null,
            "filters": null, "order": "C",
        });
        fs::write(folder.path().join("x.zarr/.zarray"), metadata.to_string()).unwrap();
    };
    fs::write(folder.path().join("x.zarr/0"), [1, 0, 0, 0, 2, 0, 0, 0]).unwrap();
    store(2);
    converted(folder.path(), &["x.zarr", "x.npy"]);
    let file = npy::open(folder.path().join("x.npy")).unwrap();
    assert_eq!(file.item_type().to_string(), "[('a', [('a', '<i4')])]");
    store(40);
    assert!(refused(folder.path(), &["x.zarr", "y.npy"]).ends_with("is not one that ndbytes reads"));
}

#[test]
fn byte_strings_of_a_fixed_length_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let item_type = "|S3".parse().unwrap();
    let mut items = Decoded::new(b"abcde\0\0\0\0", &item_type, &[3]).unwrap();
    npy::write_items(folder.path().join("a.npy"), &mut items, &Limits::default()).unwrap();
    converted(folder.path(), &["a.npy", "a.zarr"]);
    let expected = json!({"name": "null_terminated_bytes", "configuration": {"length_bytes": 3}});
    assert_eq!(node(folder.path(), "a.zarr")["data_type"], expected);
    converted(folder.path(), &["a.zarr", "b.npy"]);
    same(folder.path(), "a.npy", "b.npy");
}

/// The checksum, bit by bit.
fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| sum >> 1 ^ if sum & 1 == 1 { 0x82f6_3b78 } else { 0 })
    })
}

#[test]
fn chunks_that_cannot_be_read_are_refused_by_their_file() {
    let folder = folder();
    converted(folder.path(), &["--codec", "none", "a.b2nd", "x.zarr"]);
    let chunk = folder.path().join("x.zarr/c/1/0");
    let good = fs::read(&chunk).unwrap();
    // Four inner chunks of 24 bytes, an index of 64, and its sum.
    assert_eq!(good.len(), 4 * 24 + 4 * 16 + 4);
    let outside = [&good[..96], &1_000_u64.to_le_bytes(), &good[104..160]].concat();
    let short = [&good[..104], &23_u64.to_le_bytes(), &good[112..160]].concat();
    let shared = [&good[..96], &[0_u64.to_le_bytes(), 96_u64.to_le_bytes()].concat().repeat(4)].concat();
    let summed = |bytes: Vec<u8>| [&bytes[..], &crc32c(&bytes[96..]).to_le_bytes()].concat();
    for (bytes, words) in [
        (good[..60].to_vec(), "the shard has 60 bytes, but its index alone takes 68"),
        ([&good[..100], &[0xff; 64], &[0; 4]].concat(), "the index of the shard is not valid: the checksum"),
        (summed(outside), "is said to have 24 bytes from byte 1000 on, but the shard has 164"),
        (summed(short), "the chunk has 23 bytes, but its shape demands 24"),
        (summed(shared), "the inner chunks share bytes: together, they have more than 164"),
    ] {
        fs::write(&chunk, bytes).unwrap();
        let found = refused(folder.path(), &["x.zarr", "x.npy"]);
        assert!(found.starts_with("x.zarr/c/1/0: ") && found.contains(words), "{found}");
    }
    // A missing chunk has the fill value.
    fs::remove_file(&chunk).unwrap();
    converted(folder.path(), &["x.zarr[4:8, :6]", "zeros.npy"]);
    let zeros = fs::read(folder.path().join("zeros.npy")).unwrap();
    assert!(zeros[128..].iter().all(|&byte| byte == 0) && zeros.len() == 128 + 4 * 24);
}

#[cfg(unix)]
#[test]
fn links_in_a_store_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = folder();
    converted(folder.path(), &["a.b2nd", "x.zarr"]);
    let (chunk, row) = (folder.path().join("x.zarr/c/1/0"), folder.path().join("x.zarr/c/1"));
    fs::rename(&chunk, folder.path().join("secret")).unwrap();
    symlink(folder.path().join("secret"), &chunk).unwrap();
    let found = refused(folder.path(), &["x.zarr", "x.npy"]);
    assert_eq!(found, "x.zarr/c/1/0: is a symbolic link, which is not followed");
    fs::rename(&row, folder.path().join("row")).unwrap();
    symlink(folder.path().join("row"), &row).unwrap();
    let found = refused(folder.path(), &["x.zarr", "x.npy"]);
    assert!(found.ends_with("c/1 of the store is a symbolic link, which is not followed"), "{found}");
}

#[test]
fn small_store_of_a_huge_array_is_bounded() {
    let folder = folder();
    converted(folder.path(), &["--codec", "gzip", "a.npy", "x.zarr"]);
    let good = node(folder.path(), "x.zarr");
    let write = |shape: Value, chunk: Value| {
        let mut node = good.clone();
        set(&mut node, "/shape", shape);
        set(&mut node, "/chunk_grid/configuration/chunk_shape", chunk);
        fs::write(folder.path().join("x.zarr/zarr.json"), node.to_string()).unwrap();
    };
    // An array with a tebibyte of missing chunks is not written.
    write(json!([1_u64 << 20, 1 << 18]), json!([1024, 1024]));
    let ended = run_in(folder.path(), &["convert", "x.zarr", "y.npy"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.contains("takes 1,099,511,627,904 bytes"), "{}", ended.stderr);
    assert!(!folder.path().join("y.npy").exists());
    // A part of that array is written.
    converted(folder.path(), &["x.zarr[1048575, 262140:]", "part.npy"]);
    // A chunk of 4 GiB is not decoded, and a stored chunk of 40 bytes does not allocate one.
    write(json!([10, 12]), json!([1 << 15, 1 << 15]));
    let words = refused(folder.path(), &["x.zarr", "y.npy"]);
    assert!(words.contains("for a chunk of the Zarr array"), "{words}");
    write(json!([10, 12]), json!([1 << 12, 1 << 12]));
    let words = refused(folder.path(), &["x.zarr", "y.npy"]);
    assert_eq!(words, "x.zarr/c/0/0: the chunk has 480 bytes, but its shape demands 67108864");
}

/// The files in a directory, at any depth.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { all.extend(files(&path)) } else { all.push(path) }
    }
    all.sort();
    all
}

#[test]
fn mutants_of_stores_are_read_or_refused_within_the_limits() {
    let limits = Limits::default().memory(64 << 20).output(16 << 20);
    let (mut read, mut refused, mut state) = (0, 0, 38_u64);
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for path in files(&frozen()).into_iter().filter(|path| path.extension().is_none_or(|it| it != "npy" && it != "py"))
    {
        let root = path.ancestors().find(|path| path.extension().is_some_and(|it| it == "zarr")).map(Path::to_owned);
        // Archives have their own mutants.
        let Some(root) = root else { continue };
        let folder = tempfile::tempdir().unwrap();
        let copies = files(&root).into_iter().map(|from| (folder.path().join(from.strip_prefix(&root).unwrap()), from));
        for (to, from) in copies {
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(from, to).unwrap();
        }
        let (copy, good) = (folder.path().join(path.strip_prefix(&root).unwrap()), fs::read(&path).unwrap());
        for _ in 0..100 {
            let mut bytes = good.clone();
            for _ in 0..=random(2) {
                let at = random(bytes.len());
                match random(4) {
                    0 => bytes[at] ^= 1 << random(8),
                    1 => bytes[at] = b"0919[]{}\",-\xff"[random(12)],
                    2 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, b'0' + random(10) as u8),
                }
            }
            fs::write(&copy, &bytes).unwrap();
            let store = ZarrStore::folder(folder.path(), limits);
            let convert = |name: &String| {
                let array = ZarrArray::open(&store, name)?;
                let sources = [Source::Array(ArraySource::zarr_array("it", &array))];
                let options = Options::new().limits(limits).lossy(true);
                ndbytes_convert::convert(&sources, FileKind::Npy, Target::Stream(&mut Vec::new()), &options)
            };
            let arrays = store.arrays("");
            match arrays.map_err(Into::into).and_then(|names| names.iter().try_for_each(|name| convert(name).map(drop)))
            {
                Ok(()) => read += 1,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert!(read > 500 && refused > 500, "{read} {refused}");
}

#[test]
fn twenty_megabytes_of_small_chunks_are_converted_within_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let array = ndbytes::ndarray::Array1::from_iter((0..20_000_000_u32).map(|number| (number ^ number >> 9) as u8));
    let writer = b2nd::Writer::new().chunks([1 << 18]).blocks([1 << 10]).level(1);
    writer.write(folder.path().join("x.b2nd"), &array).unwrap();
    let bounded = |arguments: &[&str]| converted(folder.path(), &[&["--max-memory", "64MiB"], arguments].concat());
    bounded(&["--codec", "none", "x.b2nd", "x.zarr.zip"]);
    bounded(&["x.zarr.zip", "x.zarr"]);
    bounded(&["x.zarr", "y.b2nd"]);
    same(folder.path(), "x.b2nd", "y.b2nd");
}
