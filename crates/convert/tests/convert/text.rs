//! CSV and JSON Lines. Written files are read back, hostile files are refused in time, and every error names its line.

use crate::support::{project, run_in, samples};
use arrow_array::RecordBatch;
use ndbytes::Limits;
use ndbytes_arrow::table::{ArrowTable, Options, TextPolicy, Times};
use ndbytes_convert::FileKind;
use ndbytes_convert::text::{ReadOptions, csv, jsonl, losses};
use std::borrow::Borrow;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;

/// The rows of a CSV file as JSON Lines.
fn csv_rows(bytes: &[u8], options: &ReadOptions) -> Result<String, String> {
    let reader = csv::Reader::new(bytes, options).map_err(|error| error.to_string())?;
    json_of(reader.map(|batch| batch.expect("the values were looked at")))
}

/// The rows of a JSON Lines file, written again.
fn jsonl_rows(bytes: &[u8], options: &ReadOptions) -> Result<String, String> {
    let reader = jsonl::Reader::new(bytes, options).map_err(|error| error.to_string())?;
    json_of(reader.map(|batch| batch.expect("the values were looked at")))
}

/// Batches as JSON Lines.
fn json_of(batches: impl IntoIterator<Item = impl Borrow<RecordBatch>>) -> Result<String, String> {
    let mut writer = None;
    for batch in batches {
        let batch = batch.borrow();
        let fresh = || jsonl::Writer::new(Vec::new(), &batch.schema(), Limits::default());
        let mut open = writer.take().map_or_else(fresh, Ok).map_err(|error| error.to_string())?;
        open.write(batch).map_err(|error| error.to_string())?;
        writer = Some(open);
    }
    let bytes = writer.map_or_else(Vec::new, |writer| writer.finish().expect("memory takes it"));
    Ok(String::from_utf8(bytes).expect("it is text"))
}

/// Batches as CSV.
fn csv_of(batches: impl IntoIterator<Item = impl Borrow<RecordBatch>>) -> Result<String, String> {
    let mut writer = None;
    for batch in batches {
        let batch = batch.borrow();
        let fresh = || csv::Writer::new(Vec::new(), &batch.schema(), Limits::default());
        let mut open = writer.take().map_or_else(fresh, Ok).map_err(|error| error.to_string())?;
        open.write(batch).map_err(|error| error.to_string())?;
        writer = Some(open);
    }
    let bytes = writer.map_or_else(Vec::new, |writer| writer.finish().expect("memory takes it"));
    Ok(String::from_utf8(bytes).expect("it is text"))
}

/// The types of the columns of a CSV file.
fn types(text: &str) -> Vec<String> {
    let reader = csv::Reader::new(text.as_bytes(), &ReadOptions::new()).expect("a valid file");
    reader.types().iter().map(|field| format!("{}: {}", field.name(), field.data_type())).collect()
}

/// The valid tables of the corpus.
fn tables() -> Vec<(PathBuf, ArrowTable)> {
    let mut tables = Vec::new();
    for entry in std::fs::read_dir(ndbytes_testkit::corpus::root().join("idv/ok")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "idv") {
            let options = Options::new().text(TextPolicy::Lossy).times(Times::MicrosFloor);
            if let Ok(table) = ArrowTable::open(&path, options) {
                tables.push((path, table));
            }
        }
    }
    tables.sort_by(|one, other| one.0.cmp(&other.0));
    assert!(tables.len() > 50);
    tables
}

/// The options for reading a table back, with 32-bit numbers if the table has no others.
fn reading(table: &ArrowTable) -> ReadOptions {
    let types: String = table.schema().fields().iter().map(|field| field.data_type().to_string()).collect();
    ReadOptions::new().single(types.contains("Float32") && !types.contains("Float64"))
}

#[test]
fn tables_of_the_corpus_come_back_from_json_lines() {
    let mut equal = 0;
    for (path, table) in tables() {
        let Ok(batches) = table.batches().unwrap().collect::<Result<Vec<_>, _>>() else { continue };
        let Ok(first) = json_of(batches.iter()) else { panic!("{}", path.display()) };
        let again = jsonl_rows(first.as_bytes(), &reading(&table))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(again, first, "{}", path.display());
        equal += 1;
    }
    assert!(equal > 50, "{equal}");
}

#[test]
fn tables_of_the_corpus_come_back_from_csv() {
    let (mut equal, mut refused) = (0, 0);
    for (path, table) in tables() {
        let Ok(batches) = table.batches().unwrap().collect::<Result<Vec<_>, _>>() else { continue };
        // The writer of these tests needs a first batch.
        if batches.is_empty() {
            continue;
        }
        let text = match csv_of(batches.iter()) {
            Ok(text) => text,
            Err(words) => {
                assert!(
                    words.contains("variable size: use JSON Lines")
                        || words.contains("without columns")
                        || words.contains("as a table of one column"),
                    "{words}"
                );
                refused += 1;
                continue;
            }
        };
        let json = json_of(batches.iter()).unwrap();
        let names = |text: &str| text.lines().next().unwrap_or_default().to_owned();
        let again =
            csv_rows(text.as_bytes(), &reading(&table)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let is_same_shape =
            table.schema().fields().iter().all(|field| !field.metadata().keys().any(|key| key.ends_with("SlotNames")));
        if is_same_shape {
            assert_eq!(again, json, "{}: {text}", path.display());
            equal += 1;
        }
        let reader = csv::Reader::new(text.as_bytes(), &reading(&table)).unwrap();
        let twice = csv_of(reader.map(|batch| batch.unwrap())).unwrap();
        if !batches.is_empty() {
            assert_eq!(names(&twice), names(&text), "{}", path.display());
        }
    }
    assert!(equal > 40 && refused > 5, "{equal} equal, {refused} refused");
}

#[test]
fn a_column_has_the_type_that_holds_all_of_its_values_as_they_are() {
    let text = "i,u,f,b,zip,id,date,time,zoned,span,mixed,none\n\
                -1,18446744073709551615,1,true,007,123456789012345678901,2024-02-29,2024-02-29T12:00:00.5,2024-02-29T12:00:00+05:30,1.02:03:04.5,1,\n\
                2,3,0.5,false,12,1,2024-03-01,2024-02-29T12:00:00,2024-02-29T12:00:00-00:30,00:00:01,x,\n";
    assert_eq!(
        types(text),
        [
            "i: Int64",
            "u: UInt64",
            "f: Float64",
            "b: Boolean",
            "zip: Utf8",
            "id: Utf8",
            "date: Date32",
            "time: Timestamp(µs)",
            "zoned: Struct(\"timestamp\": non-null Timestamp(µs, \"UTC\"), \"offset_minutes\": non-null Int16)",
            "span: Duration(µs)",
            "mixed: Utf8",
            "none: Utf8",
        ]
    );
    assert_eq!(
        csv_rows(text.as_bytes(), &ReadOptions::new()).unwrap().lines().next().unwrap(),
        "{\"i\":-1,\"u\":18446744073709551615,\"f\":1.0,\"b\":true,\"zip\":\"007\",\"id\":\"123456789012345678901\",\
         \"date\":\"2024-02-29\",\"time\":\"2024-02-29T12:00:00.5\",\"zoned\":\"2024-02-29T12:00:00+05:30\",\
         \"span\":\"1.02:03:04.5\",\"mixed\":\"1\",\"none\":null}"
    );
    assert_eq!(types("a\n-1\n18446744073709551615\n"), ["a: Utf8"]);
    assert_eq!(types("a\n9007199254740993\n0.5\n"), ["a: Utf8"]);
    assert_eq!(types("a\n0.5\n9007199254740993\n"), ["a: Utf8"]);
    assert_eq!(types("a\n9007199254740992\n0.5\n"), ["a: Float64"]);
    assert_eq!(types("a\nNaN(0x7fc00001)\n-Infinity\n"), ["a: Float64"]);
}

#[test]
fn quotes_line_ends_and_empty_fields_are_read_as_rfc_4180_has_them() {
    let read = |text: &str| csv_rows(text.as_bytes(), &ReadOptions::new()).unwrap();
    let expected = "{\"a\":\"x, \\\"y\\\"\\r\\nz\",\"b\":1}\n{\"a\":\"\",\"b\":null}\n{\"a\":null,\"b\":2}\n";
    assert_eq!(read("a,b\n\"x, \"\"y\"\"\r\nz\",1\n\"\",\n,2\n"), expected);
    assert_eq!(read("\u{feff}a,b\r\n\"x, \"\"y\"\"\r\nz\",1\r\n\r\n\"\",\r\n,2"), expected);
    assert_eq!(read("a,b\r\"x, \"\"y\"\"\r\nz\",1\r\"\",\r,2\r"), expected);
    assert_eq!(read("a\n1\n\n3\n"), "{\"a\":1}\n{\"a\":null}\n{\"a\":3}\n");
    assert_eq!(read("a,b\n6'2\",x\"y\n"), "{\"a\":\"6'2\\\"\",\"b\":\"x\\\"y\"}\n");
    assert_eq!(read(",x\n0,1\n"), "{\"column 1\":0,\"x\":1}\n");
    assert_eq!(read("a\n"), "");
}

#[test]
fn quotes_make_texts_unless_all_fields_have_them() {
    assert_eq!(types("a,b\n\"1\",2\n"), ["a: Utf8", "b: Int64"]);
    assert_eq!(types("\"a\",\"b\"\n\"1\",\"\"\n\"2\",\"0.5\"\n"), ["a: Int64", "b: Float64"]);
    assert_eq!(types("\"a,1\"\n\"1\"\n"), ["a,1: Utf8"]);
    // pandas and R put quotes around everything except numbers.
    assert_eq!(types("\"a\",\"b\"\n\"12\",1\n"), ["a: Utf8", "b: Int64"]);
    assert_eq!(types("\"a\",\"b\"\n\"12\",\"1\"\n\"12\",1\n"), ["a: Utf8", "b: Utf8"]);
    assert_eq!(types("\"\",\"a\"\n\"1\",\"2\"\n\"2\",NA\n"), ["column 1: Utf8", "a: Utf8"]);
    assert_eq!(types("a,\"b\"\n\"1\",\"2\"\n"), ["a: Utf8", "b: Utf8"]);
    let nonnumeric = "\"code\",\"n\"\n\"12\",1\n\"\",2\n\"007\",3\n";
    let rows = csv_rows(nonnumeric.as_bytes(), &ReadOptions::new()).unwrap();
    assert_eq!(rows, "{\"code\":\"12\",\"n\":1}\n{\"code\":\"\",\"n\":2}\n{\"code\":\"007\",\"n\":3}\n");
    let all = csv_rows(b"\"a\",\"b\"\n\"12\",\"\"\n", &ReadOptions::new()).unwrap();
    assert_eq!(all, "{\"a\":12,\"b\":null}\n");
}

#[test]
fn infinity_in_json_lines_is_a_text_unless_its_column_has_other_numbers() {
    let read = |text: &str| jsonl_rows(text.as_bytes(), &ReadOptions::new()).unwrap();
    let infinity = "{\"a\":\"Infinity\"}\n{\"a\":\"-Infinity\"}\n";
    let types = |text: &str| {
        jsonl::Reader::new(text.as_bytes(), &ReadOptions::new()).unwrap().types()[0].data_type().to_string()
    };
    assert_eq!((types(infinity), read(infinity)), ("Utf8".into(), infinity.into()));
    let lists = "{\"a\":[\"Infinity\",null]}\n";
    assert_eq!(read(lists), lists);
    for other in ["1.5", "\"NaN(0x7ff8000000000000)\""] {
        let text = format!("{infinity}{{\"a\":{other}}}\n");
        assert_eq!((types(&text), read(&text)), ("Float64".into(), text.clone()));
    }
    assert_eq!(types("{\"a\":\"NaN\"}\n"), "Utf8");
    assert_eq!(types("{\"a\":\"Infinity\"}\n{\"a\":\"NaN\"}\n"), "Utf8");
}

#[test]
fn columns_of_slots_become_vectors() {
    assert_eq!(types("v[0],v[1],w[1],w[0],x[0],x,y[a],z[0]\n1,.5,1,1,1,1,1,1\n").len(), 7);
    let row = csv_rows(b"v[0],v[1],w[1],y[a],z[0]\n1,0.5,2,3,x\n", &ReadOptions::new()).unwrap();
    assert_eq!(row, "{\"v\":[1.0,0.5],\"w[1]\":2,\"y[a]\":3,\"z\":[\"x\"]}\n");
}

#[test]
fn texts_and_single_numbers_can_be_declared() {
    let text = b"a,b,c\n1,2,0.1\n";
    let read = |options| csv_rows(text, &options).unwrap();
    assert_eq!(read(ReadOptions::new().text(["b"])), "{\"a\":1,\"b\":\"2\",\"c\":0.1}\n");
    assert_eq!(read(ReadOptions::new().all_text(true)), "{\"a\":\"1\",\"b\":\"2\",\"c\":\"0.1\"}\n");
    let reader = csv::Reader::new(text, &ReadOptions::new().single(true)).unwrap();
    assert_eq!(reader.types()[2].data_type().to_string(), "Float32");
    let error = csv_rows(text, &ReadOptions::new().text(["d"])).unwrap_err();
    assert_eq!(error, "the CSV file has no column \"d\"");
    let long = jsonl_rows(b"{\"a\":123456789012345678901}", &ReadOptions::new().all_text(true)).unwrap();
    assert_eq!(long, "{\"a\":\"123456789012345678901\"}\n");
    let declared = jsonl_rows(b"{\"a\":1}\n{\"a\":\"x\"}", &ReadOptions::new().text(["a"])).unwrap();
    assert_eq!(declared, "{\"a\":\"1\"}\n{\"a\":\"x\"}\n");
}

#[test]
fn errors_of_csv_name_the_line() {
    for (text, words) in [
        ("", "the CSV file is empty: a header line must name the columns"),
        ("a,b\n1,2\n\"x\ny\",1\n1\n", "has a row in line 5 that ends after field 1, but its header has 2 columns"),
        ("a,b\n1,2\n1,2,3\n", "has a row in line 3 that has more than 2 fields, but its header has 2 columns"),
        ("a,b\n1,\"2\n3,4\n", "has a field in line 2 whose quote is never closed"),
        ("a,b\n\"1\"x,2\n", "has something other than a comma after a closing quote in line 2"),
        ("a,a\n", "has two columns named \"a\""),
    ] {
        let error = csv_rows(text.as_bytes(), &ReadOptions::new()).unwrap_err();
        assert!(error.ends_with(words), "{error}");
    }
    let error = csv_rows(b"a\nx\n\xff\n", &ReadOptions::new()).unwrap_err();
    assert_eq!(error, "the CSV file has bytes in line 3 that are not UTF-8");
    let error = csv_rows(b"\xff\xfea\0", &ReadOptions::new()).unwrap_err();
    assert_eq!(error, "the CSV file is in UTF-16, but only UTF-8 is read");
}

#[test]
fn errors_of_json_lines_name_line_and_place() {
    for (text, words) in [
        ("{\"a\":1}\n[1]\n", "has a line that is not an object, in line 2 at byte 1"),
        ("{\"a\":1,\"a\":2}", "has the key \"a\" twice, in line 1 at byte 12"),
        (
            "{\"a\":1}\n{\"a\":\"x\"}",
            "has a text in the column \"a\", which had numbers before: no type holds both, in line 2 at byte 6",
        ),
        (
            "{\"a\":1}\n{\"a\":[1]}",
            "has a list in the column \"a\", which had single values before, in line 2 at byte 6",
        ),
        (
            "{\"a\":[1]}\n{\"a\":1}",
            "has a single value in the column \"a\", which had lists before, in line 2 at byte 6",
        ),
        ("{\"a\":[[1]]}", "only lists of single values become vectors, in line 1 at byte 7"),
        ("{\"a\":01}", "has something that is not a value, in line 1 at byte 6"),
        ("{\"a\":NaN}", "has NaN without quotes, which is not JSON, in line 1 at byte 6"),
        ("{\"a\":1e400}", "has a number that does not fit 64 bits, in line 1 at byte 6"),
        ("{\"a\":123456789012345678901}", "has a number that does not fit 64 bits, in line 1 at byte 6"),
        ("{\"a\":1} {", "has something after an object, in line 1 at byte 9"),
        ("{\"a\":1", "is missing a ',', in line 1 at byte 7"),
        ("{\"a\":\"\\ud800\"}", "has an escape of an unpaired surrogate, in line 1 at byte 13"),
        ("{\"a\":\"\\u00g0\"}", "has an escape without four hexadecimal digits, in line 1 at byte 7"),
    ] {
        let error = jsonl_rows(text.as_bytes(), &ReadOptions::new()).unwrap_err();
        assert!(error.ends_with(words), "{error}");
    }
}

#[test]
fn json_lines_of_others_are_read() {
    let text = "{\"a\": 1, \"v\": [1, 2.5], \"n\": {\"x\": \"\\ud83d\\ude00\\n\\/\", \"y\": true}}\r\n\
                \n { \"v\" : [ ] , \"a\" : null }\n{\"v\":null,\"n\":{}}";
    let rows = jsonl_rows(text.as_bytes(), &ReadOptions::new()).unwrap();
    assert_eq!(
        rows,
        "{\"a\":1,\"v\":[1.0,2.5],\"n.x\":\"😀\\n/\",\"n.y\":true}\n{\"a\":null,\"v\":[],\"n.x\":null,\"n.y\":null}\n\
         {\"a\":null,\"v\":null,\"n.x\":null,\"n.y\":null}\n"
    );
    assert_eq!(jsonl_rows(b"{}\n{}\n", &ReadOptions::new()).unwrap(), "{}\n{}\n");
}

#[test]
fn batches_are_bounded_by_rows() {
    let mut text = String::from("a,v[0],v[1]\n");
    (0..1000).for_each(|row| writeln!(text, "{row},x{row},").unwrap());
    let reader = csv::Reader::new(text.as_bytes(), &ReadOptions::new().rows(300)).unwrap();
    assert_eq!(reader.rows(), 1000);
    let batches: Vec<_> = reader.map(|batch| batch.unwrap()).collect();
    assert_eq!(batches.iter().map(|batch| batch.num_rows()).collect::<Vec<_>>(), [300, 300, 300, 100]);
    let json = json_of(batches.iter()).unwrap();
    assert_eq!(jsonl_rows(json.as_bytes(), &ReadOptions::new().rows(7)).unwrap(), json);
}

#[test]
fn hostile_files_are_refused_or_read_in_linear_time() {
    const LENGTH: usize = 20 << 20;
    let options = ReadOptions::new();
    let repeat = |piece: &str| piece.repeat(LENGTH / piece.len());
    // An even number of quotes is a field of half as many quotes; an odd number is never closed.
    let quotes = "a\n".to_owned() + &repeat("\"");
    assert_eq!(csv::Reader::new(quotes.as_bytes(), &options).unwrap().rows(), 1);
    let open = csv::Reader::new(&quotes.as_bytes()[..quotes.len() - 1], &options).unwrap_err();
    assert!(open.to_string().contains("quote is never closed"), "{open}");
    let commas = csv::Reader::new(repeat(",").as_bytes(), &options).unwrap_err();
    assert!(commas.to_string().contains("the columns of a table"), "{commas}");
    let wide = csv::Reader::new(("a\n".to_owned() + &repeat(",")).as_bytes(), &options).unwrap_err();
    assert!(wide.to_string().contains("has more than 1 fields"), "{wide}");
    let digits = "a\n".to_owned() + &repeat("9");
    assert_eq!(csv::Reader::new(digits.as_bytes(), &options).unwrap().types()[0].data_type().to_string(), "Utf8");
    let lines = "a\n".to_owned() + &repeat("\n");
    assert_eq!(csv::Reader::new(lines.as_bytes(), &options).unwrap().rows(), (lines.len() - 2) as u64);
    let nested = jsonl::Reader::new(repeat("{\"\":").as_bytes(), &options).unwrap_err();
    assert!(nested.to_string().contains("has over 32 objects within one another"), "{nested}");
    let list = jsonl::Reader::new(("{\"a\":".to_owned() + &repeat("[")).as_bytes(), &options).unwrap_err();
    assert!(list.to_string().contains("list or an object within a list"), "{list}");
    let path = format!("{{\"{}\":{{", repeat("p")) + &"\"a\":{},".repeat(1 << 20);
    let long = jsonl::Reader::new(path.as_bytes(), &options).unwrap_err();
    assert!(long.to_string().contains("but at most 4096 are read"), "{long}");
    let escapes = jsonl::Reader::new(("{\"a\":\"".to_owned() + &repeat("\\\"")).as_bytes(), &options).unwrap_err();
    assert!(escapes.to_string().contains("has a string that is not closed"), "{escapes}");
}

#[test]
fn keys_that_few_lines_have_do_not_grow_without_bound() {
    let mut text = String::from("{");
    (0..100_000).for_each(|key| write!(text, "\"{key}\":0,").unwrap());
    text += "\"last\":0}\n";
    text += &"{}\n".repeat(1_000_000);
    let error = jsonl::Reader::new(text.as_bytes(), &ReadOptions::new()).unwrap_err();
    assert!(error.to_string().contains("the cells of a table"), "{error}");
    let less = ReadOptions::new().limits(Limits::default().memory(1 << 20));
    let error = jsonl::Reader::new(text.as_bytes(), &less).unwrap_err();
    assert!(error.to_string().contains("has too many keys"), "{error}");
}

#[test]
fn annotations_are_losses_unless_they_become_values() {
    let path = ndbytes_testkit::corpus::root().join("idv/ok/key-values.idv");
    let table = ArrowTable::open(path, Options::new()).unwrap();
    assert!(losses(FileKind::Csv, &table.schema(), "t.idv").is_empty());
    let path = project().join("samples/trees.idv");
    let table = ArrowTable::open(path, Options::new()).unwrap();
    let of = |kind| losses(kind, &table.schema(), "t.idv").iter().map(|loss| loss.to_string()).collect::<Vec<_>>();
    let names: Vec<_> =
        table.schema().fields().iter().map(|field| field.metadata().keys().cloned().collect::<Vec<_>>()).collect();
    assert!(of(FileKind::Csv).is_empty(), "{:?} {names:?}", of(FileKind::Csv));
}

#[test]
fn half_floats_have_the_digits_of_their_own_width() {
    let halves = [1.001, 6e-8, -65504.0, f64::INFINITY].map(half::f16::from_f64).to_vec();
    let halves: arrow_array::ArrayRef = std::sync::Arc::new(arrow_array::Float16Array::from(halves));
    let batch = RecordBatch::try_from_iter([("h", halves.clone()), ("i", halves)]).unwrap();
    assert_eq!(csv_of([&batch]).unwrap(), "h,i\n1.001,1.001\n6e-8,6e-8\n-65500.0,-65500.0\nInfinity,Infinity\n");
    let rows = "{\"h\":1.001,\"i\":1.001}\n{\"h\":6e-8,\"i\":6e-8}\n{\"h\":-65500.0,\"i\":-65500.0}\n{\"h\":\"Infinity\",\"i\":\"Infinity\"}\n";
    assert_eq!(json_of([&batch]).unwrap(), rows);
}

#[test]
fn the_tool_writes_the_rows_that_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, read) in [("csv", csv_rows as fn(&[u8], &ReadOptions) -> _), ("jsonl", jsonl_rows)] {
        let ended = run_in(&samples(), &["convert", "--lossy", "--to", kind, "trees.idv", "-"]);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        let out = folder.path().join(format!("out.{kind}"));
        let into_file = run_in(&samples(), &["convert", "--lossy", "trees.idv", out.to_str().unwrap()]);
        assert_eq!(into_file.status, 0, "{}", into_file.stderr);
        assert_eq!(std::fs::read(&out).unwrap(), ended.stdout);
        let table = ArrowTable::open(samples().join("trees.idv"), Options::new()).unwrap();
        let expected = json_of(table.batches().unwrap().map(Result::unwrap)).unwrap();
        // The slots have names, which become headings.
        let expected = match kind {
            "csv" => expected
                .replace("\"Features\":[", "\"Features[height]\":")
                .replace(",2.75,120.0]", ",\"Features[girth]\":2.75,\"Features[age]\":120.0"),
            _ => expected,
        };
        let again = read(&ended.stdout, &reading(&table)).unwrap();
        assert_eq!(again.lines().next(), expected.lines().next(), "{kind}");
        assert_eq!(again.lines().count(), expected.lines().count(), "{kind}");
    }
}

#[test]
fn the_rows_of_an_array_are_rows_of_text() {
    let ended = run_in(&samples(), &["convert", "--to", "csv", "surface.ra[:2, 1:4]", "-"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let text = String::from_utf8(ended.stdout).unwrap();
    assert_eq!(text, "surface[0],surface[1],surface[2]\n2.25,0.75,-0.75\n0.75,0.25,-0.25\n");
    let ended = run_in(&samples(), &["convert", "--to", "jsonl", "surface.ra[0, :3]", "-"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!(
        String::from_utf8(ended.stdout).unwrap(),
        "{\"surface\":3.75}\n{\"surface\":2.25}\n{\"surface\":0.75}\n"
    );
}

#[test]
fn output_is_bounded() {
    let table = ArrowTable::open(project().join("samples/trees.idv"), Options::new()).unwrap();
    let batch = table.batches().unwrap().next().unwrap().unwrap();
    let limits = Limits::default().output(100);
    let mut writer = csv::Writer::new(Vec::new(), &batch.schema(), limits).unwrap();
    assert!(writer.write(&batch).unwrap_err().to_string().contains("limit-exceeded"));
    let mut writer = jsonl::Writer::new(Vec::new(), &batch.schema(), limits).unwrap();
    assert!(writer.write(&batch).unwrap_err().to_string().contains("limit-exceeded"));
}

/// Prints the fields of a CSV file as a list of lists, or the objects of JSON Lines, in each case the `repr` as UTF-8
/// in hexadecimal.
const PYTHON: &str = "import csv, json, sys\n\
    rows = list(csv.reader(open(sys.argv[1], encoding='utf-8', newline='')))\n\
    objects = [json.loads(line) for line in open(sys.argv[2], encoding='utf-8', newline='\\n')]\n\
    names = rows[0]\n\
    assert len(rows) - 1 == len(objects), (len(rows), len(objects))\n\
    for row, it in zip(rows[1:], objects):\n\
    \x20   flat = {}\n\
    \x20   for name, value in it.items():\n\
    \x20       many = isinstance(value, list)\n\
    \x20       flat.update({f'{name}[{i}]': v for i, v in enumerate(value)} if many else {name: value})\n\
    \x20   assert list(flat) == names, (flat, names)\n\
    \x20   for name, field in zip(names, row):\n\
    \x20       value = flat[name]\n\
    \x20       if value is None: assert field == '', field\n\
    \x20       elif isinstance(value, bool): assert field == str(value).lower(), field\n\
    \x20       elif isinstance(value, (int, float)): assert type(value)(field) == value, field\n\
    \x20       else: assert field == value or (field.endswith('NaN') and value.startswith('NaN(')), (field, value)\n";

#[test]
#[ignore = "needs python3"]
fn python_reads_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for (path, table) in tables() {
        let has_slot_names =
            table.schema().fields().iter().any(|field| field.metadata().keys().any(|key| key.ends_with("SlotNames")));
        let Ok(batches) = table.batches().unwrap().collect::<Result<Vec<_>, _>>() else { continue };
        // Python returns no record for an empty line.
        let (Ok(text), false) = (csv_of(batches.iter()), has_slot_names || batches.is_empty()) else { continue };
        if text.contains("\n\n") {
            continue;
        }
        let (csv, jsonl) = (folder.path().join("t.csv"), folder.path().join("t.jsonl"));
        std::fs::write(&csv, text).unwrap();
        std::fs::write(&jsonl, json_of(batches.iter()).unwrap()).unwrap();
        let output = Command::new("python3").args(["-c", PYTHON]).args([&csv, &jsonl]).output().unwrap();
        assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}
