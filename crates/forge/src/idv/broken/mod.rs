//! Breakers of the rules of IDV. Each starts from a table that is otherwise valid.

mod annotations;
mod blocks;
mod columns;
mod header;
mod subject;

use crate::kind_driver::Breaker;

/// The breakers of all rules.
pub(super) static BREAKERS: [&[Breaker]; 4] =
    [&header::BREAKERS, &columns::BREAKERS, &annotations::BREAKERS, &blocks::BREAKERS];
