//! Kaitai Struct's own conformance suite and its gallery. They are not part of this repository: the tests read them
//! from the folder that `KAITAI` names.

use super::edit::{Count, count};
use everybyte::finding::Severity;
use everybyte_ksy::{Argument, Datum, Loader};
use saphyr::{LoadableYamlNode, Yaml};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder of the suite or of the gallery.
fn kaitai(part: &str) -> PathBuf {
    let folder = std::env::var_os("KAITAI").expect("KAITAI names the folder of the suite and the gallery");
    PathBuf::from(folder).join(part)
}

fn my_custom(bytes: &[u8], arguments: &[Argument]) -> Option<Vec<u8>> {
    let [Argument::Int(key), Argument::Bool(is_added), ..] = arguments else { return None };
    let key = if *is_added { *key } else { -*key } as u8;
    Some(bytes.iter().map(|byte| byte.wrapping_add(key)).collect())
}

fn underscores(bytes: &[u8], _: &[Argument]) -> Option<Vec<u8>> {
    Some([b"_", bytes, b"_"].concat())
}

fn loader(suite: &Path) -> Loader {
    Loader::new()
        .folder(suite.join("formats"))
        .folder(suite.join("formats/ks_path"))
        .folder(suite.join("../gallery"))
        .process("my_custom_fx", my_custom)
        .process("nested.deeply.custom_fx", underscores)
        .process("custom_fx_no_args", underscores)
}

/// Returns the files of a folder with this ending, sorted; all files if the ending is empty.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path, ending)),
            false if ending.is_empty() || path.extension().is_some_and(|it| it == ending) => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

/// The result of a test of the suite: the assertions that failed.
struct Outcome {
    assertions: usize,
    failures: Vec<String>,
}

fn text<'y>(yaml: &'y Yaml<'_>, key: &str) -> Option<&'y str> {
    yaml.as_mapping_get(key).and_then(|value| value.as_str())
}

/// Returns the text of an expression, which YAML may read as a number.
fn expression(yaml: &Yaml<'_>, key: &str) -> Option<String> {
    let value = yaml.as_mapping_get(key)?;
    if value.is_null() {
        return Some("null".into());
    }
    let number = value.as_integer().map(|number| number.to_string());
    let float = value.as_floating_point().map(|number| format!("{number:?}"));
    let truth = value.as_bool().map(|is| is.to_string());
    value.as_str().map(str::to_owned).or(number).or(float).or(truth)
}

fn run(suite: &Path, test: &Path) -> Outcome {
    let source = fs::read_to_string(test).unwrap();
    let parsed = Yaml::load_from_str(&source).unwrap();
    let test = &parsed[0];
    let asserts = test.as_mapping_get("asserts").and_then(|list| list.as_sequence()).map_or(&[][..], |list| list);
    let exception = test.as_mapping_get("exception");
    let exception = exception.and_then(|it| it.as_str().or_else(|| text(it, "type")));
    let exception = exception.map(|name| name.split('<').next().unwrap().to_owned());
    let mut outcome = Outcome {
        assertions: asserts.len() + usize::from(exception.is_some() || asserts.is_empty()),
        failures: Vec::new(),
    };
    let id = text(test, "id").unwrap();
    let opaque = ["opaque_external_type", "opaque_with_param", "type_ternary_opaque", "opaque_external_type_02_parent"];
    let source = suite.join(format!("formats/{id}.ksy"));
    let loaded = match opaque.contains(&id) {
        // External types are declared by specifications next to this one.
        true => {
            let text = fs::read_to_string(&source).unwrap();
            let imports = "  imports: [/hello_world, /term_strz, /params_def, /opaque_external_type_02_child]\nseq:";
            loader(suite).parse(id, &text.replacen("\nseq:", &format!("\n{imports}"), 1))
        }
        false => loader(suite).read(&source),
    };
    let spec = match loaded {
        Ok(spec) => spec,
        Err(error) => {
            outcome.failures.push(error.to_string());
            return outcome;
        }
    };
    let file = fs::read(suite.join("src").join(text(test, "data").unwrap())).unwrap();
    let explained = spec.explain(&file);
    let first = explained.findings.iter().find(|finding| finding.severity == Severity::Error || exception.is_some());
    match (&exception, first) {
        (Some(wanted), Some(finding)) if rules(wanted).contains(&finding.rule.as_str()) => {}
        (Some(wanted), found) => outcome.failures.push(format!("wanted {wanted}, found {found:?}")),
        (None, Some(finding)) if asserts.is_empty() => outcome.failures.push(finding.to_string()),
        (None, _) => {}
    }
    for assert in asserts {
        let actual = expression(assert, "actual").unwrap();
        // One test casts to a path that its specification does not have.
        let actual = actual.replace("switch_manual_int_size_eos::chunk::chunk_body::", "chunk_body::");
        let value = |text: &str| match text {
            "null" => Ok(Datum::Nothing),
            text => match spec.values(&file, &[text]) {
                Ok(mut values) => values.remove(0),
                Err(error) => Err(error.to_string()),
            },
        };
        let found = value(&actual);
        if assert.as_mapping_get("exception").is_some() {
            if let Ok(found) = found {
                outcome.failures.push(format!("{actual} is {found:?}"));
            }
            continue;
        }
        let wanted = value(&expression(assert, "expected").unwrap());
        if !found.as_ref().is_ok_and(|found| wanted.as_ref().is_ok_and(|wanted| is_equal(found, wanted))) {
            outcome.failures.push(format!("{actual} is {found:?}, wanted {wanted:?}"));
        }
    }
    outcome
}

/// Returns the rules of findings that correspond to an exception of Kaitai Struct.
fn rules(exception: &str) -> &'static [&'static str] {
    match exception {
        "EndOfStreamError" => &["truncated"],
        "ValidationNotEqualError" => &["wrong-magic", "not-valid"],
        "ValidationNotInEnumError" => &["unknown-code"],
        "ConversionError" => &["not-readable"],
        "UndecidedEndiannessError" => &["undecided-byte-order"],
        _ => &["not-valid"],
    }
}

fn is_equal(found: &Datum, wanted: &Datum) -> bool {
    match (found, wanted) {
        // The suite also allows a difference here.
        (Datum::Float(a), Datum::Float(b)) => (a - b).abs() <= 1e-6,
        (Datum::Float(a), Datum::Int(b)) | (Datum::Int(b), Datum::Float(a)) => *a == *b as f64,
        // A number without a name.
        (Datum::Label(a, None), Datum::Int(b)) => a == b,
        (Datum::Bytes(bytes), Datum::List(list)) | (Datum::List(list), Datum::Bytes(bytes)) => {
            bytes.len() == list.len() && bytes.iter().zip(list).all(|(byte, it)| *it == Datum::Int((*byte).into()))
        }
        (Datum::List(a), Datum::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_equal(a, b)),
        (a, b) => a == b,
    }
}

#[test]
#[ignore = "reads Kaitai Struct's suite and gallery in the folder that KAITAI names"]
fn the_conformance_suite_passes_whole() {
    let suite = kaitai("suite");
    let tests = files(&suite.join("spec/ks"), "kst");
    let (mut whole, mut assertions, mut failed) = (0, 0, 0);
    for test in &tests {
        let outcome = run(&suite, test);
        assertions += outcome.assertions;
        failed += outcome.failures.len();
        whole += usize::from(outcome.failures.is_empty());
        for failure in &outcome.failures {
            println!("{}: {failure}", test.file_stem().unwrap().display());
        }
    }
    println!("{whole} of {} tests, {} of {assertions} assertions", tests.len(), assertions - failed);
    assert_eq!(whole, tests.len());
}

#[test]
#[ignore = "reads Kaitai Struct's suite and gallery in the folder that KAITAI names"]
fn wrong_specifications_are_refused_with_a_place() {
    let suite = kaitai("suite");
    let wrong = files(&suite.join("formats_err"), "ksy");
    let mut accepted = Vec::new();
    for path in &wrong {
        match Loader::new().folder(suite.join("formats_err")).read(path) {
            Ok(spec) if spec.warnings().is_empty() => accepted.push(path.file_stem().unwrap().display().to_string()),
            Ok(_) => {}
            Err(error) => assert!(error.line > 0, "{error}"),
        }
    }
    println!("{} of {} refused; accepted: {accepted:?}", wrong.len() - accepted.len(), wrong.len());
    assert!(accepted.len() <= 16);
}

#[test]
#[ignore = "reads Kaitai Struct's suite and gallery in the folder that KAITAI names"]
fn the_gallery_loads_whole() {
    let gallery = kaitai("gallery");
    let specifications = files(&gallery, "ksy");
    let mut refused = Vec::new();
    for path in &specifications {
        if let Err(error) = Loader::new().folder(&gallery).read(path) {
            refused.push(error.to_string());
        }
    }
    assert!(refused.is_empty(), "{} of {}:\n{}", refused.len(), specifications.len(), refused.join("\n"));
}

/// The maximum number of values that are set in each file, spread over it.
const MOST: usize = 24;

/// Sets numbers in the files that a specification reads without a finding.
fn counted<'p>(spec: &everybyte_ksy::Spec, files: impl IntoIterator<Item = &'p PathBuf>) -> Option<Count> {
    let mut all = None;
    for path in files {
        let file = fs::read(path).unwrap();
        if file.len() < 65_536 && spec.check(&file).is_empty() {
            *all.get_or_insert_with(Count::default) += count(spec, &file, MOST);
        }
    }
    all
}

#[test]
#[ignore = "reads Kaitai Struct's suite and gallery in the folder that KAITAI names"]
fn numbers_of_the_suite_and_of_the_gallery_are_set_or_refused() {
    let (suite, gallery) = (kaitai("suite"), kaitai("gallery"));
    let (mut all, mut read) = (Count::default(), 0);
    for test in files(&suite.join("spec/ks"), "kst") {
        let source = fs::read_to_string(&test).unwrap();
        let parsed = Yaml::load_from_str(&source).unwrap();
        let [id, data] = ["id", "data"].map(|key| text(&parsed[0], key).unwrap());
        let Ok(spec) = loader(&suite).read(suite.join(format!("formats/{id}.ksy"))) else { continue };
        if let Some(count) = counted(&spec, [&suite.join("src").join(data)]) {
            all += count;
            read += 1;
        }
    }
    println!("suite: {read} files, {all:?}");
    assert_eq!(all.broken, 0);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/engine/examples/files");
    let inputs: Vec<PathBuf> = [suite.join("src"), examples].iter().flat_map(|folder| files(folder, "")).collect();
    let (mut all, mut read) = (Count::default(), 0);
    for path in files(&gallery, "ksy") {
        let spec = Loader::new().folder(&gallery).read(&path).unwrap();
        if let Some(count) = counted(&spec, &inputs) {
            println!("{}: {count:?}", path.file_stem().unwrap().display());
            all += count;
            read += 1;
        }
    }
    println!("gallery: {read} specifications, {all:?}");
    assert_eq!(all.broken, 0);
}
