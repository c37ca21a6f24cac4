//! Seeds for fuzzers: a few files that cover all features.

use ndbytes::{Format, Profile, Severity};
use ndbytes_forge::{Forge, Forged, Kind};
use std::collections::BTreeSet;

/// The maximum number of seeds of a kind.
const MOST: usize = 64;

/// Returns a property from `info` for each file.
fn described(seeds: &[Forged], what: impl Fn(&ndbytes::Info) -> String) -> BTreeSet<String> {
    let limits = ndbytes::Limits::default();
    let of = |seed: &Forged| {
        let input = ndbytes::Input::from_slice(&seed.bytes, limits);
        what(&ndbytes::info(input, &limits).expect("a valid file"))
    };
    seeds.iter().filter(|seed| seed.others.is_empty()).map(of).collect()
}

#[test]
fn seeds_are_few_and_most_have_items_or_rows() {
    for kind in Kind::ALL {
        let seeds = Forge::new(0).seeds(kind);
        let bytes: usize = seeds.iter().map(|seed| seed.bytes.len()).sum();
        println!("{kind}: {} seeds, {bytes} bytes", seeds.len());
        assert!((4..=MOST).contains(&seeds.len()), "{kind}: {}", seeds.len());
        let is_empty = |seed: &&Forged| {
            let opened = ndbytes::Options::new().from_slice(&seed.bytes);
            opened.and_then(ndbytes::File::into_array).is_ok_and(|array| array.shape().contains(&0))
        };
        let empty = seeds.iter().filter(is_empty).count();
        assert!(empty * 4 <= seeds.len(), "{kind}: {empty} of {} are empty", seeds.len());
    }
}

#[test]
fn seeds_of_npy_have_all_versions_orders_and_plain_types() {
    let seeds = Forge::new(0).seeds(Kind::Npy);
    assert_eq!(described(&seeds, |info| info.version.clone().unwrap()), ["1.0", "2.0", "3.0"].map(String::from).into());
    assert_eq!(
        described(&seeds, |info| info.array.as_ref().unwrap().order.into()),
        ["C", "F"].map(String::from).into()
    );
    let types = described(&seeds, |info| info.array.as_ref().unwrap().dtype.clone());
    for wanted in ["|b1", "|u1", "<i4", ">i4", "<f8", ">f8", "<c16"] {
        assert!(types.contains(wanted), "{wanted}: {types:?}");
    }
}

#[test]
fn seeds_of_b2nd_have_all_codecs() {
    let seeds = Forge::new(0).seeds(Kind::B2nd);
    let codec = |info: &ndbytes::Info| info.details["codec"].split(',').next().unwrap().to_owned();
    let codecs = described(&seeds, codec);
    for wanted in ["blosclz", "LZ4", "LZ4HC", "zlib", "zstd"] {
        assert!(codecs.contains(wanted), "{wanted}: {codecs:?}");
    }
}

#[test]
fn valid_files_of_profile_reference_are_accepted_by_it() {
    let checker = ndbytes::Checker::new().profile(Profile::Reference);
    for kind in Kind::ALL {
        let mut forge = Forge::new(5).profile(Profile::Reference);
        for _ in 0..100 {
            let made = forge.valid(kind);
            if made.others.is_empty() {
                let report = checker.check_slice(&made.bytes).unwrap();
                let refused = report.findings().iter().filter(|finding| finding.severity > Severity::Warning);
                // Reference readers do not unpack gzip themselves.
                let refused: Vec<_> = refused.map(|it| it.rule.id).filter(|id| *id != "gzip/compressed").collect();
                assert!(refused.is_empty(), "{kind}: {refused:?}");
            }
            // Its recipe reproduces it, whatever the profile.
            assert!(made.recipe.replay(None).unwrap().bytes == made.bytes);
        }
    }
    assert_eq!(Format::ALL.len() + 2, Kind::ALL.len(), "the kinds are the formats, gzip and zip");
}
