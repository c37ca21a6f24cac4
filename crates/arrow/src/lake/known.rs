//! The results of an earlier run.

use super::options::Options;
use super::row::{UNREADABLE, verdict_word};
use super::schema::Table;
use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampNanosecondType, UInt64Type};
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use arrow_schema::{DataType, Schema, SchemaRef};
use ndbytes::{Depth, Limits, Profile, Verdict};
use ndbytes_compare::digest::Digest;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// A file that was changed less than this many nanoseconds before a run began is checked again. Two changes within one tick of
/// the file system's clock have the same time.
const DOUBTFUL: i64 = 2_000_000_000;

/// A budget that was exceeded then may suffice now.
const LIMIT_EXCEEDED: &str = "limit-exceeded";

/// The words on a table that is another one.
pub(crate) const OTHER_COLUMNS: &str = "its columns are not those of the table `files`";

/// The circumstances of a run, as the metadata of its table: rows of one run serve another only if they agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    profile: Profile,
    depth: Depth,
    demands: Option<Digest>,
    /// Nanoseconds from 1970 to its beginning.
    began: i64,
}

impl Run {
    /// The keys of the metadata.
    const VERSION: &str = "ndbytes.lake.version";
    const PROFILE: &str = "ndbytes.lake.profile";
    const DEPTH: &str = "ndbytes.lake.depth";
    const DEMANDS: &str = "ndbytes.lake.demands";
    const BEGAN: &str = "ndbytes.lake.began";

    /// A run that begins now.
    pub fn now(options: &Options) -> Self {
        let began = nanoseconds(SystemTime::now()).unwrap_or(0);
        Run { profile: options.profile, depth: options.depth, demands: options.demands, began }
    }

    /// A schema that says so.
    pub fn note(&self, schema: &SchemaRef) -> SchemaRef {
        let mut metadata = schema.metadata().clone();
        metadata.extend(self.words().into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
        metadata.insert(Run::BEGAN.to_owned(), self.began.to_string());
        Arc::new(Schema::new_with_metadata(schema.fields().clone(), metadata))
    }

    /// The words that have to be the same.
    fn words(&self) -> [(&'static str, Option<String>); 4] {
        let profile = match self.profile {
            Profile::Strict => "strict",
            Profile::Reference => "reference",
        };
        let depth = match self.depth {
            Depth::Structure => "structure",
            Depth::Payload => "payload",
        };
        [
            (Run::VERSION, Some(env!("CARGO_PKG_VERSION").to_owned())),
            (Run::PROFILE, Some(profile.to_owned())),
            (Run::DEPTH, Some(depth.to_owned())),
            (Run::DEMANDS, self.demands.map(|demands| demands.to_string())),
        ]
    }

    /// When a run began of which these notes are, if its rows serve a run with these options.
    fn began(note: impl Fn(&str) -> Option<String>, options: &Options) -> Result<i64, String> {
        for (key, wanted) in Run::now(options).words() {
            let found = note(key);
            if found != wanted {
                let [found, wanted] = [found, wanted].map(|word| word.unwrap_or_else(|| "nothing".to_owned()));
                return Err(format!("its {key} is {found}, but {wanted} is needed"));
            }
        }
        let began = note(Run::BEGAN).and_then(|began| began.parse().ok());
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
    /// Rows of files by the hash of their path.
    files: HashMap<u64, Group>,
}

/// The rows about one file: first those about its members, last its own.
#[derive(Debug, Clone, Copy)]
struct Group {
    last: usize,
    members: usize,
    /// The worst one in them.
    verdict: Verdict,
    /// True if no row tells of a file that has to be checked again.
    serves: bool,
}

impl Group {
    /// The memory of a row in [`Known::files`], at most: a table is half empty after it has grown.
    const HELD: usize = 2 * (size_of::<(u64, Group)>() + 1);

    /// No rows before this one.
    fn before(last: usize) -> Self {
        Group { last, members: 0, verdict: Verdict::Ok, serves: true }
    }
}

/// A table that is being added.
#[derive(Debug)]
pub(crate) struct Adding {
    /// When its run began.
    began: i64,
    /// The maximum number of bytes of all tables.
    most: u64,
    /// The limits, whose clock runs.
    limits: Limits,
    /// The rows about members that await their archive.
    group: Group,
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
            return Err(OTHER_COLUMNS.to_owned());
        }
        let mut adding = self.begin(|key| schema.metadata().get(key).cloned(), options, most)?;
        for batch in table {
            let Ok(batch) = batch.and_then(|it| RecordBatch::try_new(Table::Files.schema(), it.columns().to_vec()))
            else {
                return Ok(false);
            };
            self.insert(batch, &mut adding)?;
        }
        Ok(true)
    }

    /// Begins to add a table. `note` gives what is written about its run.
    pub(crate) fn begin(
        &self,
        note: impl Fn(&str) -> Option<String>,
        options: &Options,
        most: u64,
    ) -> Result<Adding, String> {
        let (began, limits) = (Run::began(note, options)?, options.limits.started());
        Ok(Adding { began, most, limits, group: Group::before(self.rows) })
    }

    /// The bytes that further rows may take.
    pub(crate) fn left(&self, most: u64) -> u64 {
        most.saturating_sub(self.bytes as u64)
    }

    /// Adds rows of a table.
    pub(crate) fn insert(&mut self, batch: RecordBatch, adding: &mut Adding) -> Result<(), String> {
        adding.limits.ensure_time().map_err(|error| error.to_string())?;
        if batch.num_rows() == 0 {
            return Ok(());
        }
        let held = held_by(&batch, 0..batch.num_rows()).saturating_add(batch.num_rows() * Group::HELD);
        if held as u64 > self.left(adding.most) {
            return Err(too_large(adding.most));
        }
        self.bytes += held;
        self.index(&batch, &mut adding.group);
        self.starts.push(self.rows);
        self.began.push(adding.began);
        self.rows += batch.num_rows();
        self.batches.push(batch);
        Ok(())
    }

    /// Notes the rows of files.
    fn index(&mut self, batch: &RecordBatch, group: &mut Group) {
        let column =
            |name: &str| batch.column(Table::Files.schema().index_of(name).expect("the schema is ours")).clone();
        let (paths, names, verdicts, findings) =
            (column("path"), column("member"), column("verdict"), column("findings"));
        let (paths, verdicts, findings) =
            (paths.as_string::<i32>(), verdicts.as_string::<i32>(), findings.as_list::<i32>());
        for row in 0..batch.num_rows() {
            let of_row = findings.value(row);
            let rules = of_row.as_struct().column(0).as_string::<i32>();
            group.serves &= rules.iter().flatten().all(|rule| ![UNREADABLE, LIMIT_EXCEEDED].contains(&rule));
            group.verdict = group.verdict.max(verdict_of(verdicts.value(row)));
            if names.is_valid(row) {
                group.members += 1;
                continue;
            }
            group.last = self.rows + row;
            let group = std::mem::replace(group, Group::before(self.rows + row + 1));
            let hash = self.hasher.hash_one(paths.value(row));
            match group.serves {
                true => self.files.insert(hash, group),
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
        let &Group { last, members, verdict, .. } = self.files.get(&self.hasher.hash_one(path))?;
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
        is_same.then_some((last - members..last + 1, verdict))
    }

    /// The batch of a row, and its place there.
    pub(crate) fn place(&self, row: usize) -> (usize, usize) {
        let batch = self.starts.partition_point(|start| *start <= row) - 1;
        (batch, row - self.starts[batch])
    }

    pub(crate) fn batch(&self, batch: usize) -> &RecordBatch {
        &self.batches[batch]
    }

    /// The path of a row.
    pub(crate) fn path(&self, row: usize) -> &str {
        let (batch, row) = self.place(row);
        let place = Table::Files.schema().index_of("path").expect("the schema is ours");
        self.batches[batch].column(place).as_string::<i32>().value(row)
    }

    /// The bytes that a row takes in memory.
    pub(crate) fn held(&self, row: usize) -> usize {
        let (batch, row) = self.place(row);
        held_by(&self.batches[batch], row..row + 1)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
}

/// The words on rows that the limit has no room for.
pub(crate) fn too_large(most: u64) -> String {
    format!("its rows take more memory than the {most} bytes that the limit allows")
}

fn verdict_of(word: &str) -> Verdict {
    let is = |verdict: &Verdict| word == verdict_word(*verdict);
    [Verdict::Ok, Verdict::Warning, Verdict::Unforeseen].into_iter().find(is).unwrap_or(Verdict::Error)
}

/// The bytes that rows of a batch take in memory.
fn held_by(batch: &RecordBatch, rows: Range<usize>) -> usize {
    batch.columns().iter().map(|column| held_in(column, rows.clone())).sum()
}

/// The bytes that elements of an array take in memory.
fn held_in(array: &dyn Array, elements: Range<usize>) -> usize {
    let count = elements.len();
    let flags = array.nulls().map_or(0, |_| count.div_ceil(8));
    let offsets = (count + 1) * size_of::<i32>();
    let bounds = |all: &[i32]| all[elements.start] as usize..all[elements.end] as usize;
    flags
        + match array.data_type() {
            DataType::Utf8 => offsets + bounds(array.as_string::<i32>().value_offsets()).len(),
            DataType::List(_) => {
                let lists = array.as_list::<i32>();
                offsets + held_in(lists.values(), bounds(lists.value_offsets()))
            }
            DataType::Struct(_) => array.as_struct().columns().iter().map(|it| held_in(it, elements.clone())).sum(),
            other => other.primitive_width().map_or(count.div_ceil(8), |width| width * count),
        }
}

/// Nanoseconds from 1970 to a time, or `None` if they are too many.
pub(crate) fn nanoseconds(time: SystemTime) -> Option<i64> {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).ok(),
        Err(before) => i64::try_from(before.duration().as_nanos()).ok().map(|it| -it),
    }
}
