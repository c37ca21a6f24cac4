//! The fast loop, for one stream and for two.
//!
//! A decoder waits for each symbol before it knows where the next one begins; the processor idles in the meantime. Two
//! independent streams decoded alternately fill that time, and Blosc2 chunks have many streams. Several literals are
//! decoded per loaded word. Near the end of a buffer, the loop leaves the rest to [`Stream::advance`].

use super::code::{Entry, INDEX_BITS, Literals};
use super::stream::Stream;
use crate::branch::cold_path;
use multiversion::multiversion;

const LAG: usize = Literals::LAG;
/// The number of literals that are decoded from one word.
const AT_ONCE: usize = 4;
// A word also contains the index for what follows the literals, and a match: codes of 15 bits with 5 and 13 extra bits.
const _: () = assert!(LAG + (AT_ONCE + 1) * INDEX_BITS <= 57 && LAG + 15 + 5 + 15 + 13 <= 57);

/// Decodes until the careful loop is needed.
#[multiversion(targets("x86_64+bmi1+bmi2"))]
pub fn run(stream: &mut Stream<'_>) {
    let Some(mut lane) = Lane::enter(stream) else { return };
    loop {
        while lane.literals(stream) {}
        if !lane.other(stream) {
            break;
        }
    }
    lane.leave(stream);
}

/// Decodes until one of the streams needs the careful loop.
#[multiversion(targets("x86_64+bmi1+bmi2"))]
pub fn run_pair(a: &mut Stream<'_>, b: &mut Stream<'_>) {
    let (Some(mut lane_a), Some(mut lane_b)) = (Lane::enter(a), Lane::enter(b)) else { return };
    loop {
        let first = loop {
            if !lane_a.literals(a) {
                break true;
            }
            if !lane_b.literals(b) {
                break false;
            }
        };
        if !(if first { lane_a.other(a) } else { lane_b.other(b) }) {
            break;
        }
    }
    lane_a.leave(a);
    lane_b.leave(b);
}

/// The position in a stream, copied to registers.
struct Lane {
    /// The position `LAG` bits before the next bits.
    bit: usize,
    written: usize,
    /// The bits from `bit` on, at least 57.
    bits: u64,
    /// The next entry.
    entry: Entry,
}

#[inline(always)]
fn word(input: &[u8], byte: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*input.get(byte..byte + 8)?.first_chunk()?))
}

impl Lane {
    #[inline(always)]
    fn enter(stream: &Stream<'_>) -> Option<Self> {
        let bit = stream.bit.checked_sub(LAG)?;
        let bits = word(stream.input, bit / 8)? >> (bit % 8);
        Some(Lane { bit, written: stream.written, bits, entry: stream.inflater.literals.look_up_lagging(bits) })
    }

    #[inline(always)]
    fn leave(self, stream: &mut Stream<'_>) {
        (stream.bit, stream.written) = (self.bit + LAG, self.written);
    }

    /// Decodes literals. Returns false if the next entry is not a literal.
    #[inline(always)]
    fn literals(&mut self, stream: &mut Stream<'_>) -> bool {
        let Lane { bit, written, mut bits, mut entry } = *self;
        // If there is no room for this, there will be none later either: `other` has to find out what comes next.
        self.entry = Entry::END_OF_BLOCK;
        // The bits after the next 56, loaded before it is known how many of these will be consumed.
        let Some(ahead) = word(stream.input, bit / 8 + 7) else { return false };
        let Some(chunk) = stream.output.get_mut(written..).and_then(|rest| rest.first_chunk_mut::<AT_ONCE>()) else {
            return false;
        };
        let ahead = ahead >> (bit % 8);
        let mut settle = |count: usize, used: u32, bits: u64, entry: Entry| {
            *self = Lane {
                bit: bit + (used % 64) as usize,
                written: written + count,
                bits: bits | ahead << (56u32.wrapping_sub(used) % 64),
                entry,
            };
            count == AT_ONCE
        };
        let mut used = 0u32;
        for (count, place) in chunk.iter_mut().enumerate() {
            if !entry.is_literal() {
                cold_path();
                return settle(count, used, bits, entry);
            }
            *place = entry.value() as u8;
            used = used.wrapping_add(entry.0);
            bits >>= entry.bits();
            entry = stream.inflater.literals.look_up_lagging(bits);
        }
        settle(AT_ONCE, used, bits, entry)
    }

    /// Decodes a length and its distance, or a literal with a long code. Returns false for other entries.
    #[inline(always)]
    fn other(&mut self, stream: &mut Stream<'_>) -> bool {
        self.behind_other(stream).map(|lane| *self = lane).is_some()
    }

    #[inline(always)]
    fn behind_other(&self, stream: &mut Stream<'_>) -> Option<Self> {
        let Lane { mut bit, written, bits, mut entry } = *self;
        let mut bits = bits >> LAG;
        if entry.is_exception() {
            entry = stream.inflater.literals.search(bits);
            if entry.is_exception() {
                return None;
            }
        }
        bit += entry.bits();
        if entry.is_literal() {
            *stream.output.get_mut(written)? = entry.value() as u8;
            let bits = word(stream.input, bit / 8)? >> (bit % 8);
            return Some(Lane {
                bit,
                written: written + 1,
                bits,
                entry: stream.inflater.literals.look_up_lagging(bits),
            });
        }
        let length = entry.amount(bits);
        bits >>= entry.bits();
        let mut entry = stream.inflater.distances.look_up(bits);
        if entry.is_exception() {
            entry = stream.inflater.distances.search(bits);
            if entry.is_exception() {
                return None;
            }
        }
        let distance = entry.amount(bits);
        bit += entry.bits();
        // Too few of the 57 bits may be left for this, but `literals` refills them to 64, unless it had no room. In that
        // case, it will have none again, and does not use the entry.
        let entry = stream.inflater.literals.look_up(bits >> entry.bits());
        let bits = word(stream.input, bit / 8)? >> (bit % 8);
        copy(stream.output, written, length, distance)?;
        Some(Lane { bit, written: written + length, bits, entry })
    }
}

/// Repeats the bytes that begin `distance` bytes back, and overwrites some bytes after the copy. Returns `None` if `output`
/// does not have that many bytes.
#[inline(always)]
fn copy(output: &mut [u8], written: usize, length: usize, distance: usize) -> Option<()> {
    const CHUNK: usize = 32;
    /// By distance: the largest number of bytes, up to 16, that contains the pattern an integral number of times.
    const STRIDES: [usize; 16] = [0, 16, 16, 15, 16, 15, 12, 14, 16, 9, 10, 11, 12, 13, 14, 15];
    let from = written.checked_sub(distance)?;
    if output.len() - written < length + CHUNK {
        return None;
    }
    let mut done = 0;
    if distance >= STRIDES.len() || distance >= length {
        while done < length {
            output.copy_within(from + done..from + done + CHUNK, written + done);
            done += distance.min(CHUNK);
        }
    } else {
        let mut width = distance * 8;
        let mut pattern = u128::from_le_bytes(*output[from..].first_chunk()?) & ((1 << width) - 1);
        while width < 128 {
            pattern |= pattern << width;
            width *= 2;
        }
        while done < length {
            *output[written + done..].first_chunk_mut()? = pattern.to_le_bytes();
            done += STRIDES[distance];
        }
    }
    Some(())
}
