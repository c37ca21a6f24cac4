//! Lists of paths. They are read one by one, so a list need not fit into memory.

use crate::context::{StandardInput, lock};
use crate::show::text::{self, is_standard};
use ndbytes::internals::door;
use ndbytes::walk::{Problem, Start, Starts};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The arguments of subcommands that accept lists of paths.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Which files")]
pub struct Listed {
    /// Read more paths from LIST, one per line; `-` is standard input. Listed files may be in unknown formats.
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,
    /// Each path in LIST ends with a zero byte instead of a newline, as printed by `find -print0`.
    #[arg(short = '0', long, requires = "files_from")]
    null: bool,
}

impl Listed {
    /// Returns the paths in the arguments and in the list.
    ///
    /// # Errors
    /// A message about a list that cannot be opened.
    pub fn starts<'a>(&'a self, named: &'a [PathBuf], input: &'a StandardInput<'a>) -> Result<Starts<'a>, String> {
        let paths = named.iter().map(|path| Ok(Start::named(path)));
        Ok(match &self.files_from {
            Some(list) => Box::new(paths.chain(read(list, self.null, input)?)),
            None => Box::new(paths),
        })
    }

    /// Returns why standard input cannot be the list, if one of the paths is also standard input.
    pub fn refusal(&self, named: &[PathBuf]) -> Option<&'static str> {
        let is_twice = self.files_from.as_deref().is_some_and(is_standard) && named.iter().any(|it| is_standard(it));
        is_twice.then_some("standard input cannot be both the list and a file of it")
    }
}

/// The maximum length of a path in bytes. Operating systems allow less.
const LONGEST: u64 = 1 << 16;

/// Reads the paths in a list: one per line, or each followed by a zero byte.
fn read<'a>(
    list: &Path,
    null: bool,
    input: &'a StandardInput<'a>,
) -> Result<impl Iterator<Item = Result<Start, Problem>> + Send + 'a, String> {
    let shown = text::path(list);
    let source: Box<dyn Read + Send + 'a> = match is_standard(list) {
        true => Box::new(Standard(input)),
        false => Box::new(door::named(list).map_err(|error| format!("{shown}: {error}"))?),
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
                    return problem(format!(
                        "has a path of more than {LONGEST} bytes; the rest of the list is ignored"
                    ));
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

/// Returns the path with these bytes; `None` if no path on this system can have them.
#[cfg(unix)]
pub fn path(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

/// Returns the path with these bytes; `None` if no path on this system can have them.
#[cfg(not(unix))]
pub fn path(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// Standard input, shared with other threads.
struct Standard<'a>(&'a StandardInput<'a>);

impl Read for Standard<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        lock(self.0).read(buffer)
    }
}
