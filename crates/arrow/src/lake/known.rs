//! What an earlier run has found.

use super::examine::nanoseconds;
use super::options::Options;
use super::row::{UNREADABLE, verdict_word};
use super::schema::Table;
use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampNanosecondType, UInt64Type};
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use arrow_schema::{Schema, SchemaRef};
use ndbytes::{Depth, Profile, Verdict};
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// A file that was changed less than this many nanoseconds before a run began is checked again. Two changes within one tick of
/// the file system's clock have the same time.
const DOUBTFUL: i64 = 2_000_000_000;

/// A budget that was exceeded then may suffice now.
const LIMIT_EXCEEDED: &str = "limit-exceeded";

/// The circumstances of a run, as the metadata of its table: rows of one run serve another only if they agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    profile: Profile,
    depth: Depth,
    /// Nanoseconds from 1970 to its beginning.
    began: i64,
}

impl Run {
    /// The keys of the metadata.
    const VERSION: &str = "ndbytes.lake.version";
    const PROFILE: &str = "ndbytes.lake.profile";
    const DEPTH: &str = "ndbytes.lake.depth";
    const BEGAN: &str = "ndbytes.lake.began";

    /// A run that begins now.
    pub fn now(options: &Options) -> Self {
        let began = nanoseconds(SystemTime::now()).unwrap_or(0);
        Run { profile: options.profile, depth: options.depth, began }
    }

    /// A schema that says so.
    pub fn note(&self, schema: &SchemaRef) -> SchemaRef {
        let mut metadata = schema.metadata().clone();
        metadata.extend(self.words().map(|(key, value)| (key.to_owned(), value)));
        metadata.insert(Run::BEGAN.to_owned(), self.began.to_string());
        Arc::new(Schema::new_with_metadata(schema.fields().clone(), metadata))
    }

    /// The words that have to be the same.
    fn words(&self) -> [(&'static str, String); 3] {
        let profile = match self.profile {
            Profile::Strict => "strict",
            Profile::Reference => "reference",
        };
        let depth = match self.depth {
            Depth::Structure => "structure",
            Depth::Payload => "payload",
        };
        [
            (Run::VERSION, env!("CARGO_PKG_VERSION").to_owned()),
            (Run::PROFILE, profile.to_owned()),
            (Run::DEPTH, depth.to_owned()),
        ]
    }

    /// When the run of a schema began, if its rows serve a run with these options.
    fn began(schema: &Schema, options: &Options) -> Result<i64, String> {
        for (key, wanted) in Run::now(options).words() {
            let found = schema.metadata().get(key).map_or("nothing", String::as_str);
            if found != wanted {
                return Err(format!("its {key} is {found}, but {wanted} is needed"));
            }
        }
        let began = schema.metadata().get(Run::BEGAN).and_then(|began| began.parse().ok());
        began.ok_or_else(|| format!("it has no {}", Run::BEGAN))
    }
}

/// The rows of the table `files` of earlier runs. Files that did not change since then need no further check.
///
/// A file is unchanged if its size and its time of change are the same. With [`Options::digest`], its digest decides, not the
/// time. A file that could not be read, or that exceeded a limit, counts as changed; so does a folder.
#[derive(Debug, Default)]
pub struct Known {
    batches: Vec<RecordBatch>,
    /// The first row of each batch.
    starts: Vec<usize>,
    /// When the run of each batch began.
    began: Vec<i64>,
    rows: usize,
    bytes: usize,
    hasher: RandomState,
    /// Rows of files by the hash of their path: the last one, and the number of rows before it about members.
    files: HashMap<u64, (usize, usize)>,
}

impl Known {
    /// Nothing.
    pub fn new() -> Self {
        Known::default()
    }

    /// Adds the rows of a table of an earlier run. They replace those of the same files. All of them are held in memory, at most
    /// `most` bytes of all tables. A table that breaks off counts up to there: the result says whether it did.
    ///
    /// # Errors
    /// A sentence on a table that does not serve.
    pub fn add(&mut self, table: &mut dyn RecordBatchReader, options: &Options, most: u64) -> Result<bool, String> {
        let schema = table.schema();
        if schema.fields() != Table::Files.schema().fields() {
            return Err("its columns are not those of the table `files`".to_owned());
        }
        let began = Run::began(&schema, options)?;
        let mut members = (0, true);
        for batch in table {
            let Ok(batch) = batch.and_then(|it| it.with_schema(Table::Files.schema())) else { return Ok(false) };
            if batch.num_rows() == 0 {
                continue;
            }
            self.bytes = self.bytes.saturating_add(batch.get_array_memory_size());
            if self.bytes as u64 > most {
                return Err(format!("its rows take more memory than the {most} bytes that the limit allows"));
            }
            self.index(&batch, &mut members);
            self.starts.push(self.rows);
            self.began.push(began);
            self.rows += batch.num_rows();
            self.batches.push(batch);
        }
        Ok(true)
    }

    /// Notes the rows of files. `members` are the number of rows about members that await their archive, and whether all of them
    /// serve.
    fn index(&mut self, batch: &RecordBatch, members: &mut (usize, bool)) {
        let (paths, names) = (batch.column(0).as_string::<i32>(), batch.column(1).as_string::<i32>());
        let findings = batch.column(batch.num_columns() - 1).as_list::<i32>();
        for row in 0..batch.num_rows() {
            let of_row = findings.value(row);
            let rules = of_row.as_struct().column(0).as_string::<i32>();
            let is_settled = rules.iter().flatten().all(|rule| ![UNREADABLE, LIMIT_EXCEEDED].contains(&rule));
            members.1 &= is_settled;
            if names.is_valid(row) {
                members.0 += 1;
                continue;
            }
            let (count, serves) = std::mem::replace(members, (0, true));
            let hash = self.hasher.hash_one(paths.value(row));
            match serves {
                true => self.files.insert(hash, (self.rows + row, count)),
                false => self.files.remove(&hash),
            };
        }
    }

    /// The rows of a file that did not change, and the worst verdict in them.
    pub(crate) fn find(
        &self,
        path: &Path,
        size: u64,
        mtime: Option<i64>,
        digest: Option<&str>,
        options: &Options,
    ) -> Option<(Range<usize>, Verdict)> {
        let (path, mtime) = (path.to_str()?, mtime?);
        let &(last, members) = self.files.get(&self.hasher.hash_one(path))?;
        let (batch, row) = self.place(last);
        let (columns, schema) = (&self.batches[batch], Table::Files.schema());
        let column = |name: &str| columns.column(schema.index_of(name).expect("the schema is ours"));
        let sizes = column("size").as_primitive::<UInt64Type>();
        let is_same = column("path").as_string::<i32>().value(row) == path
            && sizes.is_valid(row)
            && sizes.value(row) == size
            && if options.digest {
                let digests = column("digest").as_string::<i32>();
                digests.is_valid(row) && Some(digests.value(row)) == digest
            } else {
                let times = column("mtime").as_primitive::<TimestampNanosecondType>();
                let is_old = mtime.saturating_add(DOUBTFUL) < self.began[batch];
                times.is_valid(row) && times.value(row) == mtime && is_old && column("digest").is_null(row)
            };
        let rows = last - members..last + 1;
        let verdict = rows.clone().map(|row| self.verdict(row)).max()?;
        is_same.then_some((rows, verdict))
    }

    fn verdict(&self, row: usize) -> Verdict {
        let (batch, row) = self.place(row);
        let batch = &self.batches[batch];
        let words = batch.schema().index_of("verdict").ok().map(|column| batch.column(column).as_string::<i32>());
        let is = |verdict: &Verdict| words.is_some_and(|words| words.value(row) == verdict_word(*verdict));
        [Verdict::Ok, Verdict::Warning].into_iter().find(is).unwrap_or(Verdict::Error)
    }

    /// The batch of a row, and its place there.
    pub(crate) fn place(&self, row: usize) -> (usize, usize) {
        let batch = self.starts.partition_point(|start| *start <= row) - 1;
        (batch, row - self.starts[batch])
    }

    pub(crate) fn batch(&self, batch: usize) -> &RecordBatch {
        &self.batches[batch]
    }

    /// The bytes that a row takes in memory, on average over its batch.
    pub(crate) fn held(&self, row: usize) -> usize {
        let batch = &self.batches[self.place(row).0];
        batch.get_array_memory_size() / batch.num_rows()
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
}
