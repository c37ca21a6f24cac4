//! Makes some caught panics crash the fuzzer nevertheless.

use std::panic;
use std::process;
use std::sync::Once;

/// Makes panics in this project's own code crash the fuzzer. Panics in third-party readers are caught and not reported,
/// and a panic in our own code would also be caught there. `first` calls a reader, which installs the silent hook.
pub fn crash_on_own(first: impl FnOnce()) {
    static SET: Once = Once::new();
    SET.call_once(|| {
        first();
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            before(info);
            let is_foreign = info.location().is_some_and(|place| place.file().contains("/registry/src/"));
            if !is_foreign {
                eprintln!("{info}");
                process::abort();
            }
        }));
    });
}
