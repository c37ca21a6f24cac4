//! Converts forged files of every kind to every kind that can be written. The values must be equal, or refused with their name.

use crate::support::{self, Values};
use ndbytes_convert::{ArraySource, Error, FileKind, Loss, Options, Result, Source, Target, convert};
use ndbytes_forge::{Content, Forge, Kind as Made};

/// The number of files of each kind.
const FILES: u64 = 1000;

fn written(array: &ndbytes::Array<'_>, kind: FileKind, lossy: bool) -> Result<(Vec<u8>, Vec<Loss>)> {
    let sources = [Source::Array(ArraySource::new("it", array))];
    let mut bytes = Vec::new();
    let losses = convert(&sources, kind, Target::Stream(&mut bytes), &Options::new().lossy(lossy).strict(!lossy))?;
    Ok((bytes, losses))
}

#[test]
fn forged_files_are_equal_or_refused_by_name_as_every_kind() {
    for made in [Made::Idx, Made::Gzip, Made::RawArray, Made::B2nd, Made::Npy] {
        let (mut equal, mut refused, mut lossy) = (0, 0, 0);
        for seed in 0..FILES {
            let file = Forge::new(seed).valid(made);
            // Directories have their own tests.
            if !file.others.is_empty() {
                continue;
            }
            let opened = match ndbytes::Options::new().from_slice(&file.bytes) {
                // If a gzip file has several tensors, the user must name one.
                Err(ndbytes::Error::Archive { .. }) if matches!(file.content, Content::Unknown) => continue,
                opened => opened.expect("a valid file"),
            };
            // A table in gzip is not an array.
            let Ok(source) = opened.into_array() else { continue };
            let expected = Values::of(&source);
            for kind in support::kinds() {
                match written(&source, kind, false) {
                    Ok((bytes, losses)) => {
                        assert_eq!(losses, [], "{made} {seed} → {kind}");
                        assert_eq!(support::written(kind, &bytes), expected, "{made} {seed} → {kind}");
                        equal += 1;
                        continue;
                    }
                    Err(error) => {
                        assert!(error.to_string().contains(" cannot hold "), "{made} {seed} → {kind}: {error}");
                        refused += 1;
                    }
                }
                match written(&source, kind, true) {
                    Ok((bytes, losses)) => {
                        assert!(!losses.is_empty(), "{made} {seed} → {kind}");
                        let count: usize = support::written(kind, &bytes).shape.iter().product();
                        let all: usize = source.shape().iter().product();
                        assert!(count == all || expected.shape.len() > source.shape().len(), "{made} {seed} → {kind}");
                        lossy += 1;
                    }
                    Err(error) => {
                        assert!(!matches!(error, Error::Lossy(_)), "{made} {seed} → {kind}: {error}");
                        assert!(error.to_string().contains(" cannot hold "), "{made} {seed} → {kind}: {error}");
                    }
                }
            }
        }
        println!("{made}: {equal} equal, {refused} refused, of which {lossy} are written with losses");
        assert!(equal > FILES, "{made}: {equal} of {FILES} files");
    }
}
