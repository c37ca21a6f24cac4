//! Lists of paths: one after the other, never as a whole.

use crate::context::{StandardInput, lock};
use crate::show::text::{self, is_standard};
use ndbytes::walk::{Problem, Start, Starts};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The arguments of subcommands that take lists of paths.
#[derive(Debug, Default, clap::Args)]
pub struct Listed {
    /// A file with further paths, a line each; `-` is standard input. It may have any length. Its files may be of any
    /// format, as those in folders.
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
    /// The paths in the list end with a zero byte, as `find -print0` writes them.
    #[arg(short = '0', long, requires = "files_from")]
    null: bool,
}

impl Listed {
    /// The paths that are named, and those in the list.
    ///
    /// # Errors
    /// A sentence on a list that cannot be opened.
    pub fn starts<'a>(&'a self, named: &'a [PathBuf], input: &'a StandardInput<'a>) -> Result<Starts<'a>, String> {
        let paths = named.iter().map(|path| Ok(Start::named(path)));
        Ok(match &self.files_from {
            Some(list) => Box::new(paths.chain(read(list, self.null, input)?)),
            None => Box::new(paths),
        })
    }

    /// The reason why standard input cannot be a list, if one of the paths is standard input, too.
    pub fn refusal(&self, named: &[PathBuf]) -> Option<&'static str> {
        let is_twice = self.files_from.as_deref().is_some_and(is_standard) && named.iter().any(|it| is_standard(it));
        is_twice.then_some("standard input cannot be both the list and a file of it")
    }
}

/// The longest path, in bytes. Systems allow less.
const LONGEST: u64 = 1 << 16;

/// The paths in a list: a line each, or each with a zero byte after it.
fn read<'a>(
    list: &Path,
    null: bool,
    input: &'a StandardInput<'a>,
) -> Result<impl Iterator<Item = Result<Start, Problem>> + Send + 'a, String> {
    let shown = text::path(list);
    let source: Box<dyn Read + Send + 'a> = match is_standard(list) {
        true => Box::new(Standard(input)),
        false => Box::new(File::open(list).map_err(|error| format!("{shown}: {error}"))?),
    };
    let mut source = Some(BufReader::new(source));
    let end = if null { 0 } else { b'\n' };
    Ok(std::iter::from_fn(move || {
        loop {
            let mut bytes = Vec::new();
            let problem = |reason: String| Some(Err(Problem::of_list(format!("the list {shown} {reason}"))));
            match source.as_mut()?.by_ref().take(LONGEST).read_until(end, &mut bytes) {
                Ok(0) => return None,
                Ok(length) if length as u64 == LONGEST && !bytes.ends_with(&[end]) => {
                    source = None;
                    return problem(format!("has a path of more than {LONGEST} bytes, so the rest is left out"));
                }
                Ok(_) => {}
                Err(error) => {
                    source = None;
                    return problem(format!("breaks off: {error}"));
                }
            }
            if bytes.ends_with(&[end]) {
                bytes.pop();
            }
            if !null && bytes.ends_with(b"\r") {
                bytes.pop();
            }
            if bytes.is_empty() {
                continue;
            }
            return match path(bytes) {
                Some(path) if is_standard(&path) => problem("names `-`; `./-` is the file of that name".to_owned()),
                Some(path) => Some(Ok(Start::listed(path))),
                None => problem("has a path that is not UTF-8".to_owned()),
            };
        }
    }))
}

/// The path of these bytes, or `None` if the system has no such path.
#[cfg(unix)]
pub fn path(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

/// The path of these bytes, or `None` if the system has no such path.
#[cfg(not(unix))]
pub fn path(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// Standard input, which other threads may wait for.
struct Standard<'a>(&'a StandardInput<'a>);

impl Read for Standard<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        lock(self.0).read(buffer)
    }
}
