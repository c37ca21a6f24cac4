//! An object as a source of ranges.

use bytes::Bytes;
use ndbytes::ReadRanges;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt};
use std::future::Future;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock, mpsc};
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
    first: OnceLock<First>,
}

/// What the first request said.
struct First {
    length: u64,
    head: Bytes,
}

impl StoreSource {
    pub fn new(store: Arc<dyn ObjectStore>, path: Path) -> Self {
        StoreSource { store, path, first: OnceLock::new() }
    }
}

impl ReadRanges for StoreSource {
    /// One request for the head tells the length too.
    fn length(&self) -> io::Result<u64> {
        let (store, path) = (self.store.clone(), self.path.clone());
        let first = wait(async move {
            let options = GetOptions { range: Some(GetRange::Bounded(0..FIRST)), ..GetOptions::default() };
            match store.get_opts(&path, options).await {
                Ok(found) => {
                    let length = found.meta.size;
                    Ok(First { length, head: found.bytes().await? })
                }
                // A range of an empty object is refused by some stores.
                Err(error @ object_store::Error::NotFound { .. }) => Err(error),
                Err(error) => match store.head(&path).await {
                    Ok(meta) if meta.size == 0 => Ok(First { length: 0, head: Bytes::new() }),
                    _ => Err(error),
                },
            }
        })?;
        let length = first.length;
        let _ = self.first.set(first);
        Ok(length)
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        let head = self.first.get().map_or(&[][..], |first| &first.head);
        let known = |range: &Range<u64>| head.get(range.start.try_into().ok()?..range.end.try_into().ok()?);
        let asked: Vec<_> = ranges.iter().filter(|range| known(range).is_none()).cloned().collect();
        let mut given = match asked.is_empty() {
            true => Vec::new(),
            false => {
                let (store, path) = (self.store.clone(), self.path.clone());
                wait(async move { store.get_ranges(&path, &asked).await })?
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

/// The most bytes that a reader asks for at once.
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

/// Waits for a store, in any thread: also in one that runs tasks.
fn wait<T: Send + 'static>(work: impl Future<Output = object_store::Result<T>> + Send + 'static) -> io::Result<T> {
    let runtime = RUNTIME.as_ref().map_err(|error| io::Error::new(error.kind(), error.to_string()))?;
    let (sender, receiver) = mpsc::sync_channel(1);
    runtime.spawn(async move {
        // Nobody waits any more if this fails.
        let _ = sender.send(work.await);
    });
    match receiver.recv() {
        Ok(answer) => answer.map_err(io::Error::from),
        Err(_) => Err(io::Error::other("the work for a store ended without an answer")),
    }
}
