//! How the rules of IDV are broken: each alone, in a table that is valid otherwise.

mod annotations;
mod blocks;
mod columns;
mod header;
mod subject;

use crate::craft::Breaker;
use std::sync::LazyLock;

/// The breakers of all rules.
pub(super) static BREAKERS: LazyLock<Vec<Breaker>> = LazyLock::new(|| {
    let tables = header::BREAKERS.into_iter().chain(columns::BREAKERS);
    tables.chain(annotations::BREAKERS).chain(blocks::BREAKERS).collect()
});
