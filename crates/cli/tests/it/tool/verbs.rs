//! Every command supports every format. A new entry in `Format::ALL` that some command does not support fails here.

use crate::bounds::kinds::is_table;
use crate::support::tool::run_in;
use flate2::Compression;
use flate2::write::GzEncoder;
use ndbytes::Format;
use ndbytes_testkit::corpus::{self, Sample};
use std::fs;
use std::io::Write;
use std::path::Path;

/// A valid file of the format, under a usual name.
fn file_of(format: Format, folder: &Path) -> String {
    let is_fit = |sample: &Sample| {
        let is_plain = sample.path.is_file() && !ndbytes::is_gzip(&sample.bytes);
        is_plain && sample.format == Some(format) && sample.folder == "ok" && sample.recipe.strict.is_empty()
    };
    let sample = corpus::everything().into_iter().find(is_fit).unwrap_or_else(|| panic!("{format} has no good file"));
    let name = format!("a.{}", format.extension());
    fs::write(folder.join(&name), &sample.bytes).unwrap();
    name
}

/// Runs the tool and returns what it prints.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let ended = run_in(folder, arguments);
    assert_eq!(ended.status, 0, "{arguments:?}: {}{}", ended.stdout, ended.stderr);
    ended.stdout
}

#[test]
fn each_command_knows_each_format() {
    for format in Format::ALL {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let name = &*file_of(format, folder);
        let copy = &*format!("b.{}", format.extension());
        fs::copy(folder.join(name), folder.join(copy)).unwrap();
        assert_eq!(printed(folder, &["check", name, copy]), "2 files: 2 ok\n", "{format}");
        assert!(printed(folder, &["info", name]).contains(format.title()), "{format}");
        assert!(printed(folder, &["explain", name]).contains("00000000  "), "{format}");
        assert!(!printed(folder, &["cat", name]).is_empty(), "{format}");
        assert!(!printed(folder, &["stats", name]).is_empty(), "{format}");
        if format != Format::Idv {
            assert!(!printed(folder, &["show", name]).is_empty(), "{format}");
        }
        assert!(printed(folder, &["textconv", name]).contains(format.title()), "{format}");
        assert!(printed(folder, &["diff", name, copy]).contains("identical"), "{format}");
        printed(folder, &["explain", "--html", "page.html", name]);
        printed(folder, &["diff", "--html", "two.html", name, copy]);
        printed(folder, &["seal", name, "--out", "a.seal"]);
        assert_eq!(printed(folder, &["check", "--sealed=a.seal", name]), "1 file: 1 ok\n", "{format}");
        assert!(printed(folder, &["schema", format.name()]).contains(format.title()), "{format}");
        assert!(printed(folder, &["rules", &format!("{}/", format.name())]).contains(format.name()), "{format}");
    }
}

#[test]
fn the_forge_makes_breaks_and_mutates_files_of_each_format() {
    for format in Format::ALL {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let name = &*file_of(format, folder);
        printed(folder, &["forge", "--valid", "--format", format.name(), "valid"]);
        printed(folder, &["check", "valid"]);
        printed(folder, &["forge", "--broken", "all", "--format", format.name(), "broken"]);
        assert_eq!(run_in(folder, &["check", "broken"]).status, 1, "{format}");
        printed(folder, &["forge", "--mutate", "--from", name, "mutants"]);
        assert_eq!(fs::read_dir(folder.join("mutants")).unwrap().count(), 1, "{format}");
    }
}

#[test]
fn each_format_is_known_by_name_inside_gzip_and_in_archives() {
    for format in Format::ALL {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let name = &*file_of(format, folder);
        let bytes = fs::read(folder.join(name)).unwrap();
        let packed = &*format!("{name}.gz");
        let mut to = GzEncoder::new(fs::File::create(folder.join(packed)).unwrap(), Compression::default());
        to.write_all(&bytes).unwrap();
        to.finish().unwrap();
        assert!(printed(folder, &["diff", "--exit-zero", name, packed]).contains("values equal"), "{format}");
        let zip = ndbytes_testkit::zip::zip(&[ndbytes_testkit::zip::Entry::deflated(name, &bytes)]);
        fs::write(folder.join("a.zip"), zip).unwrap();
        let member = &*format!("a.zip!{name}");
        assert_eq!(printed(folder, &["check", "."]), "3 files with 1 member: 3 ok\n", "{format}");
        assert!(printed(folder, &["info", member]).contains(format.title()), "{format}");
        // Content in no known format, under a name that no other program uses.
        fs::write(folder.join(name), b"something else").unwrap();
        let ended = run_in(folder, &["check", "--unknown", "error", name]);
        assert_eq!(ended.status, 1, "{format}: {}", ended.stdout);
    }
}

#[cfg(feature = "convert")]
#[test]
fn each_format_is_converted_and_comes_back() {
    for format in Format::ALL {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let name = &*file_of(format, folder);
        let between = if is_table(format.name()) { "a.parquet" } else { "c.npy" };
        printed(folder, &["convert", name, between]);
        let back = &*format!("back.{}", format.extension());
        printed(folder, &["convert", between, back]);
        let said = printed(folder, &["diff", "--exit-zero", name, back]);
        assert!(said.contains("values equal") || said.contains("identical"), "{format}: {said}");
    }
}
