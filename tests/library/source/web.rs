//! Files on a web server.

use super::large::files;
use ndbytes::{Checker, File, Input, Limits, Options, Result, archive};
use ndbytes_compare::digest;
use ndbytes_testkit::sources::Counted;
use ndbytes_testkit::web::{Server, Web};
use rayon::ThreadPoolBuilder;

fn read(input: &Input<'_>) -> Result<String> {
    let report = Checker::new().check_input(input.again(Limits::default())?)?;
    if archive::is_archive(input) {
        return Ok(format!("{:?} {}", report.findings(), digest::bytes(input)?));
    }
    let file = Options::new().read(input.again(Limits::default())?)?;
    let shown = match &file {
        File::Array(array) => format!("{:?}", array.shape()),
        File::Table(table) => format!("{} rows", table.rows()),
    };
    Ok(format!("{:?} {shown} {}", report.findings(), digest::values(input, &Limits::default())?))
}

#[test]
fn a_file_on_a_web_server_says_what_it_says_in_memory_and_costs_as_many_requests() {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        for (name, bytes) in files() {
            let expected = read(&Input::from_slice(&bytes, Limits::default())).unwrap();
            let (server, counted) = (Server::start(bytes.clone()), Counted::new(bytes));
            let from = |source| read(&source).unwrap();
            assert_eq!(from(Input::from_source(Web(server.address), Limits::default()).unwrap()), expected, "{name}");
            assert_eq!(from(Input::from_source(counted.clone(), Limits::default()).unwrap()), expected, "{name}");
            let mut asked = counted.take().concat();
            asked.sort_by_key(|range| range.start);
            assert_eq!(server.take(), asked, "{name}");
        }
    });
}
