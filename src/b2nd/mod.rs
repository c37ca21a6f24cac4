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
//! Opening an array reads and checks what stands around the chunks: header, metalayers, index, trailer. A chunk is read
//! when some of its items are asked for, and of its blocks only those that have them (and, where a filter needs it, the
//! first one). What is not needed is not checked; [`check`](crate::check) looks at everything. Large reads are shared
//! among the threads of the current rayon pool.
//!
//! The codecs are blosclz, LZ4, LZ4HC, zlib and zstd, the filters shuffle, bitshuffle, delta, bytedelta and the two
//! truncations. Others are plugins for the C library: they are refused by name, and no plugin is ever looked for, loaded
//! or run. Objects that only look like arrays, such as lazy expressions, are refused by name too. Chunks that nobody has
//! written are read as zeros.
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
//! [`Writer`] makes files that python-blosc2 reads and can extend: contiguous and sparse frames, items of every type that
//! is read, every codec and filter but plugins, metalayers and attributes. Nothing is written with a dictionary.
//!
//! # What cannot be checked
//!
//! The format has no checksum. Bytes that are stored as they are, and most bits of compressed ones, can change without a
//! sign; what can be told is told.

mod array;
mod assemble;
mod attributes;
mod blocks;
mod chunk;
mod codec;
mod compress;
mod encode;
mod examine;
mod filter;
mod frame;
mod gather;
mod geometry;
mod index;
mod items;
mod layer;
mod loader;
mod map;
mod metadata;
mod metalayers;
mod neighbours;
mod open;
mod padding;
mod places;
mod plan;
mod read;
mod repair;
pub(crate) mod rules;
mod runs;
mod selection;
mod shapes;
mod sinks;
mod store;
mod worker;
mod write;
#[cfg(not(feature = "ruzstd"))]
mod zstd;
#[cfg(feature = "ruzstd")]
#[path = "ruzstd.rs"]
mod zstd;

pub use array::Array;
pub(crate) use examine::findings;
pub use filter::Filter;
pub(crate) use map::byte_map;
pub use ndbytes_schemas::b2nd::Codec;
pub use open::{Options, from_reader, from_slice, is_tolerable, open};
pub(crate) use repair::is_frame;
pub use rules::*;
pub(crate) use store::FRAME_FILE;
pub use store::is_sparse_frame;
pub use write::{B2ndElement, Writer, write};

fn inexpressible(what: String) -> crate::Error {
    crate::Error::Inexpressible { format: "b2nd", what }
}
