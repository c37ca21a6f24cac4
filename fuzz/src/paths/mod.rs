//! The same bytes at a path, under a name, in an archive, in a store, in a folder of chunks, and at an address.

mod archive;
mod asked;
mod frame;
mod memory;
mod named;
mod store;
mod ways;

use crate::bounds::limits;
use crate::random::Random;
use crate::scratch::Folder;
use crate::share::is_everything_asked;
use asked::Asked;
use ndbytes::Checker;

/// The questions. Each input is asked one of them.
const QUESTIONS: [fn(&Asked<'_>, &mut Random); 6] =
    [ways::examine, named::examine, archive::examine, store::examine, frame::examine, memory::examine];

/// Bytes have the report and the content of the same bytes in memory, wherever they are.
pub fn examine(bytes: &[u8]) {
    let mut random = Random::of(bytes);
    let folder = Folder::new();
    let report = Checker::new().limits(limits()).check_slice(bytes).expect("bytes in memory can be read");
    let asked = Asked { bytes, report, folder: &folder };
    let chosen = random.below(QUESTIONS.len() as u64) as usize;
    for (number, question) in QUESTIONS.iter().enumerate() {
        if number == chosen || is_everything_asked() {
            question(&asked, &mut random);
        }
    }
}
