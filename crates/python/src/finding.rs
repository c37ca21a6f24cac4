//! Findings.

use ndbytes::Reference;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::fmt;

/// A violation of a rule. It can be pickled.
///
/// Example:
///     >>> import ndbytes
///     >>> finding = ndbytes.check("interrupted-idx3-ubyte")[0]
///     >>> finding.rule, finding.severity
///     ('idx/truncated-payload', 'error')
#[pyclass(frozen, eq, module = "ndbytes")]
#[derive(Clone, PartialEq)]
pub struct Finding {
    /// The name of the rule, such as ``idx/trailing-bytes``.
    #[pyo3(get)]
    rule: String,
    /// The severity: ``error``, ``warning``, or ``unforeseen`` if profile ``reference`` cannot predict the reader.
    #[pyo3(get)]
    severity: String,
    /// The field that violates the rule, such as ``dims[0]``. Empty for the whole file.
    #[pyo3(get)]
    field: String,
    /// The space that ``offset`` refers to: 0 is the file, others are decompressed blocks.
    #[pyo3(get)]
    space: u32,
    /// The first affected byte.
    #[pyo3(get)]
    offset: u64,
    /// The number of affected bytes.
    #[pyo3(get)]
    length: u64,
    /// A description of the violation.
    #[pyo3(get)]
    message: String,
    /// The expected value.
    #[pyo3(get)]
    expected: Option<String>,
    /// The value in the file.
    #[pyo3(get)]
    found: Option<String>,
    /// The consequence, or advice.
    #[pyo3(get)]
    help: Option<String>,
    /// The archive member that the finding is about.
    #[pyo3(get)]
    member: Option<String>,
    /// What the format's reference reader does: ``accepts``, ``refuses``, ``unforeseen``, or ``None``.
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
    /// Creates a finding from its attributes, as pickles do.
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

    /// Returns all attributes as JSON-compatible values.
    ///
    /// Example:
    ///     >>> import ndbytes
    ///     >>> ndbytes.check("interrupted-idx3-ubyte")[0].to_dict()["offset"]
    ///     2468
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

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        slf.py().import("ndbytes._html")?.call_method1("finding", (slf,))
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<ndbytes.Finding {}: {}>", self.severity, self.text)
    }
}
