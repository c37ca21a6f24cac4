//! A file of a store as a source of ranges.

use crate::answer::{Answer, Facts, refused};
use crate::fetch::Remote;
use crate::options::Options;
use crate::runtime::{OfProcess, patient, wait};
use futures_util::future::join;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use ndbytes::{Ends, Limits, ReadRanges};
use object_store::{Error, GetRange, Result};
use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Requests that are under way at a time for one list of ranges.
const AT_ONCE: usize = 64;

/// A file of a store, which is read by ranges. It may be used after a fork: each process has connections of its own.
pub struct StoreSource {
    url: String,
    options: Options,
    remote: OfProcess<Remote>,
    /// The facts of the first answer.
    known: OnceLock<Facts>,
    limits: Limits,
}

/// The file at an URL. Nothing is requested yet.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] if the URL or an option is not valid, [`io::ErrorKind::Unsupported`] if nothing serves it.
pub fn open(url: &str, options: Options, limits: Limits) -> io::Result<StoreSource> {
    let source = StoreSource {
        url: url.to_owned(),
        options,
        remote: OfProcess::new(),
        known: OnceLock::new(),
        limits: limits.started(),
    };
    source.remote()?;
    Ok(source)
}

impl StoreSource {
    fn remote(&self) -> io::Result<Remote> {
        self.remote.get(|| Remote::of(&self.url, &self.options))
    }

    fn granted(&self) -> Option<Duration> {
        self.limits.time_left()
    }

    /// Keeps the facts of the first answer, and refuses those of another file.
    fn ensure_known(&self, facts: Facts) -> Result<()> {
        self.known.get_or_init(|| facts.clone()).ensure_same(&facts)
    }
}

/// The first and the last bytes of a file, requested at once.
async fn ends(remote: Remote, head: u64, tail: u64) -> Result<(Facts, Vec<u8>, Vec<u8>)> {
    let (first, last) =
        join(patient(remote.get(GetRange::Bounded(0..head))), patient(remote.get(GetRange::Suffix(tail)))).await;
    let first = match first {
        Ok(first) => first,
        Err(error @ Error::NotFound { .. }) => return Err(error),
        // A range of an empty file is refused.
        Err(error) => match patient(remote.head()).await {
            Ok(facts) if facts.size == 0 => return Ok((facts, Vec::new(), Vec::new())),
            _ => return Err(error),
        },
    };
    let size = first.facts.size;
    let start = size.saturating_sub(tail);
    if size <= head {
        let bytes = first.bytes.to_vec();
        let tail = bytes[start as usize..].to_vec();
        return Ok((first.facts, bytes, tail));
    }
    let last = match last {
        Ok(last) => last,
        // Some stores know no ranges from the end.
        Err(_) => patient(remote.get(GetRange::Bounded(start..size))).await?,
    };
    first.facts.ensure_same(&last.facts)?;
    Ok((first.facts, first.bytes.to_vec(), last.bytes.to_vec()))
}

impl ReadRanges for StoreSource {
    fn length(&self) -> io::Result<u64> {
        if let Some(known) = self.known.get() {
            return Ok(known.size);
        }
        let remote = self.remote()?;
        let facts = wait(self.granted(), async move { patient(remote.head()).await })?;
        let size = facts.size;
        self.ensure_known(facts).map_err(io::Error::other)?;
        Ok(size)
    }

    fn ends(&self, head: u64, tail: u64) -> io::Result<Ends> {
        let (facts, head, tail) = wait(self.granted(), ends(self.remote()?, head, tail))?;
        let length = facts.size;
        self.ensure_known(facts).map_err(io::Error::other)?;
        Ok(Ends { length, head, tail })
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        let (remote, known, ranges) = (self.remote()?, self.known.get().cloned().map(Arc::new), ranges.to_vec());
        wait(self.granted(), async move {
            let parts = stream::iter(ranges).map(|range| part(remote.clone(), known.clone(), range));
            parts.buffered(AT_ONCE).try_collect().await
        })
    }
}

/// A range of a file: these bytes, and of the file that was asked first.
async fn part(remote: Remote, known: Option<Arc<Facts>>, range: Range<u64>) -> Result<Vec<u8>> {
    let wanted = range.end - range.start;
    let Answer { facts, bytes } = patient(remote.get(GetRange::Bounded(range))).await?;
    if let Some(known) = known {
        known.ensure_same(&facts)?;
    }
    match bytes.len() as u64 == wanted {
        true => Ok(bytes.to_vec()),
        false => Err(refused(format!("{wanted} bytes were requested, but the answer has {}", bytes.len()))),
    }
}
