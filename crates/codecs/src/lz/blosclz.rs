//! Blosclz streams.
//!
//! | control byte | following bytes                                             | meaning                         |
//! |--------------|-------------------------------------------------------------|---------------------------------|
//! | `000nnnnn`   | the literals                                                | n + 1 literals                  |
//! | `lllddddd`   | the low byte of the distance                                | a match of l + 2 bytes          |
//! | `111ddddd`   | bytes to be added, up to one that is not 255; then as above | a match of 9 bytes plus these   |
//!
//! Distances count from 1. A distance whose 13 bits are all set is followed by two bytes, the high one first, which
//! count from 8192. The upper bits of the first control byte are ignored: it is always a run of literals. A match never
//! ends the stream.

use super::matcher::{self, Format, Match};
use super::{Broken, SLACK, What, copy, enough, extend, extended, from};
use std::ops::Range;

/// The first distance that needs two further bytes.
const FAR: usize = 8192;
/// The length at which a match continues in further bytes.
const GOES_ON: usize = 9;
/// The maximum number of literals after one control byte.
const LITERALS: usize = 32;

/// Decodes `source[stream]` to the first `length` bytes of the target. Returns the number of decoded bytes: all of them
/// or, if `needed` is less, at least that many. The rest of the stream is not read in that case.
///
/// The target must have [`SLACK`] bytes more.
pub fn decode(
    source: &[u8],
    stream: Range<usize>,
    target: &mut [u8],
    length: usize,
    needed: usize,
) -> Result<usize, Broken> {
    let (end, target) = (stream.len(), &mut target[..length + SLACK]);
    let (source, enough) = (from(source, &stream)?, enough(length, needed));
    let (mut at, mut written) = careful(source, end, 0, target, 0)?;
    while at < end && written < enough {
        (at, written) = far_from_ends(source, end, at, target, written, enough);
        if written < enough {
            (at, written) = careful(source, end, at, target, written)?;
        }
    }
    Ok(written)
}

/// Decodes tokens up to one that needs the careful loop. There is always more than enough room for the longest
/// literals.
#[inline(never)]
fn far_from_ends(
    source: &[u8],
    end: usize,
    mut at: usize,
    target: &mut [u8],
    mut written: usize,
    enough: usize,
) -> (usize, usize) {
    let (Some(last), Some(full)) =
        (source.len().min(end + SLACK).checked_sub(SLACK + 1 + LITERALS), target.len().checked_sub(SLACK + LITERALS))
    else {
        return (at, written);
    };
    let (source, target) = (&source[..last + SLACK], &mut target[..full.min(enough) + LITERALS + SLACK]);
    let full = target.len() - (LITERALS + SLACK);
    while at < last && written < full {
        let window = &source[at..at + SLACK];
        let control = usize::from(window[0]);
        if control < 32 {
            target[written..written + LITERALS].copy_from_slice(&window[1..1 + LITERALS]);
            (at, written) = (at + 1 + control + 1, written + control + 1);
            continue;
        }
        let (mut behind, mut run, mut low) = (at + 2, (control >> 5) + 2, window[1]);
        if run == GOES_ON {
            let Some(whole) = extended(source, at + 1, last, run) else { break };
            (behind, run) = whole;
            if written + run > full {
                break;
            }
            low = source[behind];
            behind += 1;
        }
        let mut distance = ((control & 31) << 8 | usize::from(low)) + 1;
        if distance == FAR {
            distance += usize::from(u16::from_be_bytes([source[behind], source[behind + 1]]));
            behind += 2;
        }
        if distance > written {
            break;
        }
        if run < GOES_ON && distance >= 8 {
            copy::shortest(target, written, distance);
        } else {
            copy::repeat(target, written, distance, run);
        }
        (at, written) = (behind, written + run);
    }
    (at, written)
}

/// Decodes one token, or reports its error.
#[inline(never)]
fn careful(
    source: &[u8],
    end: usize,
    token: usize,
    target: &mut [u8],
    written: usize,
) -> Result<(usize, usize), Broken> {
    let broken = |at: usize, what| Err(Broken { at, what });
    let length = target.len() - SLACK;
    if token == end {
        return broken(end, What::Cut);
    }
    let control = usize::from(source[token]) & if token == 0 { 31 } else { 255 };
    let mut at = token + 1;
    if control < 32 {
        let run = control + 1;
        if run > end - at {
            return broken(at, What::LiteralsBeyondStream);
        }
        if run > length - written {
            return broken(token, What::LiteralsBeyondOutput);
        }
        copy::literals_exactly(source, at, target, written, run);
        at += run;
        let to = written + run;
        return if at == end && to < length { broken(end, What::TooShort) } else { Ok((at, to)) };
    }

    let mut run = (control >> 5) + 2;
    if run == GOES_ON {
        let Some(whole) = extended(source, at, end, run) else { return broken(end, What::Cut) };
        (at, run) = whole;
    }
    // A match is not the last token, so at least one byte follows it.
    if at + 1 >= end {
        return broken(end, What::Cut);
    }
    let mut distance = ((control & 31) << 8 | usize::from(source[at])) + 1;
    at += 1;
    if distance == FAR {
        if at + 2 >= end {
            return broken(end, What::Cut);
        }
        distance += usize::from(u16::from_be_bytes([source[at], source[at + 1]]));
        at += 2;
    }
    if run > length - written {
        return broken(token, What::MatchBeyondOutput);
    }
    if distance > written {
        return broken(token, What::MatchBeforeOutput);
    }
    copy::repeat(target, written, distance, run);
    Ok((at, written + run))
}

/// Appends the stream of a source. Returns whether it is shorter than the source. If not, nothing is appended.
///
/// The level ranges from 1, the fastest, to 9.
pub fn encode(source: &[u8], level: u8, target: &mut Vec<u8>) -> bool {
    let begin = target.len();
    let shorter = matcher::greedy::<Blosclz>(source, level, target);
    if let Some(first) = target.get_mut(begin) {
        // The marker that writers set and readers ignore.
        *first |= 32;
    }
    shorter
}

struct Blosclz;

impl Format for Blosclz {
    const MATCH_BEGINS: usize = 12;
    const MATCH_ENDS: usize = 1;
    const FARTHEST: usize = FAR + 0xffff;

    fn pays(found: Match) -> bool {
        found.distance < FAR || found.length > 6
    }

    fn put(target: &mut Vec<u8>, literals: &[u8], Match { distance, length }: Match) {
        Self::finish(target, literals);
        let near = distance.min(FAR) - 1;
        let control = (length.min(GOES_ON) - 2) << 5 | near >> 8;
        target.push(control as u8);
        if length >= GOES_ON {
            extend(target, length - GOES_ON);
        }
        target.push(near as u8);
        if distance >= FAR {
            target.extend_from_slice(&((distance - FAR) as u16).to_be_bytes());
        }
    }

    fn finish(target: &mut Vec<u8>, literals: &[u8]) {
        for run in literals.chunks(LITERALS) {
            target.push(run.len() as u8 - 1);
            target.extend_from_slice(run);
        }
    }
}
