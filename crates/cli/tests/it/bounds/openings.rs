//! Tests of the files that commands open. In a stranger's directory, no command opens a file outside it that only the
//! directory refers to. There are links and pipes in stores, in frames, and as partners in a contract. The system
//! reports which files are opened.

use crate::support::tool::{Ended, run_in};
use ndarray::Array1;
use ndbytes::b2nd;
use ndbytes_testkit::project;
use rustix::fs::{CWD, Mode, inotify, mkfifoat};
use std::fs;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A stranger's directory, and files outside it.
pub struct Place {
    root: tempfile::TempDir,
    /// The files that must not be opened.
    watched: Vec<PathBuf>,
}

impl Place {
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Replaces a file with a link out of the directory, or with a pipe.
    fn replace(&mut self, name: &str, is_link: bool) {
        let (path, outside) = (self.path(name), self.path(&format!("outside/{}", self.watched.len())));
        if is_link {
            fs::rename(&path, &outside).unwrap();
            symlink(&outside, &path).unwrap();
            self.watched.push(outside);
        } else {
            let _ = fs::remove_file(&path);
            mkfifoat(CWD, &path, Mode::RUSR | Mode::WUSR).unwrap();
            self.watched.push(path);
        }
    }

    fn run_in(&self, folder: &str, arguments: &[&str]) -> Ended {
        run_in(&self.path(folder), arguments)
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        self.run_in("in", arguments)
    }
}

/// The longest possible file name.
pub fn longest_name() -> String {
    format!("{}.ra", "n".repeat(252))
}

/// The files in `pairs`, and the partner of each according to the contract there. No partner is a file in the directory.
pub const PARTNERS: [(&str, &str); 4] =
    [("link.ra", "link.npy"), ("pipe.ra", "pipe.npy"), ("device.ra", "device.npy"), ("far.ra", "folder/a.npy")];

pub fn place() -> Place {
    let mut place = Place { root: tempfile::tempdir().unwrap(), watched: Vec::new() };
    for folder in ["in", "stores", "pairs", "outside", "out"] {
        fs::create_dir(place.path(folder)).unwrap();
    }
    let samples = project().join("samples");
    fs::copy(samples.join("surface.ra"), place.path("in/surface.ra")).unwrap();
    for store in ["../stores/links.zarr", "pipes.zarr", "metadata.zarr"] {
        let made = place.run(&["convert", "surface.ra", store]);
        assert_eq!(made.status, 0, "{}", made.stderr);
    }
    for (name, frame) in [("links.b2nd", true), ("pipes.b2nd", false)] {
        let writer = b2nd::Writer::new().chunks([5]).sparse(true);
        writer.write(place.path(&format!("in/{name}")), &Array1::from_iter(0..12_i16)).unwrap();
        place.replace(&format!("in/{name}/00000001.chunk"), frame);
    }
    // A walk follows links to files, which the user may have made, so these stores are outside the walk.
    for (store, is_link) in [("stores/links.zarr", true), ("in/pipes.zarr", false)] {
        let chunk = files(&place.path(store)).into_iter().find(|path| !path.ends_with("zarr.json"));
        let name = chunk.unwrap().strip_prefix(place.root.path()).unwrap().to_str().unwrap().to_owned();
        place.replace(&name, is_link);
    }
    place.replace("in/metadata.zarr/zarr.json", false);
    for (name, is_link) in [("in/pipe.npy", false), ("pairs/link.npy", true), ("pairs/pipe.npy", false)] {
        fs::write(place.path(name), "").unwrap();
        place.replace(name, is_link);
    }
    let mut contract = String::new();
    for (file, partner) in PARTNERS {
        fs::copy(samples.join("surface.ra"), place.path(&format!("pairs/{file}"))).unwrap();
        contract += &format!("[files.\"{file}\"]\npair = \"{partner}\"\n");
    }
    fs::write(place.path("pairs/.ndbytes.toml"), contract).unwrap();
    fs::copy(samples.join("surface.ra"), place.path("in").join(longest_name())).unwrap();
    fs::create_dir(place.path("outside/folder")).unwrap();
    fs::write(place.path("outside/folder/a.npy"), "").unwrap();
    for folder in ["in", "pairs"] {
        symlink(place.path("outside/folder"), place.path(&format!("{folder}/folder"))).unwrap();
        // Other programs also open the device, so it is not watched.
        symlink("/dev/zero", place.path(&format!("{folder}/device.npy"))).unwrap();
    }
    place.watched.push(place.path("outside/folder/a.npy"));
    place
}

/// The files in a directory, at any depth.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { all.extend(files(&path)) } else { all.push(path) }
    }
    all
}

/// The number of times that files were opened since the last call.
fn openings(watch: &OwnedFd) -> usize {
    let mut buffer = [MaybeUninit::uninit(); 4096];
    let mut reader = inotify::Reader::new(watch, &mut buffer);
    std::iter::from_fn(|| reader.next().ok().map(drop)).count()
}

#[test]
fn no_command_opens_what_only_a_hostile_folder_leads_to() {
    let place = place();
    let watch = inotify::init(inotify::CreateFlags::NONBLOCK).unwrap();
    for path in &place.watched {
        inotify::add_watch(&watch, path, inotify::WatchFlags::OPEN).unwrap();
    }
    // The watch does work.
    drop(fs::read(place.path("outside/folder/a.npy")).unwrap());
    assert_eq!(openings(&watch), 1);
    let out = place.path("out").display().to_string();
    let target = |name: &str| format!("{out}/{name}");
    for arguments in [
        &["check", "."][..],
        &["check", "--gitignore", "."],
        &["check", "--depth", "structure", "surface.ra", "links.b2nd", "pipes.b2nd"],
        &["check", "--format", "parquet", "--out", &target("t.parquet"), "."],
        &["info", "links.b2nd", "pipes.b2nd"],
        &["explain", "links.b2nd"],
        &["explain", "pipes.b2nd"],
        &["cat", "--all", "pipes.b2nd"],
        &["stats", "links.b2nd"],
        &["seal", "--broken", "--out", &target("s.seal"), "."],
        &["fix", "--all", "--out", &target("fixed"), "."],
        &["diff", ".", &out],
        &["convert", "../stores/links.zarr", &target("a.npy")],
        &["convert", "pipes.zarr", &target("b.npy")],
        &["convert", "metadata.zarr", &target("c.npy")],
        &["convert", "links.b2nd", &target("d.npy")],
        &["convert", "--to", "npy", "--out-dir", &target("all"), "."],
    ] {
        let ended = place.run(&[&["--max-time", "20"], arguments].concat());
        assert!(ended.status <= 2 && !ended.stderr.contains("panicked"), "{arguments:?}: {}", ended.stderr);
        assert_eq!(openings(&watch), 0, "{arguments:?}: {}{}", ended.stdout, ended.stderr);
    }
    // The partners in a contract that the user did not name.
    let named = PARTNERS.map(|(file, _)| file);
    let checked = place.run_in("pairs", &[&["--max-time", "20", "check"], &named[..]].concat());
    assert!(
        checked.status == 1 && checked.stdout.matches("contract/pair").count() == named.len(),
        "{}",
        checked.stdout
    );
    assert_eq!(openings(&watch), 0, "{}", checked.stdout);
}
