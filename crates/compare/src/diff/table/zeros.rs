//! Allocates numbers for the rows of a table.

use ndbytes::idv::Table;
use ndbytes::internals::memory;
use ndbytes::{Error, Result};

/// Returns zeros, whose memory is debited from the budget of a table.
pub(super) fn zeros(table: &Table<'_>, count: u64, what: &'static str) -> Result<Vec<u64>> {
    let needed = count.saturating_mul(size_of::<u64>() as u64);
    table.debit(usize::try_from(needed).unwrap_or(usize::MAX), what)?;
    usize::try_from(count).ok().and_then(memory::zeros).ok_or(Error::Limit { what, needed, left: 0 })
}
