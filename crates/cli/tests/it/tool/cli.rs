//! The tool's contract: exit status, JSON, standard input, pipes and directories.

use crate::support::tool::{self, json_lines, run, run_with_input};
use ndbytes::Format;
use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values, Writer};
use ndbytes_testkit::corpus;
use ndbytes_testkit::share::{is_whole, share};
use serde_json::{Value, json};
use std::fs;
use std::io::Read;
use std::process::Stdio;

const GOOD: &str = "idx/ok/u8-2d.idx";
const BROKEN: &str = "idx/bad/trailing-one.idx";
const WARNED: &str = "idx/ok/scalar-u8.idx";
const TABLE: &str = "idv/ok/key-values.idv";
const BROKEN_TABLE: &str = "idv/bad/trailing-byte.idv";

#[test]
fn exit_status_says_what_was_found() {
    assert_eq!(run(&["check", GOOD]).status, 0);
    assert_eq!(run(&["check", WARNED]).status, 0);
    assert_eq!(run(&["check", "--deny-warnings", WARNED]).status, 1);
    assert_eq!(run(&["check", BROKEN]).status, 1);
    assert_eq!(run(&["check", "no/such/file"]).status, 2);
    assert_eq!(run(&["check", BROKEN, "no/such/file", GOOD]).status, 2);
    assert_eq!(run(&["check"]).status, 2);
    assert_eq!(run(&["frobnicate"]).status, 2);
    for command in ["info", "explain", "cat"] {
        for good in [GOOD, TABLE] {
            assert_eq!(run(&[command, good]).status, 0, "{command}");
        }
        for broken in [BROKEN, BROKEN_TABLE] {
            assert_eq!(run(&[command, broken]).status, 1, "{command}");
        }
        assert_eq!(run(&[command, "no/such/file"]).status, 2, "{command}");
    }
    for command in ["explain", "cat"] {
        assert_eq!(run(&[command, "."]).status, 2, "{command} of a folder");
    }
}

#[test]
fn errors_of_the_system_go_to_standard_error() {
    let ended = run(&["check", "no/such/file"]);
    assert!(ended.stderr.contains("no/such/file"), "{}", ended.stderr);
    assert!(!ended.stdout.contains("no/such/file"), "{}", ended.stdout);
}

#[test]
fn info_prints_arrays_as_json() {
    let ended = run(&["info", "--json", GOOD, "rawarray/ok/c64.ra"]);
    let objects = json_lines(&ended.stdout);
    assert_eq!(objects[0]["path"], GOOD);
    assert_eq!(objects[0]["format"], "idx");
    assert_eq!(objects[0]["version"], Value::Null);
    assert_eq!(objects[0]["table"], Value::Null);
    assert_eq!(objects[0]["array"], json!({"shape": [2, 3], "dtype": "|u1", "order": "C"}));
    assert!(objects[0]["size"].is_u64() && objects[0]["details"].is_object());
    assert_eq!(objects[1]["format"], "rawarray");
    assert_eq!(objects[1]["array"]["dtype"], "<c8");
    assert_eq!(objects[1]["array"]["order"], "F");
}

#[test]
fn check_prints_findings_as_json() {
    let ended = run(&["check", "--json", GOOD, WARNED, BROKEN, "idx/bad/html.idx"]);
    let objects = json_lines(&ended.stdout);
    let verdicts: Vec<&Value> = objects.iter().map(|object| &object["verdict"]).collect();
    assert_eq!(verdicts, ["ok", "warning", "error", "error"]);
    assert_eq!(objects[0]["findings"], json!([]));
    let finding = &objects[2]["findings"][0];
    assert_eq!(finding["rule"], "idx/trailing-bytes");
    assert_eq!(finding["severity"], "error");
    for (key, kind) in [("field", "string"), ("offset", "number"), ("length", "number"), ("message", "string")] {
        let is = if kind == "string" { finding[key].is_string() } else { finding[key].is_u64() };
        assert!(is, "{key}");
    }
    assert_eq!(objects[3]["format"], Value::Null);
    assert_eq!(objects[3]["findings"][0]["rule"], "unknown-format");
}

#[test]
fn explain_json_tiles_every_file() {
    for sample in share(corpus::samples().into_iter()) {
        let ended = run(&["explain", "--json", sample.path.to_str().unwrap()]);
        let object = &json_lines(&ended.stdout)[0];
        let mut position = 0;
        let spans = object["spans"].as_array().unwrap();
        for span in spans.iter().filter(|span| span["space"] == 0) {
            assert_eq!(span["offset"], position, "{sample}");
            position += span["length"].as_u64().unwrap();
            for key in ["path", "type", "meaning", "doc"] {
                assert!(span[key].is_string(), "{sample}: {key}");
            }
        }
        assert_eq!(position, sample.bytes.len() as u64, "{sample}");
        assert_eq!(object["size"], position, "{sample}");
    }
}

#[test]
fn explain_shows_what_the_field_reference_says() {
    let mut shown = 0;
    for sample in share(corpus::samples().into_iter()).filter(|sample| sample.recipe.memory.is_none()) {
        let path = sample.path.to_str().unwrap();
        let text = run(&["explain", path]).stdout;
        let object = &json_lines(&run(&["explain", "--json", path]).stdout)[0];
        // The meaning of a value takes precedence over the purpose of its field.
        let spans = object["spans"].as_array().unwrap().iter().filter(|span| span["meaning"] == "");
        for span in spans.filter(|span| span["length"] != 0) {
            let (start, doc) = (format!("{:08x}  ", span["offset"].as_u64().unwrap()), span["doc"].as_str().unwrap());
            let is_shown = text.lines().any(|line| line.starts_with(&start) && line.ends_with(doc));
            assert!(is_shown, "{sample}: {}: {doc}", span["path"]);
            shown += usize::from(!doc.is_empty());
        }
    }
    let least = if is_whole() { 10_000 } else { 500 };
    assert!(shown > least, "{shown}");
}

#[test]
fn cat_json_holds_every_value() {
    let ended = run(&["cat", "--json", GOOD]);
    assert_eq!(json_lines(&ended.stdout)[0]["values"], json!([10, 11, 12, 20, 21, 22]));
    for sample in corpus::samples()
        .iter()
        .filter(|sample| sample.folder == "ok" && sample.format.is_some_and(|format| format != Format::Idv))
    {
        let ended = run(&["cat", "--json", sample.path.to_str().unwrap()]);
        let object = &json_lines(&ended.stdout)[0];
        assert_eq!(json!(sample.recipe.shape), object["shape"], "{sample}");
        assert_eq!(json!(sample.recipe.dtype), object["dtype"], "{sample}");
        let elements = object["values"].as_array().unwrap().len();
        assert_eq!(elements, sample.recipe.values.as_ref().unwrap().len(), "{sample}");
    }
}

#[test]
fn standard_input_is_read_like_a_file() {
    for sample in share(corpus::samples().into_iter()).filter(|sample| sample.recipe.memory.is_none()) {
        let path = sample.path.to_str().unwrap();
        for command in ["check", "explain", "info"] {
            let (from_file, from_input) =
                (run(&[command, "--json", path]), run_with_input(&[command, "--json", "-"], &sample.bytes));
            assert_eq!(from_file.stdout.replace(path, "-"), from_input.stdout, "{sample}: {command}");
            assert_eq!(from_file.status, from_input.status, "{sample}: {command}");
        }
    }
}

#[test]
fn folders_are_walked_in_order() {
    let ended = run(&["check", "--json", "idx/ok"]);
    let paths: Vec<String> =
        json_lines(&ended.stdout).iter().map(|object| object["path"].as_str().unwrap().into()).collect();
    let mut sorted = paths.clone();
    sorted.sort();
    assert_eq!(paths, sorted);
    // The recipes are also there, but files in other formats are not errors in directories.
    let files = corpus::samples().iter().filter(|sample| sample.kind == "idx" && sample.folder == "ok").count();
    assert_eq!((paths.len(), ended.status), (files, 0));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.idx");
    ndbytes::idx::write(&path, &ndarray::Array1::<u8>::zeros(1 << 20)).unwrap();
    let mut command = tool::command(&["cat", "--json", path.to_str().unwrap()]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0; 16];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn colour_is_for_terminals_only() {
    let mut command = tool::command(&["explain", GOOD]);
    let plain = command.env_remove("NO_COLOR").output().unwrap();
    assert!(!plain.stdout.contains(&0x1b));
    let mut command = tool::command(&["explain", GOOD]);
    let coloured = command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(coloured.stdout.contains(&0x1b));
}

#[test]
fn convert_writes_what_numpy_reads() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.npy");
    assert_eq!(run(&["convert", GOOD, out.to_str().unwrap()]).status, 0);
    let npy = fs::read(&out).unwrap();
    assert!(npy.starts_with(b"\x93NUMPY\x01\x00"));
    assert!(npy.ends_with(&[10, 11, 12, 20, 21, 22]));
    assert_eq!((npy.len() - 6) % 64, 0);
    let header = String::from_utf8_lossy(&npy[10..npy.len() - 6]).into_owned();
    assert_eq!(header.trim_end(), "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }");
    assert_eq!(run(&["convert", "--force", BROKEN, out.to_str().unwrap()]).status, 1);
    assert_eq!(fs::read(&out).unwrap(), npy, "a refused conversion leaves the old file");
    assert_eq!(run(&["convert", GOOD, "no/such/folder/out.npy"]).status, 2);
}

#[test]
fn the_memory_limit_is_kept() {
    let limited = corpus::samples().into_iter().find(|sample| sample.recipe.memory.is_some()).unwrap();
    let path = limited.path.to_str().unwrap();
    assert_eq!(run(&["check", path]).status, 0);
    let ended = run(&["check", "--max-memory", "1K", path]);
    assert_eq!(ended.status, 1);
    assert!(ended.stdout.contains("limit-exceeded"), "{}", ended.stdout);
    assert_eq!(run(&["check", "--max-memory", "lots", path]).status, 2);
}

#[test]
fn the_memory_limit_is_reported_once_and_as_ours() {
    // Two columns of one block each, and each block exceeds the limit.
    let columns = ["a", "b"].map(|name| NewColumn::new(name, ColumnType::scalar(ItemType::I64)));
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("zeros.idv");
    let mut file = Writer::new(columns).create(&table).unwrap();
    file.write(&[Values::scalars(vec![0_i64; 50_000]), Values::scalars(vec![0_i64; 50_000])]).unwrap();
    file.finish().unwrap();
    let limited = corpus::samples().into_iter().find(|sample| sample.recipe.memory.is_some()).unwrap();
    for (path, memory) in [(table, "100K"), (limited.path, "1K")] {
        for profile in ["strict", "reference"] {
            let ended = run(&["check", "--max-memory", memory, "--profile", profile, path.to_str().unwrap()]);
            assert_eq!(ended.status, 1, "{profile}: {}", ended.stdout);
            let findings: Vec<&str> =
                ended.stdout.split("\n\n").filter(|text| text.contains("limit-exceeded")).collect();
            assert_eq!(findings.len(), 1, "{profile}: {}", ended.stdout);
            // Only ndbytes has this limit.
            assert!(findings[0].starts_with("error[") && !findings[0].contains("such a file"), "{}", findings[0]);
        }
    }
    assert!(run(&["rules"]).stdout.contains("source: ndbytes; not checked by reference readers"));
}

/// A table with one uncompressed column, in one block.
pub fn table(column: &str, codec: &str, rows: u64, block: &[u8]) -> Vec<u8> {
    let version = 0x0001_0001_0001_0006_u64;
    let (lookup, columns) = (256 + block.len() as u64, 272 + block.len() as u64);
    let mut entry = vec![column.len() as u8];
    entry.extend(column.bytes());
    entry.push(codec.len() as u8);
    entry.extend(codec.bytes());
    // No parameters, no compression, all rows in one block.
    entry.extend([0, 0, u8::try_from(rows).unwrap()]);
    entry.extend(lookup.to_le_bytes());
    entry.extend(0_u64.to_le_bytes());
    let mut file = b"CML\0DVB\0".to_vec();
    for word in [version, version, columns, columns + entry.len() as u64, rows] {
        file.extend(word.to_le_bytes());
    }
    file.extend(1_u32.to_le_bytes());
    file.resize(256, 0);
    file.extend(block);
    file.extend(256_u64.to_le_bytes());
    file.extend((block.len() as u32).to_le_bytes());
    file.extend((block.len() as u32).to_le_bytes());
    file.extend(entry);
    file.extend(b"\0BVD\0LMC");
    file
}

/// A table of texts.
fn texts(column: &str, texts: &[&str]) -> Vec<u8> {
    let whole = texts.concat();
    let mut block = (texts.len() as u32).to_le_bytes().to_vec();
    let mut end = 0;
    for text in texts {
        end += text.encode_utf16().count() as u32;
        block.extend(end.to_le_bytes());
    }
    block.push(u8::try_from(whole.len()).ok().filter(|length| *length < 128).unwrap());
    block.extend(whole.bytes());
    table(column, "TextSpan", texts.len() as u64, &block)
}

fn cat(path: &str) -> String {
    let ended = run(&["cat", path]);
    assert_eq!(ended.status, 0, "{path}: {}", ended.stderr);
    assert!(ended.stderr.lines().all(|line| line.starts_with("warning[")), "{path}: {}", ended.stderr);
    ended.stdout
}

#[test]
fn cat_shows_tables() {
    let expected = "   a\n   Key<UInt32, 0-1>\n0  yes\n1  -\n2  no\n3 rows × 1 column\n";
    assert_eq!(cat(TABLE), expected);
    let vectors = "0  {1: 1.0, 4: -0.0} of 5\n1  {} of 5\n2  {0: 3.0, 1: 4.0, 2: 5.0, 3: 6.0} of 5\n";
    assert!(cat("idv/ok/vector-sparse.idv").contains(vectors));
    assert!(cat("idv/ok/vector-of-text.idv").contains("0  [a, \"\"]\n1  [bc, def]\n2  {1: g} of 2\n"));
    assert!(cat("idv/ok/missing-text.idv").contains("0  foo\n1  null\n2  \"\"\n3  null\n"));
    assert!(cat("idv/ok/date-time.idv").contains("1  9999-12-31 23:59:59.9999999\n2  2000-01-01 00:00:00\n"));
    assert!(cat("idv/ok/date-time-offset.idv").contains("1  2000-01-01 00:00:00-14:00\n"));
    assert!(cat("idv/ok/time-span.idv").contains("1  -00:00:00.0000001\n2  01:00:00\n"));
    assert!(cat("idv/ok/row-id.idv").contains("1  0000000000000007ffffffffffffffff\n"));
    let hidden = "column 0 \"a\" is not shown: a later column has the same name";
    assert!(cat("idv/ok/hidden-column.idv").contains(hidden));
    assert!(cat("idv/ok/unknown-codec.idv").contains("column 1 \"b\" is not shown: its codec \"Image\" is unknown\n"));
    assert!(cat("idv/ok/zero-rows.idv").contains("\n0 rows × "));
}

#[test]
fn cat_shows_the_ends_of_long_tables() {
    let rows = |count: u32| (0..count).flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
    let all = run_with_input(&["cat", "-"], &table("n", "UInt32", 60, &rows(60))).stdout;
    assert_eq!(all.lines().count(), 2 + 60 + 1);
    let ends = run_with_input(&["cat", "-"], &table("n", "UInt32", 61, &rows(61))).stdout;
    let lines: Vec<&str> = ends.lines().collect();
    assert_eq!(lines.len(), 2 + 20 + 1 + 10 + 1);
    assert_eq!(lines[..3], ["         n", "    UInt32", " 0       0"]);
    assert_eq!(lines[21..24], ["19      19", " …  31 more rows", "51      51"]);
    assert_eq!(lines[33], "61 rows × 1 column");
    let json = run_with_input(&["cat", "--json", "-"], &table("n", "UInt32", 61, &rows(61))).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["rows"], (0..61).map(|row| json!([row])).collect::<Value>());
}

#[test]
fn tables_cannot_steer_the_terminal() {
    let hostile = "\u{1b}[31m\n\u{202e}";
    let file = texts(hostile, &[hostile, "-", "null", " x", "\"", "\u{9b}2J", "日本語"]);
    for command in ["cat", "info", "explain"] {
        let ended = run_with_input(&[command, "-"], &file);
        assert_eq!(ended.status, 0, "{}", ended.stdout);
        assert!(!ended.stdout.contains(|letter: char| letter.is_control() && letter != '\n'), "{}", ended.stdout);
    }
    let shown = run_with_input(&["cat", "-"], &file).stdout;
    assert!(shown.contains("\\u{1b}[31m\\n\\u{202e}\n   String\n"), "{shown}");
    let cells =
        "0  \"\\u{1b}[31m\\n\\u{202e}\"\n1  \"-\"\n2  \"null\"\n3  \" x\"\n4  \"\\\"\"\n5  \"\\u{9b}2J\"\n6  日本語\n";
    assert!(shown.contains(cells), "{shown}");
}

#[test]
fn empty_rows_are_not_enumerated() {
    let mut file = fs::read(corpus::root().join("idv/ok/zero-columns.idv")).unwrap();
    file[40..48].copy_from_slice(&(1_u64 << 61).to_le_bytes());
    assert_eq!(run_with_input(&["cat", "-"], &file).stdout, "2,305,843,009,213,693,952 rows × 0 columns\n");
    let json: Value = serde_json::from_str(&run_with_input(&["cat", "--json", "-"], &file).stdout).unwrap();
    assert_eq!(json, json!({"version": "1.1.1.6/1.1.1.6", "rowCount": 1_u64 << 61, "columns": [], "rows": []}));
    file[40..48].copy_from_slice(&3_u64.to_le_bytes());
    let json: Value = serde_json::from_str(&run_with_input(&["cat", "--json", "-"], &file).stdout).unwrap();
    assert_eq!(json["rows"], json!([[], [], []]));
}

#[test]
fn cat_json_holds_every_value_of_tables() {
    for sample in corpus::samples().iter().filter(|sample| sample.folder == "ok" && sample.format == Some(Format::Idv))
    {
        let path = sample.path.to_str().unwrap();
        let ended = run(&["cat", "--json", path]);
        assert_eq!(ended.status, 0, "{sample}");
        let text = ended.stdout;
        // This JSON reader does not accept half a character.
        let object = serde_json::from_str(&text).or_else(|_| serde_json::from_str(&text.replace("\\ud", "ud")));
        let object: Value = object.unwrap_or_else(|error| panic!("{sample}: {error}"));
        let (rows, columns) = (object["rows"].as_array().unwrap(), object["columns"].as_array().unwrap());
        assert_eq!(object["rowCount"], rows.len(), "{sample}");
        assert!(rows.iter().all(|row| row.as_array().unwrap().len() == columns.len()), "{sample}");
        // Each has one line, and there are three more lines around them.
        let annotations = columns.iter().map(|column| column["annotations"].as_array().unwrap().len());
        let lines = 3 + columns.len() + annotations.sum::<usize>() + rows.len();
        assert_eq!(text.lines().count(), lines, "{sample}");
        let info = run(&["info", "--json", path]).stdout;
        let info: Value = serde_json::from_str(&info).unwrap_or_else(|error| panic!("{sample}: {error}"));
        let told = info["table"]["columns"].as_array().unwrap().iter().filter(|column| column["readable"] == true);
        for (told, column) in told.zip(columns) {
            for key in ["name", "type", "hidden"] {
                assert_eq!(told[key], column[key], "{sample}");
            }
        }
        assert_eq!(info["table"]["rows"], object["rowCount"], "{sample}");
    }
    let json: Value = serde_json::from_str(&run(&["cat", "--json", TABLE]).stdout).unwrap();
    assert_eq!(json["columns"][0]["typeinfo"], json!({"kind": "key", "raw": "UInt32", "count": 2}));
    assert_eq!(json["columns"][0]["annotations"][0]["value"], json!({"len": 2, "dense": ["no", "yes"]}));
    assert_eq!(json["rows"], json!([[2], [0], [1]]));
}

#[test]
fn info_shows_tables() {
    let table = &json_lines(&run(&["info", "--json", TABLE]).stdout)[0];
    assert_eq!(table["format"], "idv");
    assert_eq!(table["version"], "1.1.1.6");
    assert_eq!(table["array"], Value::Null);
    assert_eq!(table["table"]["rows"], 3);
    let column = &table["table"]["columns"][0];
    for (key, value) in [
        ("name", json!("a")),
        ("type", json!("Key<UInt32, 0-1>")),
        ("readable", json!(true)),
        ("hidden", json!(false)),
        ("compression", json!("none")),
        ("blocks", json!(1)),
        ("stored_bytes", json!(12)),
    ] {
        assert_eq!(column[key], value, "{key}");
    }
    assert_eq!(column["annotations"], json!([{"kind": "KeyValues", "type": "Vector<String, 2>"}]));
    let text = run(&["info", TABLE]).stdout;
    let line = "  0  a       Key<UInt32, 0-1>       1      12  none         KeyValues\n";
    assert!(text.contains("  rows         3\n") && text.contains(line), "{text}");
    assert!(run(&["info", "idv/ok/hidden-column.idv"]).stdout.contains("(hidden by a later column of this name)"));
    assert!(run(&["info", "idv/ok/unknown-codec.idv"]).stdout.contains("(not readable: its codec is unknown)"));
}

#[test]
fn broken_rules_are_tolerated_only_if_asked_for() {
    let refused = run(&["cat", BROKEN_TABLE]);
    assert_eq!(refused.status, 1);
    assert!(refused.stderr.contains("`cat --tolerate idv/trailing-bytes` ignores it"), "{}", refused.stderr);
    for name in ["idv/trailing-bytes", "trailing-bytes"] {
        let ended = run(&["cat", "--tolerate", "idv/gap", "--tolerate", name, BROKEN_TABLE]);
        assert_eq!(ended.status, 0);
        assert!(
            ended.stderr.contains("tolerated[idv/trailing-bytes]: the file has 1 byte after the tail\n"),
            "{}",
            ended.stderr
        );
    }
    assert_eq!(run(&["cat", "--tolerate", "idv/trailing-bytes", GOOD]).status, 2, "that is an array");
    let json = run(&["cat", "--json", "--tolerate", "idv/trailing-bytes", BROKEN_TABLE]);
    serde_json::from_str::<Value>(&json.stdout).unwrap();
    for (name, hint) in [
        ("idv/trailing", "idv/trailing-bytes"),
        ("idv/bad-magic", "cannot be read"),
        ("idx/trailing-bytes", "belongs to another format"),
        ("idv/zlib", "not an error"),
    ] {
        let ended = run(&["cat", "--tolerate", name, BROKEN_TABLE]);
        assert_eq!(ended.status, 2, "{name}");
        assert!(ended.stderr.contains(hint), "{name}: {}", ended.stderr);
    }
}

#[test]
fn json_is_not_mixed_with_findings() {
    for path in [BROKEN, BROKEN_TABLE, "idv/bad/second-block.idv"] {
        let ended = run(&["cat", "--json", path]);
        assert_eq!(ended.status, 1, "{path}");
        assert!(ended.stderr.starts_with("error["), "{path}: {}", ended.stderr);
        assert!(!ended.stdout.contains("error["), "{path}: {}", ended.stdout);
    }
}

#[test]
fn findings_name_columns_and_show_decompressed_bytes() {
    let text = run(&["check", "idv/bad/date-time-over.idv"]).stdout;
    assert!(text.contains("columns[0] \"a\", block[0].scalars.values["), "{text}");
    let file = fs::read(corpus::root().join("idv/ok/bool-padding.idv")).unwrap();
    let text = run_with_input(&["check", "-"], &file).stdout;
    assert!(text.contains("columns[0].block[0]"), "nothing is known about a pipe that was read: {text}");
}

#[test]
fn schema_shows_every_structure_of_tables() {
    let text = run(&["schema", "idv"]).stdout;
    for name in
        ["Idv", "Header", "ColumnParts", "Column", "Codec", "Lookup", "Annotations", "SlotNames", "Block", "Tail"]
    {
        assert_eq!(text.lines().filter(|line| line.starts_with(&format!("{name}  "))).count(), 1, "{name}");
    }
}

#[test]
fn words_of_other_programs_name_the_command_that_does_it() {
    for (arguments, tip) in [
        (&["view", GOOD][..], "tip: `ndbytes show PATH` draws an array\n"),
        (&["serve", GOOD], "tip: `ndbytes explain --html=OUT PATH` writes a page for the browser"),
        (&["show", GOOD, GOOD], "tip: `ndbytes diff --picture FILE A B` draws two and their difference\n"),
        (&["stats", "--column", "Label", TABLE], "tip: `ndbytes cat --columns NAME PATH` prints one column\n"),
    ] {
        let ended = run(arguments);
        assert_eq!((ended.status, &*ended.stdout), (2, ""), "{arguments:?}");
        assert!(ended.stderr.contains(tip) && !ended.stderr.contains("similar"), "{}", ended.stderr);
    }
    // A typo still gets a suggestion by spelling.
    let ended = run(&["chekc", GOOD]);
    assert!(ended.stderr.contains("'check'"), "{}", ended.stderr);
}
