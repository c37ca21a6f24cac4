//! Contracts in `.ndbytes.toml`, as read by `check` and `diff`.

use crate::support::gzipped;
use crate::support::tool::{Ended, json_lines, run_in};
use ndbytes_testkit::project;
use ndbytes_testkit::zip::{Entry, zip};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// An IDX file of bytes.
fn bytes(shape: &[u32], items: &[u8]) -> Vec<u8> {
    let dims: Vec<u8> = shape.iter().flat_map(|length| length.to_be_bytes()).collect();
    [&[0, 0, 8, shape.len() as u8], &dims[..], items].concat()
}

/// An IDX file of doubles.
fn doubles(items: &[f64]) -> Vec<u8> {
    let payload = items.iter().flat_map(|item| item.to_be_bytes());
    [0, 0, 14, 1].into_iter().chain((items.len() as u32).to_be_bytes()).chain(payload).collect()
}

/// A directory with a contract and files.
fn folder(contract: &str, files: &[(&str, Vec<u8>)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".ndbytes.toml"), contract).unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

fn run(folder: &tempfile::TempDir, arguments: &[&str]) -> Ended {
    run_in(folder.path(), arguments)
}

/// Path, rule and help of each finding.
fn found(folder: &tempfile::TempDir, arguments: &[&str]) -> Vec<(String, String, String)> {
    let lines = json_lines(&run(folder, &[&["check", "--json"], arguments].concat()).stdout);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = lines.iter().flat_map(|line| {
        let path = text(&line["path"]);
        let findings = line["findings"].as_array().unwrap().iter();
        findings.map(move |it| (path.clone(), text(&it["rule"]), text(&it["help"]))).collect::<Vec<_>>()
    });
    findings.collect()
}

fn rules(found: &[(String, String, String)]) -> Vec<(&str, &str)> {
    found.iter().map(|(path, rule, _)| (&**path, &**rule)).collect()
}

const MNIST: &str = r#"
[files."*-images-idx3-ubyte"]
type = "uint8"
shape = ["_", 2, 2]
pair = "*-labels-idx1-ubyte"

[files."*-labels-idx1-ubyte"]
type = "u1"
range = [0, 9]
"#;

#[test]
fn each_demand_is_a_rule_of_its_own() {
    let files = [
        ("good-images-idx3-ubyte", bytes(&[2, 2, 2], &[255; 8])),
        ("good-labels-idx1-ubyte", bytes(&[2], &[0, 9])),
        ("long-images-idx3-ubyte", bytes(&[2, 2, 2], &[0; 8])),
        ("long-labels-idx1-ubyte", bytes(&[3], &[0, 1, 10])),
        ("wide-images-idx3-ubyte", bytes(&[1, 2, 3], &[0; 6])),
        ("wide-labels-idx1-ubyte", doubles(&[0.0])),
    ];
    let folder = folder(MNIST, &files);
    let found = found(&folder, &["--profile", "strict", "."]);
    let of_contract: Vec<_> = found.iter().filter(|(_, rule, _)| rule.starts_with("contract/")).cloned().collect();
    let expected = [
        ("./long-images-idx3-ubyte", "contract/pair"),
        ("./long-labels-idx1-ubyte", "contract/range"),
        ("./wide-images-idx3-ubyte", "contract/shape"),
        ("./wide-labels-idx1-ubyte", "contract/type"),
    ];
    assert_eq!(rules(&of_contract), expected);
    let lines: Vec<&str> = of_contract.iter().map(|(.., help)| &**help).collect();
    assert_eq!(lines, [5, 9, 4, 8].map(|line| format!("required by line {line} of .ndbytes.toml")));
    assert_eq!(run(&folder, &["check", "good-images-idx3-ubyte", "good-labels-idx1-ubyte"]).status, 0);
    assert!(!run(&folder, &["check", "--no-config", "long-images-idx3-ubyte"]).stdout.contains("contract/"));
    // Checking a range requires the values; everything else requires only the header.
    let structure = run(&folder, &["check", "--depth", "structure", "long-labels-idx1-ubyte"]);
    assert!(!structure.stdout.contains("contract/range"), "{}", structure.stdout);
}

#[test]
fn a_contract_counts_in_all_folders_below_it() {
    let folder = folder("[files.\"x\"]\nshape = [1]\n", &[("a/b/x", bytes(&[2], &[1, 2])), ("y/x", bytes(&[1], &[1]))]);
    assert_eq!(rules(&found(&folder, &["."])), [("./a/b/x", "contract/shape")]);
    let below = |arguments: &[&str]| run_in(&folder.path().join("a/b"), arguments);
    // Outside a repository, anyone may have written a contract in a parent directory.
    assert_eq!(below(&["check", "x"]).status, 0);
    fs::create_dir(folder.path().join(".git")).unwrap();
    let ended = below(&["check", "x"]);
    assert!(ended.status == 1 && ended.stdout.contains("error[contract/shape]: the shape is [2], not [1]"));
    // The root of the repository ends the search.
    fs::create_dir(folder.path().join("a/.git")).unwrap();
    assert_eq!(below(&["check", "x"]).status, 0);
    let named = below(&["check", "--config", "../../.ndbytes.toml", "x"]);
    assert!(named.status == 1 && named.stdout.contains("required by line"), "{}", named.stdout);
}

#[test]
fn a_later_glob_overrides_the_same_key_of_an_earlier_one() {
    let contract = "[files.\"*.idx\"]\ntype = \"u1\"\nshape = [1]\n\n[files.\"sub/*.idx\"]\nshape = [2]\n";
    let folder = folder(contract, &[("a.idx", bytes(&[1], &[1])), ("sub/a.idx", bytes(&[2], &[1, 2]))]);
    assert_eq!(rules(&found(&folder, &["."])), []);
    fs::write(folder.path().join("sub/b.idx"), doubles(&[1.0, 2.0])).unwrap();
    assert_eq!(rules(&found(&folder, &["."])), [("./sub/b.idx", "contract/type")]);
}

#[test]
fn nan_and_infinity_are_in_no_range_unless_it_says_so() {
    let files = [("a", doubles(&[0.5, f64::NAN])), ("b", doubles(&[0.5, f64::INFINITY])), ("c", doubles(&[0.5, 1.0]))];
    let folder = folder("[files.\"?\"]\nrange = [0, 1]\n", &files);
    let paths = |folder: &tempfile::TempDir| {
        let found = found(folder, &["a", "b", "c"]);
        found.into_iter().map(|(path, ..)| path).collect::<Vec<_>>()
    };
    assert_eq!(paths(&folder), ["a", "b"]);
    fs::write(folder.path().join(".ndbytes.toml"), "[files.\"?\"]\nrange = [0, 1]\nnan = true\n").unwrap();
    assert_eq!(paths(&folder), ["b"]);
    fs::write(folder.path().join(".ndbytes.toml"), "[files.\"?\"]\nrange = [-inf, inf]\n").unwrap();
    assert_eq!(paths(&folder), ["a"]);
}

/// A `.npy` file of version 1.
fn npy(descr: &str, is_fortran: bool, shape: &str, payload: &[u8]) -> Vec<u8> {
    let order = if is_fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}");
    let end = (10 + header.len() + 1).next_multiple_of(64);
    header += &" ".repeat(end - 1 - 10 - header.len());
    header.push('\n');
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), payload].concat()
}

/// Returns the message, the first byte and the number of bytes of each finding about a range.
fn ranges(folder: &tempfile::TempDir, path: &str) -> Vec<(String, u64, u64)> {
    let lines = json_lines(&run(folder, &["check", "--json", path]).stdout);
    let findings = lines.iter().flat_map(|line| line["findings"].as_array().unwrap());
    let of_range = findings.filter(|it| it["rule"] == "contract/range");
    of_range
        .map(|it| {
            let number = |key: &str| it[key].as_u64().unwrap();
            (it["message"].as_str().unwrap().to_owned(), number("offset"), number("length"))
        })
        .collect()
}

#[test]
fn a_finding_about_values_says_the_first_one_its_place_and_how_many() {
    let stored: Vec<u8> = [0_i16, 99, 0, 0, -7, 0].iter().flat_map(|item| item.to_le_bytes()).collect();
    let files = [
        ("labels", bytes(&[3], &[0, 1, 10])),
        ("doubles", doubles(&[0.5, f64::NAN, -3.5, f64::NAN, f64::INFINITY, 12.0])),
        ("rows.npy", npy("'<i2'", false, "(2, 3)", &stored)),
        ("columns.npy", npy("'<i2'", true, "(2, 3)", &stored)),
    ];
    let folder = folder("[files.\"*\"]\nrange = [0, 9]\n", &files);
    let of = |path: &str| ranges(&folder, path);
    assert_eq!(of("labels"), [("1 of 3 values is outside the range: 10 at [2]".to_owned(), 10, 1)]);
    let expected = [
        ("2 of 6 values are outside the range: the first is -3.5 at [2]", 8 + 2 * 8),
        ("2 of 6 values are NaN: the first is at [1]", 8 + 8),
        ("1 of 6 values is infinite: inf at [4]", 8 + 4 * 8),
    ];
    assert_eq!(of("doubles"), expected.map(|(message, offset)| (message.to_owned(), offset, 8)));
    let two = "2 of 6 values are outside the range: the first is 99 at ";
    assert_eq!(of("rows.npy"), [(format!("{two}[0, 1]"), 128 + 2, 2)]);
    // In C order, 99 at [1, 0] comes after -7 at [0, 2], which is the fifth item of the file.
    let two = "2 of 6 values are outside the range: the first is -7 at [0, 2]".to_owned();
    assert_eq!(of("columns.npy"), [(two, 128 + 4 * 2, 2)]);
    let shown = run(&folder, &["check", "labels"]).stdout;
    assert!(shown.contains("00 00 08 01 00 00 00 03 00 01 0a\n"), "{shown}");
    assert!(shown.contains(" ^^ expected 0 to 9, found 10\n"), "{shown}");
}

#[test]
fn a_value_inside_gzip_has_its_place_in_what_it_inflates_to() {
    let folder = folder("[files.\"*\"]\nrange = [0, 9]\n", &[("a.idx.gz", gzipped(&bytes(&[3], &[0, 1, 10])))]);
    let message = "1 of 3 values is outside the range: 10 at [2]".to_owned();
    assert_eq!(ranges(&folder, "a.idx.gz"), [(message, 10, 1)]);
    let shown = run(&folder, &["check", "a.idx.gz"]).stdout;
    assert!(shown.contains(" of what it inflates to\n"), "{shown}");
}

#[test]
fn a_range_of_structures_names_the_field_and_skips_what_is_no_number() {
    let descr = "[('name', 'S2'), ('when', '<M8[s]'), ('x', '<f4'), ('p', [('y', '<i2')], (2,))]";
    let item = |x: f32, ys: [i16; 2]| {
        let ys = ys.map(i16::to_le_bytes).concat();
        [&b"ab"[..], &1_000_000_i64.to_le_bytes(), &x.to_le_bytes(), &ys].concat()
    };
    let payload = [item(0.5, [1, 2]), item(7.0, [3, 300]), item(9.5, [-1, 4])].concat();
    let text = npy("'S2'", false, "(1,)", b"ab");
    let time = npy("'<M8[s]'", false, "(1,)", &[1, 0, 0, 0, 0, 0, 0, 0]);
    let files = [("s.npy", npy(descr, false, "(3,)", &payload)), ("text.npy", text), ("time.npy", time)];
    let folder = folder("[files.\"*.npy\"]\nrange = [0, 9]\n", &files);
    let expected = [
        ("1 of 3 values of x is outside the range: 9.5 at [2]", 192 + 2 * 18 + 10, 4),
        ("2 of 6 values of p.y are outside the range: the first is 300 at [1]", 192 + 18 + 16, 2),
    ];
    assert_eq!(
        ranges(&folder, "s.npy"),
        expected.map(|(message, offset, length)| (message.to_owned(), offset, length))
    );
    for path in ["text.npy", "time.npy"] {
        let message = "the items are not numbers, so a range does not apply".to_owned();
        assert_eq!(ranges(&folder, path), [(message, 0, 0)], "{path}");
    }
    // The finding is not about any bytes, so none are shown.
    let shown = run(&folder, &["check", "text.npy"]).stdout;
    assert!(!shown.contains("93 4e 55 4d"), "{shown}");
}

#[test]
fn each_star_of_a_partner_is_what_that_star_of_the_glob_matched() {
    let contract = "[files.\"*-images-idx3-ubyte*\"]\npair = \"*-labels-idx1-ubyte*\"\n";
    let files = [
        ("a-images-idx3-ubyte", bytes(&[1, 1, 1], &[0])),
        ("a-labels-idx1-ubyte", bytes(&[2], &[0, 1])),
        ("b-images-idx3-ubyte.gz", gzipped(&bytes(&[1, 1, 1], &[0]))),
        ("b-labels-idx1-ubyte.gz", gzipped(&bytes(&[3], &[0, 1, 2]))),
        ("c-images-idx3-ubyte.gz", gzipped(&bytes(&[2, 1, 1], &[0, 1]))),
        ("c-labels-idx1-ubyte.gz", gzipped(&bytes(&[2], &[0, 1]))),
    ];
    let folder = folder(contract, &files);
    let found = found(&folder, &["."]);
    let expected = [("./a-images-idx3-ubyte", "contract/pair"), ("./b-images-idx3-ubyte.gz", "contract/pair")];
    assert_eq!(rules(&found), expected);
}

#[test]
fn members_of_archives_have_clauses_of_their_own() {
    let archive =
        zip(&[Entry::deflated("x.idx", &bytes(&[2], &[1, 2])), Entry::deflated("y.idx", &bytes(&[3], &[1, 2, 3]))]);
    let contract = "[files.\"data.zip!x.idx\"]\nshape = [5]\npair = \"data.zip!y.idx\"\n";
    let folder = folder(contract, &[("data.zip", archive)]);
    let expected = [("data.zip!x.idx", "contract/shape"), ("data.zip!x.idx", "contract/pair")];
    assert_eq!(rules(&found(&folder, &["data.zip"])), expected);
}

#[test]
fn a_table_has_rows_and_columns_and_neither_type_nor_range() {
    let table = fs::read(project().join("samples/trees.idv")).unwrap();
    let folder = folder("[files.\"*.idv\"]\ntype = \"u1\"\nrange = [0, 1]\nshape = [\"_\", 1]\n", &[("t.idv", table)]);
    let expected = [("t.idv", "contract/type"), ("t.idv", "contract/shape"), ("t.idv", "contract/range")];
    assert_eq!(rules(&found(&folder, &["t.idv"])), expected);
}

#[test]
fn a_file_that_the_contract_knows_is_not_skipped_for_its_format() {
    let folder = folder("[files.\"x\"]\ntype = \"u1\"\n", &[("x", b"hello".to_vec()), ("y", b"hello".to_vec())]);
    assert_eq!(rules(&found(&folder, &["."])), [("./x", "unknown-format")]);
}

#[test]
fn diff_takes_the_tolerance_of_the_contract() {
    let files = [("old/a", doubles(&[1.0])), ("new/a", doubles(&[1.0 + 1e-9])), ("new/b", doubles(&[1.0 + 1e-9]))];
    let folder = folder("[files.\"a\"]\ntolerance = { atol = 1e-6 }\n", &files);
    let status = |arguments: &[&str]| run(&folder, &[&["diff"], arguments].concat()).status;
    let ended = run(&folder, &["diff", "old/a", "new/a"]);
    assert!(ended.status == 0 && ended.stdout.ends_with("\nthe tolerance is that of line 2 of .ndbytes.toml\n"));
    assert_eq!(status(&["old/a[:]", "new/a[:]"]), 0);
    // The command line takes precedence.
    assert_eq!(status(&["--atol", "0", "old/a", "new/a"]), 1);
    assert_eq!(status(&["--no-config", "old/a", "new/a"]), 1);
    // The contract covers only the first file.
    assert_eq!(status(&["new/b", "old/a"]), 0);
    assert_eq!(status(&["--known-as", "c", "--no-config", "old/a", "new/b"]), 1);
    assert_eq!(status(&["--known-as", "sub/a", "new/b", "new/b"]), 0);
    let folders = run(&folder, &["diff", "old", "new"]);
    assert!(folders.stdout.starts_with("same within tolerance  a: 1 of 1 differ"), "{}", folders.stdout);
}

#[test]
fn git_shows_differences_within_the_tolerance_as_none() {
    let folder = folder(
        "[files.\"data/a\"]\ntolerance = { atol = 1e-6 }\n",
        &[("one", doubles(&[1.0])), ("other", doubles(&[1.0 + 1e-9]))],
    );
    let driver = |name: &str| {
        let ended = run(&folder, &["diff", "--git-driver", name, "one", "0", "100644", "other", "0", "100644"]);
        (ended.status, ended.stdout.lines().nth(1).map(str::to_owned))
    };
    let within = "same within tolerance: 1 of 1 differ, all within it";
    assert_eq!(driver("data/a"), (0, Some(within.to_owned())));
    assert_eq!(driver("data/b"), (0, Some("values differ: 1 of 1".to_owned())));
}

#[test]
fn a_contract_that_is_not_valid_is_named_with_its_line() {
    let long = format!("[files.\"{}\"]", "x".repeat(2000));
    let axes = format!("[files.\"x\"]\nshape = [{}]", "1, ".repeat(300));
    let globs: String = (0..1001).map(|number| format!("[files.\"{number}\"]\n")).collect();
    for (contract, reason) in [
        ("x = 1", "line 1: unknown field `x`, expected `files`"),
        ("\n[files.\"a\"]\nshpae = [1]", "line 3: unknown field `shpae`, expected one of"),
        ("[files.\"a\"]\nshape = [1, \"x\"]", "line 2: a length is a number, or \"_\" for any length"),
        ("[files.\"a\"]\nshape = [-1]", "line 2: a length is not negative"),
        ("[files.\"a\"]\nrange = [1]", "line 2: invalid length 1, expected an array of length 2"),
        ("[files.\"a\"]\nrange = [2, 1]", "line 2: a range is the minimum and the maximum"),
        ("[files.\"a\"]\nrange = [nan, 1]", "line 2: a range is the minimum and the maximum"),
        ("[files.\"[a\"]", "line 1: the glob is not valid"),
        ("[files.\"\"]", "line 1: a glob has at least one letter"),
        (&long, "line 1: a glob has at most 1000 bytes"),
        (&axes, "line 2: a shape has at most 255 axes"),
        (&globs, "it has 1001 globs, but at most 1000 are allowed"),
        ("[files.\"a?\"]\npair = \"*b\"", "line 2: `*` in the partner needs a glob"),
        ("[files.\"*\"]\npair = \"*/*\"", "line 2: `*` in the partner needs a glob whose last part has as many `*`"),
        ("[files.\"a**b\"]\npair = \"*/*\"", "line 2: `*` in the partner needs a glob whose last part has as many `*`"),
        ("[files.\"a\"]\npair = \"../b\"", "line 2: a partner must be in the directory of the file, or below it"),
        ("[files.\"a\"]\ntype = \"floaty\"", "line 2: it is not a NumPy type name"),
        ("[files.\"a\"]\ntolerance = { atol = -1 }", "line 2: `atol` and `rtol` must not be negative"),
        ("[files.\"a\"]\ntolerance = { atoll = 1 }", "line 2: unknown field `atoll`"),
        ("[files.\"a\"]\n[files.\"a\"]", "line 2: duplicate key"),
        ("[files.\"a", "line 1: "),
    ] {
        let folder = folder(contract, &[("a", bytes(&[1], &[1]))]);
        for command in [&["check", "a"][..], &["diff", "a", "a"]] {
            let ended = run(&folder, command);
            assert_eq!((ended.status, &*ended.stdout), (2, ""), "{contract:.80}");
            assert!(ended.stderr.starts_with(&format!("error: .ndbytes.toml: {reason}")), "{}", ended.stderr);
        }
    }
}

#[test]
fn a_contract_that_cannot_be_read_is_refused() {
    let folder = folder("", &[("a", bytes(&[1], &[1])), ("latin.toml", b"# \xe9".to_vec())]);
    fs::create_dir(folder.path().join("folder.toml")).unwrap();
    fs::write(folder.path().join("long.toml"), "#".repeat((256 << 10) + 1)).unwrap();
    for (name, reason) in [
        ("nowhere.toml", "No such file"),
        ("folder.toml", "it is not a regular file"),
        ("latin.toml", "the contract is not UTF-8"),
        ("long.toml", "the contract is longer than 262144 bytes"),
    ] {
        let ended = run(&folder, &["check", "--config", name, "a"]);
        assert!(ended.status == 2 && ended.stderr.contains(&format!("{name}: {reason}")), "{name}: {}", ended.stderr);
    }
    let both = run(&folder, &["check", "--config", "latin.toml", "--no-config", "a"]);
    assert!(both.status == 2 && both.stderr.contains("cannot be used with"), "{}", both.stderr);
}

/// The keys in the parser's error about an unknown one.
fn keys(folder: &Path, contract: &str) -> Vec<String> {
    fs::write(folder.join(".ndbytes.toml"), contract).unwrap();
    let refusal = run_in(folder, &["check", "a"]).stderr;
    let list = refusal.split_once("expected").expect("the refusal lists the keys").1;
    let mut keys: Vec<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    keys.sort();
    keys
}

#[test]
fn schema_and_parser_know_the_same_keys() {
    let text = fs::read_to_string(project().join("docs/src/contract.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let properties = |of: &Value| -> Vec<String> {
        assert_eq!(of["additionalProperties"], false, "the parser refuses unknown keys");
        let mut keys: Vec<String> = of["properties"].as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    let folder = tempfile::tempdir().unwrap();
    let clause = &schema["$defs"]["clause"];
    assert_eq!(properties(&schema), keys(folder.path(), "? = 1".replace('?', "unknown").as_str()));
    assert_eq!(properties(clause), keys(folder.path(), "[files.\"a\"]\nunknown = 1"));
    let tolerance = &clause["properties"]["tolerance"];
    assert_eq!(properties(tolerance), keys(folder.path(), "[files.\"a\"]\ntolerance = { unknown = 1 }"));
}

#[test]
fn the_contract_of_the_page_fits_schema_and_parser() {
    let page = fs::read_to_string(project().join("docs/src/contract.md")).unwrap();
    let contract = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = folder(contract, &[("a", bytes(&[1], &[1]))]);
    assert_eq!(run(&folder, &["check", "a"]).status, 0);
    let text = fs::read_to_string(project().join("docs/src/contract.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap();
    let clause = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let good = clause(
        r#"{"files": {"*.npy": {"type": "f4", "shape": ["_", 3], "range": [0, 1], "nan": true, "pair": "y.npy", "tolerance": {"atol": 1}}}}"#,
    );
    assert!(schema.is_valid(&good));
    for bad in [r#"{"files": {"a": {"shape": ["x"]}}}"#, r#"{"files": {"a": {"range": [1]}}}"#, r#"{"file": {}}"#] {
        assert!(!schema.is_valid(&clause(bad)), "{bad}");
    }
}

#[test]
fn globs_that_take_long_to_find_are_refused() {
    let glob = |length: usize| "?*".repeat(length / 2);
    let table = |number: usize, glob: &str| format!("[files.\"{number}{glob}\"]\ntype = \"u1\"\n");
    let contracts = [
        (0..4).map(|number| table(number, &glob(990))).collect::<String>(),
        (0..5).map(|number| table(number, &glob(990))).collect(),
        (0..40).map(|number| table(number, &"a".repeat(900))).collect(),
        (0..1000).map(|number| table(number, "*.npy")).collect(),
        (0..9).map(|number| table(number, &format!("{{{}}}", vec!["a"; 490].join(",")))).collect(),
    ];
    for (contract, is_allowed) in contracts.into_iter().zip([true, false, false, true, false]) {
        let folder = folder(&contract, &[("a", bytes(&[1], &[1]))]);
        let ended = run(&folder, &["check", "a"]);
        let is_refused = ended.stderr.contains("32768 bytes with 4096 of these are allowed");
        assert_eq!((ended.status, is_refused), if is_allowed { (0, false) } else { (2, true) }, "{}", ended.stderr);
    }
}

#[cfg(unix)]
#[test]
fn files_that_nobody_named_are_regular_and_inside() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("labels"), bytes(&[2], &[1, 2])).unwrap();
    fs::write(outside.path().join(".ndbytes.toml"), "[files.\"x\"]\ntype = \"f8\"\n").unwrap();
    let contract = "[files.\"x\"]\npair = \"labels\"\n";
    let folder = folder(contract, &[("x", bytes(&[3], &[1, 2, 3])), ("inner/y", bytes(&[3], &[1, 2, 3]))]);
    let labels = folder.path().join("labels");
    let says = || {
        let ended = run(&folder, &["check", "x"]);
        assert_eq!(ended.status, 1, "{}", ended.stderr);
        ended.stdout
    };
    // A socket is used instead of a pipe, on which a test could block.
    let socket = UnixListener::bind(&labels).unwrap();
    assert!(says().contains("the partner labels cannot be read: it is not a regular file"), "{}", says());
    drop(socket);
    fs::remove_file(&labels).unwrap();
    symlink(outside.path().join("labels"), &labels).unwrap();
    assert!(says().contains("the partner labels cannot be read: a link leads out of the folder"), "{}", says());
    fs::remove_file(&labels).unwrap();
    symlink("inner/y", &labels).unwrap();
    assert_eq!(run(&folder, &["check", "x"]).status, 0);
    // These labels are found by the names of the files.
    let images = folder.path().join("t-images-idx1-ubyte");
    fs::write(images, bytes(&[3], &[1, 2, 3])).unwrap();
    symlink(outside.path().join("labels"), folder.path().join("t-labels-idx1-ubyte")).unwrap();
    assert_eq!(run(&folder, &["check", "--no-config", "t-images-idx1-ubyte"]).status, 0);
    fs::remove_file(folder.path().join("t-labels-idx1-ubyte")).unwrap();
    fs::write(folder.path().join("t-labels-idx1-ubyte"), bytes(&[2], &[1, 2])).unwrap();
    let ended = run(&folder, &["check", "--no-config", "t-images-idx1-ubyte"]);
    assert!(ended.stdout.contains("t-labels-idx1-ubyte has 2 labels"), "{}", ended.stdout);
    // The contract itself is found automatically.
    let own = folder.path().join(".ndbytes.toml");
    fs::remove_file(&own).unwrap();
    symlink(outside.path().join(".ndbytes.toml"), &own).unwrap();
    let ended = run(&folder, &["check", "x"]);
    assert!(ended.status == 2 && ended.stderr.contains("a link leads out of the folder"), "{}", ended.stderr);
    assert_eq!(run(&folder, &["check", "--config", ".ndbytes.toml", "x"]).status, 1, "it is named");
}
