//! Files that are read with a specification. The memory of list elements is debited, however a list grows.

use crate::ALONE;
use everybyte_ksy::Spec;
use ndbytes_testkit::allocations::peak_of_all;

/// The maximum memory of a file and its map: per byte, plus a constant.
const MEMORY: [u64; 2] = [32, 64 << 20];

#[test]
fn lists_of_elements_without_bytes_stay_within_the_memory_of_a_file() {
    let _alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    for (what, text) in [
        ("structures", "{meta: {id: x}, seq: [{id: a, type: t, repeat: eos}], types: {t: {seq: []}}}"),
        ("bytes", "{meta: {id: x}, seq: [{id: a, size: 0, repeat: expr, repeat-expr: 0x7fffffff}]}"),
        ("numbers", "{meta: {id: x}, seq: [{id: a, type: b1, repeat: expr, repeat-expr: 0x7fffffff}]}"),
    ] {
        let spec: Spec = text.parse().unwrap();
        let file = [0; 10];
        let (explained, peak) = peak_of_all(|| spec.explain(&file));
        assert!(!explained.findings.is_empty(), "{what}");
        let most = MEMORY[0] * file.len() as u64 + MEMORY[1];
        println!("{what}: {peak} bytes of {most}");
        assert!(peak <= most, "{what}: {peak} bytes of {most}");
    }
}
