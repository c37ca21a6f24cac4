//! Overlays: keys for fields of a specification that one may not edit, in a file beside it.

use crate::nearest::nearest;
use crate::place::{Flaw, Sound, flaw};
use crate::yaml::{Kind, Yaml};

/// The keys that an overlay may add: none of them moves a byte.
const KEYS: &[&str] = &["doc", "doc-ref", "valid"];

/// The most fields of an overlay: each is looked for in the specification.
const MOST: usize = 1000;

/// Adds the keys of an overlay to a specification. It is a map of paths of fields (`chunk::header.crc`, and `crc` alone for the
/// outermost type) to keys.
pub fn lay(over: Yaml, spec: &mut Yaml) -> Sound<()> {
    let Kind::Map(pairs) = over.kind else {
        return flaw(over.at, format!("an overlay is a map of fields; {} stands here", over.what()));
    };
    if pairs.len() > MOST {
        return flaw(over.at, format!("the overlay has more than {MOST} fields"));
    }
    for (path, added) in pairs {
        let Kind::Map(added) = added.kind else {
            return flaw(added.at, format!("`{}` is {}, not a map of keys", path.text(), added.what()));
        };
        let field = field(spec, &path)?;
        for (key, value) in added {
            let name = key.text();
            if !name.starts_with('-') && !KEYS.contains(&name) {
                let known = KEYS.join(", ");
                return flaw(key.at, format!("an overlay adds {known} and keys that begin with `-`, but not `{name}`"));
            }
            if field.get(name).is_some() {
                return flaw(key.at, format!("the specification says `{name}` of `{}` already", path.text()));
            }
            field.add(key, value);
        }
    }
    Ok(())
}

/// The field or the instance that a path leads to.
fn field<'y>(spec: &'y mut Yaml, path: &Yaml) -> Sound<&'y mut Yaml> {
    let text = path.text();
    let (types, name) = text.rsplit_once('.').unwrap_or(("", text));
    let mut own = spec;
    for inner in types.split("::").filter(|inner| !inner.is_empty()) {
        let types = own.value_mut("types");
        own = types.and_then(|types| types.value_mut(inner)).ok_or_else(|| Flaw {
            at: path.at,
            message: format!("the specification has no type `{inner}` there: `{text}`"),
        })?;
    }
    let place = own.get("seq").map(Yaml::items).unwrap_or_default().iter().position(|field| id(field) == name);
    let is_instance = own.get("instances").is_some_and(|instances| instances.get(name).is_some());
    let missing = |own: &Yaml| {
        let fields = own.get("seq").map(Yaml::items).unwrap_or_default().iter().map(id);
        let advice = nearest(name, fields).map_or_else(String::new, |near| format!("; there is `{near}`"));
        flaw(path.at, format!("the type has no field `{name}`{advice}"))
    };
    let found = match place {
        None if !is_instance => return missing(own),
        Some(place) => own.value_mut("seq").and_then(|seq| seq.item_mut(place)),
        None => own.value_mut("instances").and_then(|instances| instances.value_mut(name)),
    };
    found
        .filter(|field| matches!(field.kind, Kind::Map(_)))
        .ok_or_else(|| Flaw { at: path.at, message: format!("`{text}` is no map of keys in the specification") })
}

/// The name of a field of a sequence; empty if it has none.
fn id(field: &Yaml) -> &str {
    field.get("id").map_or("", Yaml::text)
}
