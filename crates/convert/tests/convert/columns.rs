//! Arrays as columns of tables, and tables whose columns are arrays of a store.

use crate::support::{project, run_in, samples};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int64Type, UInt8Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use ndbytes::ndarray::{Array1, ArrayD, IxDyn};
use ndbytes::{b2nd, npy, rawarray};
use ndbytes_arrow::parquet;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Creates a directory with three arrays of six rows: numbers, planes in the other byte order and axis order, and texts.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let labels = ArrayD::from_shape_fn(IxDyn(&[6]), |place| place[0] as i16 - 2);
    npy::write(folder.path().join("labels.npy"), &labels).unwrap();
    rawarray::write(folder.path().join("planes.ra"), &planes(), rawarray::Order::Fortran).unwrap();
    folder
}

fn planes() -> ArrayD<f32> {
    ArrayD::from_shape_fn(IxDyn(&[6, 2, 3]), |place| (place[0] * 100 + place[1] * 10 + place[2]) as f32)
}

fn read(path: &Path) -> Vec<RecordBatch> {
    parquet::read(path).unwrap().map(Result::unwrap).collect()
}

#[test]
fn arrays_are_columns_of_numbers_and_of_tensors() {
    let folder = folder();
    let ended = run_in(folder.path(), &["convert", "labels.npy", "planes.ra", "both.parquet"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let [batch] = &read(&folder.path().join("both.parquet"))[..] else { panic!("one batch") };
    let schema = batch.schema();
    assert_eq!(schema.field(0).data_type(), &DataType::Int16);
    let field = schema.field(1);
    assert!(matches!(field.data_type(), DataType::FixedSizeList(child, 6) if child.data_type() == &DataType::Float32));
    assert_eq!(field.metadata().get("ARROW:extension:name").map(String::as_str), Some("arrow.fixed_shape_tensor"));
    assert_eq!(field.metadata().get("ARROW:extension:metadata").map(String::as_str), Some("{\"shape\":[2, 3]}"));
    let values = batch.column(1).as_fixed_size_list().values().as_primitive::<Float32Type>();
    assert_eq!(values.values()[..], planes().iter().copied().collect::<Vec<_>>()[..]);
}

#[test]
fn a_tensor_is_a_vector_of_its_shape_in_idv() {
    let folder = folder();
    assert_eq!(run_in(folder.path(), &["convert", "planes.ra", "planes.idv"]).status, 0);
    let table = ndbytes::idv::open(folder.path().join("planes.idv")).unwrap();
    assert_eq!(table.columns().next().unwrap().column_type().unwrap().to_string(), "Vector<Single, 2, 3>");
    // It comes back from Parquet in the same form.
    assert_eq!(run_in(folder.path(), &["convert", "planes.ra", "planes.parquet"]).status, 0);
    assert_eq!(run_in(folder.path(), &["convert", "planes.parquet", "again.idv"]).status, 0);
    assert_eq!(run_in(folder.path(), &["diff", "planes.idv", "again.idv"]).status, 0);
}

#[test]
fn arrays_of_other_lengths_and_types_that_arrow_lacks_are_refused() {
    let folder = folder();
    let short = ArrayD::from_shape_fn(IxDyn(&[5]), |place| place[0] as u8);
    npy::write(folder.path().join("short.npy"), &short).unwrap();
    let complex = ArrayD::from_elem(IxDyn(&[6]), ndbytes::num_complex::Complex::new(1.0_f64, 2.0));
    npy::write(folder.path().join("complex.npy"), &complex).unwrap();
    let scalar = ArrayD::from_elem(IxDyn(&[]), 1_u8);
    npy::write(folder.path().join("scalar.npy"), &scalar).unwrap();
    for (inputs, said) in [
        (&["labels.npy", "short.npy"][..], "short.npy cannot follow labels.npy: it has 5 rows, not 6"),
        (&["complex.npy"], "for which Arrow has no type"),
        (&["scalar.npy"], "has no axes, so it has no rows"),
        (&["labels.npy", "labels.npy"], "two columns named \"labels\""),
    ] {
        let ended = run_in(folder.path(), &[&["convert"], inputs, &["out.parquet"]].concat());
        assert_eq!(ended.status, 2, "{inputs:?}");
        assert!(ended.stderr.contains(said), "{}", ended.stderr);
        assert!(!folder.path().join("out.parquet").exists());
    }
}

#[test]
fn images_and_labels_are_laid_out_as_hugging_face_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let sample = |name: &str| samples().join(name).to_str().unwrap().to_owned();
    let (images, labels) = (sample("digits-idx3-ubyte.gz"), sample("digits-idx1-ubyte"));
    let arguments = ["convert", "--layout", "huggingface", &images, &labels, "digits.parquet"];
    let ended = run_in(folder.path(), &arguments);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let [batch] = &read(&folder.path().join("digits.parquet"))[..] else { panic!("one batch") };
    let names: Vec<_> = (0..10).map(|class| format!("\"{class}\"")).collect();
    let features = format!(
        "{{\"info\":{{\"features\":{{\"image\":{{\"_type\":\"Image\"}},\"label\":{{\"_type\":\"ClassLabel\",\"names\":[{}]}}}}}}}}",
        names.join(",")
    );
    assert_eq!(batch.schema().metadata().get("huggingface"), Some(&features));
    assert_eq!(batch.column(1).as_primitive::<Int64Type>().values()[..], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let files = batch.column(0).as_struct().column_by_name("bytes").unwrap().as_binary::<i32>();
    assert!(batch.column(0).as_struct().column_by_name("path").unwrap().null_count() == 10);
    fs::write(folder.path().join("3.png"), files.value(3)).unwrap();
    assert_eq!(run_in(folder.path(), &["convert", &format!("{images}[3]"), "three.npy"]).status, 0);
    assert_eq!(run_in(folder.path(), &["convert", "3.png", "file.npy"]).status, 0);
    let of = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(of("three.npy"), of("file.npy"));
    // Without labels, there is one column.
    assert_eq!(run_in(folder.path(), &["convert", "--layout", "huggingface", &images, "alone.parquet"]).status, 0);
    assert_eq!(read(&folder.path().join("alone.parquet"))[0].num_columns(), 1);
}

#[test]
fn what_is_no_image_or_label_is_refused_in_the_layout_of_hugging_face() {
    let folder = folder();
    let (images, labels) = ("planes.ra", samples().join("digits-idx1-ubyte").to_str().unwrap().to_owned());
    for (inputs, said) in [
        (&[images][..], "images of the shape [6, 2, 3] of"),
        (&[&labels, &labels, &labels], "more than two arrays in the layout huggingface"),
    ] {
        let arguments = [&["convert", "--layout", "huggingface"], inputs, &["out.parquet"]].concat();
        let ended = run_in(folder.path(), &arguments);
        assert_eq!(ended.status, 2);
        assert!(ended.stderr.contains(said), "{}", ended.stderr);
    }
}

#[test]
fn many_rows_are_written_in_batches() {
    let folder = tempfile::tempdir().unwrap();
    let large = ArrayD::from_shape_fn(IxDyn(&[3000, 1000]), |place| (place[0] + place[1]) as u8);
    npy::write(folder.path().join("large.npy"), &large).unwrap();
    let ended = run_in(folder.path(), &["convert", "--max-memory", "16M", "large.npy", "large.parquet"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let mut rows = 0;
    for batch in read(&folder.path().join("large.parquet")) {
        let values = batch.column(0).as_fixed_size_list().values().as_primitive::<UInt8Type>();
        assert_eq!(values.value(0), large[[rows, 0]]);
        rows += batch.num_rows();
    }
    assert_eq!(rows, 3000);
}

/// The path of a python-blosc2 table.
fn store(name: &str) -> String {
    project().join("tests/frozen/ctable").join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_table_of_python_blosc2_has_the_rows_that_it_reads() {
    let folder = tempfile::tempdir().unwrap();
    let read_columns = Some("id,x,name,flag,small,when,class");
    for (name, columns) in [("arrow", read_columns), ("arrays", None), ("deleted", None), ("nested", None)] {
        let (table, expected) =
            (store(&format!("{name}.b2z")), fs::read_to_string(store(&format!("{name}.jsonl"))).unwrap());
        let chosen: Vec<&str> = columns.into_iter().flat_map(|columns| ["--columns", columns]).collect();
        let ended = run_in(folder.path(), &[&["convert"], &chosen[..], &[&table, "--to", "jsonl", "-"]].concat());
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        assert_eq!(String::from_utf8(ended.stdout).unwrap(), expected);
        let out = format!("{name}.parquet");
        let ended = run_in(folder.path(), &[&["convert"], &chosen[..], &[&format!("{table}[:2]"), &out]].concat());
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        assert_eq!(read(&folder.path().join(&out)).iter().map(RecordBatch::num_rows).sum::<usize>(), 2);
    }
}

/// Writes the members of a store, none of which is compressed, to a directory.
fn unpack(store: &[u8], folder: &Path) {
    let number = |at: usize, length: usize| {
        store[at..at + length].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
    };
    let mut at = 0;
    while store[at..].starts_with(b"PK\x03\x04") {
        let (size, name, extra) = (number(at + 18, 4), number(at + 26, 2), number(at + 28, 2));
        let path = folder.join(std::str::from_utf8(&store[at + 30..][..name]).unwrap());
        let start = at + 30 + name + extra;
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &store[start..start + size]).unwrap();
        at = start + size;
    }
}

#[test]
fn codes_and_categories_of_a_column_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("arrays.b2d");
    let convert = |member: &str, codes: [i32; 5]| {
        unpack(&fs::read(store("arrays.b2z")).unwrap(), &table);
        b2nd::write(table.join(member), &Array1::from(codes.to_vec())).unwrap();
        run_in(folder.path(), &["convert", "--columns", "id,colour", "arrays.b2d", "--to", "csv", "-"])
    };
    // The second row is deleted, so its code is not read.
    let ended = convert("_cols/colour.b2nd", [1, 7, 0, -1, 2]);
    assert_eq!(
        String::from_utf8(ended.stdout).unwrap(),
        "id,colour\n0,blue\n2,red\n3,\n4,ocean green\n",
        "{}",
        ended.stderr
    );
    for wrong in [3, -2, i32::MIN] {
        let ended = convert("_cols/colour.b2nd", [0, 0, 0, 0, wrong]);
        assert!(ended.status == 2 && ended.stderr.contains("has a code that is not below 3"), "{}", ended.stderr);
    }
    let ended = convert("_cols/colour_dict.b2b", [0; 5]);
    assert!(
        ended.status == 2 && ended.stderr.contains("has no texts that python-blosc2 would read"),
        "{}",
        ended.stderr
    );
    // A hundred thousand categories, all of them empty.
    fs::copy(store("many.b2b"), table.join("_cols/colour_dict.b2b")).unwrap();
    let ended = run_in(folder.path(), &["convert", "--max-memory", "1M", "arrays.b2d", "--to", "csv", "-"]);
    assert!(ended.status == 2 && ended.stderr.contains("of the memory limit are left"), "{}", ended.stderr);
    b2nd::write(table.join("_cols/colour.b2nd"), &Array1::from(vec![0_i64; 5])).unwrap();
    let ended = run_in(folder.path(), &["convert", "arrays.b2d", "--to", "csv", "-"]);
    assert!(ended.status == 2 && ended.stderr.contains("has items of <i8, not little-endian"), "{}", ended.stderr);
}

#[test]
fn a_column_of_python_blosc2_that_is_not_read_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let table = store("arrow.b2z");
    let ended = run_in(folder.path(), &["convert", &table, "all.parquet"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("the column \"list\" has python-blosc2's type list"), "{}", ended.stderr);
    let ended = run_in(folder.path(), &["convert", "--columns", "none", &table, "all.parquet"]);
    assert!(ended.status == 2 && ended.stderr.contains("none"), "{}", ended.stderr);
}

/// Writes a Parquet table of times in a time zone, one in winter and one in summer.
fn zoned(folder: &Path, zone: &str, times: Vec<i64>) {
    use arrow_array::{ArrayRef, TimestampMicrosecondArray};
    let times: ArrayRef = std::sync::Arc::new(TimestampMicrosecondArray::from(times).with_timezone(zone));
    let batch = RecordBatch::try_from_iter([("at", times)]).unwrap();
    let file = fs::File::create(folder.join("zoned.parquet")).unwrap();
    let mut writer = parquet::Writer::begin(file, &batch.schema(), &parquet::Options::new()).unwrap();
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
}

#[test]
fn times_of_a_zone_have_the_offset_of_its_clocks_in_idv() {
    let folder = tempfile::tempdir().unwrap();
    zoned(folder.path(), "Europe/Berlin", vec![1_704_067_200_000_000, 1_720_000_000_000_000]);
    for (tz, expected) in [
        ("offset", ["2024-01-01T01:00:00+01:00", "2024-07-03T11:46:40+02:00"]),
        ("utc", ["2024-01-01T00:00:00+00:00", "2024-07-03T09:46:40+00:00"]),
    ] {
        assert_eq!(run_in(folder.path(), &["convert", "--force", "--tz", tz, "zoned.parquet", "at.idv"]).status, 0);
        let ended = run_in(folder.path(), &["convert", "at.idv", "--to", "csv", "-"]);
        let text = String::from_utf8(ended.stdout).unwrap();
        assert_eq!(text.lines().skip(1).collect::<Vec<_>>(), expected, "{tz}");
    }
}

#[test]
fn zones_that_are_unknown_and_offsets_of_seconds_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (zone, time, said) in [
        (
            "Moon/Tycho",
            0,
            "has times in the zone \"Moon/Tycho\", which this system does not know: choose the zones utc (`--tz`)",
        ),
        // At that time, clocks followed local solar time.
        ("Europe/Berlin", -3_000_000_000_000_000, "3208 seconds ahead of UTC, which is not a whole number of minutes"),
    ] {
        zoned(folder.path(), zone, vec![time]);
        let ended = run_in(folder.path(), &["convert", "--force", "zoned.parquet", "at.idv"]);
        assert!(ended.status == 2 && ended.stderr.contains(said), "{}", ended.stderr);
        assert_eq!(run_in(folder.path(), &["convert", "--force", "--tz", "utc", "zoned.parquet", "at.idv"]).status, 0);
    }
}
