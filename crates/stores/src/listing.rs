//! Lists the objects in a directory, or those that match a pattern.

use crate::answer::refused;
use crate::cloud;
use crate::options::Options;
use crate::runtime::wait;
use crate::url::{WILD, unfit};
use futures_util::StreamExt;
use glob::{MatchOptions, Pattern};
use ndbytes::Limits;
use ndbytes::stores::{Listed, Stat};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStore};
use std::io;
use std::sync::Arc;

/// Lists the objects that match a pattern, or that are below a directory, sorted by URL.
///
/// # Errors
/// Fails if the store cannot be listed, the pattern is not valid, or the names exceed the memory limit.
pub fn list(url: &str, options: &Options, limits: Limits) -> io::Result<Vec<Listed>> {
    let (store, base, path) = cloud::find(url, options)?;
    let pattern = match path.contains(WILD) {
        true => Some(Pattern::new(path).map_err(|error| unfit(format!("{url:?} is not a pattern: {error}")))?),
        false => None,
    };
    // All matching names share the part before the first wildcard.
    let wild = path.find(WILD).unwrap_or(path.len());
    let folder = path[..wild].rfind('/').map_or("", |end| &path[..end]);
    let folder = Path::parse(folder).map_err(|error| unfit(error.to_string()))?;
    let mut found = objects(store, folder, pattern, limits)?;
    found.sort_unstable_by(|one, other| one.url.cmp(&other.url));
    for file in &mut found {
        file.url.insert_str(0, &base);
    }
    Ok(found)
}

fn objects(
    store: Arc<dyn ObjectStore>,
    folder: Path,
    pattern: Option<Pattern>,
    limits: Limits,
) -> io::Result<Vec<Listed>> {
    const SEPARATED: MatchOptions =
        MatchOptions { require_literal_separator: true, case_sensitive: true, require_literal_leading_dot: false };
    wait(limits.time_left(), async move {
        let (mut found, mut held) = (Vec::new(), 0);
        let mut objects = store.list(Some(&folder));
        while let Some(object) = objects.next().await {
            let ObjectMeta { location, last_modified, size, .. } = object?;
            let object = location.to_string();
            if pattern.as_ref().is_some_and(|pattern| !pattern.matches_with(&object, SEPARATED)) {
                continue;
            }
            held += (size_of::<Listed>() + object.len()) as u64;
            if held > limits.memory {
                return Err(refused(format!(
                    "the names of the objects exceed the memory limit of {} bytes",
                    limits.memory
                )));
            }
            found.push(Listed::new(object).stat(Stat { length: size, modified: Some(last_modified.into()) }));
        }
        Ok(found)
    })
}
