//! The breakers of b2nd: for each rule, a function that makes a file violate only this rule.

mod bases;
mod chunks;
mod frame;
mod layer;

use crate::forged_file::ForgedFile;
use crate::kind_driver::Breaker;
use everybyte::forge::Choices;

/// Creates a breaker whose files violate the rule from the start.
const fn of(rule: &'static str, from: fn(&mut Choices<'_>) -> Option<ForgedFile>) -> Breaker {
    Breaker::new(rule, from, "")
}

/// The breakers of all rules except one, since a link in a directory (`b2nd/linked-file`) cannot be expressed as bytes.
pub static ALL: [Breaker; 70] = [
    Breaker::new("b2nd/magic", frame::any, "repair nothing\nsplice magic[3..4] = x\"46\""),
    Breaker::new("b2nd/wrong-marker", frame::any, "repair nothing\nset flags_head = x\"a5\""),
    of("b2nd/truncated", frame::truncated),
    of("b2nd/trailing-bytes", frame::trailing_bytes),
    of("b2nd/header-length", frame::header_length),
    of("b2nd/frame-version", frame::frame_version),
    of("b2nd/frame-type", frame::frame_type),
    of("b2nd/reserved-bits", frame::reserved_bits),
    of("b2nd/filter-slots", frame::filter_slots),
    of("b2nd/default-filter", frame::default_filter),
    of("b2nd/filter-parameter", frame::filter_parameter),
    of("b2nd/writer-settings", frame::writer_settings),
    of("b2nd/frame-sizes", frame::frame_sizes),
    of("b2nd/variable-chunks", frame::variable_chunks),
    of("b2nd/metalayer-directory", frame::metalayer_directory),
    of("b2nd/metalayer-count", frame::metalayer_count),
    of("b2nd/metalayer-offset", frame::metalayer_offset),
    of("b2nd/metalayer-length", frame::metalayer_length),
    of("b2nd/metalayer-name", frame::metalayer_name),
    of("b2nd/trailer-length", frame::trailer_length),
    of("b2nd/trailer-version", frame::trailer_version),
    of("b2nd/fingerprint", frame::fingerprint),
    of("b2nd/attributes-flag", frame::attributes_flag),
    of("b2nd/attribute-length", frame::attribute_length),
    of("b2nd/chunk-count", frame::chunk_count),
    of("b2nd/index-place", frame::index_place),
    of("b2nd/index-entry", frame::index_entry),
    of("b2nd/overlapping-chunks", frame::overlapping_chunks),
    of("b2nd/dead-chunk", frame::dead_chunk),
    of("b2nd/chunk-file", frame::chunk_file),
    of("b2nd/stored-bytes", frame::stored_bytes),
    of("b2nd/unclaimed-bytes", frame::unclaimed_bytes),
    of("b2nd/no-array", layer::no_array),
    of("b2nd/other-object", layer::other_object),
    of("b2nd/array-length", layer::array_length),
    of("b2nd/array-version", layer::array_version),
    of("b2nd/too-many-axes", layer::too_many_axes),
    of("b2nd/extents", layer::extents),
    of("b2nd/block-beyond-chunk", layer::block_beyond_chunk),
    of("b2nd/too-large", layer::too_large),
    of("b2nd/geometry", layer::geometry),
    of("b2nd/dtype-format", layer::dtype_format),
    of("b2nd/dtype", layer::dtype),
    of("b2nd/item-size", layer::item_size),
    of("b2nd/padding", layer::padding),
    of("b2nd/truncated-chunk", chunks::truncated_chunk),
    of("b2nd/chunk-version", chunks::chunk_version),
    of("b2nd/chunk-kind", chunks::chunk_kind),
    of("b2nd/chunk-reserved", chunks::chunk_reserved),
    of("b2nd/chunk-length", chunks::chunk_length),
    of("b2nd/chunk-stored-length", chunks::chunk_stored_length),
    of("b2nd/stored-with-dictionary", chunks::stored_with_dictionary),
    of("b2nd/lazy-chunk", chunks::lazy_chunk),
    of("b2nd/chunk-item-size", chunks::chunk_item_size),
    of("b2nd/chunk-settings", chunks::chunk_settings),
    of("b2nd/chunk-block-size", chunks::chunk_block_size),
    of("b2nd/special-value", chunks::special_value),
    of("b2nd/delta-twice", chunks::delta_twice),
    of("b2nd/delta-blocks", chunks::delta_blocks),
    of("b2nd/odd-chunk", chunks::odd_chunk),
    of("b2nd/plugin-codec", chunks::plugin_codec),
    of("b2nd/plugin-filter", chunks::plugin_filter),
    of("b2nd/block-start", chunks::block_start),
    of("b2nd/overlapping-blocks", chunks::overlapping_blocks),
    of("b2nd/dictionary", chunks::dictionary),
    of("b2nd/dictionary-used", chunks::dictionary_used),
    of("b2nd/broken-stream", chunks::broken_stream),
    // The same, but for existing files.
    Breaker::new("b2nd/index-entry", frame::any, "splice index!entries[?][0..8] = x\"00000000000000f0\""),
    Breaker::new(
        "b2nd/delta-twice",
        frame::any,
        "splice filters[4..6] = x\"0303\"\nsplice chunks[0].header.extension.filters[4..6] = x\"0303\"\n\
         set chunks[0].header.flags.delta = 1",
    ),
    Breaker::new(
        "b2nd/delta-blocks",
        frame::any,
        "splice filters[5..6] = x\"03\"\nsplice chunks[0].header.extension.filters[5..6] = x\"03\"\n\
         set chunks[0].header.flags.delta = 1",
    ),
];
