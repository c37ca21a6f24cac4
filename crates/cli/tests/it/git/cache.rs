//! The texts that git caches.

use super::{array, b2nd_of, repository_of_texts as repository};
use ndbytes::b2nd::Codec;

const CACHE: &str = "refs/notes/textconv/ndbytes";

#[test]
fn texts_are_kept_by_blob_and_command() {
    let repository = repository();
    let script = repository.script("textconv", "echo called >>\"$log\"\nexec ndbytes git textconv \"$@\"");
    let command = |form: &str| format!("{script} --form {form}");
    repository.git(&["config", "diff.ndbytes.textconv", &command("1")]);
    repository.commit_file("field.b2nd", b2nd_of(&array(None), Codec::ZSTD));
    repository.commit_file("field.b2nd", b2nd_of(&array(Some((0, 9.0))), Codec::ZSTD));
    let first = repository.git(&["log", "-p"]).out;
    assert!(repository.take_log().len() >= 2);
    // The cache is keyed by the command, which is the message of the notes.
    assert_eq!(repository.git(&["log", "-1", "--format=%B", CACHE]).out.trim(), command("1"));
    assert_eq!(repository.git(&["log", "-p"]).out, first);
    assert_eq!(repository.take_log(), Vec::<String>::new());
    // Another form number means another command, so no cached text is shown.
    repository.git(&["config", "diff.ndbytes.textconv", &command("01")]);
    assert_eq!(repository.git(&["log", "-p"]).out, first);
    assert!(repository.take_log().len() >= 2);
    assert_eq!(repository.git(&["log", "-1", "--format=%B", CACHE]).out.trim(), command("01"));
}

#[test]
fn forms_that_do_not_exist_are_refused() {
    let repository = repository();
    repository.write("a.b2nd", b2nd_of(&array(None), Codec::ZSTD));
    let refused = repository.try_tool(&["git", "textconv", "--form", "3", "a.b2nd"]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("this version of ndbytes has the forms 1 and 2"), "{}", refused.err);
}
