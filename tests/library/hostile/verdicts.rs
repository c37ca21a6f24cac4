//! Both verdicts agree: `check` reports an error if and only if reading everything in the file fails.

use ndbytes::archive::Opened;
use ndbytes::{Checker, Error, File, Finding, Input, Limits, Options, Result, Severity, Verdict};
use ndbytes_compare::digest;
use ndbytes_forge::{Forge, Kind, Mutation};
use ndbytes_testkit::corpus;

/// The number of mutants of each kind of file. The environment variable `NDBYTES_MUTANTS` sets another number.
const MUTANTS: u64 = 400;

fn limits() -> Limits {
    Limits::default().memory(64 << 20)
}

/// Reads all values of a file, and of each member of an archive.
fn read_everything(bytes: &[u8]) -> Result<()> {
    let archive = match Opened::from_input(Input::from_slice(bytes, limits()), limits())? {
        Opened::File(input) => return read(input),
        Opened::Archive(archive) => archive,
    };
    // A file of several tensors in an archive has its own members.
    archive.load_each().try_for_each(|(_, member)| match read(member?.again(limits())?) {
        Err(Error::Archive { .. }) => Ok(()),
        read => read,
    })?;
    match archive.findings().iter().find(|finding| finding.rule.severity == Some(Severity::Error)) {
        Some(error) => Err(error.clone().into()),
        None => Ok(()),
    }
}

fn read(input: Input<'_>) -> Result<()> {
    match Options::new().limits(limits()).read(input)? {
        File::Array(array) => array.bytes().map(drop),
        File::Table(table) => digest::of_table(&table).map(drop),
    }
}

/// Compares both verdicts. A limit is not a verdict on a file, so this returns false if one was reached.
fn assert_one_verdict(bytes: &[u8], what: &dyn Fn() -> String) -> bool {
    let report = Checker::new().limits(limits()).check_slice(bytes).expect("it is in memory");
    let read = read_everything(bytes);
    let is_limited = report.findings().iter().any(|finding| finding.rule.id == "limit-exceeded");
    if is_limited || matches!(read, Err(Error::Limit { .. })) {
        return false;
    }
    let found = || report.findings().iter().map(|finding| finding.to_string()).collect::<Vec<_>>();
    match read {
        // An archive without members has nothing to read, and may be valid.
        Err(Error::Archive { members, .. }) if members.is_empty() => {}
        Ok(()) => {
            // An entry of an `.npz` that is not at its stated offset is not a member, so only `check` examines it.
            let is_of_member = |finding: &&Finding| finding.rule.id != "zip/bad-entry" || finding.member.is_some();
            let worst = report.findings().iter().filter(is_of_member).map(|finding| finding.severity).max();
            assert_ne!(worst, Some(Severity::Error), "{}: read, although {:?}", what(), found());
        }
        Err(error) => {
            assert_eq!(report.verdict(), Verdict::Error, "{}: checked as {:?}, but refused: {error}", what(), found());
        }
    }
    true
}

#[test]
fn verdict_of_check_is_that_of_reading_everything_for_mutants_of_all_kinds() {
    let count = std::env::var("NDBYTES_MUTANTS").ok().map_or(MUTANTS, |number| number.parse().expect("a number"));
    for kind in Kind::ALL {
        let mut forge = Forge::new(31 + kind as u64);
        let mut judged = 0;
        for _ in 0..count {
            let valid = forge.valid(kind).bytes;
            let mutant =
                forge.mutate(&valid, &Mutation { count: 1..=3, max_len: valid.len() + 64, ..Mutation::default() });
            judged += u64::from(assert_one_verdict(&mutant.bytes, &|| format!("{kind}: {}", mutant.recipe)));
        }
        assert!(judged * 10 >= count * 9, "{kind}: limits were reached by {} of {count} mutants", count - judged);
    }
}

#[test]
fn verdict_of_check_is_that_of_reading_everything_for_every_file_of_the_corpus() {
    for sample in corpus::samples() {
        assert_one_verdict(&sample.bytes, &|| sample.to_string());
    }
}
