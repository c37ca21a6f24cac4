//! Tests drafts of all valid files, mutants, and the features of generated files.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

use super::file_parts::{FileParts, IndexForm, Place};
use super::valid::valid;
use crate::map;
use everybyte::forge::{Choices, Grammar, Mutation, Repair, mutate};
use everybyte::{Endian, Source, read, role::Role};
use ndbytes::{Checker, Severity, b2nd};
use ndbytes_schemas::blosc2::folder::FRAME_FILE;
use ndbytes_schemas::blosc2::{ChunkHeader, ChunkVersion, Codec, FilterId, Special};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the valid b2nd files and the directories of sparse frames.
fn good() -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&ndbytes_testkit::corpus::root().join("b2nd/ok"), &mut found);
    collect(&ndbytes_testkit::frozen("b2nd"), &mut found);
    found.retain(|path| b2nd::open(path).is_ok_and(|array| array.to_bytes().is_ok()));
    found.sort();
    found
}

/// Collects all frames below a directory, sparse ones included.
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

/// Returns the bytes of a file; for a directory, the bytes of its frame, and its other files.
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
        let Some(draft) = FileParts::take_folder_apart(&file, &others) else {
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
        same += usize::from(again == file);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The others have unreferenced bytes, which are dropped.
    assert!(same + 5 >= good.len(), "{same} of {} have the same bytes", good.len());
}

/// Returns the fields in the map of a file, without items.
fn structure(file: &[u8]) -> Vec<(String, String)> {
    let spaces = map::map(file);
    let spans = everybyte::map::spans(&spaces).into_iter().filter(|span| span.node.role() != Some(&Role::Payload));
    spans.map(|span| (span.path.clone(), format!("{:?}", span.node.value()))).collect()
}

#[test]
fn mutants_are_accepted_with_another_structure() {
    let files: Vec<Vec<u8>> =
        (0..60).map(|seed| valid(&mut Choices::seeded(seed), 4096)).map(|whole| whole.bytes).collect();
    let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
    let (mut all, mut accepted) = (0, 0);
    for (seed, file) in files.iter().enumerate().filter(|(_, file)| !FileParts::take_apart(file).unwrap().is_sparse()) {
        let was = structure(file);
        for round in 0..5 {
            let mutant = mutate(&super::DRIVER, file, &how, &mut Choices::seeded(seed as u64 * 5 + round)).bytes;
            let report = Checker::new().check_slice(&mutant).unwrap();
            let is_accepted = report.findings().iter().all(|finding| finding.severity != Severity::Error);
            all += 1;
            accepted += u64::from(is_accepted && structure(&mutant) != was);
        }
    }
    assert!(accepted * 100 >= all * 65, "{accepted} of {all}");
}

/// A feature of valid files, and the minimum number of files per thousand that have it.
type Feature = (&'static str, u64, fn(&FileParts) -> bool);

fn has_chunk(draft: &FileParts, is: impl Fn(&ChunkHeader) -> bool) -> bool {
    let headers = draft.chunks.iter().map(|chunk| read(Source::new(chunk), Endian::Little, ()).unwrap());
    headers.into_iter().any(|header: ChunkHeader| is(&header))
}

fn has_blocks(draft: &FileParts, is: impl Fn(&ChunkHeader) -> bool) -> bool {
    let is_made = |header: &ChunkHeader| special(header) == Special::NONE && !header.flags.stored();
    has_chunk(draft, |header| is_made(header) && is(header))
}

fn special(header: &ChunkHeader) -> Special {
    header.extension.as_ref().map_or(Special::NONE, |extension| extension.chunk_kind.special())
}

fn has_codec(draft: &FileParts, codec: Codec) -> bool {
    has_blocks(draft, |header| header.extension.as_ref().is_some_and(|extension| extension.codec == codec))
}

fn has_filter(draft: &FileParts, filter: FilterId) -> bool {
    let has = |header: &ChunkHeader| header.extension.as_ref().is_some_and(|its| its.filters.0.contains(&filter));
    has_blocks(draft, has)
}

fn axes(draft: &FileParts) -> usize {
    draft.axes().unwrap().len()
}

const FEATURES: [Feature; 36] = [
    ("no axis", 20, |draft| axes(draft) == 0),
    ("one axis", 100, |draft| axes(draft) == 1),
    ("two axes", 100, |draft| axes(draft) == 2),
    ("three axes", 50, |draft| axes(draft) == 3),
    ("four axes or more", 20, |draft| axes(draft) > 3),
    ("no items", 5, |draft| draft.header.nbytes.0 == 0),
    ("several chunks", 100, |draft| draft.entries.len() > 1),
    ("a chunk beyond the array", 20, |draft| draft.axes().unwrap().iter().any(|axis| axis[1] > axis[0])),
    ("several blocks", 100, |draft| draft.axes().unwrap().iter().any(|axis| axis[2] < axis[1])),
    ("no dtype", 10, |draft| draft.array_layer().unwrap().1.dtype.is_none()),
    ("items of over 255 bytes", 5, |draft| draft.header.typesize.0 > 255),
    ("stored", 100, |draft| has_chunk(draft, |header| header.flags.stored())),
    ("blosclz", 50, |draft| has_codec(draft, Codec::BLOSCLZ)),
    ("LZ4", 50, |draft| has_codec(draft, Codec::LZ4)),
    ("LZ4HC", 50, |draft| has_codec(draft, Codec::LZ4HC)),
    ("zlib", 50, |draft| has_codec(draft, Codec::ZLIB)),
    ("zstd", 50, |draft| has_codec(draft, Codec::ZSTD)),
    ("shuffle", 50, |draft| has_filter(draft, FilterId::SHUFFLE)),
    ("bitshuffle", 50, |draft| has_filter(draft, FilterId::BITSHUFFLE)),
    ("delta", 20, |draft| has_filter(draft, FilterId::DELTA)),
    ("bytedelta", 50, |draft| has_filter(draft, FilterId::BYTEDELTA)),
    ("truncations", 50, |draft| has_filter(draft, FilterId::TRUNC_PREC) || has_filter(draft, FilterId::INT_TRUNC)),
    ("split", 50, |draft| has_blocks(draft, |header| !header.flags.not_split())),
    ("a dictionary", 20, |draft| {
        has_blocks(draft, |header| header.extension.as_ref().is_some_and(|its| its.chunk_kind.dictionary()))
    }),
    // Only chunks that C-Blosc2 reads completely may be like this.
    ("Blosc 1", 5, |draft| has_chunk(draft, |header| header.version == ChunkVersion::BLOSC1)),
    ("the beta", 10, |draft| has_chunk(draft, |header| header.version == ChunkVersion::BETA)),
    ("zeros", 20, |draft| has_chunk(draft, |header| special(header) == Special::ZEROS)),
    ("NaN", 5, |draft| has_chunk(draft, |header| special(header) == Special::NAN)),
    ("one value", 20, |draft| has_chunk(draft, |header| special(header) == Special::VALUE)),
    ("uninitialised", 5, |draft| has_chunk(draft, |header| special(header) == Special::UNINITIALISED)),
    ("nowhere", 20, |draft| draft.entries.iter().any(|entry| matches!(entry, Place::Other(_)))),
    ("an index of blocks", 50, |draft| matches!(draft.index, IndexForm::Blocks(_))),
    ("an index of one value", 20, |draft| draft.index == IndexForm::Same),
    ("metalayers", 50, |draft| draft.layers.len() > 1),
    ("attributes", 50, |draft| !draft.attributes.is_empty()),
    ("sparse", 50, FileParts::is_sparse),
];

#[test]
fn valid_files_have_every_feature() {
    let drafts = (0..1000).map(|seed| valid(&mut Choices::seeded(seed), 4096));
    let drafts = drafts.map(|whole| FileParts::take_folder_apart(&whole.bytes, &whole.others).unwrap());
    let drafts: Vec<FileParts> = drafts.collect();
    let count = |has: fn(&FileParts) -> bool| drafts.iter().filter(|draft| has(draft)).count() as u64;
    let rare = FEATURES.iter().map(|(name, least, has)| (*name, *least, count(*has)));
    let rare: Vec<_> = rare.filter(|(_, least, count)| count < least).collect();
    assert!(rare.is_empty(), "what, at least, and in how many files: {rare:?}");
}

#[test]
fn operations_do_not_panic_on_damaged_files() {
    let driver = &super::DRIVER;
    let facts = ["typesize", "chunks[0].header.blocksize", "metalayers.contents[0].array.shape.extents[0]"];
    for seed in 0..2000 {
        let mut choices = Choices::seeded(seed);
        let mut file = valid(&mut choices, 1024).bytes;
        for _ in 0..choices.from_to(1, 3) {
            let at = choices.index(file.len());
            file[at] = *choices.pick(&[0, 1, 0x7f, 0x80, 0xff]);
        }
        let operation = *choices.pick(driver.operations());
        let made = driver.operate(operation, &file, &mut choices).unwrap_or_else(|| file.clone());
        for fact in facts {
            driver.agree(&made, &file, fact);
            driver.agree(&file, &made, fact);
        }
    }
}
