//! How the rules of IDV are broken: each alone, in a table that is valid otherwise.

mod annotations;
mod blocks;
mod columns;
mod header;
mod subject;

use crate::craft::Breaker;

/// The breakers of all rules.
pub(super) static BREAKERS: [&[Breaker]; 4] =
    [&header::BREAKERS, &columns::BREAKERS, &annotations::BREAKERS, &blocks::BREAKERS];
