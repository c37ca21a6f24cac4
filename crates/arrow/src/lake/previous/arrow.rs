//! Streams of Arrow, whose schema is looked at before it is made.
//!
//! A stream is shorter than the limit. Arrow's reader takes 64 MiB for a message that only claims to have them. So it
//! gets nothing after the last message that is there as a whole. Tables of a schema may share parts: a short schema can
//! describe an immense one. So only a schema of our own shape is made.

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
use std::path::Path;
use std::slice;
use std::sync::Arc;

/// The maximum number of bytes of the schema, with its metadata.
const LONGEST: u64 = 1 << 20;

/// The marker before the length of a message, except in old streams.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// The batches of a stream.
type Batches = Guarded<StreamReader<BufReader<Take<File>>>>;

/// The batches of a stream that begins somewhere in a file, and whether these are all. A stream that breaks off has others.
pub(super) fn open(path: &Path, mut file: File, start: u64, length: u64) -> Result<(Batches, bool), String> {
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
        return Err("its metadata are longer than its schema".to_owned());
    }
    let same = file.try_clone().map_err(|error| error.to_string())?;
    let input = Input::from_file(same, path, Limits::default().memory(length)).map_err(|error| error.to_string())?;
    let (end, is_whole) = end_of_whole(&InputReader::new(Arc::new(input)), start);
    file.seek(SeekFrom::Start(start)).map_err(|error| error.to_string())?;
    let batches = ipc::read_stream(BufReader::new(file.take(end - start))).map_err(|error| error.to_string())?;
    Ok((batches, is_whole))
}

/// Returns whether fields have the names and the children of ours. Their types are compared once they are made.
fn are_ours<'f>(found: impl Iterator<Item = arrow_ipc::Field<'f>>, ours: &[Arc<Field>]) -> bool {
    // One more than ours is enough to see that there are more.
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
