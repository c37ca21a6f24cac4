//! Files of any format: detection, and dispatch to the module of the format.

mod altered;
pub mod array;
pub mod check;
pub mod convert;
mod decoded;
pub mod drivers;
pub mod file;
mod gzip;
pub mod info;
pub mod layouts;
mod named;
pub mod rules;
