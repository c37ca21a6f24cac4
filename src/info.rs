//! What a file is, in a few words.

use crate::check::{known_format, unknown_format};
use crate::finding::bytes;
use crate::gzip::is_gzip;
use crate::input::Input;
use crate::{Depth, Error, Format, Limits, Result, idx, rawarray};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a file is. Serialised, it is what `ndbytes info --json` prints for it, but for the path.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Info {
    /// The format.
    pub format: Format,
    /// Bytes of the file.
    pub size: u64,
    /// Version of the format; none where the format has no versions.
    pub version: Option<String>,
    /// The array, in formats that hold one.
    pub array: Option<ArrayInfo>,
    /// The table, in formats that hold one; no format of this version of ndbytes does.
    pub table: Option<()>,
    /// What else there is to say: flags, compression, metadata.
    pub details: BTreeMap<&'static str, String>,
}

/// What an array is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ArrayInfo {
    /// Extent of each axis, as stored.
    pub shape: Vec<u64>,
    /// The element type, as NumPy names it.
    pub dtype: String,
    /// `C` if the last axis varies fastest, `F` if the first does.
    pub order: &'static str,
}

/// Says what a file is. The payload is not looked at, however large it is.
///
/// # Errors
/// [`Error::Invalid`] if it is of no known format, or if its structure breaks a rule; [`Error::Io`].
pub fn info(input: Input<'_>, limits: &Limits) -> Result<Info> {
    match known_format(&input) {
        Some(Format::Idx) => idx_info(input, *limits),
        Some(Format::RawArray) => rawarray_info(input),
        None => Err(unknown_format(&input).into()),
    }
}

fn idx_info(input: Input<'_>, limits: Limits) -> Result<Info> {
    let (size, gzip) = (input.length(), is_gzip(input.head()));
    let examined = idx::examine(input, &idx::Options::new().limits(limits), Depth::Structure)?;
    refuse_errors(examined.findings)?;
    let header = examined.header.expect("a header that could not be read is an error");
    let mut details = BTreeMap::from([("payload", bytes(header.payload.length))]);
    if gzip {
        details.insert("compression", "gzip".into());
    }
    let array = ArrayInfo {
        shape: header.dims.iter().map(|&dim| dim.into()).collect(),
        dtype: idx::dtype(header.element_type).descr(),
        order: "C",
    };
    Ok(Info { format: Format::Idx, size, version: None, array: Some(array), table: None, details })
}

fn rawarray_info(input: Input<'_>) -> Result<Info> {
    let size = input.length();
    let examined = rawarray::examine(input, Depth::Structure)?;
    refuse_errors(examined.findings)?;
    let (Some(header), Some((array, endian))) = (examined.header, examined.array) else {
        unreachable!("what could not be read is an error");
    };
    let dtype = crate::Dtype::new(array.kind, endian);
    let mut details = BTreeMap::from([
        ("eltype", format!("{} ({})", header.eltype.code(), header.eltype.name())),
        ("elbyte", header.elbyte.to_string()),
        ("payload", bytes(header.size)),
    ]);
    if header.flags.raw() != 0 {
        details.insert("flags", ndbytes_schemas::Layout::meaning(&header.flags).into_owned());
    }
    if header.metadata.length > 0 && array.has_known_end() {
        details.insert("metadata", bytes(header.metadata.length));
    }
    let array = ArrayInfo { shape: header.dims, dtype: dtype.descr(), order: "F" };
    Ok(Info { format: Format::RawArray, size, version: None, array: Some(array), table: None, details })
}

fn refuse_errors(findings: Vec<crate::Finding>) -> Result<(), Error> {
    findings.into_iter().find(crate::Finding::is_error).map_or(Ok(()), |finding| Err(finding.into()))
}
