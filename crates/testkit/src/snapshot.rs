//! The snapshots of the project.

use crate::project::project;
use insta::{Settings, assert_snapshot};

/// Compares a text with the snapshot of this name.
pub fn snapshot(name: &str, text: &str) {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(project().join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| assert_snapshot!(name, text));
}
