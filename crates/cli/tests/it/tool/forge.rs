//! `ndbytes forge`: the files that it writes, and the requests that it refuses.

use crate::support::tool::{Ended, json_lines, run_in};
use ndbytes::{Checker, archive};
use ndbytes_forge::Kind;
use ndbytes_testkit::{corpus, project};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn forge(folder: &TempDir, words: &str) -> Ended {
    let words: Vec<&str> = ["forge"].into_iter().chain(words.split_whitespace()).collect();
    run_in(folder.path(), &words)
}

fn assert_done(ended: &Ended) {
    assert_eq!((ended.status, &*ended.stdout, &*ended.stderr), (0, "", ""));
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The files in a directory, and in the directories of sparse frames in it.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for name in names(folder) {
        let path = folder.join(&name);
        match path.is_dir() {
            true => found.extend(contents(&path).into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes))),
            false => found.push((name, fs::read(path).unwrap())),
        }
    }
    found
}

#[test]
fn same_seed_gives_the_same_files_and_another_seed_others() {
    let place = folder();
    assert_done(&forge(&place, "--valid --count 3 --seed 7 --manifest --recipes one"));
    assert_done(&forge(&place, "--valid --count 3 --seed 7 --manifest --recipes two"));
    assert_done(&forge(&place, "--valid --count 3 --seed 8 three"));
    let [one, two, three] = ["one", "two", "three"].map(|name| contents(&place.path().join(name)));
    assert!(one == two);
    assert_eq!(names(&place.path().join("one")).len(), Kind::ALL.len() * 3 * 2 + 1);
    let is_other =
        |(name, bytes): &(String, Vec<u8>)| three.iter().all(|(other, _)| other != name) && !bytes.is_empty();
    assert!(one.iter().all(is_other));
}

#[test]
fn manifest_has_a_line_for_each_file() {
    let place = folder();
    assert_done(&forge(&place, "--broken idx/scalar,npy/style --count 2 --seed 3 --manifest out"));
    let out = place.path().join("out");
    let lines = json_lines(&fs::read_to_string(out.join("manifest.jsonl")).unwrap());
    let files: Vec<&str> = lines.iter().map(|line| line["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["idx-scalar-3-0.idx", "idx-scalar-3-1.idx", "npy-style-3-0.npy", "npy-style-3-1.npy"]);
    for line in &lines {
        let report = Checker::new().check(out.join(line["file"].as_str().unwrap())).unwrap();
        let rules: Vec<&str> = report.findings().iter().map(|finding| finding.rule.id).collect();
        assert_eq!(rules, [line["rule"].as_str().unwrap()]);
        assert_eq!(line["version"], env!("CARGO_PKG_VERSION"));
    }
}

#[test]
fn every_rule_that_bytes_can_break_is_broken() {
    let place = folder();
    assert_done(&forge(&place, "--broken all --manifest out"));
    let lines = json_lines(&fs::read_to_string(place.path().join("out/manifest.jsonl")).unwrap());
    let made = lines.iter().map(|line| line["rule"].as_str().unwrap());
    assert!(made.eq(ndbytes::rules().filter(|rule| ndbytes_forge::Forge::can_break(rule)).map(|rule| rule.id)));
}

#[test]
fn rule_that_bytes_cannot_break_ends_with_one() {
    let place = folder();
    let ended = forge(&place, "--broken b2nd/linked-file out");
    let said = "error: found no file that violates b2nd/linked-file and no other rule\n";
    assert_eq!((ended.status, &*ended.stderr), (1, said));
}

#[test]
fn mutants_are_repeated_by_their_recipes() {
    let place = folder();
    let sample = project().join("samples/temperatures.b2nd");
    let from = format!("--from {}", sample.display());
    assert_done(&forge(&place, &format!("--mutate {from} --count 20 --seed 5 --recipes out")));
    let before = fs::read(&sample).unwrap();
    for number in 0..20 {
        let name = format!("out/temperatures-5-{number}.b2nd");
        let made = fs::read(place.path().join(&name)).unwrap();
        assert!(made != before, "{name}");
        assert_done(&forge(&place, &format!("--replay {name}.recipe {from} again-{number}")));
        assert!(fs::read(place.path().join(format!("again-{number}"))).unwrap() == made, "{name}");
    }
}

/// One of them is an array without items, whose other dimensions have a product beyond 63 bits.
#[test]
fn mutants_of_many_arrays_are_made() {
    let place = folder();
    assert_done(&forge(&place, "--mutate --format b2nd --seed 15 --count 1600 out"));
    assert!(names(&place.path().join("out")).len() >= 1600);
}

#[test]
fn recipe_is_minimised_to_the_step_that_matters() {
    let place = folder();
    assert_done(&forge(&place, "--valid --format idx --seed 1 --recipes out"));
    let recipe = fs::read_to_string(place.path().join("out/idx-1-0.idx.recipe")).unwrap();
    let longer = format!("{recipe}set element_type = 8\nappend x\"00\"\nappend x\"4142\"\n");
    fs::write(place.path().join("long.recipe"), longer).unwrap();
    // `grep` finds the text in the file, its last argument.
    let ended = forge(&place, "--minimise long.recipe -- grep -q AB");
    assert_eq!((ended.status, ended.stdout), (0, format!("{recipe}append x\"4142\"\n")), "{}", ended.stderr);
}

#[test]
fn file_is_mutated_where_it_is() {
    let place = folder();
    let file = place.path().join("x.idx");
    fs::copy(corpus::root().join("idx/ok/u8-1d.idx"), &file).unwrap();
    let before = fs::read(&file).unwrap();
    assert_done(&forge(&place, "--mutate --seed 1 --in-place x.idx"));
    assert!(fs::read(&file).unwrap() != before);
    assert_eq!(names(place.path()), ["x.idx"]);
}

#[test]
fn file_that_is_mutated_in_place_without_a_seed_has_another_mutant_each_time() {
    let place = folder();
    let mut found = BTreeSet::new();
    for _ in 0..8 {
        fs::copy(corpus::root().join("npy/ok/c-order.npy"), place.path().join("x.npy")).unwrap();
        assert_done(&forge(&place, "--mutate --in-place x.npy"));
        found.insert(fs::read(place.path().join("x.npy")).unwrap());
    }
    assert!(found.len() > 4, "{}", found.len());
}

#[test]
fn rules_are_broken_in_given_files_and_their_recipes_replay() {
    let place = folder();
    fs::create_dir(place.path().join("mine")).unwrap();
    for (from, to) in [("idx/ok/u8-1d.idx", "mine/a.idx"), ("npy/ok/c-order.npy", "mine/b.npy")] {
        fs::copy(corpus::root().join(from), place.path().join(to)).unwrap();
    }
    assert_done(&forge(&place, "--broken idx/trailing-bytes --from mine/a.idx --count 2 --recipes one"));
    assert_eq!(names(&place.path().join("one")).len(), 4);
    assert_done(&forge(&place, "--replay one/a-idx-trailing-bytes-0-1.idx.recipe --from mine/a.idx again.idx"));
    let [again, made] = ["again.idx", "one/a-idx-trailing-bytes-0-1.idx"].map(|name| fs::read(place.path().join(name)));
    assert!(again.unwrap() == made.unwrap());
    // A directory stands for its files; `all` stands for the rules for which a file has the fields.
    let ended = forge(&place, "--broken all --from mine two");
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stderr.contains("mine/b.npy: found no way to violate only "), "{}", ended.stderr);
    let made = names(&place.path().join("two"));
    for wanted in ["a-idx-truncated-payload-0-0.idx", "b-npy-truncated-payload-0-0.npy"] {
        assert!(made.iter().any(|name| name == wanted), "{wanted}: {made:?}");
    }
    // A rule of another format cannot be broken.
    let ended = forge(&place, "--broken idx/trailing-bytes --from mine/b.npy three");
    assert_eq!((ended.status, ended.stderr.contains("mine/b.npy: found no way")), (1, true), "{}", ended.stderr);
}

#[test]
fn seeds_are_an_archive_of_valid_files() {
    let place = folder();
    assert_done(&forge(&place, "--seeds --format idx,npy seeds.zip"));
    let archive = archive::Archive::open(place.path().join("seeds.zip"), ndbytes::Limits::default()).unwrap();
    assert!(archive.members().len() > 10);
    for (member, input) in archive.load_each() {
        let report = Checker::new().check_input(input.unwrap()).unwrap();
        assert!(report.findings().is_empty(), "{}: {:?}", member.name(), report.findings());
    }
}

#[test]
fn nothing_that_is_there_is_replaced() {
    let place = folder();
    fs::create_dir(place.path().join("full")).unwrap();
    fs::write(place.path().join("full/x"), "mine").unwrap();
    fs::write(place.path().join("file"), "mine").unwrap();
    fs::write(place.path().join("a.recipe"), "forge 1 idx\nfrom valid size=64 seed=1\n").unwrap();
    for (words, said) in [
        ("--valid full", "full is not empty: name a new or an empty directory"),
        ("--valid file", "cannot write file: "),
        ("--seeds --format idx file", "file exists, and is never replaced"),
        ("--dictionary idx file", "file exists, and is never replaced"),
        ("--replay a.recipe file", "file exists, and is never replaced"),
    ] {
        let ended = forge(&place, words);
        assert!(ended.status == 2 && ended.stderr.starts_with(&format!("error: {said}")), "{words}: {}", ended.stderr);
    }
    assert_eq!(fs::read_to_string(place.path().join("file")).unwrap(), "mine");
    assert_eq!(names(&place.path().join("full")), ["x"]);
}

#[test]
fn output_beyond_its_limit_is_refused() {
    let place = folder();
    let ended = forge(&place, "--valid --count 1000 --max-output 10K out");
    let said = "error: the files take more than 10240 bytes, the maximum output: `--max-output` allows more\n";
    assert_eq!((ended.status, &*ended.stderr), (1, said));
    let written: u64 = contents(&place.path().join("out")).iter().map(|(_, bytes)| bytes.len() as u64).sum();
    assert!(written <= 10240);
}

#[test]
fn wrong_words_are_refused_by_name() {
    let place = folder();
    fs::create_dir(place.path().join("empty")).unwrap();
    fs::copy(corpus::root().join("idx/ok/u8-1d.idx"), place.path().join("x.idx")).unwrap();
    fs::write(place.path().join("bad.recipe"), "forge 1 idx\nfrom valid size=64 seed=1\nset dims[9] = 1\n").unwrap();
    fs::write(place.path().join("worse.recipe"), "forge 1 idx\nfrom valid size=64 seed=1\nbend dims\n").unwrap();
    for (words, said) in [
        ("--broken idx/scaler out", "no rule is named \"idx/scaler\"; did you mean idx/scalar?"),
        ("--valid --format png out", "unknown kind of file"),
        ("--valid", "OUT is missing"),
        ("--mutate --repair some out", "`some` is not a role"),
        ("--mutate --from nowhere out", "nowhere: "),
        ("--replay bad.recipe out", "`set dims[9] = 1`"),
        ("--replay worse.recipe out", "line 3: "),
        ("--minimise bad.recipe", "`-- COMMAND` is missing"),
        ("--valid --count 0 out", "0 is not in 1.."),
        ("--valid --size 1X out", "expected a number of bytes"),
        ("--mutate --from x.idx --only nope* out", "x.idx: `--only nope*` matches no field"),
        ("--mutate --in-place x.idx --only nope*", "x.idx: `--only nope*` matches no field"),
        ("--mutate --from x.idx --format idx,npy out", "`--from` and `--in-place` take files of one kind"),
        ("--mutate --profile reference out", "`--profile reference` applies only to"),
        ("--mutate --from empty out", "empty contains no file"),
        ("--valid --from x.idx out", "cannot be used with"),
    ] {
        let ended = forge(&place, words);
        assert!(ended.status == 2 && ended.stderr.contains(said), "{words}: {}", ended.stderr);
    }
    assert!(!place.path().join("out").exists());
}
