//! Known pitfalls of Ballista, each on a cluster of two executors.

use crate::cluster::Cluster;
use crate::support::{break_inside, corpus, program, project, rows, run, session, write_table};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{Result, TableReference, not_impl_err};
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::bytes::{
    physical_plan_from_bytes_with_extension_codec, physical_plan_to_bytes_with_extension_codec,
};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use ndbytes_engine::codecs::{LogicalCodec, PhysicalCodec};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

/// The cluster of these tests. Its processes end with this one.
static CLUSTER: LazyLock<Cluster> = LazyLock::new(|| Cluster::start(2));

#[tokio::test]
async fn rows_come_once_however_many_executors_there_are() {
    let array = project("samples/temperatures.b2nd");
    let corpus = corpus("idx");
    let folder = tempfile::tempdir().expect("a folder is made");
    let table = write_table(folder.path(), "a.idv", 0, 20_000);
    let findings = format!("SELECT count(*) FROM findings('{corpus}')");
    let expected = rows(&session(2), &findings).await;
    for partitions in ["1", "4", "7"] {
        let query = format!("SELECT count(*) FROM array('{array}') WHERE value IS NOT NULL");
        assert_eq!(CLUSTER.rows(&["--partitions", partitions, &query]), ["1008"]);
        assert_eq!(CLUSTER.rows(&["--partitions", partitions, &findings]), expected);
        let query = format!(r#"SELECT count(*), sum("Id") FROM idv('{}') WHERE "Id" >= 0"#, table.display());
        assert_eq!(CLUSTER.rows(&["--partitions", partitions, &query]), ["20000,199990000"]);
    }
}

#[test]
fn an_error_of_an_executor_is_the_sentence_of_one_machine() {
    let folder = tempfile::tempdir().expect("a folder is made");
    write_table(folder.path(), "a.idv", 0, 2000);
    break_inside(&write_table(folder.path(), "b.idv", 2000, 20_000));
    let place = folder.path().display();
    std::fs::write(folder.path().join("note.txt"), "no table").expect("the file is written");
    let complaint = |command: &mut std::process::Command| {
        let output = run(command, Duration::from_secs(120));
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).expect("a complaint is text")
    };
    // An executor finds the first error, and the scheduler the second.
    for of in [format!("idv('{place}/b.idv')"), format!("idv('{place}')")] {
        let query = format!(r#"SELECT sum("Id") FROM {of}"#);
        let alone = complaint(program().args(["sql", &query]));
        assert!(alone.starts_with(&format!("error: {place}/")), "{alone}");
        assert_eq!(complaint(&mut CLUSTER.client(&[&query])), alone);
    }
    for (on_error, expected) in [("skip", 0), ("null", 1)] {
        let of = format!("idv('{place}', on_error => '{on_error}', filename => true)");
        let query = format!(r#"SELECT count(*), count("Id"), count(DISTINCT _file), sum("Id") FROM {of}"#);
        let files = format!(r#"SELECT count(DISTINCT _file) FROM {of} WHERE _file LIKE '%.txt' AND "Id" IS NULL"#);
        let format = ["sql", "--format", "csv"];
        let alone = run(program().args(format).arg(&query), Duration::from_secs(120));
        let alone = String::from_utf8(alone.stdout).expect("an answer is text");
        let alone: Vec<_> = alone.lines().skip(1).map(str::to_owned).collect();
        assert_eq!(CLUSTER.rows(&["--partitions", "5", &query]), alone);
        assert_eq!(CLUSTER.rows(&["--partitions", "5", &files]), [expected.to_string()]);
    }
}

#[test]
fn filters_travel_with_a_scan() {
    let array = project("samples/temperatures.b2nd");
    let query =
        format!("SELECT axis_0, axis_1 FROM array('{array}') WHERE axis_0 IN (5, 30) AND axis_1 = 2 ORDER BY 1");
    assert_eq!(CLUSTER.rows(&["--partitions", "3", &query]), ["5,2", "30,2"]);
}

#[test]
fn keys_survive_groups_and_sorts() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let table = write_table(folder.path(), "a.idv", 0, 2100);
    let query =
        format!(r#"SELECT "Colour", count(*) n FROM idv('{}') GROUP BY "Colour" ORDER BY "Colour""#, table.display());
    assert_eq!(CLUSTER.rows(&["--partitions", "3", &query]), ["blue,600", "green,600", "red,600", ",300"]);
}

#[test]
fn executors_know_the_functions_of_sessions() {
    let array = project("samples/temperatures.b2nd");
    let query = format!("SELECT sum(cardinality(value)), sum(array_element(value, 1)) FROM array('{array}', 'rows')");
    assert_eq!(CLUSTER.rows(&[&query]), ["1008,28540"]);
    let bad = project("Cargo.toml");
    let query = format!("SELECT f['rule'] FROM (SELECT unnest(ndbytes_check(p)) AS f FROM (VALUES ('{bad}')) AS m(p))");
    assert_eq!(CLUSTER.rows(&[&query]), ["unknown-format"]);
}

#[test]
fn what_is_of_others_travels_beside_what_is_of_this_crate() {
    let folder = tempfile::tempdir().expect("a folder is made");
    write_table(folder.path(), "a.idv", 0, 100);
    let names = folder.path().join("names.csv");
    std::fs::write(&names, "colour,letters\nred,3\ngreen,5\n").expect("the table is written");
    let query = format!(
        r#"SELECT n.colour, count(*) FROM idv('{}') t JOIN names n ON t."Colour" = n.colour GROUP BY 1 ORDER BY 1"#,
        folder.path().join("*.idv").display()
    );
    let table = format!("names={}", names.display());
    assert_eq!(CLUSTER.rows(&["--table", &table, &query]), ["green,28", "red,29"]);
}

/// A codec that supports only its own tables.
#[derive(Debug)]
struct Other;

impl LogicalExtensionCodec for Other {
    fn try_decode(&self, _: &[u8], _: &[LogicalPlan], _: &TaskContext) -> Result<Extension> {
        not_impl_err!("the node of the other codec")
    }

    fn try_encode(&self, _: &Extension, _: &mut Vec<u8>) -> Result<()> {
        not_impl_err!("the node of the other codec")
    }

    fn try_decode_table_provider(
        &self,
        bytes: &[u8],
        _: &TableReference,
        schema: SchemaRef,
        _: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        assert_eq!(bytes, b"other");
        Ok(Arc::new(datafusion::datasource::empty::EmptyTable::new(schema)))
    }

    fn try_encode_table_provider(
        &self,
        _: &TableReference,
        _: Arc<dyn TableProvider>,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
        bytes.extend(b"other");
        Ok(())
    }
}

#[tokio::test]
async fn a_codec_hands_on_what_it_does_not_know() {
    let codec = LogicalCodec::around(Arc::new(Other));
    let (name, context) = (TableReference::bare("t"), TaskContext::default());
    let schema = Arc::new(datafusion::arrow::datatypes::Schema::empty());
    let mut bytes = Vec::new();
    let table = Arc::new(datafusion::datasource::empty::EmptyTable::new(schema.clone()));
    codec.try_encode_table_provider(&name, table, &mut bytes).expect("the other codec takes it");
    codec.try_decode_table_provider(&bytes, &name, schema, &context).expect("the other codec gives it back");
}

#[tokio::test]
async fn a_schema_travels_and_is_not_read_again() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let table = write_table(folder.path(), "a.idv", 0, 100);
    let session = session(2);
    let frame = session.sql(&format!(r#"SELECT "Colour", "Pair" FROM idv('{}')"#, table.display())).await;
    let plan = frame.expect("the query is planned").create_physical_plan().await.expect("the plan is made");
    let codec = PhysicalCodec::default();
    let bytes = physical_plan_to_bytes_with_extension_codec(plan.clone(), &codec).expect("the plan travels");
    std::fs::remove_file(&table).expect("the file is removed");
    let arrived: Arc<dyn ExecutionPlan> =
        physical_plan_from_bytes_with_extension_codec(&bytes, &session.task_ctx(), &codec).expect("the plan arrives");
    assert_eq!(arrived.schema(), plan.schema());
    let shown =
        |plan: &Arc<dyn ExecutionPlan>| datafusion::physical_plan::displayable(plan.as_ref()).indent(true).to_string();
    assert_eq!(shown(&arrived), shown(&plan));
}
