//! Files of a store: the directory that python-blosc2 makes.

use super::asked::{Asked, nameless};
use crate::bounds::limits;
use crate::random::Random;
use ndbytes::archive::{Archive, is_store};
use ndbytes::{Checker, Error, Input, Options};
use std::fs;

/// The files of the store with the bytes of the input.
const NAMES: [&str; 4] = ["embed.b2e", "a.b2nd", "group/b.npy", "group/deep/c"];

/// Asserts that each member of a store is the file at its address, and that its part of the report is the report on that file.
pub fn examine(asked: &Asked<'_>, random: &mut Random) {
    if asked.is_zip() {
        return;
    }
    for (place, name) in NAMES.iter().enumerate() {
        let length = if place == 0 || random.one_in(2) { asked.bytes.len() } else { asked.bytes.len() / 2 };
        asked.folder.put(format!("store.b2d/{name}"), &asked.bytes[..length]);
    }
    asked.folder.put("store.b2d/notes.txt", b"a text");
    let root = asked.folder.path().join("store.b2d");
    assert!(is_store(&root));
    let archive = Archive::open(&root, limits()).expect("all files of the store can be read");
    assert_eq!(archive.entries(), NAMES.len() as u64 + 1);
    let checker = Checker::new().limits(limits());
    let report = checker.check(&root).expect("all files of the store can be read");
    let parts: Vec<_> = report.parts().filter(|part| part.member.is_some()).collect();
    assert_eq!(parts.len(), archive.members().len());
    for (member, part) in archive.members().iter().zip(parts) {
        let address = archive.address(member);
        let loaded = archive.load(member).expect("it was there before");
        assert_eq!(loaded.length(), member.length());
        assert!(loaded.bytes().expect("it can be read") == fs::read(&address).expect("it can be read"));
        let alone = checker.check(&address).expect("it was there before");
        assert_eq!(part.member, Some(member.name()));
        assert_eq!(nameless(part.findings), alone.findings());
    }
    // A store is not a file, so the error names its members.
    let opened = Options::new().limits(limits()).open(&root).err();
    let has_members = !archive.members().is_empty();
    assert!(matches!(opened, Some(Error::Archive { .. })) == has_members, "{opened:?}");
    assert!(Input::open(asked.folder.path().join("none"), limits()).is_err());
}
