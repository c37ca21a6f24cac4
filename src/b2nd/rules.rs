//! The rules of b2nd files.

pub use crate::blosc2::rules::*;
use crate::findings::declare::rules;
use crate::findings::rule::{Rule, Scope};
use crate::format::Format;

rules! {
    ARRAY of Scope::Format(Format::B2nd), since "0.1.0";

    /// A frame is an array if one of its metalayers is called `b2nd` or, formerly, `caterva`. python-blosc2 opens other frames as other
    /// objects, such as a super-chunk, an ObjectArray, a BatchArray or an EmbedStore. Except for super-chunks, their content is not checked
    /// here, and profile `reference` gives no verdict.
    NO_ARRAY = error "b2nd/no-array", Accepts, "b2nd metalayer; python-blosc2";

    /// Lazy expressions, proxies and other objects of python-blosc2 are saved as arrays whose chunks are empty. Read as
    /// arrays, they would be all zeros. python-blosc2 opens those that run code only on request.
    OTHER_OBJECT = tolerable error "b2nd/other-object", Refuses, "python-blosc2";

    /// The array's metalayer must have exactly the length of its parts.
    LAYER_LENGTH = tolerable error "b2nd/array-length", Refuses, "b2nd metalayer";

    /// The version of the array's metalayer must be 0.
    LAYER_VERSION = tolerable error "b2nd/array-version", Accepts, "b2nd metalayer";

    /// An array must have at most 16 axes.
    TOO_MANY_AXES = error "b2nd/too-many-axes", Refuses, "C-Blosc2";

    /// Axis lengths must not be negative, and an axis with items must have chunks and blocks of at least one item.
    EXTENTS = error "b2nd/extents", Refuses, "b2nd metalayer";

    /// A block should not be longer than a chunk along any axis.
    BLOCK_BEYOND_CHUNK = warning "b2nd/block-beyond-chunk", Accepts, "python-blosc2";

    /// A block must have at most 536,866,816 bytes, a chunk at most 2^31 - 33, and all chunks together at most 2^63 -
    /// 1.
    TOO_LARGE = error "b2nd/too-large", Refuses, "C-Blosc2";

    /// The lengths in the header of the frame must match the shapes of array, chunks and blocks. C-Blosc2 goes by the shapes, and
    /// by the header of each chunk.
    GEOMETRY = error "b2nd/geometry", Unforeseen, "b2nd metalayer";

    /// The dtype must be in NumPy's notation, format 0.
    DTYPE_FORMAT = tolerable error "b2nd/dtype-format", Refuses, "b2nd metalayer";

    /// The dtype must be one that NumPy knows: a name, or the literal of a structured type.
    DTYPE = tolerable error "b2nd/dtype", Refuses, "b2nd metalayer; NumPy";

    /// An item of the dtype should have as many bytes as the frame declares. Writers in C that state no dtype leave `|u1` for
    /// items of any size: these are raw bytes. python-blosc2 reads as many items of the dtype as
    /// the array has, and refuses them if they take fewer bytes.
    ITEM_SIZE = warning "b2nd/item-size", Unforeseen, "b2nd metalayer";
}

rules! {
    ITEMS of Scope::Format(Format::B2nd), since "0.1.0";

    /// Items of a block that are outside the array should be zero, or all the same. Other items may be left over from
    /// before the array shrank; no reader shows them.
    PADDING = warning "b2nd/padding", Accepts, "b2nd metalayer; C-Blosc2";
}

/// All rules about b2nd, in the order in which the parts of a file are read.
pub(crate) static ALL: [&[&Rule]; 5] = [FRAME, ARRAY, CHUNKS, ITEMS, STREAMS];
