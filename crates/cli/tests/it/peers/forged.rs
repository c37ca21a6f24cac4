//! Tests the reference readers on valid files of the forge.

use super::answers::asked;
use super::{Peers, run};
use crate::support::generated::files_below;
use ndbytes::archive::Archive;
use ndbytes::{Checker, Format, Input, Limits, Profile, Reference, Severity, Verdict};
use ndbytes_forge::{Forge, Kind, Mutation};
use ndbytes_testkit::{corpus, project};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of files of each format.
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
        // Files that are refused break only rules that do not apply in profile strict.
        let least = match format {
            Format::RawArray => 65,
            Format::B2nd => 85,
            _ => 100,
        };
        assert!(accepted * 100 >= of_format.len() * least, "{format}: {accepted}");
    }
}

/// The number of valid files of each kind, and the minimum number per thousand that the reference readers accept.
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

/// The verdict of profile reference: whether the reference reader accepts a file. `None` without a verdict, or if the
/// finding is not about a reader.
fn verdict(path: &Path) -> Option<bool> {
    let report = Checker::new().profile(Profile::Reference).check(path).unwrap();
    let errors = || report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    match report.verdict() {
        Verdict::Ok | Verdict::Warning => Some(true),
        Verdict::Unforeseen => None,
        Verdict::Error => errors().any(|finding| finding.reference == Reference::Refuses).then_some(false),
    }
}

/// The number of mutants of each format. The environment variable `NDBYTES_MUTANTS` sets another number.
const MUTANTS: usize = 2000;

/// The maximum number of wrong verdicts per thousand mutants, and of mutants without a verdict per hundred, for b2nd
/// and for the other formats.
const MOST_WRONG: usize = 2;
const MOST_UNFORESEEN_OF_B2ND: usize = 5;
const MOST_UNFORESEEN: usize = 66;

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn verdicts_on_mutants_are_those_of_the_reference_readers() {
    let count = std::env::var("NDBYTES_MUTANTS").ok().map_or(MUTANTS, |number| number.parse().expect("a number"));
    let seeds = corpus::everything().into_iter().filter(|sample| sample.folder == "ok" && sample.others().is_empty());
    let mut seeds: Vec<_> = seeds.filter(|sample| sample.bytes.len() < 20_000).collect();
    seeds.retain(|sample| !sample.bytes.starts_with(&[0x1F, 0x8B]));
    for format in Format::ALL {
        let extension = Kind::of_format(format).expect("the forge makes each format").extension();
        let of_format = seeds.iter().filter(|sample| sample.format == Some(format)).map(|sample| sample.bytes.clone());
        let most_unforeseen = if format == Format::B2nd { MOST_UNFORESEEN_OF_B2ND } else { MOST_UNFORESEEN };
        ensure_foreseen(format, extension, &of_format.collect::<Vec<_>>(), count, [MOST_WRONG, most_unforeseen]);
    }
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn verdicts_on_mutants_of_archives_are_those_of_the_readers_of_their_content() {
    let count = std::env::var("NDBYTES_MUTANTS").ok().map_or(MUTANTS_OF_ARCHIVES, |number| number.parse().unwrap());
    let mut forge = Forge::new(5);
    let is_npz = |archive: &[u8]| {
        let archive = Archive::read(Input::from_slice(archive, Limits::default()), Limits::default()).unwrap();
        let is_npy = archive.members().iter().all(|member| member.name().ends_with(".npy"));
        is_npy && archive.members().len() as u64 == archive.entries()
    };
    let archives = std::iter::repeat_with(|| forge.valid(Kind::Zip).bytes).filter(|archive| is_npz(archive));
    let archives: Vec<Vec<u8>> = archives.take(ARCHIVES).collect();
    ensure_foreseen(Format::Npy, "npz", &archives, count, [MOST_WRONG, MOST_UNFORESEEN_OF_ARCHIVES]);
    let stores = files_below("tests/frozen/b2nd/stores").into_iter().filter(|path| path.ends_with(".b2z"));
    let stores: Vec<Vec<u8>> = stores.map(|path| fs::read(project().join(path)).unwrap()).collect();
    ensure_foreseen(Format::B2nd, "b2z", &stores, count, [MOST_WRONG, MOST_UNFORESEEN_OF_ARCHIVES]);
}

/// The number of mutants of archives, and the number of archives.
const MUTANTS_OF_ARCHIVES: usize = 3000;
const ARCHIVES: usize = 30;
/// The maximum number of mutants of archives without a verdict, per hundred. For `.b2z`, there are 4.
const MOST_UNFORESEEN_OF_ARCHIVES: usize = 5;

/// Runs the reader of a format on mutants of these files and compares its answers with our verdicts.
fn ensure_foreseen(format: Format, extension: &str, seeds: &[Vec<u8>], count: usize, most: [usize; 2]) {
    let [most_wrong, most_unforeseen] = most;
    let folder = tempfile::tempdir().unwrap();
    let mut forge = Forge::new(7);
    let how = Mutation { count: 1..=3, ..Mutation::default() };
    let files = (0..count).map(|number| {
        let path = folder.path().join(format!("{number}.{extension}"));
        let seed = &seeds[number % seeds.len()];
        fs::write(&path, forge.mutant(seed, &Mutation { max_len: seed.len() + 64, ..how.clone() }).bytes).unwrap();
        (format, path)
    });
    let files: Vec<(Format, PathBuf)> = files.collect();
    let (_, answers) = asked(&files);
    let asked = files.iter().filter_map(|(_, path)| Some((path, *answers.get(path)?)));
    let (mut asked_count, mut foreseen, mut wrong) = (0, 0, Vec::new());
    for (path, answer) in asked {
        asked_count += 1;
        let Some(verdict) = verdict(path) else { continue };
        foreseen += 1;
        if verdict != answer {
            let report = Checker::new().profile(Profile::Reference).check(path).unwrap();
            let said: Vec<_> = report.findings().iter().map(ToString::to_string).collect();
            wrong.push(format!("the reader {}: {said:?}", if answer { "accepts" } else { "refuses" }));
        }
    }
    println!(".{extension}: {foreseen} of {count} mutants have a verdict, {} are wrong", wrong.len());
    assert!(asked_count * 3 >= count, ".{extension}: the reader was asked about {asked_count} of {count} mutants");
    let unforeseen = asked_count - foreseen;
    assert!(
        unforeseen * 100 <= count * most_unforeseen,
        ".{extension}: {unforeseen} of {count} mutants have no verdict"
    );
    assert!(wrong.len() * 1000 <= count * most_wrong, ".{extension}: {}", wrong.join("\n"));
}
