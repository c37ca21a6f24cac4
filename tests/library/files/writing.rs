//! Files and directories that appear completely or not at all: what they keep of the ones they replace, links, and
//! concurrent writers.

use ndarray::{Array1, Array2};
use ndbytes::b2nd::{self, Writer};
use ndbytes::idx::StreamWriter;
use ndbytes::{Error, Limits, Verdict, replace_file};
use rustix::fs::{Uid, XattrFlags};
use rustix::io::Errno;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The mode of a file, including the bits beyond read, write and execute permissions.
fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Returns whether an error is this system error.
fn is(error: &io::Error, errno: Errno) -> bool {
    Errno::from_io_error(error) == Some(errno)
}

/// The unfinished files in a directory.
fn unfinished(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with(".ndbytes-")).collect()
}

fn sparse() -> Writer {
    Writer::new().chunks([10, 10]).blocks([10, 10]).sparse(true)
}

/// An array of one value. If several values are read, several writers have been mixed.
fn uniform(value: i64) -> Array2<i64> {
    // It is not quite uniform, because a chunk of one value is not a file.
    Array2::from_shape_fn((50, 10), |(row, column)| value * 1000 + ((row * 10 + column) % 7) as i64)
}

#[test]
fn the_mode_is_kept_and_lends_nobody_the_rights_of_the_owner() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    for (before, after) in [(0o600, 0o600), (0o444, 0o444), (0o4755, 0o755), (0o2750, 0o750), (0o6777, 0o777)] {
        let _ = fs::remove_file(&path);
        fs::write(&path, "old").unwrap();
        set_mode(&path, before);
        replace_file(&path, b"new").unwrap();
        assert_eq!((mode(&path), fs::read(&path).unwrap()), (after, b"new".to_vec()), "{before:o}");
    }
    // New files have the usual mode.
    let (new, other) = (folder.path().join("new"), folder.path().join("other"));
    replace_file(&new, b"new").unwrap();
    File::create(&other).unwrap();
    assert_eq!(mode(&new), mode(&other));
}

#[test]
fn nobody_else_can_open_what_replaces_a_private_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.idx");
    fs::write(&path, "old").unwrap();
    set_mode(&path, 0o640);
    let mut writer = StreamWriter::<u8>::create(&path, &[1000]).unwrap();
    (0..1000).for_each(|_| writer.push_slice(&[7; 1000]).unwrap());
    let [begun] = &unfinished(folder.path())[..] else { panic!("one file has begun") };
    assert_eq!(mode(begun), 0o600);
    writer.finish().unwrap();
    assert_eq!(mode(&path), 0o640);
}

#[test]
fn extended_attributes_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (path, frame) = (folder.path().join("a"), folder.path().join("a.b2nd"));
    fs::write(&path, "old").unwrap();
    sparse().write(&frame, &uniform(1)).unwrap();
    let inner = frame.join("chunks.b2frame");
    for path in [&path, &frame, &inner] {
        rustix::fs::setxattr(path, "user.origin", b"a station", XattrFlags::empty()).unwrap();
    }
    replace_file(&path, b"new").unwrap();
    sparse().write(&frame, &uniform(2)).unwrap();
    for path in [&path, &frame, &inner] {
        let mut value = [0; 100];
        let length = rustix::fs::getxattr(path, "user.origin", value.as_mut_slice()).unwrap();
        assert_eq!(&value[..length], b"a station", "{}", path.display());
    }
}

#[test]
fn lists_of_rights_are_kept() {
    const ACCESS: &str = "system.posix_acl_access";
    // The owner may read and write, user 12345 may read, the group has no permissions, the mask is read, and others have none.
    let entries =
        [(0x01, 6, u32::MAX), (0x02, 4, 12345), (0x04, 0, u32::MAX), (0x10, 4, u32::MAX), (0x20, 0, u32::MAX)];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, id) in entries {
        let [tag, rights] = [tag, rights].map(u16::to_le_bytes);
        list.extend([&tag[..], &rights, &u32::to_le_bytes(id)].concat());
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    fs::write(&path, "old").unwrap();
    rustix::fs::setxattr(&path, ACCESS, &list, XattrFlags::empty()).unwrap();
    replace_file(&path, b"new").unwrap();
    let mut value = [0; 100];
    let length = rustix::fs::getxattr(&path, ACCESS, value.as_mut_slice()).unwrap();
    assert_eq!(value[..length], list);
    assert_eq!(mode(&path), 0o640, "the mask stands where the group does");
}

#[test]
fn owner_and_group_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (path, frame) = (folder.path().join("a"), folder.path().join("a.b2nd"));
    fs::write(&path, "old").unwrap();
    sparse().write(&frame, &uniform(1)).unwrap();
    let mut all = vec![path.clone(), frame.clone(), frame.join("chunks.b2frame")];
    // Only root can give files to another owner.
    let (owner, group) = match rustix::process::geteuid() {
        Uid::ROOT => (12345, 54321),
        own => (own.as_raw(), rustix::process::getegid().as_raw()),
    };
    for path in &all {
        chown(path, Some(owner), Some(group)).unwrap();
    }
    replace_file(&path, b"new").unwrap();
    sparse().write(&frame, &uniform(2)).unwrap();
    all.push(frame.join("00000000.chunk"));
    for path in &all {
        let metadata = fs::metadata(path).unwrap();
        assert_eq!((metadata.uid(), metadata.gid()), (owner, group), "{}", path.display());
    }
}

#[test]
fn links_are_followed_to_their_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("inner")).unwrap();
    symlink("second", path("first")).unwrap();
    symlink(path("inner/third"), path("second")).unwrap();
    symlink("../target", path("inner/third")).unwrap();
    for content in ["dangling", "there"] {
        replace_file(path("first"), content.as_bytes()).unwrap();
        assert_eq!(fs::read_to_string(path("target")).unwrap(), content);
        assert!(["first", "second", "inner/third"].iter().all(|link| path(link).is_symlink()));
    }
    symlink("frame", path("to-frame")).unwrap();
    for value in 0..2 {
        sparse().write(path("to-frame"), &uniform(value)).unwrap();
        assert!(path("to-frame").is_symlink() && path("frame/chunks.b2frame").is_file());
    }
    symlink("round", path("about")).unwrap();
    symlink("about", path("round")).unwrap();
    let round = replace_file(path("round"), b"");
    assert!(matches!(&round, Err(Error::Io { source, .. }) if is(source, Errno::LOOP)), "{round:?}");
    assert!(unfinished(folder.path()).is_empty());
}

#[test]
fn a_name_that_somebody_else_has_taken_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.idx");
    let begun = StreamWriter::<u8>::create(&path, &[1]).unwrap();
    let [slot] = &unfinished(folder.path())[..] else { panic!("one file has begun") };
    let slot = slot.clone();
    drop(begun);
    // A dangling link in place of the new file is neither followed nor removed.
    let precious = folder.path().join("precious");
    fs::write(&precious, "mine").unwrap();
    symlink(&precious, &slot).unwrap();
    ndbytes::idx::write(&path, &Array1::<u8>::zeros(10)).unwrap();
    assert_eq!(fs::read_to_string(&precious).unwrap(), "mine");
    assert!(slot.is_symlink());
    assert_eq!(ndbytes::idx::open(&path).unwrap().shape(), [10]);
}

/// The number of times that each thread writes.
const ROUNDS: i64 = 40;

/// Lets several writers replace the same file or directory many times. All must succeed. In the meantime, readers read
/// it repeatedly.
fn race(path: &Path, write: impl Fn(i64) -> ndbytes::Result<()> + Sync, read: impl Fn() + Sync) {
    write(0).unwrap();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let writers: Vec<_> = (1..=2)
            .map(|writer| {
                let write = &write;
                scope.spawn(move || {
                    (0..ROUNDS).for_each(|step| write(writer + 10 * step).unwrap());
                })
            })
            .collect();
        let readers: Vec<_> = (0..2)
            .map(|_| {
                let (read, is_over) = (&read, &is_over);
                let goes_on = move |round: &i64| *round < ROUNDS || !is_over.load(Ordering::Relaxed);
                scope.spawn(move || (0..).take_while(goes_on).for_each(|_| read()))
            })
            .collect();
        let writes: Vec<thread::Result<()>> = writers.into_iter().map(|writer| writer.join()).collect();
        // The readers end, even if a writer failed.
        is_over.store(true, Ordering::Relaxed);
        writes.into_iter().for_each(|written| written.unwrap());
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left");
}

#[test]
fn folders_are_replaced_by_several_while_others_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.b2nd");
    let read = || {
        let read = b2nd::open(&path).and_then(|array| array.to_array::<i64>()).unwrap();
        let array: Array2<i64> = read.into_dimensionality().unwrap();
        assert_eq!(array, uniform(array[[0, 0]] / 1000), "one of the arrays, and all of it");
        let report = ndbytes::check(&path, &Limits::default()).unwrap();
        assert_eq!(report.verdict(), Verdict::Ok, "{:?}", report.findings());
    };
    race(&path, |value| sparse().write(&path, &uniform(value)), read);
}

#[test]
fn files_are_replaced_by_several_while_others_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.idx");
    let read = || {
        let array = ndbytes::idx::open(&path).unwrap().to_array::<i32>().unwrap();
        assert!(array.iter().all(|value| *value == array[[0]]), "one of the arrays, and all of it");
    };
    race(&path, |value| ndbytes::idx::write(&path, &Array1::from_elem(50_000, value as i32)), read);
}

#[test]
fn a_folder_left_aside_by_a_killed_writer_is_restored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.b2nd");
    sparse().write(&path, &uniform(1)).unwrap();
    // This is the state after a writer was killed on a system that cannot replace a directory in one step.
    let begun = StreamWriter::<u8>::create(&path, &[1]).map(drop);
    assert!(
        matches!(&begun, Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::InvalidInput),
        "{begun:?}"
    );
    let slot = slot_of(&path);
    fs::create_dir(&slot).unwrap();
    fs::rename(&path, aside_of(&path, &slot)).unwrap();
    sparse().write(folder.path().join("made"), &uniform(2)).unwrap();
    fs::rename(folder.path().join("made"), slot.join("made")).unwrap();
    let array = b2nd::open(&path).unwrap().to_array::<i64>().unwrap();
    assert_eq!(array, uniform(1).into_dyn());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left");

    // A writer also restores it, and a failed write does not harm it.
    fs::create_dir(&slot).unwrap();
    fs::rename(&path, aside_of(&path, &slot)).unwrap();
    sparse().write(&path, &uniform(3)).unwrap();
    assert_eq!(b2nd::open(&path).unwrap().to_array::<i64>().unwrap(), uniform(3).into_dyn());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left");
    assert_eq!(b2nd::open(folder.path().join("none")).unwrap_err().to_string(), not_found(&folder.path().join("none")));
}

/// The name under which a writer puts a directory aside.
fn aside_of(folder: &Path, slot: &Path) -> PathBuf {
    use std::os::unix::fs::MetadataExt;
    slot.join(format!("aside-{:x}", fs::metadata(folder).unwrap().ino()))
}

/// Such a directory may come from an archive or a repository.
#[test]
fn a_folder_that_no_writer_put_aside_is_not_restored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.b2nd");
    let slot = slot_of(&path);
    let plant = |name: &str| {
        sparse().write(folder.path().join("made"), &uniform(1)).unwrap();
        fs::create_dir(&slot).unwrap();
        fs::rename(folder.path().join("made"), slot.join(name)).unwrap();
    };
    for name in ["aside-", "aside-1", "aside-x"] {
        plant(name);
        assert_eq!(b2nd::open(&path).unwrap_err().to_string(), not_found(&path), "{name}");
        sparse().write(&path, &uniform(2)).unwrap();
        assert_eq!(b2nd::open(&path).unwrap().to_array::<i64>().unwrap(), uniform(2).into_dyn(), "{name}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{name}: nothing is left");
        fs::remove_dir_all(&path).unwrap();
    }
    // The target of a link is not restored either.
    plant("made");
    std::os::unix::fs::symlink("made", slot.join("aside-1")).unwrap();
    assert_eq!(b2nd::open(&path).unwrap_err().to_string(), not_found(&path));
}

fn not_found(path: &Path) -> String {
    format!("{}: {}", path.display(), io::Error::from_raw_os_error(2))
}

/// The path next to a target where its first writer writes.
fn slot_of(target: &Path) -> PathBuf {
    let folder = tempfile::tempdir().unwrap();
    let _begun = StreamWriter::<u8>::create(folder.path().join(target.file_name().unwrap()), &[1]).unwrap();
    target.with_file_name(unfinished(folder.path())[0].file_name().unwrap())
}
