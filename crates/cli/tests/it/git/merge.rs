//! The merge driver and the merge tool with the real git.

use super::{array, b2nd_of, repository};
use ndarray::{Axis, arr1};
use ndbytes::b2nd::{self, Codec};
use ndbytes::{Limits, idx, npy};
use ndbytes_testkit::zip::{Entry, STORED, zip};
use std::fs;

const NAME: &str = "field.b2nd";

/// A repository in which two branches changed a file: `other`, and the current branch.
fn branches(name: &str, base: &[u8], ours: &[u8], theirs: &[u8]) -> super::Repository {
    let repository = repository();
    repository.commit_file(name, base);
    repository.git(&["checkout", "-q", "-b", "other"]);
    repository.commit_file(name, theirs);
    repository.git(&["checkout", "-q", "main"]);
    repository.commit_file(name, ours);
    repository
}

#[test]
fn changes_of_different_rows_are_merged_without_a_hand() {
    let theirs = array(Some((1007, 8.0)));
    let theirs = ndarray::concatenate(Axis(0), &[theirs.view(), theirs.slice(ndarray::s![..1, ..])]).unwrap();
    let [base, ours, theirs] = [array(None), array(Some((0, 9.0))), theirs].map(|array| b2nd_of(&array, Codec::LZ4));
    let repository = branches(NAME, &base, &ours, &theirs);
    let said = repository.git(&["merge", "other"]).out;
    assert!(said.contains("field.b2nd: merged, changed items or rows: 1 from ours, 2 from theirs\n"), "{said}");
    let merged = b2nd::open(repository.root().join(NAME)).unwrap();
    assert_eq!((merged.shape(), merged.codec()), (&[169, 6][..], Codec::LZ4));
    assert_eq!(merged.get::<f32>(&[0, 0]).unwrap(), 9.0);
    assert_eq!(merged.get::<f32>(&[167, 5]).unwrap(), 8.0);
    assert_eq!(repository.git(&["status", "--porcelain"]).out, "");
}

#[test]
fn rebases_and_cherry_picks_merge_in_the_same_way() {
    let file = |items: [u8; 3]| idx::Writer::new().gzip(true).to_vec(&arr1(&items)).unwrap();
    let name = "labels-idx1-ubyte.gz";
    let repository = branches(name, &file([1, 2, 3]), &file([7, 2, 3]), &file([1, 2, 9]));
    repository.git(&["cherry-pick", "other"]);
    let merged = idx::open(repository.root().join(name)).unwrap();
    assert_eq!(merged.to_array::<u8>().unwrap(), arr1(&[7, 2, 9]).into_dyn());
    assert!(ndbytes::is_gzip(&fs::read(repository.root().join(name)).unwrap()));
}

#[test]
fn the_same_item_is_a_conflict_that_git_keeps_open_and_shows() {
    let file = |item: u8| idx::Writer::new().to_vec(&arr1(&[1, item, 3])).unwrap();
    let repository = branches("a.idx", &file(2), &file(7), &file(8));
    let ended = repository.try_git(&["merge", "other"]);
    assert_eq!(ended.status, 1);
    assert_eq!(ended.err, "a.idx: 1 conflict, nothing is written\n  item [1]: 2 became 7 in ours, 8 in theirs\n");
    assert_eq!(repository.git(&["status", "--porcelain"]).out, "UU a.idx\n");
    assert_eq!(fs::read(repository.root().join("a.idx")).unwrap(), file(7));
    let item = "item [1]: 2 became 7 in ours, 8 in theirs\n";
    for options in [&["diff"][..], &["diff", "--no-ext-diff"]] {
        let shown = repository.git(options).out;
        assert!(shown.starts_with("diff --cc a.idx\n") && shown.ends_with(&format!("++conflict: {item}")), "{shown}");
    }
    assert_eq!(repository.git(&["diff", "--cached"]).out, format!("a.idx: unmerged\n  {item}"));
    assert!(!repository.tool(&["git", "textconv", "a.idx"]).out.contains("conflict"), "the text of the file alone");

    let tool = repository.shell("echo t | git mergetool -y -t ndbytes");
    assert_eq!(tool.status, 0, "{}{}", tool.out, tool.err);
    assert!(tool.err.contains("item [1]: 2 became 7 in ours, 8 in theirs\n"), "{}", tool.err);
    assert_eq!(fs::read(repository.root().join("a.idx")).unwrap(), file(8));
    assert!(repository.git(&["status", "--porcelain"]).out.starts_with("M  a.idx\n"));
}

#[test]
fn a_broken_version_and_a_file_that_both_added_stay_in_conflict() {
    let file = |item: u8| idx::Writer::new().to_vec(&arr1(&[1, item, 3])).unwrap();
    let repository = branches("a.idx", &file(2), &file(7), &file(8)[..9]);
    let ended = repository.try_git(&["merge", "other"]);
    assert_eq!(ended.status, 1);
    assert!(ended.err.contains("error[idx/truncated-payload]"), "{}", ended.err);
    assert_eq!(fs::read(repository.root().join("a.idx")).unwrap(), file(7));

    let repository = repository_with_added_files(&file(7), &file(8));
    let ended = repository.try_git(&["merge", "other"]);
    assert_eq!(ended.status, 1);
    assert!(ended.err.contains("error: b.idx: both sides added the file"), "{}", ended.err);
    let shown = repository.git(&["diff"]).out;
    assert!(shown.contains("++conflict: both sides added the file, so there is no common base"), "{shown}");
    assert_eq!(fs::read(repository.root().join("b.idx")).unwrap(), file(7));
}

fn repository_with_added_files(ours: &[u8], theirs: &[u8]) -> super::Repository {
    let repository = repository();
    repository.git(&["checkout", "-q", "-b", "other"]);
    repository.commit_file("b.idx", theirs);
    repository.git(&["checkout", "-q", "main"]);
    repository.commit_file("b.idx", ours);
    repository
}

#[test]
fn setup_adds_the_merge_driver_beside_the_one_of_differences() {
    let repository = super::Repository::new();
    repository.write(".gitattributes", "*.idx diff=ndbytes\n*.npy diff=ndbytes -merge\n");
    repository.tool(&["git", "setup"]);
    let lines = fs::read_to_string(repository.root().join(".gitattributes")).unwrap();
    assert!(lines.contains("\n*.idx merge=ndbytes\n"), "{lines}");
    assert!(lines.contains("\n*.b2f diff=ndbytes\n") && !lines.contains("*.npy merge"), "{lines}");
    let attributes = |name: &str| repository.git(&["check-attr", "diff", "merge", "--", name]).out;
    assert_eq!(attributes("x.idx"), "x.idx: diff: ndbytes\nx.idx: merge: ndbytes\n");
    assert_eq!(attributes("x.npy"), "x.npy: diff: ndbytes\nx.npy: merge: unset\n");
    assert_eq!(attributes("x.npz"), "x.npz: diff: ndbytes\nx.npz: merge: ndbytes\n");
    assert_eq!(attributes("x.b2f"), "x.b2f: diff: ndbytes\nx.b2f: merge: unspecified\n");
}

#[test]
fn archives_are_merged_member_by_member() {
    let npz = |x: i16, y: i16| {
        let file = |item| npy::Writer::new().to_vec(&arr1(&[item])).unwrap();
        zip(&[Entry::new("x.npy", &file(x), STORED), Entry::new("y.npy", &file(y), STORED)])
    };
    let repository = branches("m.npz", &npz(1, 2), &npz(7, 2), &npz(1, 8));
    let said = repository.git(&["merge", "other"]).out;
    assert!(said.contains("m.npz: merged, changed items, rows or members: 1 from ours, 1 from theirs\n"), "{said}");
    let [x, y] = ["x.npy", "y.npy"].map(|name| {
        let member = npy::open(repository.root().join(format!("m.npz!{name}"))).unwrap();
        member.to_array::<i16>().unwrap()[[0]]
    });
    assert_eq!((x, y, &*repository.git(&["status", "--porcelain"]).out), (7, 8, ""));
}

#[test]
fn a_merged_file_has_no_finding() {
    let file = |items: [u8; 3]| idx::Writer::new().to_vec(&arr1(&items)).unwrap();
    let repository = branches("a.idx", &file([1, 2, 3]), &file([7, 2, 3]), &file([1, 2, 9]));
    repository.git(&["merge", "-q", "other"]);
    let checked = ndbytes::Checker::new().limits(Limits::default()).check(repository.root().join("a.idx")).unwrap();
    assert_eq!(checked.findings(), []);
}
