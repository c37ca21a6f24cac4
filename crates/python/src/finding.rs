//! Findings.

use ndbytes::Reference;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::fmt;

/// One violation of one rule.
#[pyclass(frozen, eq, module = "ndbytes")]
#[derive(Clone, PartialEq)]
pub struct Finding {
    #[pyo3(get)]
    rule: String,
    #[pyo3(get)]
    severity: String,
    #[pyo3(get)]
    field: String,
    #[pyo3(get)]
    space: u32,
    #[pyo3(get)]
    offset: u64,
    #[pyo3(get)]
    length: u64,
    #[pyo3(get)]
    message: String,
    #[pyo3(get)]
    expected: Option<String>,
    #[pyo3(get)]
    found: Option<String>,
    #[pyo3(get)]
    help: Option<String>,
    #[pyo3(get)]
    member: Option<String>,
    #[pyo3(get)]
    reference: Option<String>,
    text: String,
}

impl Finding {
    /// The names of its attributes.
    pub const ATTRIBUTES: [&'static str; 12] = [
        "rule",
        "severity",
        "field",
        "space",
        "offset",
        "length",
        "message",
        "expected",
        "found",
        "help",
        "member",
        "reference",
    ];
}

impl From<ndbytes::Finding> for Finding {
    fn from(finding: ndbytes::Finding) -> Self {
        Finding {
            text: finding.to_string(),
            rule: finding.rule.id.to_owned(),
            severity: finding.severity.to_string(),
            field: finding.field,
            space: finding.space,
            offset: finding.offset,
            length: finding.length,
            message: finding.message,
            expected: finding.expected,
            found: finding.found,
            help: finding.help,
            member: finding.member.map(|member| member.to_string()),
            reference: Reference::word(finding.reference).map(str::to_owned),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[pymethods]
impl Finding {
    /// Makes a finding of its attributes, as pickles do.
    #[new]
    fn new(attributes: &Bound<'_, PyDict>, text: String) -> PyResult<Self> {
        let of = |name| attributes.as_any().get_item(name);
        Ok(Finding {
            rule: of("rule")?.extract()?,
            severity: of("severity")?.extract()?,
            field: of("field")?.extract()?,
            space: of("space")?.extract()?,
            offset: of("offset")?.extract()?,
            length: of("length")?.extract()?,
            message: of("message")?.extract()?,
            expected: of("expected")?.extract()?,
            found: of("found")?.extract()?,
            help: of("help")?.extract()?,
            member: of("member")?.extract()?,
            reference: of("reference")?.extract()?,
            text,
        })
    }

    fn to_dict<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let attributes = PyDict::new(slf.py());
        for name in Finding::ATTRIBUTES {
            attributes.set_item(name, slf.getattr(name)?)?;
        }
        Ok(attributes)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = (Finding::to_dict(slf)?, &slf.get().text).into_pyobject(slf.py())?;
        PyTuple::new(slf.py(), [slf.get_type().into_any(), arguments.into_any()])
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<ndbytes.Finding {}: {}>", self.severity, self.text)
    }
}
