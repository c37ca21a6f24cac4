//! The tool's output is bounded by its input, and nothing in it controls a terminal or breaks JSON.

use crate::support::tool::{self, Ended, plain, run, run_here};
use ndarray::{Array1, ArrayD};
use ndbytes::idv::{self, ColumnType, ItemType, NewColumn, Texts, Values};
use ndbytes_testkit::corpus;
use ndbytes_testkit::share::share;
use ndbytes_testkit::zip::{Entry, STORED, zip};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// The bound on the output, as a multiple of the file's length.
const TIMES: usize = 64;
const BESIDES: usize = 64 << 10;

/// A pipe and a terminal of this width.
const WIDTHS: [Option<usize>; 2] = [None, Some(60)];

/// Runs the tool on one file, in this process.
fn run_on(arguments: &[&str], path: &Path, width: Option<usize>) -> Ended {
    run_here(arguments.iter().map(|argument| (*argument).into()).chain([path.as_os_str().to_owned()]), &[], width)
}

/// Asserts that no character controls a terminal or changes the order of others.
fn assert_harmless(text: &str, what: &str) {
    let steers = |letter: char| {
        let is_unseen = matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
        (letter.is_control() && letter != '\n') || is_unseen || letter == '\u{feff}'
    };
    if let Some(place) = text.find(steers) {
        panic!("{what}: {:?}", text[place..].chars().take(20).collect::<String>());
    }
}

/// Asserts that the output about a file is bounded and harmless.
fn assert_bounded(path: &Path, length: usize, what: &str) {
    for command in ["info", "explain", "cat"] {
        for width in WIDTHS {
            let what = format!("{what}: {command}, {width:?}");
            let ended = run_on(&[command], path, width);
            let printed = ended.stdout.len() + ended.stderr.len();
            assert!(printed <= TIMES * length + BESIDES, "{what}: {printed} bytes about {length}");
            assert_harmless(&plain(&ended.stdout), &what);
            assert_harmless(&plain(&ended.stderr), &what);
        }
    }
}

/// Asserts that every object is JSON without terminal control characters, and returns them.
fn assert_json(path: &Path, what: &str) -> Vec<Value> {
    let mut objects = Vec::new();
    for command in ["info", "check", "explain"] {
        let ended = run_on(&[command, "--json"], path, Some(80));
        assert_harmless(&ended.stdout, what);
        for line in ended.stdout.lines() {
            objects.push(serde_json::from_str(line).unwrap_or_else(|error| panic!("{what}: {command}: {error}")));
        }
    }
    let ended = run_on(&["cat", "--json"], path, Some(80));
    assert_harmless(&ended.stdout, what);
    if ended.status == 0 {
        let text = without_halves(&ended.stdout);
        objects.push(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{what}: cat: {error}")));
    }
    objects
}

/// Replaces half characters in JSON with U+FFFD, because serde_json refuses them; see `docs/src/json.md`.
fn without_halves(json: &str) -> String {
    let unit = |text: &str| u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok();
    let mut whole = String::new();
    let mut rest = json;
    while let Some(letter) = rest.chars().next() {
        let (taken, letters) = match (unit(rest), rest.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (12, &rest[..12]),
            (Some(0xD800..=0xDFFF), _) => (6, "\\ufffd"),
            _ if letter == '\\' => (2, &rest[..2]),
            _ => (letter.len_utf8(), &rest[..letter.len_utf8()]),
        };
        whole.push_str(letters);
        rest = &rest[taken..];
    }
    whole
}

fn table(columns: impl IntoIterator<Item = NewColumn>) -> Vec<u8> {
    let table = idv::Writer::new(columns).begin(std::io::Cursor::new(Vec::new())).unwrap();
    table.finish_sink().unwrap().into_inner()
}

fn named(name: impl Into<String>) -> NewColumn {
    NewColumn::new(name, ColumnType::scalar(ItemType::I32))
}

/// An uncompressed entry with a UTF-8 name.
fn stored(name: impl AsRef<[u8]>, content: &[u8]) -> Entry {
    Entry::new(name, content, STORED).but(|entry| entry.flags = 1 << 11)
}

/// Characters that control terminals, have no width, or change the order of others.
const HOSTILE: &str = "\u{1b}]0;x\u{7}\u{1b}[2J\u{7f}\u{9b}31m\u{202e}\u{200b}\n\r\t\u{feff}\u{301}";

/// Files with the longest names and values, with the most of them, and with the strangest ones.
fn hostile_files() -> Vec<(&'static str, Vec<u8>)> {
    let long = |length: usize| "x".repeat(length);
    let columns = |name: String, count: usize| {
        table([named(name)].into_iter().chain((1..count).map(|place| named(format!("c{place}")))))
    };
    let texts = |count: usize, length: usize| {
        let columns = (0..count).map(|place| NewColumn::new(format!("t{place}"), ColumnType::scalar(ItemType::Text)));
        let mut table = idv::Writer::new(columns).begin(std::io::Cursor::new(Vec::new())).unwrap();
        let row: Vec<Values> = (0..count).map(|_| Values::scalars(Texts::from_iter(vec![long(length); 30]))).collect();
        table.write(&row).unwrap();
        table.finish_sink().unwrap().into_inner()
    };
    let annotated = |place: i32, kind: &str| {
        let value = || Values::scalars(Texts::from_iter([HOSTILE.repeat(100)]));
        named(place.to_string()).annotation(kind, ColumnType::scalar(ItemType::Text), value())
    };
    let entry = |letters: &str, length: usize| letters.chars().cycle().take(length).collect::<String>();
    let attributes = |name: &str| {
        let array = Array1::<u8>::zeros(8);
        ndbytes::b2nd::Writer::new().attribute(name, &HOSTILE.into()).unwrap().to_vec(&array).unwrap()
    };
    let small = table([named("a")]);
    vec![
        ("a name of 1 MiB and 3,000 columns", columns(long(1 << 20), 3000)),
        ("a name of 60,000 letters and 3,000 columns", columns(long(60_000), 3000)),
        ("a name of marks without width", columns("\u{301}".repeat(100_000), 1000)),
        ("hostile names", table((0..500).map(|place| named(format!("{place}{}", HOSTILE.repeat(place % 40 + 1)))))),
        ("20,000 columns", columns(long(1), 20_000)),
        ("values of 10,000 letters", texts(5, 10_000)),
        ("1,000 columns of texts", texts(1000, 60)),
        ("long annotation names", table((0..100).map(|place| annotated(place, &long(20_000))))),
        ("hostile annotations", table((0..100).map(|place| annotated(place, HOSTILE)))),
        ("hostile attributes", attributes(&HOSTILE.chars().take(12).collect::<String>())),
        ("attributes with long names", attributes(&long(31))),
        ("an archive with a hostile name", zip(&[stored(entry(HOSTILE, 30_000), &small)])),
        ("an archive with many names", zip(&vec![stored(entry("n", 30_000), &small); 50])),
        (
            "axes that are not summarised",
            ndbytes::b2nd::Writer::new().to_vec(&ArrayD::<f64>::zeros(vec![6; 6])).unwrap(),
        ),
        ("255 axes", [&[0, 0, 8, 255][..], &1_u32.to_be_bytes().repeat(255), &[1]].concat()),
        ("RawArray of many axes", many_axes(100_000)),
    ]
}

/// A RawArray with this many axes; the last ten have length 2.
fn many_axes(axes: u64) -> Vec<u8> {
    let dims = (0..axes).map(|axis| if axis < 10 { 2_u64 } else { 1 });
    let words = [0, 2, 1, 1 << 10, axes].into_iter().chain(dims);
    [&b"rawarray"[..], &words.flat_map(u64::to_le_bytes).collect::<Vec<_>>(), &[7; 1 << 10]].concat()
}

#[test]
fn output_about_the_corpus_is_bounded() {
    for sample in share(corpus::everything().into_iter()) {
        assert_bounded(&sample.path, sample.bytes.len(), &sample.to_string());
    }
}

#[test]
fn output_about_hostile_files_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    for (what, bytes) in hostile_files() {
        let path = folder.path().join("hostile\u{202e}\u{1b}[2J");
        fs::write(&path, &bytes).unwrap();
        assert_bounded(&path, bytes.len(), what);
    }
}

#[test]
fn columns_that_are_left_out_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("columns.idv");
    fs::write(&path, table((0..3000).map(|place| named(format!("c{place}"))))).unwrap();
    let info = run_on(&["info"], &path, None).stdout;
    assert!(info.ends_with("  … and 2,000 more columns; --json lists them\n"), "{}", &info[info.len() - 200..]);
    assert!(info.contains("\n  999  c999  ") && !info.contains("c1000"));
    let listed: Value = serde_json::from_str(&run_on(&["info", "--json"], &path, None).stdout).unwrap();
    assert_eq!(listed["table"]["columns"].as_array().unwrap().len(), 3000);

    let cat = run_on(&["cat"], &path, None).stdout;
    assert!(cat.contains("columns not shown, because the terminal is too narrow: "), "{cat}");

    fs::write(&path, table([named("x".repeat(60_000)), named("y")])).unwrap();
    for command in ["info", "cat", "explain"] {
        let text = run_on(&[command], &path, None).stdout;
        assert!(text.contains("xxx…"), "{command}: {text}");
        // No other row is as wide as the row with the longest name.
        assert!(text.lines().filter(|line| line.len() > 400).count() <= 1, "{command}: {text}");
    }

    fs::write(&path, many_axes(60_000)).unwrap();
    let cat = run_on(&["cat"], &path, None).stdout;
    assert!(cat.ends_with("--json has all of it\n"), "{}", &cat[cat.len() - 200..]);
}

#[test]
fn fields_that_have_no_room_are_counted() {
    // There are seven fields per annotation, in about 20 bytes. Long names and colours make all lines longer.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fields.idv");
    let columns = (0..64).map(|place| {
        let column = named(format!("{place:060}"));
        (0..64).fold(column, |column, kind| {
            column.annotation(kind.to_string(), ColumnType::scalar(ItemType::Bool), Values::scalars(vec![true]))
        })
    });
    fs::write(&path, table(columns)).unwrap();
    let text = plain(&run_on(&["explain"], &path, Some(1000)).stdout);
    let spans = run_on(&["explain", "--json"], &path, None).stdout;
    let spans: Value = serde_json::from_str(&spans).unwrap();
    let all = spans["spans"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|span| span["length"] != 0 || !span["path"].as_str().unwrap().contains('.'))
        .count();
    let lines = text.lines().filter(|line| line.len() > 8 && line.as_bytes()[..8].iter().all(u8::is_ascii_hexdigit));
    let more: usize = text
        .lines()
        .filter_map(|line| line.strip_prefix("… and "))
        .map(|line| line.split(' ').next().unwrap().replace(',', "").parse::<usize>().unwrap())
        .sum();
    assert!(more > 0, "{}", text.len());
    assert_eq!(lines.count() + more, all);
    assert!(text.trim_end().ends_with("every byte accounted for"));
}

#[test]
fn json_of_every_command_is_valid_and_harmless() {
    for sample in share(corpus::samples().into_iter()) {
        assert_json(&sample.path, &sample.to_string());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hostile\u{202e}\u{1b}[2J\u{7f}");
    for (what, bytes) in hostile_files().iter().filter(|(_, bytes)| bytes.len() < 1 << 20) {
        fs::write(&path, bytes).unwrap();
        for object in assert_json(&path, what).iter().filter(|object| object.get("path").is_some()) {
            assert!(object["path"].as_str().unwrap().starts_with(path.to_str().unwrap()), "{what}");
        }
    }
}

#[test]
fn control_letters_of_names_are_kept_in_json() {
    // The output is the same in a pipe and on a terminal.
    let path = corpus::root().join("idv/ok/name-with-del.idv");
    for width in WIDTHS {
        let object: Value = serde_json::from_str(&run_on(&["info", "--json"], &path, width).stdout).unwrap();
        assert_eq!(object["table"]["columns"][0]["name"], "a\u{7f}b");
        let text = run_on(&["info"], &path, width).stdout;
        assert!(text.contains("a\\u{7f}b"), "{text}");
    }
    assert!(run(&["info", "--json", "idv/ok/name-with-del.idv"]).stdout.contains("\"a\\u007fb\""));
}

#[test]
fn addresses_in_json_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.zip");
    fs::write(&path, zip(&[stored("a\u{7f}\u{202e}b", &table([named("c")]))])).unwrap();
    let object: Value = serde_json::from_str(&run_on(&["info", "--json"], &path, None).stdout).unwrap();
    let address = object["path"].as_str().unwrap();
    assert_eq!(run_on(&["cat"], Path::new(address), None).status, 0, "{address}");
    for (arguments, path) in [(&["info"][..], &*path), (&["explain"], Path::new(address)), (&["cat"], &path)] {
        let ended = run_on(arguments, path, Some(200));
        let said = plain(&(ended.stdout + &ended.stderr));
        assert!(said.contains("!a\\u{7f}\\u{202e}b"), "{said}");
        assert_harmless(&said, "an address");
    }
}

#[test]
fn arguments_cannot_steer_the_terminal() {
    for arguments in [&["--\u{1b}[2J"][..], &["info", "no\u{202e}such\u{1b}[2Jfile"], &["cat", "-\u{9b}2J", "x"]] {
        let ended = run_here(arguments.iter().copied(), &[], Some(100));
        assert_eq!(ended.status, 2);
        assert_harmless(&plain(&ended.stderr), "arguments");
        assert!(ended.stderr.contains("\\u{"), "{}", ended.stderr);
    }
}

#[test]
fn a_broken_file_is_not_praised_by_explain() {
    let good = run(&["explain", "idx/ok/u8-2d.idx"]).stdout;
    assert!(good.ends_with("every byte accounted for\n"), "{good}");
    let broken = run(&["explain", "rawarray/bad/f8.ra"]).stdout;
    assert!(!broken.contains("accounted for"), "{broken}");
    let coloured = run_on(&["explain"], &corpus::root().join("rawarray/bad/f8.ra"), Some(100)).stdout;
    assert!(coloured.ends_with("every byte has a field; 1 error\n"), "{coloured}");
}

#[test]
fn findings_of_convert_and_cat_are_about_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let (bad, out) = (corpus::root().join("b2nd/bad/zlib-short.b2nd"), folder.path().join("out.npy"));
    let convert =
        run_here([&*"convert".to_owned(), bad.to_str().unwrap(), out.to_str().unwrap()].map(String::from), &[], None);
    assert_eq!((convert.status, &*convert.stdout), (1, ""));
    assert!(convert.stderr.contains("zlib-short.b2nd") && !convert.stderr.contains("out.npy"), "{}", convert.stderr);
    assert!(!out.exists());
    let convert = tool::command(&["convert", "--to", "npy", "b2nd/bad/zlib-short.b2nd", "-"]).output().unwrap();
    assert_eq!(convert.status.code(), Some(1));
    assert!(!String::from_utf8_lossy(&convert.stdout).contains("error["));
    assert!(String::from_utf8_lossy(&convert.stderr).contains("zlib-short.b2nd"));
    for path in [&bad, &corpus::root().join("idv/bad/second-block.idv")] {
        let cat = run_on(&["cat"], path, None);
        assert_eq!(cat.status, 1);
        assert!(cat.stderr.contains("error[") && !cat.stdout.contains("error["), "{}", cat.stdout);
    }
    // If the findings were requested, they are the output.
    for command in ["check", "explain", "info"] {
        assert!(run_on(&[command], &corpus::root().join("idx/bad/trailing-one.idx"), None).stdout.contains("error["));
    }
}

#[test]
fn help_names_options_of_the_tool_or_of_the_library() {
    for (path, tool, library) in [
        ("idv/bad/trailing-byte.idv", "`cat --tolerate idv/trailing-bytes` ignores", "`Options::tolerate` ignores"),
        (
            "b2nd/bad/trailer-version-0.b2nd",
            "`cat --tolerate b2nd/trailer-version` ignores",
            "`Options::tolerate` ignores",
        ),
        (
            "idx/bad/element-cut.idx",
            "items are whole; `cat --tolerate idx/truncated-payload` ignores",
            "`Options::tolerate` ignores",
        ),
    ] {
        let said = run(&["check", path]).stdout + &run(&["check", "--json", path]).stdout;
        assert!(said.matches(tool).count() >= 2 && !said.contains("Options::"), "{said}");
        let report = ndbytes::check(corpus::root().join(path), &ndbytes::Limits::default()).unwrap();
        let remedies: Vec<String> =
            report.findings().iter().filter_map(|finding| Some(finding.remedy()?.to_string())).collect();
        assert!(remedies.iter().any(|remedy| remedy.contains(library)), "{path}: {remedies:?}");
    }
}
