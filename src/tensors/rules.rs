//! The rules of safetensors.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;
use crate::format::Format;

const README: &str = "README of huggingface/safetensors, \"Format\"";
const READER: &str = "safetensors 0.8";

rules! {
    ALL of Scope::Format(Format::Safetensors), since "0.1.0";

    /// A file must begin with the length of its header, which must be at most 100,000,000 bytes.
    HEADER_LENGTH = error "safetensors/header-length", Refuses, README;

    /// The length and the text of the header must be complete.
    TRUNCATED_HEADER = error "safetensors/truncated-header", Refuses, README;

    /// The header must be a JSON object in UTF-8. Only white space may follow it.
    SYNTAX = error "safetensors/syntax", Refuses, README;

    /// The header should begin with `{`, each entry should be an object, and `__metadata__` should not be null. The reference reader also
    /// accepts white space before the header, and entries that are lists.
    STYLE = warning "safetensors/style", Accepts, README;

    /// `__metadata__` must occur at most once, and must be an object whose values are strings.
    METADATA = error "safetensors/metadata", Refuses, README;

    /// The entry of a tensor must have the keys `dtype`, `shape` and `data_offsets`: a string, a list of integers, and two integers.
    ENTRY = error "safetensors/entry", Refuses, README;

    /// The entry of a tensor should have no other keys. The reference reader ignores them.
    UNKNOWN_KEY = warning "safetensors/unknown-key", Accepts, READER;

    /// Each name must occur only once. The reference reader keeps the last entry of a name; other readers may keep the
    /// first.
    DUPLICATE_NAME = tolerable error "safetensors/duplicate-name", Accepts, README;

    /// The element type must be one that the reference reader knows.
    DTYPE = error "safetensors/dtype", Refuses, READER;

    /// The product of all nonzero axis lengths, times the bits per element, must fit 63 bits.
    SIZE_OVERFLOW = error "safetensors/size-overflow", Refuses, READER;

    /// If elements have fewer than 8 bits, the tensor must end at a byte boundary.
    PARTIAL_BYTE = error "safetensors/partial-byte", Refuses, READER;

    /// The distance between the offsets of a tensor must match its shape and type.
    SIZE_MISMATCH = error "safetensors/size-mismatch", Refuses, README;

    /// Every byte after the header must belong to a tensor.
    GAP = error "safetensors/gap", Refuses, README;

    /// No byte may belong to two tensors, and a tensor without bytes must be between two others.
    OVERLAP = error "safetensors/overlap", Refuses, README;

    /// The file must contain all bytes of all tensors. Complete tensors can still be read by name.
    TRUNCATED_PAYLOAD = error "safetensors/truncated-payload", Refuses, README;

    /// Nothing may follow the last tensor.
    TRAILING_BYTES = tolerable error "safetensors/trailing-bytes", Refuses, README;

    /// Each tensor should begin at a multiple of the element size. Otherwise, readers that view elements in place must copy them.
    ALIGNMENT = warning "safetensors/alignment", Accepts, READER;

    /// Each byte of a boolean tensor should be 0 or 1.
    BOOL_VALUE = warning "safetensors/bool-value", Accepts, READER;
}
