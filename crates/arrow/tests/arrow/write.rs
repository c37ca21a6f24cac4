//! Third-party record batches as IDV tables.

use arrow_array::types::Int8Type;
use arrow_array::*;
use arrow_schema::{DataType, Field, Schema};
use ndbytes::idv::{self, DateTimeOffset, Value};
use ndbytes_arrow::idv::{BatchWriter, NullPolicy, WriteOptions};
use std::io::Cursor;
use std::sync::Arc;

fn written(batches: &[RecordBatch], options: WriteOptions) -> ndbytes_arrow::Result<idv::Table<'static>> {
    let mut writer = BatchWriter::begin(Cursor::new(Vec::new()), &batches[0].schema(), options)?;
    batches.iter().try_for_each(|batch| writer.write(batch))?;
    Ok(idv::from_reader(&writer.finish_sink()?.into_inner()[..])?)
}

fn batch(name: &str, array: impl Array + 'static) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable([(name, Arc::new(array) as ArrayRef, true)]).unwrap()
}

#[test]
fn categories_are_gathered_from_the_dictionaries_of_all_batches() {
    let first: DictionaryArray<Int8Type> = vec![Some("b"), None, Some("a")].into_iter().collect();
    let second: DictionaryArray<Int8Type> = vec![Some("c"), Some("a")].into_iter().collect();
    let table = written(&[batch("k", first), batch("k", second)], WriteOptions::new()).unwrap();
    let column = table.column("k").unwrap();
    assert_eq!(column.column_type().unwrap().to_string(), "Key<UInt32, 0-2>");
    let keys: Vec<_> = column.read().unwrap().iter().map(|key| format!("{key:?}")).collect();
    assert_eq!(keys, ["Uint(1)", "Uint(0)", "Uint(2)", "Uint(3)", "Uint(2)"]);
    let values = column.key_values().unwrap().unwrap();
    let texts: Vec<_> = values.vector(0).unwrap().stored().map(|text| format!("{text:?}")).collect();
    assert_eq!(texts, [r#"Text("b")"#, r#"Text("a")"#, r#"Text("c")"#]);
}

#[test]
fn nulls_are_an_error_that_names_row_and_choices_or_what_was_chosen() {
    let ints = || batch("i", Int64Array::from(vec![Some(1), None]));
    let error = written(&[ints()], WriteOptions::new()).unwrap_err().to_string();
    assert_eq!(
        error,
        "row 1 of the column \"i\" has a null, which version 1.1.1.6 cannot hold: choose a replacement for nulls: default"
    );
    assert!(written(&[ints()], WriteOptions::new().nulls(NullPolicy::Nan)).is_err());
    let table = written(&[ints()], WriteOptions::new().nulls(NullPolicy::Default)).unwrap();
    assert_eq!(table.column("i").unwrap().read().unwrap().get(1), Some(Value::Int(0)));
    let floats = batch("f", Float32Array::from(vec![Some(1.0), None]));
    let table = written(&[floats], WriteOptions::new().nulls(NullPolicy::Nan)).unwrap();
    assert!(matches!(table.column("f").unwrap().read().unwrap().get(1), Some(Value::F32(number)) if number.is_nan()));
}

#[test]
fn types_that_idv_lacks_are_refused_by_the_name_of_their_column() {
    let error = written(&[batch("d", Decimal128Array::from(vec![1]))], WriteOptions::new()).unwrap_err().to_string();
    assert_eq!(error, "the column \"d\" has the type Decimal128(38, 10), which IDV cannot hold");
    let zone = TimestampSecondArray::from(vec![1]).with_timezone("Europe/Bonn");
    let error = written(&[batch("z", zone)], WriteOptions::new()).unwrap_err().to_string();
    assert!(error.starts_with("the column \"z\" has times in the zone \"Europe/Bonn\""), "{error}");
    let far = TimestampSecondArray::from(vec![0, i64::MAX]);
    let error = written(&[batch("t", far)], WriteOptions::new()).unwrap_err().to_string();
    assert!(error.starts_with("row 1 of the column \"t\""), "{error}");
    let late = TimestampSecondArray::from(vec![300_000_000_000]);
    let error = written(&[batch("t", late)], WriteOptions::new()).unwrap_err().to_string();
    assert!(error.contains("the years 1 and 9999") && error.contains("\"t\""), "{error}");
}

#[test]
fn times_views_lists_and_small_floats_are_held() {
    let zoned = TimestampSecondArray::from(vec![0]).with_timezone("+02:00");
    let table = written(&[batch("z", zoned)], WriteOptions::new()).unwrap();
    let time = DateTimeOffset { ticks: 621_355_968_000_000_000 + 72_000_000_000, offset_minutes: 120 };
    assert_eq!(table.column("z").unwrap().read().unwrap().get(0), Some(Value::DateTimeOffset(time)));
    let berlin = TimestampSecondArray::from(vec![0]).with_timezone("Europe/Berlin");
    let table = written(&[batch("z", berlin)], WriteOptions::new()).unwrap();
    let time = DateTimeOffset { ticks: 621_355_968_000_000_000 + 36_000_000_000, offset_minutes: 60 };
    assert_eq!(table.column("z").unwrap().read().unwrap().get(0), Some(Value::DateTimeOffset(time)));
    let views = StringViewArray::from(vec!["short", "longer than twelve bytes"]);
    let table = written(&[batch("v", views)], WriteOptions::new()).unwrap();
    let texts = table.column("v").unwrap().read().unwrap();
    assert_eq!(texts.items().texts().unwrap().get(1).unwrap().to_str(), Some("longer than twelve bytes"));
    let lists =
        LargeListArray::from_iter_primitive::<types::Int32Type, _, _>([Some(vec![Some(1), Some(2)]), Some(vec![])]);
    let table = written(&[batch("l", lists.slice(0, 2))], WriteOptions::new()).unwrap();
    let column = table.column("l").unwrap();
    assert_eq!(column.column_type().unwrap().to_string(), "Vector<Int32>");
    assert_eq!(column.read().unwrap().vector(0).unwrap().len(), 2);
}

#[test]
fn metadata_that_do_not_agree_with_the_type_are_passed_over() {
    let metadata: std::collections::HashMap<_, _> =
        [("ndbytes.idv.type".to_owned(), "Vector<Single, 4>".to_owned())].into();
    let field = Field::new("c", DataType::Float64, false).with_metadata(metadata);
    let array: ArrayRef = Arc::new(Float64Array::from(vec![1.5]));
    let batch = RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![array]).unwrap();
    let table = written(&[batch], WriteOptions::new()).unwrap();
    assert_eq!(table.column("c").unwrap().column_type().unwrap().to_string(), "Double");
}

#[test]
fn rows_without_columns_are_counted() {
    let options = RecordBatchOptions::new().with_row_count(Some(7));
    let batch = RecordBatch::try_new_with_options(Arc::new(Schema::empty()), vec![], &options).unwrap();
    assert_eq!(written(&[batch], WriteOptions::new()).unwrap().rows(), 7);
}

/// Returns the ticks of a column of days or times.
fn ticks(array: impl Array + 'static) -> ndbytes_arrow::Result<Vec<i64>> {
    let table = written(&[batch("d", array)], WriteOptions::new())?;
    let column = table.column("d").unwrap();
    assert_eq!(column.column_type().unwrap().to_string(), "DateTime");
    let ticks = |value: Value<'_>| match value {
        Value::Int(ticks) => ticks,
        other => panic!("{other:?} is not a time"),
    };
    Ok(column.read().unwrap().iter().map(ticks).collect())
}

/// Days since 1970, and .NET's ticks for their midnights: `new DateTime(year, month, day).Ticks`.
const DAYS: [(i32, i64); 8] = [
    (-719_162, 0),                          // 0001-01-01
    (-719_161, 864_000_000_000),            // 0001-01-02
    (-135_140, 504_595_008_000_000_000),    // 1600-01-01
    (-1, 621_355_104_000_000_000),          // 1969-12-31
    (0, 621_355_968_000_000_000),           // 1970-01-01
    (1, 621_356_832_000_000_000),           // 1970-01-02
    (11_016, 630_873_792_000_000_000),      // 2000-02-29
    (2_932_896, 3_155_378_112_000_000_000), // 9999-12-31
];

#[test]
fn days_become_the_ticks_of_their_midnights_in_both_widths() {
    let (days, expected): (Vec<i32>, Vec<i64>) = DAYS.into_iter().unzip();
    let milliseconds: Vec<i64> = days.iter().map(|day| i64::from(*day) * 86_400_000).collect();
    assert_eq!(ticks(Date32Array::from(days)).unwrap(), expected);
    assert_eq!(ticks(Date64Array::from(milliseconds)).unwrap(), expected);
    // Arrow requires whole days there, but accepts any millisecond.
    let odd = Date64Array::from(vec![-1, 1]);
    assert_eq!(ticks(odd).unwrap(), [621_355_967_999_990_000, 621_355_968_000_010_000]);
}

#[test]
fn days_outside_of_the_years_1_to_9999_are_refused_by_their_row() {
    for day in [-719_163, 2_932_897, i32::MIN, i32::MAX] {
        let error = ticks(Date32Array::from(vec![0, day])).unwrap_err().to_string();
        assert!(error.contains("which is not between the years 1 and 9999"), "{day}: {error}");
        assert!(error.contains("\"d\""), "{day}: {error}");
    }
    for day in [-719_163, 2_932_897] {
        let error = ticks(Date64Array::from(vec![0, day * 86_400_000])).unwrap_err().to_string();
        assert!(error.contains("which is not between the years 1 and 9999"), "{day}: {error}");
        assert!(error.contains("\"d\""), "{day}: {error}");
    }
    let error = ticks(Date64Array::from(vec![0, i64::MAX])).unwrap_err().to_string();
    assert!(error.ends_with("has the time 9223372036854775807 ms, which overflows 64-bit ticks"), "{error}");
}

#[test]
fn every_half_float_becomes_the_single_of_the_same_value() {
    let halves: Vec<u16> = (0..=u16::MAX).collect();
    let array: Float16Array = halves.iter().map(|&bits| Some(ndbytes::half::f16::from_bits(bits))).collect();
    let table = written(&[batch("h", array)], WriteOptions::new()).unwrap();
    let column = table.column("h").unwrap();
    assert_eq!(column.column_type().unwrap().to_string(), "Single");
    for (bits, value) in halves.iter().zip(column.read().unwrap().iter()) {
        let Value::F32(single) = value else { panic!("{value:?} is no Single") };
        let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
        let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
        let expected = match exponent {
            31 if fraction == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            0 => fraction * 2.0_f64.powi(-24),
            _ => (1024.0 + fraction) * 2.0_f64.powi(exponent - 25),
        };
        let is_same = (single.is_nan() && expected.is_nan()) || (sign * expected) as f32 == single;
        assert!(is_same && single.is_sign_negative() == (sign < 0.0), "{bits:04x}: {single}");
    }
}
