//! What the reference readers make of valid files of the forge.

use super::answers::asked;
use ndbytes::forge::{Forge, Kind};
use ndbytes::{Checker, Format, Profile, Verdict};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of each format.
const COUNT: usize = 300;

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn valid_files_are_accepted_by_the_reference_readers() {
    let folder = tempfile::tempdir().unwrap();
    let mut files: Vec<(Format, PathBuf)> = Vec::new();
    for format in Format::ALL {
        let kind = Kind::from(format);
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
        // The crate is not asked about what it has no type for.
        let of_format: Vec<_> = files.iter().filter(|(of, path)| *of == format && answers.contains_key(path)).collect();
        let accepted = of_format.iter().filter(|(_, path)| answers[path]).count();
        let unforeseen = of_format.iter().filter(|(_, path)| answers[path] != is_foreseen(path)).count();
        let (asked, reader) = (of_format.len(), format.reference_reader());
        println!("{format}: {reader} accepts {accepted} of {asked} valid files; {unforeseen} answers are unforeseen");
        // Two readers refuse some valid files: the crate those of the other byte order, with metadata, and of records,
        // python-blosc2 those with the metalayer of its ancestor and a type, and some chunks of zeros.
        let least = match format {
            Format::RawArray => 65,
            Format::B2nd => 80,
            _ => 100,
        };
        assert!(asked > 0 && accepted * 100 >= asked * least, "{format}: {accepted} of {asked}");
    }
}

/// Whether profile reference says that the reference reader accepts a file.
fn is_foreseen(path: &Path) -> bool {
    let report = Checker::new().profile(Profile::Reference).check(path).unwrap();
    report.verdict() < Verdict::Error
}
