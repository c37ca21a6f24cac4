//! Reading and judging the structure of an IDX file, including gzip around it.

use super::content::{Examined, judge_payload, judge_with};
use super::gzip::read::examine_gzip;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::general::UNKNOWN_FORMAT;
use crate::findings::rule::Depth;
use crate::format::is_gzip;
use crate::options::Settings;
use ndbytes_schemas::gzip;

/// Reads and judges a file. At depth `Structure`, no more of it is looked at than holds the header.
pub(crate) fn examine<'a>(input: Input<'a>, settings: &Settings, depth: Depth) -> Result<Examined<'a>> {
    if !is_gzip(input.head()) {
        let (header, mut findings) = judge_with(input.source(), settings);
        if let (Depth::Payload, Some(header)) = (depth, &header) {
            judge_payload(header, &input, settings, &mut findings)?;
        }
        return Ok(Examined::plain(input, header, findings));
    }
    if settings.is_raw {
        let message = "this is gzip-compressed data, but the array itself was demanded";
        let finding = Finding::new(&UNKNOWN_FORMAT, "", 0..gzip::Header::MAGIC.len() as u64, message)
            .help("decompress it first: gzip -d");
        return Ok(Examined::plain(input, None, vec![finding]));
    }
    examine_gzip(input, settings, depth)
}
