//! Differences of the members of two archives.
//!
//! Members are paired by name. A member without a partner may have been renamed. If another member without a partner
//! has the same digest of values, the two are paired and differ only in structure. The verdict on the archives is the
//! most serious one of their members.
//!
//! The sum of the unpacked lengths is bounded by the output limit: an archive of zeros unpacks to a thousand times
//! its length.

use super::options::Options;
use super::report::{Diff, MemberDiff};
use super::values::Values;
use super::verdict::Verdict;
use crate::digest::{self, Digest};
use everybyte::escape;
use ndbytes::archive::Archive;
use ndbytes::archive::Member;
use ndbytes::{Error, Input, Result};
use std::collections::{HashMap, HashSet, VecDeque};

/// How two members are compared; one of them may be missing.
type Compare<'c> = &'c dyn Fn(Option<&Input<'_>>, Option<&Input<'_>>, &Options) -> Result<Diff>;

/// Compares the members and derives the verdict on the archives from them.
pub(super) fn compare_members(
    a: &Archive<'_>,
    b: &Archive<'_>,
    options: &Options,
    found: &mut Diff,
    compare: Compare<'_>,
) -> Result<()> {
    let mut verdicts = Vec::new();
    let mut unpacked = 0_u64;
    let mut pairs = pairs(a, b);
    let renamed = renamed(a, b, &mut pairs, options)?;
    for RenamedPair { diff, name } in renamed {
        verdicts.push(Verdict::StructureDiffers);
        found.members.push(MemberDiff { name, diff });
    }
    for (name, in_a, in_b) in pairs {
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

/// Returns the result for members beyond the limit.
pub(super) fn too_long(options: &Options) -> Diff {
    let reason = "the previous members already reach the output limit";
    let values = Some(Values::incomparable(reason));
    Diff { values, ..Diff::between(None, None, Verdict::Incomparable, options) }
}

/// Returns the weight of a member's verdict in the verdict on the archive.
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

/// A name and the members with that name.
type Named<'m> = (&'m str, Option<&'m Member>, Option<&'m Member>);

/// Pairs the members of both archives, in the order of the first one, followed by the members that only the second one has. Members
/// with the same name are matched in order. If only one of the archives is a tensor file, `.npy` is removed from the names.
fn pairs<'m>(a: &'m Archive<'_>, b: &'m Archive<'_>) -> Vec<Named<'m>> {
    let is_mixed = a.file_of_tensors().is_some() != b.file_of_tensors().is_some();
    let name = |member: &'m Member| match member.name().strip_suffix(".npy") {
        Some(name) if is_mixed => name,
        _ => member.name(),
    };
    let mut others: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (place, member) in b.members().iter().enumerate() {
        others.entry(name(member)).or_default().push_back(place);
    }
    let mut is_alone = vec![true; b.members().len()];
    let mut pairs: Vec<Named<'m>> = Vec::new();
    for member in a.members() {
        let place = others.get_mut(name(member)).and_then(VecDeque::pop_front);
        if let Some(place) = place {
            is_alone[place] = false;
        }
        pairs.push((name(member), Some(member), place.map(|place| &b.members()[place])));
    }
    let added = b.members().iter().zip(is_alone).filter(|(_, is_alone)| *is_alone);
    pairs.extend(added.map(|(member, _)| (name(member), None, Some(member))));
    pairs
}

/// Two members with the same values under different names.
struct RenamedPair {
    name: String,
    diff: Diff,
}

/// Removes members without a partner from the pairs if the other archive has them under another name. Comparing such a
/// pair finds no differences in values.
fn renamed(
    a: &Archive<'_>,
    b: &Archive<'_>,
    pairs: &mut Vec<Named<'_>>,
    options: &Options,
) -> Result<Vec<RenamedPair>> {
    let lengths = |side: fn(&Named<'_>) -> Option<u64>| pairs.iter().filter_map(side).collect::<HashSet<u64>>();
    let removed = lengths(|(_, in_a, in_b)| if in_b.is_none() { in_a.map(Member::length) } else { None });
    let added = lengths(|(_, in_a, in_b)| if in_a.is_none() { in_b.map(Member::length) } else { None });
    let digest = |archive: &Archive<'_>, member: &Member| {
        let is_candidate = removed.contains(&member.length()) && added.contains(&member.length());
        match is_candidate.then(|| archive.load(member).and_then(|input| digest::values(&input, &options.limits))) {
            Some(Err(error @ (Error::Io { .. } | Error::Time { .. }))) => Err(error),
            Some(Ok(digest)) => Ok(Some(digest)),
            // Members that cannot be read are not known to be equal.
            None | Some(Err(_)) => Ok(None),
        }
    };
    let mut places: HashMap<Digest, VecDeque<usize>> = HashMap::new();
    for (place, (_, in_a, in_b)) in pairs.iter().enumerate() {
        if let (None, Some(member)) = (in_a, in_b)
            && let Some(digest) = digest(b, member)?
        {
            places.entry(digest).or_default().push_back(place);
        }
    }
    let (mut found, mut taken) = (Vec::new(), HashSet::new());
    for (place, (name, in_a, in_b)) in pairs.iter().enumerate() {
        let (Some(member), None) = (in_a, in_b) else { continue };
        let Some(digest) = digest(a, member)? else { continue };
        let Some(other) = places.get_mut(&digest).and_then(VecDeque::pop_front) else { continue };
        let mut diff = Diff::between(None, None, Verdict::Identical, options);
        diff.a.name = Some((*name).to_owned());
        diff.b.name = Some(pairs[other].0.to_owned());
        found.push(RenamedPair { name: pairs[other].0.to_owned(), diff });
        taken.extend([place, other]);
    }
    let mut place = 0..;
    pairs.retain(|_| place.next().is_some_and(|place| !taken.contains(&place)));
    Ok(found)
}

/// Compares a member. A member that cannot be unpacked cannot be compared.
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
            // If only one archive has a member, all of its fields are added or removed.
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
