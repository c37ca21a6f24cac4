//! python-blosc2.

use super::Peers;
use super::frames;
use ndbytes::{Checker, Format, Verdict, b2nd};
use ndbytes_testkit::corpus;

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn blosc2_reads_what_the_library_writes() {
    let peers = Peers::find();
    let folder = tempfile::tempdir().unwrap();
    let written = frames::write_all(folder.path());
    let (mut failures, mut extended) = (Vec::new(), Vec::new());
    for (frame, found) in written.iter().zip(peers.read_frames(written.iter().map(|frame| &frame.path), false)) {
        if found != frame.expected() {
            failures.push(format!("{frame:?}: {}", frame.difference(&found)));
        }
        extended.extend(frame.is_extensible().then_some(frame));
    }
    // The data that python-blosc2 has added is also read here.
    for (frame, found) in extended.iter().zip(peers.read_frames(extended.iter().map(|frame| &frame.path), true)) {
        let expected = frame.extended();
        if found != expected.expected() {
            failures.push(format!("extended: {frame:?}: {}", expected.difference(&found)));
        }
        let array = b2nd::open(&frame.path).unwrap();
        if array.shape() != expected.shape || array.to_bytes().unwrap() != expected.items {
            failures.push(format!("extended, and read here: {frame:?}"));
        }
        let report = Checker::new().check(&frame.path).unwrap();
        if report.verdict() == Verdict::Error {
            failures.push(format!("extended: {frame:?}: {:?}", report.findings()));
        }
    }
    println!("{} files, {} of them extended", written.len(), extended.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn the_reference_profile_is_what_blosc2_does() {
    let peers = Peers::find();
    // Directories are also arrays.
    let arrays = corpus::everything().into_iter().filter(|sample| sample.format == Some(Format::B2nd));
    peers.check("b2nd_check.py", arrays.map(|sample| sample.path));
}
