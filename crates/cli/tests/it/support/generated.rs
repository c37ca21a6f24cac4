//! Generated files in the repository, which are checked to be current.

use ndbytes_testkit::project;
use std::fs;
use std::path::Path;

/// Compares a file with its expected text; `UPDATE_GENERATED=1` writes it.
pub fn assert_current(path: &str, text: &str) {
    let file = project().join(path);
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    assert!(found == text, "{path} is not current: run the test again with UPDATE_GENERATED=1");
}

/// The files below a directory of the repository, as paths in the repository.
pub fn files_below(folder: &str) -> Vec<String> {
    fn search(folder: &Path, files: &mut Vec<String>) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => search(&path, files),
                false => files.push(path.strip_prefix(project()).unwrap().to_str().unwrap().replace('\\', "/")),
            }
        }
    }
    let mut files = Vec::new();
    search(&project().join(folder), &mut files);
    files.sort();
    files
}
