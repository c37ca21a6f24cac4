//! Files that appear completely or not at all.

use ndarray::{ArrayD, IxDyn, arr0, arr1};
use ndbytes::Error;
use ndbytes::idx::{self, StreamWriter};
use ndbytes::rawarray::{self, Order};
use ndbytes_testkit::cases::{folder, names};
use std::fs;
use std::path::Path;

#[test]
fn a_write_that_fails_leaves_the_old_file() {
    let folder = folder();
    let path = folder.path().join("a.idx");
    idx::write(&path, &arr1(&[1_u8, 2, 3])).unwrap();
    let before = fs::read(&path).unwrap();
    let refused = |written: ndbytes::Result<()>| {
        assert!(matches!(written, Err(Error::Inexpressible { .. })), "{written:?}");
    };
    refused(idx::write(&path, &arr0(1_u8)));
    refused(idx::write(&path, &ArrayD::<u8>::zeros(IxDyn(&[1; 256]))));
    let mut writer = StreamWriter::<f32>::create(&path, &[2]).unwrap();
    writer.push(&arr1(&[1.0, 2.0])).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before, "while the new file is in the making");
    drop(writer);
    let panicked = std::panic::catch_unwind(|| {
        let mut writer = StreamWriter::<f32>::create(&path, &[2]).unwrap();
        writer.push(&arr1(&[1.0, 2.0])).unwrap();
        panic!("the program fails");
    });
    assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"the program fails"));
    refused(rawarray::Writer::new().write_records(&path, &arr1(&[()]), Order::C));
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(names(&folder), ["a.idx"]);

    // The directory is missing, or there is a directory in place of the file.
    let missing = folder.path().join("nowhere").join("a.idx");
    let error = idx::write(&missing, &arr1(&[1_u8])).unwrap_err();
    assert!(matches!(&error, Error::Io { path: Some(at), .. } if *at == missing), "{error}");
    let error = idx::write(folder.path(), &arr1(&[1_u8])).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert_eq!(names(&folder), ["a.idx"]);
}

#[test]
fn an_open_file_keeps_its_content_when_it_is_written_anew() {
    let folder = folder();
    let path = folder.path().join("a.idx");
    let old = ArrayD::from_shape_fn(IxDyn(&[10_000]), |at| at[0] as u8);
    idx::write(&path, &old).unwrap();
    let file = idx::open(&path).unwrap();
    idx::write(&path, &arr1(&[9_u8])).unwrap();
    assert_eq!(file.view::<u8>().unwrap(), old);
    assert_eq!(idx::open(&path).unwrap().shape(), [1]);
}

#[cfg(unix)]
#[test]
fn a_file_behind_a_link_is_replaced_and_keeps_its_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    fs::create_dir(folder.path().join("real")).unwrap();
    let (target, link) = (folder.path().join("real/a.idx"), folder.path().join("link.idx"));
    fs::write(&target, b"old").unwrap();
    symlink("real/a.idx", &link).unwrap();
    for mode in [0o600, 0o640, 0o444, 0o755, 0o666] {
        fs::set_permissions(&target, fs::Permissions::from_mode(mode)).unwrap();
        idx::write(&link, &arr1(&[1_u8, 2, 3])).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(idx::open(&target).unwrap().shape(), [3]);
        let found = fs::metadata(&target).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, mode, "{found:o} instead of {mode:o}");
        rawarray::write(&link, &arr1(&[1_u8]), Order::C).unwrap();
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, mode);
    }
    assert_eq!(names(&folder), ["link.idx", "real"]);

    // A new file is like any other that the user creates.
    let (new, other) = (folder.path().join("new.idx"), folder.path().join("other"));
    idx::write(&new, &arr1(&[1_u8])).unwrap();
    fs::write(&other, b"").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&new), mode(&other));
}
