//! Writing files.

use crate::array::Walked;
use crate::errors::{raise, raise_arrow};
use crate::foreign;
use crate::limits::limits;
use crate::msgpack;
use crate::sources::AnyPath;
use crate::warn::say;
use crate::work::work;
use ndbytes::b2nd::{self, Codec, Filter};
use ndbytes::names::{Content, Name};
use ndbytes::ndarray::SliceInfoElem;
use ndbytes::{Error, Input, ItemType, Items, Limits, Plain, idx, npy, rawarray};
use ndbytes_arrow::Validated;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use std::path::Path;

/// The kinds of files to which arrays can be written.
#[derive(Clone, Copy)]
enum Kind {
    Idx { gzip: bool },
    RawArray,
    B2nd,
    Npy,
}

impl Kind {
    /// The kind with this name, or with this file extension.
    fn of(format: Option<&str>, path: &Path) -> PyResult<Self> {
        let asked = format.map(str::to_ascii_lowercase);
        let name = Name::of(path);
        let kind = match (asked, name) {
            (Some(format), _) => format,
            (None, Some(Name { content: Content::File(format), is_gzip, .. })) => {
                format!("{}{}", format.extension(), if is_gzip { ".gz" } else { "" })
            }
            (None, _) => path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase(),
        };
        match &*kind {
            "idx" => Ok(Kind::Idx { gzip: false }),
            "idx.gz" => Ok(Kind::Idx { gzip: true }),
            "ra" | "rawarray" => Ok(Kind::RawArray),
            "b2nd" => Ok(Kind::B2nd),
            "npy" => Ok(Kind::Npy),
            other => Err(PyValueError::new_err(format!(
                "{other:?} is not an array format: `format` must be one of \"idx\", \"idx.gz\", \"ra\", \"b2nd\", \"npy\"{}",
                otherwise(other)
            ))),
        }
    }
}

/// Names the function that writes files of another kind.
fn otherwise(kind: &str) -> &'static str {
    match kind {
        "idv" => "; `ndbytes.write_idv` writes tables",
        "npz" => "; write .npz with `ndbytes.convert` or `numpy.savez`",
        _ => "",
    }
}

/// Writes an array to a file atomically.
///
/// Parameters:
///     path: the path of the file.
///     array: anything that NumPy can convert to an array.
///     format: ``"idx"``, ``"idx.gz"``, ``"ra"``, ``"b2nd"`` or ``"npy"``. By default, the file name decides.
///     chunks, blocks: elements per axis, for b2nd.
///     codec: the codec for b2nd, such as ``"zstd"``.
///     level: the compression level, from 0 to 9.
///     filters: the filters before compression, such as ``["shuffle"]``.
///     attrs: the attributes for b2nd; their values must have types that msgpack supports.
///     memory, time, output: limits, as for ``open``. By default, ``output`` is unlimited: everything is written.
///
/// Raises:
///     ValueError: if the format cannot hold the array.
///     TypeError: if the type is not a NumPy type.
///     OSError: if the file cannot be written.
///
/// Example:
///     >>> import ndbytes
///     >>> ndbytes.save("numbers.npy", [1.5, 2.5])
#[pyfunction]
#[pyo3(signature = (
    path, array, *, format=None, chunks=None, blocks=None, codec=None, level=None, filters=None, attrs=None, memory=None,
    time=None, output=None
))]
#[allow(clippy::too_many_arguments, reason = "they are options, which are given by name")]
pub fn save(
    py: Python<'_>,
    path: AnyPath,
    array: &Bound<'_, PyAny>,
    format: Option<&str>,
    chunks: Option<Vec<usize>>,
    blocks: Option<Vec<usize>>,
    codec: Option<&str>,
    level: Option<u8>,
    filters: Option<Vec<String>>,
    attrs: Option<Bound<'_, PyDict>>,
    memory: Option<u64>,
    time: Option<f64>,
    output: Option<u64>,
) -> PyResult<()> {
    // All of what the caller has is written, unless it says otherwise.
    let limits = limits(memory, time, output.or(Some(u64::MAX)))?.started();
    let kind = Kind::of(format, &path.0)?;
    let is_b2nd = matches!(kind, Kind::B2nd);
    if !is_b2nd
        && (chunks.is_some()
            || blocks.is_some()
            || codec.is_some()
            || level.is_some()
            || filters.is_some()
            || attrs.is_some())
    {
        return Err(PyValueError::new_err("chunks, blocks, codec, level, filters and attrs work only with b2nd"));
    }
    let (array, walked) = walked(array)?;
    if walked.has_metadata {
        say(py, "the metadata of the dtype is dropped: no format can hold it", None)?;
    }
    let item_type = walked.item_type;
    let mut shape: Vec<usize> = array.getattr("shape")?.extract()?;
    // In RawArray, the first axis varies fastest: its items are those of the transposed array.
    let order = if let Kind::RawArray = kind { "F" } else { "C" };
    if let Kind::RawArray = kind {
        shape.reverse();
    }
    let bytes = PyBackedBytes::from(array.call_method1("tobytes", (order,))?.cast_into::<PyBytes>()?);
    let mut writer = b2nd::Writer::new().limits(limits);
    if let Some(chunks) = chunks {
        writer = writer.chunks(chunks);
    }
    if let Some(blocks) = blocks {
        writer = writer.blocks(blocks);
    }
    if let Some(codec) = codec {
        writer = writer.codec(codec_of(codec)?);
    }
    if let Some(level) = level {
        writer = writer.level(level);
    }
    if let Some(names) = filters {
        writer = writer.filters(names.iter().map(|name| filter_of(name)).collect::<PyResult<Vec<_>>>()?);
    }
    for (name, value) in attrs.iter().flatten() {
        let value = msgpack::of(&value)?;
        writer = writer.attribute(&name.extract::<String>()?, &value).map_err(|error| raise(py, error))?;
    }
    let written = work(py, move || write(kind, &path.0, item_type, &shape, &bytes, &writer, limits))?;
    written.map_err(|error| raise(py, error))
}

fn write(
    kind: Kind,
    path: &Path,
    item_type: ItemType,
    shape: &[usize],
    bytes: &[u8],
    writer: &b2nd::Writer,
    limits: Limits,
) -> ndbytes::Result<()> {
    if let (Kind::B2nd | Kind::Npy, true) = (kind, has_brain_floats(&item_type)) {
        let format = if let Kind::B2nd = kind { "b2nd" } else { ".npy" };
        return Err(Error::Inexpressible {
            format,
            what: "elements of type bfloat16, for which NumPy has no name".into(),
        });
    }
    if let Kind::B2nd = kind {
        limits.ensure_output("the items of the b2nd file", bytes.len() as u64)?;
        return writer.write_bytes(path, shape, &item_type, bytes);
    }
    let plain = Plain::new(Input::from_slice(bytes, limits), 0, item_type, shape.to_vec())?;
    let all: Vec<_> = shape.iter().map(|_| SliceInfoElem::Slice { start: 0, end: None, step: 1 }).collect();
    let mut items: Box<dyn Items + '_> = plain.select(all)?;
    match kind {
        Kind::Idx { gzip } => idx::Writer::new().gzip(gzip).write_items(path, &mut *items, &limits),
        Kind::RawArray => rawarray::Writer::new().write_items(path, &mut *items, &limits),
        _ => npy::write_items(path, &mut *items, &limits),
    }
}

/// Converts anything that NumPy accepts to an array, with its item type.
///
/// # Errors
/// `TypeError` if it has a mask, which no format can hold; any error of [`Walked::of`].
pub fn walked<'py>(given: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, Walked)> {
    let numpy = given.py().import("numpy")?;
    if numpy.getattr("ma")?.call_method1("is_masked", (given,))?.extract()? {
        return Err(PyTypeError::new_err("masked elements have no value: assign one with `filled`"));
    }
    let array = numpy.call_method1("asarray", (given,))?;
    let walked = Walked::of(&array.getattr("dtype")?)?;
    Ok((array, walked))
}

/// Returns whether a type contains bfloat16, which NumPy itself does not support.
fn has_brain_floats(item_type: &ItemType) -> bool {
    match item_type {
        ItemType::Plain(dtype) => dtype.kind == ndbytes::ElementKind::Bf16,
        ItemType::Structure(structure) => structure.fields().iter().any(|field| has_brain_floats(&field.item_type)),
        ItemType::Subarray(subarray) => has_brain_floats(subarray.item_type()),
    }
}

/// Returns the codec with a name.
fn codec_of(name: &str) -> PyResult<Codec> {
    let codecs = [Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD];
    named(name, "codec", codecs.map(|codec| (codec.words().to_owned(), codec)))
}

/// Returns the filter with a name.
fn filter_of(name: &str) -> PyResult<Filter> {
    let filters = [Filter::Shuffle, Filter::Bitshuffle, Filter::Delta, Filter::Bytedelta];
    named(name, "filter", filters.map(|filter| (format!("{filter:?}"), filter)))
}

/// Returns the value with a name, ignoring case.
fn named<T, const COUNT: usize>(name: &str, what: &str, values: [(String, T); COUNT]) -> PyResult<T> {
    let names = values.each_ref().map(|(name, _)| name.to_ascii_lowercase());
    let found = values.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    let unknown = || PyValueError::new_err(format!("{name:?} is not a {what}: {}", names.join(", ")));
    found.map(|(_, value)| value).ok_or_else(unknown)
}

/// Writes a table to an IDV file atomically, and returns the number of rows.
///
/// Parameters:
///     path: the path of the file.
///     table: anything with an Arrow C stream: a table of pyarrow, polars or ndbytes.
///     nulls: what missing values become: ``"error"``, ``"nan"`` or ``"default"``. IDV has only NaN and the missing key.
///     tz: what times with a zone become: ``"offset"`` is local time with an offset, ``"utc"`` is UTC.
///     memory, time, output: limits, as for ``save``.
///
/// Raises:
///     ValueError: if IDV cannot hold a value.
///     TypeError: if the table has no C stream.
///     OSError: if the file cannot be written.
///
/// Example:
///     >>> import ndbytes
///     >>> ndbytes.write_idv("again.idv", ndbytes.open_table("trees.idv"))
///     4
#[pyfunction]
#[pyo3(signature = (path, table, *, nulls="error", tz="offset", memory=None, time=None, output=None))]
#[allow(clippy::too_many_arguments, reason = "they are options, which are given by name")]
pub fn write_idv(
    py: Python<'_>,
    path: AnyPath,
    table: &Bound<'_, PyAny>,
    nulls: &str,
    tz: &str,
    memory: Option<u64>,
    time: Option<f64>,
    output: Option<u64>,
) -> PyResult<u64> {
    let nulls = nulls.parse().map_err(|error: String| PyValueError::new_err(error))?;
    let limits = limits(memory, time, output)?.started();
    let zones = tz.parse().map_err(|error: String| PyValueError::new_err(error))?;
    let options = ndbytes_arrow::idv::WriteOptions::new().nulls(nulls).zones(zones).limits(limits);
    // The C interface does not say how long buffers are. pyarrow knows, and reads files without looking.
    let table = py.import("ndbytes._validated")?.call_method1("validated", (table,))?;
    let batches = Validated::import(foreign::stream(&table)?, limits).map_err(|error| raise_arrow(py, error))?;
    work(py, move || ndbytes_arrow::idv::write(&path.0, batches, options))?.map_err(|error| raise_arrow(py, error))
}
