//! The rules that do not belong to a single format.

use super::declare::rules;
use super::rule::Scope;

rules! {
    GENERAL of Scope::General, since "0.1.0";

    /// The content must be in a format that ndbytes reads, whatever the name of the file. If it is recognised as
    /// something else (compressed data, a web page, a git LFS pointer), the message says so. If the name is reserved
    /// for a format, the rule is `misnamed` instead.
    UNKNOWN_FORMAT = error "unknown-format", Refuses, "the formats' signatures";

    /// Memory, output, decoded lengths and time must stay within the caller's limits, however much a file claims. The
    /// limits are `--max-memory`, `--max-output` and `--max-time`; in Rust, `Limits`.
    LIMIT_EXCEEDED = error "limit-exceeded", NotConcerned, "ndbytes";

    /// A sealed file must have the bytes that its seal states. `ndbytes seal` writes a seal, and `check --sealed`
    /// compares files with it. Files that the seal does not list, and listed files that are missing, violate the rule,
    /// too.
    CHANGED = error "changed", NotConcerned, "the seal";

    /// A file with a reserved name, such as `x.npy`, `x.npz`, `x.b2nd` or `x-idx3-ubyte`, must have the content that
    /// the name promises. The same name with `.gz` must be compressed with gzip. Programs that trust the name fail, or
    /// skip the file. Names that other programs also use, such as `x.idx` and `x.ra`, are not reserved.
    MISNAMED = error "misnamed", NotConcerned, "the list of names";
}
