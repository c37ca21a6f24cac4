//! What handles keep until they are closed.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, PoisonError, RwLock};

/// An open value. Callers that obtained it before it was closed keep it.
pub struct Held<T> {
    held: RwLock<Option<Arc<T>>>,
    /// Its name in messages, such as `array`.
    name: &'static str,
}

impl<T> Held<T> {
    pub fn new(name: &'static str, held: T) -> Self {
        Held { held: RwLock::new(Some(Arc::new(held))), name }
    }

    /// The value itself.
    ///
    /// # Errors
    /// `ValueError` if it is closed.
    pub fn get(&self) -> PyResult<Arc<T>> {
        self.peek().ok_or_else(|| {
            let name = self.name;
            PyValueError::new_err(format!(
                "the {name} is closed: open the file again, or use it inside the `with` block"
            ))
        })
    }

    /// The value itself; `None` if it is closed.
    pub fn peek(&self) -> Option<Arc<T>> {
        self.held.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Releases it. A second call does nothing.
    pub fn close(&self) {
        let held = self.held.write().unwrap_or_else(PoisonError::into_inner).take();
        // It is dropped when nobody waits for the lock.
        drop(held);
    }
}
