//! Mutations of plain bytes, for files without a map and for changes that ignore the map.
//!
//! Readers also encounter files with damage that is unrelated to fields. These are the mutations of general-purpose
//! fuzzers: flip, set, overwrite, remove, repeat, move and insert.

use super::choices::Choices;

/// The maximum number of bytes that one mutation adds.
const MOST_ADDED: usize = 64;

/// Bytes that readers often trip over.
const ODD: [u8; 8] = [0, 1, 0x7F, 0x80, 0x81, 0xFE, 0xFF, b'"'];

/// Flips, sets, copies, removes or inserts some bytes. A file that is not empty keeps at least one byte.
pub fn mutate(file: &mut Vec<u8>, choices: &mut Choices<'_>) {
    for _ in 0..=choices.small(6) {
        once(file, choices);
    }
}

/// Applies one mutation.
fn once(file: &mut Vec<u8>, choices: &mut Choices<'_>) {
    let length = file.len();
    if length == 0 {
        let added = 1 + choices.index(8);
        file.extend(choices.bytes(added));
        return;
    }
    let at = choices.index(length);
    let run = 1 + choices.index(MOST_ADDED.min(length - at));
    match choices.below(8) {
        0 => file[at] ^= 1 << choices.below(8),
        1 => file[at] = *choices.pick(&ODD),
        2 => file[at] = choices.below(256) as u8,
        3 => {
            let width = (1 << choices.below(4)).min(length - at);
            let number = (1_u64 << choices.below(64)).wrapping_add(choices.below(3)).wrapping_sub(1);
            let bytes = if choices.one_in(2) { number.to_le_bytes() } else { number.swap_bytes().to_le_bytes() };
            file[at..at + width].copy_from_slice(&bytes[..width]);
        }
        4 if run < length => drop(file.drain(at..at + run)),
        5 => {
            let bytes = file[at..at + run].to_vec();
            let to = choices.index(length + 1);
            file.splice(to..to, bytes);
        }
        6 => {
            let to = choices.index(length - run + 1);
            file.copy_within(at..at + run, to);
        }
        _ => {
            let added = 1 + choices.index(8);
            let bytes = choices.bytes(added);
            file.splice(at..at, bytes);
        }
    }
}
