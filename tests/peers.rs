//! What others make of the same files: Kaitai Struct, NumPy, idx2numpy, a reader of RawArray in Python, ML.NET, and
//! python-blosc2.
//!
//! `tests/peers/setup.sh` installs them into `target/peers`. These tests run where NDBYTES_PEERS=1 is set; then a peer
//! that is missing is a failure. Elsewhere they say that they are skipped.

#![cfg(feature = "cli")]

#[path = "peers/frames.rs"]
mod frames;
mod support;
#[path = "peers/tables/mod.rs"]
mod tables;

use half::{bf16, f16};
use ndarray::{Array, ArrayD, IxDyn, ShapeBuilder};
use ndbytes::idv::{self, Compression, ItemType, KeyType};
use ndbytes::idx::{self, IdxElement, StreamWriter};
use ndbytes::rawarray::{self, Order, RawArrayElement};
use ndbytes::{Checker, Format, Profile, Verdict, b2nd};
use num_complex::Complex;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::corpus;
use tables::json::{Json, Nulls, difference};
use tables::made::{self, Kind};
use tables::model::{Model, ModelColumn, Settings};

#[test]
fn kaitai_struct_agrees_on_the_byte_map() {
    let Some(peers) = Peers::find("kaitai_struct_agrees_on_the_byte_map") else { return };
    let folder = tempfile::tempdir().unwrap();
    let compiled = peers.compile_ksy(folder.path());
    // Nobody has described the others in Kaitai's language yet.
    let files = corpus_files(|format, folder| has_plain_elements(format) && folder == "ok");
    peers.check("kaitai/check.py", std::iter::once(compiled).chain(files));
}

#[test]
fn numpy_agrees_on_the_values() {
    let Some(peers) = Peers::find("numpy_agrees_on_the_values") else { return };
    // ML.NET is asked about tables, python-blosc2 about chunks.
    peers.check("numpy_check.py", corpus_files(|format, folder| has_plain_elements(format) && folder == "ok"));
}

#[test]
fn the_reference_profile_is_what_idx2numpy_does() {
    let Some(peers) = Peers::find("the_reference_profile_is_what_idx2numpy_does") else { return };
    peers.check("idx2numpy_check.py", corpus_files(|format, _| format == Format::Idx));
}

#[test]
fn peers_read_what_the_library_writes() {
    let Some(peers) = Peers::find("peers_read_what_the_library_writes") else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut written = Written { folder: folder.path(), files: Vec::new() };
    written.idx();
    written.rawarray();
    let manifest = folder.path().join("manifest.json");
    fs::write(&manifest, serde_json::to_vec(&written.files).unwrap()).unwrap();
    peers.check("written_check.py", [manifest]);

    let files = || written.files.iter().map(|file| PathBuf::from(file["path"].as_str().unwrap()));
    peers.check("numpy_check.py", files());
    let compiled = peers.compile_ksy(folder.path());
    peers.check("kaitai/check.py", std::iter::once(compiled).chain(files()));
}

#[test]
fn mlnet_reads_what_the_library_writes() {
    let Some(mlnet) = MlNet::find("mlnet_reads_what_the_library_writes") else { return };
    let folder = tempfile::tempdir().unwrap();
    let tables = tables_to_write();
    let mut paths = Vec::new();
    for (place, (model, settings)) in tables.iter().enumerate() {
        let path = folder.path().join(format!("{place}.idv"));
        let mut writer = model.writer(*settings).create(&path).unwrap();
        model.write(&mut writer, *settings).unwrap();
        writer.finish().unwrap();
        paths.push(path);
    }
    let dumps = mlnet.dumps(&paths);
    let mut values = 0;
    for ((path, (model, settings)), dump) in paths.iter().zip(&tables).zip(dumps) {
        let what = || {
            let names: Vec<&str> = model.columns.iter().map(|column| column.name.as_str()).collect();
            format!("{} rows of {names:?}, {settings:?}", model.rows)
        };
        let written = model.json();
        assert_eq!(difference(&written, &dump, Nulls::None), None, "what was written and ML.NET: {}", what());
        assert_eq!(difference(&cat(path), &dump, Nulls::None), None, "`cat --json` and ML.NET: {}", what());
        values += dump.get("rows").unwrap().count() + dump.get("columns").unwrap().count();
    }
    println!("{} files, {values} values", paths.len());
}

#[test]
fn the_reference_profile_is_what_mlnet_does() {
    let Some(mlnet) = MlNet::find("the_reference_profile_is_what_mlnet_does") else { return };
    let paths = corpus_files(|format, _| format == Format::Idv);
    let mut failures = Vec::new();
    let mut values = 0;
    for (path, dump) in paths.iter().zip(mlnet.dumps(&paths)) {
        let (name, refused) = (path.file_name().unwrap().to_str().unwrap(), dump.get("refused"));
        let accepted = match Checker::new().profile(Profile::Reference).check(path) {
            Ok(report) if (report.verdict() != Verdict::Error) == refused.is_none() => refused.is_none(),
            Ok(report) => {
                let findings: Vec<String> = report.findings().iter().map(|finding| finding.to_string()).collect();
                failures.push(format!("{name}: {findings:?}, ML.NET: {refused:?}"));
                false
            }
            Err(error) => {
                failures.push(format!("{name}: {error}"));
                false
            }
        };
        if !accepted {
            continue;
        }
        // What is readable only with a tolerance, `cat` does not print.
        let (found, what) = match Checker::new().check(path).unwrap().verdict() {
            Verdict::Error => {
                let table = tables::tolerant(path).open(path);
                (table.and_then(|table| tables::read_columns(&table, tables::is_seen)), "read with tolerance")
            }
            _ => {
                let left_out = tables::left_out(&idv::open(path).unwrap());
                (Ok(cat(path).without_columns(&left_out)), "`cat --json`")
            }
        };
        match found.map(|found| (difference(&found, &dump, Nulls::Defaults), found.count())) {
            Ok((None, count)) => values += count,
            Ok((Some(difference), _)) => failures.push(format!("{name}: {what}{difference}")),
            // Something about a column that ML.NET does not look at, which cannot be tolerated.
            Err(error) if error.finding().is_some_and(|finding| finding.reference != finding.rule.reference) => {}
            Err(error) => failures.push(format!("{name}: {what}: {error}")),
        }
    }
    println!("{} files, {values} values", paths.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn blosc2_reads_what_the_library_writes() {
    let Some(peers) = Peers::find("blosc2_reads_what_the_library_writes") else { return };
    let folder = tempfile::tempdir().unwrap();
    let written = frames::write_all(folder.path());
    let (mut failures, mut extended) = (Vec::new(), Vec::new());
    for (frame, found) in written.iter().zip(peers.read_frames(written.iter().map(|frame| &frame.path), false)) {
        if found != frame.expected() {
            failures.push(format!("{frame:?}: {}", frame.difference(&found)));
        }
        extended.extend(frame.is_extensible().then_some(frame));
    }
    // What it has added is read here as well.
    for (frame, found) in extended.iter().zip(peers.read_frames(extended.iter().map(|frame| &frame.path), true)) {
        let expected = frame.extended();
        if found != expected.expected() {
            failures.push(format!("extended: {frame:?}: {}", expected.difference(&found)));
        }
        let array = b2nd::open(&frame.path).unwrap();
        if array.shape() != expected.shape || array.to_bytes().unwrap() != expected.items {
            failures.push(format!("extended, and read here: {frame:?}"));
        }
        let report = Checker::new().check(&frame.path).unwrap();
        if report.verdict() == Verdict::Error {
            failures.push(format!("extended: {frame:?}: {:?}", report.findings()));
        }
    }
    println!("{} files, {} of them extended", written.len(), extended.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn the_reference_profile_is_what_blosc2_does() {
    let Some(peers) = Peers::find("the_reference_profile_is_what_blosc2_does") else { return };
    // Folders are arrays too.
    let arrays = corpus::everything().into_iter().filter(|sample| sample.format == Format::B2nd);
    peers.check("b2nd_check.py", arrays.map(|sample| sample.path));
}

/// Writes the files of `tests/frozen/idv/ndbytes` anew, with what ML.NET reads in them.
#[test]
#[ignore = "replaces files of the repository"]
fn freeze() {
    let Some(mlnet) = MlNet::find("freeze") else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen/idv/ndbytes");
    let mut paths = Vec::new();
    for (name, model, settings) in made::frozen() {
        paths.push(folder.join(name).with_extension("idv"));
        fs::write(paths.last().unwrap(), model.bytes(settings)).unwrap();
    }
    for (path, dump) in paths.iter().zip(mlnet.dump_texts(&paths)) {
        fs::write(path.with_extension("idv.json"), dump).unwrap();
    }
}

/// The peers, where they are installed.
struct Peers {
    scripts: PathBuf,
    python: PathBuf,
    node_modules: PathBuf,
}

impl Peers {
    /// Nothing where the peers are not asked for.
    fn find(test: &str) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let installed = installed(test)?;
        let peers = Peers {
            scripts: root.join("tests/peers"),
            python: installed.join("venv/bin/python"),
            node_modules: installed.join("node/node_modules"),
        };
        for needed in [&peers.python, &peers.node_modules] {
            assert!(needed.exists(), "{} is missing: run tests/peers/setup.sh", needed.display());
        }
        Some(peers)
    }

    /// Runs one of the Python programs on the tool.
    fn check(&self, script: &str, arguments: impl IntoIterator<Item = PathBuf>) {
        let mut command = Command::new(&self.python);
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command.arg(self.scripts.join(script)).arg(env!("CARGO_BIN_EXE_ndbytes")).args(arguments);
        run(command, script);
    }

    /// What python-blosc2 finds in each of the files, after it has extended the arrays if that is asked for.
    fn read_frames<'p>(&self, paths: impl Iterator<Item = &'p PathBuf>, extend: bool) -> Vec<Value> {
        let mut command = Command::new(&self.python);
        command.env("PYTHONDONTWRITEBYTECODE", "1").arg(self.scripts.join("b2nd_read.py"));
        command.args(extend.then_some("--extend")).args(paths);
        let output = run(command, "b2nd_read.py");
        output.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Compiles the descriptions in Kaitai's language to Python; the folder with the parsers.
    fn compile_ksy(&self, folder: &Path) -> PathBuf {
        let compiled = folder.join("kaitai");
        let ksy = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/ksy");
        let descriptions = fs::read_dir(ksy).unwrap().map(|entry| entry.unwrap().path());
        let mut command = Command::new("node");
        command.env("NODE_PATH", &self.node_modules).arg(self.scripts.join("kaitai/compile.js")).arg(&compiled);
        command.args(descriptions.filter(|path| path.extension().is_some_and(|extension| extension == "ksy")));
        run(command, "compile.js");
        compiled
    }
}

/// Where peers are installed. Nothing where they are not asked for; then the skipped test is named.
fn installed(test: &str) -> Option<PathBuf> {
    if std::env::var_os("NDBYTES_PEERS").is_none_or(|value| value != "1") {
        #[expect(clippy::explicit_write, reason = "the test harness keeps back what `eprintln!` prints")]
        writeln!(std::io::stderr(), "skipped: {test} (NDBYTES_PEERS=1 is not set)").unwrap();
        return None;
    }
    Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers"))
}

/// ML.NET, where it is installed.
struct MlNet {
    tool: PathBuf,
}

impl MlNet {
    /// Nothing where the peers are not asked for.
    fn find(test: &str) -> Option<Self> {
        let tool = installed(test)?.join("mlnet/idvtool");
        assert!(tool.exists(), "{} is missing: run tests/peers/setup.sh", tool.display());
        Some(MlNet { tool })
    }

    /// What ML.NET reads in each of the files: a table, or `{"refused": MESSAGE}`.
    fn dumps(&self, paths: &[PathBuf]) -> Vec<Json> {
        self.dump_texts(paths).iter().map(|text| Json::parse(text)).collect()
    }

    fn dump_texts(&self, paths: &[PathBuf]) -> Vec<String> {
        assert!(!paths.is_empty(), "there is nothing to read");
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(&self.tool);
        command.arg("dumps").arg(folder.path()).args(paths);
        run(command, "idvtool");
        let dump = |place| fs::read_to_string(folder.path().join(format!("{place}.json"))).unwrap();
        (0..paths.len()).map(dump).collect()
    }
}

/// What the tool prints of a table.
fn cat(path: &Path) -> Json {
    let output = Command::new(env!("CARGO_BIN_EXE_ndbytes")).args(["cat", "--json"]).arg(path).output().unwrap();
    assert!(output.status.success(), "{}: {}", path.display(), String::from_utf8_lossy(&output.stderr));
    Json::parse(std::str::from_utf8(&output.stdout).unwrap())
}

/// Tables that cover what a file can hold, and the ways in which it is cut into blocks.
fn tables_to_write() -> Vec<(Model, Settings)> {
    let both = [Compression::NONE, Compression::DEFLATE].map(Settings::new);
    let mut tables = Vec::new();
    let mut add = |model: &dyn Fn() -> Model, settings: &[Settings]| {
        settings.iter().for_each(|&settings| tables.push((model(), settings)));
    };
    // Every type, cut in all ways.
    let cuts = both.map(|settings| [1, 7, 10, 15, 30, 31, 1000].map(|rows| settings.rows_per_block(rows))).concat();
    for settings in both.into_iter().chain(cuts) {
        add(&|| made::all_scalars(30), &[settings]);
        add(&|| made::all_vectors(Kind::Mixed, 30), &[settings.at_a_time(4)]);
        add(&|| made::all_ragged(Kind::Mixed, 30), &[settings.at_a_time(11)]);
    }
    for kind in [Kind::Dense, Kind::Sparse] {
        let in_blocks = both.map(|settings| settings.rows_per_block(7));
        add(&|| made::all_vectors(kind, 20), &[both, in_blocks].concat());
        add(&|| made::all_ragged(kind, 20), &[both, in_blocks].concat());
    }
    // Other shapes, texts, annotations.
    let threes = both.map(|settings| settings.rows_per_block(3).at_a_time(5));
    add(&|| made::same_lengths(9), &[both, threes].concat());
    add(&|| made::shapes(9), &[both, threes].concat());
    add(&|| made::texts(60), &[both, threes].concat());
    add(&|| made::annotated(10, 3000), &[both, threes].concat());
    // Few rows.
    for rows in [0, 1] {
        let fours = both.map(|settings| settings.rows_per_block(4));
        add(&|| made::all_scalars(rows), &[both, fours].concat());
        add(&|| made::all_vectors(Kind::Mixed, rows), &both);
        add(&|| made::all_ragged(Kind::Mixed, rows), &both);
        add(&|| made::annotated(rows, 3), &both);
        add(&|| Model { columns: vec![], rows: 5 * rows as u64 }, &both);
    }
    // Blocks of the default size: around their edges, and many of them.
    for rows in [8191, 8192, 8193, 16_384] {
        add(&|| Model::new(vec![made::scalars("u1", ItemType::U8, rows)]), &both[1..]);
    }
    let many = || {
        Model::new(vec![
            made::scalars("id", ItemType::I64, 20_000),
            made::scalars("text", ItemType::Text, 20_000),
            made::scalars("flag", ItemType::Bool, 20_000),
            made::ragged("numbers", ItemType::F32, Kind::Mixed, 20_000),
            made::scalars("key", ItemType::Key(KeyType::new(7)), 20_000),
        ])
    };
    add(&many, &both.map(|settings| settings.at_a_time(3000)));
    add(&many, &both[1..].iter().map(|settings| settings.rows_per_block(1000)).collect::<Vec<_>>());
    // Names.
    let names = ["a", "A", " ", "\u{e9}", "e\u{301}", "\u{1f600}", "new\nline", "\"quoted\"", "\0"];
    let long = "n".repeat(300);
    let named = names.into_iter().chain([long.as_str()]).map(|name| made::scalars(name, ItemType::I16, 3));
    let named: Vec<ModelColumn> = named.collect();
    add(&|| Model::new(named.clone()), &both);
    tables
}

/// Runs a program; what it prints.
fn run(mut command: Command, name: &str) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{name}: {error}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name}: {}\n{out}{err}", output.status);
    out.into_owned()
}

/// Whether the elements stand in the file one behind the other.
fn has_plain_elements(format: Format) -> bool {
    matches!(format, Format::Idx | Format::RawArray)
}

fn corpus_files(wanted: impl Fn(Format, &str) -> bool) -> Vec<PathBuf> {
    corpus::samples()
        .into_iter()
        .filter(|sample| wanted(sample.format, sample.folder))
        .map(|sample| sample.path)
        .collect()
}

/// Shapes that writers have to get right.
const SHAPES: [&[usize]; 4] = [&[5], &[2, 3, 4], &[2, 0, 3], &[30, 40]];

/// Files that were written, and what went into them.
struct Written<'a> {
    folder: &'a Path,
    files: Vec<Value>,
}

impl Written<'_> {
    fn idx(&mut self) {
        self.idx_of::<u8>("|u1", |seed| seed as u8, |value| value.to_be_bytes().to_vec());
        self.idx_of::<i8>("|i1", |seed| seed as i8, |value| value.to_be_bytes().to_vec());
        self.idx_of::<i16>(">i2", |seed| seed as i16, |value| value.to_be_bytes().to_vec());
        self.idx_of::<i32>(">i4", |seed| seed as i32, |value| value.to_be_bytes().to_vec());
        self.idx_of::<f32>(">f4", |seed| f32::from_bits(seed as u32), |value| value.to_bits().to_be_bytes().to_vec());
        self.idx_of::<f64>(">f8", |seed| f64::from_bits(seed as u64), |value| value.to_bits().to_be_bytes().to_vec());
    }

    fn idx_of<T: IdxElement>(&mut self, dtype: &str, value: fn(u128) -> T, bytes: fn(&T) -> Vec<u8>) {
        for shape in SHAPES {
            let array = array(shape, value);
            let expected = |array: &ArrayD<T>| array.iter().flat_map(bytes).collect::<Vec<u8>>();
            let path = self.add("idx", shape, dtype, "C", &expected(&array));
            idx::write(path, &array).unwrap();

            let path = self.add("idx.gz", shape, dtype, "C", &expected(&array));
            idx::Writer::new().gzip(true).write(path, &array).unwrap();

            // The axes the other way round: nothing stands in memory as it has to stand in the file.
            let transposed = array.t().to_owned();
            let path = self.add("idx", transposed.shape(), dtype, "C", &expected(&transposed));
            idx::write(path, &array.t()).unwrap();

            if shape.len() > 1 && !shape[1..].contains(&0) {
                let path = self.add("idx", shape, dtype, "C", &expected(&array));
                let mut stream = StreamWriter::<T>::create(path, &shape[1..]).unwrap();
                for item in array.outer_iter() {
                    stream.push(&item).unwrap();
                }
                stream.finish().unwrap();
            }
        }
        let scalar = array(&[], value);
        let path = self.add("idx", &[], dtype, "C", &bytes(scalar.first().unwrap()));
        idx::Writer::new().scalars(true).write(path, &scalar).unwrap();
    }

    fn rawarray(&mut self) {
        macro_rules! integers {
            ($($type:ty => $dtype:literal),*) => {$(
                self.rawarray_of::<$type>($dtype, |seed| seed as $type, |value| value.to_le_bytes().to_vec());
            )*};
        }
        macro_rules! floats {
            ($($type:ty, $bits:ty, $dtype:literal, $complex_dtype:literal);*) => {$(
                self.rawarray_of::<$type>($dtype, |seed| <$type>::from_bits(seed as $bits), |value| {
                    value.to_bits().to_le_bytes().to_vec()
                });
                self.rawarray_of::<Complex<$type>>(
                    $complex_dtype,
                    |seed| Complex::new(<$type>::from_bits(seed as $bits), <$type>::from_bits((seed >> 64) as $bits)),
                    |value| [value.re.to_bits().to_le_bytes(), value.im.to_bits().to_le_bytes()].concat(),
                );
            )*};
        }
        integers!(i8 => "|i1", i16 => "<i2", i32 => "<i4", i64 => "<i8", i128 => "<i16");
        integers!(u8 => "|u1", u16 => "<u2", u32 => "<u4", u64 => "<u8", u128 => "<u16");
        floats!(f16, u16, "<f2", "complex32"; f32, u32, "<f4", "<c8"; f64, u64, "<f8", "<c16");
        let bf16_bytes = |value: &bf16| value.to_bits().to_le_bytes().to_vec();
        self.rawarray_of::<bf16>("bfloat16", |seed| bf16::from_bits(seed as u16), bf16_bytes);
        self.rawarray_of::<bool>("|b1", |seed| seed & 1 == 1, |value| vec![u8::from(*value)]);
        self.records();
    }

    fn rawarray_of<T: RawArrayElement>(&mut self, dtype: &str, value: fn(u128) -> T, bytes: fn(&T) -> Vec<u8>) {
        for shape in SHAPES.into_iter().chain([&[][..]]) {
            let array = array(shape, value);
            let row_major = array.iter().flat_map(bytes).collect::<Vec<u8>>();
            let column_major = array.t().iter().flat_map(bytes).collect::<Vec<u8>>();
            let reversed: Vec<usize> = shape.iter().rev().copied().collect();

            let path = self.add("ra", shape, dtype, "F", &column_major);
            rawarray::write(path, &array, Order::Fortran).unwrap();
            let path = self.add("ra", &reversed, dtype, "F", &row_major);
            rawarray::write(path, &array, Order::C).unwrap();
            // In memory as it has to stand in the file.
            let fortran = Array::from_shape_vec(IxDyn(shape).f(), array.t().iter().copied().collect()).unwrap();
            let path = self.add("ra", shape, dtype, "F", &column_major);
            rawarray::write(path, &fortran, Order::Fortran).unwrap();

            let path = self.add("ra", shape, dtype, "F", &column_major);
            rawarray::Writer::new().lz4(true).metadata("made by a test").write(path, &array, Order::Fortran).unwrap();
        }
        // Long enough to become shorter.
        let path = self.add("ra", &[100, 7], dtype, "F", &bytes(&value(1)).repeat(700));
        let same = ArrayD::from_elem(IxDyn(&[100, 7]), value(1));
        rawarray::Writer::new().lz4(true).write(path, &same, Order::Fortran).unwrap();
    }

    fn records(&mut self) {
        let array = array(&[2, 3], |seed| <[u8; 12]>::try_from(&seed.to_le_bytes()[..12]).unwrap());
        let row_major: Vec<u8> = array.iter().copied().flatten().collect();
        let path = self.add("ra", &[3, 2], "|V12", "F", &row_major);
        rawarray::Writer::new().write_records(path, &array, Order::C).unwrap();
    }

    /// Notes what a file is going to hold; the path to write it to.
    fn add(&mut self, extension: &str, shape: &[usize], dtype: &str, order: &str, elements: &[u8]) -> PathBuf {
        let path = self.folder.join(format!("{}.{extension}", self.files.len()));
        let hex: String = elements.iter().map(|byte| format!("{byte:02x}")).collect();
        self.files.push(json!({
            "path": path, "shape": shape, "dtype": dtype, "order": order, "elements": hex,
        }));
        path
    }
}

/// An array of values that use all bits. The same every time.
fn array<T: Clone>(shape: &[usize], value: fn(u128) -> T) -> ArrayD<T> {
    let mut seed = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835_u128;
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        seed = seed.wrapping_mul(0xDA94_2042_E4DD_58B5).wrapping_add(0x2545_F491_4F6C_DD1D);
        value(seed >> 32 ^ seed)
    })
}
