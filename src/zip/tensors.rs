//! The tensors of a file as members.

use super::address_in;
use super::contents::Contents;
use super::member::{Member, Place};
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::rule::Depth;
use crate::gzip::{self, Inside};
use crate::options::Settings;
use crate::tensors;
use crate::tensors::directory::{Directory, Tensor};
use crate::tensors::kind::Kind;

/// Returns whether an input is a file of tensors, not a tensor in such a file.
pub fn is_of_tensors(input: &Input<'_>) -> bool {
    kind_of_tensors(input).is_some()
}

/// Returns the format of a file of tensors; `None` for any other input.
pub(super) fn kind_of_tensors(input: &Input<'_>) -> Option<&'static Kind> {
    tensors::kind_by(input.head(), input.length())
}

/// Returns whether an input is a gzip file whose content is a file of tensors.
pub(super) fn is_packed(input: &Input<'_>) -> bool {
    let detected = || gzip::with_first_bytes(input, |source| tensors::kind_by(source.bytes(), source.length()));
    gzip::is_packed(input) && detected().is_some()
}

/// Returns the content of a gzip file with tensors.
///
/// # Errors
/// [`Error::Invalid`] if it breaks a rule of gzip; [`Error::Limit`]; [`Error::Io`].
pub(super) fn unpacked(input: Input<'_>, limits: Limits) -> Result<Input<'static>> {
    let settings = Settings { limits, ..Settings::default() };
    gzip::unpack(input, &settings, Depth::Payload, &|source| match tensors::kind_by(source.bytes(), source.length()) {
        Some(_) => Inside::Whole,
        None => Inside::Unwanted,
    })?
    .readable()
}

/// Returns the tensors of a file; `None` if it is opened as a file, because it has a single tensor, or has an error and no tensors.
pub(super) fn several(input: &Input<'_>) -> Result<Option<Contents>> {
    let directory = Directory::read(input)?;
    let is_archive = match directory.tensors.len() {
        0 => !directory.findings.iter().any(Finding::is_error),
        1 => false,
        _ => true,
    };
    Ok(is_archive.then(|| contents(directory)))
}

/// Returns the tensors of a file, regardless of their number.
///
/// # Errors
/// [`Error::Invalid`] if its header does not describe them.
pub(super) fn all(input: &Input<'_>) -> Result<Contents> {
    let directory = Directory::read(input)?;
    match directory.is_readable {
        true => Ok(contents(directory)),
        false => Err(refusal(directory.findings)),
    }
}

/// Returns the error that makes a file unreadable.
fn refusal(findings: Vec<Finding>) -> Error {
    findings.into_iter().find(Finding::is_error).expect("what could not be read is an error").into()
}

/// Returns the tensors as the contents of an archive.
fn contents(directory: Directory) -> Contents {
    let members = directory.tensors.into_iter().map(Member::tensor).collect();
    Contents::of_tensors(members, directory.findings)
}

impl Member {
    /// A tensor as a member.
    fn tensor(tensor: Tensor) -> Self {
        Member {
            name: tensor.name.clone(),
            length: tensor.length,
            format: Some(tensor.format),
            place: Place::Tensor(tensor),
        }
    }
}

/// Opens the tensor with this name.
///
/// # Errors
/// [`Error::NoEntry`] if there is none; any error from [`Tensor::open`].
pub(super) fn load_named(input: &Input<'_>, limits: Limits, name: &str) -> Result<Input<'static>> {
    let directory = Directory::read(input)?;
    if !directory.is_readable {
        return Err(refusal(directory.findings));
    }
    match directory.tensors.iter().find(|tensor| &*tensor.name == name) {
        Some(tensor) => tensor.open(input, address_in(input.path(), name), input.fresh_budget(limits)),
        None => {
            let (members, more) = contents(directory).addresses(|member| address_in(input.path(), &member.name));
            Err(Error::NoEntry { entry: name.to_owned(), members, more })
        }
    }
}

/// Returns the error that asks the caller to choose a tensor.
pub(crate) fn choice_of_tensor(input: &Input<'_>, directory: &Directory) -> Error {
    let addresses = directory.tensors.iter().take(super::contents::LISTED);
    let members = addresses.map(|tensor| address_in(input.path(), &tensor.name)).collect();
    Error::Archive { members, more: directory.tensors.len().saturating_sub(super::contents::LISTED) }
}
