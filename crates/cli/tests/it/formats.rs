//! Compares the answers of library and tool about the same files.

use crate::support::tool::{self, run};
use ndarray::arr1;
use ndbytes::{Checker, Error, Format, Input, Limits};
use ndbytes_testkit::cases::{folder, npy_file};
use ndbytes_testkit::look_alikes::file;
use ndbytes_testkit::tables::all_frozen;
use ndbytes_testkit::tables::json::{Json, Nulls, difference};
use ndbytes_testkit::zip::{Entry, STORED, zip};
use ndbytes_testkit::{frozen, project};
use std::fs;
use std::time::Duration;

#[test]
fn time_over_is_a_finding_of_every_format() {
    let sample = |name: &str| project().join("samples").join(name);
    let checker = Checker::new().limits(Limits::default().time(Duration::ZERO));
    for name in ["digits-idx3-ubyte.gz", "temperatures.b2nd", "trees.idv"] {
        let report = checker.check(sample(name)).unwrap();
        let rules: Vec<&str> = report.findings().iter().map(|finding| finding.rule.id).collect();
        assert!(rules.contains(&"limit-exceeded"), "{name}: {rules:?}");
    }
    let input = Input::open(sample("digits-idx1-ubyte"), Limits::default()).unwrap();
    assert!(matches!(checker.explain(&input), Err(Error::Time { granted: Duration::ZERO })));
    let described = ndbytes::info(input, &Limits::default().time(Duration::ZERO));
    assert!(matches!(described, Err(Error::Time { granted: Duration::ZERO })));
    let ended = run(&["check", "--max-time", "0", sample("trees.idv").to_str().unwrap()]);
    assert!(ended.status == 1 && ended.stdout.contains("`--max-time` grants more"), "{}", ended.stdout);
}

#[test]
fn the_tool_says_what_a_ds_store_is() {
    let bytes = file(b"\0\0\0\x01Bud1\0\0\x10\0");
    for command in ["info", "check"] {
        let ended = tool::run_with_input(&[command, "-"], &bytes);
        assert_eq!(ended.status, 1);
        assert!(ended.stdout.contains("error[unknown-format]: this is a .DS_Store"), "{}", ended.stdout);
        assert!(!ended.stdout.contains("idx"), "{}", ended.stdout);
    }
}

#[test]
fn member_of_an_archive_of_numpy_is_an_array() {
    let folder = folder();
    let (first, second) = (npy_file(&arr1(&[1_u8, 2, 3]).into_dyn()), npy_file(&arr1(&[1.5_f64]).into_dyn()));
    let archive = folder.path().join("arrays.npz");
    fs::write(&archive, zip(&[Entry::new("stored.npy", &first, STORED), Entry::deflated("deflated.npy", &second)]))
        .unwrap();
    let path = archive.to_str().unwrap();
    assert_eq!(run(&["cat", &format!("{path}!stored.npy")]).stdout, "[1 2 3]\n");
    let member = ndbytes::open(format!("{path}!deflated.npy")).unwrap().into_array().unwrap();
    assert_eq!(member.to_array::<f64>().unwrap(), arr1(&[1.5]).into_dyn());
    let report = ndbytes::check(&archive, &Limits::default()).unwrap();
    assert!(report.parts().all(|part| part.format == Some(Format::Npy)) && report.parts().count() == 2);
}

#[test]
fn the_tool_prints_what_mlnet_reads() {
    for path in all_frozen() {
        let what = path.display();
        let expected = Json::parse(&std::fs::read_to_string(format!("{what}.json")).unwrap());
        let output = tool::command(&["cat", "--json"]).arg(&path).output().unwrap();
        assert!(output.status.success(), "{what}: {output:?}");
        let found = Json::parse(std::str::from_utf8(&output.stdout).unwrap());
        let nulls = if path.starts_with(frozen("idv/old")) { Nulls::Defaults } else { Nulls::None };
        assert_eq!(difference(&found, &expected, nulls), None, "{what}");
    }
}
