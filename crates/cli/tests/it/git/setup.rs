//! `ndbytes git setup` and `ndbytes git check`.

use super::repository::Repository;
use super::{array, b2nd_of};
use ndbytes::b2nd::Codec;
use ndbytes_testkit::tables::made::trees;
use std::fs;

#[test]
fn setup_writes_configuration_and_patterns_once() {
    let repository = Repository::new();
    repository.write(".gitattributes", "*.ra diff=other\n*.txt text");
    let said = repository.tool(&["git", "setup"]).out;
    assert!(said.contains("diff.ndbytes.textconv = ndbytes git textconv --form 2 --\n"), "{said}");
    assert!(said.ends_with(".gitattributes: 34 patterns added; commit it\n"), "{said}");
    let lines = fs::read_to_string(repository.root().join(".gitattributes")).unwrap();
    assert!(lines.starts_with("*.ra diff=other\n*.txt text\n*.idx diff=ndbytes merge=ndbytes\n"), "{lines}");
    let value = |key: &str| repository.git(&["config", "--local", key]).out;
    assert_eq!(value("diff.ndbytes.textconv"), "ndbytes git textconv --form 2 --\n");
    assert_eq!(value("diff.ndbytes.command"), "ndbytes diff --git-driver --\n");
    assert_eq!(value("diff.ndbytes.cachetextconv"), "true\n");
    assert_eq!(value("difftool.ndbytes.cmd"), "ndbytes diff --git-driver -- \"$LOCAL\" \"$REMOTE\"\n");

    repository.git(&["config", "diff.ndbytes.textconv", "mine"]);
    let said = repository.tool(&["git", "setup"]).out;
    assert!(said.contains("diff.ndbytes.textconv is kept: mine\n"), "{said}");
    assert!(said.ends_with(".gitattributes has all patterns\n"), "{said}");
    assert_eq!(fs::read_to_string(repository.root().join(".gitattributes")).unwrap(), lines);
    assert_eq!(value("diff.ndbytes.textconv"), "mine\n");
}

#[test]
fn setup_replaces_what_an_earlier_version_wrote() {
    let repository = Repository::new();
    repository.git(&["config", "difftool.ndbytes.cmd", "ndbytes diff --exit-zero \"$LOCAL\" \"$REMOTE\""]);
    let mut said = String::new();
    for earlier in ["ndbytes textconv --form 1", "ndbytes textconv --form 1 --", "ndbytes git textconv --form 1 --"] {
        repository.git(&["config", "diff.ndbytes.textconv", earlier]);
        let now = repository.tool(&["git", "setup"]).out;
        assert!(now.contains("diff.ndbytes.textconv = ndbytes git textconv --form 2 --\n"), "{now}");
        said += &now;
    }
    assert!(said.contains("difftool.ndbytes.cmd = ndbytes diff --git-driver -- \"$LOCAL\" \"$REMOTE\"\n"), "{said}");
}

#[test]
fn what_setup_prints_does_what_setup_does() {
    let repository = Repository::new();
    let printed = repository.tool(&["git", "setup", "--print"]).out;
    assert!(!repository.root().join(".gitattributes").exists());
    let (commands, attributes) = printed.split_once("\n# .gitattributes\n").unwrap();
    for command in commands.lines().filter(|line| line.starts_with("git ")) {
        let ran = std::process::Command::new("sh").args(["-c", command]).current_dir(repository.root()).status();
        assert!(ran.unwrap().success(), "{command}");
    }
    let by_hand = repository.git(&["config", "--local", "--list"]).out;

    let other = Repository::new();
    other.tool(&["git", "setup"]);
    assert_eq!(other.git(&["config", "--local", "--list"]).out, by_hand);
    assert_eq!(fs::read_to_string(other.root().join(".gitattributes")).unwrap(), attributes);
}

#[test]
fn setup_outside_a_repository_says_so() {
    let repository = Repository::new();
    fs::remove_dir_all(repository.root().join(".git")).unwrap();
    let refused = repository.try_tool(&["git", "setup"]);
    assert_eq!((refused.status, refused.out.as_str()), (2, ""));
    assert!(refused.err.contains("git rev-parse --show-toplevel --show-cdup failed: "), "{}", refused.err);
}

#[test]
fn setup_writes_nothing_in_a_repository_without_files() {
    let repository = Repository::new();
    repository.git(&["config", "core.bare", "true"]);
    let refused = repository.try_tool(&["git", "setup"]);
    assert_eq!((refused.status, refused.out.as_str()), (2, ""), "{}", refused.err);
    assert!(!repository.git(&["config", "--local", "--list"]).out.contains("ndbytes"));
    assert!(!repository.root().join(".gitattributes").exists());
}

#[cfg(unix)]
#[test]
fn setup_does_not_write_through_a_link() {
    let repository = Repository::new();
    let theirs = tempfile::NamedTempFile::new().unwrap();
    fs::write(theirs.path(), "theirs").unwrap();
    std::os::unix::fs::symlink(theirs.path(), repository.root().join(".gitattributes")).unwrap();
    let refused = repository.try_tool(&["git", "setup"]);
    assert_eq!((refused.status, refused.out.as_str()), (2, ""));
    assert_eq!(refused.err, "error: ./.gitattributes is a symbolic link, which git does not follow\n");
    assert_eq!(fs::read_to_string(theirs.path()).unwrap(), "theirs");
}

#[cfg(target_os = "linux")]
#[test]
fn setup_in_a_folder_whose_name_is_no_text_writes_the_patterns_of_the_root() {
    use std::os::unix::ffi::OsStrExt as _;
    let outer = Repository::new();
    let root = outer.root().join(std::ffi::OsStr::from_bytes(b"a\xFF"));
    let below = root.join("below");
    fs::create_dir_all(&below).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        std::process::Command::new(program).args(arguments).current_dir(&below).output().unwrap()
    };
    assert!(run("git", &["init", "-q", ".."]).status.success());
    let said = run(crate::support::tool::PATH, &["git", "setup"]);
    assert!(said.status.success(), "{said:?}");
    assert!(fs::read_to_string(root.join(".gitattributes")).unwrap().starts_with("*.idx diff=ndbytes merge=ndbytes\n"));
    assert!(!below.join(".gitattributes").exists());
    fs::write(root.join("trees.idv"), trees(&["oak"])).unwrap();
    assert!(run("git", &["add", "../trees.idv"]).status.success());
    let said = run(crate::support::tool::PATH, &["git", "check"]);
    let said = String::from_utf8_lossy(&said.stdout);
    assert!(said.ends_with("1 of 1 tracked files use the driver ndbytes\n  1 IDV\n"), "{said}");
}

#[test]
fn check_names_files_without_the_driver() {
    let repository = Repository::new();
    repository.write("a.b2nd", b2nd_of(&array(None), Codec::ZSTD));
    repository.write("trees.idv", trees(&["oak"]));
    repository.write("other name", trees(&["oak"]));
    repository.write("notes.txt", "text");
    repository.commit("Files");
    let before = repository.try_tool(&["git", "check"]);
    assert_eq!(before.status, 1, "{}", before.err);
    let unset = "diff.ndbytes.command is not set: `git diff` compares texts; `ndbytes git setup` sets it\n\
        diff.ndbytes.textconv is not set: `ndbytes git setup` sets it\n";
    assert!(before.out.starts_with(unset), "{}", before.out);
    assert!(before.out.contains("0 of 3 tracked files use the driver ndbytes\n"), "{}", before.out);

    repository.tool(&["git", "setup"]);
    let after = repository.try_tool(&["git", "check"]);
    assert_eq!(after.status, 1);
    let expected = "diff.ndbytes.command = ndbytes diff --git-driver --\n\
        diff.ndbytes.textconv = ndbytes git textconv --form 2 --\n\
        2 of 3 tracked files use the driver ndbytes\n  1 IDV, 1 b2nd\n  \
        other name (IDV) has no driver: `ndbytes git setup` adds patterns to .gitattributes\n";
    assert_eq!(after.out, expected);
    repository.git(&["rm", "-q", "other name"]);
    assert_eq!(repository.try_tool(&["git", "check"]).status, 0);
}

#[test]
fn check_says_that_the_cache_is_stale() {
    let repository = super::repository();
    repository.commit_file("a.b2nd", b2nd_of(&array(None), Codec::ZSTD));
    repository.git(&["show"]);
    let fresh = repository.tool(&["git", "check"]).out;
    assert!(fresh.contains("the cache holds texts of `ndbytes git textconv --form 2 --`\n"), "{fresh}");
    repository.git(&["config", "diff.ndbytes.textconv", "ndbytes textconv"]);
    let stale = repository.tool(&["git", "check"]).out;
    assert!(stale.contains("the cache is stale: it holds texts of `ndbytes git textconv --form 2 --`"), "{stale}");
}
