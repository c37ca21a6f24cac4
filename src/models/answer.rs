//! Checks and maps a file or one of its tensors.

use super::map;
use crate::bytes::declared::DeclaredTensor;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::findings::words::quoted;
use crate::format_driver::{Examined, Question};
use crate::tensors::directory::Directory;
use crate::tensors::{kind_or_first, rules};
use crate::types::dtype::ElementKind;
use std::ops::Range;

/// The number of booleans that are checked at once.
const PIECE: u64 = 1 << 20;

/// Checks and maps a file or a tensor that was opened by its address.
pub(crate) fn answer(input: Input<'_>, depth: Depth, _: Limits, question: Question) -> Result<Examined<'_>> {
    if let Some(declared) = input.declared().cloned() {
        let format = Some(declared.format);
        let mut findings = Vec::new();
        if depth == Depth::Payload && question.findings {
            findings.extend(judge_bools(&input, &declared, 0..input.length(), "")?);
        }
        let (spaces, input) = match question.map {
            true => (Some(map::of_tensor(input, declared, depth)), None),
            false => (None, Some(input)),
        };
        return Ok(Examined { format, findings, spaces, input });
    }
    let format = Some(kind_or_first(&input).format);
    let mut directory = Directory::read(&input)?;
    let mut findings = Findings::default();
    findings.extend(std::mem::take(&mut directory.findings));
    if depth == Depth::Payload && question.findings {
        for tensor in directory.tensors.iter().filter(|tensor| tensor.flaw.is_none()) {
            let Some(declared) = &tensor.declared else { continue };
            let of_tensor = format!(" of the tensor {}", quoted(&tensor.name));
            findings.extend(judge_bools(&input, declared, tensor.place.clone(), &of_tensor)?);
        }
    }
    let (spaces, input) = match question.map {
        true => (Some(map::of_file(input, &directory, depth)), None),
        false => (None, Some(input)),
    };
    Ok(Examined { format, findings: findings.into_vec(), spaces, input })
}

/// Returns the finding about the first invalid boolean.
fn judge_bools(
    input: &Input<'_>,
    declared: &DeclaredTensor,
    place: Range<u64>,
    of_tensor: &str,
) -> Result<Option<Finding>> {
    if declared.tensor_type.kind() != ElementKind::Bool {
        return Ok(None);
    }
    let mut piece = vec![0; (place.end - place.start).min(PIECE) as usize];
    for start in place.clone().step_by(PIECE as usize) {
        input.ensure_time()?;
        piece.truncate((place.end - start).min(PIECE) as usize);
        input.read_at(&mut piece, start)?;
        if let Some(found) = piece.iter().position(|&byte| byte > 1) {
            let at = start + found as u64;
            let message = format!("element {}{of_tensor} is not a boolean", at - place.start);
            let finding = Finding::new(&rules::BOOL_VALUE, "tensors", at..at + 1, message);
            return Ok(Some(finding.expected("0 or 1").found(piece[found])));
        }
    }
    Ok(None)
}
