//! WAV: sound in a RIFF file. `cargo run -p everybyte --example wav -- explain FILE`
//!
//! Source: Microsoft's and IBM's "Multimedia Programming Interface and Data Specifications 1.0".

use everybyte::{Align, Examination, Format, Region, filling, layout};

/// A RIFF file of the form `WAVE`: chunks, each with a name and a length.
#[layout]
#[brw(little, magic = b"RIFF")]
pub struct Wav {
    /// Bytes that follow in this file.
    #[layout(extent = "form..chunks")]
    length: u32,
    /// `WAVE`: the kind of the content.
    #[br(assert(form == *b"WAVE", "the form is not `WAVE`"))]
    form: [u8; 4],
    /// The chunks, one after the other.
    #[br(parse_with = filling(u64::from(length - 4)))]
    chunks: Vec<Chunk>,
}

/// A name, a length and that many bytes.
#[layout]
#[brw(little)]
struct Chunk {
    /// The kind of the chunk.
    id: [u8; 4],
    /// Bytes of the body.
    #[layout(extent = body)]
    length: u32,
    /// The content.
    #[br(args(id, length.into()))]
    body: Body,
    /// The next chunk begins at an even offset.
    pad: Align<2>,
}

/// The content of a chunk, by its kind.
#[layout]
#[brw(little)]
#[br(import(id: [u8; 4], length: u64))]
enum Body {
    /// How the samples are stored.
    #[br(pre_assert(id == *b"fmt " && length >= 16))]
    Fmt {
        /// 1: integers, 3: floating-point numbers, 0xFFFE: see the extension.
        encoding: u16,
        channels: u16,
        /// Frames a second. A frame has one sample of each channel.
        rate: u32,
        /// Bytes a second.
        bytes_per_second: u32,
        /// Bytes of a frame.
        frame: u16,
        /// Bits of a sample.
        bits: u16,
        /// Further fields of some encodings.
        #[br(args { length: length - 16 })]
        extension: Region,
    },
    /// The samples.
    #[br(pre_assert(id == *b"data"))]
    Data {
        #[br(args { length })]
        samples: Region,
    },
    /// Anything else.
    #[br(pre_assert(id != *b"data" && !(id == *b"fmt " && length >= 16)))]
    Other {
        #[br(args { length })]
        bytes: Region,
    },
}

impl Format for Wav {
    const NAME: &'static str = "WAV";

    fn examine(&self, file: &mut Examination<'_>) {
        let after_length = file.length().saturating_sub(8);
        if u64::from(self.length) != after_length {
            let message = format!("{after_length} bytes follow, but the length is {}", self.length);
            file.finding("wav/length", "length", message);
        }
        if !self.chunks.iter().any(|chunk| matches!(chunk.body, Body::Fmt { .. })) {
            file.finding("wav/no-format", "chunks", "no chunk says how the samples are stored");
        }
        for (place, chunk) in self.chunks.iter().enumerate() {
            let Body::Fmt { channels, rate, bytes_per_second, frame, bits, .. } = chunk.body else { continue };
            let expected = u64::from(channels) * u64::from(bits).div_ceil(8);
            if u64::from(frame) != expected {
                let message = format!("{channels} samples of {bits} bits take {expected} bytes, not {frame}");
                file.finding("wav/frame", format!("chunks[{place}].body.frame"), message);
            }
            if u64::from(bytes_per_second) != u64::from(rate) * u64::from(frame) {
                let message = format!("{rate} frames of {frame} bytes do not take {bytes_per_second} bytes");
                file.finding("wav/bytes-per-second", format!("chunks[{place}].body.bytes_per_second"), message);
            }
        }
    }
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Wav>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use everybyte::{check, explain, rewrite};

    /// Four samples of 16 bits, and a comment of odd length.
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
        assert!(text.contains("chunks[0].body.rate"), "{text}");
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
        assert_eq!(rules(&file), ["wav/bytes-per-second", "wav/frame"]);
        assert_eq!(rules(&sound()[..48]), ["wav/length", "truncated"]);
        assert_eq!(rules(b"RIFF\x04\0\0\0WAVX"), ["invalid"]);
        file = sound();
        file.push(0);
        assert_eq!(rules(&file), ["wav/length", "gap"]);
    }

    #[test]
    fn any_sound_keeps_the_promises() {
        everybyte::fuzzing::any_values::<Wav>(300);
    }
}
