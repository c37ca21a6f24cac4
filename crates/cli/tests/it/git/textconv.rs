//! The text in git's output.

use super::repository::Ended;
use super::{array, b2nd_of, repository_of_texts as repository};
use ndarray::{Axis, s};
use ndbytes::b2nd::Codec;
use ndbytes_testkit::tables::made::trees;

const NAME: &str = "field.b2nd";

#[test]
fn a_changed_item_is_a_changed_row_in_diff_show_and_log() {
    let repository = repository();
    repository.commit_file(NAME, b2nd_of(&array(None), Codec::ZSTD));
    repository.write(NAME, b2nd_of(&array(Some((602, -1.5))), Codec::ZSTD));
    let rows = ["-  150.0 150.25 150.5 150.75 151.0 151.25", "+  150.0 150.25 -1.5 150.75 151.0 151.25"];
    let in_work_tree = repository.git(&["diff"]);
    repository.commit("Change the item");
    for shown in [
        in_work_tree,
        repository.git(&["diff", "HEAD~", "HEAD"]),
        repository.git(&["show"]),
        repository.git(&["log", "-p", "-1"]),
    ] {
        let changed = shown.changed();
        assert!(rows.iter().all(|row| changed.contains(row)), "{changed:?}");
        // The lines of the file, the stored bytes, the digest of the values, and the row.
        let names: Vec<&str> = changed.iter().map(|line| line[1..].split([' ', ',']).next().unwrap()).collect();
        assert_eq!(names.iter().filter(|name| **name == "b2nd").count(), 2, "{changed:?}");
        assert!(changed.len() <= 10, "{changed:?}");
        assert!(!shown.out.contains("git-blob"), "{}", shown.out);
    }
    let words = repository.git(&["diff", "--word-diff", "HEAD~", "HEAD"]).out;
    assert!(words.contains("  150.0 150.25 [-150.5-]{+-1.5+} 150.75 151.0 151.25"), "{words}");
    assert_eq!(repository.try_git(&["diff", "--quiet", "HEAD~", "HEAD"]).status, 1);
    let counted = repository.git(&["diff", "--stat", "HEAD~", "HEAD"]).out;
    assert!(counted.contains(&format!("{NAME} | Bin ")), "{counted}");
}

#[test]
fn other_bytes_for_the_same_values_are_visible() {
    let repository = repository();
    repository.commit_file(NAME, b2nd_of(&array(None), Codec::ZSTD));
    repository.commit_file(NAME, b2nd_of(&array(None), Codec::LZ4));
    let shown = repository.git(&["show"]);
    let changed = shown.changed();
    assert!(changed.contains(&"-chunks[*].header.extension.codec: zstd (3)"), "{changed:?}");
    assert!(changed.contains(&"+chunks[*].header.extension.codec: LZ4 (3)"), "{changed:?}");
    assert!(changed.iter().any(|line| line.starts_with("-stored ")), "{changed:?}");
    assert!(changed.iter().any(|line| line.starts_with("-b2nd 2, ")), "{changed:?}");
    assert!(!changed.iter().any(|line| line[1..].starts_with("values") || line[1..].starts_with("  ")), "{changed:?}");
}

#[test]
fn an_inserted_row_is_one_line_and_blame_knows_its_commit() {
    let repository = repository();
    let first = repository.commit_file("trees.idv", trees(&["oak", "fir", "beech"]));
    let second = repository.commit_file("trees.idv", trees(&["oak", "spruce", "fir", "beech"]));
    let shown = repository.git(&["show"]);
    let rows = |shown: &Ended| -> Vec<String> {
        let changed = shown.changed().into_iter();
        changed.filter(|line| line[1..].starts_with("  ")).map(str::to_owned).collect()
    };
    assert_eq!(rows(&shown), ["+  [\"spruce\", 6]"]);
    let inserted = ndarray::concatenate![Axis(0), array(None).slice(s![1..2, ..]), array(None)];
    repository.commit_file(NAME, b2nd_of(&array(None), Codec::ZSTD));
    repository.commit_file(NAME, b2nd_of(&inserted, Codec::ZSTD));
    assert_eq!(rows(&repository.git(&["show"])), ["+  1.5 1.75 2.0 2.25 2.5 2.75"]);
    let blamed = repository.git(&["blame", "-l", "-s", "trees.idv"]).out;
    for (row, commit) in [("[\"oak\", 3]", &first), ("[\"spruce\", 6]", &second), ("[\"beech\", 5]", &first)] {
        let line = blamed.lines().find(|line| line.ends_with(row)).unwrap_or_else(|| panic!("{row}: {blamed}"));
        assert!(line.trim_start_matches('^').starts_with(&commit[..39]), "{line}");
    }
}

#[test]
fn grep_and_the_pickaxe_search_the_text() {
    let repository = repository();
    repository.commit_file("trees.idv", trees(&["oak", "fir"]));
    let second = repository.commit_file("trees.idv", trees(&["oak", "fir", "spruce"]));
    repository.commit_file("trees.idv", trees(&["oak", "fir", "spruce", "beech"]));
    assert_eq!(repository.try_git(&["grep", "\"spruce\", 6"]).status, 1);
    let found = repository.git(&["grep", "--textconv", "\"spruce\", 6"]).out;
    assert_eq!(found, "trees.idv:  [\"spruce\", 6]\n");
    for option in ["-Gspruce", "-Sspruce"] {
        assert_eq!(repository.git(&["log", "--format=%H", option]).out.trim(), second, "{option}");
    }
}

#[test]
fn a_broken_file_does_not_stop_a_log() {
    let repository = repository();
    let whole = b2nd_of(&array(None), Codec::ZSTD);
    repository.commit_file(NAME, &whole);
    repository.commit_file(NAME, &whole[..whole.len() - 200]);
    repository.commit_file(NAME, b2nd_of(&array(Some((0, 9.0))), Codec::ZSTD));
    let log = repository.git(&["log", "-p"]).out;
    assert!(log.contains("\n+finding error b2nd/"), "{log}");
    assert!(log.contains("+  9.0 0.25 0.5 0.75 1.0 1.25"), "{log}");
    assert_eq!(log.matches("\n+array <f4 168×6 C").count(), 2, "{log}");
    // This shows the effect of a command that fails.
    repository.git(&["config", "diff.ndbytes.textconv", "false"]);
    repository.git(&["config", "diff.ndbytes.cachetextconv", "false"]);
    let died = repository.try_git(&["log", "-p"]);
    assert_eq!(died.status, 128);
    assert!(died.err.contains("fatal: unable to read files to diff"), "{}", died.err);
}

#[test]
fn a_text_without_the_digest_would_hide_a_change() {
    let repository = repository();
    repository.git(&["config", "diff.ndbytes.cachetextconv", "false"]);
    let same = repository.script("same", "echo the same");
    repository.git(&["config", "diff.ndbytes.textconv", &same]);
    repository.commit_file(NAME, b2nd_of(&array(None), Codec::ZSTD));
    repository.write(NAME, b2nd_of(&array(Some((602, -1.5))), Codec::ZSTD));
    assert_eq!(repository.git(&["diff"]).changed(), Vec::<&str>::new());
}

#[test]
fn the_field_of_a_change_stands_behind_its_place() {
    let repository = repository();
    repository.commit_file("trees.idv", trees(&["oak", "fir", "beech", "alder", "elm"]));
    repository.commit_file("trees.idv", trees(&["oak", "fir", "beech", "alder", "ash"]));
    let shown = repository.git(&["show"]).out;
    let heads: Vec<&str> = shown.lines().filter(|line| line.starts_with("@@")).collect();
    assert!(heads.iter().any(|head| head.contains("@@ column \"Name\"") || head.contains("@@ columns[")), "{heads:?}");
}

#[test]
fn files_are_shown_as_they_are_unless_text_is_asked_for() {
    let repository = repository();
    let file = trees(&["oak"]);
    repository.commit_file("trees.idv", &file);
    assert!(repository.git(&["show", "HEAD:trees.idv"]).out.starts_with("CML\0DVB\0"));
    let text = repository.git(&["show", "--textconv", "HEAD:trees.idv"]).out;
    assert_eq!(text, repository.tool(&["textconv", "trees.idv"]).out);
    assert!(text.starts_with(&format!("IDV 1.1.1.6, {} bytes, blake3 ", file.len())), "{text}");
}

#[test]
fn large_files_are_text_too() {
    let repository = repository();
    repository.git(&["config", "core.bigFileThreshold", "1k"]);
    repository.commit_file(NAME, b2nd_of(&array(None), Codec::ZSTD));
    let shown = repository.git(&["show"]).out;
    assert!(shown.contains("\n+array <f4 168×6 C\n"), "{shown}");
}

#[test]
fn filters_run_before_the_text_is_made() {
    let repository = repository();
    repository.git(&["config", "filter.base64.clean", "base64"]);
    repository.git(&["config", "filter.base64.smudge", "base64 -d"]);
    repository.write(".gitattributes", "*.b2nd diff=ndbytes filter=base64\n");
    repository.commit_file(NAME, b2nd_of(&array(None), Codec::ZSTD));
    assert!(repository.git(&["cat-file", "-p", &format!("HEAD:{NAME}")]).out.is_ascii());
    let shown = repository.git(&["show"]).out;
    assert!(shown.contains("\n+array <f4 168×6 C\n"), "{shown}");
}

#[test]
fn a_pointer_of_git_lfs_is_named() {
    let repository = repository();
    let oid = "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393";
    repository.commit_file(NAME, format!("version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 12345\n"));
    let shown = repository.git(&["show"]).out;
    assert!(
        shown.contains("\n+finding error misnamed: the name is one of b2nd files, but this is a git-LFS pointer, not the file itself\n"),
        "{shown}"
    );
    assert!(shown.contains(&format!("\n+  oid sha256:{oid}\n")), "{shown}");
}

#[test]
fn patches_have_the_bytes_and_diffs_the_text() {
    let repository = repository();
    repository.commit_file(NAME, b2nd_of(&array(None), Codec::ZSTD));
    let changed = b2nd_of(&array(Some((602, -1.5))), Codec::LZ4);
    repository.commit_file(NAME, &changed);
    assert!(!repository.git(&["diff", "--binary", "HEAD~", "HEAD"]).out.contains("GIT binary patch"));
    let patch = repository.git(&["diff", "--binary", "--no-textconv", "HEAD~", "HEAD"]).out;
    assert!(patch.contains("GIT binary patch"));
    let folder = repository.aside("patches");
    let file = repository.git(&["format-patch", "-1", "-o", folder.to_str().unwrap()]).out;
    repository.git(&["reset", "-q", "--hard", "HEAD~"]);
    repository.git(&["am", "-q", file.trim()]);
    assert_eq!(std::fs::read(repository.root().join(NAME)).unwrap(), changed);
}

/// The names look like options or standard input, or are not text. git passes them on unchanged.
#[cfg(unix)]
#[test]
fn files_with_odd_names_are_shown_in_a_diff() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let repository = repository();
    let names: [&[u8]; 6] = [b"--color=x.npy", b"--form=9.npy", b"--help.npy", b"-.npy", b"a\nb.npy", b"\xff.npy"];
    let array = |last: i16| {
        let header = "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }";
        let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
        bytes.extend(format!("{header:<117}\n").bytes());
        bytes.extend([41_i16, 42, last].iter().flat_map(|item| item.to_le_bytes()));
        bytes
    };
    for (last, message) in [(43, "Before"), (-7, "After")] {
        for name in names {
            std::fs::write(repository.root().join(OsStr::from_bytes(name)), array(last)).unwrap();
        }
        repository.commit(message);
    }
    let shown = repository.git(&["diff", "HEAD~", "HEAD"]).out;
    assert_eq!(shown.matches("+  -7").count(), names.len(), "{shown}");
    // A difftool gets the file in the work tree by its name.
    for name in names {
        std::fs::write(repository.root().join(OsStr::from_bytes(name)), array(5)).unwrap();
    }
    let told = repository.git(&["difftool", "-y", "-t", "ndbytes"]).out;
    assert_eq!(told.matches("-7 → 5").count(), names.len(), "{told}");
}

#[test]
fn a_file_of_the_name_of_standard_input_is_a_file() {
    let repository = repository();
    repository.write(".gitattributes", "- diff=ndbytes\n");
    repository.commit_file("-", b2nd_of(&array(None), Codec::ZSTD));
    repository.write("-", b2nd_of(&array(Some((602, -1.5))), Codec::ZSTD));
    for driver in [None, Some("ndbytes diff --git-driver --")] {
        if let Some(driver) = driver {
            repository.git(&["config", "diff.ndbytes.command", driver]);
        }
        let shown = repository.git(&["diff"]);
        assert!(shown.out.contains("-1.5") && !shown.out.contains("empty"), "{driver:?}: {}", shown.out);
    }
    let told = repository.git(&["difftool", "-y", "-t", "ndbytes"]).out;
    assert!(told.contains("→ -1.5") && !told.contains("empty"), "{told}");
}
