//! The example on the page about repair: one command repairs a directory of damaged downloads. `UPDATE_STORY=1` updates its output.

use crate::support::tool::run_in;
use flate2::Compression;
use flate2::write::GzEncoder;
use ndarray::Array1;
use ndbytes::b2nd::Writer;
use ndbytes::{Checker, Verdict, idx};
use ndbytes_testkit::project;
use ndbytes_testkit::zip::{Entry, zip};
use std::fs;
use std::io::Write;
use std::path::Path;

const IMAGES: u32 = 200;

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Pictures of 28 × 28 pixels with strokes, in the byte order of `word`.
fn images(count: u32, word: fn(u32) -> [u8; 4]) -> Vec<u8> {
    let header = [[0, 0, 8, 3], word(count), word(28), word(28)].concat();
    let is_stroke = |at: u32| (at / 28 % 28).abs_diff(at % 28) < 2 + at / 784 % 10;
    let pixels = (0..IMAGES * 784).map(|at| if is_stroke(at) { 150 + (at % 97) as u8 } else { 0 });
    header.into_iter().chain(pixels).collect()
}

fn labels(word: fn(u32) -> [u8; 4]) -> Vec<u8> {
    [[0, 0, 8, 1], word(IMAGES)].concat().into_iter().chain((0..IMAGES).map(|at| (at % 10) as u8)).collect()
}

/// Fills a directory with damaged files and two intact ones.
fn fill(folder: &Path) {
    let big = u32::to_be_bytes;
    let (whole, packed) = (images(IMAGES, big), gzip(&images(IMAGES, big)));
    let wrong_sum = [&packed[..packed.len() - 8], &[0; 4], &packed[packed.len() - 4..]].concat();
    let archive =
        zip(&[Entry::deflated("images-idx3-ubyte", &whole), Entry::deflated("labels-idx1-ubyte", &labels(big))]);
    let directory = archive.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    let series = Array1::from_shape_fn(1000, |at| (at * at) as i32);
    let series = Writer::new().chunks([250]).blocks([50]).to_vec(&series).unwrap();
    for (name, bytes) in [
        ("badcrc-images-idx3-ubyte.gz", &wrong_sum[..]),
        ("count-few-images-idx3-ubyte", &images(IMAGES - 50, big)),
        ("count-images-idx3-ubyte", &images(IMAGES + 50, big)),
        ("cut-images-idx3-ubyte", &whole[..whole.len() / 2 + 5]),
        ("cut-images-idx3-ubyte.gz", &packed[..packed.len() / 2]),
        ("doublegz-images-idx3-ubyte.gz", &gzip(&packed)),
        ("kmnist-images-idx3-ubyte", &images(IMAGES, u32::to_le_bytes)),
        ("kmnist-labels-idx1-ubyte", &labels(u32::to_le_bytes)),
        ("series.b2nd", &series[..series.len() - 10]),
        ("train.zip", &archive[..directory]),
        ("t10k-images-idx3-ubyte", &whole),
        ("t10k-labels-idx1-ubyte", &labels(big)),
        ("README.txt", b"These are the files.\n"),
    ] {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

#[test]
fn folder_of_damaged_downloads_is_mended_by_one_command() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("data")).unwrap();
    fill(&folder.path().join("data"));
    let ended = run_in(folder.path(), &["fix", "data", "--out", "clean"]);
    // One of them stays unchanged because of a wrong checksum.
    assert_eq!((ended.status, ended.stderr.as_str()), (1, ""));
    for entry in fs::read_dir(folder.path().join("clean")).unwrap() {
        let path = entry.unwrap().path();
        assert!(Checker::new().check(&path).unwrap().verdict() < Verdict::Error, "{}", path.display());
    }
    let count = |name: &str| idx::open(folder.path().join("clean").join(name)).unwrap().shape()[0];
    assert_eq!(
        ["count-few", "count", "kmnist", "cut"].map(|name| count(&format!("{name}-images-idx3-ubyte"))),
        [200, 200, 200, 99]
    );
    let path = project().join("docs/src/fix.md");
    let page = fs::read_to_string(&path).unwrap();
    let begin = "$ ndbytes fix data --out clean\n";
    let (before, rest) = page.split_once(&format!("```text\n{begin}")).unwrap();
    let (_, after) = rest.split_once("```\n").unwrap();
    let happened = format!("{before}```text\n{begin}{}```\n{after}", ended.stdout);
    if std::env::var_os("UPDATE_STORY").is_some() {
        fs::write(&path, &happened).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), happened);
}
