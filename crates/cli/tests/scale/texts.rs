//! The cost of texts that are read in addition to files: contracts, per wildcard in their globs, and specifications, per argument.
//! Each is measured at two sizes, with the wildcards that the reader itself lists. The table is on the book's page "Costs".

use crate::ALONE;
use crate::cli::WILDCARDS;
use crate::table::{Row, ensure, tool};
use everybyte_ksy::Loader;
use ndbytes_testkit::allocations::all_of;
use ndbytes_testkit::project;
use std::fs;

/// The number of wildcards and of arguments. The larger texts have twice as many.
const COUNT: usize = 1_000;

/// The number of wildcards in a glob.
const IN_GLOB: usize = 100;

/// The maximum memory for a wildcard. A contract has at most 4,096 of them, so this is 8 MiB in total.
const MOST_OF_WILDCARD: f64 = 2048.0;

/// The maximum memory for an argument, including its parameter.
const MOST_OF_ARGUMENT: f64 = 4096.0;

/// A glob with wildcards. A new wildcard fails here until its cost is measured.
fn glob(wildcard: char) -> String {
    match wildcard {
        '*' => "a*".repeat(IN_GLOB),
        '?' => "?".repeat(IN_GLOB),
        '[' => "[a-z]".repeat(IN_GLOB),
        '{' => "{a}".repeat(IN_GLOB),
        ',' => format!("{{a{}}}", ",a".repeat(IN_GLOB)),
        other => panic!("what does the wildcard {other} cost?"),
    }
}

/// Checks a file against a contract with these globs, some of which begin like its name.
fn judged(globs: impl Iterator<Item = String>) -> [u64; 2] {
    let folder = tempfile::tempdir().unwrap();
    let (contract, file) = (folder.path().join("contract.toml"), folder.path().join("00aaaaaaaa-idx1-ubyte"));
    let text: String =
        globs.enumerate().map(|(at, glob)| format!("[files.\"{at:02}{glob}\"]\ntype = \"u1\"\n")).collect();
    fs::write(&contract, text).unwrap();
    fs::copy(project().join("samples/digits-idx1-ubyte"), &file).unwrap();
    tool(["check".into(), "--config".into(), contract.into(), file.into()].into_iter())
}

/// Loads a specification.
fn loaded(text: &str) -> [u64; 2] {
    let loader = Loader::new().process("mine", |_, _| None);
    let (loaded, costs) = all_of(|| loader.parse("specification", text));
    assert!(loaded.is_ok_and(|spec| spec.warnings().is_empty()), "{:.200}", text);
    costs
}

/// A type and a process in a specification with this many arguments.
fn specifications(count: usize) -> [(&'static str, String); 2] {
    let parameters: Vec<String> = (0..count).map(|at| format!("{{id: p{at}, type: u4}}")).collect();
    let (arguments, parameters) = (vec!["1"; count].join(","), parameters.join(","));
    let field = |keys: &str| format!("{{meta: {{id: x}}, seq: [{{id: a, {keys}}}]");
    let of_type = field(&format!("type: 't({arguments})'"));
    let of_process = field(&format!("size: 1, process: 'mine({arguments})'"));
    [
        ("a type", format!("{of_type}, types: {{t: {{params: [{parameters}], seq: []}}}}}}")),
        ("a process", format!("{of_process}}}")),
    ]
}

fn measured() -> Vec<Row> {
    // The one-time cost of the first run of a process is not part of a text.
    let none = || judged(std::iter::once(String::new()));
    none();
    let beside = none();
    let contracts = WILDCARDS.into_iter().map(|wildcard| {
        let costs = [1, 2].map(|size| judged(std::iter::repeat_n(glob(wildcard), COUNT / IN_GLOB * size)));
        Row::new((&format!("a contract with `{wildcard}`"), "wildcards"), costs, beside, (2 * COUNT, MOST_OF_WILDCARD))
    });
    let [small, large, none] = [COUNT, 2 * COUNT, 1].map(specifications);
    let of_texts = (0..none.len()).map(|at| {
        let costs = [&small, &large].map(|texts| loaded(&texts[at].1));
        let what = format!("{} of a specification", none[at].0);
        Row::new((&what, "arguments"), costs, loaded(&none[at].1), (2 * COUNT, MOST_OF_ARGUMENT))
    });
    contracts.chain(of_texts).collect()
}

#[test]
fn each_wildcard_and_each_argument_of_a_text_costs_the_same() {
    let _alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    ensure(&measured(), "texts.rs");
}
