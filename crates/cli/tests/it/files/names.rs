//! File names: which are reserved, which are not, and the other lists of these names.

use crate::support::gzipped;
use crate::support::tool::{json_lines, run_in};
use ndbytes::archive::Opened;
use ndbytes::names::{Content, Name, forms};
use ndbytes::{Checker, Error, Limits};
use ndbytes_testkit::zip::{Entry, zip};
use ndbytes_testkit::{corpus, project};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A directory with copies of samples under other names.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, sample) in files {
        fs::copy(project().join("samples").join(sample), folder.path().join(name)).unwrap();
    }
    folder
}

fn rules(path: &Path) -> Vec<&'static str> {
    let report = Checker::new().check(path).unwrap();
    report.findings().iter().map(|finding| finding.rule.id).collect()
}

#[test]
fn file_of_another_format_under_a_name_that_binds_is_misnamed() {
    let files = [
        ("a.npy", "surface.ra"),
        ("b.b2nd", "digits-idx1-ubyte"),
        ("c.b2frame", "trees.idv"),
        ("d-idx1-ubyte", "temperatures.b2nd"),
        ("e-idx1-ubyte.gz", "digits-idx1-ubyte"),
        ("f.npz", "surface.ra"),
        ("g.b2z", "temperatures.b2nd"),
        ("h.b2e", "surface.ra"),
        ("i.NPY", "digits-idx3-ubyte.gz"),
    ];
    let folder = folder(&files);
    for (name, _) in files {
        let path = folder.path().join(name);
        assert_eq!(rules(&path), ["misnamed"], "{name}");
        // Other ways of reading also refuse it.
        let refused = |error: Error| error.finding().map(|finding| finding.rule.id);
        assert_eq!(refused(ndbytes::open(&path).unwrap_err()), Some("misnamed"), "{name}");
        let input = ndbytes::Input::open(&path, Limits::default()).unwrap();
        assert_eq!(refused(ndbytes::info(input, &Limits::default()).unwrap_err()), Some("misnamed"), "{name}");
        // Without its name, only its content matters.
        assert_eq!(Checker::new().check_slice(&fs::read(&path).unwrap()).unwrap().findings(), [], "{name}");
    }
    // A file found in a directory is refused like a named one.
    let ended = run_in(folder.path(), &["check", "--json", "."]);
    assert_eq!((ended.status, json_lines(&ended.stdout).len()), (1, files.len()));
}

#[test]
fn content_of_no_format_under_a_name_that_binds_is_misnamed() {
    let folder = tempfile::tempdir().unwrap();
    let text = zip(&[Entry::deflated("readme.txt", b"text")]);
    let page = fs::read(corpus::root().join("idx/bad/gzip-html.idx.gz")).unwrap();
    let files: [(&str, &[u8], &str); 5] = [
        ("a.npy", b"", "the file is empty"),
        ("b.npz", b"version https://git-lfs.github.com/spec/v1\n", "this is a git-LFS pointer, not the file itself"),
        ("c.npz", &text, "this is a zip archive"),
        ("d.npy.gz", b"text", "the format is unknown"),
        ("e-idx1-ubyte.gz", &page, "which ndbytes does not read"),
    ];
    for (name, bytes, why) in files {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let report = Checker::new().check(&path).unwrap();
        let found: Vec<_> = report.findings().iter().map(|it| (it.rule.id, it.message.ends_with(why))).collect();
        assert_eq!(found, [("misnamed", true)], "{name}: {:?}", report.findings());
        assert!(!report.is_foreign());
        let error = ndbytes::open(&path).unwrap_err();
        assert_eq!(error.finding().unwrap().rule.id, "misnamed", "{name}");
    }
}

#[test]
fn names_that_others_use_too_bind_nothing() {
    let files =
        [("a.ra", "digits-idx1-ubyte"), ("b.idx", "surface.ra"), ("c.idv", "surface.ra"), ("d.dat", "trees.idv")];
    let folder = folder(&files);
    for (name, _) in files {
        assert_eq!(rules(&folder.path().join(name)), [""; 0], "{name}");
    }
    // IDX in gzip is read whatever its name.
    fs::copy(project().join("samples/digits-idx3-ubyte.gz"), folder.path().join("e-idx3-ubyte")).unwrap();
    assert_eq!(rules(&folder.path().join("e-idx3-ubyte")), [""; 0]);
    fs::copy(project().join("samples/digits-idx3-ubyte.gz"), folder.path().join("f.ra.gz")).unwrap();
    assert_eq!(rules(&folder.path().join("f.ra.gz")), [""; 0]);
    fs::copy(project().join("samples/digits-idx3-ubyte.gz"), folder.path().join("g.npy.gz")).unwrap();
    assert_eq!(rules(&folder.path().join("g.npy.gz")), ["misnamed"]);
}

#[test]
fn npz_without_arrays_is_an_archive_without_members() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npz");
    // The file is as written by `numpy.savez(path)`.
    let bytes = zip(&[]);
    fs::write(&path, &bytes).unwrap();
    assert_eq!(rules(&path), [""; 0]);
    assert_eq!(Checker::new().check_slice(&bytes).unwrap().findings(), []);
    let opened = Opened::open(&path, Limits::default()).unwrap();
    assert!(matches!(opened, Opened::Archive(archive) if archive.members().is_empty()));
    let ended = run_in(folder.path(), &["check", "."]);
    assert_eq!((ended.status, &*ended.stdout), (0, "1 file: 1 ok\n"));
}

/// Names of every form, plain and with `.gz`.
fn names() -> impl Iterator<Item = (String, Content)> {
    forms().flat_map(|(form, content)| {
        let plain = form.globs().into_iter().map(|glob| glob.replace('*', "x").replace("x[-.]", "x-"));
        let plain = plain.map(|name| name.replace("[0-9]x", "3"));
        plain.flat_map(move |name| [(format!("{name}.gz"), content), (name, content)])
    })
}

/// Returns whether a name belongs to a file with one array or table, which git's drivers and hooks accept.
fn is_of_one_file(content: Content) -> bool {
    matches!(content, Content::File(_))
}

/// Returns whether each name matches a regular expression in bash.
fn fits(expression: &str, names: &[String]) -> Vec<bool> {
    let folder = tempfile::tempdir().unwrap();
    let script = "while IFS= read -r name; do if [[ $name =~ $0 ]]; then echo y; else echo n; fi; done";
    let list = folder.path().join("list");
    fs::write(&list, names.join("\n") + "\n").unwrap();
    let mut bash = std::process::Command::new("bash");
    let output = bash.args(["-c", script, expression]).stdin(fs::File::open(list).unwrap()).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    said.lines().map(|line| line == "y").collect()
}

#[test]
fn patterns_of_the_hook_are_those_of_the_list() {
    let hook = fs::read_to_string(project().join(".pre-commit-hooks.yaml")).unwrap();
    let hook = hook.lines().find_map(|line| line.trim().strip_prefix("files: '")?.strip_suffix('\'')).unwrap();
    let expected: Vec<(String, Content)> = names().chain([("notes.txt".to_owned(), Content::Frame)]).collect();
    let names: Vec<String> = expected.iter().map(|(name, _)| name.clone()).collect();
    for (name, content) in &expected[..expected.len() - 1] {
        assert_eq!(Name::of(name).map(|it| it.content), Some(*content), "{name}");
    }
    // Archives are checked member by member. A frame without an array is also checked.
    let is_archive = |name: &str, content: Content| matches!(content, Content::Archive(_)) && !name.ends_with(".gz");
    let is_frame = |name: &str, content: Content| content == Content::Frame && !name.ends_with(".gz");
    let checked = expected.iter().map(|(name, content)| {
        let is_listed = Name::of(name).is_some();
        is_listed && (is_of_one_file(*content) || is_archive(name, *content) || is_frame(name, *content))
    });
    let told =
        |fits: Vec<bool>| names.iter().zip(fits).filter(|(_, fits)| *fits).map(|(name, _)| name.clone()).collect();
    let hooked: Vec<String> = told(fits(hook, &names));
    assert_eq!(hooked, told(checked.collect()), "{hook}");
}

/// An IDX file of bytes with these dimensions.
fn idx(shape: &[u32]) -> Vec<u8> {
    let dims: Vec<u8> = shape.iter().flat_map(|length| length.to_be_bytes()).collect();
    [&[0, 0, 8, shape.len() as u8], &dims[..], &vec![1; shape.iter().product::<u32>() as usize]].concat()
}

#[test]
fn a_name_that_states_other_axes_or_another_type_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, expected) in [
        ("a-labels-idx1-ubyte", idx(&[2]), &[][..]),
        ("a-labels.idx1-ubyte", idx(&[2]), &[]),
        ("A-LABELS-IDX1-UBYTE", idx(&[2, 3]), &["idx/name-mismatch"]),
        ("b-labels-idx1-ubyte", idx(&[2, 3, 3]), &["idx/name-mismatch"]),
        ("b-images-idx3-ubyte.gz", gzipped(&idx(&[2, 3])), &["idx/name-mismatch"]),
        ("c-labels-idx1-int", idx(&[2]), &["idx/name-mismatch"]),
        ("d.idx", idx(&[2]), &[]),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        assert_eq!(rules(&path), expected, "{name}");
        // The content can be read, so this is not an error.
        let file = ndbytes::open(&path).unwrap();
        let warnings: Vec<&str> = file.warnings().iter().map(|finding| finding.rule.id).collect();
        assert_eq!(warnings, expected, "{name}");
    }
    let report = ndbytes::check(folder.path().join("b-labels-idx1-ubyte"), &Limits::default()).unwrap();
    let finding = &report.findings()[0];
    assert_eq!(finding.message, "the name states 1 axis of ubyte, but the content has 3 of ubyte");
    assert_eq!((finding.expected.as_deref(), finding.found.as_deref()), (Some("idx1-ubyte"), Some("idx3-ubyte")));
}

#[test]
fn a_plain_file_under_a_name_of_gzip_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let archive = zip(&[Entry::deflated("x.npy", b"no")]);
    for (name, bytes, expected) in [
        ("images.gz", idx(&[2]), &["gzip/name-mismatch"][..]),
        ("IMAGES.GZ", idx(&[2]), &["gzip/name-mismatch"]),
        ("packed.gz", gzipped(&idx(&[2])), &[]),
        (".gz", idx(&[2]), &[]),
        ("text.gz", b"hello".to_vec(), &["unknown-format"]),
        ("x-idx1-ubyte.gz", idx(&[2]), &["misnamed"]),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        assert_eq!(rules(&path), expected, "{name}");
    }
    let path = folder.path().join("archive.gz");
    fs::write(&path, archive).unwrap();
    assert!(rules(&path).contains(&"gzip/name-mismatch"), "{:?}", rules(&path));
}

#[test]
fn images_and_labels_of_other_lengths_are_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("same-images-idx3-ubyte", &idx(&[2, 2, 2]));
    write("same-labels-idx1-ubyte", &idx(&[2]));
    write("long-images-idx3-ubyte.gz", &gzipped(&idx(&[3, 2, 2])));
    write("long-labels-idx1-ubyte", &idx(&[2]));
    write("alone-images-idx3-ubyte", &idx(&[3, 2, 2]));
    write("cut-images-idx3-ubyte", &idx(&[3, 2, 2]));
    write("cut-labels-idx1-ubyte", b"no");
    write("images-idx3-ubyte", &idx(&[5, 1, 1]));
    write("labels-idx1-ubyte.gz", &gzipped(&idx(&[4])));
    let ended = crate::support::tool::run_in(folder.path(), &["check", "--json", "."]);
    let lines = crate::support::tool::json_lines(&ended.stdout);
    let findings = lines.iter().flat_map(|line| {
        let findings = line["findings"].as_array().unwrap().iter();
        let warnings = findings.filter(|it| it["severity"] == "warning");
        warnings.map(|it| {
            // The finding is about the first dimension, even of images in gzip.
            assert_eq!((&it["field"], &it["offset"], &it["length"]), (&"dims[0]".into(), &4.into(), &4.into()));
            (line["path"].clone(), it["message"].clone())
        })
    });
    let expected = [
        ("./images-idx3-ubyte", "the file has 5 images, but labels-idx1-ubyte.gz has 4 labels"),
        ("./long-images-idx3-ubyte.gz", "the file has 3 images, but long-labels-idx1-ubyte has 2 labels"),
    ];
    assert!(findings.eq(expected.map(|(path, message)| (path.into(), message.into()))), "{}", ended.stdout);
}
