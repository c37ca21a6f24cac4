//! Files that change while they are read, because other programs write to them or truncate them.

use crate::support::tool::command_in;
use flate2::Compression;
use flate2::write::GzEncoder;
use ndbytes::{b2nd, idx, rawarray};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Stdio};

/// Returns whether this process has mapped the file.
fn is_mapped(path: &Path) -> bool {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    maps.contains(path.canonicalize().unwrap().to_str().unwrap())
}

/// Returns whether the process has opened the file. It may already have ended.
fn has_opened(child: &Child, path: &Path) -> bool {
    let files = fs::read_dir(format!("/proc/{}/fd", child.id()));
    files.is_ok_and(|files| files.flatten().any(|file| fs::read_link(file.path()).is_ok_and(|link| link == path)))
}

/// Noise that does not compress well.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_u32;
    let next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 24) as u8 & 0x7F
    };
    std::iter::repeat_with(next).take(length).collect()
}

#[test]
fn a_gzip_file_that_is_cut_while_the_tool_reads_it_ends_no_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().join("noise-idx1-ubyte.gz");
    let content = noise(4 << 20);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&[&[0, 0, 8, 1], &(content.len() as u32).to_be_bytes()[..], &content].concat()).unwrap();
    let gzip = gzip.finish().unwrap();
    for arguments in [&["check", "noise-idx1-ubyte.gz"][..], &["explain", "noise-idx1-ubyte.gz"]] {
        let mut cut = 0;
        for _ in 0..3 {
            fs::write(&path, &gzip).unwrap();
            let mut command = command_in(folder.path(), arguments);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            while !has_opened(&child, &path) && child.try_wait().unwrap().is_none() {}
            OpenOptions::new().write(true).open(&path).unwrap().set_len(8192).unwrap();
            // A process that a signal ends has no status.
            let status = child.wait().unwrap();
            assert!(status.code().is_some(), "{arguments:?}: {status}");
            cut += usize::from(!status.success());
        }
        assert!(cut > 0, "{arguments:?}: no run was cut");
    }
}

#[test]
fn only_views_are_mapped() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let values = noise(100_000);
    let array = ndarray::Array1::from(values.clone());
    let as_f64 = array.mapv(f64::from);

    let path = at("lz4.ra");
    rawarray::Writer::new().lz4(true).write(&path, &array, rawarray::Order::C).unwrap();
    let opened = rawarray::open(&path).unwrap();
    assert_eq!(*opened.bytes().unwrap(), values);
    assert!(!is_mapped(&path), "RawArray, LZ4");

    let path = at("chunks.b2nd");
    b2nd::write(&path, &as_f64).unwrap();
    let opened = b2nd::open(&path).unwrap();
    assert_eq!(opened.to_array::<f64>().unwrap(), as_f64.clone().into_dyn());
    assert!(!is_mapped(&path), "b2nd");

    // A file is mapped only if the caller requests it.
    let opened = b2nd::Options::new().mapped().open(&path).unwrap();
    assert_eq!(opened.to_array::<f64>().unwrap(), as_f64.into_dyn());
    assert!(is_mapped(&path), "b2nd, mapped");
    drop(opened);

    let path = at("plain-idx1-ubyte");
    idx::write(&path, &array).unwrap();
    let opened = idx::open(&path).unwrap();
    assert!(!is_mapped(&path), "IDX without a view");
    assert_eq!(opened.view::<u8>().unwrap().as_slice().unwrap(), values);
    assert!(is_mapped(&path), "the view of IDX");
}
