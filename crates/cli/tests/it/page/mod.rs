//! The page: its content, and how a real browser shows it.

mod accessible;
mod browser;
mod carried;
mod dropped;
mod files;
mod numbers;
mod pair;
mod shown;

use crate::support::tool::run;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Writes the page about a file and returns its path.
fn page_of(file: &Path) -> PathBuf {
    let page = PathBuf::from(format!("{}.html", file.display()));
    let ended = run(&["explain", "--html", page.to_str().unwrap(), file.to_str().unwrap()]);
    assert!(page.is_file(), "{}: {}", file.display(), ended.stderr);
    page
}

/// The data in a page.
pub fn island(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("the data of a page");
    let (json, _) = rest.split_once("</script>").expect("the end of the data");
    serde_json::from_str(json).unwrap()
}
