//! Overlays: a separate file with keys for the fields of a specification that cannot be edited.
//!
//! An overlay can document and check fields of a specification from a gallery. It may only add keys that move no byte,
//! so a file is read the same way with and without it. A path that matches no field is an error instead of being
//! ignored, since the specification may have been updated.

use crate::nearest::nearest;
use crate::place::{LocatedError, SpecResult, error_at};
use crate::yaml::{Kind, Yaml};

/// The keys that an overlay may add. None of them moves a byte.
const KEYS: &[&str] = &["doc", "doc-ref", "valid"];

/// The maximum number of fields in an overlay, each of which is looked up in the specification.
const MOST: usize = 1000;

/// Adds the keys of an overlay to a specification. An overlay maps field paths (`chunk::header.crc`, or just `crc` in
/// the outermost type) to keys.
pub fn lay(over: Yaml, spec: &mut Yaml) -> SpecResult<()> {
    let Kind::Map(pairs) = over.kind else {
        return error_at(over.at, format!("an overlay must be a map of fields, found {}", over.what()));
    };
    if pairs.len() > MOST {
        return error_at(over.at, format!("the overlay has more than {MOST} fields"));
    }
    for (path, added) in pairs {
        let Kind::Map(added) = added.kind else {
            return error_at(added.at, format!("`{}` is {}, not a map of keys", path.text(), added.what()));
        };
        let field = field(spec, &path)?;
        for (key, value) in added {
            let name = key.text();
            if !name.starts_with('-') && !KEYS.contains(&name) {
                let known = KEYS.join(", ");
                return error_at(
                    key.at,
                    format!("an overlay adds {known} and keys that begin with `-`, but not `{name}`"),
                );
            }
            if field.get(name).is_some() {
                return error_at(key.at, format!("the specification already has `{name}` for `{}`", path.text()));
            }
            field.add(key, value);
        }
    }
    Ok(())
}

/// Returns the field or the instance that a path names.
fn field<'y>(spec: &'y mut Yaml, path: &Yaml) -> SpecResult<&'y mut Yaml> {
    let text = path.text();
    let (types, name) = text.rsplit_once('.').unwrap_or(("", text));
    let mut own = spec;
    for inner in types.split("::").filter(|inner| !inner.is_empty()) {
        let types = own.value_mut("types");
        own = types.and_then(|types| types.value_mut(inner)).ok_or_else(|| LocatedError {
            at: path.at,
            message: format!("the specification has no type `{inner}` in `{text}`"),
        })?;
    }
    let place = own.get("seq").map(Yaml::items).unwrap_or_default().iter().position(|field| id(field) == name);
    let is_instance = own.get("instances").is_some_and(|instances| instances.get(name).is_some());
    let missing = |own: &Yaml| {
        let fields = own.get("seq").map(Yaml::items).unwrap_or_default().iter().map(id);
        let advice = nearest(name, fields).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        error_at(path.at, format!("the type has no field `{name}`{advice}"))
    };
    let found = match place {
        None if !is_instance => return missing(own),
        Some(place) => own.value_mut("seq").and_then(|seq| seq.item_mut(place)),
        None => own.value_mut("instances").and_then(|instances| instances.value_mut(name)),
    };
    found.filter(|field| matches!(field.kind, Kind::Map(_))).ok_or_else(|| LocatedError {
        at: path.at,
        message: format!("`{text}` is not a map of keys in the specification"),
    })
}

/// Returns the name of a field in a sequence; empty if it has none.
fn id(field: &Yaml) -> &str {
    field.get("id").map_or("", Yaml::text)
}
