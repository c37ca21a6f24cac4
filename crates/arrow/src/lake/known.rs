//! The results of an earlier run.
//!
//! A nightly check of a million files should cost only as much as what has changed since yesterday. The table of the
//! last run is the cache: it has the size, time and rows of each file. No second format is needed, and deleting the
//! table is all it takes to start over.
//!
//! The cache errs on the side of checking again. The run must have had the same version, profile, depth and contract;
//! a file changed within two seconds of the run's start is doubtful; a file that exceeded a limit may fit a new one.
//! Paths are looked up by a keyed hash and then compared, so a collision costs one check and nothing else.

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

/// A file that was changed less than this many nanoseconds before a run began is checked again. Two changes within one tick of the file
/// system's clock can have the same time.
const DOUBTFUL: i64 = 2_000_000_000;

/// The rule for an exceeded budget, which may be sufficient now.
const LIMIT_EXCEEDED: &str = "limit-exceeded";

/// The message about a table of another kind.
pub(crate) const OTHER_COLUMNS: &str = "its columns are not those of the table `files`";

/// The circumstances of a run, as stored in the metadata of its table: rows of one run can only be reused in another if
/// they agree.
///
/// ```
/// use ndbytes_arrow::lake::{Options, Run, Table};
///
/// let schema = Run::now(&Options::new()).note(&Table::Files.schema());
/// assert_eq!(schema.metadata()["ndbytes.lake.depth"], "payload");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    profile: Profile,
    depth: Depth,
    demands: Option<Digest>,
    /// When it began, in nanoseconds since 1970.
    began: i64,
}

impl Run {
    /// The keys in the metadata.
    const VERSION: &str = "ndbytes.lake.version";
    const PROFILE: &str = "ndbytes.lake.profile";
    const DEPTH: &str = "ndbytes.lake.depth";
    const DEMANDS: &str = "ndbytes.lake.demands";
    const BEGAN: &str = "ndbytes.lake.began";

    /// Describes a run that starts now.
    pub fn now(options: &Options) -> Self {
        let began = nanoseconds(SystemTime::now()).unwrap_or(0);
        Run { profile: options.profile, depth: options.depth, demands: options.demands, began }
    }

    /// Returns the schema with this run in its metadata.
    pub fn note(&self, schema: &SchemaRef) -> SchemaRef {
        let mut metadata = schema.metadata().clone();
        metadata.extend(self.words().into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
        metadata.insert(Run::BEGAN.to_owned(), self.began.to_string());
        Arc::new(Schema::new_with_metadata(schema.fields().clone(), metadata))
    }

    /// Returns the values that must be equal in both runs.
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

    /// Returns when the earlier run began, if its rows can be reused with these options.
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

/// The rows of the `files` table from earlier runs. Files that have not changed since then need not be checked again.
///
/// ```
/// use arrow_array::{RecordBatchIterator, StringArray};
/// use ndbytes_arrow::lake::{Examiner, Known, Options, Run, Table, check_batch};
/// use std::path::Path;
///
/// let (options, path) = (Options::new(), "../../samples/surface.ra");
/// // The first run: its table says when it began.
/// let schema = Run::now(&options).note(&Table::Files.schema());
/// let batch = check_batch(&StringArray::from(vec![path]), Table::Files, &options)?;
///
/// // The next run reads the table, and does not check the file again.
/// let mut known = Known::new();
/// known.add(&mut RecordBatchIterator::new([Ok(batch)], schema), &options).unwrap();
/// let examiner = Examiner::new(Table::Files, &options).known(&known);
/// assert!(examiner.examine(Path::new(path)).is_known());
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
///
/// A file is unchanged if its size and modification time are the same. With [`Options::digest`], its digest decides instead of the time. A
/// file that could not be read, or that exceeded a limit, counts as changed; so does a directory.
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

/// The rows about one file: first those about its members, then its own.
#[derive(Debug, Clone, Copy)]
struct Group {
    last: usize,
    members: usize,
    /// The worst verdict among them.
    verdict: Verdict,
    /// Whether no row is about a file that must be checked again.
    serves: bool,
}

impl Group {
    /// The maximum memory for a row in [`Known::files`], which is half empty after it has grown.
    const HELD: usize = 2 * (size_of::<(u64, Group)>() + 1);

    /// There are no earlier rows.
    fn before(last: usize) -> Self {
        Group { last, members: 0, verdict: Verdict::Ok, serves: true }
    }
}

/// A table that is being added.
#[derive(Debug)]
pub(crate) struct Adding {
    /// When its run began.
    began: i64,
    /// The limits, with a running clock. All tables share their memory.
    limits: Limits,
    /// The rows about members that wait for their archive.
    group: Group,
}

impl Known {
    /// Creates an empty set of earlier rows.
    pub fn new() -> Self {
        Known::default()
    }

    /// Adds the rows of a table from an earlier run. They replace earlier rows of the same files. All tables together may take as
    /// much memory as the limits of the options allow. A truncated table is used up to where it ends. Returns whether the table was
    /// complete.
    ///
    /// # Errors
    /// Returns a message if the table cannot be used.
    pub fn add(&mut self, table: &mut dyn RecordBatchReader, options: &Options) -> Result<bool, String> {
        let schema = table.schema();
        if schema.fields() != Table::Files.schema().fields() {
            return Err(OTHER_COLUMNS.to_owned());
        }
        let mut adding = self.begin(|key| schema.metadata().get(key).cloned(), options)?;
        for batch in table {
            let Ok(batch) = batch.and_then(|it| RecordBatch::try_new(Table::Files.schema(), it.columns().to_vec()))
            else {
                return Ok(false);
            };
            self.insert(batch, &mut adding)?;
        }
        Ok(true)
    }

    /// Begins adding a table. `note` returns values from its metadata, which describe its run.
    pub(crate) fn begin(&self, note: impl Fn(&str) -> Option<String>, options: &Options) -> Result<Adding, String> {
        let (began, limits) = (Run::began(note, options)?, options.limits.started());
        Ok(Adding { began, limits, group: Group::before(self.rows) })
    }

    /// Returns how many bytes further rows may take.
    pub(crate) fn left(&self, limits: Limits) -> u64 {
        limits.memory.saturating_sub(self.bytes as u64)
    }

    /// Adds rows of a table.
    pub(crate) fn insert(&mut self, batch: RecordBatch, adding: &mut Adding) -> Result<(), String> {
        adding.limits.ensure_time().map_err(|error| error.to_string())?;
        if batch.num_rows() == 0 {
            return Ok(());
        }
        let held = held_by(&batch, 0..batch.num_rows()).saturating_add(batch.num_rows() * Group::HELD);
        if held as u64 > self.left(adding.limits) {
            return Err(too_large(adding.limits));
        }
        self.bytes += held;
        self.index(&batch, &mut adding.group);
        self.starts.push(self.rows);
        self.began.push(adding.began);
        self.rows += batch.num_rows();
        self.batches.push(batch);
        Ok(())
    }

    /// Records the rows of files.
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

    /// Returns the rows of an unchanged file, and the worst verdict in them.
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

    /// Returns the batch of a row, and its index in it.
    pub(crate) fn place(&self, row: usize) -> (usize, usize) {
        let batch = self.starts.partition_point(|start| *start <= row) - 1;
        (batch, row - self.starts[batch])
    }

    pub(crate) fn batch(&self, batch: usize) -> &RecordBatch {
        &self.batches[batch]
    }

    /// Returns the path of a row.
    pub(crate) fn path(&self, row: usize) -> &str {
        let (batch, row) = self.place(row);
        let place = Table::Files.schema().index_of("path").expect("the schema is ours");
        self.batches[batch].column(place).as_string::<i32>().value(row)
    }

    /// Returns the memory that a row takes, in bytes.
    pub(crate) fn held(&self, row: usize) -> usize {
        let (batch, row) = self.place(row);
        held_by(&self.batches[batch], row..row + 1)
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }
}

/// Returns the message about rows that exceed the limit.
pub(crate) fn too_large(limits: Limits) -> String {
    format!("its rows take more than the {} bytes that the memory limit allows", limits.memory)
}

fn verdict_of(word: &str) -> Verdict {
    let is = |verdict: &Verdict| word == verdict_word(*verdict);
    [Verdict::Ok, Verdict::Warning, Verdict::Unforeseen].into_iter().find(is).unwrap_or(Verdict::Error)
}

/// Returns the memory that rows of a batch take, in bytes.
fn held_by(batch: &RecordBatch, rows: Range<usize>) -> usize {
    batch.columns().iter().map(|column| held_in(column, rows.clone())).sum()
}

/// Returns the memory that elements of an array take, in bytes.
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

/// Returns the nanoseconds from 1970 to a time, or `None` if there are too many.
pub(crate) fn nanoseconds(time: SystemTime) -> Option<i64> {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).ok(),
        Err(before) => i64::try_from(before.duration().as_nanos()).ok().map(|it| -it),
    }
}
