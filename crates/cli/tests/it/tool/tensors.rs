//! Files with several tensors: lists, parts, and differences and seals by tensor.

use crate::support::tool::{json_lines, run_in};
use std::fs;
use std::path::Path;

/// Writes a file of tensors with 32-bit floats, except those whose names begin with `half`.
fn write(folder: &Path, name: &str, tensors: &[(&str, &[f32])]) {
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    for (name, values) in tensors {
        let start = data.len();
        let dtype = if name.starts_with("half") { "BF16" } else { "F32" };
        for value in *values {
            let bits = value.to_bits();
            match dtype {
                "BF16" => data.extend(((bits >> 16) as u16).to_le_bytes()),
                _ => data.extend(bits.to_le_bytes()),
            }
        }
        let (count, end) = (values.len(), data.len());
        entries.push(format!(r#""{name}":{{"dtype":"{dtype}","shape":[{count}],"data_offsets":[{start},{end}]}}"#));
    }
    let mut header = format!("{{\"__metadata__\":{{\"format\":\"pt\"}},{}}}", entries.join(",")).into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    let file = [&(header.len() as u64).to_le_bytes(), &*header, &data].concat();
    fs::write(folder.join(name), file).unwrap();
}

#[test]
fn a_model_is_listed_and_its_tensors_are_read_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "m.safetensors", &[("layer.0.weight", &[1.0, 2.5, 3.0]), ("half", &[1.0, 2.0])]);
    let listed = run_in(folder, &["info", "m.safetensors"]);
    assert_eq!(listed.status, 0, "{}", listed.stderr);
    for part in ["2 tensors", "format: pt", "m.safetensors!layer.0.weight", "m.safetensors!half", "bfloat16"] {
        assert!(listed.stdout.contains(part), "{part}: {}", listed.stdout);
    }
    let lines = json_lines(&run_in(folder, &["info", "--json", "m.safetensors"]).stdout);
    let paths: Vec<_> = lines.iter().map(|line| line["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["m.safetensors", "m.safetensors!layer.0.weight", "m.safetensors!half"]);
    let values = run_in(folder, &["cat", "m.safetensors!layer.0.weight[1:]"]);
    assert!(values.stdout.contains("2.5"), "{}{}", values.stdout, values.stderr);
    let statistics = run_in(folder, &["stats", "--json", "m.safetensors"]);
    assert_eq!((statistics.status, json_lines(&statistics.stdout).len()), (0, 2), "{}", statistics.stderr);
    let explained = run_in(folder, &["explain", "m.safetensors"]);
    assert!(explained.stdout.contains("layer.0.weight"), "{}", explained.stdout);
}

#[test]
fn differences_of_models_are_those_of_their_tensors() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let same: &[f32] = &[1.0, 2.0];
    write(folder, "a.safetensors", &[("same", same), ("changed", &[1.0]), ("old", &[7.0, 8.0, 9.0]), ("gone", &[5.0])]);
    write(
        folder,
        "b.safetensors",
        &[("same", same), ("changed", &[2.0]), ("new", &[7.0, 8.0, 9.0]), ("added", &[1.0, 1.0])],
    );
    let ended = run_in(folder, &["diff", "a.safetensors", "b.safetensors"]);
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    for part in
        ["  new: renamed, from old", "  gone: removed", "  added: added", "  changed: values differ", "1 renamed"]
    {
        assert!(ended.stdout.contains(part), "{part}: {}", ended.stdout);
    }
    assert!(!ended.stdout.contains("  same: "), "{}", ended.stdout);
    let itself = run_in(folder, &["diff", "a.safetensors", "a.safetensors"]);
    assert_eq!((itself.status, itself.stdout.contains("identical")), (0, true));
}

#[test]
fn a_seal_names_the_tensor_that_changed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "m.safetensors", &[("layer.0.weight", &[1.0, 2.5]), ("layer.1.weight", &[4.0])]);
    let sealed = run_in(folder, &["seal", "--out", "m.seal", "m.safetensors"]);
    assert_eq!((sealed.status, &*sealed.stdout), (0, "m.seal: 1 file in 3 parts\n"), "{}", sealed.stderr);
    write(folder, "m.safetensors", &[("layer.0.weight", &[1.0, 2.5]), ("layer.1.weight", &[5.0])]);
    let checked = run_in(folder, &["check", "--sealed=m.seal", "m.safetensors"]);
    assert_eq!(checked.status, 1, "{}", checked.stderr);
    assert!(
        checked.stdout.contains("layer.1.weight") && !checked.stdout.contains("layer.0.weight"),
        "{}",
        checked.stdout
    );
}

/// Flips a bit of a byte in a file.
fn flip(path: &Path, byte: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[byte] ^= 1;
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_tensor_is_compared_with_its_own_part_of_a_seal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = &folder.join("m.safetensors");
    write(folder, "m.safetensors", &[("layer.0.weight", &[1.0, 2.5]), ("layer/1", &[4.0]), ("none", &[])]);
    assert_eq!(run_in(folder, &["seal", "m.safetensors"]).status, 0);
    let check = |name: &str| run_in(folder, &["check", "--sealed", &format!("m.safetensors!{name}")]);
    let is_sound = |name: &str| assert_eq!((check(name).status, &*check(name).stdout), (0, "1 file: 1 ok\n"), "{name}");
    let says = |name: &str, start: &str| {
        let ended = check(name);
        assert_eq!(ended.status, 1, "{name}: {}", ended.stderr);
        assert!(ended.stdout.starts_with(start), "{name}: {}", ended.stdout);
    };
    ["layer.0.weight", "layer/1", "none"].into_iter().for_each(is_sound);
    let length = fs::metadata(file).unwrap().len() as usize;

    flip(file, length - 1);
    ["layer.0.weight", "none"].into_iter().for_each(is_sound);
    let (from, to) = (length - 4, length - 1);
    let differs =
        format!("error[changed]: layer/1 at bytes {from} to {to} differs from its seal\n  --> m.safetensors!layer/1");
    says("layer/1", &differs);
    // The end of the file is gone: another tensor is whole.
    fs::write(file, &fs::read(file).unwrap()[..length - 4]).unwrap();
    is_sound("layer.0.weight");

    write(folder, "m.safetensors", &[("layer/1", &[4.0]), ("layer.0.weight", &[1.0, 2.5]), ("none", &[])]);
    says("layer.0.weight", &format!("error[changed]: header at bytes 0 to {} differs from its seal\n", length - 13));
    let ended = check("layer.2");
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("there is no entry \"layer.2\""), "{}", ended.stderr);
}

#[test]
fn tensors_share_a_part_of_a_seal_only_if_they_are_many_and_short() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let names: Vec<String> = (0..1100).map(|number| format!("t.{number:04}")).collect();
    let long = vec![0.5; 1024];
    let tensors: Vec<(&str, &[f32])> =
        names.iter().map(|name| (&**name, if name == "t.0500" { &long[..] } else { &[1.5][..] })).collect();
    write(folder, "m.safetensors", &tensors);
    assert_eq!(run_in(folder, &["seal", "m.safetensors"]).stdout, "m.safetensors.seal: 1 file in 4 parts\n");
    let file = &folder.join("m.safetensors");
    let start = fs::metadata(file).unwrap().len() as usize - 4096 - 1099 * 4;
    // The tensors before and after the long one.
    flip(file, start + 499 * 4);
    flip(file, start + 500 * 4 + 4096);
    let check = |name: &str| run_in(folder, &["check", "--sealed", &format!("m.safetensors!{name}")]);
    assert_eq!(check("t.0500").stdout, "1 file: 1 ok\n");
    let ended = check("t.0498");
    assert_eq!(ended.status, 1, "{}", ended.stderr);
    assert!(ended.stdout.contains("t.0000 to t.0499 at bytes"), "{}", ended.stdout);
    let help = "help: the seal has one digest for these bytes: some of them are not of this tensor";
    assert!(ended.stdout.contains(help), "{}", ended.stdout);
}

#[test]
fn a_tensor_of_gguf_is_compared_with_its_seal_and_an_entry_of_an_archive_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = &folder.join("m.gguf");
    fs::copy(ndbytes_testkit::project().join("tests/frozen/gguf/blocks.gguf"), file).unwrap();
    assert_eq!(run_in(folder, &["seal", "m.gguf"]).status, 0);
    let parts = fs::read_to_string(folder.join("m.gguf.seal")).unwrap();
    let part = parts.lines().find(|line| line.ends_with(" Q8_0")).unwrap();
    flip(file, part.split_whitespace().next().unwrap().parse().unwrap());
    let check = |name: &str| run_in(folder, &["check", "--sealed", name]);
    assert_eq!((check("m.gguf!Q6_K").status, check("m.gguf!Q8_0").status), (0, 1));
    assert!(check("m.gguf!Q8_0").stdout.starts_with("error[changed]: Q8_0 at bytes "));
    assert_eq!(run_in(folder, &["convert", "m.gguf!Q6_K", "m.npz"]).status, 0);
    assert_eq!(run_in(folder, &["seal", "m.npz"]).status, 0);
    let ended = check("m.npz!Q6_K.npy");
    let words = "error: m.npz!Q6_K.npy: its seal has no digest of this part alone: compare the whole file\n";
    assert_eq!((ended.status, &*ended.stderr), (2, words));
}

#[test]
fn a_file_that_breaks_a_rule_says_so_beside_its_tensors() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "m.safetensors", &[("a", &[1.0, 2.0]), ("b", &[3.0])]);
    let overlapping = fs::read(folder.join("m.safetensors")).unwrap();
    let at = overlapping.windows(6).position(|window| window == b"[8,12]").unwrap();
    let overlapping = [&overlapping[..at], b"[4, 8]", &overlapping[at + 6..overlapping.len() - 4]].concat();
    fs::write(folder.join("m.safetensors"), overlapping).unwrap();
    for path in ["m.safetensors", "."] {
        let told = run_in(folder, &["info", path]);
        assert_eq!(told.status, 1, "{path}: {}{}", told.stdout, told.stderr);
        assert!(told.stdout.contains("safetensors/overlap"), "{path}: {}{}", told.stdout, told.stderr);
        assert!(told.stdout.contains("m.safetensors!b"), "{path}: {}", told.stdout);
        let lines = json_lines(&run_in(folder, &["info", "--json", path]).stdout);
        assert_eq!((lines.len(), &lines[0]["finding"]["rule"]), (3, &"safetensors/overlap".into()), "{path}");
    }
}

/// The file has blocks of each supported type, and their decoded elements.
#[test]
fn part_of_a_tensor_of_blocks_is_named_by_a_slice() {
    let file = ndbytes_testkit::project().join("tests/frozen/gguf/blocks.gguf");
    for name in ["Q6_K", "Q8_0"] {
        let read = |name: &str| {
            let ended = run_in(Path::new("."), &["cat", &format!("{}!{name}[1,:4]", file.display())]);
            assert_eq!(ended.status, 0, "{name}: {}", ended.stderr);
            ended.stdout.lines().last().unwrap().to_owned()
        };
        assert_eq!(read(name), read(&format!("{name}.decoded")));
    }
}
