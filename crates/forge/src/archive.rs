//! Zip archives with files stored unchanged, for corpora.

use super::zip::{FileParts, Member, put_together};

/// Creates an archive of uncompressed files; `None` if there are too many, or if they are too long. The same files
/// produce the same archive.
///
/// ```
/// let files = [("a.txt".to_owned(), b"first".to_vec()), ("b.txt".to_owned(), b"second".to_vec())];
/// let zip = ndbytes_forge::archive(&files).unwrap();
/// assert!(zip.starts_with(b"PK\x03\x04"));
/// assert_eq!(ndbytes_forge::archive(&files), Some(zip)); // no times, nothing random
/// ```
pub fn archive(files: &[(String, Vec<u8>)]) -> Option<Vec<u8>> {
    u16::try_from(files.len()).ok()?;
    let members: Vec<Member> =
        files.iter().map(|(name, bytes)| Member::stored(name.as_bytes(), bytes.clone())).collect();
    let order = (0..members.len()).collect();
    let archive = put_together(&FileParts { members, order, comment: Vec::new(), signature: None, large: None });
    u32::try_from(archive.len()).is_ok().then_some(archive)
}
