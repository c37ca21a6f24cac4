//! Compares ndbytes' inflate with flate2's, for one stream at a time and for two.

use flate2::{Decompress, FlushDecompress, Status};
use ndbytes_codecs::inflate::{InflateError, Inflated, Inflater, inflate_pair};

/// Asserts that two streams inflate to the same bytes as in flate2. The first bytes of the input determine where the
/// second stream begins, and how much too short or too long the outputs are.
pub fn examine(bytes: &[u8]) {
    let Some((&[split, difference_a, difference_b], streams)) = bytes.split_first_chunk() else { return };
    let (a, b) = streams.split_at(streams.len() * usize::from(split) / 255);
    let (Some(expected_a), Some(expected_b)) = (Expected::of(a), Expected::of(b)) else { return };
    let mut output_a = expected_a.room(difference_a);
    let mut output_b = expected_b.room(difference_b);

    let mut inflaters = [Inflater::new(), Inflater::new()];
    let outcomes = inflate_pair(&mut inflaters, [a, b], [&mut output_a, &mut output_b]);
    expected_a.compare(outcomes[0], a, &output_a);
    expected_b.compare(outcomes[1], b, &output_b);

    // The result is the same with reused tables.
    output_a.fill(0xaa);
    output_b.fill(0xaa);
    assert_eq!(inflaters[1].inflate(a, &mut output_a), outcomes[0]);
    assert_eq!(inflaters[1].inflate(b, &mut output_b), outcomes[1]);
    expected_a.compare(outcomes[0], a, &output_a);
    expected_b.compare(outcomes[1], b, &output_b);
}

/// flate2's result for a stream.
struct Expected {
    verdict: Verdict,
    consumed: usize,
    output: Vec<u8>,
}

#[derive(Debug, PartialEq)]
enum Verdict {
    Whole,
    Truncated,
    Corrupt,
}

impl Expected {
    /// Inflates a stream; `None` if the result is too long.
    fn of(input: &[u8]) -> Option<Self> {
        let mut output = vec![0; 1 << 20];
        let mut decompress = Decompress::new(false);
        let verdict = match decompress.decompress(input, &mut output, FlushDecompress::Finish) {
            Ok(Status::StreamEnd) => Verdict::Whole,
            Ok(_) => Verdict::Truncated,
            Err(_) => Verdict::Corrupt,
        };
        let length = decompress.total_out() as usize;
        if length == output.len() {
            return None;
        }
        output.truncate(length);
        Some(Expected { verdict, consumed: decompress.total_in() as usize, output })
    }

    fn room(&self, difference: u8) -> Vec<u8> {
        vec![0xaa; self.output.len().saturating_add_signed((difference as i8).into())]
    }

    fn compare(&self, outcome: Result<Inflated, InflateError>, input: &[u8], output: &[u8]) {
        let written = match (outcome, &self.verdict) {
            (Ok(Inflated { consumed, written }), Verdict::Whole) => {
                assert_eq!(consumed, self.consumed);
                written
            }
            (Err(InflateError::Truncated { written }), Verdict::Truncated) => written,
            (Err(InflateError::Corrupt { written, consumed }), verdict) => {
                assert!(consumed <= input.len());
                if *verdict == Verdict::Truncated {
                    // flate2 needs more input before it refuses an empty code.
                    let more = Expected::of(&[input, &[0; 100]].concat()).expect("no more than before");
                    assert_eq!(more.verdict, Verdict::Corrupt);
                } else {
                    assert_eq!(*verdict, Verdict::Corrupt);
                }
                written
            }
            (Err(InflateError::TooLong {}), verdict) => {
                let longer = if *verdict == Verdict::Truncated { 0 } else { 1 };
                assert!(output.len() + longer <= self.output.len());
                output.len()
            }
            (outcome, verdict) => panic!("{outcome:?} but {verdict:?}"),
        };
        assert!(output[..written] == self.output[..written], "not the same bytes");
        assert!(written == output.len() || written == self.output.len(), "{written} bytes");
    }
}
