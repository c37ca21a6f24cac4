//! Rules, findings about their violations, and reports.

pub mod collect;
pub mod contract;
pub mod declare;
pub mod finding;
pub mod general;
pub mod json;
pub mod place;
pub mod report;
pub mod rule;
pub mod settle;
pub mod words;
