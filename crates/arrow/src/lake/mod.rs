//! Many files at once: their findings, what they are, and their columns, as tables.
