//! Doc comments, used as the documentation of a field.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// Returns the doc comment of an item, joined to one paragraph; empty if there is none.
pub fn text(attributes: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        if let Meta::NameValue(pair) = &attribute.meta
            && let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) = &pair.value
        {
            lines.push(line.value().trim().to_owned());
        }
    }
    lines.join(" ").trim().to_owned()
}
