//! Files at URLs, in an in-memory store that this process serves.

use super::archive::{self, is_the_same_inside};
use super::asked::Asked;
use crate::bounds::limits;
use crate::random::Random;
use crate::ranges::{Source, compare_reports};
use ndbytes::stores::{self, Listed, Stores};
use ndbytes::walk::{Options as WalkOptions, Walk};
use ndbytes::{Checker, Error, Input, Limits, Options, ReadRanges};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The store of this process.
static SERVED: LazyLock<Arc<Memory>> = LazyLock::new(|| {
    let memory = Arc::new(Memory::default());
    stores::serve(memory.clone());
    memory
});

/// Files by URL.
#[derive(Default)]
struct Memory(Mutex<BTreeMap<String, Arc<[u8]>>>);

impl Memory {
    fn put(&self, files: impl IntoIterator<Item = (&'static str, Vec<u8>)>) {
        let files = files.into_iter().map(|(url, bytes)| (url.to_owned(), bytes.into()));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = files.collect();
    }
}

impl Stores for Memory {
    fn serves(&self, scheme: &str) -> bool {
        scheme == "memory"
    }

    fn open(&self, url: &str, _: Limits) -> io::Result<Box<dyn ReadRanges>> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let file = files.get(url).ok_or(ErrorKind::NotFound)?;
        Ok(Box::new(Arc::new(Source::sound(file.clone()))))
    }

    fn names_several(&self, url: &str) -> bool {
        url.ends_with('/')
    }

    fn list(&self, url: &str, _: Limits) -> io::Result<Vec<Listed>> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(files.keys().filter(|file| file.starts_with(url)).map(Listed::new).collect())
    }
}

/// Asserts that a file at a URL, an entry of an archive there, and a file at a `file://` URL are the same as the bytes,
/// and that a walk lists all files.
pub fn examine(asked: &Asked<'_>, random: &mut Random) {
    let archive = archive::zipped(asked.bytes, random.one_in(2));
    let history = ("memory://bucket/.git/head", Vec::new());
    SERVED.put([("memory://bucket/archive", archive), ("memory://bucket/file", asked.bytes.to_vec()), history]);
    asked.compare(Path::new("memory://bucket/file"));
    if is_the_same_inside(asked) {
        asked.compare(&ndbytes::archive::address("memory://bucket/archive", archive::NAME));
    }
    let local = asked.folder.put("local", asked.bytes);
    asked.compare(Path::new(&format!("file://{}", local.display())));
    let mut walk = Walk::of_path("memory://bucket/", WalkOptions::new());
    let found: Vec<_> = walk.by_ref().map(|found| found.expect("the store can be listed").path).collect();
    assert_eq!(found, ["memory://bucket/archive", "memory://bucket/file"].map(Path::new));
    assert_eq!(walk.passed().git, 1);
    let listed = stores::list("memory://bucket/f", limits()).expect("the store lists it");
    assert_eq!(listed, [Listed::new("memory://bucket/file")]);
    assert!(stores::list("nobody://x", limits()).is_err());
    for nowhere in ["memory://bucket/none", "memory://none!x", "memory://bucket/file!x", "nobody://x"] {
        let opened = Input::open(nowhere, limits());
        assert!(matches!(opened, Err(Error::Io { .. } | Error::NoEntry { .. })) || asked.holds_parts(), "{opened:?}");
    }
    assert!(stores::is_url("memory://x") && !stores::is_url("nobody://x"));
    let source = Arc::new(Source::sound(asked.bytes));
    let checked = Checker::new().limits(limits()).check_source(source.clone()).expect("the source does not fail");
    compare_reports(&asked.report, &checked);
    let opened = Options::new().limits(limits()).from_source(source);
    assert_eq!(opened.is_ok(), Options::new().limits(limits()).from_slice(asked.bytes).is_ok(), "{opened:?}");
}
