//! The properties that a replacement takes over from the file or folder before: owner, group, mode, extended attributes.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;

/// The properties of a file or folder.
#[derive(Debug)]
pub struct Likeness {
    #[cfg(unix)]
    path: PathBuf,
    metadata: Metadata,
}

impl Likeness {
    /// The properties of the file or folder at a path, or `None` if there is none.
    pub fn of(path: &Path) -> io::Result<Option<Likeness>> {
        let metadata = super::present(fs::metadata(path))?;
        Ok(metadata.map(|metadata| Likeness {
            #[cfg(unix)]
            path: path.to_owned(),
            metadata,
        }))
    }

    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Gives the properties to the replacement, as far as the system allows. Up to here, only the writer had access to it.
    #[cfg(unix)]
    pub fn give(&self, to: &File) -> io::Result<()> {
        use rustix::fs::{Gid, Uid};
        use std::os::unix::fs::{MetadataExt, PermissionsExt};

        let now = to.metadata()?;
        let (owner, group) = (Uid::from_raw(self.metadata.uid()), Gid::from_raw(self.metadata.gid()));
        let mut has_group = now.gid() == self.metadata.gid();
        if now.uid() != self.metadata.uid() || !has_group {
            // Only the system's administrator gives files away; a group can be one's own.
            has_group = rustix::fs::fchown(to, Some(owner), Some(group)).is_ok()
                || rustix::fs::fchown(to, None, Some(group)).is_ok();
        }
        let has_lists = attributes::copy(&self.path, to);
        // Content of another author must not run with the owner's rights. For a folder, these bits concern the
        // files that are made in it.
        let kept = if self.metadata.is_dir() { 0o7777 } else { 0o1777 };
        let mut mode = self.metadata.permissions().mode() & kept;
        if !has_group || !has_lists {
            // Another group must not get the old group's rights: it gets those of everybody.
            mode &= !0o070 | (mode & 0o007) << 3;
        }
        to.set_permissions(PermissionsExt::from_mode(mode))
    }

    /// Gives the properties to the replacement, as far as the system allows.
    #[cfg(not(unix))]
    pub fn give(&self, to: &File) -> io::Result<()> {
        if self.metadata.is_dir() { Ok(()) } else { to.set_permissions(self.metadata.permissions()) }
    }
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
mod attributes {
    use rustix::fs::{XattrFlags, fgetxattr, fremovexattr, fsetxattr, getxattr, listxattr};
    use std::ffi::CStr;
    use std::fs::File;
    use std::path::Path;

    /// No system has longer values, or longer lists of names.
    const MOST: usize = 64 << 10;

    /// The access control list, which extends the mode.
    const ACCESS: &CStr = c"system.posix_acl_access";

    /// Attributes that hold for the old content only: rights of a program, checksums, compressed content itself.
    const ABOUT_CONTENT: [&CStr; 5] =
        [c"security.capability", c"security.ima", c"security.evm", c"com.apple.ResourceFork", c"com.apple.decmpfs"];

    /// Copies extended attributes as far as the system allows. Returns whether the lists of rights are the same.
    pub fn copy(from: &Path, to: &File) -> bool {
        let (mut list, mut value) = (vec![0_u8; MOST], vec![0_u8; MOST]);
        let mut had_access = false;
        let mut has_access = true;
        let length = listxattr(from, list.as_mut_slice()).unwrap_or(0);
        for name in names(&list[..length]).filter(|name| !ABOUT_CONTENT.contains(name)) {
            let copied = getxattr(from, name, value.as_mut_slice())
                .and_then(|length| fsetxattr(to, name, &value[..length], XattrFlags::empty()));
            if name == ACCESS {
                (had_access, has_access) = (true, copied.is_ok());
            }
        }
        // A folder can give new entries a list that the old one does not have.
        if !had_access && fgetxattr(to, ACCESS, value.as_mut_slice()).is_ok() {
            has_access = fremovexattr(to, ACCESS).is_ok();
        }
        has_access
    }

    /// The names in a list, each of which ends with a zero.
    fn names(list: &[u8]) -> impl Iterator<Item = &CStr> {
        list.split_inclusive(|byte| *byte == 0).filter_map(|name| CStr::from_bytes_with_nul(name).ok())
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_vendor = "apple"))))]
mod attributes {
    /// Copies nothing: neither the standard library nor `rustix` copies attributes here.
    pub fn copy(_: &std::path::Path, _: &std::fs::File) -> bool {
        true
    }
}
