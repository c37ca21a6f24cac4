//! The rules of b2nd files.

pub use crate::blosc2::rules::*;
use crate::findings::declare::rules;
use crate::findings::rule::{Rule, Scope};
use crate::format::Format;

rules! {
    ARRAY of Scope::Format(Format::B2nd), since "0.1.0";

    /// A frame is an array if one of its metalayers is called `b2nd`, or `caterva`, its older name. python-blosc2 opens
    /// other frames as other objects, such as a super-chunk, an ObjectArray, a BatchArray or an EmbedStore. Of those but
    /// super-chunks, nobody checks the content here: profile `reference` gives no verdict.
    NO_ARRAY = error "b2nd/no-array", Accepts, "b2nd metalayer; python-blosc2";

    /// Lazy expressions, proxies and other objects of python-blosc2 are saved as arrays whose chunks are empty. Read as
    /// arrays, they would be all zero. python-blosc2 opens those that run code only if told to.
    OTHER_OBJECT = tolerable error "b2nd/other-object", Refuses, "python-blosc2";

    /// The metalayer of the array has exactly the bytes of its parts.
    LAYER_LENGTH = tolerable error "b2nd/array-length", Refuses, "b2nd metalayer";

    /// The version of the array's metalayer is 0.
    LAYER_VERSION = tolerable error "b2nd/array-version", Accepts, "b2nd metalayer";

    /// An array has no more than 16 axes.
    TOO_MANY_AXES = error "b2nd/too-many-axes", Refuses, "C-Blosc2";

    /// Dimensions are not negative, and an axis that has items has chunks and blocks with a length.
    EXTENTS = error "b2nd/extents", Refuses, "b2nd metalayer";

    /// A block is not larger than a chunk along any axis.
    BLOCK_BEYOND_CHUNK = warning "b2nd/block-beyond-chunk", Accepts, "python-blosc2";

    /// A block has at most 536,866,816 bytes, and a chunk at most 2^31 - 33. All chunks together have at most 2^63 - 1.
    TOO_LARGE = error "b2nd/too-large", Refuses, "C-Blosc2";

    /// The lengths in the header of the frame match the shapes of array, chunks and blocks.
    /// C-Blosc2 looks at some of these numbers late, or never: profile `reference` gives no verdict.
    GEOMETRY = error "b2nd/geometry", Unforeseen, "b2nd metalayer";

    /// The dtype is in NumPy's words, format 0.
    DTYPE_FORMAT = tolerable error "b2nd/dtype-format", Refuses, "b2nd metalayer";

    /// The dtype is one that NumPy knows: its name, or the literal of a structure.
    DTYPE = tolerable error "b2nd/dtype", Refuses, "b2nd metalayer; NumPy";

    /// An item of the dtype has as many bytes as the frame declares. Writers in C that give no dtype leave `|u1` for
    /// items of any size: these are raw bytes. python-blosc2 reads beyond the items, or refuses
    /// them: profile `reference` gives no verdict.
    ITEM_SIZE = warning "b2nd/item-size", Unforeseen, "b2nd metalayer";
}

rules! {
    ITEMS of Scope::Format(Format::B2nd), since "0.1.0";

    /// Items of a block that lie beyond the array are zero, or all the same. Other items may be left from before the
    /// array shrank: no reader shows them.
    PADDING = warning "b2nd/padding", Accepts, "b2nd metalayer; C-Blosc2";
}

/// Every rule about b2nd, in the order in which the parts of a file are read.
pub(crate) static ALL: [&[&Rule]; 5] = [FRAME, ARRAY, CHUNKS, ITEMS, STREAMS];
