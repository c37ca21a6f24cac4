//! A campaign that runs all reading commands on new files and their mutants. No value may be wrong, and no command may
//! contradict `check`.

use crate::support::tool::{Ended, run_here};
use ndbytes_forge::{Forge, Kind, Mutation};
use std::fs;
use std::path::Path;

/// The number of files of each kind in the gate. The environment variable `NDBYTES_FILES` sets another number for a longer run.
const FILES: u64 = 12;

/// The kinds of files with one array or one table.
const KINDS: [Kind; 6] = [Kind::Idx, Kind::Gzip, Kind::RawArray, Kind::Idv, Kind::B2nd, Kind::Npy];

fn run(arguments: &[&str]) -> Ended {
    run_here([&["-q", "--max-memory", "64M"], arguments].concat(), &[], None)
}

/// Runs all commands on a file and returns whether it is readable according to `check`. `None` if a limit was reached.
fn agree(path: &Path, folder: &Path, what: &dyn Fn() -> String) -> Option<bool> {
    let file = path.to_str().unwrap();
    let checked = run(&["check", "--json", file]);
    if checked.stdout.contains("\"limit-exceeded\"") {
        return None;
    }
    // A mutant may begin like an Arrow stream, for which there are no rules, so no command can read it.
    if checked.status == 2 && fs::read(path).unwrap().starts_with(&[0xFF; 4]) {
        for arguments in [&["check", file][..], &["cat", "--all", file], &["stats", "--json", file]] {
            let ended = run(arguments);
            let is_told = ended.status == 2 && ended.stderr.contains("ndbytes cannot read the file");
            assert!(is_told, "{}: {}: {}", what(), arguments[0], ended.stderr);
        }
        return None;
    }
    assert!(checked.status < 2, "{}: check: {}", what(), checked.stderr);
    // Several tensors in gzip are an archive, whose members are read by name.
    if run(&["cat", "--all", file]).stderr.contains("name one of its members") {
        return None;
    }
    let is_fine = checked.status == 0;
    for arguments in [&["cat", "--all", file][..], &["stats", "--json", file], &["info", "--digest", file]] {
        let ended = run(arguments);
        let said = format!("{}: {} beside check: {}", what(), arguments[0], checked.stdout);
        assert_eq!(ended.status == 0, is_fine, "{said}: {}", ended.stderr);
    }
    let page = folder.join("page.html");
    let explained = run(&["explain", "--force", "--html", page.to_str().unwrap(), file]);
    assert_eq!(explained.status, checked.status, "{}: explain: {}", what(), explained.stderr);
    assert!(fs::read_to_string(page).unwrap().starts_with("<!DOCTYPE html>"), "{}", what());
    if is_fine {
        comes_back(file, folder, what);
    }
    Some(is_fine)
}

/// Converts a file and back. Values and metadata must be the same, or a loss must be reported.
fn comes_back(file: &str, folder: &Path, what: &dyn Fn() -> String) {
    let is_table = file.ends_with(".idv");
    let names = if is_table { ["there.parquet", "back.idv"] } else { ["there.npy", "back.b2nd"] };
    let [there, back] = names.map(|name| folder.join(name).to_str().unwrap().to_owned());
    let mut last = file;
    for next in [&there[..], &back[..]] {
        let times: &[&str] = if is_table { &["--times", "ticks"] } else { &[] };
        let ended = run(&[&["convert", "--strict", "--force", last, next], times].concat());
        if ended.status != 0 {
            let is_told =
                [" cannot hold", " which Arrow text cannot hold"].iter().any(|words| ended.stderr.contains(words));
            assert!(is_told, "{}: {next}: {}", what(), ended.stderr);
            return;
        }
        // Only files of ndbytes are compared, so a table is compared after it has been converted back.
        if !next.ends_with(".parquet") {
            let compared = run(&["diff", "--values-only", "--json", file, next]);
            assert_eq!(compared.status, 0, "{}: {next}: {}{}", what(), compared.stdout, compared.stderr);
        }
        last = next;
    }
}

fn campaign(count: u64) {
    let folder = tempfile::tempdir().unwrap();
    for kind in KINDS {
        let (mut forge, mut fine, mut refused) = (Forge::new(51 + kind as u64), 0, 0);
        let path = folder.path().join(format!("it.{}", kind.extension()));
        for number in 0..count {
            let valid = forge.valid(kind);
            // Directories have their own tests.
            if !valid.others.is_empty() {
                continue;
            }
            fs::write(&path, &valid.bytes).unwrap();
            let is_fine = agree(&path, folder.path(), &|| format!("{kind} {number}"));
            assert_ne!(is_fine, Some(false), "{kind} {number} is refused");
            let how = Mutation { count: 1..=3, max_len: valid.bytes.len() + 64, ..Mutation::default() };
            let mutant = forge.mutate(&valid.bytes, &how);
            fs::write(&path, &mutant.bytes).unwrap();
            match agree(&path, folder.path(), &|| format!("{kind} {number}: {}", mutant.recipe)) {
                Some(true) => fine += 1,
                Some(false) => refused += 1,
                None => {}
            }
        }
        println!("{kind}: {count} files, and as many mutants, of which {fine} are read and {refused} refused");
        assert!(refused > 0, "{kind}: no mutant is refused");
    }
}

#[test]
fn commands_agree_about_fresh_files_and_their_mutants() {
    campaign(FILES);
}

#[test]
#[ignore = "takes minutes: NDBYTES_FILES=1000 cargo test --test it -- --ignored campaign::"]
fn commands_agree_about_many_files_and_their_mutants() {
    campaign(std::env::var("NDBYTES_FILES").map_or(FILES * 20, |count| count.parse().expect("a number")));
}
