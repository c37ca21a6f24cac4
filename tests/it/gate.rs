//! What the scripts of `.ci` run is there to be run: a filter that fits no test would pass in silence.

use crate::support;

#[test]
fn filters_of_the_gate_name_modules() {
    let mut filters = 0;
    for script in ["run", "tsan.sh"] {
        let text = std::fs::read_to_string(support::project().join(".ci").join(script)).unwrap();
        for filter in text.split_whitespace().filter_map(|word| word.strip_suffix("::")) {
            let module = support::project().join("tests/it").join(filter.replace("::", "/"));
            let is_there = module.with_extension("rs").is_file() || module.join("mod.rs").is_file();
            assert!(is_there, ".ci/{script}: there is no module {filter}");
            filters += 1;
        }
    }
    assert!(filters >= 10, "{filters} filters");
}
