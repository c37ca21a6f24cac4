//! The dictionaries of the fuzz targets match the layouts.
//!
//! `UPDATE_DICTIONARIES=1 cargo test --test library -- dictionaries::` rewrites them.

use ndbytes_forge::DICTIONARIES;
use ndbytes_testkit::project;
use std::collections::BTreeSet;
use std::fs;

#[test]
fn dictionaries_are_what_the_layouts_say() {
    for (name, text) in DICTIONARIES {
        let path = project().join("fuzz/dictionaries").join(name).with_extension("dict");
        if std::env::var_os("UPDATE_DICTIONARIES").is_some() {
            fs::write(&path, text()).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == text(), "{}: not what the layouts say; see {}", path.display(), file!());
    }
}

#[test]
fn words_of_dictionaries_are_what_fuzzers_take() {
    for (name, text) in DICTIONARIES {
        let text = text();
        let words: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let names: BTreeSet<&str> = words.iter().map(|word| word.split('=').next().unwrap()).collect();
        assert_eq!(names.len(), words.len(), "{name}: a name stands twice");
        for word in words {
            let bytes = word.matches("\\x").count();
            assert!((1..=64).contains(&bytes), "{name}: {word} has {bytes} bytes");
        }
    }
}
