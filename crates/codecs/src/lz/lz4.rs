//! LZ4 blocks.
//!
//! A block is a sequence of sequences. Each begins with a token (4 bits for the literals, 4 for the match). If there
//! are 15 literals or more, the rest of their number follows; then the literals. Then come the distance (two bytes, the
//! low one first) and, for a length of 19 or more, its rest. The last sequence ends after its literals. The reference
//! decoder's restrictions on the end of a block also apply here.

use super::matcher::{self, Format, Match, SHORTEST};
use super::{Broken, SLACK, What, copy, enough, extend, extended, from};
use crate::branch::cold_path;
use std::ops::Range;

/// The value in a token at which a number continues in further bytes.
const GOES_ON: usize = 15;
/// The minimum distance between the beginning of a match and the end of the output.
const MATCH_BEGINS: usize = 12;
/// The minimum distance between the end of a match and the end of the output.
const MATCH_ENDS: usize = 5;
/// The minimum number of bytes after literals that are not the last: a distance, a token and the last literals.
const BEHIND_LITERALS: usize = 2 + 1 + MATCH_ENDS;
/// The maximum number of bytes in a sequence without further bytes, and in its output.
const SHORT_TAKES: usize = 1 + 14 + 2;
const SHORT_MAKES: usize = 14 + 18;

/// Decodes `source[stream]` to the first `length` bytes of the target. Returns the number of decoded bytes: all of them
/// or, if `needed` is less, at least that many. The rest of the stream is not read in that case.
///
/// The target must have [`SLACK`] bytes more. Matches may reach back into the end of the dictionary.
pub fn decode(
    source: &[u8],
    stream: Range<usize>,
    dictionary: &[u8],
    target: &mut [u8],
    length: usize,
    needed: usize,
) -> Result<usize, Broken> {
    let (end, target) = (stream.len(), &mut target[..length + SLACK]);
    let (source, enough) = (from(source, &stream)?, enough(length, needed));
    let (mut at, mut written) = (0, 0);
    while written < enough {
        (at, written) = far_from_ends(source, end, at, target, written, enough);
        if written < enough {
            (at, written) = careful(source, end, at, dictionary, target, written)?;
            if at == end {
                break;
            }
        }
    }
    Ok(written)
}

/// Decodes sequences up to one that needs the careful loop. There is always more than enough room for a complete short
/// sequence.
#[inline(never)]
fn far_from_ends(
    source: &[u8],
    end: usize,
    mut at: usize,
    target: &mut [u8],
    mut written: usize,
    enough: usize,
) -> (usize, usize) {
    let (Some(last), Some(full)) = (
        source.len().min(end + SLACK).checked_sub(SLACK + SHORT_TAKES + BEHIND_LITERALS),
        target.len().checked_sub(SLACK + SHORT_MAKES + MATCH_ENDS),
    ) else {
        return (at, written);
    };
    let (source, target) = (&source[..last + SLACK], &mut target[..full.min(enough) + SHORT_MAKES + SLACK]);
    let full = target.len() - (SHORT_MAKES + SLACK);
    while at <= last && written < full {
        let window = &source[at..at + SLACK];
        let token = usize::from(window[0]);
        let run = token >> 4;
        let (mut behind, to, distance);
        if run != GOES_ON {
            target[written..written + 16].copy_from_slice(&window[1..17]);
            (behind, to) = (at + run + 3, written + run);
            distance = usize::from(u16::from_le_bytes([window[run + 1], window[run + 2]]));
        } else {
            cold_path();
            let Some((from, run)) = extended(source, at + 1, last, run) else { break };
            (behind, to) = (from + run + 2, written + run);
            if behind > last || to > full {
                break;
            }
            copy::literals(source, from, target, written, run);
            distance = usize::from(u16::from_le_bytes([source[behind - 2], source[behind - 1]]));
        }
        if distance > to {
            break;
        }
        let mut run = token & 15;
        // The same condition twice: keeping its result in a variable makes the loop a tenth slower.
        if run + SHORTEST <= copy::SHORT && distance >= 8 {
            copy::short(target, to, distance, run + SHORTEST);
        } else if distance == 0 {
            break;
        } else if run + SHORTEST <= copy::SHORT {
            copy::short_near(target, to, distance);
        } else {
            if run == GOES_ON {
                let Some(whole) = extended(source, behind, last, run) else { break };
                (behind, run) = whole;
                if to + run > full {
                    break;
                }
            }
            copy::repeat(target, to, distance, run + SHORTEST);
        }
        (at, written) = (behind, to + run + SHORTEST);
    }
    (at, written)
}

/// Decodes one sequence, or reports its error.
#[inline(never)]
fn careful(
    source: &[u8],
    end: usize,
    sequence: usize,
    dictionary: &[u8],
    target: &mut [u8],
    written: usize,
) -> Result<(usize, usize), Broken> {
    let broken = |at: usize, what| Err(Broken { at, what });
    let length = target.len() - SLACK;
    if sequence == end {
        return broken(end, What::Cut);
    }
    let token = usize::from(source[sequence]);
    let (mut at, mut run) = (sequence + 1, token >> 4);
    if run == GOES_ON {
        let Some(whole) = extended(source, at, end, run) else { return broken(end, What::Cut) };
        (at, run) = whole;
    }
    if run > end - at {
        return broken(at, What::LiteralsBeyondStream);
    }
    if run > length - written {
        return broken(sequence, What::LiteralsBeyondOutput);
    }
    copy::literals_exactly(source, at, target, written, run);
    at += run;
    let to = written + run;
    if at == end {
        return if to == length { Ok((at, to)) } else { broken(end, What::TooShort) };
    }
    if end - at < BEHIND_LITERALS {
        return broken(end, What::Cut);
    }

    let distance = usize::from(u16::from_le_bytes([source[at], source[at + 1]]));
    at += 2;
    let mut run = token & 15;
    if run == GOES_ON {
        let Some(whole) = extended(source, at, end, run) else { return broken(end, What::Cut) };
        (at, run) = whole;
    }
    run += SHORTEST;
    if length - to < MATCH_BEGINS.max(run + MATCH_ENDS) {
        return broken(sequence, What::MatchBeyondOutput);
    }
    if at == end {
        return broken(end, What::Cut);
    }
    if distance.wrapping_sub(1) < to {
        copy::repeat(target, to, distance, run);
    } else if distance == 0 {
        return broken(sequence, What::NoDistance);
    } else if from_dictionary(dictionary, target, to, distance, run).is_none() {
        return broken(sequence, What::MatchBeforeOutput);
    }
    Ok((at, to + run))
}

/// Copies a match that begins in the dictionary, or returns `None` if it begins before it.
fn from_dictionary(dictionary: &[u8], target: &mut [u8], to: usize, distance: usize, length: usize) -> Option<()> {
    // A distance of 0 is invalid.
    let back = distance.checked_sub(to).filter(|_| distance > 0)?;
    let found = dictionary.get(dictionary.len().checked_sub(back)?..)?;
    let found = found.get(..length).unwrap_or(found);
    copy::literals_exactly(found, 0, target, to, found.len());
    if found.len() < length {
        copy::repeat(target, to + found.len(), distance, length - found.len());
    }
    Some(())
}

/// Appends the block of a source. Returns whether it is shorter than the source. If not, nothing is appended.
///
/// The level ranges from 1, the fastest, to 9.
pub fn encode(source: &[u8], level: u8, target: &mut Vec<u8>) -> bool {
    matcher::greedy::<Lz4>(source, level, target)
}

/// Like [`encode`], but searches thoroughly, as LZ4HC does.
pub fn encode_high(source: &[u8], level: u8, target: &mut Vec<u8>) -> bool {
    matcher::thorough::<Lz4>(source, level, target)
}

struct Lz4;

impl Format for Lz4 {
    const MATCH_BEGINS: usize = MATCH_BEGINS;
    const MATCH_ENDS: usize = MATCH_ENDS;
    const FARTHEST: usize = 0xffff;

    fn pays(_: Match) -> bool {
        true
    }

    fn put(target: &mut Vec<u8>, literals: &[u8], Match { distance, length }: Match) {
        let rest = length - SHORTEST;
        sequence(target, literals, rest.min(GOES_ON));
        target.extend_from_slice(&(distance as u16).to_le_bytes());
        if rest >= GOES_ON {
            extend(target, rest - GOES_ON);
        }
    }

    fn finish(target: &mut Vec<u8>, literals: &[u8]) {
        sequence(target, literals, 0);
    }
}

/// Writes the token, and the literals.
fn sequence(target: &mut Vec<u8>, literals: &[u8], low: usize) {
    let run = literals.len();
    target.push((run.min(GOES_ON) << 4 | low) as u8);
    if run >= GOES_ON {
        extend(target, run - GOES_ON);
    }
    target.extend_from_slice(literals);
}
