//! Drafts of every good file that there is.

use super::draft::Draft;
use crate::any::check::Checker;
use crate::b2nd;
use ndbytes_schemas::blosc2::folder::FRAME_FILE;
use std::fs;
use std::path::{Path, PathBuf};

/// The good files of b2nd, and the folders of sparse frames.
fn good() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut found = Vec::new();
    collect(&root.join("corpus/b2nd/ok"), &mut found);
    collect(&root.join("frozen/b2nd"), &mut found);
    found.retain(|path| b2nd::open(path).is_ok_and(|array| array.to_bytes().is_ok()));
    found.sort();
    found
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_b2nd = path.extension().is_some_and(|extension| extension == "b2nd");
        if is_b2nd || path.join(FRAME_FILE).is_file() {
            found.push(path);
        } else if path.is_dir() {
            collect(&path, found);
        }
    }
}

/// The bytes of a file; of a folder, those of its frame, and its other files.
fn files(path: &Path) -> (Vec<u8>, Vec<(String, Vec<u8>)>) {
    if path.is_file() {
        return (fs::read(path).unwrap(), Vec::new());
    }
    let mut others = Vec::new();
    for entry in fs::read_dir(path).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if name != FRAME_FILE {
            others.push((name, fs::read(entry.path()).unwrap()));
        }
    }
    (fs::read(path.join(FRAME_FILE)).unwrap(), others)
}

#[test]
fn drafts_keep_the_values_of_every_good_file() {
    let good = good();
    assert!(good.len() > 100, "{}", good.len());
    let (mut same, mut wrong) = (0, Vec::new());
    for path in &good {
        let (file, others) = files(path);
        let Some(draft) = Draft::take_folder_apart(&file, &others) else {
            wrong.push(format!("{}: not taken apart", path.display()));
            continue;
        };
        let again = draft.put_together();
        let values = b2nd::open(path).unwrap().to_bytes();
        let folder = tempfile::tempdir().unwrap();
        let made = match path.is_dir() {
            true => {
                fs::write(folder.path().join(FRAME_FILE), &again).unwrap();
                draft.others().iter().for_each(|(name, bytes)| fs::write(folder.path().join(name), bytes).unwrap());
                b2nd::open(folder.path()).and_then(|array| array.to_bytes())
            }
            false => b2nd::from_slice(&again).and_then(|array| array.to_bytes()),
        };
        match (values, made) {
            (Ok(values), Ok(made)) if values == made => {}
            (values, made) => {
                wrong.push(format!("{}: {:?} {:?}", path.display(), values.map(|v| v.len()), made.map(|v| v.len())))
            }
        }
        let report = if path.is_dir() { Checker::new().check(path) } else { Checker::new().check_slice(&again) };
        let before = Checker::new().check(path).unwrap();
        let lists =
            |report: &crate::Report| report.findings().iter().map(|finding| finding.rule.id).collect::<Vec<_>>();
        if lists(&before) != lists(&report.unwrap()) {
            eprintln!("{}: other findings", path.display());
        }
        same += u64::from(again == file);
    }
    eprintln!("{same} of {} are the same bytes", good.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn temporary_breakers() {
    use crate::forge::verdict::Judged;
    use everybyte::forge::{Choices, Recipe, replay_with};
    for breaker in &super::breakers::ALL {
        let rule = crate::rules().find(|rule| rule.id == breaker.rule).unwrap();
        let (mut alone, mut none) = (0, 0);
        let mut company: std::collections::BTreeMap<String, u32> = std::collections::BTreeMap::new();
        for seed in 0..40 {
            let mut choices = Choices::seeded(seed);
            let Some(whole) = (breaker.from)(&mut choices) else {
                none += 1;
                continue;
            };
            let steps: Recipe = breaker.steps.parse().unwrap();
            let made = replay_with(&*super::CRAFT, &whole.bytes, &steps, &mut choices);
            let Ok((bytes, _)) = made else {
                *company.entry(format!("{:?}", made.err())).or_default() += 1;
                continue;
            };
            let judged = Judged { bytes: &bytes, others: &whole.others, memory: breaker.memory };
            if judged.breaks_alone(rule) {
                alone += 1
            } else {
                let profile = if rule.severity.is_some() { crate::Profile::Strict } else { crate::Profile::Reference };
                *company.entry(format!("{:?}", judged.broken_rules(profile))).or_default() += 1;
            }
        }
        if alone < 40 {
            eprintln!("{}: {alone} alone, {none} none, {company:?}", breaker.rule);
        }
    }
}
