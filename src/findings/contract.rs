//! The rules of contracts, which are a project's requirements on its own files. The tool checks them according to `.ndbytes.toml`.

use super::declare::rules;
use super::rule::Scope;

rules! {
    CONTRACT of Scope::Contract, since "0.1.0";

    /// An array must have the element type that the contract states: `type` in `.ndbytes.toml`. A type without `<` or
    /// `>` allows both byte orders. A table has no element type.
    CONTRACT_TYPE = error "contract/type", NotConcerned, "the contract";

    /// An array must have the shape that the contract states: `shape` in `.ndbytes.toml`. `"_"` allows any length. The
    /// shape of a table is its number of rows and columns.
    CONTRACT_SHAPE = error "contract/shape", NotConcerned, "the contract";

    /// All values of an array must be within the range that the contract states: `range` in `.ndbytes.toml`, both ends
    /// included. NaN is allowed only with `nan = true`, and infinity only if the range ends with it.
    CONTRACT_RANGE = error "contract/range", NotConcerned, "the contract";

    /// A file and its partner, such as images and their labels, must have the same length along the first axis: `pair`
    /// in `.ndbytes.toml`. The partner must exist.
    CONTRACT_PAIR = error "contract/pair", NotConcerned, "the contract";
}
