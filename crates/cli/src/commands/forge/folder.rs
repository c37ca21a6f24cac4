//! The files that are made: in a folder that was empty or absent, or at a place where nothing was.

use crate::context::{Context, Outcome};
use crate::show::text::{self, is_standard};
use ndbytes_forge::Forged;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The folder of what is made.
pub struct Folder {
    path: PathBuf,
    /// Bytes that may still be written.
    left: u64,
    limit: u64,
}

/// The reason why something is not written.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("{} is not empty: files are only made in a new or an empty folder", text::path(_0))]
    NotEmpty(PathBuf),
    #[error("{} is there already, and is never replaced", text::path(_0))]
    Taken(PathBuf),
    #[error("the files have more than {_0} bytes, the maximum size of the output: `--max-output` allows more")]
    Limit(u64),
    #[error("cannot write {}: {_1}", text::path(_0))]
    Io(PathBuf, io::Error),
}

impl Folder {
    /// Makes the folder, or takes one that is empty.
    pub fn new(path: &Path, limit: u64) -> Result<Self, Refusal> {
        let io = |error| Refusal::Io(path.to_owned(), error);
        fs::create_dir_all(path).map_err(io)?;
        if fs::read_dir(path).map_err(io)?.next().is_some() {
            return Err(Refusal::NotEmpty(path.to_owned()));
        }
        Ok(Folder { path: path.to_owned(), left: limit, limit })
    }

    /// Writes a file, or a folder of files.
    pub fn put(&mut self, name: &str, forged: &Forged) -> Result<(), Refusal> {
        if forged.others.is_empty() {
            return self.put_bytes(name, &forged.bytes);
        }
        let folder = self.path.join(name);
        fs::create_dir(&folder).map_err(|error| Refusal::Io(folder.clone(), error))?;
        for (file, bytes) in forged.files() {
            self.put_bytes(&format!("{name}/{file}"), bytes)?;
        }
        Ok(())
    }

    /// Writes one file.
    pub fn put_bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), Refusal> {
        self.debit(bytes)?;
        create(&self.path.join(name), bytes)
    }

    /// Adds bytes to a file of the folder, which is made by the first ones: it never has to be held in memory.
    pub fn append(&mut self, name: &str, bytes: &[u8]) -> Result<(), Refusal> {
        self.debit(bytes)?;
        let path = self.path.join(name);
        let opened = OpenOptions::new().create(true).append(true).open(&path);
        opened.and_then(|mut file| file.write_all(bytes)).map_err(|error| Refusal::Io(path, error))
    }

    fn debit(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or(Refusal::Limit(self.limit))?;
        Ok(())
    }
}

/// Writes a file where nothing was.
fn create(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    let made = File::create_new(path).and_then(|mut file| file.write_all(bytes));
    made.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Refusal::Taken(path.to_owned()),
        _ => Refusal::Io(path.to_owned(), error),
    })
}

/// Writes the one file of a command where nothing was; `-` is standard output.
pub fn new_file(path: &Path, bytes: &[u8], context: &mut Context<'_>) -> io::Result<Outcome> {
    if is_standard(path) {
        context.out.machine().write_all(bytes)?;
        return Ok(Outcome::Clean);
    }
    let refusal = match bytes.len() as u64 > context.limits.output {
        true => Err(Refusal::Limit(context.limits.output)),
        false => create(path, bytes),
    };
    match refusal {
        Ok(()) => Ok(Outcome::Clean),
        Err(refusal) => refuse(&refusal, context),
    }
}

/// Says why nothing was written.
pub fn refuse(refusal: &Refusal, context: &mut Context<'_>) -> io::Result<Outcome> {
    context.complain(&refusal.to_string())?;
    Ok(match refusal {
        Refusal::Limit(_) => Outcome::Findings,
        _ => Outcome::Unreadable,
    })
}
