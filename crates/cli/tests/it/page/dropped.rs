//! The page for dropped files, in a browser. `crates/web/build.sh` builds it, which takes minutes, so only the gate does so.

use super::browser::{Browser, Tab, browser};
use crate::support::tool::run_in;
use ndbytes::Checker;
use ndbytes_testkit::{corpus, project};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::MutexGuard;
use tempfile::TempDir;

/// The built page.
pub fn built() -> PathBuf {
    let page = Path::new(env!("CARGO_BIN_EXE_ndbytes")).ancestors().nth(2).unwrap().join("drop/index.html");
    assert!(page.is_file(), "{} is missing: run crates/web/build.sh", page.display());
    page
}

fn chromium() -> MutexGuard<'static, Browser> {
    browser().expect("these tests need chromium")
}

fn samples(names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| project().join("samples").join(name)).collect()
}

/// Drops files and waits until all of them are checked.
pub fn drop_files(tab: &mut Tab<'_>, files: &[PathBuf]) {
    let before = tab.ask("document.querySelectorAll('tbody tr').length").as_u64().unwrap() as usize;
    tab.choose_files("#files", files);
    let all = before + files.len();
    tab.wait(&format!("document.querySelectorAll('tr[data-verdict]').length === {all}"));
    tab.wait("!document.querySelector('.answers').hidden && document.querySelector('.work').hidden");
}

/// Opens a tab of the page and waits for its content.
pub fn open(tab: &mut Tab<'_>, name: &str) {
    tab.ask(&format!("document.querySelector('#tab-{name}').click()"));
    tab.wait("document.querySelector('.work').hidden");
}

/// Asserts that a frame has the page of the tool. Prints only the position of the first difference.
fn assert_same_page(frame: &Value, page: &str) {
    let frame = frame.as_str().unwrap();
    let same = frame.bytes().zip(page.bytes()).take_while(|(one, other)| one == other).count();
    let part =
        |text: &str| String::from_utf8_lossy(&text.as_bytes()[same.min(text.len())..]).chars().take(200).collect();
    let (one, other): (String, String) = (part(frame), part(page));
    assert!(frame == page, "at {same}: the frame has {one}, and the tool {other}");
}

/// A copy of the page in which a text of its worker is replaced.
fn changed(folder: &TempDir, text: &str, other: &str) -> PathBuf {
    let page = fs::read_to_string(built()).unwrap();
    assert_eq!(page.matches(text).count(), 1, "{text}");
    let path = folder.path().join("changed.html");
    fs::write(&path, page.replace(text, other)).unwrap();
    path
}

#[test]
#[ignore = "the gate builds the page"]
fn a_dropped_file_gets_what_check_explain_and_show_say() {
    let (mut browser, folder, page) = (chromium(), project().join("samples"), built());
    let mut tab = browser.open(&page, 1280);
    let names = ["interrupted-idx3-ubyte", "surface.ra", "trees.idv", "temperatures.b2nd", "digits-idx3-ubyte.gz"];
    drop_files(&mut tab, &samples(&names));
    let saved = tempfile::tempdir().unwrap();
    let out = saved.path().join("out.svg");
    for (place, name) in names.into_iter().enumerate() {
        tab.point(&format!("tbody tr:nth-child({}) button", place + 1), true);
        open(&mut tab, "check");
        let checked = run_in(&folder, &["check", name]).stdout;
        let said = tab.text("#panel");
        assert!(checked.starts_with(&said) || said.starts_with("No rule") && checked == "1 file: 1 ok\n", "{said}");
        open(&mut tab, "explain");
        let explained = run_in(&folder, &["explain", "--html", "-", name]).stdout;
        assert_same_page(&tab.ask("document.querySelector('iframe').srcdoc"), &explained);
        open(&mut tab, "show");
        let shown = run_in(&folder, &["show", "--force", "--out", out.to_str().unwrap(), name]);
        if shown.status == 0 {
            let drawn = tab.ask("decodeURIComponent(document.querySelector('.drawing').src)");
            let svg = fs::read_to_string(&out).unwrap();
            assert_eq!(drawn.as_str().unwrap().strip_prefix("data:image/svg+xml,"), Some(&*svg), "{name}");
        } else {
            assert!(tab.ask("document.querySelector('.refused').textContent.length").as_u64() > Some(20), "{name}");
        }
    }
    assert_eq!(tab.complaints(&page), [0; 0]);
}

#[test]
#[ignore = "the gate builds the page"]
fn two_dropped_files_get_the_page_of_diff() {
    let (mut browser, folder, page) = (chromium(), project().join("tests/pairs/idx"), built());
    let mut tab = browser.open(&page, 1280);
    let names = ["digits.idx", "digits-item.idx"];
    drop_files(&mut tab, &names.map(|name| folder.join(name)));
    assert_eq!(tab.text("[role=tab][aria-selected=true]"), "Compare");
    tab.wait("document.querySelector('iframe')");
    let compared = run_in(&folder, &["diff", "--html", "-", names[0], names[1]]).stdout;
    assert_same_page(&tab.ask("document.querySelector('iframe').srcdoc"), &compared);
    assert_eq!(tab.complaints(&page), [0; 0]);
}

#[test]
#[ignore = "the gate builds the page"]
fn every_file_of_the_corpus_has_the_verdict_of_the_library_and_answers() {
    let (mut browser, page) = (chromium(), built());
    let mut tab = browser.open(&page, 1280);
    let samples = corpus::samples();
    drop_files(&mut tab, &samples.iter().map(|sample| sample.path.clone()).collect::<Vec<_>>());
    let verdicts = tab.ask("[...document.querySelectorAll('tr[data-verdict]')].map(line => line.dataset.verdict)");
    let wanted = samples.iter().map(|sample| Checker::new().check_slice(&sample.bytes).unwrap().verdict().to_string());
    assert_eq!(verdicts, Value::from_iter(wanted.collect::<Vec<_>>()));
    // Each broken file is also explained and drawn, and a panic would be reported.
    let ask_all = "(async () => { \
        const idle = async () => { while (!document.querySelector('.work').hidden) await new Promise(done => setTimeout(done, 1)); }; \
        const said = []; \
        for (const button of document.querySelectorAll('tr[data-verdict=error] button')) { \
          button.click(); \
          for (const tab of ['explain', 'show']) { \
            document.getElementById('tab-' + tab).click(); await idle(); \
            const words = document.querySelector('.refused')?.textContent || ''; \
            if (/mistake of ndbytes|ended early|no answer/.test(words)) said.push(button.textContent + ': ' + words); \
          } \
        } \
        return said; })()";
    assert_eq!(tab.ask(ask_all), serde_json::json!([]));
    assert_eq!(tab.complaints(&page), [0; 0]);
}

#[test]
#[ignore = "the gate builds the page"]
fn a_panic_is_a_sentence_and_the_next_file_is_read() {
    let (mut browser, folder) = (chromium(), tempfile::tempdir().unwrap());
    // The engine panics because it has not been given a question.
    let text = "const large = files.find(";
    let page = changed(&folder, text, &format!("if (files[0].name === 'panics') engine.ask();\n    {text}"));
    let mut tab = browser.open(&page, 800);
    let panics = folder.path().join("panics");
    fs::write(&panics, b"any").unwrap();
    drop_files(&mut tab, &[vec![panics], samples(&["surface.ra"])].concat());
    let verdicts = tab.ask("[...document.querySelectorAll('tr[data-verdict]')].map(line => line.dataset.verdict)");
    assert_eq!(verdicts, serde_json::json!(["failed", "ok"]));
    assert!(tab.text(".refused").starts_with("This is a mistake of ndbytes, not of the file: "));
    assert!(tab.text(".refused").contains("the page gives its question last"));
}

#[test]
#[ignore = "the gate builds the page"]
fn work_that_is_cancelled_ends_and_the_next_file_is_read() {
    let (mut browser, folder) = (chromium(), tempfile::tempdir().unwrap());
    // For a file with this name, the worker waits forever.
    let text = "const large = files.find(";
    let page =
        changed(&folder, text, &format!("if (files[0].name === 'endless') await new Promise(() => {{}});\n    {text}"));
    let mut tab = browser.open(&page, 800);
    let endless = folder.path().join("endless");
    fs::write(&endless, b"any").unwrap();
    tab.choose_files("#files", &[endless]);
    tab.wait("!document.querySelector('.work').hidden");
    assert_eq!(tab.text("[role=status]"), "checking endless");
    tab.press(&["Escape"]);
    tab.wait("document.querySelector('tr[data-verdict]')");
    assert_eq!(tab.text(".refused"), "The work was cancelled.");
    drop_files(&mut tab, &samples(&["surface.ra"]));
    assert_eq!(tab.ask("document.querySelector('tbody tr:last-child').dataset.verdict"), "ok");
}

#[test]
#[ignore = "the gate builds the page"]
fn a_file_beyond_the_limit_is_refused_unread() {
    let (mut browser, folder, page) = (chromium(), tempfile::tempdir().unwrap(), built());
    let long = folder.path().join("long.npy");
    fs::File::create(&long).unwrap().set_len((512 << 20) + 1).unwrap();
    let mut tab = browser.open(&page, 800);
    drop_files(&mut tab, &[vec![long], samples(&["surface.ra"])].concat());
    let said = "The file has 536,870,913 bytes. This page takes 536,870,912 at most; the tool takes larger ones.";
    assert_eq!(tab.text(".refused"), said);
    assert_eq!(tab.ask("document.querySelector('tbody tr:last-child').dataset.verdict"), "ok");
}

#[test]
#[ignore = "the gate builds the page"]
fn the_policy_lets_nothing_out() {
    let (mut browser, page) = (chromium(), built());
    let mut tab = browser.open(&page, 800);
    let tried = "Promise.all([fetch('https://example.org'), fetch('data:,x')].map(it => it.then(() => 'out', () => 'refused')))";
    assert_eq!(tab.ask(tried), serde_json::json!(["refused", "refused"]));
    let blocked = "new Promise(done => { addEventListener('securitypolicyviolation', event => done(event.effectiveDirective)); \
        const image = new Image(); image.src = 'https://example.org/x.png'; })";
    assert_eq!(tab.ask(blocked), "img-src");
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("content=\"default-src 'none'; ") && !html.contains("connect-src"));
}

#[test]
#[ignore = "the gate builds the page"]
fn the_page_is_small_and_fits_at_any_width() {
    let (mut browser, page) = (chromium(), built());
    assert!(fs::metadata(&page).unwrap().len() < 3 << 20);
    let mut tab = browser.open(&page, 360);
    drop_files(&mut tab, &samples(&["interrupted-idx3-ubyte", "surface.ra", "trees.idv"]));
    for width in [360, 800, 1280] {
        tab.resize(width);
        for name in ["check", "explain", "show", "diff"] {
            open(&mut tab, name);
            assert!(!tab.is_too_wide(), "{name} at {width}");
        }
    }
}

#[test]
#[ignore = "the gate builds the page"]
fn keys_reach_the_tabs_and_the_members_of_an_archive_are_chosen() {
    let (mut browser, page) = (chromium(), built());
    let mut tab = browser.open(&page, 1280);
    let archive = corpus::samples().into_iter().find(|sample| sample.kind == "zip" && sample.folder == "ok").unwrap();
    drop_files(&mut tab, &[archive.path]);
    tab.ask("document.querySelector('#tab-check').focus()");
    tab.press(&["ArrowRight"]);
    tab.wait("document.querySelector('iframe')");
    assert_eq!(tab.ask("document.activeElement.id"), "tab-explain");
    assert_eq!(tab.ask("document.querySelector('[data-control=member]').options[0].textContent"), "the archive");
    tab.press(&["ArrowRight"]);
    tab.wait("document.querySelector('#panel .drawing, #panel .refused')");
    assert_ne!(tab.ask("document.querySelector('[data-control=member]').value"), "");
}

#[test]
#[ignore = "the gate builds the page"]
fn a_slider_chooses_the_item_that_is_drawn_and_keeps_the_focus() {
    let (mut browser, page) = (chromium(), built());
    let mut tab = browser.open(&page, 1280);
    drop_files(&mut tab, &samples(&["digits-idx3-ubyte.gz"]));
    open(&mut tab, "show");
    tab.wait("document.querySelector('[data-control=axis0]') && document.querySelector('.drawing')");
    let sheet = tab.ask("document.querySelector('.drawing').src");
    tab.ask("document.querySelector('[data-control=axis0]').focus()");
    for item in ["0", "1", "2"] {
        tab.press(&["ArrowRight"]);
        tab.wait(&format!(
            "document.querySelector('output').textContent === '{item}' && document.querySelector('.drawing')"
        ));
        assert_eq!(tab.ask("document.activeElement.dataset.control"), "axis0", "{item}");
    }
    assert_ne!(tab.ask("document.querySelector('.drawing').src"), sheet);
}

#[test]
#[ignore = "the gate builds the page"]
fn what_the_pointer_drops_is_checked() {
    let (mut browser, page) = (chromium(), built());
    let mut tab = browser.open(&page, 1280);
    tab.ask(
        "(() => { const dataTransfer = new DataTransfer(); \
         dataTransfer.items.add(new File([new Uint8Array([0, 0, 8, 1, 0, 0, 0, 3, 1, 2])], 'cut.idx')); \
         document.querySelector('.zone').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })); })()",
    );
    tab.wait("document.querySelector('tr[data-verdict]')");
    assert!(tab.text("#panel").starts_with("error[idx/truncated-payload]"));
    assert_eq!(tab.complaints(&page), [0; 0]);
}
