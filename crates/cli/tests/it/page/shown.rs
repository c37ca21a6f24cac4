//! The page in a browser. If there is no browser, these tests report that.

use super::browser::{Tab, browser};
use super::files::{hostile_names, many_chunks, pages, sample};
use super::page_of;
use crate::support::tool::run;
use std::fs;

/// The widths of a phone, a tablet, and a screen.
const WIDTHS: [u32; 3] = [360, 800, 1280];

/// The name of the selected field.
fn chosen(tab: &mut Tab<'_>) -> String {
    tab.text(".crumbs > b")
}

#[test]
fn pages_load_nothing_complain_of_nothing_and_fit_at_any_width() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    for page in pages(&folder) {
        let plain = folder.path().join("page.html");
        fs::copy(&page, &plain).unwrap();
        let mut tab = browser.open(&plain, 1280);
        for width in WIDTHS {
            tab.resize(width);
            assert!(!tab.is_too_wide(), "{} at {width}", page.display());
        }
        assert_eq!(tab.complaints(&plain), [0; 0], "{}", page.display());
        let counts = "[document.querySelectorAll('script').length, document.querySelectorAll('img:not(.drawing), iframe').length]";
        assert_eq!(tab.ask(counts), serde_json::json!([2, 0]), "{}", page.display());
        let text = tab.ask("document.body.textContent + document.title");
        assert!(!text.as_str().unwrap().contains(['\u{202e}', '\u{1b}']), "{}", page.display());
        assert!(tab.ask("document.querySelectorAll('.tree .line').length").as_u64().unwrap() > 3);
    }
}

#[test]
fn meanings_have_room_at_the_width_of_a_phone() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut tab = browser.open(&sample(&folder, "temperatures.b2nd"), 360);
    let widths = "[...document.querySelectorAll('.tree .meaning:not(:empty)')].map(it => it.clientWidth)";
    let widths: Vec<u64> = tab.ask(widths).as_array().unwrap().iter().map(|width| width.as_u64().unwrap()).collect();
    assert!(!widths.is_empty() && widths.iter().all(|&width| width >= 120), "{widths:?}");
}

#[test]
fn a_policy_by_hash_lets_no_other_script_run() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = sample(&folder, "surface.ra");
    let html = fs::read_to_string(&page).unwrap();
    fs::write(&page, html.replace("</body>", "<script>document.title = 'taken'</script></body>")).unwrap();
    let mut tab = browser.open(&page, 800);
    assert_eq!(tab.ask("document.title"), "surface.ra: ok");
    assert!(tab.complaints(&page).iter().any(|event| event.to_string().contains("Content Security Policy")));
}

#[test]
fn a_byte_marks_its_field_and_a_field_its_bytes_under_the_pointer() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = sample(&folder, "surface.ra");
    let mut tab = browser.open(&page, 1280);
    tab.point(".hex .byte[data-offset=\"24\"]", false);
    assert_eq!(tab.text(".tree .line.on .name"), "elbyte");
    assert_eq!(tab.ask("document.querySelectorAll('.hex .byte.on').length"), 8);
    tab.point(".tree .line:nth-child(4)", false);
    assert_eq!(tab.text(".tree .line:nth-child(4) .name"), "eltype");
    let marked = "[...document.querySelectorAll('.hex .byte.on')].map(byte => Number(byte.dataset.offset))";
    assert_eq!(tab.ask(marked), serde_json::json!((16..24).collect::<Vec<_>>()));
    tab.point(".hex .byte[data-offset=\"100\"]", true);
    assert_eq!(chosen(&mut tab), "data");
    assert!(tab.ask("location.hash").as_str().unwrap().ends_with("#k=data&o=0x64"));
}

#[test]
fn search_finds_fields_values_and_offsets() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = sample(&folder, "digits-idx3-ubyte.gz");
    let mut tab = browser.open(&page, 1280);
    for (text, field) in [("crc32", "crc32"), ("28", "[1]"), ("0x3", "flags"), ("space:1 0x4", "[0]"), ("208", "crc32")]
    {
        tab.press(&["/"]);
        tab.ask("document.querySelector('.search input').value = ''");
        tab.press(&text.split("").filter(|key| !key.is_empty()).collect::<Vec<_>>());
        let hits: String = tab.text(".hits");
        assert!(!hits.contains("nothing"), "{text}: {hits}");
        if text == "28" {
            // The first hit is byte 28, and the next one is the first field with this value.
            tab.press(&["ArrowDown"]);
        }
        tab.press(&["Enter"]);
        assert_eq!(chosen(&mut tab), field, "{text}: {hits}");
    }
    tab.press(&["/", "q", "q", "q"]);
    assert_eq!(tab.text(".hits"), "nothing found");
}

#[test]
fn keys_walk_open_and_jump() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = sample(&folder, "trees.idv");
    let mut tab = browser.open(&page, 1280);
    assert_eq!(chosen(&mut tab), "magic");
    tab.press(&["ArrowDown", "ArrowDown", "ArrowDown"]);
    assert_eq!(chosen(&mut tab), "columns_offset");
    // An offset links to its target, and going back returns to the offset.
    tab.press(&["Enter"]);
    assert_eq!(chosen(&mut tab), "columns");
    assert!(tab.text(".details .links").contains("columns_offset"));
    tab.ask("new Promise(done => { addEventListener('popstate', () => setTimeout(done, 50)); history.back(); })");
    assert_eq!(chosen(&mut tab), "columns_offset");
    tab.press(&["ArrowLeft", "ArrowLeft"]);
    assert_eq!(tab.text(".tree .line:nth-child(3) .name").trim_start_matches('▸'), "columns[\"Name\"].block[rows 0..]");
    // A compressed block opens in place.
    tab.press(&["ArrowDown", "Enter"]);
    assert!(tab.text(".tree .line.space:nth-child(4) .name").contains("columns[0].block[0]"), "{}", tab.text(".tree"));
    tab.press(&["?"]);
    assert_eq!(tab.ask("document.querySelector('dialog').open"), true);
    tab.press(&["Escape"]);
    tab.press(&["n", "n"]);
    assert_eq!(tab.complaints(&page), [0; 0]);
}

#[test]
fn findings_are_cards_that_lead_to_their_fields() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = sample(&folder, "interrupted-idx3-ubyte");
    let mut tab = browser.open(&page, 800);
    assert_eq!(chosen(&mut tab), "payload");
    assert_eq!(tab.text("header .facts .badge"), "error");
    assert!(tab.text("header .facts").ends_with("every byte has a field; 1 error"));
    assert_eq!(tab.ask("document.querySelectorAll('.ok').length"), 0);
    tab.press(&["ArrowUp"]);
    assert_eq!(chosen(&mut tab), "[2]");
    tab.press(&["n"]);
    assert_eq!(chosen(&mut tab), "payload");
    tab.point(".finding .link", true);
    assert!(tab.text(".finding").contains("idx/truncated-payload"));
}

#[test]
fn addresses_lead_back_to_the_field_and_the_byte() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = sample(&folder, "trees.idv");
    let mut tab = browser.open(&page, 1280);
    let address = format!("file://{}", page.display());
    for (hash, field, cursor) in [
        ("#k=columns[0].codec&o=0x260", "codec", 0x260),
        ("#k=columns[%22Label%22].codec", "codec", 0x280),
        ("#o=0x1b", "columns_offset", 0x1b),
        ("#o=27", "columns_offset", 0x1b),
    ] {
        tab.go("about:blank");
        tab.go(&format!("{address}{hash}"));
        assert_eq!(chosen(&mut tab), field, "{hash}");
        let found = tab.ask("Number(document.querySelector('.byte.cursor').dataset.offset)");
        assert_eq!(found, cursor, "{hash}");
        let written = tab.ask("location.hash").as_str().unwrap().to_owned();
        tab.go("about:blank");
        tab.go(&format!("{address}{written}"));
        assert_eq!(tab.ask("Number(document.querySelector('.byte.cursor').dataset.offset)"), cursor, "{written}");
    }
}

#[test]
fn pictures_show_the_data() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = sample(&folder, "digits-idx3-ubyte.gz");
    let mut tab = browser.open(&page, 1280);
    assert_eq!(tab.text(".data .array"), "|u1 10 × 28 × 28");
    assert_eq!(tab.ask("document.querySelector('.drawing').alt"), "10 images of 28 × 28 pixels");
    // The digits are light on a dark background, and the paper around them is white.
    let light = "(async () => { const image = document.querySelector('.drawing'); await image.decode(); \
        const canvas = document.createElement('canvas'); canvas.width = image.naturalWidth; \
        canvas.height = image.naturalHeight; const context = canvas.getContext('2d'); context.drawImage(image, 0, 0); \
        const part = (x, y) => context.getImageData(x, y, 84, 84).data.filter((_, place) => place % 4 === 0); \
        return [0, 1].map(item => part(12 + item * 90, 28).filter(grey => grey > 200).length); })()";
    let light: Vec<u64> = serde_json::from_value(tab.ask(light)).unwrap();
    assert!(light.iter().all(|&count| (180..3600).contains(&count)), "{light:?}");
    let page = sample(&folder, "trees.idv");
    drop(tab);
    let mut tab = browser.open(&page, 1280);
    assert_eq!(tab.text(".rows tbody tr:nth-child(3)"), "2oakbroadleaf[23.25, 6.5, 340]false");
}

#[test]
fn a_page_without_room_says_what_it_leaves_out() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = page_of(&many_chunks(&folder));
    assert!(fs::metadata(&page).unwrap().len() < 2 << 20);
    let mut tab = browser.open(&page, 360);
    assert!(!tab.is_too_wide());
    assert!(tab.ask("document.querySelectorAll('.line').length").as_u64().unwrap() < 500);
    tab.ask("document.querySelector('.tree').scrollTop = 1e9");
    tab.press(&["End", "End"]);
    assert_eq!(tab.complaints(&page), [0; 0]);
}

#[test]
fn a_title_from_a_hostile_name_is_text() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [markup, ..] = hostile_names();
    let file = folder.path().join(markup.replace('/', "_"));
    fs::copy(ndbytes_testkit::project().join("samples/surface.ra"), &file).unwrap();
    let page = folder.path().join("page.html");
    run(&["explain", "--html", page.to_str().unwrap(), file.to_str().unwrap()]);
    let mut tab = browser.open(&page, 360);
    assert_eq!(tab.text("h1"), markup.replace('/', "_"));
    assert!(!tab.is_too_wide());
    assert_eq!(tab.complaints(&page), [0; 0]);
}
