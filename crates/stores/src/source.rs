//! A file in a store, as a source that is read in ranges.
//!
//! Every answer is compared with the first one: the length, the tag, the version and the time of the file. Replacing a
//! file between two requests causes an error, not a mixture of both versions. An answer must have exactly the requested
//! bytes; otherwise, a server that ignores ranges would send the whole file for each of them.

use crate::answer::{Answer, Facts, refused};
use crate::expected;
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

/// The maximum number of concurrent requests for one list of ranges.
const AT_ONCE: usize = 64;

/// A file in a store, which is read in ranges. It may be used after a fork, because each process has its own connections.
pub struct StoreSource {
    url: String,
    options: Options,
    remote: OfProcess<Remote>,
    /// The length from a listing, which may be outdated.
    listed: Option<u64>,
    /// The properties in the first answer.
    known: OnceLock<Facts>,
    limits: Limits,
}

/// Returns the file at a URL. Nothing is requested yet.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] if the URL or an option is not valid; [`io::ErrorKind::Unsupported`] if the scheme is not supported.
pub fn open(url: &str, options: Options, limits: Limits) -> io::Result<StoreSource> {
    let source = StoreSource {
        url: url.to_owned(),
        options,
        remote: OfProcess::new(),
        listed: expected::take(url),
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

    /// Keeps the properties of the first answer and fails if they differ later.
    fn ensure_known(&self, facts: Facts) -> Result<()> {
        self.known.get_or_init(|| facts.clone()).ensure_same(&facts)
    }
}

/// Requests a complete short file, whose length is known from a listing. `None` if the file has changed.
async fn whole(remote: &Remote, listed: u64) -> Option<Answer> {
    let answer = patient(remote.get(GetRange::Bounded(0..listed))).await.ok()?;
    (answer.facts.size == listed).then_some(answer)
}

/// Requests the first and the last bytes of a file at once.
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
        // Some stores do not support ranges from the end.
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
        let (remote, listed) = (self.remote()?, self.listed.filter(|listed| (1..=head.max(tail)).contains(listed)));
        let (facts, head, tail) = wait(self.granted(), async move {
            if let Some(listed) = listed
                && let Some(Answer { facts, bytes }) = whole(&remote, listed).await
            {
                let part = |wanted: u64| wanted.min(listed) as usize;
                return Ok((facts, bytes[..part(head)].to_vec(), bytes[bytes.len() - part(tail)..].to_vec()));
            }
            ends(remote, head, tail).await
        })?;
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

/// Requests a range of a file: exactly these bytes, from the same file as before.
async fn part(remote: Remote, known: Option<Arc<Facts>>, range: Range<u64>) -> Result<Vec<u8>> {
    let wanted = range.end - range.start;
    let Answer { facts, bytes } = patient(remote.get(GetRange::Bounded(range))).await?;
    if let Some(known) = known {
        known.ensure_same(&facts)?;
    }
    match bytes.len() as u64 == wanted {
        true => Ok(bytes.to_vec()),
        false => Err(refused(format!("requested {wanted} bytes, but the answer has {}", bytes.len()))),
    }
}
