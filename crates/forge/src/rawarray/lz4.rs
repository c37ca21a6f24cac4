//! A small LZ4 encoder whose output is the same on every machine. Libraries use hashes that depend on the word size.

/// The minimum length of a repetition.
const SHORTEST: usize = 4;

/// The number of literals at the end of a block, and the minimum distance of the last repetition from the end.
const ENDING: [usize; 2] = [5, 12];

/// The maximum distance of a repetition.
const WINDOW: usize = 0xFFFF;

/// The largest number in half a token.
const HALF: usize = 15;

/// Encodes these bytes as a block.
pub(crate) fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut block = Vec::new();
    let mut last = vec![usize::MAX; 1 << 12];
    let (mut at, mut begun) = (0, 0);
    while at + ENDING[1] <= bytes.len() {
        let four = bytes[at..at + SHORTEST].iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
        let slot = four.wrapping_mul(0x9E37_79B1) >> 20;
        let before = std::mem::replace(&mut last[slot as usize], at);
        let most = bytes.len() - ENDING[0] - at;
        let length = match before < at && at - before <= WINDOW {
            true => (0..most).take_while(|step| bytes[before + step] == bytes[at + step]).count(),
            false => 0,
        };
        if length < SHORTEST {
            at += 1;
            continue;
        }
        let literals = &bytes[begun..at];
        let more = length - SHORTEST;
        block.push((literals.len().min(HALF) << 4 | more.min(HALF)) as u8);
        lengthen(&mut block, literals.len());
        block.extend(literals);
        block.extend(((at - before) as u16).to_le_bytes());
        lengthen(&mut block, more);
        at += length;
        begun = at;
    }
    let literals = &bytes[begun..];
    block.push((literals.len().min(HALF) << 4) as u8);
    lengthen(&mut block, literals.len());
    block.extend(literals);
    block
}

/// Appends the rest of a number that does not fit into half a token.
fn lengthen(block: &mut Vec<u8>, number: usize) {
    let Some(mut rest) = number.checked_sub(HALF) else { return };
    while rest >= 255 {
        block.push(255);
        rest -= 255;
    }
    block.push(rest as u8);
}

/// Decodes a block; returns `None` unless it has exactly `length` bytes.
pub(crate) fn unpacked(block: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    let written = lz4_flex::block::decompress_into(block, &mut bytes).ok()?;
    (written == length).then_some(bytes)
}
