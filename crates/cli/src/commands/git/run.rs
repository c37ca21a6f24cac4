//! Runs git and returns its output.
//!
//! git is called as a program, with arguments as a list, never through a shell. Names of commits and files come after
//! `--end-of-options` or `--`. Output is separated by NUL, because a path may contain anything else.

use crate::show::text::is_standard;
use ndbytes::Format;
use ndbytes::names::{Content, forms};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The name of the driver in git's configuration and in .gitattributes.
pub const DRIVER: &str = "ndbytes";

/// The command that shows exactly what differs.
pub const COMMAND: &str = "ndbytes diff --git-driver --";

/// The command that creates the text. git caches texts by command, so a new form needs a new command. git appends the
/// file name, which may begin with a hyphen.
pub const TEXTCONV: &str = "ndbytes git textconv --form 2 --";

/// The configuration of the drivers: key, value and purpose.
pub const CONFIG: &[(&str, &str, &str)] = &[
    ("diff.ndbytes.command", COMMAND, "git diff shows what differs; log -p and show do so with --ext-diff."),
    ("diff.ndbytes.textconv", TEXTCONV, "Files become text in show, log -p, blame, and grep --textconv."),
    ("diff.ndbytes.cachetextconv", "true", "Texts are kept in refs/notes/textconv/ndbytes."),
    ("diff.ndbytes.xfuncname", "^([A-Za-z_][^:]*):", "Hunk headers show the field above a change."),
    ("difftool.ndbytes.cmd", "ndbytes diff --git-driver -- \"$LOCAL\" \"$REMOTE\"", "git difftool -y -t ndbytes"),
    #[cfg(feature = "convert")]
    ("merge.ndbytes.name", "items of arrays and rows of tables", "The name that git shows while it merges."),
    #[cfg(feature = "convert")]
    ("merge.ndbytes.driver", "ndbytes merge --git-driver -- %O %A %B %P", "Changes that do not overlap are merged."),
    #[cfg(feature = "convert")]
    (
        "mergetool.ndbytes.cmd",
        "ndbytes merge --conflicts ask --force --out \"./$MERGED\" -- \"$BASE\" \"$LOCAL\" \"$REMOTE\"",
        "git mergetool -t ndbytes asks for each conflict.",
    ),
    #[cfg(feature = "convert")]
    ("mergetool.ndbytes.trustExitCode", "true", "Only a file without conflicts counts as merged."),
];

/// Values from earlier versions, which `setup` replaces. With them, `git diff` failed for a name that begins with a hyphen, and a
/// file named `-` was mistaken for standard input or standard output. Rows of form 1 begin with their indices.
pub const EARLIER: [(&str, &str); 6] = [
    ("diff.ndbytes.textconv", "ndbytes textconv --form 1"),
    ("diff.ndbytes.textconv", "ndbytes textconv --form 1 --"),
    ("diff.ndbytes.textconv", "ndbytes git textconv --form 1 --"),
    ("difftool.ndbytes.cmd", "ndbytes diff --exit-zero \"$LOCAL\" \"$REMOTE\""),
    ("difftool.ndbytes.cmd", "ndbytes diff --exit-zero -- \"$LOCAL\" \"$REMOTE\""),
    (
        "mergetool.ndbytes.cmd",
        "ndbytes merge --conflicts ask --force --out \"$MERGED\" -- \"$BASE\" \"$LOCAL\" \"$REMOTE\"",
    ),
];

/// The attributes of files that the merge driver accepts, which contain arrays or tables.
const MERGED: &[&str] = if cfg!(feature = "convert") { &["diff", "merge"] } else { &["diff"] };

/// Returns the patterns for .gitattributes, which cover the file names of all known formats, and the attributes that name the
/// drivers. Drivers that do not suit a format are left out, since a frame need not contain an array, and tensors are not merged.
pub fn patterns() -> impl Iterator<Item = (String, &'static [&'static str])> {
    forms().flat_map(|(form, content)| {
        let is_file = matches!(content, Content::File(_));
        let globs = form.globs();
        let packed: Vec<String> = globs.iter().filter(|_| is_file).map(|glob| format!("{glob}.gz")).collect();
        let is_merged = !matches!(content, Content::Frame | Content::File(Format::Safetensors | Format::Gguf));
        globs.into_iter().chain(packed).map(move |glob| (glob, if is_merged { MERGED } else { &["diff"] }))
    })
}

/// Returns the path of a file that git has named. A tracked file may be called `-`, which otherwise means standard
/// input.
pub fn named(path: &Path) -> &Path {
    if is_standard(path) { Path::new("./-") } else { path }
}

/// The reason why git cannot be used.
pub struct Failed(pub String);

/// Returns the output of git.
pub fn git(arguments: &[&str]) -> Result<String, Failed> {
    let output = Command::new("git").args(arguments).output().map_err(|error| not_run(&error))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failed(format!("git {} failed: {}", arguments.join(" "), said.trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the output of git. The arguments need not be valid Unicode.
pub fn git_bytes(arguments: impl IntoIterator<Item = OsString>) -> Result<Vec<u8>, Failed> {
    let output = Command::new("git").args(arguments).output().map_err(|error| not_run(&error))?;
    if output.status.success() { Ok(output.stdout) } else { Err(refused(&output.stderr)) }
}

/// Writes the output of git to a file.
pub fn git_to_file(arguments: impl IntoIterator<Item = OsString>, file: File) -> Result<(), Failed> {
    let output = Command::new("git").args(arguments).stdout(file).stderr(Stdio::piped()).spawn();
    let output = output.and_then(std::process::Child::wait_with_output).map_err(|error| not_run(&error))?;
    if output.status.success() { Ok(()) } else { Err(refused(&output.stderr)) }
}

/// Returns the error for a failed git command, with the message of git.
fn refused(said: &[u8]) -> Failed {
    let said = String::from_utf8_lossy(said);
    let said = said.trim();
    Failed(format!("git failed: {}", if said.is_empty() { "no such commit" } else { said }))
}

/// Returns the root directory of the work tree. It is relative to the working directory, so names of directories above
/// need not be valid Unicode.
pub fn root() -> Result<PathBuf, Failed> {
    // Outside a work tree, git refuses the first option. The last line answers the second.
    let said = git(&["rev-parse", "--show-toplevel", "--show-cdup"])?;
    let up = said.strip_suffix('\n').and_then(|said| said.rsplit_once('\n')).map_or("", |(_, up)| up);
    Ok(Path::new(".").join(up))
}

/// Returns the value of a key; `None` if it is not set.
pub fn config(key: &str) -> Result<Option<String>, Failed> {
    let output = Command::new("git").args(["config", "--get", key]).output().map_err(|error| not_run(&error))?;
    let value = String::from_utf8_lossy(&output.stdout);
    Ok(output.status.success().then(|| value.trim_end_matches('\n').to_owned()))
}

/// Returns the output of git for this standard input.
pub fn git_with_input(arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, Failed> {
    let command = Command::new("git").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = command.map_err(|error| not_run(&error))?;
    let mut stdin = child.stdin.take();
    // git answers before it has read all of its input, so a single thread for both would deadlock.
    let output = std::thread::scope(|scope| {
        let write = move || stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(input));
        // If no thread can be started, the function that would write is dropped, which closes standard input.
        let writing = std::thread::Builder::new().spawn_scoped(scope, write);
        let output = child.wait_with_output();
        writing.map(|writing| drop(writing.join())).and(output)
    });
    output.map(|output| output.stdout).map_err(|error| not_run(&error))
}

/// Returns the error for a git that cannot be started.
fn not_run(error: &io::Error) -> Failed {
    Failed(format!("git cannot be run: {error}"))
}
