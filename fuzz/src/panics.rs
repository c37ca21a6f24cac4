//! Panics that are caught, and still crash the fuzzer.

use std::panic;
use std::process;
use std::sync::Once;

/// Panics of foreign readers are caught, and nothing is said of them. A panic of this project's own code, which would be caught
/// there too, is a crash. `first` calls a reader: the hook that says nothing is set then.
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
