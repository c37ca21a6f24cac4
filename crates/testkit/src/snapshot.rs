//! The snapshots of the project.

use crate::project::project;
use insta::{Settings, assert_snapshot};
use similar::TextDiff;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

/// Compares a text with the snapshot of this name.
pub fn snapshot(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(project().join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!(name, text));
}

/// Many snapshots in one file, sorted by name. Each begins with a line `=== NAME`. `INSTA_UPDATE=always` updates them,
/// like other snapshots.
pub struct Family {
    path: PathBuf,
    /// The snapshots in the file.
    texts: BTreeMap<String, String>,
    /// The snapshots that have changed.
    changed: Mutex<BTreeMap<String, String>>,
}

/// The prefix of the line that begins a snapshot.
const NAME: &str = "=== ";

impl Family {
    /// The family in `snapshots/NAME.txt`, or an empty one.
    pub fn open(name: &str) -> Self {
        let path = project().join("snapshots").join(name).with_extension("txt");
        let file = format!("\n{}", fs::read_to_string(&path).unwrap_or_default());
        let parts = file.split("\n=== ").skip(1).map(|part| part.split_once('\n').unwrap_or((part, "")));
        let texts = parts.map(|(name, text)| (name.to_owned(), text.trim_end().to_owned())).collect();
        Family { path, texts, changed: Mutex::default() }
    }

    /// Compares a text with the snapshot of this name. The error is the difference.
    pub fn compare(&self, name: &str, text: &str) -> Result<(), String> {
        let text = text.trim_end();
        assert!(!text.lines().any(|line| line.starts_with(NAME)), "{name}: a line begins as a name does");
        let expected = self.texts.get(name);
        if expected.is_some_and(|expected| expected == text) {
            return Ok(());
        }
        self.changed.lock().unwrap().insert(name.to_owned(), text.to_owned());
        if is_updating() {
            return Ok(());
        }
        let expected = expected.map_or("", String::as_str);
        let diff = TextDiff::from_lines(expected, text).unified_diff().context_radius(2).to_string();
        Err(format!("{name} differs from {}:\n{diff}\nINSTA_UPDATE=always accepts it", self.path.display()))
    }

    /// Like `compare`, but panics with the difference.
    pub fn assert(&self, name: &str, text: &str) {
        self.compare(name, text).unwrap_or_else(|difference| panic!("{difference}"));
    }

    /// Ends a test that has compared some or all of these names. It fails if the file has other names; an update writes
    /// the changed snapshots and removes the others.
    pub fn finish(&self, names: &[&str]) {
        let mut texts = self.texts.clone();
        texts.retain(|name, _| names.contains(&name.as_str()));
        let gone = self.texts.len() - texts.len();
        if !is_updating() {
            assert_eq!(gone, 0, "{} has snapshots of what is not there any more", self.path.display());
            return;
        }
        let mut changed = self.changed.lock().unwrap();
        if gone > 0 || !changed.is_empty() {
            texts.append(&mut changed);
            let parts: Vec<_> = texts.iter().map(|(name, text)| format!("{NAME}{name}\n{text}\n")).collect();
            fs::create_dir_all(self.path.parent().unwrap()).unwrap();
            fs::write(&self.path, parts.join("\n")).unwrap();
        }
    }
}

fn is_updating() -> bool {
    std::env::var_os("INSTA_UPDATE").is_some_and(|how| how == "always")
}
