//! The entries of an archive by name, regardless of their content.

use super::directory::{Directory, Entry, text};
use super::local::{judge, local};
use super::unpack::Unpacker;
use crate::bytes::input::Input;
use crate::bytes::limits::{Debit, Limits};
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use std::collections::BTreeMap;
use std::ops::Bound;

/// The memory for each entry in bytes, in addition to its name.
const COST: u64 = 256;

/// The entries of an archive. Each entry is checked when it is read.
#[derive(Debug)]
pub struct Entries<'a> {
    input: Input<'a>,
    limits: Limits,
    /// The entries by name. If several have the same name, the last one takes precedence.
    entries: BTreeMap<Box<str>, Entry>,
}

impl<'a> Entries<'a> {
    /// Reads the directory of an archive.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it cannot be read; [`Error::Limit`].
    pub fn read(input: Input<'a>, limits: Limits) -> Result<Self> {
        let mut entries = BTreeMap::new();
        {
            let debit = Debit::new(input.budget());
            let directory = Directory::read(&input, &debit, &mut Findings::default())?;
            for entry in directory.entries.into_iter().filter(|entry| !entry.is_hidden) {
                debit.take(COST + 2 * entry.name.len() as u64, "the entries of an archive")?;
                entries.insert(text(&entry.name).into(), entry);
            }
        }
        Ok(Entries { input, limits, entries })
    }

    /// The archive.
    pub fn input(&self) -> &Input<'a> {
        &self.input
    }

    /// The names that begin with a prefix, in order.
    pub fn names(&self, prefix: &str) -> impl Iterator<Item = &str> {
        let from = self.entries.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
        let prefix = prefix.to_owned();
        from.map(|(name, _)| &**name).take_while(move |name| name.starts_with(&prefix))
    }

    /// The bytes of an entry; `None` if there is no entry with this name.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the entry breaks a rule of archives; [`Error::Limit`].
    pub fn get(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(entry) = self.entries.get(name) else { return Ok(None) };
        if let Some(finding) = entry.claims.closed() {
            return Err(finding.into());
        }
        let local = local(&self.input, entry)?.map_err(Error::Invalid)?;
        judge(entry, &local)?;
        let budget = self.input.fresh_budget(self.limits);
        let bytes = Unpacker::new().unpack(&entry.claims, &self.input, local.packed, &budget)?;
        Ok(Some(bytes.as_slice().to_vec()))
    }
}
