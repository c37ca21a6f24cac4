//! The objects that a folder or a pattern stands for.

use crate::answer::refused;
use crate::cloud;
use crate::options::Options;
use crate::runtime::wait;
use crate::url::{WILD, unfit};
use futures_util::StreamExt;
use glob::{MatchOptions, Pattern};
use ndbytes::Limits;
use object_store::ObjectStore;
use object_store::path::Path;
use std::io;
use std::sync::Arc;

/// The URLs of the objects that fit a pattern, or that are below a folder, sorted.
///
/// # Errors
/// If the store cannot be listed, the pattern is none, or the names take more memory than is granted.
pub fn list(url: &str, options: &Options, limits: Limits) -> io::Result<Vec<String>> {
    let (store, base, path) = cloud::find(url, options)?;
    let pattern = match path.contains(WILD) {
        true => Some(Pattern::new(path).map_err(|error| unfit(format!("{url:?} is no pattern: {error}")))?),
        false => None,
    };
    // What is before the first wild part is the same in all names.
    let wild = path.find(WILD).unwrap_or(path.len());
    let folder = path[..wild].rfind('/').map_or("", |end| &path[..end]);
    let folder = Path::parse(folder).map_err(|error| unfit(error.to_string()))?;
    let mut found = objects(store, folder, pattern, limits)?;
    found.sort_unstable();
    Ok(found.into_iter().map(|path| format!("{base}{path}")).collect())
}

fn objects(
    store: Arc<dyn ObjectStore>,
    folder: Path,
    pattern: Option<Pattern>,
    limits: Limits,
) -> io::Result<Vec<String>> {
    const SEPARATED: MatchOptions =
        MatchOptions { require_literal_separator: true, case_sensitive: true, require_literal_leading_dot: false };
    wait(limits.time_left(), async move {
        let (mut found, mut held) = (Vec::new(), 0);
        let mut objects = store.list(Some(&folder));
        while let Some(object) = objects.next().await {
            let object = object?.location.to_string();
            if pattern.as_ref().is_some_and(|pattern| !pattern.matches_with(&object, SEPARATED)) {
                continue;
            }
            held += (size_of::<String>() + object.len()) as u64;
            if held > limits.memory {
                return Err(refused(format!(
                    "the names of the objects take more than the {} bytes that are granted",
                    limits.memory
                )));
            }
            found.push(object);
        }
        Ok(found)
    })
}
