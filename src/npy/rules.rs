//! The rules of `.npy` files.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;
use crate::format::Format;

const NEP: &str = "NEP 1; numpy.lib.format";
const NUMPY: &str = "NumPy";

rules! {
    ALL of Scope::Format(Format::Npy), since "0.1.0";

    /// A file begins with the byte 93 and the ASCII characters `NUMPY`.
    BAD_MAGIC = error "npy/bad-magic", Refuses, NEP;

    /// Magic, version, length and text of the header are there in full.
    TRUNCATED_HEADER = error "npy/truncated-header", Refuses, NEP;

    /// The versions of the format are 1.0, 2.0 and 3.0.
    VERSION = error "npy/version", Refuses, NEP;

    /// In version 3, the text of the header is UTF-8. In versions 1 and 2 it is Latin-1, as which any bytes can be read.
    ENCODING = error "npy/encoding", Refuses, NEP;

    /// NumPy loads no header of more than 10,000 characters, unless a caller sets `max_header_size`. It writes longer ones
    /// itself, for structures of many fields.
    LONG_HEADER = allowed "npy/long-header", Refuses, NUMPY;

    /// The header is the literal of a Python dictionary. ndbytes parses it and evaluates nothing.
    SYNTAX = error "npy/syntax", Refuses, NEP;

    /// The suffix `L` of an integer is of Python 2. NumPy accepts it in versions 1 and 2 of the format.
    LONG_INTEGER = warning "npy/long-integer", Accepts, NUMPY;

    /// The dictionary has the keys `descr`, `fortran_order` and `shape`, and no others.
    KEYS = error "npy/keys", Refuses, NEP;

    /// Each key stands in the dictionary once. NumPy takes the last value, other readers may take the first.
    DUPLICATE_KEY = tolerable error "npy/duplicate-key", Accepts, "Python, which keeps the last one";

    /// The value of `fortran_order` is `True` or `False`.
    FORTRAN_ORDER = error "npy/fortran-order", Refuses, NEP;

    /// The shape is a tuple of integers, which are not negative. There are at most 64 of them.
    SHAPE = error "npy/shape", Refuses, NUMPY;

    /// The product of all dimensions that are not zero, times the size of an item, fits 63 bits.
    SIZE_OVERFLOW = error "npy/size-overflow", Refuses, NUMPY;

    /// The type is one that NumPy knows: a name, or a list of fields.
    DESCR = error "npy/descr", Refuses, NUMPY;

    /// Arrays of Python objects hold pickles, which run code when they are loaded. ndbytes never reads them. NumPy does so
    /// only if told to.
    OBJECTS = error "npy/objects", Refuses, NEP;

    /// The type of all items is no subarray: NumPy saves its axes in `shape`. It can load such a file only if as many items
    /// follow as `shape` declares.
    SUBARRAY = error "npy/subarray", Refuses, NUMPY;

    /// Types have the names that NumPy writes, such as `<f4` and `|u1`. It reads others too, some of which mean another type
    /// on another machine.
    TYPE_NAME = warning "npy/type-name", Accepts, NUMPY;

    /// The dictionary is written as Python writes one: decimal integers, each text in one pair of quotes, no comments and no
    /// parentheses. Readers that are not Python find nothing else.
    STYLE = warning "npy/style", Accepts, "Python's `repr`";

    /// Spaces and one newline follow the dictionary, and nothing stands before it.
    PADDING = warning "npy/padding", Accepts, NEP;

    /// The elements begin at a multiple of 16 bytes, in files of NumPy since 1.14 at one of 64. Elsewhere they cannot be
    /// mapped by readers whose elements have to be aligned.
    ALIGNMENT = warning "npy/alignment", Accepts, NEP;

    /// The file holds all items that the shape declares.
    TRUNCATED_PAYLOAD = error "npy/truncated-payload", Refuses, NEP;

    /// Nothing follows the last item. NumPy ignores further bytes; they may be arrays that were saved to the same file.
    TRAILING_BYTES = tolerable error "npy/trailing-bytes", Accepts, NUMPY;

    /// Each byte of an array of booleans is 0 or 1.
    BOOL_VALUE = warning "npy/bool-value", Accepts, NUMPY;
}
