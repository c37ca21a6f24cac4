//! IDV through the public interface.

mod read;
mod write;

use ndbytes::idv::Compression;
use ndbytes_testkit::tables::model::Settings;

const PLAIN: Settings = Settings { compression: Compression::NONE, rows_per_block: None, at_a_time: usize::MAX };

const DEFLATED: Settings = Settings { compression: Compression::DEFLATE, ..PLAIN };
