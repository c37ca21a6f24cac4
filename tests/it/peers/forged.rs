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
        let reader = format.reference_reader();
        let of_format: Vec<_> = files.iter().filter(|(of, _)| *of == format).map(|(_, path)| path).collect();
        let accepted = of_format.iter().filter(|path| answers[**path]).count();
        println!("{format}: {reader} accepts {accepted} of {} valid files", of_format.len());
        let unforeseen: Vec<_> = of_format.iter().filter(|path| answers[**path] != is_foreseen(path)).collect();
        assert!(unforeseen.is_empty(), "{format}: the answers of {reader} are not foreseen: {unforeseen:?}");
        // What is refused breaks only rules that strict readers do not have.
        let least = match format {
            Format::RawArray => 65,
            Format::B2nd => 85,
            _ => 100,
        };
        assert!(accepted * 100 >= of_format.len() * least, "{format}: {accepted}");
    }
}

/// Whether profile reference says that the reference reader accepts a file.
fn is_foreseen(path: &Path) -> bool {
    let report = Checker::new().profile(Profile::Reference).check(path).unwrap();
    report.verdict() < Verdict::Error
}
