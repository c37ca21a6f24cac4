//! Kaitai Struct reads files with the definitions that ndbytes generates from its declarations, and finds the same values.

use super::{Peers, run};
use crate::support::tool;
use ndbytes::Format;
use ndbytes_testkit::corpus::{self, Sample};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "needs tests/peers/setup.sh"]
fn kaitai_struct_compiles_every_definition() {
    let (peers, folder) = (Peers::find(), tempfile::tempdir().unwrap());
    for layout in ndbytes::layouts() {
        assert_eq!(read(&peers, folder.path(), layout.name, &[]), Vec::<Map<String, Value>>::new());
    }
}

#[test]
#[ignore = "needs tests/peers/setup.sh"]
fn kaitai_struct_compiles_the_definitions_of_the_examples_and_reads_a_picture() {
    let (peers, folder) = (Peers::find(), tempfile::tempdir().unwrap());
    for example in ["bmp", "truetype", "wav"] {
        let definition = example_definition(example);
        assert_eq!(read_by(&peers, folder.path(), example, &definition, &[]), Vec::<Map<String, Value>>::new());
    }
    let picture = ndbytes_testkit::project().join("docs/src/page.png");
    let definition = example_definition("png");
    let [values] = &read_by(&peers, folder.path(), "png", &definition, &[picture.to_str().unwrap()])[..] else {
        panic!("one file has one object");
    };
    let bytes = fs::read(picture).unwrap();
    let number = |at: usize| u32::from_be_bytes(bytes[at..][..4].try_into().unwrap());
    let [width, height] = [16, 20].map(number);
    assert_eq!(values["header.body.width"], width);
    assert_eq!(values["header.body.height"], height);
    // A chunk has 12 bytes around its content. The first chunk is the header.
    let next = |&at: &usize| Some(at + 12 + number(at) as usize).filter(|&next| next < bytes.len());
    let count = std::iter::successors(Some(8), next).count() - 1;
    assert!(values.contains_key(&format!("chunks[{}].crc", count - 1)), "{count}");
    assert!(!values.contains_key(&format!("chunks[{count}].crc")), "{count}");
}

/// The definition that an example of everybyte prints for its format. Cargo has built it for the tests of the workspace.
fn example_definition(example: &str) -> String {
    let programs = std::env::current_exe().unwrap();
    let programs = programs.ancestors().nth(2).expect("tests are in a folder of the programs");
    let mut command = Command::new(programs.join("examples").join(example));
    command.args(["schema", "--ksy"]);
    run(command, example)
}

#[test]
#[ignore = "needs tests/peers/setup.sh"]
fn kaitai_struct_reads_arrays_as_ndbytes_does() {
    let (peers, folder) = (Peers::find(), tempfile::tempdir().unwrap());
    for format in [Format::Idx, Format::RawArray, Format::Idv, Format::B2nd, Format::Npy] {
        let name = &*format.to_string();
        let is_plain = |sample: &Sample| {
            let bytes = &sample.bytes;
            // The definition states that it cannot determine the length of encoded elements.
            let is_encoded = || format == Format::RawArray && (bytes[8] | bytes[15]) & 2 != 0;
            // If there are unclaimed bytes, the definition expects the trailer there.
            let has_trailer = sample.name != "unclaimed-empty";
            let is_of_format = sample.format == Some(format) && sample.folder == "ok";
            is_of_format && has_trailer && !bytes.starts_with(&[0x1f, 0x8b]) && !is_encoded()
        };
        let samples: Vec<Sample> = corpus::samples().into_iter().filter(is_plain).collect();
        let files: Vec<&str> = samples.iter().map(|sample| sample.path.to_str().unwrap()).collect();
        let read = read(&peers, folder.path(), name, &files);
        assert_eq!(read.len(), samples.len());
        let codes = codes(name);
        let mut compared = 0;
        for (file, values) in files.iter().zip(&read) {
            compared += compare(file, values, &codes);
        }
        assert!(compared >= 4 * files.len(), "{name}: {compared} values of {} files", files.len());
    }
}

/// The values that the parser from a format's definition reads.
fn read(peers: &Peers, folder: &Path, name: &str, files: &[&str]) -> Vec<Map<String, Value>> {
    read_by(peers, folder, name, &tool::run(&["schema", name, "--ksy"]).stdout, files)
}

/// The values that the parser from this definition reads.
fn read_by(peers: &Peers, folder: &Path, name: &str, text: &str, files: &[&str]) -> Vec<Map<String, Value>> {
    let definition = folder.join(name).with_extension("ksy");
    fs::write(&definition, text).unwrap();
    let mut command = Command::new("node");
    command.env("NODE_PATH", &peers.node_modules).arg(peers.scripts.join("kaitai/values.js")).arg(folder);
    command.arg(definition).args(files);
    run(command, name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The names of all codes of a format.
fn codes(name: &str) -> Map<String, Value> {
    let schema = &tool::json_lines(&tool::run(&["schema", name, "--json"]).stdout)[0];
    let types = schema["types"].as_array().unwrap().iter();
    let codes = types.filter_map(|ty| ty["codes"].as_array()).flatten();
    codes.map(|code| (code["name"].as_str().unwrap().to_owned(), code["code"].clone())).collect()
}

/// The parts of paths that only one side has: alternatives, and structures without their own node.
const AROUND: [&str; 10] = [
    "body",
    "column",
    "header",
    "header_short",
    "header_long",
    "header_unicode",
    "parameters_vector",
    "parameters_key",
    "parameters_old_key",
    "parameters_other",
];

/// Fields that are bytes in a definition, or that have a special text in the map.
const OTHERWISE: [&str; 10] = [
    "compatible_version",
    "filter_meta",
    "filters",
    "fingerprint",
    "has_attributes",
    "magic",
    "reserved",
    "text.bytes",
    "version",
    "zero",
];

/// Parts that are only bytes in a definition, although ndbytes knows their content.
const HELD: [&str; 8] = [
    ".annotation[",
    ".array.",
    ".block[",
    ".chunk.",
    "chunks",
    "index.blocks",
    "index.table",
    "index.header.extension",
];

/// A path without the parts that only one side has.
fn plain(path: &str) -> String {
    path.split('.').filter(|part| !AROUND.contains(part)).collect::<Vec<_>>().join(".")
}

/// Returns whether values are the same. JavaScript's numbers have 53 bits.
fn is_same(found: &Value, expected: &Value) -> bool {
    let is_wide = |number: &u64| *number > 1 << 53;
    match expected.as_u64().filter(is_wide) {
        Some(_) => found.as_f64() == expected.as_f64(),
        None => found == expected,
    }
}

/// Compares the values of fields and returns their number.
fn compare(file: &str, values: &Map<String, Value>, codes: &Map<String, Value>) -> usize {
    let values: HashMap<String, &Value> = values.iter().map(|(path, value)| (plain(path), value)).collect();
    // Texts, and numbers in groups of bits, are parts of their fields.
    let read = |path: &str| {
        ["", ".text", ".value"].iter().find_map(|part| values.get(&format!("{path}{part}")).map(|&value| value.clone()))
    };
    let explained = &tool::json_lines(&tool::run(&["explain", "--json", file]).stdout)[0];
    let mut compared = 0;
    for span in explained["spans"].as_array().unwrap().iter().filter(|span| span["space"] == 0) {
        let path = span["path"].as_str().unwrap();
        let is_list = path.ends_with(']') && path.contains("..");
        let is_otherwise = OTHERWISE.iter().any(|field| path == *field || path.ends_with(&format!(".{field}")));
        if is_list || is_otherwise || span["value"].is_null() || HELD.iter().any(|held| path.contains(held)) {
            continue;
        }
        let path = plain(path);
        if let Some(bits) = span["bits"].as_array() {
            for run in bits {
                let found = read(&format!("{path}.{}", run["name"].as_str().unwrap())).unwrap_or_default();
                let found = if run["width"] == 1 { Value::from(u64::from(found == true)) } else { found };
                assert_eq!(found, run["value"], "{file}: {path}: {run}");
                compared += 1;
            }
            continue;
        }
        let found = read(&path).unwrap_or_default();
        let code = span["value"].as_str().and_then(|name| codes.get(name));
        let is_read = [Some(&span["value"]), code].into_iter().flatten().any(|value| is_same(&found, value));
        assert!(is_read, "{file}: {path}: {found}");
        compared += 1;
    }
    compared
}
