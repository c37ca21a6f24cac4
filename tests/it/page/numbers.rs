//! The numbers and the pictures of a page are those of all values.

use super::browser::browser;
use super::{island, page_of};
use crate::support::tool::{json_lines, run};
use ndbytes::b2nd::{self, B2ndElement};
use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values, Writer};
use ndbytes::ndarray::{Array1, Array2, Array3, ArrayD, IxDyn};
use ndbytes::num_complex::Complex64;
use ndbytes_testkit::project;
use serde_json::{Value, json};
use std::f64::consts::PI;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Writes an array, and returns its path.
fn written<T: B2ndElement>(folder: &TempDir, array: &ArrayD<T>) -> PathBuf {
    let path = folder.path().join(format!("{}.b2nd", fs::read_dir(folder).unwrap().count()));
    b2nd::write(&path, array).unwrap();
    path
}

/// The header of a `.npy` file.
fn npy(dtype: &str, shape: &str) -> Vec<u8> {
    let text = format!("{{'descr': {dtype}, 'fortran_order': False, 'shape': {shape}, }}");
    [b"\x93NUMPY\x01\x00\x76\x00", format!("{text:117}\n").as_bytes()].concat()
}

/// The pictures of a kind on the page of a file.
fn pictures(path: &Path, kind: &str) -> Vec<Value> {
    let all = island(&fs::read_to_string(page_of(path)).unwrap())["pictures"].clone();
    all.as_array().unwrap().iter().filter(|picture| picture["picture"] == kind).cloned().collect()
}

/// The bytes that a page states in Base64.
fn bytes(text: &Value) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let group = |letters: &[u8]| {
        let bits = letters.iter().fold(0_u32, |bits, &letter| bits << 6 | u32::from(value(letter)));
        let bytes = (bits << (6 * (4 - letters.len()))).to_be_bytes();
        bytes[1..letters.len()].to_vec()
    };
    text.as_str().unwrap().trim_end_matches('=').as_bytes().chunks(4).flat_map(group).collect()
}

/// A sine, with a spike where no sample would look.
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

#[test]
fn lines_are_the_envelope_of_all_items() {
    let folder = tempfile::tempdir().unwrap();
    for items in [2, 479, 480, 481, 16_384, 20_000, 100_000] {
        let mut array = sine(items.max(40));
        array[5] = f64::NAN;
        let line = &pictures(&written(&folder, &array.clone().into_dyn()), "line")[0];
        let runs = line["runs"].as_array().unwrap();
        assert_eq!((runs.len(), line["is_sample"].as_bool()), (array.len().min(480), Some(false)));
        for (place, run) in runs.iter().enumerate() {
            let edge = |place: usize| place * array.len() / runs.len();
            let part = || array.iter().skip(edge(place)).take(edge(place + 1) - edge(place)).copied();
            let finite = || part().filter(|number| number.is_finite());
            let ends = finite().reduce(f64::min).zip(finite().reduce(f64::max));
            assert_eq!(*run, json!(ends), "run {place} of {items}");
            let is_broken = line["broken"].as_array().unwrap().contains(&json!(place));
            assert_eq!(is_broken, part().any(|number| !number.is_finite()), "run {place} of {items}");
        }
    }
}

#[test]
fn a_last_axis_of_three_or_four_is_that_of_colours() {
    let folder = tempfile::tempdir().unwrap();
    let red = Array3::from_shape_fn((40, 60, 3), |(_, _, channel)| if channel == 0 { 255_u8 } else { 0 });
    let grid = &pictures(&written(&folder, &red.into_dyn()), "grid")[0];
    assert_eq!((&grid["width"], &grid["height"], &grid["channels"]), (&json!(60), &json!(40), &json!(3)));
    assert_eq!(bytes(&grid["pixels"]), [255, 0, 0].repeat(2400));
    // 16 bits, with alpha, and larger than there is room for: a pixel is the mean of those it stands for.
    let large = Array3::from_shape_fn((240, 320, 4), |(_, column, channel)| match channel {
        0 => 65535,
        1 => (column % 2 * 65534) as u16,
        2 => 0,
        _ => 257 * 100,
    });
    let grid = &pictures(&written(&folder, &large.into_dyn()), "grid")[0];
    assert_eq!((&grid["width"], &grid["height"], &grid["columns"]), (&json!(160), &json!(120), &json!(320)));
    assert_eq!(bytes(&grid["pixels"]), [255, 127, 0, 100].repeat(120 * 160));
    let several = ArrayD::from_shape_fn(IxDyn(&[3, 8, 8, 3]), |at| (at[0] * 100) as u8);
    let grid = &pictures(&written(&folder, &several), "grid")[0];
    assert_eq!((&grid["items"], &grid["shown"]), (&json!(3), &json!(3)));
    assert_eq!(bytes(&grid["pixels"])[2 * 192..], [200; 192]);
    // Floats are numbers, and so are three columns.
    for array in [ArrayD::<f32>::zeros(IxDyn(&[9, 9, 3])), ArrayD::<f32>::zeros(IxDyn(&[9, 3]))] {
        assert!(pictures(&written(&folder, &array), "grid").is_empty());
    }
}

#[test]
fn complex_numbers_are_magnitudes_and_phases() {
    let folder = tempfile::tempdir().unwrap();
    let turn = Array1::from_shape_fn(400, |place| Complex64::from_polar(2.0, place as f64 / 400.0 * PI));
    let lines = pictures(&written(&folder, &turn.clone().into_dyn()), "line");
    assert_eq!([&lines[0]["quantity"], &lines[1]["quantity"]], ["magnitude", "phase"]);
    let phase = lines[1]["runs"][100][0].as_f64().unwrap();
    assert!((phase - PI / 4.0).abs() < 1e-12 && (lines[0]["runs"][100][0].as_f64().unwrap() - 2.0).abs() < 1e-12);
    let plane = turn.into_shape_with_order((20, 20)).unwrap();
    let maps = pictures(&written(&folder, &plane.into_dyn()), "heat");
    assert_eq!([&maps[0]["scaling"], &maps[1]["scaling"]], ["zero", "turn"]);
    // Rounding of the magnitude is no picture: all of it is the greatest shade.
    assert_eq!(bytes(&maps[0]["shades"]), [254; 400]);
    assert_eq!(bytes(&maps[1]["shades"])[200], 191);
}

#[test]
fn planes_show_what_is_no_number_and_the_ends_of_the_scale() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bool.npy");
    let checks: Vec<u8> = (0..64).map(|place| u8::from((place / 8 + place) % 2 == 0)).collect();
    fs::write(&path, [npy("'|b1'", "(8, 8)"), checks].concat()).unwrap();
    let map = &pictures(&path, "heat")[0];
    assert_eq!(bytes(&map["shades"])[..4], [254, 0, 254, 0]);
    assert_eq!(map["scale"], json!([0.0, 1.0, 1.0]));
    // A cell with NaN among its items is no number, and the others are means.
    let mut wide = Array2::from_shape_fn((192, 320), |(_, column)| column as f64);
    wide[(0, 0)] = f64::NAN;
    let map = &pictures(&written(&folder, &wide.into_dyn()), "heat")[0];
    let shades = bytes(&map["shades"]);
    assert_eq!((&map["height"], &map["width"], shades[0], shades[160]), (&json!(96), &json!(160), 255, 0));
    assert_eq!((&map["scale"][0], &map["scale"][2]), (&json!(0.5), &json!(318.5)));
}

#[test]
fn a_line_has_axes_and_numbers_have_names() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let sine = Array1::from_shape_fn(20_000, |place| (place as f64 / 500.0).sin());
    let page = page_of(&written(&folder, &sine.into_dyn()));
    let mut tab = browser.open(&page, 1280);
    let labels = "[...document.querySelectorAll('.plot .y .tick')].map(tick => tick.textContent)";
    assert_eq!(tab.ask(labels), json!(["−0.5", "0", "0.5"]));
    let labels = "[...document.querySelectorAll('.plot .x .tick')].map(tick => tick.textContent)";
    assert_eq!(tab.ask(labels), json!(["0", "5,000", "10,000", "15,000"]));
    assert!(tab.text(".picture.line figcaption").starts_with("20,000 items"));
    let facts = tab.text(".picture.histogram figcaption");
    assert!(facts.starts_with("min −1") && !facts.contains("sample"), "{facts}");
}

#[test]
fn numbers_and_lines_of_a_sample_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge.npy");
    let items = (256 << 20) / 16 + 1;
    fs::write(&path, npy("'<c16'", &format!("({items},)"))).unwrap();
    // Zeros that take no room.
    fs::File::options().write(true).open(&path).unwrap().set_len(128 + items * 16).unwrap();
    for numbers in pictures(&path, "numbers") {
        assert_eq!((&numbers["all"], &numbers["values"]), (&json!(items), &json!(480 * 2048)));
    }
    assert!(pictures(&path, "line").iter().all(|line| line["is_sample"] == true));
    let Some(mut browser) = browser() else { return };
    let mut tab = browser.open(&page_of(&path), 360);
    for kind in ["line", "histogram"] {
        let words = tab.text(&format!(".picture.{kind} figcaption"));
        assert!(words.contains(" of a sample"), "{words}");
    }
    assert!(!tab.is_too_wide());
}
