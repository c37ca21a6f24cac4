//! Sources of files: paths, bytes, open files, and fsspec file systems.

use ndbytes::ReadRanges;
use ndbytes_stores::serves;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use std::io::{self, Read};
use std::ops::Range;
use std::path::PathBuf;

/// The source of a file.
pub enum Source {
    Path(PathBuf),
    Bytes(Vec<u8>),
    Stream(Stream),
    Remote(Remote),
}

impl Source {
    /// Determines what kind of source a Python object is. Options of stores are used only for URLs.
    ///
    /// # Errors
    /// `TypeError` if files cannot be read from it.
    pub fn of(given: &Bound<'_, PyAny>, storage_options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        if let Ok(address) = given.cast::<PyString>()
            && address.contains("://")?
            && !serves(&address.to_string_lossy())
        {
            return Remote::of_address(address, storage_options).map(Source::Remote);
        }
        // Bytes are the content of a file, but those that a path is made of are its name.
        if !given.is_instance_of::<PyBytes>()
            && let Ok(AnyPath(path)) = given.extract()
        {
            return Ok(Source::Path(path));
        }
        if let (Ok(system), Ok(path)) = (given.getattr("fs"), given.getattr("path")) {
            // An open file knows its length, so that nobody asks for it again.
            let length = given.getattr("size").and_then(|size| size.extract()).ok();
            return Ok(Source::Remote(Remote { system: system.unbind(), path: path.extract()?, length }));
        }
        if given.hasattr("read")? {
            if given.hasattr("encoding")? {
                return Err(PyTypeError::new_err("the file is open as text: open it in binary mode, with \"rb\""));
            }
            return Ok(Source::Stream(Stream(given.clone().unbind())));
        }
        if let Ok(bytes) = given.cast::<PyBytes>() {
            return Ok(Source::Bytes(bytes.as_bytes().to_vec()));
        }
        match given.py().import("builtins")?.getattr("memoryview")?.call1((given,)) {
            Ok(view) => Ok(Source::Bytes(view.call_method0("tobytes")?.extract()?)),
            Err(_) => {
                let several = match given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>() {
                    true => ": `preflight` and `check_batch` take several files",
                    false => "",
                };
                Err(PyTypeError::new_err(format!(
                    "expected a path, bytes, an open file or a file of fsspec, not {}{several}",
                    given.get_type().qualname()?
                )))
            }
        }
    }
}

/// A path as text, bytes, or an object that returns one of them. It need not be Unicode.
pub struct AnyPath(pub PathBuf);

impl<'py> FromPyObject<'_, 'py> for AnyPath {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        given.py().import("os")?.call_method1("fsdecode", (given,))?.extract().map(AnyPath)
    }
}

/// An open Python file, which is read to its end.
pub struct Stream(Py<PyAny>);

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let read = self.0.bind(py).call_method1("read", (buffer.len(),)).map_err(io::Error::other)?;
            let bytes: &[u8] = read
                .extract()
                .map_err(|_| io::Error::other("`read` did not return bytes: open the file in binary mode"))?;
            let room = buffer.get_mut(..bytes.len());
            room.ok_or_else(|| io::Error::other("`read` returned more bytes than requested"))?.copy_from_slice(bytes);
            Ok(bytes.len())
        })
    }
}

/// A file of an fsspec file system, which is read by ranges.
pub struct Remote {
    system: Py<PyAny>,
    path: String,
    /// The length, if it is known.
    length: Option<u64>,
}

impl Remote {
    /// The file at a URL, such as `s3://bucket/a.b2nd`.
    fn of_address(address: &Bound<'_, PyString>, storage_options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let Ok(fsspec) = address.py().import("fsspec.core") else {
            return Err(PyValueError::new_err(format!("{address} is an address, which needs the package fsspec")));
        };
        let (system, path) =
            fsspec.call_method("url_to_fs", (address,), storage_options)?.extract::<(Py<PyAny>, String)>()?;
        Ok(Remote { system, path, length: None })
    }
}

impl ReadRanges for Remote {
    fn length(&self) -> io::Result<u64> {
        if let Some(length) = self.length {
            return Ok(length);
        }
        Python::attach(|py| {
            let length = self.system.bind(py).call_method1("size", (&self.path,)).map_err(io::Error::other)?;
            length.extract().map_err(|_| io::Error::other("the file system does not report its length"))
        })
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        Python::attach(|py| {
            let paths = vec![&self.path; ranges.len()];
            let starts: Vec<u64> = ranges.iter().map(|range| range.start).collect();
            let ends: Vec<u64> = ranges.iter().map(|range| range.end).collect();
            let parts =
                self.system.bind(py).call_method1("cat_ranges", (paths, starts, ends)).map_err(io::Error::other)?;
            parts
                .try_iter()
                .map_err(io::Error::other)?
                .map(|part| {
                    let part = part.map_err(io::Error::other)?;
                    // A call may raise an exception instead of returning bytes.
                    match part.cast::<PyBytes>() {
                        Ok(bytes) => Ok(bytes.as_bytes().to_vec()),
                        Err(_) => Err(io::Error::other(PyErr::from_value(part))),
                    }
                })
                .collect()
        })
    }
}
