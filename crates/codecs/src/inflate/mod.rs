//! Inflate (RFC 1951), for streams in memory whose inflated length is known in advance.
//!
//! Two loops alternate. The fast one (`fast`) decodes symbols while there is enough input and room, and stops before
//! any case that it does not handle. These are the end of a block, the ends of the buffers, and any error. The careful
//! one (`Stream::advance`) then does one step, or reports the error. It refuses exactly what zlib refuses.

mod code;
mod fast;
mod stream;
#[cfg(test)]
mod tests;

pub use stream::{InflateError, Inflated, Inflater};

use stream::Stream;

impl Inflater {
    /// Inflates the stream at the beginning of the input. It is not an error if the stream ends before the output is
    /// full.
    pub fn inflate(&mut self, input: &[u8], output: &mut [u8]) -> Result<Inflated, InflateError> {
        finish(Stream::new(self, input, output), Ok(true))
    }
}

/// Inflates two streams at the same time: while one waits for an entry of a table, the other one proceeds.
pub fn inflate_pair(
    [a, b]: &mut [Inflater; 2],
    [input_a, input_b]: [&[u8]; 2],
    [output_a, output_b]: [&mut [u8]; 2],
) -> [Result<Inflated, InflateError>; 2] {
    let (mut a, mut b) = (Stream::new(a, input_a, output_a), Stream::new(b, input_b, output_b));
    loop {
        if a.coded && b.coded {
            fast::run_pair(&mut a, &mut b);
        }
        let more = [a.advance(), b.advance()];
        if more != [Ok(true); 2] {
            return [finish(a, more[0]), finish(b, more[1])];
        }
    }
}

/// Inflates the rest; `more` is the result of the previous step.
fn finish(mut stream: Stream<'_>, mut more: Result<bool, InflateError>) -> Result<Inflated, InflateError> {
    while more? {
        if stream.coded {
            fast::run(&mut stream);
        }
        more = stream.advance();
    }
    Ok(Inflated { consumed: stream.bit.div_ceil(8), written: stream.written })
}
