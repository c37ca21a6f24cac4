//! IDV tables as record batches, and back.
