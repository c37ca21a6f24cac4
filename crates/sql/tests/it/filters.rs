//! Filters that determine which files are opened and which rows are decoded.

use crate::support::{corpus, noisy_array, project, rows, session, write_table};
use datafusion::prelude::SessionContext;

/// A predicate in SQL, and a function that evaluates it for indices.
type Predicate = (String, Box<dyn Fn(&[u64]) -> bool>);

/// Pseudorandom numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn predicate(&mut self, shape: &[u64], depth: u64) -> Predicate {
        let axis = self.below(shape.len() as u64) as usize;
        // Some are out of range.
        let extent = shape[axis] + 3;
        let (one, two) = (self.below(extent), self.below(extent));
        let (low, high) = (one.min(two), one.max(two));
        match if depth == 0 { self.below(8) } else { self.below(12) } {
            0 => (format!("axis_{axis} = {one}"), Box::new(move |at| at[axis] == one)),
            1 => (format!("axis_{axis} <> {one}"), Box::new(move |at| at[axis] != one)),
            2 => (format!("axis_{axis} < {one}"), Box::new(move |at| at[axis] < one)),
            3 => (format!("{one} <= axis_{axis}"), Box::new(move |at| one <= at[axis])),
            4 => {
                (format!("axis_{axis} BETWEEN {low} AND {high}"), Box::new(move |at| (low..=high).contains(&at[axis])))
            }
            5 => {
                let sql = format!("axis_{axis} NOT BETWEEN {low} AND {high}");
                (sql, Box::new(move |at| !(low..=high).contains(&at[axis])))
            }
            6 => {
                let list: Vec<_> = (0..self.below(6) + 1).map(|_| self.below(extent)).collect();
                let words: Vec<_> = list.iter().map(u64::to_string).collect();
                (format!("axis_{axis} IN ({})", words.join(", ")), Box::new(move |at| list.contains(&at[axis])))
            }
            7 => (format!("axis_{axis} % 2 = 1"), Box::new(move |at| at[axis] % 2 == 1)),
            8 => {
                let (sql, inner) = self.predicate(shape, depth - 1);
                (format!("NOT ({sql})"), Box::new(move |at| !inner(at)))
            }
            choice => {
                let (left, right) = (self.predicate(shape, depth - 1), self.predicate(shape, depth - 1));
                let is_and = choice < 11;
                let sql = format!("({}) {} ({})", left.0, if is_and { "AND" } else { "OR" }, right.0);
                (sql, Box::new(move |at| if is_and { left.1(at) && right.1(at) } else { left.1(at) || right.1(at) }))
            }
        }
    }
}

#[tokio::test]
async fn a_filter_of_axes_gives_the_rows_that_fit_it() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let cube = noisy_array(folder.path(), "cube.npy", &[7, 5, 11]);
    let arrays: [(String, &[u64], &str); 3] = [
        (project("samples/temperatures.b2nd"), &[168, 6], "items"),
        (cube.display().to_string(), &[7, 5, 11], "items"),
        (cube.display().to_string(), &[7], "rows"),
    ];
    let mut dice = Dice(7);
    for (path, shape, kind) in arrays {
        for (partitions, session) in [(1, session(1)), (3, session(3))] {
            let all = rows(&session, &format!("SELECT * FROM array('{path}', '{kind}')")).await;
            for _ in 0..20 {
                let (sql, holds) = dice.predicate(shape, 3);
                let indices = |row: &str| -> Vec<u64> {
                    row.split('|').take(shape.len()).map(|index| index.parse().expect("an index")).collect()
                };
                let mut expected: Vec<_> = all.iter().filter(|row| holds(&indices(row))).cloned().collect();
                let query = |what: &str| format!("SELECT {what} FROM array('{path}', '{kind}') WHERE {sql}");
                let mut found = rows(&session, &query("*")).await;
                expected.sort();
                found.sort();
                assert_eq!(found, expected, "{sql}, {partitions} partitions");
                let count = rows(&session, &query("count(*)")).await;
                assert_eq!(count, [expected.len().to_string()], "{sql}");
            }
        }
    }
}

async fn plan(session: &SessionContext, query: &str) -> String {
    rows(session, &format!("EXPLAIN {query}")).await.join("\n")
}

#[tokio::test]
async fn a_filter_of_axes_is_no_operator_of_its_own() {
    let path = project("samples/temperatures.b2nd");
    let query = format!("SELECT value FROM array('{path}') WHERE axis_0 = 5 AND axis_1 IN (3, 4) AND axis_1 <> 4");
    let plan = plan(&session(2), &query).await;
    assert!(plan.contains("wanted=[axis_0 in 5, axis_1 in 3]") && !plan.contains("FilterExec"), "{plan}");
    // Conditions on values are applied above the scan.
    let both = format!("SELECT value FROM array('{path}') WHERE axis_0 < 5 AND value > 7");
    let plan = self::plan(&session(2), &both).await;
    assert!(plan.contains("wanted=[axis_0 in 0..5]") && plan.contains("FilterExec: value"), "{plan}");
}

#[tokio::test]
async fn a_filter_of_paths_opens_the_files_that_may_fit() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let place = folder.path().display();
    for name in ["a.npy", "b.npy", "ba.npy", "c.npy"] {
        noisy_array(folder.path(), name, &[2]);
    }
    std::fs::copy(corpus("zip/bad/length.zip"), folder.path().join("m.zip")).expect("the sample is copied");
    let session = session(2);
    let cases = [
        (format!("path = '{place}/b.npy'"), 1, 1),
        (format!("path = '{place}/none.npy'"), 0, 0),
        (format!("path IN ('{place}/a.npy', '{place}/c.npy', '{place}/x')"), 2, 2),
        (format!("path LIKE '{place}/b%'"), 2, 2),
        (format!("path LIKE '{place}/b_.npy'"), 2, 1),
        (format!("path LIKE '{place}/m.zip!%'"), 1, -1),
        (format!("path = '{place}/a.npy' OR path = '{place}/b.npy'"), 2, 2),
        (format!("path <> '{place}/a.npy'"), 5, -1),
    ];
    let all = rows(&session, &format!("SELECT path FROM files('{place}')")).await;
    assert!(all.len() >= 5, "{all:?}");
    for (filter, opened, count) in cases {
        let query = format!("SELECT path FROM files('{place}') WHERE {filter}");
        let plan = plan(&session, &query).await;
        let shown = format!("files={opened}");
        assert!(plan.contains(&shown) || (opened == 0 && !plan.contains("files=")), "{filter}: {plan}");
        let mut found = rows(&session, &query).await;
        found.sort();
        // The same query, but without a filter that can be pushed down.
        let slow = format!("SELECT path FROM (SELECT concat(path, '') AS path FROM files('{place}')) WHERE {filter}");
        let mut expected = rows(&session, &slow).await;
        expected.sort();
        assert_eq!(found, expected, "{filter}");
        assert!(count < 0 || found.len() as i64 == count, "{filter}: {found:?}");
    }
}

#[tokio::test]
async fn a_filter_of_rows_reads_these_rows() {
    let folder = tempfile::tempdir().expect("a folder is made");
    for (name, first, count) in [("a.idv", 0, 2500), ("b.idv", 2500, 4000)] {
        write_table(folder.path(), name, first, count);
    }
    let session = session(3);
    let of = format!("idv('{}', filename => true)", folder.path().display());
    let query = format!(r#"SELECT "Id" FROM {of} WHERE _row BETWEEN 1998 AND 2001 OR _row = 3999 ORDER BY 1"#);
    assert_eq!(rows(&session, &query).await, ["1998", "1999", "2000", "2001", "4498", "4499", "4500", "4501", "6499"]);
    let plan = plan(&session, &query).await;
    assert!(plan.contains("wanted=[_row in 1998..2002 | 3999]") && !plan.contains("FilterExec"), "{plan}");
    let counted = format!("SELECT count(*) FROM {of} WHERE _row >= 2400");
    assert_eq!(rows(&session, &counted).await, ["1700"]);
    let one = format!(r#"SELECT min("Id"), count(*) FROM {of} WHERE _file LIKE '%/b.idv' AND _row < 10"#);
    assert_eq!(rows(&session, &one).await, ["2500|10"]);
}
