//! The gallery of Kaitai Struct as Rust. It is not part of this repository: the test reads it from the folder that `KAITAI` names.
//!
//! It compiles about sixty modules, which takes minutes: `KAITAI=FOLDER cargo test -p everybyte-ksy --test it --
//! --ignored generate::gallery --nocapture`.

use everybyte_ksy::Loader;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program that compares each layout with its specification. Its arguments are the gallery, and a folder of further files.
const MAIN: &str = r#"
fn run<F: everybyte::Format>(name: &str, path: &str, files: &[Vec<u8>]) -> bool {
    let gallery = std::env::args().nth(1).unwrap();
    let spec = everybyte_ksy::Loader::new().folder(gallery).read(path).unwrap();
    let made: Vec<Vec<u8>> = (1..=60).filter_map(everybyte::fuzzing::file::<F>).collect();
    let valid = made.iter().filter(|file| spec.check(file).is_empty()).count();
    let mutants = made.iter().take(8).flat_map(|file| compare::mutants(file));
    let (mut all, mut first) = (0, None);
    for file in made.iter().chain(files).cloned().chain(mutants) {
        all += 1;
        first = first.or_else(|| compare::differences::<F>(&spec, &file).into_iter().next());
    }
    match &first {
        None => println!("{name}: agrees in {all} files; {valid} that were made are valid"),
        Some(difference) => println!("{name}: DIFFERS: {difference}"),
    }
    first.is_none()
}
"#;

fn files(folder: &Path, ending: Option<&str>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_wanted = ending.is_none_or(|ending| path.extension().is_some_and(|it| it == ending));
        match path.is_dir() {
            true => found.extend(files(&path, ending)),
            false => found.extend(is_wanted.then_some(path)),
        }
    }
    found.sort();
    found
}

/// Returns the manifest of a crate outside this repository.
fn manifest() -> String {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().display();
    format!(
        "[workspace]\n[package]\nname = \"gallery\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n\
         binrw = {{ version = \"0.15\", default-features = false, features = [\"std\"] }}\n\
         everybyte = {{ path = \"{engine}\", features = [\"arbitrary\"] }}\n\
         everybyte-ksy = {{ path = \"{engine}/ksy\" }}\n"
    )
}

#[test]
#[ignore = "compiles the gallery of Kaitai Struct in the folder that KAITAI names, which takes minutes"]
fn the_gallery_as_rust_compiles_and_agrees() {
    let kaitai =
        PathBuf::from(std::env::var_os("KAITAI").expect("KAITAI names the folder of the suite and the gallery"));
    let gallery = kaitai.join("gallery");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery");
    let _ = fs::remove_dir_all(folder.join("src"));
    fs::create_dir_all(folder.join("src")).unwrap();
    fs::write(folder.join("Cargo.toml"), manifest()).unwrap();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::copy(repository.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();

    let compare = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/compare.rs");
    let (mut modules, mut calls) = (format!("#[path = {compare:?}]\nmod compare;\n"), String::new());
    let (mut generated, mut reasons) = (0, BTreeMap::<String, usize>::new());
    let specifications = files(&gallery, Some("ksy"));
    for path in &specifications {
        let spec = Loader::new().folder(&gallery).read(path).unwrap();
        match spec.rust() {
            Ok(source) => {
                generated += 1;
                let module = format!("m{generated}");
                let root = source.split("impl everybyte::Format for ").nth(1).unwrap().split(' ').next().unwrap();
                fs::write(folder.join(format!("src/{module}.rs")), &source).unwrap();
                writeln!(modules, "#[allow(dead_code)]\nmod {module};").unwrap();
                let name = spec.name();
                writeln!(
                    calls,
                    "    all &= run::<{module}::{root}>({name:?}, {:?}, &files);",
                    path.display().to_string()
                )
                .unwrap();
            }
            Err(refused) => {
                let mut kinds: Vec<String> = refused.iter().map(|it| kind(&it.message)).collect();
                kinds.sort();
                kinds.dedup();
                kinds.into_iter().for_each(|kind| *reasons.entry(kind).or_default() += 1);
            }
        }
    }
    let read = "std::fs::read_dir(std::env::args().nth(2).unwrap()).unwrap().map(|it| it.unwrap().path())";
    let small = "filter(|it| it.is_file()).map(|it| std::fs::read(it).unwrap()).filter(|it| it.len() < 65_536)";
    let main = format!(
        "{modules}{MAIN}\nfn main() {{\n    let files: Vec<Vec<u8>> = {read}.{small}.collect();\n    let mut all = true;\n{calls}    std::process::exit(i32::from(!all));\n}}\n"
    );
    fs::write(folder.join("src/main.rs"), main).unwrap();

    println!("{generated} of {} specifications; reasons of the others, by specifications:", specifications.len());
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    reasons.iter().for_each(|(kind, count)| println!("{count:4}  {kind}"));
    let mut run = Command::new(env!("CARGO"));
    run.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_INCREMENTAL", "0");
    run.args(["run", "--quiet", "--manifest-path"]).arg(folder.join("Cargo.toml")).arg("--");
    let status = run.arg(&gallery).arg(kaitai.join("suite/src")).status().unwrap();
    assert!(status.success(), "a layout does not compile, or does not agree");
    assert!(generated >= 60, "only {generated} specifications are layouts");
}

/// Returns a reason without the names in it.
fn kind(message: &str) -> String {
    let mut quoted = false;
    let mut kind = String::new();
    for letter in message.chars() {
        match letter {
            '`' if quoted => {
                quoted = false;
                kind.push('…');
            }
            '`' => quoted = true,
            _ if quoted => {}
            _ => kind.push(letter),
        }
    }
    kind
}
