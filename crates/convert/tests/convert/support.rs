//! Helpers for several tests.

use ndbytes::everybyte::Endian;
use ndbytes::ndarray::SliceInfoElem;
use ndbytes::{Array, Input, ItemType, Limits, Options};
use ndbytes_convert::{FileKind, ZarrArray, ZarrStore};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub use ndbytes_testkit::project;

pub fn samples() -> PathBuf {
    project().join("samples")
}

/// A directory with a sample table and a sample array.
pub fn trees() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(samples().join("trees.idv"), folder.path().join("trees.idv")).unwrap();
    fs::copy(samples().join("surface.ra"), folder.path().join("surface.ra")).unwrap();
    folder
}

/// How a run of the tool ended.
#[derive(Debug)]
pub struct Ended {
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

/// Runs the tool in a directory.
pub fn run_in(folder: &Path, arguments: &[&str]) -> Ended {
    run_with(folder, arguments, Stdio::null())
}

/// Runs the tool in a directory, with this standard input.
pub fn run_with(folder: &Path, arguments: &[&str], input: impl Into<Stdio>) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ndbytes"));
    command.args(arguments).current_dir(folder).env("NO_COLOR", "1").stdin(input);
    let Output { status, stdout, stderr } = command.output().expect("the tool runs");
    let stderr = String::from_utf8(stderr).expect("messages are text");
    Ended { status: status.code().expect("the tool ends by itself"), stdout, stderr }
}

/// Opens the array of a file in memory.
pub fn array(bytes: &[u8]) -> Array<'_> {
    Array::read(Input::from_slice(bytes, Limits::default()), &Options::new()).expect("a written file is valid")
}

/// The kinds that hold arrays of any shape and can be written to a stream.
pub fn kinds() -> impl Iterator<Item = FileKind> {
    let others = [FileKind::Png, FileKind::Zarr];
    FileKind::ALL.into_iter().filter(move |kind| !others.contains(kind) && !kind.is_table())
}

/// The only array of a written file. If it has a name, it is `it`.
pub fn written(kind: FileKind, bytes: &[u8]) -> Values {
    let limits = Limits::default();
    match kind {
        FileKind::Npz => {
            let file = tempfile::NamedTempFile::with_suffix(".npz").expect("there is room");
            std::fs::write(file.path(), bytes).expect("there is room");
            let address = format!("{}!it.npy", file.path().display());
            let input = Input::open(address, limits).expect("the entry is there");
            Values::of(&Array::read(input, &Options::new()).expect("the entry is valid"))
        }
        FileKind::ZarrZip => {
            let file = tempfile::NamedTempFile::with_suffix(".zarr.zip").expect("there is room");
            std::fs::write(file.path(), bytes).expect("there is room");
            let input = Input::open(file.path(), limits).expect("the archive is there");
            let store = ZarrStore::zip(file.path(), input, limits).expect("the archive is valid");
            let array = ZarrArray::open(&store, "").expect("the metadata are valid");
            let whole = SliceInfoElem::Slice { start: 0, end: None, step: 1 };
            let mut items = array.select(&vec![whole; array.shape().len()]).expect("all of it");
            let count = items.count();
            let bytes = items.read(0, count).expect("the items are there").to_vec();
            Values::new(array.item_type().clone(), array.shape().to_vec(), bytes)
        }
        _ => Values::of(&array(bytes)),
    }
}

/// An array as it should be read, in any format: type, shape, and the items in C order. Plain items are little-endian,
/// booleans are bytes, and the axes of items that are arrays are axes of the array.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    pub item_type: String,
    pub shape: Vec<usize>,
    pub bytes: Vec<u8>,
}

impl Values {
    pub fn of(array: &Array<'_>) -> Self {
        let mut items = array.items();
        let count = items.count();
        let bytes = items.read(0, count).expect("the items are there").to_vec();
        Values::new(array.item_type(), array.shape().to_vec(), bytes)
    }

    pub fn new(item_type: ItemType, mut shape: Vec<usize>, mut bytes: Vec<u8>) -> Self {
        let mut inner = &item_type;
        while let ItemType::Subarray(subarray) = inner {
            shape.extend(subarray.shape().iter().map(|&extent| extent as usize));
            inner = subarray.item_type();
        }
        if let ItemType::Plain(dtype) = inner
            && dtype.endian == Endian::Big
            && dtype.kind.swapped() > 1
        {
            bytes.chunks_exact_mut(dtype.kind.swapped() as usize).for_each(<[u8]>::reverse);
        }
        Values { item_type: name(inner, false), shape, bytes }
    }
}

/// The name of a type. It includes the byte order for fields, but not for plain items.
fn name(item_type: &ItemType, is_field: bool) -> String {
    match item_type {
        ItemType::Plain(dtype) if is_field => dtype.descr(),
        ItemType::Plain(dtype) => dtype.descr().trim_start_matches(['<', '>', '|']).replace("bit", "b1"),
        ItemType::Subarray(subarray) => format!("{:?} of {}", subarray.shape(), name(subarray.item_type(), is_field)),
        ItemType::Structure(structure) => {
            let field = |field: &ndbytes::Field| {
                format!("{:?} {:?} at {}: {}", field.name, field.title, field.offset, name(&field.item_type, true))
            };
            let fields: Vec<String> = structure.fields().iter().map(field).collect();
            format!("{} bytes: {}", structure.size(), fields.join(", "))
        }
    }
}
