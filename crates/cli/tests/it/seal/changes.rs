//! Files that changed after they were sealed.

use super::{VALID, changed, flip, run, samples, sealed};
use crate::support::tool::run_in;
use ndbytes::Limits;
use ndbytes_compare::seal::Seal;
use ndbytes_testkit::{corpus, project};
use std::fs;

#[test]
fn sealed_files_that_did_not_change_are_clean() {
    let place = samples(&VALID);
    sealed(&place);
    assert_eq!(changed(&place, "--sealed data"), (0, vec![]));
    assert_eq!(changed(&place, "--sealed=data/ndbytes.seal data data/surface.ra"), (0, vec![]));
    let ended = run(&place, "check --sealed data");
    assert_eq!((ended.status, &*ended.stdout), (0, "5 files: 5 ok\n"));
}

#[test]
fn flipped_bit_that_check_cannot_see_is_seen_beside_a_seal() {
    let place = tempfile::tempdir().unwrap();
    let array = ndarray::Array2::from_shape_fn((40, 30), |(row, column)| (row * 30 + column) as f64);
    let writer = ndbytes::b2nd::Writer::new().level(0).chunks([10, 30]).blocks([5, 30]);
    writer.write(place.path().join("x.b2nd"), &array).unwrap();
    assert_eq!(run(&place, "seal x.b2nd").stdout, "x.b2nd.seal: 1 file in 7 parts\n");
    let seal = fs::read_to_string(place.path().join("x.b2nd.seal")).unwrap();
    let line = seal.lines().find(|line| line.ends_with(" chunks[2]")).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    let (start, length): (usize, usize) = (words[0].parse().unwrap(), words[1].parse().unwrap());
    flip(&place.path().join("x.b2nd"), start + length / 2);
    // The values have changed, but without the seal, nothing shows it.
    assert_eq!(run(&place, "check x.b2nd").status, 0);
    let (status, found) = changed(&place, "--sealed x.b2nd");
    assert_eq!((status, found.len()), (1, 1));
    let (path, finding) = &found[0];
    assert_eq!((&**path, &finding["field"]), ("x.b2nd", &"chunks[2]".into()));
    assert_eq!((&finding["offset"], &finding["length"]), (&start.into(), &length.into()));
    let end = start + length - 1;
    assert_eq!(finding["message"], format!("chunks[2] at bytes {start} to {end} differs from its seal"));
    assert_eq!((&finding["expected"], finding["found"] != finding["expected"]), (&words[2].into(), true));
}

/// This tests every byte of a small file of each format, using the library, because a process for each byte would take minutes.
#[test]
fn every_flipped_byte_is_found_in_its_part() {
    for name in VALID {
        let place = samples(&[name]);
        sealed(&place);
        let data = place.path().join("data");
        let seal = Seal::open(&data.join("ndbytes.seal"), Limits::default()).unwrap();
        let file = data.join(name);
        let bytes = fs::read(&file).unwrap();
        for byte in 0..bytes.len() {
            flip(&file, byte);
            let found = seal.compare(&file).unwrap();
            assert_eq!(found.len(), 1, "{name}, byte {byte}: {found:?}");
            let place = found[0].offset..found[0].offset + found[0].length;
            assert!(found[0].rule.id == "changed" && place.contains(&(byte as u64)), "{name}, byte {byte}: {found:?}");
            flip(&file, byte);
        }
        assert!(seal.compare(&file).unwrap().is_empty());
    }
}

#[test]
fn truncated_and_grown_files_are_told_with_their_lengths() {
    let place = samples(&["surface.ra", "temperatures.b2nd"]);
    sealed(&place);
    let file = place.path().join("data/surface.ra");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..150]).unwrap();
    let (status, found) = changed(&place, "--sealed data");
    assert_eq!((status, found.len()), (1, 1));
    assert_eq!(found[0].1["message"], "the file has 150 bytes, but its seal states 160 bytes");
    fs::write(&file, [&bytes[..], b"more"].concat()).unwrap();
    let (status, found) = changed(&place, "--sealed data");
    assert_eq!((status, found.len()), (1, 1));
    assert_eq!(found[0].1["message"], "the file has 164 bytes, but its seal states 160 bytes");
    assert_eq!((&found[0].1["offset"], &found[0].1["length"]), (&160.into(), &4.into()));
    // A part before the end has also changed.
    flip(&file, 3);
    let (_, found) = changed(&place, "--sealed data");
    let fields: Vec<_> = found.iter().map(|(_, finding)| finding["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["", "header"]);
}

#[test]
fn new_and_missing_files_are_told() {
    let place = samples(&["surface.ra", "trees.idv"]);
    sealed(&place);
    let data = place.path().join("data");
    fs::rename(data.join("trees.idv"), data.join("forest.idv")).unwrap();
    let (status, found) = changed(&place, "--sealed data");
    let told: Vec<_> = found.iter().map(|(path, it)| (&**path, it["message"].as_str().unwrap())).collect();
    let expected = [
        ("data/forest.idv", "the file is not in the seal"),
        ("data/trees.idv", "the file is missing; its seal states 777 bytes"),
    ];
    assert_eq!((status, told), (1, expected.to_vec()));
    // Files outside the named paths need not exist.
    assert_eq!(changed(&place, "--sealed=data/ndbytes.seal data/surface.ra"), (0, vec![]));
    // Globs apply only to new files. Listed files are compared, and missing ones are reported.
    let ended = run(&place, "check --json --sealed=data/ndbytes.seal -g *.ra data");
    assert_eq!(ended.stdout.matches("\"rule\":\"changed\"").count(), 1);
}

#[test]
fn file_that_lost_its_magic_is_told_though_it_is_of_another_format_now() {
    let place = samples(&["digits-idx1-ubyte", "surface.ra"]);
    sealed(&place);
    // This is like a file on a disk that lost a sector.
    fs::write(place.path().join("data/surface.ra"), [0xAA; 160]).unwrap();
    let ended = run(&place, "check data");
    let sum = "1 file: 1 ok; 2 files of other formats\n\
               not checked, although the names suggest a known format:\n  data/surface.ra\n";
    assert_eq!((ended.status, &*ended.stdout), (0, sum));
    let (status, found) = changed(&place, "--sealed data");
    let told: Vec<_> = found.iter().map(|(path, it)| (&**path, it["field"].as_str().unwrap())).collect();
    assert_eq!((status, told), (1, vec![("data/surface.ra", "header"), ("data/surface.ra", "data")]));
}

#[test]
fn file_whose_parts_all_changed_has_a_bounded_number_of_findings() {
    let place = tempfile::tempdir().unwrap();
    let array = ndarray::Array1::from_shape_fn(4000, |item| item as f64);
    let writer = ndbytes::b2nd::Writer::new().level(0).chunks([40]).blocks([40]);
    writer.write(place.path().join("x.b2nd"), &array).unwrap();
    assert_eq!(run(&place, "seal x.b2nd").status, 0);
    writer.write(place.path().join("x.b2nd"), &(array + 1.0)).unwrap();
    let (status, found) = changed(&place, "--sealed x.b2nd");
    assert_eq!((status, found.len()), (1, 20));
    let last = found[19].1["message"].as_str().unwrap();
    assert!(last.ends_with("differs from its seal (and 80 more of this kind)"), "{last}");
}

#[test]
fn changes_are_in_every_format_of_output() {
    let place = samples(&["surface.ra"]);
    sealed(&place);
    flip(&place.path().join("data/surface.ra"), 100);
    let of = |format: &str| {
        let ended = run(&place, &format!("check --sealed --format {format} data"));
        assert_eq!((ended.status, &*ended.stderr), (1, ""), "{format}");
        ended.stdout
    };
    assert!(of("text").contains("error[changed]: data at bytes 64 to 159 differs from its seal\n"));
    let sarif: serde_json::Value = serde_json::from_str(&of("sarif")).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "changed");
    let region = &result["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["byteOffset"], &region["byteLength"]), (&64.into(), &96.into()));
    assert!(of("github").contains("data at bytes 64 to 159 differs from its seal"));
    assert!(
        of("junit").contains("<failure type=\"changed\" message=\"data at bytes 64 to 159 differs from its seal\">")
    );
    assert_eq!(run(&place, "check --sealed -q data").status, 1);
    let ended = run(&place, "check --sealed --format arrow data");
    assert_eq!((ended.status, &*ended.stdout), (2, ""));
}

#[test]
fn changes_of_a_sparse_frame_name_its_file() {
    let place = tempfile::tempdir().unwrap();
    let array = ndarray::Array1::from_shape_fn(400, |item| item as f64);
    let writer = ndbytes::b2nd::Writer::new().level(0).chunks([100]).blocks([100]).sparse(true);
    fs::create_dir(place.path().join("data")).unwrap();
    writer.write(place.path().join("data/x.b2nd"), &array).unwrap();
    sealed(&place);
    let seal = fs::read_to_string(place.path().join("data/ndbytes.seal")).unwrap();
    let files: Vec<&str> =
        seal.lines().filter(|line| line.starts_with("file ")).map(|line| line.rsplit(' ').next().unwrap()).collect();
    let expected = ["00000000.chunk", "00000001.chunk", "00000002.chunk", "00000003.chunk", "chunks.b2frame"];
    assert_eq!(files, expected.map(|file| format!("x.b2nd/{file}")));
    assert_eq!(changed(&place, "--sealed data"), (0, vec![]));
    flip(&place.path().join("data/x.b2nd/00000002.chunk"), 200);
    assert_eq!(run(&place, "check data").status, 0);
    let (status, found) = changed(&place, "--sealed data");
    assert_eq!((status, found.len(), &*found[0].0), (1, 1, "data/x.b2nd"));
    let (message, field) = (found[0].1["message"].as_str().unwrap(), &found[0].1["field"]);
    assert!(message.starts_with("00000002.chunk: ") && message.ends_with("differs from its seal"), "{message}");
    assert_eq!(field, "00000002.chunk");
    // A file that the frame does not need was not sealed.
    fs::write(place.path().join("data/x.b2nd/notes"), b"x").unwrap();
    let (_, found) = changed(&place, "--sealed data");
    assert!(found.iter().any(|(_, it)| it["message"] == "notes: the file is not in the seal"), "{found:?}");
}

#[test]
fn broken_files_are_sealed_only_on_request() {
    let place = samples(&["surface.ra", "interrupted-idx3-ubyte"]);
    let ended = run(&place, "seal data");
    assert_eq!(ended.status, 1);
    assert!(ended.stdout.starts_with("error[idx/truncated-payload]: "), "{}", ended.stdout);
    let said = "error: data/ndbytes.seal is not written: 1 file with errors; `--broken` seals them anyway\n";
    assert_eq!(ended.stderr, said);
    assert!(!place.path().join("data/ndbytes.seal").exists());
    let ended = run(&place, "seal --broken data");
    assert_eq!((ended.status, &*ended.stdout), (0, "data/ndbytes.seal: 2 files in 4 parts\n"));
    assert_eq!(changed(&place, "--sealed data"), (1, vec![]));
}

#[test]
fn archives_are_sealed_member_by_member() {
    let corpus = corpus::root();
    let place = tempfile::tempdir().unwrap();
    let zips = fs::read_dir(corpus.join("zip/ok")).unwrap().map(|entry| entry.unwrap().path());
    let zip = zips.filter(|path| path.extension().is_some_and(|it| it == "zip")).min().unwrap();
    fs::copy(&zip, place.path().join("x.zip")).unwrap();
    let ended = run_in(place.path(), &["seal", "x.zip"]);
    assert_eq!((ended.status, &*ended.stderr), (0, ""), "{}", zip.display());
    let seal = Seal::open(&place.path().join("x.zip.seal"), Limits::default()).unwrap();
    for byte in 0..fs::metadata(&zip).unwrap().len() as usize {
        flip(&place.path().join("x.zip"), byte);
        assert_eq!(seal.compare(&place.path().join("x.zip")).unwrap().len(), 1);
        flip(&place.path().join("x.zip"), byte);
    }
}

/// A changed file is reported, whatever else is in its directory or above.
#[test]
fn nothing_beside_a_file_hides_its_change() {
    let hiding: [(&[(&str, &str)], &str); 7] = [
        (&[("data/.ignore", "*")], "data"),
        (&[(".ignore", "*")], "data"),
        (&[(".git/HEAD", ""), (".gitignore", "*.ra")], "data"),
        (&[("data/.git/HEAD", ""), ("data/.gitignore", "deep")], "data"),
        (&[("data/embed.b2e", "")], "data"),
        // The directory of a file becomes a frame.
        (&[("data/deep/chunks.b2frame", "")], "data"),
        (&[("data/chunks.b2frame", "")], "data"),
    ];
    for (files, named) in hiding {
        for gitignore in ["", "--gitignore "] {
            let place = samples(&["surface.ra"]);
            fs::create_dir(place.path().join("data/deep")).unwrap();
            for file in ["surface.ra", "deep/y.ra"] {
                fs::copy(project().join("samples/surface.ra"), place.path().join("data").join(file)).unwrap();
            }
            sealed(&place);
            for (name, content) in files {
                fs::create_dir_all(place.path().join(name).parent().unwrap()).unwrap();
                fs::write(place.path().join(name), content).unwrap();
            }
            flip(&place.path().join("data/surface.ra"), 100);
            flip(&place.path().join("data/deep/y.ra"), 100);
            let words = format!("check --json {gitignore}--sealed=data/ndbytes.seal {named}");
            let ended = run(&place, &words);
            let changes = ended.stdout.matches("differs from its seal").count();
            assert_eq!((ended.status, changes), (1, 2), "{words} beside {files:?}: {}", ended.stdout);
        }
    }
}

#[test]
fn files_of_a_list_are_compared_with_a_seal_that_is_named() {
    let place = samples(&["surface.ra", "trees.idv"]);
    sealed(&place);
    fs::write(place.path().join("list"), "data\n").unwrap();
    fs::remove_file(place.path().join("data/trees.idv")).unwrap();
    flip(&place.path().join("data/surface.ra"), 100);
    let (status, found) = changed(&place, "--sealed=data/ndbytes.seal --files-from list");
    let told: Vec<&str> = found.iter().map(|(path, _)| &**path).collect();
    assert_eq!((status, told), (1, vec!["data/surface.ra", "data/trees.idv"]));
}
