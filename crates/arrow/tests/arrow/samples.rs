//! Tables from elsewhere, which are outside the repository: real data sets, files from other writers, and broken ones.
//!
//! The test is ignored unless it is requested: `cargo test -p ndbytes-arrow --all-features -- --ignored samples::`.

use crate::round::{assert_comes_back, look};
use crate::support::{files, project};
use ndbytes::{Checker, idv};
use std::fs;

#[test]
#[ignore = "the samples lie outside the repository"]
fn tables_from_elsewhere_come_back_from_arrow_or_give_errors() {
    let folder = project().join("../shared/data/idv");
    let (mut clean, mut others) = (0, 0);
    for path in files(&folder, "idv") {
        if fs::metadata(&path).unwrap().len() > 1 << 20 {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        if Checker::new().check_slice(&bytes).unwrap().findings().is_empty() {
            assert_comes_back(&bytes, &path.display().to_string());
            clean += 1;
        } else if let Ok(table) = idv::from_reader(&bytes[..]) {
            look(table);
            others += 1;
        }
    }
    println!("{clean} valid files came back, {others} others gave arrays or errors");
    assert!(clean > 0);
}
