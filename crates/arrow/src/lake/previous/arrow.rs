//! Arrow streams whose schema is examined before it is built.
//!
//! A stream is shorter than the limit, but Arrow's reader allocates 64 MiB for a message that merely claims that
//! length, so it receives nothing after the last complete message. Tables of a schema may share parts, so a short
//! schema can describe an immense one. Therefore, a schema is built only if it has the same shape as ours.

use super::super::known::OTHER_COLUMNS;
use super::super::schema::Table;
use super::file_bytes::bytes;
use crate::bounded::blocks::end_of_whole;
use crate::guarded::Guarded;
use crate::input::InputReader;
use crate::ipc;
use arrow_ipc::reader::StreamReader;
use arrow_schema::{DataType, Field};
use ndbytes::{Input, Limits};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Take};
use std::ops::Range;
use std::path::Path;
use std::slice;
use std::sync::Arc;

/// The maximum number of bytes of the schema, with its metadata.
const LONGEST: u64 = 1 << 20;

/// The marker before the length of a message, except in old streams.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// The batches of a stream.
type Batches = Guarded<StreamReader<BufReader<Take<File>>>>;

/// Returns the batches of a stream, which begins somewhere in a file and may extend to its end, and whether these are all of them.
/// A truncated stream has more.
pub(super) fn open(
    path: &Path,
    mut file: File,
    Range { start, end: length }: Range<u64>,
    limits: Limits,
) -> Result<(Batches, bool), String> {
    let no_stream = || "it is neither a Parquet file nor an Arrow file or stream".to_owned();
    let mut place = start;
    let mut word = || {
        let word = bytes(&file, place, 4.min(length - place)).ok()?;
        place += word.len() as u64;
        <[u8; 4]>::try_from(&*word).ok()
    };
    let mut count = word().ok_or_else(no_stream)?;
    if count == CONTINUATION {
        count = word().ok_or_else(no_stream)?;
    }
    let count = u64::from(u32::from_le_bytes(count));
    if count > LONGEST.min(length - place) {
        return Err(no_stream());
    }
    let head = bytes(&file, place, count)?;
    let message = arrow_ipc::root_as_message(&head).map_err(|_| no_stream())?;
    let schema = message.header_as_schema().ok_or_else(no_stream)?;
    if !are_ours(schema.fields().into_iter().flatten(), Table::Files.schema().fields()) {
        return Err(OTHER_COLUMNS.to_owned());
    }
    let texts = |pair: arrow_ipc::KeyValue<'_>| [pair.key(), pair.value()].into_iter().flatten().map(str::len).sum();
    let metadata: usize = schema.custom_metadata().into_iter().flatten().map::<usize, _>(texts).sum();
    if metadata > head.len() {
        return Err("its metadata is longer than its schema".to_owned());
    }
    let same = file.try_clone().map_err(|error| error.to_string())?;
    let input = Input::from_file(same, path, limits).map_err(|error| error.to_string())?;
    let (end, is_whole) = end_of_whole(&InputReader::new(Arc::new(input)), start);
    file.seek(SeekFrom::Start(start)).map_err(|error| error.to_string())?;
    let batches = ipc::read_stream(BufReader::new(file.take(end - start))).map_err(|error| error.to_string())?;
    Ok((batches, is_whole))
}

/// Returns whether fields have the names and the children of our schema. Their types are compared once they are built.
fn are_ours<'f>(found: impl Iterator<Item = arrow_ipc::Field<'f>>, ours: &[Arc<Field>]) -> bool {
    // One field more than ours is enough to show that there are others.
    let found: Vec<_> = found.take(ours.len() + 1).collect();
    found.len() == ours.len() && found.iter().zip(ours).all(|(found, ours)| is_ours(found, ours))
}

fn is_ours(found: &arrow_ipc::Field<'_>, ours: &Field) -> bool {
    let children = match ours.data_type() {
        DataType::List(item) => slice::from_ref(item),
        DataType::Struct(fields) => &**fields,
        _ => &[],
    };
    let has_more = found.dictionary().is_some() || found.custom_metadata().is_some_and(|pairs| !pairs.is_empty());
    !has_more && found.name() == Some(ours.name()) && are_ours(found.children().into_iter().flatten(), children)
}
