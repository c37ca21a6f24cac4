//! The metadata of Zarr arrays, versions 2 and 3. See <https://zarr-specs.readthedocs.io/>.

pub mod described;
pub mod json;
mod numcodecs;
pub mod v2;
pub mod v3;
