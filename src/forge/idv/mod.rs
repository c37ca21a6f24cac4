//! IDV.

mod assemble;
mod codecs;
mod draft;
mod rows;
mod stream;
mod valid;
mod values;

use super::craft::{Breaker, Craft};
use super::kind::Kind;
use super::map;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar};
use everybyte::map::Space;
use everybyte::{Book, Endian};
use std::sync::LazyLock;

/// What IDV brings to the forge.
pub(super) static CRAFT: LazyLock<Idv> = LazyLock::new(|| Idv { books: map::books(Kind::Idv) });

pub(super) struct Idv {
    books: Vec<Book>,
}

impl Grammar for Idv {
    fn name(&self) -> &str {
        Kind::Idv.name()
    }

    fn books(&self) -> &[Book] {
        &self.books
    }

    fn byte_order(&self, _file: &[u8]) -> Endian {
        Endian::Little
    }

    fn map(&self, file: &[u8]) -> Vec<Space> {
        map::map(file)
    }
}

impl Craft for Idv {
    fn kind(&self) -> Kind {
        Kind::Idv
    }

    fn valid(&self, choices: &mut Choices<'_>, size: usize) -> Whole {
        valid::valid(choices, size)
    }

    fn breakers(&self) -> &'static [Breaker] {
        &[]
    }
}

#[cfg(test)]
mod tests {
    use super::draft::Draft;
    use super::valid::valid;
    use crate::forge::whole::Content;
    use everybyte::forge::Choices;

    #[test]
    fn temporary_probe() {
        let mut lengths = Vec::new();
        for seed in 0..10_000 {
            let whole = valid(&mut Choices::seeded(seed), 4096);
            let report = crate::Checker::new().check_slice(&whole.bytes).unwrap();
            assert!(report.findings().is_empty(), "{seed}: {report:?}");
            lengths.push(whole.bytes.len());
            let table = crate::idv::from_slice(&whole.bytes).unwrap();
            let Content::Table { rows, columns } = whole.content else { panic!() };
            assert_eq!(table.rows(), rows);
            for (name, values) in columns {
                let read = table.column(&name).unwrap().read().unwrap();
                assert!(read.is_identical(&values), "{seed} {name}: {read:?} {values:?}");
            }
            let again = Draft::take_apart(&whole.bytes).unwrap().put_together();
            assert_eq!(again, whole.bytes, "{seed}");
        }
        lengths.sort();
        eprintln!("median {} 90% {} max {}", lengths[5000], lengths[9000], lengths[9999]);
    }

    fn walk(folder: &str, visit: &mut dyn FnMut(&str, &[u8])) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { walk(path.to_str().unwrap(), visit) }
            else if path.extension().is_some_and(|e| e == "idv") { visit(path.to_str().unwrap(), &std::fs::read(&path).unwrap()) }
        }
    }

    #[test]
    fn temporary_identity() {
        let visit = &mut |path: &str, file: &[u8]| {
            let Some(draft) = Draft::take_apart(file) else { if path.contains("/ok/") || path.contains("frozen") { eprintln!("{path}: none"); } return };
            if draft.put_together() != file { eprintln!("{path}: other bytes"); }
        };
        walk("tests/corpus/idv", visit);
        walk("tests/frozen/idv", visit);
    }
}
