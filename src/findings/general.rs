//! The rules that belong to no single format.

use super::declare::rules;
use super::rule::Scope;

rules! {
    GENERAL of Scope::General, since "0.1.0";

    /// The content has to begin like one of the formats that ndbytes reads, whatever the name of the file is. If
    /// the bytes are recognised as something else (a compressed file, a web page, a git-LFS pointer), the message names
    /// it. If the name says what the content should be, the rule is `misnamed`.
    UNKNOWN_FORMAT = error "unknown-format", Refuses, "the formats' signatures";

    /// The memory that a file makes a reader allocate has to stay within the caller's budget (`Limits::memory`,
    /// `--max-memory`). The bytes that are written of it have to stay within another budget (`Limits::output`,
    /// `--max-output`).
    LIMIT_EXCEEDED = error "limit-exceeded", NotConcerned, "ndbytes";

    /// A file that was sealed has to have the bytes that its seal states. `ndbytes seal` writes a seal, and `check --sealed`
    /// compares files with it. A file that is checked has to be in the seal, and a file of the seal has to be there.
    CHANGED = error "changed", NotConcerned, "the seal";

    /// A file whose name only files of one content have must have that content: `x.npy`, `x.npz`, `x.b2nd`, `x-idx3-ubyte` and
    /// the like. A file with such a name and `.gz` after it must be compressed with gzip. Programs that go by the name fail, or
    /// skip the file. Names that other programs use too, such as `x.idx` and `x.ra`, bind nothing.
    MISNAMED = error "misnamed", NotConcerned, "the list of names";
}
