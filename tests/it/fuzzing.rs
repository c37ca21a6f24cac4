//! The fuzz targets: one list says what they are, and OSS-Fuzz gets what the list says.

use crate::support::project;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The dictionary that stands for none.
const NONE: &str = "-";

/// A line of `fuzz/targets.txt`.
struct Target {
    name: String,
    dictionary: String,
    seeds: Vec<String>,
}

fn targets() -> Vec<Target> {
    let text = fs::read_to_string(project().join("fuzz/targets.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let target = |line: &str| {
        let mut words = line.split_whitespace().map(str::to_owned);
        Target { name: words.next().unwrap(), dictionary: words.next().unwrap(), seeds: words.collect() }
    };
    lines.map(target).collect()
}

#[test]
fn targets_are_those_of_the_list() {
    let listed: BTreeSet<String> = targets().into_iter().map(|target| target.name).collect();
    let manifest = fs::read_to_string(project().join("fuzz/Cargo.toml")).unwrap();
    let files = fs::read_dir(project().join("fuzz/fuzz_targets")).unwrap();
    let files = files.map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned());
    assert_eq!(files.collect::<BTreeSet<_>>(), listed);
    assert_eq!(manifest.matches("[[bin]]").count(), listed.len());
    let readme = fs::read_to_string(project().join("fuzz/README.md")).unwrap();
    for name in &listed {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name} is not in the manifest");
        assert!(readme.contains(&format!("`{name}`")), "fuzz/README.md has no promises of {name}");
    }
}

#[test]
fn replayed_targets_are_those_of_the_list() {
    let source = fs::read_to_string(project().join("fuzz/examples/replay.rs")).unwrap();
    let (_, names) = source.split_once("\ntargets! {").expect("it declares its targets");
    let (names, _) = names.split_once('}').expect("the declaration ends");
    let words: Vec<&str> =
        names.split([' ', '\n', ',']).filter(|word| !word.is_empty() && !word.ends_with(':')).collect();
    let replayed: BTreeSet<String> = words.iter().map(|&word| word.to_owned()).collect();
    let listed: BTreeSet<String> = targets().into_iter().map(|target| target.name).collect();
    assert_eq!((replayed, words.len()), (listed.clone(), listed.len()));
}

#[test]
fn seeds_and_dictionaries_of_targets_are_there() {
    for Target { name, dictionary, seeds } in targets() {
        let file = project().join("fuzz/dictionaries").join(&dictionary).with_extension("dict");
        assert!(dictionary == NONE || file.is_file(), "{name}: there is no {}", file.display());
        for seed in seeds {
            let (before, after) = seed.split_once('*').unwrap_or((&seed, ""));
            let is_there = match after.is_empty() {
                true => project().join(before).exists(),
                false => fs::read_dir(project().join(before))
                    .unwrap()
                    .flatten()
                    .any(|folder| folder.path().join(after.trim_start_matches('/')).exists()),
            };
            assert!(is_there, "{name}: there is no {seed}");
        }
    }
}

/// One target is enough: the others are built by the same lines.
const BUILT: &str = "lz4";

/// OSS-Fuzz's build script runs unchanged; what it makes can be opened.
#[test]
#[ignore = "needs cargo-fuzz, zip and unzip, and builds with a sanitizer"]
fn oss_fuzz_gets_targets_with_seeds_dictionaries_and_options() {
    let (source, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::os::unix::fs::symlink(project(), source.path().join("ndbytes")).unwrap();
    let built = [BUILT, "rawarray_crate"].join(" ");
    let mut build = Command::new(project().join("oss-fuzz/build.sh"));
    build.env("SRC", source.path()).env("OUT", out.path()).env("NDBYTES_TARGETS", &built);
    build.env("CARGO_TARGET_DIR", project().join("fuzz/target"));
    let nightly = Command::new("cargo").arg("+nightly").arg("--version").env("RUSTUP_AUTO_INSTALL", "0").output();
    match nightly.is_ok_and(|output| output.status.success()) {
        true => build.env("RUSTUP_TOOLCHAIN", "nightly"),
        false => build.env("RUSTC_BOOTSTRAP", "1"),
    };
    // What the test program was built with is not what the targets are built with.
    build.env_remove("CARGO_ENCODED_RUSTFLAGS").env_remove("RUSTFLAGS").env_remove("RUSTC_WORKSPACE_WRAPPER");
    assert!(build.status().unwrap().success());
    for Target { name, dictionary, .. } in targets().into_iter().filter(|target| built.contains(&target.name)) {
        let file = |ending: &str| out.path().join(format!("{name}{ending}"));
        assert!(file("").is_file());
        assert_zip(&file("_seed_corpus.zip"));
        let options = fs::read_to_string(file(".options")).unwrap();
        assert!(options.starts_with("[libfuzzer]\nmax_len = 8192\n"), "{options}");
        assert_eq!(file(".dict").is_file(), dictionary != NONE);
        // The target takes both, and ends without a finding.
        let seeds = out.path().join("seeds");
        let unzipped =
            Command::new("unzip").args(["-q", "-o"]).arg(file("_seed_corpus.zip")).arg("-d").arg(&seeds).status();
        assert!(unzipped.unwrap().success());
        let mut run = Command::new(file(""));
        run.arg("-runs=0").arg(&seeds);
        if dictionary != NONE {
            run.arg(format!("-dict={}", file(".dict").display()));
        }
        let ran = run.output().unwrap();
        assert!(ran.status.success(), "{name}: {}", String::from_utf8_lossy(&ran.stderr));
        fs::remove_dir_all(&seeds).unwrap();
    }
}

fn assert_zip(path: &Path) {
    let tested = Command::new("unzip").arg("-t").arg(path).output().unwrap();
    assert!(tested.status.success(), "{}", String::from_utf8_lossy(&tested.stdout));
    assert!(String::from_utf8_lossy(&tested.stdout).contains("No errors"));
}
