//! DuckDB, Polars and pandas read the tables about many files, as described on the page about them.

use super::Peers;
use ndbytes_testkit::{corpus, project};

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn recipes_of_the_page_give_what_check_says() {
    Peers::find().check("lake_recipes.py", [project().join("docs/src/lakes.md"), corpus::root()]);
}
