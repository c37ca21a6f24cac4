//! Stores that a program registers.

use object_store::ObjectStore;
use std::sync::{Arc, PoisonError, RwLock};

/// Stores that the program registered, by the prefixes of their URLs.
static REGISTERED: RwLock<Vec<(String, Arc<dyn ObjectStore>)>> = RwLock::new(Vec::new());

/// Makes the objects of a store readable under URLs that begin with `prefix`, such as `memory://bucket/`, in the whole
/// process. If a prefix is registered more than once, the last store is used.
pub fn register(prefix: impl Into<String>, store: Arc<dyn ObjectStore>) {
    REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push((prefix.into(), store));
}

/// Returns the store that was registered for a URL, its prefix, and the path in the store.
pub fn registered(url: &str) -> Option<(Arc<dyn ObjectStore>, String, &str)> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    registered.iter().rev().find_map(|(prefix, store)| {
        let path = url.strip_prefix(prefix.as_str())?;
        Some((store.clone(), prefix.clone(), path))
    })
}

/// Returns whether a store was registered for a scheme.
pub fn is_registered(scheme: &str) -> bool {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    registered.iter().any(|(prefix, _)| prefix.strip_prefix(scheme).is_some_and(|rest| rest.starts_with("://")))
}
