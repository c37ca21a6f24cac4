//! All walks through a directory (`check`, `info`, `stats` and `seal` in the tool, and the library's own walk) find the
//! same files, which are listed in `tests/walk.txt`. The package's tests read the same list.
#![cfg(unix)]

use crate::support::tool::{Ended, json_lines, run_in};
use ndbytes::walk::{Options, Walk};
use ndbytes_testkit::project;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Verdicts by path.
type Verdicts = BTreeMap<String, String>;

/// Makes the directory and returns the verdicts without and with the rules of .gitignore.
fn made(folder: &Path) -> [Verdicts; 2] {
    let good = fs::read(project().join("samples/surface.ra")).unwrap();
    let mut broken = fs::read(project().join("samples/temperatures.b2nd")).unwrap();
    let middle = broken.len() / 2;
    broken[middle..middle + 64].fill(0xFF);
    let mut verdicts = [Verdicts::new(), Verdicts::new()];
    let list = fs::read_to_string(project().join("tests/walk.txt")).unwrap();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split("  ").collect();
        let [path, content, one, other] = columns[..] else { panic!("{line}") };
        let place = folder.join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        match content {
            "good" => fs::write(place, &good).unwrap(),
            "broken" => fs::write(place, &broken).unwrap(),
            link if link.starts_with("-> ") => symlink(&link[3..], place).unwrap(),
            text => fs::write(place, text.trim_matches('"')).unwrap(),
        }
        verdicts[0].insert(path.to_owned(), one.to_owned());
        verdicts[1].insert(path.to_owned(), other.to_owned());
    }
    verdicts
}

/// The paths with one of these verdicts.
fn those(verdicts: &Verdicts, wanted: &[&str]) -> Vec<String> {
    let those = verdicts.iter().filter(|(_, verdict)| wanted.contains(&verdict.as_str()));
    those.map(|(path, _)| path.clone()).collect()
}

/// The paths in the lines of JSON, in order.
fn paths(ended: &Ended) -> Vec<String> {
    let mut paths: Vec<String> = json_lines(&ended.stdout)
        .iter()
        .map(|object| object["path"].as_str().unwrap().trim_start_matches("./").to_owned())
        .collect();
    paths.sort();
    paths
}

#[test]
fn every_command_and_the_library_find_the_files_of_the_list() {
    for (rules, expected) in made(tempfile::tempdir().unwrap().path()).into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        made(folder.path());
        let run = |command: &str| {
            let arguments = [command, "--json", "--gitignore", "."];
            let arguments: Vec<&str> = arguments.into_iter().filter(|it| rules == 1 || *it != "--gitignore").collect();
            run_in(folder.path(), &arguments)
        };
        let read = those(&expected, &["ok", "error"]);

        let checked = run("check");
        assert_eq!(paths(&checked), read, "check, {rules}");
        for object in json_lines(&checked.stdout) {
            let path = object["path"].as_str().unwrap().trim_start_matches("./");
            assert_eq!(object["verdict"], expected[path], "check, {rules}: {path}");
        }
        assert_eq!(paths(&run("info")), read, "info, {rules}");
        assert_eq!(paths(&run("stats")), those(&expected, &["ok"]), "stats, {rules}");
        for command in ["check", "info", "stats"] {
            let ended = run(command);
            assert_eq!(ended.status, 2, "{command}, {rules}: {}", ended.stderr);
            for path in those(&expected, &["unreadable"]) {
                assert!(ended.stderr.contains(&format!("error: ./{path}: ")), "{command}, {rules}: {}", ended.stderr);
            }
        }

        let walk = Walk::of_path(folder.path(), Options::new().gitignore(rules == 1));
        let (mut found, mut unreadable) = (Vec::new(), Vec::new());
        for entry in walk {
            let (to, path) = match entry {
                Ok(file) => (&mut found, file.path),
                Err(problem) => (&mut unreadable, problem.path.unwrap()),
            };
            to.push(path.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned());
        }
        found.sort();
        assert_eq!(found, those(&expected, &["ok", "error", "foreign"]), "the library, {rules}");
        assert_eq!(unreadable, those(&expected, &["unreadable"]), "the library, {rules}");
    }
}

#[test]
fn a_seal_has_the_files_of_the_list() {
    let folder = tempfile::tempdir().unwrap();
    let expected = &made(folder.path())[0];
    for path in those(expected, &["unreadable"]) {
        fs::remove_file(folder.path().join(path)).unwrap();
    }
    let ended = run_in(folder.path(), &["seal", "--broken", "."]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let seal = fs::read_to_string(folder.path().join("ndbytes.seal")).unwrap();
    let files = seal.lines().filter_map(|line| line.strip_prefix("file "));
    let sealed: Vec<&str> = files.map(|line| line.rsplit(' ').next().unwrap()).collect();
    assert_eq!(sealed, those(expected, &["ok", "error"]));
}
