//! IDV through the public interface.

mod read;
mod write;

use crate::support::tables::model::Settings;
use ndbytes::idv::Compression;

const PLAIN: Settings = Settings { compression: Compression::NONE, rows_per_block: None, at_a_time: usize::MAX };

const DEFLATED: Settings = Settings { compression: Compression::DEFLATE, ..PLAIN };
