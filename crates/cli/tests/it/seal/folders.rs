//! Seals of directories. The same files produce the same seal, wherever they are and however their paths are written.

use super::{VALID, changed, run, samples, sealed};
use ndbytes::Limits;
use ndbytes_compare::seal::Seal;
use ndbytes_testkit::allocations::peak_of;
use std::fs;

#[test]
fn seals_of_the_same_files_are_the_same() {
    let (one, two) = (samples(&VALID), samples(&VALID));
    let seal = |place: &tempfile::TempDir| fs::read(place.path().join("data/ndbytes.seal")).unwrap();
    sealed(&one);
    sealed(&two);
    assert_eq!(seal(&one), seal(&two));
    for words in ["seal data", "seal --out data/ndbytes.seal data/", "seal ./data/../data"] {
        fs::remove_file(two.path().join("data/ndbytes.seal")).unwrap();
        assert_eq!(run(&two, words).status, 0, "{words}");
        assert_eq!(seal(&one), seal(&two), "{words}");
    }
    // Name only the files, in any order.
    let mut words = "seal --out data/ndbytes.seal".to_owned();
    VALID.iter().rev().for_each(|name| words += &format!(" data/{name}"));
    assert_eq!(run(&two, &words).status, 0);
    assert_eq!(seal(&one), seal(&two));
}

#[test]
fn seal_of_the_samples_is_as_before() {
    let place = samples(&VALID);
    sealed(&place);
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../../../../../snapshots" }, {
        insta::assert_snapshot!("seal", fs::read_to_string(place.path().join("data/ndbytes.seal")).unwrap());
    });
}

#[test]
fn folders_are_sealed_in_the_order_of_their_paths() {
    let place = samples(&[]);
    let data = place.path().join("data");
    let paths = ["a/x.ra", "a!/x.ra", "a.b/x.ra", "a/b/x.ra", "Ä/x.ra", "a%41 b.ra", "z.ra"];
    for path in paths {
        fs::create_dir_all(data.join(path).parent().unwrap()).unwrap();
        fs::copy(ndbytes_testkit::project().join("samples/surface.ra"), data.join(path)).unwrap();
    }
    fs::write(data.join("notes.txt"), b"mine").unwrap();
    let ended = run(&place, "seal data");
    let said = "data/ndbytes.seal: 7 files in 14 parts; 1 file of other formats not sealed\n";
    assert_eq!((ended.status, &*ended.stdout), (0, said));
    let seal = fs::read_to_string(data.join("ndbytes.seal")).unwrap();
    let files: Vec<&str> = seal.lines().filter_map(|line| line.strip_prefix("file ")?.splitn(3, ' ').nth(2)).collect();
    assert_eq!(files, ["a/b/x.ra", "a/x.ra", "a!/x.ra", "a%2541 b.ra", "a.b/x.ra", "z.ra", "Ä/x.ra"]);
    assert_eq!(changed(&place, "--sealed data"), (0, vec![]));
    // Check from inside the directory, and for a part of it.
    let ended = crate::support::tool::run_in(&data, &["check", "--sealed", "."]);
    assert_eq!((ended.status, &*ended.stdout), (0, "7 files: 7 ok; 1 file of other formats\n"));
    fs::remove_dir_all(data.join("a")).unwrap();
    assert_eq!(changed(&place, "--sealed=data/ndbytes.seal data/z.ra"), (0, vec![]));
    let (status, found) = changed(&place, "--sealed data");
    let gone: Vec<&str> = found.iter().map(|(path, _)| &**path).collect();
    assert_eq!((status, gone), (1, vec!["data/a/b/x.ra", "data/a/x.ra"]));
}

#[cfg(unix)]
#[test]
fn links_are_sealed_under_their_own_names() {
    let place = samples(&["surface.ra"]);
    std::os::unix::fs::symlink("surface.ra", place.path().join("data/link.ra")).unwrap();
    std::os::unix::fs::symlink("data", place.path().join("same")).unwrap();
    let ended = run(&place, "seal same");
    assert_eq!((ended.status, &*ended.stdout), (0, "same/ndbytes.seal: 2 files in 4 parts\n"));
    assert_eq!(changed(&place, "--sealed data"), (0, vec![]));
    assert_eq!(changed(&place, "--sealed same"), (0, vec![]));
}

#[test]
fn seal_of_many_files_takes_memory_for_their_paths_and_digests_alone() {
    let place = samples(&[]);
    let data = place.path().join("data");
    let (mut text, files) = (ndbytes_compare::seal::HEAD.to_owned(), 20_000);
    for number in 0..files {
        text += &format!("file 10 af1349b9f5f9a1a6a0404dea36dcc949 case_{number:05}.b2nd\n");
        (0..10).for_each(|part| text += &format!("  {part} 1 af1349b9f5f9a1a6a0404dea36dcc949 chunks[{part}]\n"));
    }
    fs::write(data.join("ndbytes.seal"), &text).unwrap();
    let (seal, peak) = peak_of(|| Seal::open(&data.join("ndbytes.seal"), Limits::default()));
    assert!(seal.unwrap().contains(&data.join("case_00007.b2nd")));
    assert!(peak < files * 300 && text.len() as u64 > 2 * peak, "{peak} bytes for a seal of {}", text.len());
}

/// The directory has as many files as a training set. They differ only in their names.
#[test]
fn folder_of_five_thousand_files_is_sealed_and_compared_in_bounded_memory() {
    let place = samples(&["temperatures.b2nd"]);
    let data = place.path().join("data");
    let array = fs::read(data.join("temperatures.b2nd")).unwrap();
    for number in 0..5_000 {
        let folder = data.join(format!("{:02}", number % 50));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{number}.b2nd")), &array).unwrap();
    }
    let run = |words: &[&str]| {
        let (ended, peak) =
            ndbytes_testkit::allocations::peak_of_all(|| crate::support::tool::run_here(words, &[], None));
        assert_eq!((ended.status, &*ended.stderr), (0, ""), "{}", ended.stdout);
        peak
    };
    let folder = data.to_str().unwrap();
    for words in [&["seal", folder][..], &["check", "--sealed", folder]] {
        let peak = run(words);
        assert!(peak < 64 << 20, "{words:?}: {peak} bytes");
    }
}
