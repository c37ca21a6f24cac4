//! Running git, and what ndbytes asks of it.

use crate::show::text::is_standard;
use ndbytes::names::{Content, forms};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The name of the driver in git's configuration and in .gitattributes.
pub const DRIVER: &str = "ndbytes";

/// The command that makes the text. git keeps texts by this command: another form needs another one. git adds the name of the file,
/// which may begin with a hyphen.
pub const TEXTCONV: &str = "ndbytes textconv --form 1 --";

/// The configuration of the drivers, key by key, with the words to say what each is for.
pub const CONFIG: &[(&str, &str, &str)] = &[
    ("diff.ndbytes.textconv", TEXTCONV, "Files become text in diff, show, log -p, blame, and grep --textconv."),
    ("diff.ndbytes.cachetextconv", "true", "Texts are kept in refs/notes/textconv/ndbytes."),
    ("diff.ndbytes.xfuncname", "^([A-Za-z_][^:]*):", "The field above a change stands after its @@."),
    ("difftool.ndbytes.cmd", "ndbytes diff --exit-zero -- \"$LOCAL\" \"$REMOTE\"", "git difftool -y -t ndbytes"),
    #[cfg(feature = "convert")]
    ("merge.ndbytes.name", "items of arrays and rows of tables", "What git says while it merges."),
    #[cfg(feature = "convert")]
    ("merge.ndbytes.driver", "ndbytes merge --git-driver -- %O %A %B %P", "Changes that do not overlap are merged."),
    #[cfg(feature = "convert")]
    (
        "mergetool.ndbytes.cmd",
        "ndbytes merge --conflicts ask --force --out \"$MERGED\" -- \"$BASE\" \"$LOCAL\" \"$REMOTE\"",
        "git mergetool -t ndbytes asks for each conflict.",
    ),
    #[cfg(feature = "convert")]
    ("mergetool.ndbytes.trustExitCode", "true", "Only a file without conflicts counts as merged."),
];

/// Values that earlier versions wrote, which `setup` replaces: a name that begins with a hyphen ended `git diff`.
pub const EARLIER: [(&str, &str); 2] = [
    ("diff.ndbytes.textconv", "ndbytes textconv --form 1"),
    ("difftool.ndbytes.cmd", "ndbytes diff --exit-zero \"$LOCAL\" \"$REMOTE\""),
];

/// The attributes of files that the merge driver takes: those that hold arrays and tables.
const MERGED: &[&str] = if cfg!(feature = "convert") { &["diff", "merge"] } else { &["diff"] };

/// Names of files that have no rules of ours, and are shown.
const FURTHER: [(&str, &[&str]); 1] = [("*.safetensors", &["diff"])];

/// The patterns of .gitattributes, and the attributes that name the driver: all names of the register, and further ones. A frame may
/// hold no array.
pub fn patterns() -> impl Iterator<Item = (String, &'static [&'static str])> {
    let further = FURTHER.map(|(glob, attributes)| (glob.to_owned(), attributes));
    let known = forms().flat_map(|(form, content)| {
        let is_file = matches!(content, Content::File(_));
        let globs = form.globs();
        let packed: Vec<String> = globs.iter().filter(|_| is_file).map(|glob| format!("{glob}.gz")).collect();
        let is_merged = !matches!(content, Content::Frame);
        globs.into_iter().chain(packed).map(move |glob| (glob, if is_merged { MERGED } else { &["diff"] }))
    });
    known.chain(further)
}

/// The path of a file that git has named. A tracked file may have the name by which others mean standard input.
pub fn named(path: &Path) -> &Path {
    if is_standard(path) { Path::new("./-") } else { path }
}

/// The reason why git cannot be asked.
pub struct Failed(pub String);

/// The output of git.
pub fn git(arguments: &[&str]) -> Result<String, Failed> {
    let output = Command::new("git").args(arguments).output().map_err(|error| not_run(&error))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failed(format!("git {} failed: {}", arguments.join(" "), said.trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The output of git, whose arguments need not be text.
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

fn refused(said: &[u8]) -> Failed {
    let said = String::from_utf8_lossy(said);
    let said = said.trim();
    Failed(format!("git refused it: {}", if said.is_empty() { "there is no such commit" } else { said }))
}

/// The folder of the work tree. It leads up from the working folder, so that names of folders above need not be text.
pub fn root() -> Result<PathBuf, Failed> {
    // git refuses the first question where there is no work tree. The second answer is the last line.
    let said = git(&["rev-parse", "--show-toplevel", "--show-cdup"])?;
    let up = said.strip_suffix('\n').and_then(|said| said.rsplit_once('\n')).map_or("", |(_, up)| up);
    Ok(Path::new(".").join(up))
}

/// The value of a key; `None` if it is not set.
pub fn config(key: &str) -> Result<Option<String>, Failed> {
    let output = Command::new("git").args(["config", "--get", key]).output().map_err(|error| not_run(&error))?;
    let value = String::from_utf8_lossy(&output.stdout);
    Ok(output.status.success().then(|| value.trim_end_matches('\n').to_owned()))
}

/// The output of git for an input.
pub fn git_with_input(arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, Failed> {
    let command = Command::new("git").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = command.map_err(|error| not_run(&error))?;
    let mut stdin = child.stdin.take();
    // git answers while it is asked: one of both has to be done aside.
    let output = std::thread::scope(|scope| {
        let write = move || stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(input));
        // Without a thread, standard input is closed with the function that was to write it.
        let writing = std::thread::Builder::new().spawn_scoped(scope, write);
        let output = child.wait_with_output();
        writing.map(|writing| drop(writing.join())).and(output)
    });
    output.map(|output| output.stdout).map_err(|error| not_run(&error))
}

fn not_run(error: &io::Error) -> Failed {
    Failed(format!("git cannot be run: {error}"))
}
