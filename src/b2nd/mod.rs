//! b2nd: an n-dimensional array in compressed chunks, on top of a Blosc2 frame.
//!
//! ```
//! use ndarray::s;
//! use ndbytes::b2nd;
//!
//! let array = b2nd::open("samples/temperatures.b2nd")?;      // a file, or the directory of a sparse frame
//! println!("{:?} of {}", array.shape(), array.item_type());
//! let day = array.slice::<i16>(s![48..72, ..])?;             // decodes only the blocks that have some of it
//! let one = array.get::<i16>(&[48, 3])?;
//! let all = array.to_array::<i16>()?;
//! assert_eq!((day[[0, 3]], all[[48, 3]]), (one, one));
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! # What is read
//!
//! Opening an array reads and checks the header, metalayers, index and trailer. A chunk is read when one of its items is requested.
//! Only the blocks that contain requested items are decoded, along with the first block if a filter needs it. Other parts are not
//! checked. Reading all items fails if [`check`](crate::check) reports any error, including errors in attributes and padding. Large
//! reads use the threads of the current rayon pool.
//!
//! The codecs are blosclz, LZ4, LZ4HC, zlib and zstd; the filters are shuffle, bitshuffle, delta, bytedelta and the two
//! truncations. All others are plugins for the C library. They are refused by name; no plugin is ever searched for, loaded or run.
//! Objects that only look like arrays, such as lazy expressions, and other frames, such as super-chunks, are also refused by name.
//! Chunks that were never written are read as zeros. Links in the directory of a sparse frame are not followed.
//!
//! # What is written
//!
//! ```
//! # let array = ndarray::Array2::<f64>::zeros((10, 10));
//! # let folder = tempfile::tempdir().unwrap();
//! # let folder = folder.path();
//! use ndbytes::b2nd::{self, Codec, Writer};
//!
//! b2nd::write(folder.join("temperatures.b2nd"), &array)?;    // any ndarray: chunks and blocks are chosen
//! let writer = Writer::new().codec(Codec::LZ4).attribute("unit", &"K".into())?.sparse(true);
//! writer.write(folder.join("sparse.b2nd"), &array)?;
//! assert!(b2nd::open(folder.join("sparse.b2nd"))?.is_sparse());
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! [`Writer`] writes files that python-blosc2 can read and extend. It supports contiguous and sparse frames, items of every
//! readable type, every codec and filter except plugins, metalayers, and attributes. It does not use dictionaries.
//!
//! # What cannot be checked
//!
//! The format has no checksum, so changes to uncompressed bytes, and to most bits of compressed ones, cannot be detected. Any
//! detectable change is reported.

mod alike;
mod array;
mod as_read;
mod chunks;
mod examine;
pub(crate) mod geometry;
mod info;
mod items;
pub(crate) mod layer;
mod lazy;
mod map;
mod open;
mod padding;
mod payload;
mod read;
pub(crate) mod rules;
pub(crate) mod structure;
mod unread;
mod unwritten;
pub(crate) mod write;

pub use crate::blosc2::write::filters::Filter;
use crate::format::Format;
use crate::format_driver::FormatDriver;
pub use crate::zip::store::is_sparse_frame;
use everybyte::reference::Book;
use ndbytes_schemas::b2nd::ArrayLayer;
use ndbytes_schemas::blosc2;

pub use array::Array;
pub(crate) use as_read::{is_passive, settle};
pub use ndbytes_schemas::blosc2::Codec;
pub use open::{Options, from_reader, from_slice, open};
pub use rules::*;
pub use write::{B2ndElement, Writer, write};

/// The b2nd driver, which is used by the functions that accept files of any format.
pub(crate) static DRIVER: FormatDriver = FormatDriver {
    format: Format::B2nd,
    rules: &rules::ALL,
    examine: examine::examine,
    info: info::info,
    layouts: ("header and trailer big-endian, chunks little-endian", || {
        vec![
            Book::of::<blosc2::Frame>(),
            Book::of::<ArrayLayer>(),
            Book::of::<blosc2::ChunkBody>(),
            Book::of::<blosc2::Stream>(),
            Book::of::<blosc2::Index>(),
        ]
    }),
    promise: |_, _| None,
};
