//! An object as a source of ranges.

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use ndbytes::{Limits, ReadRanges};
use object_store::path::Path;
use object_store::{
    Error, GetOptions, GetRange, OBJECT_STORE_COALESCE_DEFAULT, ObjectMeta, ObjectStore, ObjectStoreExt,
    coalesce_ranges,
};
use std::future::Future;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock, mpsc};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};

/// The bytes that the first request gets, beside the length: the head that an input reads first.
const FIRST: u64 = 4096;

/// Stores are asked by threads of their own, so that any thread may wait for them.
static RUNTIME: LazyLock<io::Result<Runtime>> =
    LazyLock::new(|| Builder::new_multi_thread().worker_threads(2).thread_name("object-store").enable_all().build());

/// An object of a store.
pub struct StoreSource {
    store: Arc<dyn ObjectStore>,
    path: Path,
    clock: Clock,
    first: OnceLock<First>,
}

/// The answer to the first request.
struct First {
    meta: ObjectMeta,
    head: Bytes,
}

/// The time that all requests for an object may take together.
#[derive(Clone, Copy)]
struct Clock(Option<(Instant, Duration)>);

impl StoreSource {
    pub fn new(store: Arc<dyn ObjectStore>, path: Path, limits: Limits) -> Self {
        let end = |granted| Instant::now().checked_add(granted).map(|end| (end, granted));
        StoreSource { store, path, clock: Clock(limits.time.and_then(end)), first: OnceLock::new() }
    }
}

impl ReadRanges for StoreSource {
    /// One request for the head tells the length too.
    fn length(&self) -> io::Result<u64> {
        let (store, path) = (self.store.clone(), self.path.clone());
        let first = wait(self.clock, async move {
            let options = GetOptions { range: Some(GetRange::Bounded(0..FIRST)), ..GetOptions::default() };
            match store.get_opts(&path, options).await {
                Ok(found) => {
                    let (meta, range) = (found.meta.clone(), found.range.clone());
                    ensure_range(&range, &(0..FIRST.min(meta.size)))?;
                    Ok(First { meta, head: ensure_length(found.bytes().await?, &range)? })
                }
                // A range of an empty object is refused by some stores.
                Err(error @ Error::NotFound { .. }) => Err(error),
                Err(error) => match store.head(&path).await {
                    Ok(meta) if meta.size == 0 => Ok(First { meta, head: Bytes::new() }),
                    _ => Err(error),
                },
            }
        })?;
        // Whoever asks again gets the same answer, or learns that there is another one.
        let first = match self.first.get() {
            Some(known) => {
                ensure_same(&known.meta, &first.meta)?;
                known
            }
            None => self.first.get_or_init(|| first),
        };
        Ok(first.meta.size)
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        let head = self.first.get().map_or(&[][..], |first| &first.head);
        let known = |range: &Range<u64>| head.get(range.start.try_into().ok()?..range.end.try_into().ok()?);
        let asked: Vec<_> = ranges.iter().filter(|range| known(range).is_none()).cloned().collect();
        let mut given = match asked.is_empty() {
            true => Vec::new(),
            false => {
                let (store, path) = (self.store.clone(), self.path.clone());
                let known = self.first.get().map(|first| first.meta.clone());
                wait(self.clock, async move {
                    let fetch = |range| part(&*store, &path, range, known.as_ref());
                    coalesce_ranges(&asked, fetch, OBJECT_STORE_COALESCE_DEFAULT).await
                })?
            }
        }
        .into_iter();
        let parts = ranges.iter().map(|range| match known(range) {
            Some(bytes) => Ok(bytes.to_vec()),
            None => given.next().map(|bytes| bytes.to_vec()).ok_or_else(|| io::ErrorKind::UnexpectedEof.into()),
        });
        parts.collect()
    }
}

/// A range of an object: these bytes, and of the object that was asked first.
async fn part(
    store: &dyn ObjectStore,
    path: &Path,
    range: Range<u64>,
    known: Option<&ObjectMeta>,
) -> object_store::Result<Bytes> {
    let options = GetOptions { range: Some(GetRange::Bounded(range.clone())), ..GetOptions::default() };
    let found = store.get_opts(path, options).await?;
    if let Some(known) = known {
        ensure_same(known, &found.meta)?;
    }
    ensure_range(&found.range, &range)?;
    ensure_length(found.bytes().await?, &range)
}

fn refused(why: String) -> Error {
    Error::Generic { store: "answer", source: why.into() }
}

/// Refuses an object that is another one than before: values of both would be mixed.
fn ensure_same(before: &ObjectMeta, now: &ObjectMeta) -> object_store::Result<()> {
    let facts = |meta: &ObjectMeta| {
        let unknown = || "unknown".to_owned();
        [
            ("length", meta.size.to_string()),
            ("ETag", meta.e_tag.clone().unwrap_or_else(unknown)),
            ("version", meta.version.clone().unwrap_or_else(unknown)),
            ("time of change", meta.last_modified.to_string()),
        ]
    };
    let mut changes = facts(before).into_iter().zip(facts(now)).filter(|(before, now)| before != now);
    match changes.next() {
        None => Ok(()),
        Some(((what, before), (_, now))) => {
            Err(refused(format!("the file changed between two requests: its {what} was {before} and is {now}")))
        }
    }
}

/// Refuses an answer with other bytes than those that were requested.
fn ensure_range(given: &Range<u64>, asked: &Range<u64>) -> object_store::Result<()> {
    match given == asked {
        true => Ok(()),
        false => Err(refused(format!(
            "bytes {} to {} were requested, but the answer has bytes {} to {}",
            asked.start, asked.end, given.start, given.end
        ))),
    }
}

/// Refuses an answer of another length than it announced.
fn ensure_length(bytes: Bytes, range: &Range<u64>) -> object_store::Result<Bytes> {
    let announced = range.end - range.start;
    match bytes.len() as u64 == announced {
        true => Ok(bytes),
        false => Err(refused(format!("the answer announced {announced} bytes, but has {}", bytes.len()))),
    }
}

/// The maximum number of objects that are listed.
const MOST_OBJECTS: usize = 10_000_000;

/// The paths of all objects below a path.
pub fn list(store: Arc<dyn ObjectStore>, path: Path) -> io::Result<Vec<Path>> {
    wait(Clock(None), async move {
        let found = store.list(Some(&path)).take(MOST_OBJECTS + 1);
        let found: Vec<_> = found.map_ok(|object| object.location).try_collect().await?;
        match found.len() > MOST_OBJECTS {
            true => Err(refused(format!("there are more than {MOST_OBJECTS} objects: give fewer"))),
            false => Ok(found),
        }
    })
}

/// The maximum number of bytes that a reader asks for at once.
const STEP: u64 = 1 << 20;

/// An object from its first to its last byte.
pub struct StoreReader {
    source: StoreSource,
    length: u64,
    at: u64,
    part: io::Cursor<Vec<u8>>,
}

impl StoreReader {
    pub fn begin(source: StoreSource) -> io::Result<Self> {
        let length = source.length()?;
        Ok(StoreReader { source, length, at: 0, part: io::Cursor::default() })
    }
}

impl Read for StoreReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.part.position() == self.part.get_ref().len() as u64 && self.at < self.length {
            let end = self.length.min(self.at.saturating_add(STEP));
            let [part] = <[_; 1]>::try_from(self.source.read_ranges(std::slice::from_ref(&(self.at..end)))?)
                .map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
            if part.len() as u64 != end - self.at {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            (self.at, self.part) = (end, io::Cursor::new(part));
        }
        self.part.read(buffer)
    }
}

/// Waits for a store, in any thread: also in one that runs tasks. It waits no longer than the clock of the object allows.
fn wait<T: Send + 'static>(
    Clock(clock): Clock,
    work: impl Future<Output = object_store::Result<T>> + Send + 'static,
) -> io::Result<T> {
    let runtime = RUNTIME.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
    let (sender, receiver) = mpsc::sync_channel(1);
    runtime.spawn(async move {
        let done = match clock {
            None => Some(work.await),
            Some((end, _)) => tokio::time::timeout_at(end.into(), work).await.ok(),
        };
        // Nobody waits any more if this fails.
        let _ = sender.send(done);
    });
    match receiver.recv() {
        Ok(Some(answer)) => answer.map_err(io::Error::from),
        Ok(None) => {
            let granted = clock.map_or(Duration::ZERO, |(_, granted)| granted);
            Err(io::Error::new(io::ErrorKind::TimedOut, format!("the requests took longer than {granted:?}")))
        }
        Err(_) => Err(io::Error::other("the work for a store ended without an answer")),
    }
}
