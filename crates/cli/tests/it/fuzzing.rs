//! The fuzz targets, which are defined by a single list. OSS-Fuzz gets the targets on the list.

use ndbytes_testkit::{corpus, project};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The placeholder for no dictionary.
const NONE: &str = "-";

/// A line in `fuzz/targets.txt`.
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

fn listed() -> BTreeSet<String> {
    targets().into_iter().map(|target| target.name).collect()
}

/// The names in the table of targets, an array of calls of `of_bytes` and `of_values`.
fn names_of_the_table() -> Vec<String> {
    let source = fs::read_to_string(project().join("fuzz/src/targets.rs")).unwrap();
    let (_, table) = source.split_once("\nconst TARGETS: &[Target] = &[\n").expect("it declares its targets");
    let (table, _) = table.split_once("\n];\n").expect("the declaration ends");
    let entries = table.split("\n    of_").map(|entry| entry.trim_start_matches("    of_"));
    let name = |entry: &str| entry.split('"').nth(1).expect("an entry begins with its name").to_owned();
    entries.map(name).collect()
}

#[test]
fn targets_of_the_fuzzer_are_those_of_the_list() {
    let names = names_of_the_table();
    assert_eq!(names.len(), listed().len(), "{names:?}");
    assert_eq!(names.into_iter().collect::<BTreeSet<_>>(), listed());
    let readme = fs::read_to_string(project().join("fuzz/README.md")).unwrap();
    for name in listed() {
        assert!(readme.contains(&format!("`{name}`")), "fuzz/README.md has no promises of {name}");
    }
}

#[test]
fn seeds_and_dictionaries_of_targets_are_there() {
    for Target { name, dictionary, seeds } in targets() {
        let file = project().join("fuzz/dictionaries").join(&dictionary).with_extension("dict");
        assert!(dictionary == NONE || file.is_file(), "{name}: there is no {}", file.display());
        for seed in seeds {
            let assembled = [("tests/corpus", corpus::root()), ("fuzz/seeds", corpus::seeds())];
            let found =
                assembled.iter().find_map(|(from, root)| Some(root.to_str()?.to_owned() + seed.strip_prefix(from)?));
            let place = found.unwrap_or_else(|| seed.clone());
            let (before, after) = place.split_once('*').unwrap_or((&place, ""));
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

/// A few targets are enough, since the others use the same code. The first has no dictionary, and the second has one.
const CHOSEN: [&str; 2] = ["lz4", "rawarray_crate"];

/// OSS-Fuzz's build script runs unchanged, and its output can be opened.
#[cfg(unix)]
#[test]
#[ignore = "needs cargo-fuzz, zip and unzip, and builds with a sanitizer"]
fn oss_fuzz_gets_targets_with_seeds_dictionaries_and_options() {
    let (source, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::os::unix::fs::symlink(project(), source.path().join("ndbytes")).unwrap();
    let mut build = Command::new(project().join("oss-fuzz/build.sh"));
    build.env("SRC", source.path()).env("OUT", out.path()).env("NDBYTES_TARGETS", CHOSEN.join(" "));
    build.env("CARGO_TARGET_DIR", project().join("fuzz/target"));
    // The fuzzer must not inherit the build settings of the test program.
    for variable in ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS", "RUSTC_WORKSPACE_WRAPPER", "RUSTUP_TOOLCHAIN"] {
        build.env_remove(variable);
    }
    assert!(build.status().unwrap().success());
    for Target { name, dictionary, .. } in targets().into_iter().filter(|target| CHOSEN.contains(&&*target.name)) {
        let file = |ending: &str| out.path().join(format!("{name}{ending}"));
        assert!(file("").is_file());
        assert_zip(&file("_seed_corpus.zip"));
        let options = fs::read_to_string(file(".options")).unwrap();
        assert!(options.starts_with("[libfuzzer]\nmax_len = 8192\n"), "{options}");
        assert_eq!(file(".dict").is_file(), dictionary != NONE);
        // The target accepts both, and ends without a finding.
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
    assert_chosen_by_names(&out.path().join(CHOSEN[0]));
}

/// Either the file name or an environment variable selects the target of the fuzzer. Without a target, it lists all of them.
fn assert_chosen_by_names(named: &Path) {
    let unnamed = named.with_file_name("fuzzer");
    fs::copy(named, &unnamed).unwrap();
    let run = |program: &Path, variable: &str| {
        let mut command = Command::new(program);
        let ended = command.arg("-runs=0").env("NDBYTES_FUZZ_TARGET", variable).output().unwrap();
        (ended.status.code(), String::from_utf8(ended.stderr).unwrap())
    };
    for (program, variable) in [(&*unnamed, "rawarray_value"), (named, "no_such_target")] {
        let (status, err) = run(program, variable);
        assert_eq!(status, Some(0), "{variable}: {err}");
    }
    for variable in ["", "no_such_target", "lz"] {
        let (status, err) = run(&unnamed, variable);
        assert_eq!(status, Some(2), "{variable}: {err}");
        let names = names_of_the_table().join(" ");
        assert_eq!(err, format!("NDBYTES_FUZZ_TARGET: there is no target {variable:?}; targets: {names}\n"));
    }
}

fn assert_zip(path: &Path) {
    let tested = Command::new("unzip").arg("-t").arg(path).output().unwrap();
    assert!(tested.status.success(), "{}", String::from_utf8_lossy(&tested.stdout));
    assert!(String::from_utf8_lossy(&tested.stdout).contains("No errors"));
}

/// The targets that changed paths affect according to the script, in list order.
fn touched(paths: &[&str]) -> Vec<String> {
    let mut script = Command::new(project().join("fuzz/touched.sh"));
    let mut child = script.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(paths.join("\n").as_bytes()).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success());
    let lines = String::from_utf8(ended.stdout).unwrap();
    lines.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

/// All files below a directory of the project, as paths relative to its root.
fn files_below(folder: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(project().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        match entry.file_type().unwrap().is_dir() {
            true => files_below(&path, found),
            false => found.push(path),
        }
    }
}

/// The directories of this project's packages in the fuzzer: the entries of its lock file without a registry.
fn packages_of_the_fuzzer() -> Vec<String> {
    let lock = fs::read_to_string(project().join("fuzz/Cargo.lock")).unwrap();
    let own = lock.split("[[package]]").skip(1).filter(|package| !package.contains("\nsource = "));
    let names: BTreeSet<&str> = own.map(|package| package.split('"').nth(1).unwrap()).collect();
    let mut folders = ["everybyte", "everybyte/derive", "everybyte/ksy", "everybyte/refused", "schemas", "fuzz"]
        .map(str::to_owned)
        .to_vec();
    let crates = fs::read_dir(project().join("crates")).unwrap();
    folders.extend(crates.map(|folder| format!("crates/{}", folder.unwrap().file_name().to_str().unwrap())));
    let is_one = |folder: &Path| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        names.contains(manifest.split("\nname = \"").nth(1).unwrap().split('"').next().unwrap())
    };
    folders.retain(|folder| is_one(&project().join(folder)));
    // The library is in the root itself.
    assert!(is_one(&project()));
    assert_eq!(folders.len() + 1, names.len(), "{folders:?} and the root are not {names:?}");
    folders
}

#[test]
fn sources_of_the_fuzzer_touch_targets() {
    let mut sources = Vec::new();
    files_below("src", &mut sources);
    sources.push("Cargo.toml".to_owned());
    for folder in packages_of_the_fuzzer() {
        files_below(&format!("{folder}/src"), &mut sources);
        sources.push(format!("{folder}/Cargo.toml"));
    }
    let table = fs::read_to_string(project().join("fuzz/paths.txt")).unwrap();
    let lines = table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':'));
    let named: Vec<&str> = lines.flat_map(|(paths, _)| paths.split(' ')).collect();
    let is_below = |path: &str, folder: &str| {
        path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.']))
    };
    for source in &sources {
        assert!(named.iter().any(|named| is_below(source, named)), "fuzz/paths.txt does not say what {source} touches");
    }
    for name in named {
        assert!(
            sources.iter().any(|source| is_below(source, name)) || project().join(name).exists(),
            "there is no {name}"
        );
        let path = sources.iter().find(|source| is_below(source, name)).map_or(name, String::as_str);
        assert!(!touched(&[path]).is_empty(), "{path} touches no target");
    }
}

#[test]
fn changes_touch_the_targets_of_what_changed() {
    let all: Vec<String> = targets().into_iter().map(|target| target.name).collect();
    for path in ["src/lib.rs", "src/bytes/input.rs", "everybyte/src/lib.rs", "fuzz/Cargo.lock"] {
        assert_eq!(touched(&[path]), all, "{path}");
    }
    for path in ["docs/src/json.md", "crates/sql/src/lib.rs", "crates/cli/tests/it/fuzzing.rs", "srcs/idx/map.rs", ""] {
        assert_eq!(touched(&[path]), [""; 0], "{path}");
    }
    assert_eq!(touched(&["fuzz/seeds/inflate.recipe", "fuzz/src/lz4.rs"]), ["inflate", "lz4"]);
    assert_eq!(touched(&["fuzz/dictionaries/b2nd.dict"]), ["b2nd_bytes", "b2nd_value"]);
    assert_eq!(touched(&["crates/compare/src/stats/moments.rs"]), ["slices"]);
    assert_eq!(touched(&["fuzz/src/rawarray_crate.rs"]), ["rawarray_crate"]);
    for (path, touches, spares) in [
        ("src/idv/table.rs", ["idv_block", "arrow_export", "tool"], "idx_bytes"),
        ("schemas/src/idx.rs", ["idx_value", "gzip_bytes", "limits"], "npy_bytes"),
        ("tests/corpus/npy/ok/x.npy", ["npy_bytes", "streaming", "diff"], "npy_value"),
        ("crates/codecs/src/lz/lz4.rs", ["lz4", "rawarray_bytes", "blosc2_chunk"], "inflate"),
    ] {
        let touched = touched(&[path]);
        assert!(touches.iter().all(|name| touched.iter().any(|touched| touched == name)), "{path}: {touched:?}");
        assert!(!touched.iter().any(|name| name == spares), "{path}: {touched:?}");
    }
}

/// A repository with the scripts and the lists, for running the script that prints the targets and the compared commits.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("fuzz")).unwrap();
        for file in ["touched.sh", "targets.txt", "paths.txt"] {
            fs::copy(project().join("fuzz").join(file), folder.path().join("fuzz").join(file)).unwrap();
        }
        let repository = Repository(folder);
        repository.git(&["init", "-q", "-b", "main"]);
        repository.commit("README.md");
        repository
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).env("HOME", self.0.path()).env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = self.command("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]);
        let ended = command.args(arguments).output().unwrap();
        assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    }

    fn put(&self, path: &str) {
        fs::create_dir_all(self.0.path().join(path).parent().unwrap()).unwrap();
        fs::write(self.0.path().join(path), "x").unwrap();
    }

    fn commit(&self, path: &str) {
        self.put(path);
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "x"]);
    }

    fn touched(&self, arguments: &[&str]) -> (String, String) {
        let script = self.0.path().join("fuzz/touched.sh");
        let ended = self.command(script.to_str().unwrap()).args(arguments).output().unwrap();
        (String::from_utf8(ended.stdout).unwrap(), String::from_utf8(ended.stderr).unwrap())
    }
}

#[test]
fn changes_are_those_since_the_branch_left_its_upstream() {
    let repository = Repository::new();
    let all: String = targets().iter().map(|target| format!("{}\n", target.name)).collect();
    let (touched, compared) = repository.touched(&[]);
    assert_eq!(touched, all);
    assert_eq!(compared, "there is no commit to compare with, so every target counts as touched\n");

    repository.commit("fuzz/src/inflate.rs");
    repository.git(&["checkout", "-q", "--track", "-b", "topic"]);
    let (touched, compared) = repository.touched(&[]);
    assert_eq!(touched, "inflate (fuzz/src/inflate.rs)\n");
    assert!(compared.ends_with(", the commit before the last one, which is upstream already\n"), "{compared}");

    repository.commit("fuzz/src/lz4.rs");
    repository.put("fuzz/src/blosclz.rs");
    let own = "blosclz (fuzz/src/blosclz.rs)\nlz4 (fuzz/src/lz4.rs)\n";
    let (touched, compared) = repository.touched(&[]);
    assert_eq!(touched, own, "what is not committed counts too");
    assert!(compared.ends_with(", where this branch left main\n"), "{compared}");
    assert_eq!(repository.touched(&["HEAD"]).0, "blosclz (fuzz/src/blosclz.rs)\n");
    let (touched, problem) = repository.touched(&["nowhere"]);
    assert_eq!((&*touched, &*problem), ("", "there is no commit nowhere\n"));

    // Changes that others made in the meantime are not part of this branch.
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-q", "-m", "x"]);
    repository.git(&["checkout", "-q", "main"]);
    repository.commit("fuzz/src/writer.rs");
    repository.git(&["checkout", "-q", "topic"]);
    assert_eq!(repository.touched(&[]).0, own);
    assert_eq!(repository.touched(&["main"]).0, own);
}
