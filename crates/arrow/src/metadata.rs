//! Metadata of fields that lets a table come back from Arrow unchanged.

/// The type of the column in .NET's notation: `Vector<Single, 4>`.
pub const TYPE: &str = "ndbytes.idv.type";

/// The number of categories of a key column.
pub const KEY_COUNT: &str = "ndbytes.idv.key_count";

/// Followed by the kind of an annotation: its type and value as JSON.
pub const ANNOTATION: &str = "ndbytes.idv.annotation.";

/// The version of the file, in the metadata of the schema.
pub const VERSION: &str = "ndbytes.idv.version";

/// Arrow's key for the name of an extension type.
pub(crate) const EXTENSION: &str = "ARROW:extension:name";

/// Arrow's key for the parameters of an extension type.
pub(crate) const EXTENSION_METADATA: &str = "ARROW:extension:metadata";

/// The extension type of a time with an offset.
pub(crate) const TIMESTAMP_WITH_OFFSET: &str = "arrow.timestamp_with_offset";

/// The extension type of a tensor in a fixed-size list.
pub(crate) const FIXED_SHAPE_TENSOR: &str = "arrow.fixed_shape_tensor";

/// The children of a struct that is a time with an offset, or ticks with an offset.
pub(crate) mod time_fields {
    pub const TIMESTAMP: &str = "timestamp";
    pub const TICKS: &str = "ticks";
    pub const OFFSET: &str = "offset_minutes";
}

/// The children of a struct that is a stored vector.
pub(crate) mod vector_fields {
    pub const LENGTH: &str = "length";
    pub const INDICES: &str = "indices";
    pub const VALUES: &str = "values";
}
