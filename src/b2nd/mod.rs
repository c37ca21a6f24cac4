//! b2nd: an n-dimensional array in compressed chunks, on top of a Blosc2 frame.
//!
//! ```no_run
//! use ndarray::s;
//! use ndbytes::b2nd;
//!
//! let array = b2nd::open("temperatures.b2nd")?;              // a file, or the folder of a sparse frame
//! println!("{:?} of {}", array.shape(), array.item_type());
//! let day = array.slice::<f32>(s![42, .., ..])?;             // decodes only the blocks that have some of it
//! let one = array.get::<f32>(&[42, 7, 3])?;
//! let all = array.to_array::<f32>()?;
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! # What is read
//!
//! Opening an array reads and checks header, metalayers, index and trailer. A chunk is read when some of its items are
//! requested. Only the blocks that hold them are decoded (and the first block, if a filter needs it). Other parts are
//! not checked. A read of all items refuses what [`check`](crate::check) calls an error, in attributes and padding too.
//! Large reads are shared among the threads of the current rayon pool.
//!
//! The codecs are blosclz, LZ4, LZ4HC, zlib and zstd, the filters shuffle, bitshuffle, delta, bytedelta and the two
//! truncations. Others are plugins for the C library: they are refused by name, and no plugin is ever looked for, loaded
//! or run. Objects that only look like arrays, such as lazy expressions, and other frames, such as super-chunks, are
//! refused by name too. Chunks that were never written are read as zeros. Links in the folder of a sparse frame are not
//! followed.
//!
//! # What is written
//!
//! ```no_run
//! # let array = ndarray::Array2::<f64>::zeros((10, 10));
//! use ndbytes::b2nd::{self, Codec, Writer};
//!
//! b2nd::write("temperatures.b2nd", &array)?;                 // any ndarray: chunks and blocks are chosen
//! Writer::new().codec(Codec::LZ4).attribute("unit", &"K".into())?.sparse(true).write("folder.b2nd", &array)?;
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! [`Writer`] makes files that python-blosc2 reads and can extend. It writes contiguous and sparse frames, items of
//! every type that is read, every codec and filter but plugins, metalayers and attributes. Nothing is written with a
//! dictionary.
//!
//! # What cannot be checked
//!
//! The format has no checksum. A change of uncompressed bytes, or of most bits of compressed ones, cannot be detected.
//! Any detectable change is reported.

mod alike;
mod array;
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
pub use crate::envelope::store::is_sparse_frame;
use crate::format::Format;
use crate::room::Room;
use everybyte::Book;
use ndbytes_schemas::b2nd::ArrayLayer;
use ndbytes_schemas::blosc2;

pub use array::Array;
pub use ndbytes_schemas::blosc2::Codec;
pub use open::{Options, from_reader, from_slice, open};
pub use rules::*;
pub use write::{B2ndElement, Writer, write};

/// b2nd, for the functions that take files of any format.
pub(crate) static ROOM: Room = Room {
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
