//! The reference readers, on valid files of the forge.

use super::answers::asked;
use super::{Peers, run};
use ndbytes::{Checker, Format, Profile, Reference, Severity, Verdict};
use ndbytes_forge::{Forge, Kind, Mutation};
use ndbytes_testkit::corpus;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of each format.
const COUNT: usize = 300;

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn valid_files_are_accepted_by_the_reference_readers() {
    let folder = tempfile::tempdir().unwrap();
    let mut files: Vec<(Format, PathBuf)> = Vec::new();
    for format in Format::ALL {
        let kind = Kind::of_format(format).expect("the forge makes each format");
        let mut forge = Forge::new(2);
        for number in 0..COUNT {
            let made = forge.valid(kind);
            let path = folder.path().join(format!("{kind}-{number}.{}", kind.extension()));
            if made.others.is_empty() {
                fs::write(&path, &made.bytes).unwrap();
            } else {
                fs::create_dir(&path).unwrap();
                made.files().for_each(|(name, bytes)| fs::write(path.join(name), bytes).unwrap());
            }
            files.push((format, path));
        }
    }
    let (_, answers) = asked(&files);
    for format in Format::ALL {
        let reader = format.reference_reader();
        let of_format: Vec<_> = files.iter().filter(|(of, _)| *of == format).map(|(_, path)| path).collect();
        let accepted = of_format.iter().filter(|path| answers[**path]).count();
        println!("{format}: {reader} accepts {accepted} of {} valid files", of_format.len());
        let is_wrong = |path: &&&PathBuf| verdict(path).is_some_and(|verdict| verdict != answers[**path]);
        let wrong: Vec<_> = of_format.iter().filter(is_wrong).collect();
        assert!(wrong.is_empty(), "{format}: the answers of {reader} are not foreseen: {wrong:?}");
        // What is refused breaks only rules that strict readers do not have.
        let least = match format {
            Format::RawArray => 65,
            Format::B2nd => 85,
            _ => 100,
        };
        assert!(accepted * 100 >= of_format.len() * least, "{format}: {accepted}");
    }
}

/// The valid files of each kind, and of a thousand those that the reference readers accept at least.
const OF_REFERENCE: usize = 1000;
const LEAST_ACCEPTED: usize = 995;

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn valid_files_for_profile_reference_are_accepted_by_the_reference_readers() {
    let folder = tempfile::tempdir().unwrap();
    let paths_of = |kind: Kind| -> Vec<PathBuf> {
        let mut forge = Forge::new(3).profile(Profile::Reference);
        let files = (0..OF_REFERENCE).map(|number| {
            let made = forge.valid(kind);
            let path = folder.path().join(format!("{kind}-{number}.{}", kind.extension()));
            match made.others.is_empty() {
                true => fs::write(&path, &made.bytes).unwrap(),
                false => {
                    fs::create_dir(&path).unwrap();
                    made.files().for_each(|(name, bytes)| fs::write(path.join(name), bytes).unwrap());
                }
            }
            path
        });
        files.collect()
    };
    let of_formats = Format::ALL.into_iter().flat_map(|format| {
        let kind = Kind::of_format(format).expect("the forge makes each format");
        paths_of(kind).into_iter().map(move |path| (format, path))
    });
    let files: Vec<(Format, PathBuf)> = of_formats.collect();
    let (_, answers) = asked(&files);
    let mut counts: Vec<(String, usize, Vec<String>)> = Vec::new();
    for format in Format::ALL {
        let of_format: Vec<_> = files.iter().filter(|(of, path)| *of == format && answers.contains_key(path)).collect();
        let refused = of_format.iter().filter(|(_, path)| !answers[path]).map(|(_, path)| path.display().to_string());
        counts.push((format!("{format}: {}", format.reference_reader()), of_format.len(), refused.collect()));
    }
    let peers = Peers::find();
    let mut command = Command::new(&peers.python);
    command.arg(peers.scripts.join("archives_check.py"));
    command.args(paths_of(Kind::Zip)).args(paths_of(Kind::Gzip));
    let answered: Value = serde_json::from_str(&run(command, "archives_check.py")).unwrap();
    for (reader, answer) in answered.as_object().unwrap() {
        let refused = answer["refused"].as_array().unwrap().iter().map(ToString::to_string).collect();
        counts.push((reader.clone(), answer["asked"].as_u64().unwrap() as usize, refused));
    }
    for (reader, asked, refused) in &counts {
        println!("{reader} accepts {} of {asked} valid files for profile reference", asked - refused.len());
    }
    for (reader, asked, refused) in counts {
        let accepted = asked - refused.len();
        assert!(accepted * OF_REFERENCE >= asked * LEAST_ACCEPTED, "{reader} refuses of {asked}: {refused:?}");
        assert!(asked * 2 >= OF_REFERENCE, "{reader} was asked about {asked} files");
    }
}

/// The verdict of profile reference: whether the reference reader accepts a file. `None` if it gives no verdict, or if the
/// finding is one that concerns no reader.
fn verdict(path: &Path) -> Option<bool> {
    let report = Checker::new().profile(Profile::Reference).check(path).unwrap();
    let errors = || report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    match report.verdict() {
        Verdict::Ok | Verdict::Warning => Some(true),
        Verdict::Unforeseen => None,
        Verdict::Error => errors().any(|finding| finding.reference == Reference::Refuses).then_some(false),
    }
}

/// Mutants of each format; the environment variable `NDBYTES_MUTANTS` holds another number.
const MUTANTS: usize = 2000;

/// The most wrong verdicts of a thousand.
const MOST_WRONG: usize = 2;

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn verdicts_on_mutants_are_those_of_the_reference_readers() {
    let count = std::env::var("NDBYTES_MUTANTS").ok().map_or(MUTANTS, |number| number.parse().expect("a number"));
    let seeds = corpus::everything().into_iter().filter(|sample| sample.folder == "ok" && sample.others().is_empty());
    let mut seeds: Vec<_> = seeds.filter(|sample| sample.bytes.len() < 20_000).collect();
    seeds.retain(|sample| !sample.bytes.starts_with(&[0x1F, 0x8B]));
    for format in Format::ALL {
        let folder = tempfile::tempdir().unwrap();
        let extension = Kind::of_format(format).expect("the forge makes each format").extension();
        let of_format: Vec<_> = seeds.iter().filter(|sample| sample.format == Some(format)).collect();
        let mut forge = Forge::new(7);
        let how = Mutation { count: 1..=3, ..Mutation::default() };
        let files = (0..count).map(|number| {
            let path = folder.path().join(format!("{number}.{extension}"));
            let seed = &of_format[number % of_format.len()].bytes;
            fs::write(&path, forge.mutant(seed, &Mutation { max_len: seed.len() + 64, ..how.clone() }).bytes).unwrap();
            (format, path)
        });
        let files: Vec<(Format, PathBuf)> = files.collect();
        let (_, answers) = asked(&files);
        let asked = files.iter().filter_map(|(_, path)| Some((path, *answers.get(path)?)));
        let (mut foreseen, mut wrong) = (0, Vec::new());
        for (path, answer) in asked {
            let Some(verdict) = verdict(path) else { continue };
            foreseen += 1;
            if verdict != answer {
                let report = Checker::new().profile(Profile::Reference).check(path).unwrap();
                let said: Vec<_> = report.findings().iter().map(ToString::to_string).collect();
                wrong.push(format!("the reader {}: {said:?}", if answer { "accepts" } else { "refuses" }));
            }
        }
        println!("{format}: {foreseen} of {count} mutants have a verdict, {} are wrong", wrong.len());
        assert!(foreseen * 3 >= count, "{format}: {foreseen} of {count} mutants have a verdict");
        assert!(wrong.len() * 1000 <= count * MOST_WRONG, "{format}: {}", wrong.join("\n"));
    }
}
