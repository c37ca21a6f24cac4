//! Rules, the findings about their breaches, and reports.

pub mod collect;
pub mod declare;
pub mod finding;
pub mod general;
pub mod json;
#[cfg(any(feature = "idx", feature = "rawarray", feature = "idv", feature = "b2nd", feature = "zip"))]
pub mod place;
pub mod report;
pub mod rule;
pub mod words;
