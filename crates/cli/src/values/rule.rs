//! Rules in the user's arguments.

use super::near::nearest_by;
use ndbytes::Rule;

/// Returns the rule with this name.
pub fn rule(name: &str) -> Option<&'static Rule> {
    ndbytes::rules().find(|rule| rule.id == name)
}

/// Returns the rule with the closest name, if it is close enough.
pub fn near(name: &str) -> Option<&'static Rule> {
    let last = |id: &'static str| id.rsplit('/').next().unwrap_or(id);
    // The name may also be given without its format.
    nearest_by(name, ndbytes::rules(), |rule| {
        strsim::osa_distance(name, rule.id).min(strsim::osa_distance(name, last(rule.id)))
    })
}
