//! The rules of `.npy` files.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;
use crate::format::Format;

const NEP: &str = "NEP 1; numpy.lib.format";
const NUMPY: &str = "NumPy";

rules! {
    ALL of Scope::Format(Format::Npy), since "0.1.0";

    /// A file must begin with the byte 93 and the ASCII characters `NUMPY`.
    BAD_MAGIC = error "npy/bad-magic", Refuses, NEP;

    /// The file must not end inside the header: magic, version, length and text.
    TRUNCATED_HEADER = error "npy/truncated-header", Refuses, NEP;

    /// The version of the format must be 1.0, 2.0 or 3.0.
    VERSION = error "npy/version", Refuses, NEP;

    /// In version 3, the text of the header must be UTF-8. In versions 1 and 2, it is Latin-1, so any bytes are valid.
    ENCODING = error "npy/encoding", Refuses, NEP;

    /// NumPy refuses headers of more than 10,000 characters unless a caller sets `max_header_size`, although it writes
    /// longer ones for structured types with many fields.
    LONG_HEADER = allowed "npy/long-header", Refuses, NUMPY;

    /// The header must be the literal of a Python dictionary. ndbytes parses it and evaluates nothing.
    SYNTAX = error "npy/syntax", Refuses, NEP;

    /// Integers should not have the suffix `L`, which is Python 2 syntax. NumPy accepts it in versions 1 and 2 of the
    /// format.
    LONG_INTEGER = warning "npy/long-integer", Accepts, NUMPY;

    /// The dictionary must have the keys `descr`, `fortran_order` and `shape`, and no others.
    KEYS = error "npy/keys", Refuses, NEP;

    /// The dictionary must not contain a key twice. NumPy uses the last value, other readers may use the first.
    DUPLICATE_KEY = tolerable error "npy/duplicate-key", Accepts, "Python, which keeps the last one";

    /// The value of `fortran_order` must be `True` or `False`.
    FORTRAN_ORDER = error "npy/fortran-order", Refuses, NEP;

    /// The shape must be a tuple of at most 64 integers, none of them negative.
    SHAPE = error "npy/shape", Refuses, NUMPY;

    /// The product of all axis lengths other than zero, times the item size, must fit 63 bits.
    SIZE_OVERFLOW = error "npy/size-overflow", Refuses, NUMPY;

    /// The type must be one that NumPy knows: a name, or a list of fields.
    DESCR = error "npy/descr", Refuses, NUMPY;

    /// Items must not be Python objects: they are stored as pickles, which run code when loaded. ndbytes never loads
    /// them. NumPy does so only with `allow_pickle=True`.
    OBJECTS = error "npy/objects", Refuses, NEP;

    /// The type of the items must not be a subarray: NumPy saves its axes in `shape`. NumPy can load such a file only
    /// if as many items follow as `shape` declares.
    SUBARRAY = error "npy/subarray", Refuses, NUMPY;

    /// Types should have the names that NumPy writes, such as `<f4` and `|u1`. NumPy accepts others, some of which
    /// depend on the machine.
    TYPE_NAME = warning "npy/type-name", Accepts, NUMPY;

    /// The dictionary should be written as Python writes it: decimal integers, one pair of quotes per string, no
    /// comments and no parentheses. Readers in other languages expect nothing else.
    STYLE = warning "npy/style", Accepts, "Python's `repr`";

    /// Only spaces and one newline should follow the dictionary, and nothing should precede it.
    PADDING = warning "npy/padding", Accepts, NEP;

    /// The elements should begin at a multiple of 16 bytes, or of 64 in files written by NumPy since 1.14. Other files
    /// cannot be memory-mapped by readers that need aligned elements.
    ALIGNMENT = warning "npy/alignment", Accepts, NEP;

    /// The file must contain all items that the shape declares.
    TRUNCATED_PAYLOAD = error "npy/truncated-payload", Refuses, NEP;

    /// Nothing may follow the last item. NumPy ignores further bytes; they may be arrays that were saved to the same
    /// file.
    TRAILING_BYTES = tolerable error "npy/trailing-bytes", Accepts, NUMPY;

    /// Each byte of an array of booleans should be 0 or 1.
    BOOL_VALUE = warning "npy/bool-value", Accepts, NUMPY;
}
