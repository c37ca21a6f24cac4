//! The rules that belong to no single format.

use super::declare::rules;
use super::rule::Scope;

rules! {
    GENERAL of Scope::General, since "0.1.0";

    /// The content has to begin like one of the formats that ndbytes reads. File names and extensions are ignored. If
    /// the bytes are recognised as something else (a compressed file, a web page, a git-LFS pointer), the message names
    /// it.
    UNKNOWN_FORMAT = error "unknown-format", Refuses, "the formats' signatures";

    /// The memory that a file makes a reader allocate has to stay within the caller's budget (`Limits::memory`,
    /// `--max-memory`). The bytes that are written of it have to stay within another budget (`Limits::output`,
    /// `--max-output`).
    LIMIT_EXCEEDED = error "limit-exceeded", NotConcerned, "ndbytes";

    /// A file that was sealed has to have the bytes that its seal states. `ndbytes seal` writes a seal, and `check --sealed`
    /// compares files with it. A file that is checked has to be in the seal, and a file of the seal has to be there.
    CHANGED = error "changed", NotConcerned, "the seal";
}
