//! Files, and directories of sparse frames.

use super::{assert_clean, inexpressible, ramp};
use ndarray::{Axis, Slice};
use ndbytes::Error;
use ndbytes::b2nd::{self, Writer};
use std::fs;

#[test]
fn sparse_frames_are_folders() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.b2nd");
    let mut array = ramp(&[100, 20]);
    array.slice_axis_mut(Axis(0), Slice::from(40..60)).fill(0.0);
    let writer = Writer::new().chunks([20, 20]).blocks([5, 20]).sparse(true);
    writer.write(&path, &array).unwrap();
    assert_clean(&path);
    let written = b2nd::open(&path).unwrap();
    assert!(written.is_sparse());
    assert_eq!(written.to_array::<f64>().unwrap(), array);
    let mut names: Vec<String> =
        fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    // The zeros in the middle have no file.
    assert_eq!(names, ["00000000.chunk", "00000001.chunk", "00000003.chunk", "00000004.chunk", "chunks.b2frame"]);

    // If the frame is written again with fewer chunks, none of the old ones is left.
    writer.clone().chunks([100, 20]).write(path.join(""), &array).unwrap();
    assert_clean(&path);
    assert_eq!(fs::read_dir(&path).unwrap().count(), 2);
    // A reader of the old frame can read it to the end.
    assert_eq!(written.to_array::<f64>().unwrap(), array);
    drop(written);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(inexpressible(writer.to_vec(&array)).contains("sparse"));

    // Anything else stays, and nothing is left next to it.
    fs::write(path.join("notes.txt"), "mine").unwrap();
    assert!(matches!(writer.write(&path, &array), Err(Error::Io { .. })));
    assert_eq!(fs::read_dir(&path).unwrap().count(), 3);
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    assert!(matches!(writer.write(&file, &array), Err(Error::Io { .. })));
    assert!(matches!(Writer::new().write(&path, &array), Err(Error::Io { .. })));
    assert!(matches!(writer.write(folder.path().join("none/a"), &array), Err(Error::Io { .. })));
    inexpressible(writer.clone().level(10).write(folder.path().join("b"), &array));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    // An empty directory may become a frame.
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    writer.write(&empty, &array).unwrap();
    assert_clean(&empty);
}

#[test]
fn a_file_that_cannot_be_written_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.b2nd");
    b2nd::write(&path, &ramp(&[10])).unwrap();
    let before = fs::read(&path).unwrap();
    inexpressible(Writer::new().chunks([0]).write(&path, &ramp(&[10])));
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}
