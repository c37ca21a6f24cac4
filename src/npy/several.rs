//! Several arrays in one file, as written by several calls to `numpy.save` with the same open file. NumPy loads only the first, but
//! here each has an address, such as `x.npy!1`.

use super::header::parsed;
use super::judge::{Several, judge_header};
use crate::bytes::input::{HEAD, Input, LONGEST_HEADER};
use crate::bytes::limits::Limits;
use crate::bytes::memory::AlignedBytes;
use crate::error::{Error, Result};
use crate::format::{Format, detect};
use crate::gzip::is_packed;
use crate::options::Settings;
use binrw::args;
use everybyte::{Endian, Source, error::Problem, read};
use ndbytes_schemas::npy::Npy;
use std::ops::Range;
use std::path::Path;

/// The maximum number of arrays in a file that are counted and have addresses. It is limited, because each array is found through
/// those before it. The value is our own choice.
const MOST: u64 = 10_000;

/// The maximum number of addresses in an error.
const LISTED: u64 = 8;

/// Counts the arrays of a file whose first one ends at `end`.
pub(crate) fn count(input: &Input<'_>, mut end: u64) -> Result<Several> {
    let mut count = 1;
    while count < MOST {
        match next(input, end)? {
            Some(place) => (count, end) = (count + 1, place.end),
            None => break,
        }
    }
    Ok(Several { count, is_all: end == input.length() })
}

/// Returns the position of a complete array that begins at `start`; `None` if there is none.
fn next(input: &Input<'_>, start: u64) -> Result<Option<Range<u64>>> {
    input.budget().ensure_time()?;
    for wanted in [HEAD, LONGEST_HEADER] {
        let place = start..start.saturating_add(wanted as u64).min(input.length());
        if place.is_empty() {
            return Ok(None);
        }
        let bytes = input.copied(&place)?;
        let source = Source::window(&bytes, start, input.length()).at(start);
        let header = match read::<Npy>(source, Endian::Little, args! { elements: u64::MAX }) {
            Ok(header) => header,
            Err(error) if error.problem == Problem::Unavailable => continue,
            Err(_) => return Ok(None),
        };
        let parsed = parsed(&header);
        input.budget().take(parsed, "the types in a header")?;
        let array = judge_header(&header).array;
        input.budget().give_back(parsed);
        let end = array.and_then(|array| header.payload.offset.checked_add(array.length()));
        return Ok(end.filter(|&end| end <= input.length()).map(|end| start..end));
    }
    Ok(None)
}

impl Input<'static> {
    /// Returns one of the arrays of a `.npy` file, as a separate input; `None` if this is a file in another format.
    pub(crate) fn array_of_several(self, number: u64, address: &Path, limits: Limits) -> Result<Option<Self>> {
        let settings = Settings { limits, ..Settings::default() };
        let content = if is_packed(&self) { super::DRIVER.opened(self, &settings)? } else { self };
        if detect(content.head(), content.length()) != Some(Format::Npy) {
            return Ok(None);
        }
        if number >= MOST {
            return Err(Error::Limit { what: "the way to an array of a file", needed: number, left: MOST });
        }
        let (mut end, mut found) = (0, None);
        for place in 0..=number {
            match next(&content, end)? {
                Some(array) => (end, found) = (array.end, Some(array)),
                None => return Err(no_array(number, place, content.path())),
            }
        }
        let Some(place) = found else { return Ok(None) };
        let budget = content.fresh_budget(limits);
        if let Some(part) = Input::part(&content, place.clone(), address, content.fresh_budget(limits), &[])? {
            return Ok(Some(part));
        }
        budget.take(place.end - place.start, "an array of a file")?;
        let bytes = AlignedBytes::copy_of(content.range(place)?)?;
        Ok(Some(Input::entry(address.to_owned(), bytes, budget, Vec::new())))
    }
}

/// Returns the error for an array number that the file does not have.
fn no_array(number: u64, count: u64, path: Option<&Path>) -> Error {
    let file = path.map(|path| path.display().to_string()).unwrap_or_default();
    let members = (0..count.min(LISTED)).map(|place| format!("{file}!{place}").into()).collect();
    Error::NoEntry { entry: number.to_string(), members, more: count.saturating_sub(LISTED) as usize }
}
