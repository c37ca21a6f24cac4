//! The properties that a replacement inherits from the previous file or directory: owner, group, mode and extended attributes.

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
    /// The properties of the file or directory at a path, or `None` if the path does not exist.
    pub fn of(path: &Path) -> io::Result<Option<Likeness>> {
        let metadata = super::present(fs::metadata(path))?;
        Ok(metadata.map(|metadata| Likeness {
            #[cfg(unix)]
            path: path.to_owned(),
            metadata,
        }))
    }

    /// The metadata of the previous file.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Copies the properties to the replacement, where the system allows it. Until then, only the writer can access the
    /// replacement.
    #[cfg(unix)]
    pub fn give(&self, to: &File) -> io::Result<()> {
        use rustix::fs::{Gid, Uid};
        use std::os::unix::fs::{MetadataExt, PermissionsExt};

        let now = to.metadata()?;
        let (owner, group) = (Uid::from_raw(self.metadata.uid()), Gid::from_raw(self.metadata.gid()));
        let mut has_group = now.gid() == self.metadata.gid();
        if now.uid() != self.metadata.uid() || !has_group {
            // Only an administrator can change the owner, but users can set a group that they belong to.
            has_group = rustix::fs::fchown(to, Some(owner), Some(group)).is_ok()
                || rustix::fs::fchown(to, None, Some(group)).is_ok();
        }
        let has_lists = attributes::copy(&self.path, to);
        // Content by another author must not run with the owner's rights. On a folder, these bits affect only new files in it.
        let kept = if self.metadata.is_dir() { 0o7777 } else { 0o1777 };
        let mut mode = self.metadata.permissions().mode() & kept;
        if !has_group || !has_lists {
            // Another group must not get the old group's rights: it gets those that everyone has.
            mode &= !0o070 | (mode & 0o007) << 3;
        }
        to.set_permissions(PermissionsExt::from_mode(mode))
    }

    /// Copies the properties to the replacement, where the system allows it.
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

    /// The maximum length of a value, and of a list of names, on any system.
    const MOST: usize = 64 << 10;

    /// The access control list, which extends the mode.
    const ACCESS: &CStr = c"system.posix_acl_access";

    /// Attributes that apply only to the old content: the rights of a program, checksums, and compressed content.
    const ABOUT_CONTENT: [&CStr; 5] =
        [c"security.capability", c"security.ima", c"security.evm", c"com.apple.ResourceFork", c"com.apple.decmpfs"];

    /// Copies extended attributes, where the system allows it. Returns whether the access control lists are equal.
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
        // New entries can inherit from their folder a list that the old entry did not have.
        if !had_access && fgetxattr(to, ACCESS, value.as_mut_slice()).is_ok() {
            has_access = fremovexattr(to, ACCESS).is_ok();
        }
        has_access
    }

    /// The names in a zero-terminated list.
    fn names(list: &[u8]) -> impl Iterator<Item = &CStr> {
        list.split_inclusive(|byte| *byte == 0).filter_map(|name| CStr::from_bytes_with_nul(name).ok())
    }
}

#[cfg(all(unix, not(any(target_os = "linux", target_vendor = "apple"))))]
mod attributes {
    /// Copies nothing, because neither the standard library nor `rustix` supports attributes here.
    pub fn copy(_: &std::path::Path, _: &std::fs::File) -> bool {
        true
    }
}
