//! Tables of python-blosc2 (`CTable`, in stores `.b2z` and `.b2d`) as record batches.
//!
//! | column | Arrow |
//! |---|---|
//! | whole and floating-point numbers, booleans | the type of this name |
//! | `timestamp` | `Timestamp` of its unit, without a zone |
//! | `string`, `utf8` | `Utf8` |
//! | `dictionary` | `Dictionary` of `Utf8` with 32-bit codes |
//! | `ndarray` | `arrow.fixed_shape_tensor` |
//! | others: `list`, `struct`, bytes | refused by name, if they are requested |
//!
//! Deleted rows are left out. Masked values are null.

mod column;
mod schema;
mod table;

pub use table::{Batches, CTable};
