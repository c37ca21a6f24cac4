//! The same bytes at a path, under a name, in an archive, in a store, in a directory of chunks, and at a URL.

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
use crate::share::ask_one_of;
use asked::Asked;
use ndbytes::Checker;

/// The questions, one of which is asked for each input.
const QUESTIONS: [fn(&Asked<'_>, &mut Random); 6] =
    [ways::examine, named::examine, archive::examine, store::examine, frame::examine, memory::examine];

/// Asserts that bytes have the same report and content as in memory, wherever they are.
pub fn examine(bytes: &[u8]) {
    let mut random = Random::of(bytes);
    let folder = Folder::new();
    let report = Checker::new().limits(limits()).check_slice(bytes).expect("bytes in memory can be read");
    let asked = Asked { bytes, report, folder: &folder };
    ask_one_of(QUESTIONS, &mut random, |question, random| question(&asked, random));
}
