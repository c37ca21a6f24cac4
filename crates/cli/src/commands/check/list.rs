//! Lists of paths: one after the other, never as a whole.

use crate::context::{StandardInput, lock};
use crate::show::text::{self, is_standard};
use ndbytes::walk::{Problem, Start};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The longest path, in bytes. Systems allow less.
const LONGEST: u64 = 1 << 16;

/// The paths in a list: a line each, or each with a zero byte after it.
pub fn read<'a>(
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

#[cfg(unix)]
fn path(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt;
    Some(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn path(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// Standard input, which other threads may wait for.
struct Standard<'a>(&'a StandardInput<'a>);

impl Read for Standard<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        lock(self.0).read(buffer)
    }
}
