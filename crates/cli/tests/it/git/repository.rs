//! A repository in its own directory, in which git uses only the repository's configuration.

use crate::support::tool;
use ndbytes_testkit::project;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub struct Repository {
    folder: tempfile::TempDir,
}

/// The status and the output of a command.
pub struct Ended {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Ended {
    fn of(output: Output) -> Self {
        Ended {
            status: output.status.code().expect("it ends by itself"),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The lines that a diff adds or removes, without its headers.
    pub fn changed(&self) -> Vec<&str> {
        let is_changed =
            |line: &&str| line.starts_with(['+', '-']) && !line.starts_with("+++") && !line.starts_with("---");
        self.out.lines().filter(is_changed).collect()
    }
}

impl Repository {
    pub fn new() -> Self {
        let repository = Repository { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(repository.root()).unwrap();
        repository.git(&["init", "-q", "-b", "main"]);
        repository
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// A path outside the repository.
    pub fn aside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command in the repository, with the built tool as `ndbytes`.
    fn command(&self, program: &str) -> Command {
        let tool = Path::new(tool::PATH).parent().unwrap().to_owned();
        let others = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(tool).chain(std::env::split_paths(&others))).unwrap();
        let mut command = Command::new(program);
        command.current_dir(self.root()).env_clear();
        let date = "2026-11-22T12:00:00+00:00";
        command.envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null"), ("LC_ALL", "C")]);
        command.envs([("GIT_AUTHOR_NAME", "A"), ("GIT_AUTHOR_EMAIL", "a@example.com"), ("GIT_AUTHOR_DATE", date)]);
        command.envs([("GIT_COMMITTER_NAME", "A"), ("GIT_COMMITTER_EMAIL", "a@example.com")]);
        command.env("GIT_COMMITTER_DATE", date).env("HOME", self.folder.path()).env("PATH", path);
        command
    }

    /// Runs git, whatever the outcome.
    pub fn try_git(&self, arguments: &[&str]) -> Ended {
        Ended::of(self.command("git").args(arguments).output().unwrap())
    }

    /// Runs git, which must succeed.
    pub fn git(&self, arguments: &[&str]) -> Ended {
        let ended = self.try_git(arguments);
        assert_eq!(ended.status, 0, "git {}: {}", arguments.join(" "), ended.err);
        ended
    }

    pub fn try_tool(&self, arguments: &[&str]) -> Ended {
        Ended::of(self.command("ndbytes").args(arguments).output().unwrap())
    }

    pub fn tool(&self, arguments: &[&str]) -> Ended {
        let ended = self.try_tool(arguments);
        assert_eq!(ended.status, 0, "ndbytes {}: {}{}", arguments.join(" "), ended.out, ended.err);
        ended
    }

    /// Runs a command line, with `$ACTION` as the directory of the action.
    pub fn shell(&self, command: &str) -> Ended {
        Ended::of(self.command("sh").args(["-c", command]).env("ACTION", project()).output().unwrap())
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.root().join(name), content).unwrap();
    }

    /// Commits everything and returns the commit's name.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "-q", "-m", message]);
        self.git(&["rev-parse", "HEAD"]).out.trim().to_owned()
    }

    /// Writes a file and commits it.
    pub fn commit_file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        self.write(name, content);
        self.commit(&format!("Change {name}"))
    }

    /// A script that git can call. It may use `$log`, a file outside the repository.
    pub fn script(&self, name: &str, body: &str) -> String {
        let path = self.aside(name);
        fs::write(&path, format!("#!/bin/sh\nlog='{}'\n{body}\n", self.aside("log").display())).unwrap();
        format!("sh {}", path.display())
    }

    /// The lines in the log of the scripts, which is emptied.
    pub fn take_log(&self) -> Vec<String> {
        let text = fs::read_to_string(self.aside("log")).unwrap_or_default();
        let _ = fs::remove_file(self.aside("log"));
        text.lines().map(str::to_owned).collect()
    }

    /// The version of git.
    pub fn version(&self) -> (u32, u32) {
        let said = self.git(&["--version"]).out;
        let mut numbers = said.split_whitespace().nth(2).unwrap().split('.').map(|part| part.parse().unwrap_or(0));
        (numbers.next().unwrap(), numbers.next().unwrap())
    }
}
