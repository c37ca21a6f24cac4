//! Statistics of values.

mod arrays;
mod columns;
mod exact;
