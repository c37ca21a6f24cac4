//! Files of any format: the room above those of the formats.

mod altered;
pub mod array;
pub mod check;
pub mod convert;
mod decoded;
pub mod file;
mod gzip;
pub mod info;
pub mod layouts;
mod named;
pub mod rooms;
pub mod rules;
