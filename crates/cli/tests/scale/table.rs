//! The tables of the book's page "Costs". Each row is measured at two sizes, in allocated bytes.

use crate::cli::{Streams, run};
use ndbytes_testkit::allocations::all_of;
use ndbytes_testkit::project;
use std::ffi::OsString;
use std::fs;
use std::io;

/// The maximum relative difference between a number on the page and the measured one.
const NEAR: f64 = 0.1;

/// The end of a table on the page.
const END: &str = "<!-- end -->\n";

/// A row: the content that is read and the thing that grows, the exponent, and the memory per unit.
pub struct Row {
    what: String,
    exponent: f64,
    memory: f64,
    /// The maximum memory per unit.
    most: f64,
}

impl Row {
    /// The row for the costs at two sizes, one twice the other, as [`tool`] returns them. `beside` is the constant
    /// cost, `count` the number of units at the larger size, and `most` the maximum memory per unit.
    pub fn new(
        (what, grows): (&str, &str),
        costs: [[u64; 2]; 2],
        beside: [u64; 2],
        (count, most): (usize, f64),
    ) -> Self {
        let [one, two] = costs.map(|[_, all]| (all - beside[1]) as f64);
        let memory = (costs[1][0] - beside[0]) as f64 / count as f64;
        Row { what: format!("{what} | {grows}"), exponent: (two / one).log2(), memory, most }
    }
}

/// Runs the tool and returns the peak and the total of its allocations.
pub fn tool(arguments: impl Iterator<Item = OsString>) -> [u64; 2] {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let all: Vec<OsString> = ["ndbytes".into()].into_iter().chain(arguments).collect();
    let shown = format!("{all:?}");
    let (status, costs) = all_of(|| run(all, Streams::captured(&mut io::empty(), &mut out, &mut err)));
    assert_eq!(status, 0, "{shown}: {}", String::from_utf8_lossy(&err));
    costs
}

/// Checks that costs grow linearly and stay within their bounds, and that the page has the rows that a source file of
/// these tests measures.
pub fn ensure(rows: &[Row], source: &str) {
    let table: String =
        rows.iter().map(|row| format!("| {} | {:.1} | {:.1} |\n", row.what, row.exponent, row.memory)).collect();
    println!("{table}");
    for Row { what, exponent, memory, most } in rows {
        assert!(*exponent < 1.1 && memory < most, "{what}: exponent {exponent:.2}, {memory:.1} bytes for each");
    }
    let path = project().join("docs/src/internals/costs.md");
    let page = fs::read_to_string(&path).unwrap();
    let mark = format!("<!-- crates/cli/tests/scale/{source} -->\n");
    let (before, rest) = page.split_once(&mark).expect("the page has the table");
    let (shown, after) = rest.split_once(END).expect("the table ends");
    let (head, shown) = shown.split_at(shown.match_indices('\n').nth(2).expect("it has a head").0 + 1);
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        return fs::write(path, [before, &mark, head, &table, "\n", END, after].concat()).unwrap();
    }
    let shown: Vec<Vec<&str>> =
        shown.lines().filter(|line| !line.is_empty()).map(|line| line.split(" | ").collect()).collect();
    assert_eq!(shown.len(), rows.len(), "the page has other rows: UPDATE_GENERATED=1 writes them");
    for (row, shown) in rows.iter().zip(shown) {
        let number = |cell: &str| cell.trim_end_matches(" |").parse::<f64>().unwrap();
        assert_eq!(row.what, format!("{} | {}", shown[0].trim_start_matches("| "), shown[1]));
        let is_near = |shown: f64, found: f64| (shown - found).abs() <= NEAR + found * NEAR;
        let is_shown = is_near(number(shown[2]), row.exponent) && is_near(number(shown[3]), row.memory);
        assert!(is_shown, "{}: {:.2}, {:.2}: UPDATE_GENERATED=1 writes the page", row.what, row.exponent, row.memory);
    }
}
