//! WAV: sound in a RIFF file. `cargo run -p everybyte-tests --example wav -- explain FILE`
//!
//! Source: Microsoft's and IBM's "Multimedia Programming Interface and Data Specifications 1.0".

use everybyte::{
    Format,
    bytes::{Align, Rest},
    layout,
    list::filling,
};

/// A RIFF file of the form `WAVE`: chunks, each with a name and a length.
#[layout(view)]
#[brw(little, magic = b"RIFF")]
pub struct Wav {
    /// Bytes that follow in this file.
    #[br(temp)]
    length: u32,
    #[layout(size = length)]
    content: Wave,
}

/// The chunks, one after the other.
#[layout(view)]
#[brw(little, magic = b"WAVE")]
struct Wave {
    #[br(parse_with = filling(u64::MAX))]
    #[layout(rule("wav/no-format", error, chunks.iter().any(Chunk::is_format), "no chunk says how the samples are stored"))]
    chunks: Vec<Chunk>,
}

/// A name, a length and that many bytes.
#[layout(view)]
#[brw(little)]
struct Chunk {
    /// The kind of the chunk.
    #[layout(key)]
    id: [u8; 4],
    /// Bytes of the body.
    #[br(temp)]
    length: u32,
    /// The content.
    #[br(args(id))]
    #[layout(size = length)]
    body: Body,
    /// The next chunk begins at an even offset.
    pad: Align<2>,
}

impl Chunk {
    /// Returns whether it states how the samples are stored.
    fn is_format(&self) -> bool {
        &self.id == b"fmt "
    }
}

/// The content of a chunk, by its kind.
#[layout(match = id, view)]
#[brw(little)]
#[br(import(id: [u8; 4]))]
enum Body {
    /// How the samples are stored.
    #[when(b"fmt ")]
    Fmt {
        /// 1: integers, 3: floating-point numbers, 0xFFFE: see the extension.
        #[layout(fact)]
        encoding: u16,
        #[layout(fact, rule("wav/channels", error, channels > 0, "a sound has at least one channel"))]
        channels: u16,
        /// Frames a second. A frame has one sample of each channel.
        #[layout(fact, rule("wav/rate", error, rate > 0, "a sound has frames"))]
        rate: u32,
        /// Bytes a second.
        #[br(temp)]
        #[bw(try_calc = u32::try_from(u64::from(*rate) * u64::from(frame(*channels, *bits))))]
        bytes_per_second: u32,
        /// Bytes of a frame.
        #[br(temp)]
        #[bw(calc = frame(*channels, *bits))]
        frame_size: u16,
        /// Bits of a sample.
        #[layout(fact, rule("wav/bits", error, (1..=64).contains(&bits), "a sample has no {bits} bits"))]
        #[layout(rule("wav/frame", error, frame_size == frame(channels, bits),
            "{channels} samples of {bits} bits do not take {frame_size} bytes"))]
        #[layout(rule("wav/bytes-per-second", error, u64::from(bytes_per_second) == u64::from(rate) * u64::from(frame_size),
            "{rate} frames of {frame_size} bytes do not take {bytes_per_second} bytes"))]
        bits: u16,
        /// Further fields of some encodings.
        extension: Rest,
    },
    /// The samples.
    #[when(b"data")]
    Data {
        #[layout(payload)]
        samples: Rest,
    },
    /// Anything else.
    #[when(_)]
    Other { bytes: Rest },
}

/// Returns the number of bytes of a frame, or the largest number if it does not fit.
fn frame(channels: u16, bits: u16) -> u16 {
    channels.saturating_mul(bits.div_ceil(8))
}

impl Format for Wav {
    const NAME: &'static str = "WAV";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Wav>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use everybyte::{check, explain, format::rewrite};

    /// Four samples of 16 bits and a comment of odd length.
    fn sound() -> Vec<u8> {
        let mut file = b"RIFF\x36\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0".to_vec();
        file.extend(b"data\x08\0\0\0\0\0\x10\0\x20\0\x10\0note\x01\0\0\0a\0");
        file
    }

    #[test]
    fn a_sound_is_explained_to_the_byte() {
        let explained = explain::<Wav>(&sound());
        assert_eq!(explained.findings, []);
        let text = explained.to_string();
        assert!(text.contains("content.chunks[0].body.rate"), "{text}");
        assert!(text.ends_with("every byte accounted for\n"), "{text}");
    }

    #[test]
    fn a_sound_is_written_back() {
        assert_eq!(rewrite::<Wav>(&sound()).unwrap(), sound());
    }

    #[test]
    fn a_broken_sound_has_findings() {
        let rules = |file: &[u8]| check::<Wav>(file).iter().map(|finding| finding.rule.clone()).collect::<Vec<_>>();
        let mut file = sound();
        file[32] = 4;
        assert_eq!(rules(&file), ["wav/frame", "wav/bytes-per-second"]);
        assert_eq!(rules(&sound()[..48]), ["too-many"]);
        assert_eq!(rules(b"RIFF\x04\0\0\0WAVX"), ["wrong-magic"]);
        assert_eq!(rules(b"RIFF\x04\0\0\0WAVE"), ["wav/no-format"]);
        file = sound();
        file.push(0);
        assert_eq!(rules(&file), ["gap"]);
    }

    #[test]
    fn any_sound_keeps_the_promises() {
        everybyte::fuzzing::values::<Wav>(300);
    }
}
