//! The source of a specification.

use super::model::Model;
use crate::declared::located;
use crate::place::{Flaw, SpecError};
use crate::spec::Spec;
use crate::stack::with_stack;

impl Spec {
    /// The specification as source of `#[layout]` structures: a module for a crate that depends on `everybyte` and `binrw`.
    ///
    /// The layout reads a file as the specification does, with the same fields at the same bytes. Its lists have nodes for their
    /// first 64 elements.
    ///
    /// ```
    /// use everybyte_ksy::Spec;
    ///
    /// let spec: Spec = "{meta: {id: pair}, seq: [{id: width, type: u1}, {id: height, type: u1}]}".parse()?;
    /// assert!(spec.rust().unwrap().contains("pub struct Pair {\n    pub width: u8,\n    pub height: u8,\n}\n"));
    /// # Ok::<(), everybyte_ksy::SpecError>(())
    /// ```
    ///
    /// # Errors
    /// All parts that a layout does not say, in the order of their places.
    pub fn rust(&self) -> Result<String, Vec<SpecError>> {
        let made = with_stack(|| source(self));
        let flaws = match made.unwrap_or_else(|message| Err(vec![Flaw { at: Default::default(), message }])) {
            Ok(source) => return Ok(source),
            Err(flaws) => flaws,
        };
        Err(flaws.into_iter().map(|flaw| located(self.files(), flaw)).collect())
    }
}

fn source(spec: &Spec) -> Result<String, Vec<Flaw>> {
    let mut model = Model::new(&spec.declared, &spec.plan);
    model.find_circles();
    let mut items = Vec::new();
    for &number in &model.reached {
        let mut declared = model.structure(number).into_iter();
        items.extend(declared.next());
        if number == 0 {
            items.extend(outermost(&model, spec.name()));
        }
        items.extend(declared);
    }
    items.extend(model.codes());
    let own = &spec.plan.types[0];
    if !own.params.is_empty() || !model.captures[&0].is_empty() {
        model.refuse(own.at, "the outermost type takes values from around it");
    }
    let mut flaws = model.flaws.into_inner();
    flaws.sort_by_key(|flaw| (flaw.at.file, flaw.at.line, flaw.at.column));
    flaws.dedup_by(|one, other| one.at == other.at && one.message == other.message);
    if !flaws.is_empty() {
        return Err(flaws);
    }
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut head = format!("// Made by `everybyte spec rust` from the specification `{}`", spec.name());
    for (word, text) in [("", spec.title()), ("licence: ", spec.license())] {
        if !text.is_empty() {
            head.push_str(&format!(", {word}{}", plain(text)));
        }
    }
    Ok(format!("{head}.\n\n{}", items.join("\n")))
}

/// The type of a whole file as a format. One that stands inside itself has another one around it, which begins to count.
fn outermost(model: &Model<'_>, name: &str) -> Vec<String> {
    let mut root = model.type_names[&0].clone();
    let mut items = Vec::new();
    if model.circles.contains_key(&0) {
        let inner = std::mem::take(&mut root);
        root = model.names.borrow_mut().fresh(&format!("{inner}File"));
        items.push(format!(
            "#[everybyte::layout]\npub struct {root} {{\n    #[br(args(0))]\n    #[layout(inline)]\n    pub value: {inner},\n}}\n"
        ));
    }
    items.push(format!("impl everybyte::Format for {root} {{\n    const NAME: &'static str = {name:?};\n}}\n"));
    items
}
