//! Seals of directories, and arbitrary bytes as a seal.

use super::tree::Tree;
use crate::bounds::limits;
use crate::random::Random;
use crate::scratch::Folder;
use ndbytes::walk::{Options, Start};
use ndbytes::{Checker, Error, Finding};
use ndbytes_compare::seal::{self, Base, FILE_NAME, Files, HEAD, Seal};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Asserts that arbitrary bytes are either a seal or refused with a line number, and that all listed files are inside
/// the seal's directory and reported as missing.
pub fn examine_text(folder: &Folder, bytes: &[u8]) {
    let path = folder.put(Path::new("text").join(FILE_NAME), bytes);
    let root = folder.path().join("text");
    match Seal::open(&path, limits()) {
        Ok(sealed) => {
            assert!(seal::is_seal(bytes), "it begins with another line");
            let (found, sealed) = files(&root, sealed);
            assert_eq!(found, [] as [PathBuf; 0]);
            let missing: Vec<PathBuf> = sealed.missing().map(|(path, _)| path).collect();
            let lines = bytes.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"file "));
            assert_eq!(missing.len(), lines.count(), "{missing:?}");
            assert!(missing.iter().all(|path| path.starts_with(&root)), "{missing:?}");
        }
        Err(Error::Seal { line, .. }) => assert!(line > 0 && line <= 2 + bytes.len() as u64),
        Err(error) => assert!(matches!(error, Error::Limit { .. }), "{error}"),
    }
}

/// Returns the files that are checked with a seal, and the seal, which has recorded the paths.
fn files(root: &Path, sealed: Seal) -> (Vec<PathBuf>, Arc<Seal>) {
    let sealed = Arc::new(sealed);
    let starts = Box::new([Ok(Start::named(root))].into_iter());
    let files = Files::new(starts, Options::new(), Some(sealed.clone()));
    (files.map(|found| found.expect("all can be listed").path).collect(), sealed)
}

/// Asserts that a seal matches its files, and that exactly the changes are reported.
pub fn examine(tree: &Tree<'_>, folder: &Folder, random: &mut Random) {
    let root = tree.write(folder, "sealed");
    let at = seal::beside(&root);
    let base = Base::of(&at).expect("the folder is there");
    let described = tree.found().into_iter().map(|name| {
        let path = root.join(name);
        let name = base.name(&path).expect("it is below the seal");
        seal::describe(&path, &name, &limits()).expect("it can be read")
    });
    let text: String = [HEAD.to_owned()].into_iter().chain(described).collect();
    fs::write(&at, &text).expect("a scratch file can be written");
    let open = || Seal::open(&at, limits()).expect("it was written so");
    let (found, sealed) = files(&root, open());
    assert_eq!(found, tree.found().iter().map(|name| root.join(name)).collect::<Vec<_>>());
    let checker = Checker::new().limits(limits());
    for path in &found {
        assert!(
            sealed.contains(path) && sealed.compare(path).expect("it can be read").is_empty(),
            "{}",
            path.display()
        );
        let alone = checker.check(path).expect("it can be read");
        assert_eq!(sealed.check(&checker, path).expect("it can be read"), alone);
    }
    assert_eq!(sealed.missing().count(), 0);
    let chosen = tree.chosen(random);
    let (name, bytes) = &tree.files[chosen];
    let around = tree.around(name).expect("a walk finds it");
    let changed = Changed { file: root.join(name), found: root.join(&around), is_in_frame: around != *name };
    match random.below(4) {
        0 => changed.examine_gone(&root, open()),
        1 => examine_new(&root, &open()),
        2 => changed.examine_longer(bytes, &open(), &found),
        _ => changed.examine_byte(bytes, random, &open(), &found),
    }
}

/// A changed file and the path under which a walk finds it.
struct Changed {
    file: PathBuf,
    found: PathBuf,
    is_in_frame: bool,
}

impl Changed {
    fn examine_gone(&self, root: &Path, sealed: Seal) {
        fs::remove_file(&self.file).expect("it was there");
        let (found, sealed) = files(root, sealed);
        assert!(!found.contains(&self.file));
        for path in &found {
            // Without its first file, the directory of a frame contains separate files.
            assert!(sealed.compare(path).expect("it can be read").is_empty(), "{}", path.display());
        }
        let missing: Vec<PathBuf> = sealed.missing().map(|(path, _)| path).collect();
        assert_eq!(missing, std::slice::from_ref(&self.file));
    }

    fn examine_longer(&self, bytes: &[u8], sealed: &Seal, all: &[PathBuf]) {
        fs::write(&self.file, [bytes, b"!"].concat()).expect("a scratch file can be written");
        let findings = self.findings(sealed, all);
        assert!(self.is_in_frame || findings[0].offset == bytes.len() as u64, "{findings:?}");
    }

    fn examine_byte(&self, bytes: &[u8], random: &mut Random, sealed: &Seal, all: &[PathBuf]) {
        let mut bytes = bytes.to_vec();
        let place = random.below(bytes.len() as u64) as usize;
        let Some(byte) = bytes.get_mut(place) else { return };
        *byte ^= 1 << random.below(8);
        fs::write(&self.file, bytes).expect("a scratch file can be written");
        let findings = self.findings(sealed, all);
        let is_there = |finding: &Finding| (finding.offset..finding.offset + finding.length).contains(&(place as u64));
        assert!(self.is_in_frame || matches!(&findings[..], [one] if is_there(one)), "byte {place}: {findings:?}");
    }

    /// Returns the findings about the file and asserts that there are none about the others.
    fn findings(&self, sealed: &Seal, all: &[PathBuf]) -> Vec<Finding> {
        let mut own = Vec::new();
        for path in all {
            let findings = sealed.compare(path).expect("it can be read");
            assert_eq!(findings.is_empty(), *path != self.found, "{}: {findings:?}", path.display());
            assert!(findings.iter().all(|finding| finding.rule.id == "changed"), "{findings:?}");
            own.extend(findings);
        }
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        assert!(!self.is_in_frame || own.iter().all(|finding| finding.field == name), "{own:?}");
        own
    }
}

/// Asserts that a new file is not in the seal.
fn examine_new(root: &Path, sealed: &Seal) {
    let path = root.join("new.npy");
    fs::write(&path, b"new").expect("a scratch file can be written");
    let findings = sealed.compare(&path).expect("it can be read");
    assert!(matches!(&findings[..], [one] if one.message.contains("not in the seal")), "{findings:?}");
    assert!(!sealed.contains(&path) && sealed.is_at(&root.join(FILE_NAME)));
}
