//! Zip archives of files as they are, for corpora.

use super::zip::{Draft, Member, put_together};

/// An archive of files, which are stored as they are; `None` if they are too many or too long for one. The same files give
/// the same archive.
pub fn archive(files: &[(String, Vec<u8>)]) -> Option<Vec<u8>> {
    u16::try_from(files.len()).ok()?;
    let members: Vec<Member> =
        files.iter().map(|(name, bytes)| Member::stored(name.as_bytes(), bytes.clone())).collect();
    let order = (0..members.len()).collect();
    let archive = put_together(&Draft { members, order, comment: Vec::new(), signature: None, large: None });
    u32::try_from(archive.len()).is_ok().then_some(archive)
}
