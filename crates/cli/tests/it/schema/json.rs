//! `schema --json` contains everything in the field reference.

use crate::support::tool::{json_lines, run};
use serde_json::{Value, json};

fn schema(format: &str) -> Value {
    json_lines(&run(&["schema", "--json", format]).stdout).remove(0)
}

fn ty(schema: &Value, name: &str) -> Value {
    let types = schema["types"].as_array().unwrap();
    types.iter().find(|ty| ty["name"] == name).unwrap_or_else(|| panic!("{name}")).clone()
}

#[test]
fn every_format_is_an_object_on_a_line_of_its_own() {
    let all = json_lines(&run(&["schema", "--json"]).stdout);
    let names: Vec<&str> = all.iter().map(|schema| schema["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["idx", "rawarray", "idv", "b2nd", "npy", "safetensors", "gguf", "gzip", "zip"]);
    for schema in all {
        assert_eq!(schema, self::schema(schema["name"].as_str().unwrap()));
    }
}

#[test]
fn formats_are_named_in_any_case() {
    assert_eq!(schema("IDX"), schema("idx"));
    assert_eq!(schema("RawArray"), schema("rawarray"));
    assert_eq!(schema(".npy"), schema("npy"));
    assert_eq!(run(&["schema", "hdf5"]).status, 2);
}

#[test]
fn a_structure_has_fields_with_types_sizes_counts_and_roles() {
    let idx = ty(&schema("idx"), "Idx");
    assert_eq!((&idx["kind"], &idx["order"]), (&json!("structure"), &json!("big-endian")));
    let fields = idx["fields"].as_array().unwrap();
    let expected = json!({
        "name": "dims", "type": "[u32]", "count": "ndim", "role": "fact", "doc": "Length of each axis, outermost first.",
    });
    assert_eq!(fields[3], expected);
    assert_eq!(fields[2]["role"], "counts");
    assert_eq!(fields[2]["target"], "dims");
    assert_eq!(fields[4]["arguments"], json!({ "length": "payload_length(element_type, &dims)" }));
}

#[test]
fn codes_bits_and_alternatives_are_listed() {
    let rawarray = schema("rawarray");
    let float = json!({ "code": 3, "name": "float", "doc": "IEEE 754 numbers." });
    assert_eq!(ty(&rawarray, "Eltype")["codes"][3], float);
    let bit = &ty(&rawarray, "Flags")["bits"][1];
    assert_eq!((&bit["name"], &bit["first"], &bit["width"]), (&json!("encoded"), &json!(1), &json!(1)));
    let header = ty(&schema("npy"), "Header");
    assert_eq!(header["variants"][1]["condition"], "major == 2");
    assert_eq!(header["parameters"], json!([{ "name": "major", "type": "u8" }]));
}

#[test]
fn conditions_and_keys_are_said() {
    let column = ty(&schema("idv"), "Column");
    let field =
        |name: &str| column["fields"].as_array().unwrap().iter().find(|field| field["name"] == name).unwrap().clone();
    assert_eq!(field("annotations_offset")["condition"], "version.0 >= Version::ANNOTATIONS");
    assert_eq!(field("name")["key"], true);
    assert_eq!(field("lookup_offset")["role"], "place");
    assert_eq!(field("lookup_offset").get("key"), None);
}
