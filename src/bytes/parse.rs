//! Reads layouts from an input.

use super::input::Input;
use super::input::LONGEST_HEADER;
use super::limits::Debit;
use super::memory::AlignedBytes;
use crate::error::Error;
use crate::error::Result;
use everybyte::map::Nodes;
use everybyte::{BinRead, Endian, Layout, ParseError, Source, error::Problem, trace::trace};
use std::ops::Range;

/// The number of bytes that are first read from a table of unknown length.
const TABLE: u64 = 64 << 10;

/// Like `TABLE`, but for a source, whose pages are longer than most tables.
pub(crate) const SOURCE_TABLE: u64 = 4 << 10;

/// The maximum number of bytes in memory for each byte of an element without a fixed length. A codec inside another one has at
/// least 13 bytes, and takes about 150 bytes in memory.
const PARSED: u64 = 12;

impl Input<'_> {
    /// Parses the head or, if the structure extends beyond it, as much as a header may take. Anything that is then still
    /// [`Problem::Unavailable`] is beyond the limit.
    pub(crate) fn parse<T>(
        &self,
        parse: impl Fn(Source<'_>) -> Result<T, Box<ParseError>>,
    ) -> Result<Result<T, Box<ParseError>>> {
        match parse(self.source()) {
            Err(error) if error.problem == Problem::Unavailable => {
                Ok(parse(Source::prefix(&self.longest_header()?, self.length())))
            }
            result => Ok(result),
        }
    }

    /// Traces a structure at the beginning: in the head or, if the structure extends beyond it, in as much as a header may take.
    pub(crate) fn trace_header(&self, trace: impl Fn(Source<'_>) -> Nodes) -> Nodes {
        let traced = trace(self.source());
        let is_cut = !traced.root().is_complete() && (self.held().len() as u64) < self.length();
        match is_cut.then(|| self.longest_header()) {
            Some(Ok(bytes)) => trace(Source::prefix(&bytes, self.length())),
            _ => traced,
        }
    }

    /// Parses a table that starts at `offset` and states its own length, from more and more bytes. Meanwhile, the bytes that are
    /// copied for it are debited.
    pub(crate) fn parse_at<T>(
        &self,
        offset: u64,
        parse: impl Fn(Source<'_>) -> Result<T, Box<ParseError>>,
    ) -> Result<Result<T, Box<ParseError>>> {
        self.parse_near(offset, if self.is_source() { SOURCE_TABLE } else { TABLE }, parse)
    }

    /// Like `Input::parse_at`, but for a structure that is expected to fit into `wanted` bytes.
    pub(crate) fn parse_near<T>(
        &self,
        offset: u64,
        wanted: u64,
        parse: impl Fn(Source<'_>) -> Result<T, Box<ParseError>>,
    ) -> Result<Result<T, Box<ParseError>>> {
        if self.is_in_memory() {
            return Ok(parse(Source::new(self.bytes()?).at(offset)));
        }
        let left = self.length().saturating_sub(offset);
        let mut wanted = wanted.min(left);
        loop {
            self.budget().take(wanted, "a table")?;
            let zeros = usize::try_from(wanted).ok().and_then(AlignedBytes::zeros);
            let mut bytes = zeros.ok_or(Error::Limit { what: "a table", needed: wanted, left: 0 })?;
            self.read_at(bytes.as_mut_slice(), offset)?;
            let result = parse(Source::window(bytes.as_slice(), offset, self.length()));
            self.budget().give_back(wanted);
            match result {
                Err(error) if error.problem == Problem::Unavailable && wanted < left => {
                    wanted = wanted.saturating_mul(4).min(left);
                }
                result => return Ok(result),
            }
        }
    }

    /// Traces a structure in these bytes, most of which are a list of `E`; `None` if it exceeds the memory limit. Its layout states
    /// the byte order. The memory for the parsed structure is debited while the trace runs.
    pub(crate) fn trace_at<'a, T, E>(&self, place: &Range<u64>, args: T::Args<'a>) -> Result<Option<Nodes>>
    where
        T: BinRead<Args<'a>: Clone> + Layout,
        E: Layout,
    {
        let element = (size_of::<E>() as u64).div_ceil(E::MIN_SIZE.max(1));
        let parsed = element + if E::SIZE.is_some() { 0 } else { PARSED };
        let debit = Debit::new(self.budget());
        if debit.take((place.end - place.start).saturating_mul(parsed), "a trace").is_err() {
            return Ok(None);
        }
        let trace = |source: Source<'_>| trace::<T>(source.until(place.end), Endian::Little, args.clone());
        let traced = self.parse_at(place.start, |source| match trace(source) {
            // The structure needs more bytes.
            (Err(error), _) if error.problem == Problem::Unavailable => Err(error),
            (_, nodes) => Ok(nodes),
        });
        Ok(traced?.ok())
    }

    /// Returns as many of the first bytes as a header may take.
    pub(crate) fn longest_header(&self) -> Result<Vec<u8>> {
        let mut header = vec![0; self.length().min(LONGEST_HEADER as u64) as usize];
        self.read_at(&mut header, 0)?;
        Ok(header)
    }
}
