//! In a stranger's directory, a check opens only the files in it, and nothing that they refer to. `bounds::openings`
//! makes the directory, and watches the files that no command may open.

use crate::bounds::openings::{PARTNERS, Place, longest_name, place};
use crate::support::tool::PATH;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// The files that the loader and the standard library open.
const SYSTEM: [&str; 5] = ["/etc/ld.so.", "/lib", "/usr/lib", "/proc/", "/sys/"];

/// Runs the tool in a directory, and returns the files that it opened, with links resolved, as paths relative to the
/// place if possible.
fn opened(place: &Place, folder: &str, arguments: &[&str]) -> BTreeSet<String> {
    let log = place.path("opened.log");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-y", "-e", "signal=none", "-e", "trace=open,openat,openat2", "-o"]).arg(&log);
    command.arg(PATH).args(["--max-time", "20"]).args(arguments).current_dir(place.path(folder));
    let ended = command.output().expect("`strace` is installed");
    assert!(matches!(ended.status.code(), Some(0..=2)), "{}", String::from_utf8_lossy(&ended.stderr));
    let root = format!("{}/", fs::canonicalize(place.path("")).unwrap().display());
    // A successful call ends with its descriptor and the file: `= 3</folder/name>`.
    let ends = |line: &str| Some(line.rsplit_once(" = ")?.1.split_once('<')?.1.strip_suffix('>')?.to_owned());
    let all = fs::read_to_string(log).unwrap();
    let all = all.lines().filter_map(ends).filter(|path| !SYSTEM.iter().any(|begin| path.starts_with(begin)));
    all.map(|path| path.strip_prefix(&root).unwrap_or(&path).to_owned()).collect()
}

/// Adds a directory and the directories and regular files in it, by their paths in the place. Links, pipes and devices
/// are left out.
fn add_own(place: &Place, folder: &str, own: &mut BTreeSet<String>) {
    own.insert(folder.to_owned());
    for entry in fs::read_dir(place.path(folder)).unwrap() {
        let entry = entry.unwrap();
        let (path, kind) = (format!("{folder}/{}", entry.file_name().display()), entry.file_type().unwrap());
        if kind.is_dir() {
            add_own(place, &path, own);
        } else if kind.is_file() {
            own.insert(path);
        }
    }
}

#[test]
#[ignore = "it needs strace"]
fn a_check_opens_the_files_of_a_hostile_folder_and_nothing_that_they_lead_to() {
    let (place, mut own) = (place(), BTreeSet::new());
    add_own(&place, "in", &mut own);
    assert!(own.contains(&format!("in/{}", longest_name())) && !own.contains("in/pipe.npy"), "{own:?}");
    assert_eq!(opened(&place, "in", &["check", "."]), own);
    let named = PARTNERS.map(|(file, _)| file);
    let expected = named.into_iter().chain([".ndbytes.toml"]).map(|file| format!("pairs/{file}")).collect();
    assert_eq!(opened(&place, "pairs", &[&["check"], &named[..]].concat()), expected);
}
