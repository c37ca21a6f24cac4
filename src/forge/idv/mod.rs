//! IDV.

mod agree;
mod assemble;
mod broken;
mod codecs;
mod draft;
mod inside;
mod operate;
mod rows;
mod stream;
mod table;
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

    fn content(&self, file: &[u8], spaces: &[Space], space: u32) -> Option<Vec<u8>> {
        inside::content(file, spaces, space)
    }

    fn pack(&self, file: &[u8], spaces: &[Space], space: u32, content: &[u8]) -> Option<Vec<u8>> {
        inside::packed(file, spaces, space, content)
    }

    fn operations(&self) -> &'static [&'static str] {
        &operate::NAMES
    }

    fn operate(&self, operation: &str, file: &[u8], choices: &mut Choices<'_>) -> Option<Vec<u8>> {
        operate::operate(operation, file, choices)
    }

    fn agree(&self, before: &[u8], after: &[u8], _fact: &str) -> Option<Vec<u8>> {
        agree::agree(before, after)
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
        &broken::BREAKERS
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

    #[test]
    fn temporary_breakers() {
        let mut wrong = std::collections::BTreeMap::new();
        let breakers = &super::broken::BREAKERS;
        for breaker in breakers.iter() {
            for seed in 0..60 {
                let Some(whole) = (breaker.from)(&mut Choices::seeded(seed)) else {
                    *wrong.entry((breaker.rule, "none".to_owned())).or_insert(0) += 1;
                    continue;
                };
                let report = crate::Checker::new().check_slice(&whole.bytes).unwrap();
                let found: std::collections::BTreeSet<&str> = report.findings().iter().map(|f| f.rule.id).collect();
                let allowed = breaker.rule == "idv/slot-names"
                    && found.contains("idv/old-version")
                    && found.contains("idv/slot-names")
                    && found.len() == 2;
                if !allowed && found.iter().copied().collect::<Vec<_>>() != [breaker.rule] {
                    *wrong.entry((breaker.rule, format!("{found:?}"))).or_insert(0) += 1;
                }
            }
        }
        for wrong in wrong {
            eprintln!("{wrong:?}");
        }
        for rule in crate::rules().filter(|rule| rule.id.starts_with("idv/")) {
            if !breakers.iter().any(|breaker| breaker.rule == rule.id) {
                eprintln!("no breaker: {}", rule.id);
            }
        }
    }

    #[test]
    fn temporary_operations() {
        use std::collections::BTreeMap;
        let mut tally: BTreeMap<&str, (u32, u32, u32)> = BTreeMap::new();
        let mut rules: BTreeMap<(&str, String), u32> = BTreeMap::new();
        for seed in 0..300 {
            let file = valid(&mut Choices::seeded(seed), 4096).bytes;
            for name in super::operate::NAMES {
                let counts = tally.entry(name).or_default();
                counts.0 += 1;
                let Some(made) = super::operate::operate(name, &file, &mut Choices::seeded(seed * 7 + 1)) else {
                    continue;
                };
                counts.1 += 1;
                let report = crate::Checker::new().profile(crate::Profile::Reference).check_slice(&made).unwrap();
                let report2 = crate::Checker::new().check_slice(&made).unwrap();
                let errors: Vec<_> =
                    report2.findings().iter().filter(|f| f.severity == crate::Severity::Error).collect();
                if errors.is_empty() {
                    counts.2 += 1
                }
                for e in errors {
                    *rules.entry((name, e.rule.id.to_owned())).or_default() += 1;
                }
                let _ = report;
            }
        }
        for (name, counts) in tally {
            eprintln!("{name}: {counts:?}");
        }
        for (name, counts) in rules {
            eprintln!("{name:?}: {counts:?}");
        }
    }

    fn walk(folder: &str, visit: &mut dyn FnMut(&str, &[u8])) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(path.to_str().unwrap(), visit)
            } else if path.extension().is_some_and(|e| e == "idv") {
                visit(path.to_str().unwrap(), &std::fs::read(&path).unwrap())
            }
        }
    }

    #[test]
    fn temporary_identity() {
        let visit = &mut |path: &str, file: &[u8]| {
            let Some(draft) = Draft::take_apart(file) else {
                if path.contains("/ok/") || path.contains("frozen") {
                    eprintln!("{path}: none");
                }
                return;
            };
            if draft.put_together() != file {
                eprintln!("{path}: other bytes");
            }
        };
        walk("tests/corpus/idv", visit);
        walk("tests/frozen/idv", visit);
    }
}
