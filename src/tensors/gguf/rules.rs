//! The rules of GGUF.

use crate::findings::declare::rules;
use crate::findings::rule::Scope;
use crate::format::Format;

const DOCUMENT: &str = "docs/gguf.md of ggml";
const READER: &str = "gguf 0.19";

rules! {
    ALL of Scope::Format(Format::Gguf), since "0.1.0";

    /// A file must begin with `GGUF`.
    MAGIC = error "gguf/magic", Refuses, DOCUMENT;

    /// The version must be 2 or 3. How it is stored shows the byte order of all numbers.
    VERSION = error "gguf/version", Refuses, DOCUMENT;

    /// All metadata and all entries of the directory must be in the file.
    TRUNCATED_HEADER = error "gguf/truncated-header", Refuses, DOCUMENT;

    /// The type of a value, and of the items of a list, must be one of the thirteen defined types. Lists must not be nested deeper than
    /// about 60 levels.
    VALUE_TYPE = error "gguf/value-type", Refuses, DOCUMENT;

    /// A key must be UTF-8.
    KEY_ENCODING = error "gguf/key-encoding", Refuses, DOCUMENT;

    /// A key should consist of lowercase letters, digits, `_`, `-` and dots, and have at most 65,535 bytes.
    KEY_FORM = warning "gguf/key-form", Accepts, DOCUMENT;

    /// Each key must occur only once.
    DUPLICATE_KEY = error "gguf/duplicate-key", Refuses, READER;

    /// A text should be UTF-8. Readers notice only when they use it.
    TEXT_ENCODING = warning "gguf/text-encoding", Accepts, DOCUMENT;

    /// A boolean should be 0 or 1.
    BOOL_VALUE = warning "gguf/bool-value", Accepts, DOCUMENT;

    /// `general.alignment` must be a power of two, of type `u32`.
    ALIGNMENT = error "gguf/alignment", Refuses, READER;

    /// The name of a tensor must be UTF-8.
    NAME_ENCODING = error "gguf/name-encoding", Refuses, DOCUMENT;

    /// The name of a tensor should have at most 64 bytes. ggml refuses longer ones.
    NAME_LENGTH = warning "gguf/name-length", Accepts, DOCUMENT;

    /// Each tensor must have a different name.
    DUPLICATE_NAME = error "gguf/duplicate-name", Refuses, READER;

    /// A tensor must have at most 4 axes. ggml refuses more; the package `gguf` accepts them.
    RANK = tolerable error "gguf/rank", Accepts, DOCUMENT;

    /// The element type must be one that the reference reader knows.
    ELEMENT_TYPE = error "gguf/element-type", Refuses, READER;

    /// If a tensor is stored in blocks, the length of its first axis must be a multiple of the elements per block.
    BLOCK = error "gguf/block", Refuses, READER;

    /// The length of a tensor in bytes must fit 63 bits, not counting axes of length zero.
    SIZE_OVERFLOW = error "gguf/size-overflow", Refuses, READER;

    /// A tensor must begin at a multiple of the alignment. ggml refuses others; the package `gguf` accepts them.
    OFFSET = tolerable error "gguf/offset", Accepts, DOCUMENT;

    /// No byte may belong to two tensors. ggml refuses such files; the package `gguf` accepts them.
    OVERLAP = tolerable error "gguf/overlap", Accepts, READER;

    /// There should be only padding between tensors. ggml refuses such files; the package `gguf` accepts them.
    GAP = warning "gguf/gap", Accepts, READER;

    /// The file must contain all bytes of all tensors. Complete tensors can still be read by name.
    TRUNCATED_PAYLOAD = error "gguf/truncated-payload", Refuses, DOCUMENT;

    /// Nothing should follow the last tensor and its padding.
    TRAILING_BYTES = warning "gguf/trailing-bytes", Accepts, READER;
}
