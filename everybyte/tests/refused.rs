//! The table of refused declarations, `refused.txt`.

/// A declaration and the compiler's message.
pub struct Refused {
    pub name: &'static str,
    pub source: &'static str,
    pub message: &'static str,
}

/// Returns the declarations, sorted by name.
pub fn refused() -> Vec<Refused> {
    let (_, table) = include_str!("refused.txt").split_once("\n=== ").expect("the table has entries");
    let entries = table.trim_end().split("\n\n=== ").map(|entry| {
        let (name, entry) = entry.split_once('\n').expect("a source comes after the name");
        let (source, message) = entry.split_once("\n--- error\n").expect("a message comes after the source");
        Refused { name, source, message }
    });
    entries.collect()
}
