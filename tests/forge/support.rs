//! What the tests of all kinds share.
