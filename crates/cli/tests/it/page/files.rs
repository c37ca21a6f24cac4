//! Files for tests of pages: the samples, broken files, and files with hostile names.

use super::page_of;
use everybyte::{Format, bytes::Region, explain, layout};
use ndbytes::idv::{ColumnType, ItemType, NewColumn, Texts, Values, Writer};
use ndbytes::ndarray::Array1;
use ndbytes::{Limits, b2nd};
use ndbytes_testkit::{corpus, project};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Names that contain markup, reverse the writing direction, or take up all the room.
pub fn hostile_names() -> [String; 3] {
    [
        "</script><img src=x onerror=alert(1)><script>alert(2)</script>".into(),
        "a\u{202e}fdp.exe\u{2028}\u{0}\u{1b}[2J<b>&amp;".into(),
        "w".repeat(10_000),
    ]
}

/// A table whose columns, categories and texts have hostile names.
fn table(folder: &Path) -> PathBuf {
    let path = folder.join("hostile.idv");
    let texts = || Values::scalars(hostile_names().iter().collect::<Texts>());
    let columns = hostile_names().map(|name| {
        let text = ColumnType::scalar(ItemType::Text);
        NewColumn::new(name.clone(), text.clone()).annotation(name, text, texts().slice(0..1))
    });
    let mut writer = Writer::new(columns).create(&path).unwrap();
    writer.write(&[texts(), texts(), texts()]).unwrap();
    writer.finish().unwrap();
    path
}

/// An array whose metalayers and attributes have hostile names and contents.
fn frame(folder: &Path) -> PathBuf {
    let path = folder.join("</script><img src=x onerror=alert(3)>\u{202e}.b2nd".replace('/', "_"));
    let mut writer = b2nd::Writer::new();
    for (place, name) in hostile_names().iter().enumerate() {
        let name: String = name.chars().take(20 + place).collect();
        writer = writer.attribute_bytes(&name, b"\xb8<img src=x onerror=alert(4)>").unwrap();
    }
    fs::write(&path, writer.to_vec(&Array1::from_iter([f32::NAN, f32::INFINITY, 1.0, -0.0])).unwrap()).unwrap();
    path
}

/// The pages of files of all formats, each with its name.
pub fn pages(folder: &TempDir) -> Vec<PathBuf> {
    let mut files = vec![table(folder.path()), frame(folder.path())];
    let samples = fs::read_dir(project().join("samples")).unwrap().map(|entry| entry.unwrap().path());
    let broken = ["idx/bad/trailing-one.idx", "b2nd/bad/zlib-short.b2nd", "rawarray/bad/f8.ra"];
    for file in samples.chain(broken.map(|file| corpus::root().join(file))) {
        let copy = folder.path().join(file.file_name().unwrap());
        fs::copy(&file, &copy).unwrap();
        files.push(copy);
    }
    files.iter().map(|file| page_of(file)).chain([foreign(folder.path())]).collect()
}

/// A counted text: a custom format.
#[layout]
#[brw(big)]
struct Note {
    /// Bytes of the text.
    #[layout(extent = "text")]
    length: u16,
    /// The text.
    #[br(args { length: length.into() })]
    text: Region,
}

impl Format for Note {
    const NAME: &'static str = "note";
}

/// The page about a file in a custom format, which everybyte makes without ndbytes.
fn foreign(folder: &Path) -> PathBuf {
    let (page, file) = (folder.join("greeting.html"), b"\x00\x05hello!");
    fs::write(&page, everybyte::page::page(&explain::<Note>(file), file, "greeting", "notes")).unwrap();
    page
}

/// The page of one of the samples.
pub fn sample(folder: &TempDir, name: &str) -> PathBuf {
    let copy = folder.path().join(name);
    fs::copy(project().join("samples").join(name), &copy).unwrap();
    page_of(&copy)
}

/// An array with so many chunks that the page cannot contain all of their fields.
pub fn many_chunks(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("chunks.b2nd");
    let items = Array1::from_iter((0..6000_u32).map(|item| item % 251));
    fs::write(&path, b2nd::Writer::new().chunks([1]).to_vec(&items).unwrap()).unwrap();
    assert!(ndbytes::check(&path, &Limits::default()).unwrap().findings().is_empty());
    path
}
