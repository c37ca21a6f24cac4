//! The list of all rules.

use super::drivers::DRIVERS;
use crate::findings::contract::CONTRACT;
use crate::findings::finding::Finding;
use crate::findings::general::GENERAL;
use crate::findings::rule::{Reference, Rule, Scope};
use crate::format::Format;
use crate::gzip;
use crate::zip;

/// All rules: first the general ones, then those of contracts and containers, and finally those of the built-in formats.
///
/// ```
/// let rule = ndbytes::rules().find(|rule| rule.id == "npy/bad-magic").unwrap();
/// assert_eq!(rule.doc, "A file must begin with the byte 93 and the ASCII characters `NUMPY`.");
/// ```
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    let wraps = [GENERAL, CONTRACT, gzip::rules::ALL, zip::rules::ALL];
    let formats = DRIVERS.iter().flat_map(|driver| driver.rules.iter().copied());
    wraps.into_iter().chain(formats).flatten().copied()
}

/// The reader whose reaction to a finding in a file of this format is known.
pub fn reference_reader(finding: &Finding, format: Option<Format>) -> Option<&'static str> {
    match finding.rule.scope {
        Scope::Zip => finding.archive_of.and_then(zip::reader_of),
        _ => format.map(Format::reference_reader),
    }
}

/// The readers of archives, with their reactions to a violation of the rule; empty for a rule that is not about archives.
pub fn readers_of_archives(rule: &Rule) -> impl Iterator<Item = (&'static str, Reference)> {
    let reactions = rule.reactions.into_iter();
    reactions.flat_map(|reactions| {
        let reaction = move |content| Some((zip::reader_of(content)?, reactions.of(Some(content))));
        zip::CONTENTS.into_iter().filter_map(reaction)
    })
}

/// The reader whose reaction to violations of a rule is known; `None` for a rule about files of any format, or about
/// archives: see [`readers_of_archives`].
pub fn reference_reader_of(rule: &Rule) -> Option<&'static str> {
    match rule.scope {
        Scope::Format(format) => Some(format.reference_reader()),
        // For gzip files, the reader is that of the format inside.
        Scope::Gzip => Some("the format's reference reader"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::rules;
    use crate::findings::rule::{Reference, Scope, Severity};
    use crate::format::Format;
    use std::collections::HashSet;

    #[test]
    fn ids_begin_with_what_rules_are_about() {
        for rule in rules() {
            let room = match rule.scope {
                Scope::General => None,
                Scope::Format(format) => Some(format.to_string()),
                Scope::Gzip => Some("gzip".to_owned()),
                Scope::Zip => Some("zip".to_owned()),
                Scope::Contract => Some("contract".to_owned()),
            };
            assert_eq!(rule.id.split_once('/').map(|(room, _)| room), room.as_deref(), "{}", rule.id);
        }
    }

    #[test]
    fn ids_are_unique() {
        let mut seen = HashSet::new();
        assert!(rules().all(|rule| seen.insert(rule.id)));
    }

    #[test]
    fn texts_are_sentences_without_gaps() {
        for rule in rules() {
            let is_spaced = rule.doc.split(' ').all(|word| !word.is_empty() && word.trim() == word);
            assert!(is_spaced && rule.doc.ends_with('.'), "{}: {:?}", rule.id, rule.doc);
        }
    }

    /// The reference reader of tables is ML.NET: violations that it accepts can be tolerated.
    #[test]
    fn what_is_tolerable_of_a_table_is_what_ml_net_accepts() {
        for rule in rules().filter(|rule| rule.scope == Scope::Format(Format::Idv)) {
            let is_passed_over = rule.severity == Some(Severity::Error) && rule.reference == Reference::Accepts;
            assert_eq!(rule.is_tolerable(), is_passed_over, "{}", rule.id);
        }
    }
}
