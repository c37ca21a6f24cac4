//! Contracts. Any text may be a contract, and files are checked against it.

use crate::bounds::limits;
use crate::bundle::Bundle;
use crate::cost::{bounded, of_tool};
use crate::scratch;
use crate::tool::{assert_harmless, tool};

/// Files that the contract may cover.
const FILES: [(&str, &[u8]); 3] = [
    ("a.npy", include_bytes!("../../tests/pairs/npy/waves.npy")),
    ("b/trees.idv", include_bytes!("../../samples/trees.idv")),
    ("b/a-labels-idx1-ubyte", include_bytes!("../../samples/digits-idx1-ubyte")),
];

/// Asserts that either a contract is refused with a sentence, or files are checked against it, at a cost that does not
/// depend on its content.
pub fn examine(bytes: &[u8]) {
    let bundle = Bundle::of(bytes);
    let folder = scratch::Folder::new();
    for (name, bytes) in FILES {
        folder.put(name, bytes);
    }
    // A bundle may have its own files, such as partners.
    bundle.write(&folder, "");
    let contract = folder.put("contract.toml", bundle.file("contract.toml").unwrap_or(bytes));
    let (contract, folder) = (contract.display().to_string(), folder.path().display().to_string());
    let length = bytes.len() + FILES.iter().map(|(_, bytes)| bytes.len()).sum::<usize>();
    let arguments = ["check", "--config", &contract];
    let checked =
        bounded("check", length, of_tool(length) + (8 << 20), || tool(&arguments, &folder, &[], None, limits().memory));
    assert!(checked.status <= 2, "status {}", checked.status);
    assert!(checked.status != 2 || !checked.err.is_empty(), "a refusal has a sentence");
    assert_harmless(&checked.out, "check");
    assert_harmless(&checked.err, "check");
}
