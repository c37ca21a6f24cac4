//! How the rules of this kind are broken.

use super::super::craft::Breaker;

/// The breakers.
pub(crate) static BREAKERS: &[Breaker] = &[];
