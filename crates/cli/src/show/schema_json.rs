//! The field reference as JSON. `docs/json.md` describes it.

use ndbytes::LayoutReference;
use ndbytes::everybyte::{
    Endian,
    reference::{FieldDoc, TypeDoc, TypeKind},
    role::Role,
};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

#[derive(Serialize)]
pub struct SchemaObject<'a> {
    name: &'a str,
    title: &'a str,
    order: &'a str,
    types: Vec<TypeObject<'a>>,
}

#[derive(Serialize)]
struct TypeObject<'a> {
    name: &'a str,
    kind: &'static str,
    doc: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parameters: Vec<ParameterObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Vec<FieldObject<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    variants: Option<Vec<VariantObject<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    codes: Option<Vec<CodeObject<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bits: Option<Vec<BitsObject<'a>>>,
}

#[derive(Serialize)]
struct ParameterObject<'a> {
    name: &'a str,
    r#type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<&'a str>,
}

#[derive(Serialize)]
struct FieldObject<'a> {
    name: &'a str,
    r#type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    condition: Option<&'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    arguments: BTreeMap<&'static str, &'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    key: bool,
    doc: &'a str,
}

#[derive(Serialize)]
struct VariantObject<'a> {
    name: &'a str,
    condition: &'a str,
    doc: &'a str,
    fields: Vec<FieldObject<'a>>,
}

#[derive(Serialize)]
struct CodeObject<'a> {
    code: i128,
    name: &'a str,
    doc: &'a str,
}

#[derive(Serialize)]
struct BitsObject<'a> {
    name: &'a str,
    first: u32,
    width: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    r#type: &'a str,
    doc: &'a str,
}

/// Writes the field reference of a format.
pub fn object(layout: &LayoutReference) -> SchemaObject<'_> {
    let mut seen = HashSet::new();
    let pages = layout.books.iter().flat_map(|book| &book.types).filter(|page| seen.insert(&*page.name));
    SchemaObject { name: layout.name, title: layout.title, order: layout.order, types: pages.map(page).collect() }
}

fn page(page: &TypeDoc) -> TypeObject<'_> {
    let mut object = TypeObject {
        name: &page.name,
        kind: "",
        doc: &page.doc,
        order: page.endian.map(|endian| if endian == Endian::Big { "big-endian" } else { "little-endian" }),
        parameters: page
            .parameters
            .iter()
            .map(|it| ParameterObject {
                name: it.name,
                r#type: it.type_name,
                default: it.default.as_ref().map(|it| &*it.text),
            })
            .collect(),
        fields: None,
        variants: None,
        codes: None,
        bits: None,
    };
    match &page.kind {
        TypeKind::Structure(list) => (object.kind, object.fields) = ("structure", Some(fields(list))),
        TypeKind::Choice(variants) => {
            let each = variants.iter().map(|it| VariantObject {
                name: &it.name,
                condition: &it.condition.text,
                doc: &it.doc,
                fields: fields(&it.fields),
            });
            (object.kind, object.variants) = ("choice", Some(each.collect()));
        }
        TypeKind::Codes(codes) => {
            let each = codes.iter().map(|it| CodeObject { code: it.code, name: &it.name, doc: &it.doc });
            (object.kind, object.codes) = ("codes", Some(each.collect()));
        }
        TypeKind::Bits(runs) => {
            let each = runs.iter().map(|it| BitsObject {
                name: &it.name,
                first: it.first,
                width: it.width,
                r#type: &it.type_name,
                doc: &it.doc,
            });
            (object.kind, object.bits) = ("bits", Some(each.collect()));
        }
        other => unreachable!("{other:?} has no page"),
    }
    object
}

fn fields(fields: &[FieldDoc]) -> Vec<FieldObject<'_>> {
    fields.iter().map(field).collect()
}

fn field(field: &FieldDoc) -> FieldObject<'_> {
    FieldObject {
        name: &field.name,
        r#type: &field.type_name,
        size: field.size,
        count: field.count.as_ref().map(|it| &*it.text),
        condition: field.condition.as_ref().map(|it| &*it.text),
        arguments: field.arguments.iter().map(|it| (it.name, &*it.value.text)).collect(),
        role: field.role.as_ref().map(Role::name),
        target: field.role.as_ref().and_then(Role::target).map(|target| &*target.path),
        origin: field.role.as_ref().and_then(Role::origin),
        key: field.is_key,
        doc: &field.doc,
    }
}
