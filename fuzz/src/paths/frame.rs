//! Arrays with chunks as files in a directory, in which one file is damaged.

use super::asked::Asked;
use crate::bounds::limits;
use crate::bytes::{is_accepted, tile};
use crate::random::Random;
use crate::reading::SMALL;
use ndbytes::b2nd::{Options, Writer, is_sparse_frame};
use ndbytes::{Checker, Depth, Error, Input};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Asserts that the same array in a directory has the same items. After a file has been damaged, the array is opened if
/// and only if its structure has no error, and read if no chunk has one.
pub fn examine(asked: &Asked<'_>, random: &mut Random) {
    let Ok(array) = Options::new().limits(limits()).from_slice(asked.bytes) else { return };
    if !asked.has_format() || array.len().saturating_mul(array.item_type().stride()) > SMALL as u64 {
        return;
    }
    let Ok(bytes) = array.to_bytes() else { return };
    let folder = asked.folder.path().join("array.b2nd");
    let writer = Writer::like(&array).limits(limits()).sparse(true);
    match writer.write_bytes(&folder, array.shape(), array.item_type(), &bytes) {
        Ok(()) => {}
        Err(Error::Inexpressible { .. } | Error::Limit { .. }) => return,
        Err(error) => panic!("{error}"),
    }
    assert!(is_sparse_frame(&folder));
    let same = Options::new().limits(limits()).open(&folder).expect("it was written");
    assert!(same.is_sparse() && same.to_bytes().expect("it was written") == bytes, "the items in the folder");
    let files = fs::read_dir(&folder).expect("it was written").map(|entry| entry.expect("it was written").path());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    let victim = &files[random.below(files.len() as u64) as usize];
    damage(victim, asked.bytes, random).expect("scratch files can be changed");
    examine_damaged(&folder);
}

/// Removes a file, replaces it with a link, a directory or other bytes, or adds another file next to it.
fn damage(file: &Path, other: &[u8], random: &mut Random) -> io::Result<()> {
    let mut bytes = fs::read(file)?;
    let place = random.below(bytes.len() as u64) as usize;
    match random.below(8) {
        0 => fs::remove_file(file),
        1 => {
            let target = file.with_extension("target");
            fs::rename(file, &target)?;
            std::os::unix::fs::symlink(&target, file)
        }
        2 => {
            fs::remove_file(file)?;
            fs::create_dir(file)
        }
        3 => fs::write(file, &bytes[..place]),
        4 => fs::write(file, [&bytes[..], &[0]].concat()),
        5 => fs::write(file, other),
        6 => fs::write(file.with_file_name("0000000A.chunk"), other),
        _ => {
            bytes[place] = random.next() as u8;
            fs::write(file, bytes)
        }
    }
}

fn examine_damaged(folder: &Path) {
    if !is_sparse_frame(folder) {
        return;
    }
    let checker = Checker::new().limits(limits());
    let report = checker.check(folder).expect("a folder can be judged, whatever is in it");
    let structure = checker.depth(Depth::Structure).check(folder).expect("as before");
    assert!(structure.verdict() <= report.verdict(), "{structure:?} {report:?}");
    if let Ok(map) = Input::open(folder, limits()).and_then(|input| checker.byte_map(input)) {
        tile(&map);
    }
    let opened = Options::new().limits(limits()).open(folder);
    assert_eq!(opened.is_ok(), is_accepted(&structure), "{opened:?}, but {structure:?}");
    let Ok(array) = opened else { return };
    match array.to_bytes() {
        Ok(_) | Err(Error::Limit { .. }) => {}
        Err(error) => assert!(!is_accepted(&report), "{error}, but {report:?}"),
    }
}
