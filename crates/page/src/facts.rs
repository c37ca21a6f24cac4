//! Facts of a page about the file as a whole.

use ndbytes::everybyte::Node;
use ndbytes::{ByteMap, Finding, GAP, Report, Severity, Verdict};
use serde::Serialize;

/// The head line of a page, in numbers.
#[derive(Debug, Serialize)]
pub struct Facts {
    /// The kind of file.
    pub kind: &'static str,
    /// Bytes of the file.
    pub size: u64,
    pub verdict: &'static str,
    /// Bytes of all spaces that no field claims.
    pub unclaimed: u64,
    pub errors: u64,
    pub warnings: u64,
}

impl Facts {
    /// The facts in a line.
    pub fn line(&self) -> String {
        format!("{}, {} bytes, {}", self.kind, self.size, self.verdict)
    }

    pub fn new(map: &ByteMap, report: &Report) -> Self {
        let count =
            |severity| report.findings().iter().filter(|finding: &&Finding| finding.severity == severity).count();
        Facts {
            kind: map.kind(),
            size: report.size,
            verdict: match report.verdict() {
                Verdict::Ok => "ok",
                Verdict::Warning => "warning",
                Verdict::Unforeseen => "unforeseen",
                Verdict::Error => "error",
            },
            unclaimed: map.spaces.iter().map(|space| unclaimed(&space.nodes)).sum(),
            errors: count(Severity::Error) as u64,
            warnings: count(Severity::Warning) as u64,
        }
    }
}

fn unclaimed(nodes: &[Node]) -> u64 {
    let bytes = |node: &Node| if node.name == GAP { node.end - node.start } else { unclaimed(&node.children) };
    nodes.iter().map(bytes).sum()
}
