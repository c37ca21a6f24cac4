//! Rules that a user names.

use super::near::nearest_by;
use ndbytes::Rule;

/// The rule of this name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    ndbytes::rules().find(|rule| rule.id == name)
}

/// The rule whose name is nearest to this one, if it is near at all.
pub fn near(name: &str) -> Option<&'static Rule> {
    let last = |id: &'static str| id.rsplit('/').next().unwrap_or(id);
    // A name without its format is a name, too.
    nearest_by(name, ndbytes::rules(), |rule| {
        strsim::osa_distance(name, rule.id).min(strsim::osa_distance(name, last(rule.id)))
    })
}
