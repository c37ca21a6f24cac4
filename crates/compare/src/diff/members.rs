//! Differences of the members of two archives.

use super::options::Options;
use super::report::{Diff, MemberDiff};
use super::values::Values;
use super::verdict::Verdict;
use everybyte::escape;
use ndbytes::archive::Archive;
use ndbytes::archive::Member;
use ndbytes::{Error, Input, Result};
use std::collections::{HashMap, VecDeque};

/// How two members are compared, of which one may be in one archive only.
type Compare<'c> = &'c dyn Fn(Option<&Input<'_>>, Option<&Input<'_>>, &Options) -> Result<Diff>;

/// Compares the members, and concludes from them about the archives.
pub(super) fn compare_members(
    a: &Archive<'_>,
    b: &Archive<'_>,
    options: &Options,
    found: &mut Diff,
    compare: Compare<'_>,
) -> Result<()> {
    let mut verdicts = Vec::new();
    let mut unpacked = 0_u64;
    for (name, in_a, in_b) in pairs(a, b) {
        let lengths = [in_a, in_b].into_iter().flatten().map(Member::length);
        unpacked = lengths.fold(unpacked, u64::saturating_add);
        let diff = match unpacked > options.limits.output {
            true => too_long(options),
            false => member(a, b, (in_a, in_b), options, compare)?,
        };
        verdicts.push(diff.verdict);
        match diff.verdict {
            Verdict::Identical => found.equal_members += 1,
            _ => found.members.push(MemberDiff { name: name.to_owned(), diff }),
        }
    }
    found.verdict = match verdicts.iter().copied().max_by_key(|verdict| weight(*verdict)) {
        None => Verdict::Incomparable,
        Some(Verdict::Identical) => Verdict::SameValues,
        Some(Verdict::OneSided) => Verdict::ValuesDiffer,
        Some(worst) => worst,
    };
    Ok(())
}

/// The differences of members beyond the limit.
fn too_long(options: &Options) -> Diff {
    let reason = "the members before it together are longer than may be written of one input";
    let values = Some(Values::incomparable(reason));
    Diff { values, ..Diff::between(None, None, Verdict::Incomparable, options) }
}

/// How much a member's verdict says about the archive.
fn weight(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Identical => 0,
        Verdict::SameStructure => 1,
        Verdict::SameValues => 2,
        Verdict::StructureDiffers => 3,
        Verdict::SameWithinTolerance => 4,
        Verdict::TypeDiffers => 5,
        Verdict::SameItemsOtherShape => 6,
        Verdict::Incomplete => 7,
        Verdict::Incomparable => 8,
        Verdict::OneSided | Verdict::ValuesDiffer => 9,
    }
}

/// A name, and the members of it.
type Named<'m> = (&'m str, Option<&'m Member>, Option<&'m Member>);

/// The members of the first archive with those of the second one, and then those that only the second one has. Several of
/// one name are matched in their order.
fn pairs<'m>(a: &'m Archive<'_>, b: &'m Archive<'_>) -> Vec<Named<'m>> {
    let mut others: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (place, member) in b.members().iter().enumerate() {
        others.entry(member.name()).or_default().push_back(place);
    }
    let mut is_alone = vec![true; b.members().len()];
    let mut pairs: Vec<Named<'m>> = Vec::new();
    for member in a.members() {
        let place = others.get_mut(member.name()).and_then(VecDeque::pop_front);
        if let Some(place) = place {
            is_alone[place] = false;
        }
        pairs.push((member.name(), Some(member), place.map(|place| &b.members()[place])));
    }
    let added = b.members().iter().zip(is_alone).filter(|(_, is_alone)| *is_alone);
    pairs.extend(added.map(|(member, _)| (member.name(), None, Some(member))));
    pairs
}

/// Compares a member. One that cannot be unpacked cannot be compared.
fn member(
    a: &Archive<'_>,
    b: &Archive<'_>,
    (in_a, in_b): (Option<&Member>, Option<&Member>),
    options: &Options,
    compare: Compare<'_>,
) -> Result<Diff> {
    let load = |archive: &Archive<'_>, member: Option<&Member>| match member.map(|member| archive.load(member)) {
        None => Ok(Ok(None)),
        Some(Ok(input)) => Ok(Ok(Some(input))),
        Some(Err(error @ (Error::Io { .. } | Error::Time { .. }))) => Err(error),
        Some(Err(error)) => Ok(Err(error)),
    };
    let mut found = match (load(a, in_a)?, load(b, in_b)?) {
        (Ok(one), Ok(other)) => {
            // The fields of a member that only one archive has are all added, or removed.
            let options = options.clone().structure(options.structure && one.is_some() && other.is_some());
            compare(one.as_ref(), other.as_ref(), &options)?
        }
        (Err(error), _) | (_, Err(error)) => {
            let mut found = Diff::between(None, None, Verdict::Incomparable, options);
            found.values = Some(Values::incomparable(escape(&error.to_string())));
            found
        }
    };
    for (side, member) in [(&mut found.a, in_a), (&mut found.b, in_b)] {
        side.name = member.map(|member| member.name().to_owned());
    }
    Ok(found)
}
