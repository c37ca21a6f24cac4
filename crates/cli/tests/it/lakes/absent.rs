//! The tool without the feature `convert`.

use crate::support::tool::run;

#[test]
fn tables_are_refused_by_name() {
    for format in ["arrow", "parquet"] {
        let ended = run(&["check", "--format", format, "--out", "x", "idx/ok"]);
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
        let words = "error: the formats arrow and parquet need a build with the feature `convert`\n";
        assert_eq!(ended.stderr, words);
    }
}
