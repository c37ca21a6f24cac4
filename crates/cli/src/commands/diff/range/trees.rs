//! The files of two commits, as a checkout would write them.
//!
//! Both versions are read from git's objects and written to a scratch directory under their own names, without touching
//! the working tree or the index. Names in a pull request come from a stranger, so they never become options of git,
//! and never lead out of the scratch directory.

use crate::commands::git::run::{Failed, git_bytes, git_to_file};
use crate::values::list::path;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

/// The file that identifies a directory as a sparse frame.
const FRAME_FILE: &str = "chunks.b2frame";

/// The maximum number of names to try for a scratch directory.
const TRIES: u32 = 1000;

/// The regular files of a commit by path, each with the object name of its content. Links and submodules are left out.
pub struct Tree(BTreeMap<PathBuf, String>);

/// A file that differs between two commits, or that only one of them has.
pub struct Change {
    pub old: PathBuf,
    pub new: PathBuf,
}

/// Resolves the name of a commit to a form that git cannot mistake for an option.
pub fn commit(name: &str) -> Result<String, Failed> {
    let wanted = format!("{name}^{{commit}}");
    let found = git_bytes(["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted].map(OsString::from))?;
    Ok(String::from_utf8_lossy(&found).trim().to_owned())
}

/// Returns the merge base of two commits.
pub fn merge_base(one: &str, other: &str) -> Result<String, Failed> {
    let found = git_bytes(["merge-base", one, other].map(OsString::from))?;
    Ok(String::from_utf8_lossy(&found).trim().to_owned())
}

/// Returns the files that differ between two commits.
pub fn changes(base: &str, head: &str) -> Result<Vec<Change>, Failed> {
    let options = ["diff", "-z", "--name-status", "--find-renames", "--diff-filter=AMRD", "--no-relative", base, head];
    let said = git_bytes(options.map(OsString::from))?;
    let mut parts = said.split(|&byte| byte == 0).map(<[u8]>::to_vec);
    let mut found = Vec::new();
    while let (Some(status), Some(old)) = (parts.next().filter(|status| !status.is_empty()), parts.next()) {
        let new = if status.starts_with(b"R") { parts.next() } else { Some(old.clone()) };
        // A path that this system cannot represent is not in a checkout either.
        if let (Some(old), Some(new)) = (path(old), new.and_then(path)) {
            found.push(Change { old, new });
        }
    }
    Ok(found)
}

impl Tree {
    /// Lists the files of a commit with `git ls-tree`. Names are byte strings separated by NUL, so their boundaries are
    /// always clear.
    pub fn of(commit: &str) -> Result<Tree, Failed> {
        let said = git_bytes(["ls-tree", "-r", "-z", "--full-tree", commit].map(OsString::from))?;
        let entry = |line: &[u8]| {
            let end = line.iter().position(|&byte| byte == b'\t')?;
            let about = String::from_utf8(line[..end].to_vec()).ok()?;
            let mut about = about.split(' ');
            let is_file = about.next()?.starts_with("100") && about.next()? == "blob";
            Some((path(line[end + 1..].to_vec())?, about.next()?.to_owned())).filter(|_| is_file)
        };
        Ok(Tree(said.split(|&byte| byte == 0).filter_map(entry).collect()))
    }

    /// Returns whether a directory is a sparse frame in this commit.
    pub fn has_frame(&self, folder: &Path) -> bool {
        self.0.contains_key(&folder.join(FRAME_FILE))
    }

    /// Writes a file, or the files of a directory, into a new directory. Returns its path there, or `None` if this path
    /// does not exist in the commit.
    pub fn put(&self, path: &Path, folder: &Path) -> Result<Option<PathBuf>, Failed> {
        let Some(name) = path.file_name() else { return Ok(None) };
        let target = folder.join(name);
        if let Some(content) = self.0.get(path) {
            write(path, content, &target)?;
            return Ok(Some(target));
        }
        let below = self.0.range(path.to_owned()..).take_while(|(file, _)| file.starts_with(path));
        let mut is_there = false;
        for (file, content) in below {
            let Ok(inside) = file.strip_prefix(path) else { continue };
            // A malicious tree may contain names that lead elsewhere.
            if inside.components().all(|part| matches!(part, Component::Normal(_))) {
                write(file, content, &target.join(inside))?;
                is_there = true;
            }
        }
        Ok(is_there.then_some(target))
    }

    /// Writes a file of the commit to another path. Returns whether it exists.
    pub fn put_as(&self, path: &Path, target: &Path) -> Result<bool, Failed> {
        match self.0.get(path) {
            Some(content) => write(path, content, target).map(|()| true),
            None => Ok(false),
        }
    }
}

/// Writes an object as it would be in a checkout, after the filters for its path.
pub fn write(path: &Path, content: &str, target: &Path) -> Result<(), Failed> {
    let made = target.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| File::create_new(target));
    let file = made.map_err(|error| Failed(format!("the file cannot be written: {error}")))?;
    let mut of = OsString::from("--path=");
    of.push(path);
    git_to_file([OsString::from("cat-file"), OsString::from("--filters"), of, OsString::from(content)], file)
}

/// A private temporary directory, which is removed with its content.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Creates a directory that only this user can enter, because the repository may be private.
    pub fn new() -> io::Result<Scratch> {
        #[allow(unused_mut, reason = "elsewhere, there is nothing to set")]
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        for number in 0..TRIES {
            let path = std::env::temp_dir().join(format!("ndbytes-{}-{number}", std::process::id()));
            match builder.create(&path) {
                Ok(()) => return Ok(Scratch(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Returns the path of the directory.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
