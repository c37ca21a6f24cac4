//! Writes generated files to a directory that was empty or did not exist, or to an unused path.
//!
//! Generated files are broken on purpose. They must not replace good files, or end up among them, so the directory must
//! be new or empty. `--max-output` bounds all files together, and the manifest is appended line by line.

use crate::context::{Context, Outcome};
use crate::show::text::{self, is_standard};
use ndbytes_forge::Forged;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The directory of the generated files.
pub struct Folder {
    path: PathBuf,
    /// The number of bytes that may still be written.
    left: u64,
    limit: u64,
}

/// The reason why something cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("{} is not empty: name a new or an empty directory", text::path(_0))]
    NotEmpty(PathBuf),
    #[error("{} exists, and is never replaced", text::path(_0))]
    Taken(PathBuf),
    #[error("the files take more than {_0} bytes, the maximum output: `--max-output` allows more")]
    Limit(u64),
    #[error("cannot write {}: {_1}", text::path(_0))]
    Io(PathBuf, io::Error),
}

impl Folder {
    /// Creates the directory, or uses an existing one if it is empty.
    pub fn new(path: &Path, limit: u64) -> Result<Self, Refusal> {
        let io = |error| Refusal::Io(path.to_owned(), error);
        fs::create_dir_all(path).map_err(io)?;
        if fs::read_dir(path).map_err(io)?.next().is_some() {
            return Err(Refusal::NotEmpty(path.to_owned()));
        }
        Ok(Folder { path: path.to_owned(), left: limit, limit })
    }

    /// Writes a file, or a directory of files.
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

    /// Appends bytes to a file in the directory, so it need not be kept in memory. The first call creates the file.
    pub fn append(&mut self, name: &str, bytes: &[u8]) -> Result<(), Refusal> {
        self.debit(bytes)?;
        let path = self.path.join(name);
        let opened = OpenOptions::new().create(true).append(true).open(&path);
        opened.and_then(|mut file| file.write_all(bytes)).map_err(|error| Refusal::Io(path, error))
    }

    /// Charges the bytes of a file to the budget for output.
    fn debit(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or(Refusal::Limit(self.limit))?;
        Ok(())
    }
}

/// Writes a file to an unused path.
fn create(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    let made = File::create_new(path).and_then(|mut file| file.write_all(bytes));
    made.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Refusal::Taken(path.to_owned()),
        _ => Refusal::Io(path.to_owned(), error),
    })
}

/// Writes the only file of a command to an unused path; `-` is standard output.
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

/// Reports why nothing was written.
pub fn refuse(refusal: &Refusal, context: &mut Context<'_>) -> io::Result<Outcome> {
    context.complain(&refusal.to_string())?;
    Ok(match refusal {
        Refusal::Limit(_) => Outcome::Findings,
        _ => Outcome::Unreadable,
    })
}
