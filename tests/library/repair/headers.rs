//! `.npy` headers in spellings that NumPy cannot load. The check reports them, and a repair writes them as NumPy would.

use super::limits;
use ndbytes::repair::{Options, Repair, repair};
use ndbytes::{Checker, Severity, npy};

const PAYLOAD: [u8; 24] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24];

fn file(header: &str, padding: u8, payload: &[u8]) -> Vec<u8> {
    let mut text = header.as_bytes().to_vec();
    text.resize(text.len() + 63 - (10 + text.len()) % 64, padding);
    text.push(b'\n');
    [&b"\x93NUMPY\x01\0"[..], &(text.len() as u16).to_le_bytes(), &text, payload].concat()
}

fn attempt(bytes: &[u8]) -> Repair<'_> {
    repair(bytes, &Options::new().limits(limits())).unwrap()
}

fn assert_spelled_anew(header: &str, padding: u8, spelling: &str, descr: &str, shape: &[usize]) {
    let bytes = file(header, padding, &PAYLOAD);
    let report = Checker::new().check_slice(&bytes).unwrap();
    let error = report.findings().iter().find(|finding| finding.severity == Severity::Error).unwrap();
    let help = error.help.clone().unwrap_or_default();
    assert!(help.contains(spelling) && help.ends_with("the file fits exactly"), "{header}: {help}");
    let repair = attempt(&bytes);
    assert!(repair.is_sound() && repair.steps.len() == 1, "{header}: {:?} {:?}", repair.steps, repair.refused);
    assert_eq!(repair.steps[0].given_up, None);
    let array = npy::from_slice(repair.bytes()).unwrap();
    assert_eq!((array.item_type().to_string().as_str(), array.shape()), (descr, shape), "{header}");
    assert_eq!(array.bytes().unwrap(), PAYLOAD);
    assert!(array.warnings().is_empty());
}

#[test]
fn headers_that_numpy_does_not_load_are_spelled_as_it_writes_them() {
    let usual = |descr: &str, order: &str, shape: &str| {
        format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}")
    };
    let u1 = "'|u1'";
    for (header, spelling, descr, shape) in [
        (usual(u1, "False", "(np.int64(2), np.int64(12))"), "NumPy 2 prints", "|u1", &[2, 12][..]),
        (usual(u1, "np.False_", "(24,)"), "NumPy 2 prints", "|u1", &[24]),
        (usual(u1, "np.bool(False)", "(numpy.int32(24),)"), "NumPy 2 prints", "|u1", &[24]),
        (usual("dtype('<i4')", "False", "(6,)"), "NumPy 2 prints", "<i4", &[6]),
        (usual(u1, "False", "[4, 6]"), "a list", "|u1", &[4, 6]),
        (usual(u1, "False", "24"), "a number", "|u1", &[24]),
        (usual(u1, "False", "(24)"), "a number", "|u1", &[24]),
        (usual(u1, "0", "(24,)"), "`fortran_order` is a number", "|u1", &[24]),
        (usual("b'<i2'", "False", "(12,)"), "bytes of Python 3", "<i2", &[12]),
        (usual("('<i4', (2,))", "False", "(3,)"), "axes belong to `shape`", "<i4", &[3, 2]),
        (usual("\"('<i4', (2,))\"", "False", "(3,)"), "a text in quotes", "<i4", &[3, 2]),
        (usual("'<f1'", "False", "(24,)"), "ml_dtypes", "|V1", &[24]),
        (usual("'bfloat16'", "False", "(12,)"), "ml_dtypes", "|V2", &[12]),
        (
            usual("[('a', ('<i4', {'unit': 'K', 'of': <class 'str'>, 'by': -1.5e3}))]", "False", "(6,)"),
            "metadata",
            "[('a', '<i4')]",
            &[6],
        ),
        (
            "{'descr': '|u1', 'fortran_order': False, 'shape': (24,), 'unit': {'a': [1]}}".into(),
            "a key more",
            "|u1",
            &[24],
        ),
        ("{\"descr\": \"|u1\", \"fortran_order\": false, \"shape\": [24]}".into(), "JSON", "|u1", &[24]),
    ] {
        assert_spelled_anew(&header, b' ', spelling, descr, shape);
    }
    assert_spelled_anew(&usual(u1, "False", "(24,)"), 0, "zero bytes", "|u1", &[24]);
}

#[test]
fn spellings_are_left_alone_where_the_file_does_not_fit() {
    let bytes = file("{'descr': '|u1', 'fortran_order': False, 'shape': [25], }", b' ', &PAYLOAD);
    let repair = attempt(&bytes);
    assert!(repair.steps.is_empty() && !repair.is_sound());
    let reason = repair.refused.unwrap().reason;
    assert_eq!(reason, "`shape` is a list: read as (25,), the items take 25 bytes, but 24 bytes follow");
}

#[test]
fn headers_without_a_plain_meaning_are_left_alone() {
    for header in [
        "{'descr': '|u1', 'fortran_order': 2, 'shape': (24,), }",
        "{'descr': '|u1', 'fortran_order': 'False', 'shape': (24,), }",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (-24,), }",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (24.0,), }",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (len('x'),), }",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (np.int64(12, 2),), }",
        "{'descr': '|O', 'fortran_order': False, 'shape': [3], }",
        "{'fortran_order': False, 'shape': [24], }",
    ] {
        let bytes = file(header, b' ', &PAYLOAD);
        let repair = attempt(&bytes);
        assert!(
            repair.steps.is_empty() && repair.refused.is_none() && !repair.is_sound(),
            "{header}: {:?}",
            repair.steps
        );
    }
}

#[test]
fn headers_of_other_files_are_cut() {
    let whole = file("{'descr': '|u1', 'fortran_order': False, 'shape': (24,), }", b' ', &PAYLOAD);
    let other = file("{'descr': '<f8', 'fortran_order': False, 'shape': (9, 9), }", b' ', &[]);
    let bytes = [&other[..], &whole].concat();
    let report = Checker::new().check_slice(&bytes).unwrap();
    let help = report.findings()[0].help.clone().unwrap();
    assert!(help.ends_with("the header before it is that of another file"), "{help}");
    assert_eq!(attempt(&bytes).bytes(), whole);
}
