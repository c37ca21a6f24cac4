//! Opens tensors and reads their elements.

use crate::arrays::any::ElementArray;
use crate::arrays::elements::{Elements, Stored};
use crate::bytes::declared::DeclaredTensor;
use crate::bytes::input::Input;
use crate::bytes::limits::extents;
use crate::bytes::memory::AlignedBytes;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::format::Format;
use crate::gzip::{self, Inside, admit_opened};
use crate::options::{Handle, OpenOptions, Settings};
use crate::tensors::directory::Directory;
use crate::tensors::kind_by;
use crate::types::dtype::{Dtype, Element};
use crate::types::tensor_type::{Blocks, Reading};
use crate::zip::choice_of_tensor;
use everybyte::Endian;
use ndarray::{ArrayD, ArrayViewD, IxDyn};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Opens a tensor by its address, such as `model.safetensors!layer.0.weight`, or a file with a single tensor.
///
/// # Errors
/// [`Error::Invalid`] if the file breaks a rule of severity error. [`Error::Archive`] if it has several tensors and the path does
/// not name one. [`Error::NoEntry`] if it has no tensor with this name. [`Error::Io`] if it cannot be read.
pub fn open(path: impl AsRef<Path>) -> Result<Tensor<'static>> {
    Options::new().open(path)
}

/// Reads the only tensor of a file in memory.
///
/// # Errors
/// As for [`open`].
pub fn from_slice(bytes: &[u8]) -> Result<Tensor<'_>> {
    Options::new().from_slice(bytes)
}

/// Reads the only tensor of a stream to its end.
///
/// # Errors
/// As for [`open`]; also [`Error::Limit`] if the stream is longer than allowed.
pub fn from_reader(reader: impl io::Read) -> Result<Tensor<'static>> {
    Options::new().from_reader(reader)
}

/// Options for reading tensors: [`OpenOptions`] has the methods.
pub type Options = OpenOptions<Tensor<'static>>;

impl Handle for Tensor<'static> {
    type Of<'a> = Tensor<'a>;

    fn read_with<'a>(input: Input<'a>, settings: &Settings) -> Result<Tensor<'a>> {
        let mut input = gzip::opened(input, settings, &|source| match kind_by(source.bytes(), source.length()) {
            Some(_) => Inside::Whole,
            None => Inside::Unwanted,
        })?;
        if let Some(declared) = input.declared().cloned() {
            let place = 0..input.length();
            let warnings = input.take_findings();
            return Tensor::new(input, declared, place, (Vec::new(), warnings));
        }
        let mut directory = Directory::read(&input)?;
        let findings = std::mem::take(&mut directory.findings);
        let (tolerated, warnings) = admit_opened(&mut input, findings, |finding: &Finding| {
            finding.rule.is_tolerable() && settings.tolerates(finding.rule)
        })?;
        if directory.tensors.len() != 1 {
            return Err(choice_of_tensor(&input, &directory));
        }
        let tensor = directory.only().and_then(|tensor| Some((tensor.declared?, tensor.place)));
        let (declared, place) = tensor.expect("what could not be read is an error");
        Tensor::new(input, declared, place, (tolerated, warnings))
    }
}

/// An open tensor.
///
/// ```
/// # let header = br#"{"bias":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}       "#;
/// # let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
/// # bytes.extend(header);
/// # bytes.extend([0, 0, 128, 63, 0, 0, 0, 64]);
/// let tensor = ndbytes::safetensors::from_slice(&bytes)?;
/// assert_eq!((tensor.shape(), tensor.type_name()), (&[2][..], "F32"));
/// assert_eq!(tensor.to_array::<f32>()?[1], 2.0);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct Tensor<'a> {
    declared: Arc<DeclaredTensor>,
    shape: Vec<usize>,
    elements: Elements<'a>,
    tolerated: Vec<Finding>,
    warnings: Vec<Finding>,
}

impl<'a> Tensor<'a> {
    fn new(
        input: Input<'a>,
        declared: Arc<DeclaredTensor>,
        place: std::ops::Range<u64>,
        (tolerated, warnings): (Vec<Finding>, Vec<Finding>),
    ) -> Result<Self> {
        let tensor_type = declared.tensor_type;
        let length = place.end - place.start;
        let (shape, count, stored) = match tensor_type.reading {
            Reading::As(kind) => (declared.shape.clone(), length / kind.size(), Stored::Plain(place)),
            Reading::Packed | Reading::Blocks(Blocks { decode: None, .. }) => {
                (vec![length], length, Stored::Plain(place))
            }
            Reading::Decoded(decode) => {
                let of_byte = |bytes: &[u8], to: &mut [f32]| to[0] = decode(bytes[0]);
                let stored = Stored::Decoded(decoded(&input, place, (1, 1), of_byte)?);
                (declared.shape.clone(), length, stored)
            }
            Reading::Blocks(Blocks { elements, decode: Some(decode) }) => {
                let (block, order) = (tensor_type.bits / 8, declared.order);
                let of_block = |bytes: &[u8], to: &mut [f32]| decode(bytes, order, to);
                let stored = Stored::Decoded(decoded(&input, place, (block, elements), of_block)?);
                (declared.shape.clone(), length / block * elements, stored)
            }
        };
        let shape = extents(shape.into_iter())?;
        let order = if matches!(stored, Stored::Decoded(_)) { Endian::Little } else { declared.order };
        let dtype = Dtype::new(tensor_type.kind(), order);
        let elements = Elements { input, dtype, count, stored };
        Ok(Tensor { declared, shape, elements, tolerated, warnings })
    }

    /// The length of each axis. For 4-bit and 6-bit floats, it is the number of packed bytes.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The type of the elements, with its name in the file: `F32`, `BF16`, `F8_E4M3` and so on.
    pub fn type_name(&self) -> &'static str {
        self.declared.tensor_type.name
    }

    /// The type of the elements as they are returned. It is `f32` for 8-bit floats.
    pub fn dtype(&self) -> Dtype {
        self.elements.dtype
    }

    /// The errors that were tolerated because of the options.
    pub fn tolerated(&self) -> &[Finding] {
        &self.tolerated
    }

    /// Warnings: findings that did not prevent reading.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// The bytes of all elements as they are returned, little-endian.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be mapped.
    pub fn bytes(&self) -> Result<&[u8]> {
        self.elements.bytes()
    }

    /// Views the tensor in place.
    ///
    /// # Errors
    /// [`Error::WrongType`] if the elements are not `T`; [`Error::NoView`] if they must be swapped or are not aligned.
    pub fn view<T: Element>(&self) -> Result<ArrayViewD<'_, T>> {
        let elements = self.elements.view()?;
        Ok(ArrayViewD::from_shape(IxDyn(&self.shape), elements)
            .expect("the shape was checked when the file was opened"))
    }

    /// Copies the tensor to memory, in native byte order.
    ///
    /// # Errors
    /// [`Error::WrongType`] if the elements are not `T`; [`Error::Limit`] if there is not enough memory; [`Error::Io`].
    pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>> {
        let elements = self.elements.to_vec()?;
        Ok(ArrayD::from_shape_vec(IxDyn(&self.shape), elements)
            .expect("the shape was checked when the file was opened"))
    }
}

/// Converts blocks of bytes, each with this many elements, to 32-bit floats.
fn decoded(
    input: &Input<'_>,
    place: std::ops::Range<u64>,
    (block, elements): (u64, u64),
    decode: impl Fn(&[u8], &mut [f32]),
) -> Result<AlignedBytes> {
    let each = elements.saturating_mul(size_of::<f32>() as u64);
    let (what, needed) = ("the decoded elements", ((place.end - place.start) / block).saturating_mul(each));
    input.budget().take(needed, what)?;
    let zeros = usize::try_from(needed).ok().and_then(AlignedBytes::zeros);
    let mut decoded = zeros.ok_or(Error::Limit { what, needed, left: 0 })?;
    let bytes = input.range(place)?;
    let mut numbers = vec![0.0; elements as usize];
    for (to, bytes) in decoded.as_mut_slice().chunks_exact_mut(each as usize).zip(bytes.chunks_exact(block as usize)) {
        decode(bytes, &mut numbers);
        for (to, number) in to.as_chunks_mut::<{ size_of::<f32>() }>().0.iter_mut().zip(&numbers) {
            *to = number.to_le_bytes();
        }
    }
    Ok(decoded)
}

/// Describes the type and the shape of a tensor.
pub(super) fn shape_text(declared: &DeclaredTensor) -> String {
    let name = declared.tensor_type.name;
    let axes: Vec<String> = declared.shape.iter().take(MOST_AXES).map(u64::to_string).collect();
    match (axes.is_empty(), declared.shape.len() > MOST_AXES) {
        (true, _) => name.to_owned(),
        (_, false) => format!("{} × {name}", axes.join(" × ")),
        (_, true) => format!("{} × … × {name}", axes.join(" × ")),
    }
}

/// The maximum number of axes of a shape that are shown.
const MOST_AXES: usize = 64;

impl ElementArray for Tensor<'_> {
    fn format(&self) -> Format {
        self.declared.format
    }

    fn is_fortran_order(&self) -> bool {
        false
    }

    fn extents(&self) -> &[usize] {
        &self.shape
    }

    fn elements(&self) -> &Elements<'_> {
        &self.elements
    }

    fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    fn tolerated(&self) -> &[Finding] {
        &self.tolerated
    }
}
