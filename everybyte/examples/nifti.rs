//! NIfTI-1: brain images in a single file. `cargo run -p everybyte-tests --example nifti -- explain FILE.nii`
//!
//! Source: `nifti1.h` of the NIfTI Data Format Working Group.

use everybyte::bits::*;
use everybyte::{
    Format,
    bytes::Zeros,
    codes, layout,
    list::{filling, rest},
    text::{ClosedIn, Latin1, Text},
    view::ByteOrder,
};

/// The header, extensions, and the values at an offset.
#[layout]
pub struct Nifti {
    /// 348, in the byte order of the file.
    #[br(assert(header_size == 348, "a header has 348 bytes"))]
    header_size: i32,
    /// Not used, as the fields after it: ANALYZE 7.5 had them.
    #[layout(writer)]
    data_type: [u8; 10],
    #[layout(writer)]
    db_name: [u8; 18],
    #[layout(writer)]
    extents: i32,
    #[layout(writer)]
    session_error: i16,
    #[layout(writer)]
    regular: u8,
    #[layout(fact)]
    directions: Directions,
    /// The number of axes, and the extent of each.
    #[layout(rule("nifti/rank", error, matches!(dim[0], 1..=7), "an image has 1 to 7 axes"))]
    dim: [i16; 8],
    #[layout(fact)]
    intent: [f32; 3],
    #[layout(fact)]
    intent_code: i16,
    datatype: DataType,
    /// Bits of a value.
    #[layout(rule("nifti/bits", error, bits == match datatype.0 {
        2 | 256 => 8,
        4 | 512 => 16,
        128 => 24,
        8 | 16 | 768 => 32,
        1792 => 128,
        _ => 64,
    }, "values of type {} do not have {bits} bits", datatype.0))]
    bits: i16,
    #[layout(fact)]
    slice_start: i16,
    /// The handedness, and the size of a voxel along each axis.
    #[layout(fact)]
    pixdim: [f32; 8],
    #[layout(rule("nifti/offset", error, vox_offset >= 352.0, "values stand after the header"))]
    vox_offset: f32,
    #[layout(fact)]
    #[layout(rule("nifti/scale", warning, slope == 0.0 || datatype != DataType::RGB, "colours are not scaled"))]
    slope: f32,
    #[layout(fact)]
    #[layout(rule("nifti/scale", error, slope == 0.0 || intercept.is_finite(), "values are scaled by {slope} and shifted by {intercept}"))]
    intercept: f32,
    #[layout(fact)]
    slice_end: i16,
    #[layout(fact)]
    slice_code: u8,
    #[layout(fact)]
    units: Units,
    #[layout(fact)]
    maximum: f32,
    #[layout(fact)]
    minimum: f32,
    #[layout(fact)]
    slice_duration: f32,
    #[layout(fact)]
    time_offset: f32,
    #[layout(writer)]
    gl_max: i32,
    #[layout(writer)]
    gl_min: i32,
    #[layout(fact)]
    description: Text<Latin1, ClosedIn<80, 0>>,
    #[layout(fact)]
    aux_file: Text<Latin1, ClosedIn<24, 0>>,
    #[layout(fact)]
    qform: Transform,
    #[layout(fact)]
    sform: Transform,
    /// Three numbers of a rotation, whose squares have a sum of at most 1, and a shift.
    #[layout(fact)]
    #[layout(rule("nifti/rotation", error, qform.0 <= 0 || quaternion[..3].iter().map(|part| part * part).sum::<f32>() < 1.000_001, "it is no rotation"))]
    quaternion: [f32; 6],
    #[layout(fact)]
    affine: [[f32; 4]; 3],
    #[layout(fact)]
    intent_name: Text<Latin1, ClosedIn<16, 0>>,
    end: End,
    #[br(if(end.extended != 0 && vox_offset > 352.0), parse_with = filling((vox_offset as u64).saturating_sub(352)))]
    extensions: Vec<Extension>,
    #[layout(at = vox_offset as u64)]
    #[br(args(dim[1..].iter().zip(0..dim[0]).fold(bits as u64 / 8, |all, (&extent, _)| all.saturating_mul(extent as u64))))]
    values: Values,
}

/// The end of the header. The magic says that the values stand in the same file.
#[layout]
#[brw(magic = b"n+1\0")]
struct End {
    /// Other than 0 if extensions follow.
    #[layout(fact)]
    extended: u8,
    reserved: Zeros<3>,
}

/// The axes of the scanner.
#[layout(bits = 8)]
struct Directions {
    frequency: B2,
    phase: B2,
    slice: B2,
    unused: B2,
}

/// The units of space and time.
#[layout(bits = 8)]
struct Units {
    space: B3,
    time: B3,
    unused: B2,
}

codes! {
    /// The type of a value.
    struct DataType(i16) {
        /// 8 bits.
        U8 = 2 => "uint8";
        /// 16 bits.
        I16 = 4 => "int16";
        /// 32 bits.
        I32 = 8 => "int32";
        /// 32 bits.
        F32 = 16 => "float32";
        /// 64 bits.
        C64 = 32 => "complex64";
        /// 64 bits.
        F64 = 64 => "float64";
        /// 24 bits.
        RGB = 128 => "rgb";
        /// 8 bits.
        I8 = 256 => "int8";
        /// 16 bits.
        U16 = 512 => "uint16";
        /// 32 bits.
        U32 = 768 => "uint32";
        /// 64 bits.
        I64 = 1024 => "int64";
        /// 64 bits.
        U64 = 1280 => "uint64";
        /// 128 bits.
        C128 = 1792 => "complex128";
    }
}

codes! {
    /// The space into which a transform leads.
    struct Transform(i16) {
        /// None.
        UNKNOWN = 0 => "unknown";
        /// That of the scanner.
        SCANNER = 1 => "scanner";
        /// That of another file.
        ALIGNED = 2 => "aligned";
        /// That of Talairach and Tournoux.
        TALAIRACH = 3 => "talairach";
        /// That of the Montreal Neurological Institute.
        MNI = 4 => "mni-152";
    }
}

/// Facts of a program.
#[layout]
struct Extension {
    /// Bytes with these 4, a multiple of 16.
    #[br(temp)]
    #[layout(extent = "size..content")]
    #[layout(rule("nifti/extension", error, size % 16 == 0, "the bytes of an extension are a multiple of 16"))]
    size: u32,
    #[layout(fact)]
    code: ExtensionCode,
    #[layout(payload)]
    #[br(count = size - 8)]
    content: Text<Latin1>,
}

codes! {
    /// The kind of an extension.
    struct ExtensionCode(u32) {
        /// Elements of DICOM.
        DICOM = 2 => "dicom";
        /// XML of AFNI.
        AFNI = 4 => "afni";
        /// A text.
        COMMENT = 6 => "comment";
    }
}

/// The values, one after the other.
#[layout]
#[br(import(length: u64))]
struct Values {
    #[layout(payload)]
    #[br(count = length)]
    bytes: Vec<u8>,
    /// Bytes that some programs write after them.
    #[br(parse_with = rest)]
    after: Vec<u8>,
}

impl Format for Nifti {
    const NAME: &'static str = "NIfTI-1";
    const PADDING: Option<u8> = Some(0);
    const BYTE_ORDER: ByteOrder = ByteOrder::BigIf { at: 0, bytes: b"\x00" };
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Nifti>()
}
