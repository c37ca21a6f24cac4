//! Answers of servers and stores, checked against what was requested.

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use object_store::{Error, GetRange, ObjectMeta, Result};
use std::ops::Range;

/// Properties that identify a file. Two answers with different properties are about different files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    pub size: u64,
    pub e_tag: Option<String>,
    pub version: Option<String>,
    /// The time of the last change, as stated by the server.
    pub changed: Option<String>,
}

impl From<ObjectMeta> for Facts {
    fn from(meta: ObjectMeta) -> Self {
        let ObjectMeta { size, e_tag, version, last_modified, .. } = meta;
        Facts { size, e_tag, version, changed: Some(last_modified.to_string()) }
    }
}

/// Some bytes of a file.
#[derive(Debug)]
pub struct Answer {
    pub facts: Facts,
    pub bytes: Bytes,
}

pub fn refused(why: impl Into<String>) -> Error {
    Error::Generic { store: "answer", source: why.into().into() }
}

impl Facts {
    /// Fails if the file has changed, because values of both versions would otherwise be mixed.
    pub fn ensure_same(&self, now: &Facts) -> Result<()> {
        let facts = |facts: &Facts| {
            let unknown = || "unknown".to_owned();
            [
                ("length", facts.size.to_string()),
                ("ETag", facts.e_tag.clone().unwrap_or_else(unknown)),
                ("version", facts.version.clone().unwrap_or_else(unknown)),
                ("time of change", facts.changed.clone().unwrap_or_else(unknown)),
            ]
        };
        let mut changes = facts(self).into_iter().zip(facts(now)).filter(|(before, now)| before != now);
        match changes.next() {
            None => Ok(()),
            Some(((what, before), (_, now))) => {
                Err(refused(format!("the file changed between two requests: its {what} was {before} and is {now}")))
            }
        }
    }
}

/// Returns the range of bytes that a request should return, for a file of this length.
pub fn expected(asked: &GetRange, size: u64) -> Range<u64> {
    match asked {
        GetRange::Bounded(range) => range.start..range.end.min(size),
        GetRange::Offset(start) => *start..size,
        GetRange::Suffix(length) => size.saturating_sub(*length)..size,
    }
}

/// Fails if the bytes of an answer are not those that were requested.
pub fn ensure_asked(asked: &GetRange, given: &Range<u64>, size: u64) -> Result<()> {
    let expected = expected(asked, size);
    if *given == expected {
        return Ok(());
    }
    Err(refused(format!(
        "requested bytes {} to {} of {size}, but the server returned bytes {} to {}",
        expected.start, expected.end, given.start, given.end
    )))
}

/// Returns the bytes of an answer that announced a range. Bytes beyond it are not kept.
pub async fn collected(mut parts: impl Stream<Item = Result<Bytes>> + Unpin, range: &Range<u64>) -> Result<Bytes> {
    let announced = range.end - range.start;
    let mut bytes = BytesMut::new();
    while let Some(part) = parts.next().await {
        let part = part?;
        if bytes.len() as u64 + part.len() as u64 > announced {
            return Err(refused(format!("the answer has more than its stated {announced} bytes")));
        }
        bytes.extend_from_slice(&part);
    }
    match bytes.len() as u64 == announced {
        true => Ok(bytes.freeze()),
        false => {
            Err(refused(format!("the answer has a stated length of {announced} bytes, but contains {}", bytes.len())))
        }
    }
}
