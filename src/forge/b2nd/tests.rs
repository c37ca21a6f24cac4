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
fn temporary_valid() {
    let mut wrong = std::collections::BTreeMap::new();
    let mut lengths = Vec::new();
    for seed in 0..10_000 {
        let whole = super::valid::valid(&mut everybyte::forge::Choices::seeded(seed), 4096);
        let folder = tempfile::tempdir().unwrap();
        lengths.push(whole.bytes.len() + whole.others.iter().map(|o| o.1.len()).sum::<usize>());
        let report = if whole.others.is_empty() {
            Checker::new().check_slice(&whole.bytes)
        } else {
            fs::write(folder.path().join(FRAME_FILE), &whole.bytes).unwrap();
            whole.others.iter().for_each(|(name, bytes)| fs::write(folder.path().join(name), bytes).unwrap());
            Checker::new().check(folder.path())
        }
        .unwrap();
        for f in report.findings() {
            wrong.entry(f.rule.id.to_string()).or_insert_with(Vec::new).push((seed, f.message.clone()));
        }
        let array = if whole.others.is_empty() { b2nd::from_slice(&whole.bytes) } else { b2nd::open(folder.path()) };
        let crate::forge::whole::Content::Array { item_type, shape, items } = &whole.content else {
            wrong.entry("unknown".into()).or_default().push((seed, String::new()));
            continue;
        };
        let Ok(array) = array else {
            wrong.entry("unopened".into()).or_default().push((seed, String::new()));
            continue;
        };
        let found = array.item_type().to_string();
        if found != *item_type {
            wrong.entry(format!("type {item_type} {found}")).or_default().push((seed, String::new()));
        }
        if array.shape().iter().map(|e| *e as u64).collect::<Vec<_>>() != *shape {
            wrong.entry("shape".into()).or_default().push((seed, String::new()));
        }
        if array.to_bytes().ok().as_ref() != Some(items) {
            wrong.entry("items".into()).or_default().push((seed, String::new()));
        }
    }
    for (what, all) in wrong {
        eprintln!("{what}: {} {:?}", all.len(), &all[..all.len().min(3)]);
    }
    lengths.sort();
    eprintln!("median {} 90 {} max {}", lengths[5000], lengths[9000], lengths[9999]);
}

/// The fields that a map shows, without the bytes of items.
fn structure(file: &[u8]) -> Option<Vec<(String, String)>> {
    let map = Checker::new().byte_map(crate::bytes::input::Input::from_slice(file, crate::Limits::default())).ok()?;
    let spans = map.spaces.iter().flat_map(|space| everybyte::map::spans(std::slice::from_ref(space)));
    Some(
        spans
            .filter(|span| !matches!(span.node.role, Some(everybyte::Role::Payload)))
            .map(|span| (span.path.clone(), format!("{:?}", span.node.value)))
            .collect(),
    )
}

#[test]
fn temporary_operations() {
    use everybyte::forge::{Choices, Grammar, Mutation, Repair, mutate};
    use std::collections::BTreeMap;
    let craft = &*super::CRAFT;
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for seed in 0..60 {
        let whole = super::valid::valid(&mut Choices::seeded(seed), 4096);
        if whole.others.is_empty() {
            seeds.push(whole.bytes);
        }
    }
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/b2nd/ok"), &mut files);
    seeds.extend(files.iter().filter(|path| path.is_file()).map(|path| fs::read(path).unwrap()));
    let mut by: BTreeMap<&str, [u32; 4]> = BTreeMap::new();
    let mut rules: BTreeMap<(String, String), u32> = BTreeMap::new();
    for (number, seed) in seeds.iter().enumerate() {
        let was = structure(seed);
        for name in craft.operations() {
            let counts = by.entry(name).or_default();
            counts[0] += 1;
            let Some(made) = craft.operate(name, seed, &mut Choices::seeded(number as u64)) else { continue };
            counts[1] += 1;
            let report = Checker::new().check_slice(&made).unwrap();
            let errors: Vec<_> = report.findings().iter().filter(|f| f.severity == crate::Severity::Error).collect();
            for e in &errors {
                *rules.entry((name.to_string(), e.rule.id.to_string())).or_default() += 1;
            }
            if errors.is_empty() {
                counts[2] += 1;
                if structure(&made) != was {
                    counts[3] += 1;
                }
            }
        }
    }
    for (name, counts) in by {
        eprintln!("{name}: asked {} made {} accepted {} other {}", counts[0], counts[1], counts[2], counts[3]);
    }
    for (what, count) in rules {
        eprintln!("  {what:?}: {count}");
    }
    let mut total = [0; 3];
    let mut steps: BTreeMap<(String, String), u32> = BTreeMap::new();
    let start = std::time::Instant::now();
    for (number, seed) in seeds.iter().enumerate() {
        let was = structure(seed);
        for round in 0..5 {
            let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
            let made = mutate(craft, seed, &how, &mut Choices::seeded(number as u64 * 100 + round));
            total[0] += 1;
            let report = Checker::new().check_slice(&made.bytes).unwrap();
            let bad = report.findings().iter().find(|f| f.severity == crate::Severity::Error);
            match bad {
                None => {
                    total[1] += 1;
                    if structure(&made.bytes) != was {
                        total[2] += 1;
                    }
                }
                Some(bad) => {
                    let text = made.recipe.to_string();
                    let last = text
                        .lines()
                        .filter(|l| !l.starts_with("repair") && !l.starts_with("leave"))
                        .next_back()
                        .unwrap_or("")
                        .to_string();
                    let key: String = last
                        .split(" = ")
                        .next()
                        .unwrap()
                        .split(" seed")
                        .next()
                        .unwrap()
                        .chars()
                        .filter(|c| !c.is_ascii_digit())
                        .collect();
                    *steps.entry((key, bad.rule.id.into())).or_default() += 1;
                }
            }
        }
    }
    eprintln!("mutants {total:?} {:?}", start.elapsed());
    let mut steps: Vec<_> = steps.into_iter().collect();
    steps.sort_by_key(|s| std::cmp::Reverse(s.1));
    for (what, count) in steps.iter().take(40) {
        eprintln!("  {what:?}: {count}");
    }
}
