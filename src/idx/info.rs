//! A short description of an IDX file.

use super::dtype;
use super::examine::examine;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::collect::refuse_errors;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::findings::words::bytes;
use crate::format::Format;
use crate::format::info::{ArrayInfo, Info};
use crate::options::Settings;
use std::collections::BTreeMap;

/// Describes a file by its header.
pub(crate) fn info(input: Input<'_>, limits: Limits) -> Result<(Info, Vec<Finding>)> {
    let size = input.length();
    let examined = examine(input, &Settings { limits, ..Settings::default() }, Depth::Structure)?;
    let warnings = refuse_errors(examined.findings)?;
    let header = examined.header.expect("a header that could not be read is an error");
    let details = BTreeMap::from([("payload", bytes(header.payload.length))]);
    let array = ArrayInfo {
        shape: header.dims.iter().map(|&dim| dim.into()).collect(),
        dtype: dtype(header.element_type).descr(),
        order: "C",
    };
    let info = Info {
        format: Format::Idx,
        size,
        version: None,
        array: Some(array),
        table: None,
        details,
        metadata: Vec::new(),
    };
    Ok((info, warnings))
}
