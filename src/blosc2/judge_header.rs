//! Checks the header of a frame.

use super::frame::header_nodes;
use super::metalayers::is_array;
use super::read_frame::Reader;
use crate::blosc2::rules;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::findings::words::bytes;
use everybyte::Layout;
use ndbytes_schemas::blosc2::{Codec, FILTER_SLOTS, FrameKind, FrameVersion, Header, OffsetWidth};

/// The shortest header: one without metalayers.
const SHORTEST_HEADER: i64 = Header::MIN_SIZE as i64;

impl Reader<'_> {
    /// The lengths of the header and the frame, if they are valid.
    pub fn lengths(&mut self, header: &Header, parsed: u64) -> Option<(u64, u64)> {
        let frame_length = header.frame_length.0;
        let header_length = i64::from(header.header_length.0);
        if header_length < SHORTEST_HEADER || header_length as u64 > frame_length {
            let message = format!("the header claims {header_length} bytes in a frame of {frame_length}");
            self.say(&rules::HEADER_LENGTH, "header_length", message);
            return None;
        }
        let header_length = header_length as u64;
        if header_length != parsed {
            let message = format!("the header claims {}, but its parts take {parsed}", bytes(header_length));
            let reference = if header_length > parsed { Reference::Accepts } else { Reference::Refuses };
            self.say_of(&rules::HEADER_LENGTH, reference, "header_length", message);
        }
        let length = self.input.length();
        if frame_length > length {
            let message = format!("the frame claims {}, but the file has only {length}", bytes(frame_length));
            self.say(&rules::TRUNCATED_FRAME, "frame_length", message);
            return None;
        }
        if frame_length < length {
            let message = format!("the file has {} after the frame", bytes(length - frame_length));
            let finding = Finding::new(&rules::TRAILING_BYTES, "", frame_length..length, message);
            self.findings.push(finding.help("truncate the file after the frame, unless other data is kept there"));
        }
        Some((header_length, frame_length))
    }

    /// Checks the version, the flags, and the bits that must be zero.
    pub fn flags(&mut self, header: &Header) {
        self.version(header);
        // Empty arrays whose chunks have no length are marked this way.
        let (flags, is_empty) = (header.flags, header.nbytes.0 == 0);
        let is_variable = flags.variable_blocks() || flags.variable_chunks() && !is_empty;
        if is_variable && is_array(header) {
            self.say(&rules::VARIABLE_CHUNKS, "flags", "the frame says that its chunks or blocks differ in length");
        }
        self.frame_type(header);
        self.reserved(header);
        let slots = usize::from(header.filter_slots.0);
        if slots > FILTER_SLOTS {
            let message = format!("the frame allows {slots} filters in a row, but there is room for {FILTER_SLOTS}");
            self.say(&rules::FILTER_SLOTS, "filter_slots", message);
        }
    }

    /// Checks the version and the width of offsets.
    fn version(&mut self, header: &Header) {
        let flags = header.flags;
        let version = flags.version();
        if version.name().is_none() {
            let message = format!("version {} of the frame format is not known", version.0);
            let reference = if version < FrameVersion::BETA { Reference::Accepts } else { Reference::Refuses };
            self.say_of(&rules::FRAME_VERSION, reference, "flags", message);
        }
        let width = flags.offset_width();
        if width != OffsetWidth::BITS_64 {
            let known = OffsetWidth::BITS_64;
            let message =
                format!("offsets of type {} are not defined; only {}, {}, is", width.0, known.0, known.words());
            self.say_of(&rules::FRAME_VERSION, Reference::Accepts, "flags", message);
        }
    }

    /// Checks whether the chunks are where the frame type states.
    fn frame_type(&mut self, header: &Header) {
        let is_sparse = match header.frame_type.kind() {
            FrameKind::CONTIGUOUS => false,
            FrameKind::SPARSE => true,
            FrameKind(kind) => {
                let message = format!("frames of type {kind} are not defined");
                self.say(&rules::FRAME_TYPE, "frame_type", message);
                self.input.folder().is_some()
            }
        };
        if is_sparse != self.input.folder().is_some() {
            let message = match is_sparse {
                true => "the chunks of this frame are separate files, but it is not in a directory of its own",
                false => "the frame contains its chunks, but is in a directory like a sparse frame",
            };
            let input = self.input;
            self.findings.push_with(&rules::FRAME_TYPE, || {
                let finding =
                    Finding::new(&rules::FRAME_TYPE, "frame_type", 0..0, message).placed_by(&header_nodes(input));
                if is_sparse { finding.help("open the directory, not the file in it") } else { finding }
            });
        }
    }

    /// Checks the bits that must be zero.
    fn reserved(&mut self, header: &Header) {
        let reserved = [
            // C-Blosc2 compares the whole byte, including the reserved bits.
            (header.frame_type.reserved() != 0, "frame_type", Reference::Refuses),
            (header.splitting.reserved() != 0, "splitting", Reference::Accepts),
            (header.writer_flags.reserved() != 0, "writer_flags", Reference::Accepts),
            (!header.reserved.are_zero(), "reserved", Reference::Accepts),
        ];
        for (is_set, field, reference) in reserved {
            if is_set {
                self.say_of(&rules::FRAME_RESERVED, reference, field, "unused bits are set");
            }
        }
    }

    /// Checks the writer's settings, which readers do not need.
    pub fn settings(&mut self, header: &Header) {
        let undefined = header.filters.used().find(|id| id.name().is_none() && !id.is_of_user());
        if let Some(id) = undefined {
            self.say(&rules::DEFAULT_FILTER, "filters", format!("filter {} is not defined", id.0));
        }
        if let Some(large) = header.filter_meta.iter().find(|&&parameter| parameter >= 128) {
            let message = format!("a filter has the parameter {large}, which python-blosc2 reads as a negative number");
            self.say(&rules::FILTER_PARAMETER, "filter_meta", message);
        }
        let flags = header.flags;
        if flags.version() == FrameVersion::VARIABLE && !flags.variable_chunks() && !flags.variable_blocks() {
            let message = "version 3 is for chunks or blocks that differ in length, but these do not";
            self.say(&rules::WRITER_SETTINGS, "flags", message);
        }
        self.codec(header);
        let level = header.compression.level();
        if level > 9 {
            self.say(
                &rules::WRITER_SETTINGS,
                "compression",
                format!("the compression level is {level}, but the maximum is 9"),
            );
        }
        let threads =
            [("compress_threads", header.compress_threads.0), ("decompress_threads", header.decompress_threads.0)];
        for (field, threads) in threads {
            if threads < 0 {
                self.say(&rules::WRITER_SETTINGS, field, format!("the writer cannot have used {threads} threads"));
            }
        }
        let slots = usize::from(header.filter_slots.0);
        if slots < FILTER_SLOTS {
            let message = format!("the writer applies {slots} filters in a row, but there is room for {FILTER_SLOTS}");
            self.say(&rules::WRITER_SETTINGS, "filter_slots", message);
        }
    }

    /// Checks the codec, which the header states twice.
    fn codec(&mut self, header: &Header) {
        let (codec, twice) = (header.compression.codec(), header.user_codec);
        let contradicts = |once: &str| format!("the codec is {once} in one place, but {} in the other", twice.words());
        match codec.format() {
            None if codec == Codec::REGISTERED => {
                if !twice.is_plugin() {
                    self.say(&rules::WRITER_SETTINGS, "user_codec", contradicts("a plugin"));
                }
            }
            None => {
                let message = format!("codec {} is not defined", codec.0);
                self.say(&rules::WRITER_SETTINGS, "compression", message);
            }
            // The first writers left the second number zero.
            Some(_) if twice.0 != 0 && twice != codec => {
                self.say(&rules::WRITER_SETTINGS, "user_codec", contradicts(codec.words()));
            }
            Some(_) => {}
        }
    }

    /// Checks the lengths of items, blocks and chunks. Returns false if they are too damaged for reading to continue.
    pub fn sizes(&mut self, header: &Header) -> bool {
        let is_empty = header.nbytes.0 == 0;
        let least = [
            ("nbytes", header.nbytes.0, 0),
            ("cbytes", header.cbytes.0, 0),
            ("typesize", header.typesize.0.into(), 1),
            ("blocksize", header.blocksize.0.into(), 0),
            ("chunksize", header.chunksize.0.into(), if is_empty { -1 } else { 0 }),
        ];
        let mut possible = true;
        for (field, value, least) in least {
            if value < least {
                let reference = if field == "typesize" { Reference::Refuses } else { Reference::Unforeseen };
                let message = format!("{field} is {value}, but must be at least {least}");
                self.say_of(&rules::FRAME_SIZES, reference, field, message);
                possible = false;
            }
        }
        if possible && !is_empty && header.chunksize.0 == 0 && is_array(header) {
            let message = "the frame says that its chunks differ in length";
            self.say_of(&rules::VARIABLE_CHUNKS, Reference::Unforeseen, "chunksize", message);
            return false;
        }
        possible
    }
}
