//! The rules of contracts: what a project demands of its own files. The tool judges them, by `.ndbytes.toml`.

use super::declare::rules;
use super::rule::Scope;

rules! {
    CONTRACT of Scope::Contract, since "0.1.0";

    /// The items of an array have the type that the contract of the project states: `type` in `.ndbytes.toml`. Without `<` or `>`
    /// before it, the order of bytes may be any. A table has no such type.
    CONTRACT_TYPE = error "contract/type", NotConcerned, "the contract";

    /// An array has the dimensions that the contract of the project states: `shape` in `.ndbytes.toml`. `"_"` stands for any length.
    /// The shape of a table is its rows and its columns.
    CONTRACT_SHAPE = error "contract/shape", NotConcerned, "the contract";

    /// The values of an array are within the range that the contract of the project states: `range` in `.ndbytes.toml`, both ends
    /// included. NaN is within it only with `nan = true`, and infinite values only in the range from -inf to inf.
    CONTRACT_RANGE = error "contract/range", NotConcerned, "the contract";

    /// A file and its partner have the same length along the first dimension, as the contract of the project states: `pair` in
    /// `.ndbytes.toml`. Images and their labels are such a pair. The partner has to be there.
    CONTRACT_PAIR = error "contract/pair", NotConcerned, "the contract";
}
