//! How the rules of archives are broken.

use super::super::craft::Breaker;

/// The breakers.
pub(crate) static BREAKERS: &[Breaker] = &[];
