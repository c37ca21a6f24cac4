//! Tests every kind of page with axe-core, in light and dark colours, at the width of a phone and of a screen.
//! `tests/peers/setup.sh` installs axe-core.

use super::browser::{Browser, Tab, browser};
use super::dropped::{built, drop_files, open};
use super::files::pages;
use super::pair::{PAIRS, page_of, pair};
use ndbytes_testkit::project;
use std::fs;
use std::path::PathBuf;
use std::sync::MutexGuard;

fn chromium() -> MutexGuard<'static, Browser> {
    browser().expect("these tests need chromium")
}

/// The script of axe-core.
fn axe() -> String {
    let path = PathBuf::from(env!("CARGO_BIN_EXE_ndbytes"));
    let path = path.ancestors().nth(2).unwrap().join("peers/node/node_modules/axe-core/axe.min.js");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}: run tests/peers/setup.sh", path.display()))
}

/// The violations in the current page: the rules, and the first elements of each.
fn violations(tab: &mut Tab<'_>, what: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (width, scheme) in [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")] {
        tab.resize(width);
        tab.colours(scheme);
        let said = tab.ask(
            "axe.run({ resultTypes: ['violations'], iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => \
             `${id}: ${nodes.slice(0, 3).map(node => node.html).join(' ')}`))",
        );
        let said: Vec<String> = serde_json::from_value(said).unwrap();
        found.extend(said.into_iter().map(|violation| format!("{what}, {width}, {scheme}: {violation}")));
    }
    found
}

/// Opens a page and loads axe-core into it.
fn opened<'b>(browser: &'b mut Browser, page: &std::path::Path) -> Tab<'b> {
    let mut tab = browser.open(page, 1280);
    tab.ask(&format!("{};0", axe()));
    tab
}

#[test]
#[ignore = "needs axe-core"]
fn pages_of_files_of_all_formats_have_no_violation() {
    let (mut browser, folder) = (chromium(), tempfile::tempdir().unwrap());
    let mut found = Vec::new();
    for page in pages(&folder) {
        let plain = folder.path().join("page.html");
        fs::copy(&page, &plain).unwrap();
        found.extend(violations(&mut opened(&mut browser, &plain), &page.display().to_string()));
    }
    assert_eq!(found, [""; 0]);
}

#[test]
#[ignore = "needs axe-core"]
fn pages_of_two_files_have_no_violation() {
    let (mut browser, folder) = (chromium(), tempfile::tempdir().unwrap());
    let page = folder.path().join("page.html");
    let mut found = Vec::new();
    for (a, b) in PAIRS {
        page_of(&pair(a), &pair(b), &page);
        found.extend(violations(&mut opened(&mut browser, &page), &format!("{a} {b}")));
    }
    assert_eq!(found, [""; 0]);
}

#[test]
#[ignore = "needs axe-core"]
fn the_page_where_one_drops_a_file_has_no_violation() {
    let mut browser = chromium();
    let mut tab = opened(&mut browser, &built());
    let mut found = violations(&mut tab, "without files");
    let files = ["interrupted-idx3-ubyte", "surface.ra", "trees.idv"];
    drop_files(&mut tab, &files.map(|name| project().join("samples").join(name)));
    for name in ["check", "explain", "show", "diff"] {
        open(&mut tab, name);
        found.extend(violations(&mut tab, name));
    }
    assert_eq!(found, [""; 0]);
}
