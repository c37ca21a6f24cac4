//! The numbers and the pictures on a page cover all values.

use super::browser::browser;
use super::{island, page_of};
use crate::support::tool::{json_lines, run};
use ndbytes::b2nd::{self, B2ndElement};
use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values, Writer};
use ndbytes::ndarray::{Array1, Array2, ArrayD, IxDyn};
use ndbytes::num_complex::Complex64;
use ndbytes_testkit::project;
use serde_json::Value;
use std::f64::consts::PI;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Writes an array and returns its path.
fn written<T: B2ndElement>(folder: &TempDir, array: &ArrayD<T>) -> PathBuf {
    let path = folder.path().join(format!("{}.b2nd", fs::read_dir(folder).unwrap().count()));
    b2nd::write(&path, array).unwrap();
    path
}

/// The pictures of a kind on the page of a file.
fn pictures(path: &Path, kind: &str) -> Vec<Value> {
    let all = island(&fs::read_to_string(page_of(path)).unwrap())["pictures"].clone();
    all.as_array().unwrap().iter().filter(|picture| picture["picture"] == kind).cloned().collect()
}

/// A sine with a spike that sampling would miss.
fn sine(items: usize) -> Array1<f64> {
    let mut sine = Array1::from_shape_fn(items, |place| (place as f64 / 500.0).sin());
    sine[items / 3 + 7] = 1e6;
    sine
}

#[test]
fn numbers_of_a_page_are_those_of_stats() {
    let folder = tempfile::tempdir().unwrap();
    let complex = Array1::from_shape_fn(1000, |place| Complex64::new(place as f64, -0.25));
    let holes = Array2::from_shape_fn((60, 70), |(row, column)| if row == column { f32::NAN } else { row as f32 });
    let mut files = vec![
        written(&folder, &sine(300_000).into_dyn()),
        written(&folder, &complex.into_dyn()),
        written(&folder, &holes.into_dyn()),
        written(&folder, &Array1::from(vec![i64::MAX, i64::MIN, 3]).into_dyn()),
        written(&folder, &Array1::from(vec![f64::MIN, f64::MAX, 1.0]).into_dyn()),
        written(&folder, &Array1::from(vec![f32::NAN, f32::INFINITY]).into_dyn()),
    ];
    for name in ["surface.ra", "digits-idx3-ubyte.gz", "temperatures.b2nd"] {
        let copy = folder.path().join(name);
        fs::copy(project().join("samples").join(name), &copy).unwrap();
        files.push(copy);
    }
    for path in files {
        let stats = &json_lines(&run(&["stats", "--json", path.to_str().unwrap()]).stdout)[0];
        let mut expected = stats["series"].clone();
        for series in expected.as_array_mut().unwrap() {
            series.as_object_mut().unwrap().remove("type");
            series["all"] = series["values"].clone();
            series["picture"] = "numbers".into();
        }
        assert_eq!(Value::Array(pictures(&path, "numbers")), expected, "{}", path.display());
    }
}

#[test]
fn numbers_of_columns_are_those_of_stats() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.idv");
    let columns = [
        NewColumn::new("id", ColumnType::scalar(ItemType::I64)),
        NewColumn::new("x", ColumnType::scalar(ItemType::F32)),
    ];
    let mut writer = Writer::new(columns).rows_per_block(1000).create(&path).unwrap();
    let ids = Values::scalars((0..9999_i64).collect::<Vec<_>>());
    let numbers = (0..9999).map(|row| if row % 300 == 299 { f32::NAN } else { row as f32 / 7.0 });
    writer.write(&[ids, Values::scalars(numbers.collect::<Vec<_>>())]).unwrap();
    writer.finish().unwrap();
    let stats = &json_lines(&run(&["stats", "--json", path.to_str().unwrap()]).stdout)[0];
    let table = &pictures(&path, "table")[0];
    assert_eq!(table["columns"][0]["statistics"]["max"], 9998);
    for (column, series) in table["columns"].as_array().unwrap().iter().zip(stats["series"].as_array().unwrap()) {
        let mut series = series.clone();
        let keys = ["type", "name"].map(|key| series.as_object_mut().unwrap().remove(key).unwrap());
        assert_eq!((&column["statistics"], &column["name"]), (&series, &keys[1]));
        assert_eq!(column["read"], 9999);
    }
}

/// The captions of the drawing on a page.
fn words(path: &Path) -> String {
    pictures(path, "drawn")[0]["words"].as_str().unwrap().to_owned()
}

#[test]
fn drawings_of_a_page_are_those_of_show() {
    let folder = tempfile::tempdir().unwrap();
    let turn = Array1::from_shape_fn(400, |place| Complex64::from_polar(2.0, place as f64 / 400.0 * PI));
    let red = ArrayD::from_shape_fn(IxDyn(&[40, 60, 3]), |at| if at[2] == 0 { 255_u8 } else { 0 });
    let mut wide = Array2::from_shape_fn((192, 320), |(_, column)| column as f64);
    wide[(0, 0)] = f64::NAN;
    let each = "each column spans the minimum to the maximum of its items";
    for (path, expected) in [
        (written(&folder, &sine(20_000).into_dyn()), format!("20,000 items; {each}")),
        (written(&folder, &turn.clone().into_dyn()), "magnitude; 400 items; phase, in radians; 400 items".into()),
        (
            written(&folder, &turn.into_shape_with_order((20, 20)).unwrap().into_dyn()),
            "magnitude; phase, in radians".into(),
        ),
        (written(&folder, &red), "40 × 60 pixels in red, green, blue".into()),
        (
            written(&folder, &wide.into_dyn()),
            "colours by rank; the middle one is 160.5; each point is the mean of about 4 of 192 × 320 items; \
             red: NaN or infinite"
                .into(),
        ),
    ] {
        assert_eq!(words(&path), expected, "{}", path.display());
    }
}

#[test]
fn a_drawing_is_seen_in_light_and_in_dark() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = page_of(&written(&folder, &sine(20_000).into_dyn()));
    let mut tab = browser.open(&page, 1280);
    let width =
        "document.querySelector('.drawing').decode().then(() => document.querySelector('.drawing').naturalWidth)";
    assert!(tab.ask(width).as_u64().unwrap() > 400);
    let svg = pictures(&page.with_extension(""), "drawn")[0]["svg"].as_str().unwrap().to_owned();
    assert!(svg.contains("prefers-color-scheme:dark") && svg.contains(">10,000</text>"), "{svg}");
    let facts = tab.text(".picture.histogram figcaption");
    assert!(facts.starts_with("min −1") && !facts.contains("sample"), "{facts}");
}
