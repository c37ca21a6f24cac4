//! Tests of `array()`: arrays as rows.

use crate::support::{corpus, error, project, rows, session};

#[tokio::test]
async fn items_have_their_indices() {
    let path = project("samples/temperatures.b2nd");
    let array = ndbytes::open(&path).and_then(ndbytes::File::into_array).expect("the sample is opened");
    let items: Vec<String> = {
        let shape = array.shape().to_vec();
        let mut items = array.items();
        let (item_type, count) = (items.item_type().clone(), items.count());
        let bytes = items.read(0, count).expect("the items are read").to_vec();
        let value = |at: usize| match ndbytes::Item::at(&bytes, at, &item_type).scalar() {
            ndbytes::Scalar::Int(value) => value.to_string(),
            ndbytes::Scalar::Uint(value) => value.to_string(),
            other => format!("{other:?}"),
        };
        (0..count as usize).map(|at| format!("{}|{}|{}", at / shape[1], at % shape[1], value(at))).collect()
    };
    let query = format!("SELECT * FROM array('{path}') ORDER BY axis_0, axis_1");
    for partitions in [1, 3] {
        assert_eq!(rows(&session(partitions), &query).await, items);
    }
}

#[tokio::test]
async fn rows_are_lists_along_the_first_axis() {
    let path = project("samples/temperatures.b2nd");
    let query = |from: &str| format!("SELECT axis_0, sum(v) FROM {from} GROUP BY axis_0 ORDER BY axis_0");
    let session = session(2);
    let items = rows(&session, &query(&format!("(SELECT axis_0, value v FROM array('{path}'))"))).await;
    let lists = rows(&session, &query(&format!("(SELECT axis_0, unnest(value) v FROM array('{path}', 'rows'))"))).await;
    assert_eq!(items, lists);
}

#[tokio::test]
async fn the_number_of_items_needs_no_scan() {
    let path = project("samples/temperatures.b2nd");
    let plan = rows(&session(2), &format!("EXPLAIN SELECT count(*) FROM array('{path}')")).await.join("\n");
    assert!(!plan.contains("NdbytesExec") && plan.contains("1008"), "{plan}");
}

#[tokio::test]
async fn every_stored_array_is_answered_or_refused() {
    let session = session(2);
    let (mut answered, mut refused) = (0, 0);
    for folder in [project("samples"), corpus(""), project("tests/frozen")] {
        for path in walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok) {
            let path = path.path().to_string_lossy().into_owned();
            if !path.contains('\'') {
                let query = format!("SELECT * FROM array('{path}') LIMIT 2000");
                let answer = async { session.sql(&query).await?.collect().await }.await;
                *(if answer.is_ok() { &mut answered } else { &mut refused }) += 1;
            }
        }
    }
    assert!(answered > 100 && refused > 100, "{answered} answered, {refused} refused");
}

#[tokio::test]
async fn a_table_is_no_array() {
    let path = project("samples/trees.idv");
    let error = error(&session(1), &format!("SELECT * FROM array('{path}')")).await;
    assert!(error.contains("table"), "{error}");
}

#[tokio::test]
async fn an_array_without_axes_has_items_but_no_rows() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let path = folder.path().join("x.npy");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let mut header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (), }".to_vec();
    header.resize(0x75, b' ');
    header.push(b'\n');
    bytes.extend(header);
    bytes.extend(7_i32.to_le_bytes());
    std::fs::write(&path, bytes).expect("the array is written");
    let session = session(1);
    let path = path.display();
    assert_eq!(rows(&session, &format!("SELECT * FROM array('{path}')")).await, ["7"]);
    let error = error(&session, &format!("SELECT * FROM array('{path}', 'rows')")).await;
    assert!(error.contains("has no axes"), "{error}");
}
