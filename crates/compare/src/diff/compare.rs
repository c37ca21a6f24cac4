//! Comparing items of two types, one by one.
//!
//! A [`Plan`] is made once for a pair of types, and then applied to the bytes of each pair of items. It records whether
//! equal bytes mean equal items. If so, the [tally](super::tally) compares kilobytes at a time and looks at single
//! items only where bytes differ. Two types are comparable if they share values, such as `<i4` and `>f8`; numbers are
//! then compared exactly, not as doubles.

use super::finite::{Finite, scaled};
use super::number::{Number, Width};
use super::options::Tolerance;
use super::outcome::{Outcome, is_within, reals};
use super::values::Distance;
use ndbytes::{DateUnit, Dtype, ElementKind, ItemType, LongDouble, Scalar, TimeUnit};
use std::hash::{Hash, Hasher};

/// How to compare items of two types.
#[derive(Debug)]
pub(super) enum Plan {
    /// Real or complex numbers: the [`Dtype`] in the first and in the second file.
    Numbers(Dtype, Dtype),
    /// Plain values that are either equal or not, such as text and raw bytes.
    Plain(Dtype, Dtype),
    /// Points in time, or durations.
    Times(Dtype, Dtype),
    /// The fields of structures.
    Fields(Vec<Part>),
    /// `count` items of subarrays.
    Items { count: usize, part: Box<Part> },
}

/// One field of both structures, or one item of both subarrays.
#[derive(Debug)]
pub(super) struct Part {
    /// The first byte in an item and the number of bytes, for the first and the second file.
    a: (usize, usize),
    b: (usize, usize),
    plan: Plan,
}

impl Outcome {
    /// Combines the outcomes of the parts of an item. Items with several parts have no distance.
    fn and(self, other: Outcome) -> Outcome {
        Outcome {
            differs: self.differs || other.differs,
            is_within: (self.is_within || !self.differs)
                && (other.is_within || !other.differs)
                && (self.differs || other.differs),
            is_sign_of_zero: (self.is_sign_of_zero || !self.differs)
                && (other.is_sign_of_zero || !other.differs)
                && (self.differs || other.differs),
            nan: [self.nan[0] || other.nan[0], self.nan[1] || other.nan[1]],
            is_other_payload: self.is_other_payload || other.is_other_payload,
            is_infinite: self.is_infinite || other.is_infinite,
            distance: None,
            whole: None,
        }
    }
}

/// Returns whether two types are the same, ignoring byte order and the positions of fields.
pub(super) fn is_same_type(a: &ItemType, b: &ItemType) -> bool {
    match (a, b) {
        (ItemType::Plain(a), ItemType::Plain(b)) => a.kind == b.kind,
        (ItemType::Structure(a), ItemType::Structure(b)) => {
            let (a, b) = (a.fields(), b.fields());
            let same = |(a, b): (&ndbytes::Field, &ndbytes::Field)| {
                a.name == b.name && is_same_type(&a.item_type, &b.item_type)
            };
            a.len() == b.len() && a.iter().zip(b).all(same)
        }
        (ItemType::Subarray(a), ItemType::Subarray(b)) => {
            a.shape() == b.shape() && is_same_type(a.item_type(), b.item_type())
        }
        _ => false,
    }
}

/// Returns whether elements of this kind are numbers, which can be compared with any other kind of number.
fn is_number(kind: ElementKind) -> bool {
    use ElementKind::{Bit, Bool, I8, I16, I32, I64, I128, U8, U16, U32, U64, U128};
    Width::of(kind).is_some() || matches!(kind, Bool | Bit | I8 | I16 | I32 | I64 | I128 | U8 | U16 | U32 | U64 | U128)
}

/// Returns whether elements of this kind are compared as text, without padding.
fn is_text(kind: ElementKind) -> bool {
    matches!(kind, ElementKind::Bytes(_) | ElementKind::Str(_))
}

impl Plan {
    /// Plans the comparison of items of two types, or returns why they cannot be compared.
    pub fn new(a: &ItemType, b: &ItemType) -> Result<Plan, String> {
        match (a, b) {
            (ItemType::Plain(a), ItemType::Plain(b)) => Plan::plain(*a, *b),
            (ItemType::Structure(one), ItemType::Structure(other)) => {
                let (one, other) = (one.fields(), other.fields());
                let names =
                    |fields: &[ndbytes::Field]| fields.iter().map(|field| field.name.clone()).collect::<Vec<_>>();
                if names(one) != names(other) {
                    return Err(format!("the items have other fields: {a} and {b}"));
                }
                let parts = one.iter().zip(other).map(|(one, other)| {
                    Ok(Part {
                        a: (one.offset as usize, one.item_type.stride() as usize),
                        b: (other.offset as usize, other.item_type.stride() as usize),
                        plan: Plan::new(&one.item_type, &other.item_type)?,
                    })
                });
                Ok(Plan::Fields(parts.collect::<Result<_, String>>()?))
            }
            (ItemType::Subarray(one), ItemType::Subarray(other)) if one.shape() == other.shape() => {
                let plan = Plan::new(one.item_type(), other.item_type())?;
                let size = |item_type: &ItemType| (0, item_type.stride() as usize);
                let part = Part { a: size(one.item_type()), b: size(other.item_type()), plan };
                Ok(Plan::Items { count: one.count() as usize, part: part.into() })
            }
            _ => Err(format!("items of {a} and of {b} have no common type")),
        }
    }

    /// Returns the plan for two plain types. The error explains why they cannot be compared.
    fn plain(a: Dtype, b: Dtype) -> Result<Plan, String> {
        match (a.kind, b.kind) {
            (one, other) if is_number(one) && is_number(other) => Ok(Plan::Numbers(a, b)),
            (one, other) if is_text(one) && is_text(other) => Ok(Plan::Plain(a, b)),
            (ElementKind::Record(one), ElementKind::Record(other)) if one == other => Ok(Plan::Plain(a, b)),
            (ElementKind::DateTime(one), ElementKind::DateTime(other))
            | (ElementKind::TimeDelta(one), ElementKind::TimeDelta(other))
                if scale(one).0 == scale(other).0 =>
            {
                Ok(Plan::Times(a, b))
            }
            _ => Err(format!("items of {} and of {} have no common type", a.descr(), b.descr())),
        }
    }

    /// Returns whether items with equal bytes are equal values, because types and byte orders are the same.
    pub fn is_of_bytes(&self) -> bool {
        match self {
            Plan::Numbers(a, b) | Plan::Plain(a, b) | Plan::Times(a, b) => {
                a.kind == b.kind && (a.endian == b.endian || a.kind.swapped() == 1)
            }
            Plan::Fields(parts) => parts.iter().all(|part| part.a == part.b && part.plan.is_of_bytes()),
            Plan::Items { part, .. } => part.a == part.b && part.plan.is_of_bytes(),
        }
    }

    /// Compares two items.
    pub fn compare(&self, a: &[u8], b: &[u8], tolerance: &Tolerance) -> Outcome {
        match self {
            Plan::Numbers(one, other) => {
                numbers(&Scalar::from_bytes(a, *one), &Scalar::from_bytes(b, *other), [*one, *other], tolerance)
            }
            Plan::Plain(one, other) => {
                let is_equal = match (Scalar::from_bytes(a, *one), Scalar::from_bytes(b, *other)) {
                    (Scalar::ByteString(bytes), Scalar::Str(units))
                    | (Scalar::Str(units), Scalar::ByteString(bytes)) => {
                        bytes.iter().map(|&byte| u32::from(byte)).eq(units)
                    }
                    (a, b) => a == b,
                };
                if is_equal { Outcome::default() } else { Outcome::DIFFERENT }
            }
            Plan::Times(one, other) => {
                let steps = |bytes: &[u8], dtype: &Dtype| match Scalar::from_bytes(bytes, *dtype) {
                    Scalar::DateTime(steps, unit) | Scalar::TimeDelta(steps, unit) => (steps, unit),
                    other => unreachable!("{other:?} is not a time"),
                };
                if is_same_time(steps(a, one), steps(b, other)) { Outcome::default() } else { Outcome::DIFFERENT }
            }
            Plan::Fields(parts) => parts.iter().fold(Outcome::default(), |outcome, part| {
                outcome.and(part.plan.compare(&a[part.a.0..][..part.a.1], &b[part.b.0..][..part.b.1], tolerance))
            }),
            Plan::Items { count, part } => (0..*count).fold(Outcome::default(), |outcome, place| {
                let a = &a[place * part.a.1..][..part.a.1];
                outcome.and(part.plan.compare(a, &b[place * part.b.1..][..part.b.1], tolerance))
            }),
        }
    }
}

/// Returns the real and the imaginary part of a complex number.
fn parts(scalar: &Scalar) -> Option<(Scalar, Scalar)> {
    Some(match *scalar {
        Scalar::Complex64(re, im) => (Scalar::F32(re), Scalar::F32(im)),
        Scalar::Complex128(re, im) => (Scalar::F64(re), Scalar::F64(im)),
        Scalar::ComplexLongDouble(re, im) => (Scalar::LongDouble(re), Scalar::LongDouble(im)),
        _ => return None,
    })
}

/// Compares two numbers. A real number equals a complex one whose imaginary part is zero.
fn numbers(a: &Scalar, b: &Scalar, dtypes: [Dtype; 2], tolerance: &Tolerance) -> Outcome {
    match (parts(a), parts(b)) {
        (None, None) => reals(a, b, dtypes, tolerance),
        (one, other) => {
            // A real number is one without an imaginary part.
            let nothing = || Scalar::LongDouble(LongDouble::from_bits(0, 0));
            let (one, other) =
                (one.unwrap_or_else(|| (a.clone(), nothing())), other.unwrap_or_else(|| (b.clone(), nothing())));
            complex(one, other, dtypes, tolerance)
        }
    }
}

/// Compares complex numbers. Tolerances apply to the distance in the complex plane, as in NumPy, not to each part.
fn complex(a: (Scalar, Scalar), b: (Scalar, Scalar), dtypes: [Dtype; 2], tolerance: &Tolerance) -> Outcome {
    let exact = Tolerance { bits: tolerance.bits, ..Tolerance::exact() };
    let (re, im) = (reals(&a.0, &b.0, dtypes, &exact), reals(&a.1, &b.1, dtypes, &exact));
    let both = re.and(im);
    let finite = |scalar: &Scalar| match Number::of(scalar) {
        Some(Number::Finite(number)) => Some(number),
        _ => None,
    };
    let of = |parts: &(Scalar, Scalar)| Some((finite(&parts.0)?, finite(&parts.1)?));
    let (true, Some(one), Some(other)) = (both.differs, of(&a), of(&b)) else { return both };
    let steps = |outcome: &Outcome| outcome.distance.and_then(|distance| distance.ulp).unwrap_or(0);
    let ulp = dtypes.iter().all(|dtype| Width::of(dtype.kind).is_some()).then(|| steps(&re).max(steps(&im)));
    // Scaling by a power of two brings numbers outside the range of doubles into that range.
    let largest = one.0.larger(one.1).larger(other.0.larger(other.1));
    let power = match i32::try_from(largest.order().0 + i64::from(u128::BITS)) {
        Ok(power) if power.abs() > 500 => -power,
        _ => 0,
    };
    let modulus = |re: Finite, im: Finite| re.magnitude_times(power).hypot(im.magnitude_times(power));
    let apart = modulus(one.0.apart(other.0), one.1.apart(other.1));
    let larger = modulus(one.0, one.1).max(modulus(other.0, other.1));
    let relative = if larger == 0.0 { 0.0 } else { apart / larger };
    let distance = Finite::of_f64(apart);
    let distance = Finite::new(false, distance.significand, distance.exponent - power);
    let distance = Distance::of(distance, relative, ulp);
    let is_near = |absolute: f64, relative: f64| apart <= scaled(absolute, power) + relative * larger;
    Outcome { is_within: is_within(&distance, false, tolerance, is_near), distance: Some(distance), ..both }
}

/// Returns the class of a unit (seconds, months, or steps of unknown length), and the number of the class's smallest
/// units (attoseconds, for seconds) in one step.
fn scale(unit: TimeUnit) -> (u8, i128) {
    let steps = match unit.unit {
        DateUnit::Generic => return (2, 1),
        DateUnit::Year => return (1, 12 * i128::from(unit.count)),
        DateUnit::Month => return (1, i128::from(unit.count)),
        DateUnit::Week => 7 * 86_400,
        DateUnit::Day => 86_400,
        DateUnit::Hour => 3600,
        DateUnit::Minute => 60,
        _ => 1,
    };
    (0, steps * i128::from(unit.count))
}

/// Returns the number of these units in a second, as a power of 1000.
fn thousands(unit: DateUnit) -> u32 {
    (unit as u32).saturating_sub(DateUnit::Second as u32)
}

/// Returns whether two times are the same instant. NaT is stored as the smallest integer and equals only itself.
fn is_same_time((a, a_unit): (i64, TimeUnit), (b, b_unit): (i64, TimeUnit)) -> bool {
    if a_unit == b_unit || a == i64::MIN || b == i64::MIN {
        return a == b;
    }
    let (whole, other) = (i128::from(a) * scale(a_unit).1, i128::from(b) * scale(b_unit).1);
    if scale(a_unit).0 != 0 {
        return whole == other;
    }
    // Both are converted to the finer unit. A time that overflows 128 bits there cannot equal a 64-bit time in that unit.
    let finest = thousands(a_unit.unit).max(thousands(b_unit.unit));
    let fine = |count: i128, unit: TimeUnit| count.checked_mul(1000_i128.pow(finest - thousands(unit.unit)));
    matches!((fine(whole, a_unit), fine(other, b_unit)), (Some(whole), Some(other)) if whole == other)
}

impl Plan {
    /// Hashes the value of an item from the first (0) or second (1) file. Equal values have equal hashes, whatever their types.
    pub fn hash(&self, item: &[u8], side: usize, to: &mut impl Hasher) {
        match self {
            Plan::Numbers(a, b) | Plan::Plain(a, b) | Plan::Times(a, b) => {
                hash_scalar(&Scalar::from_bytes(item, [*a, *b][side]), to);
            }
            Plan::Fields(parts) => {
                for part in parts {
                    let (start, size) = [part.a, part.b][side];
                    part.plan.hash(&item[start..start + size], side, to);
                }
            }
            Plan::Items { count, part } => {
                let (_, size) = [part.a, part.b][side];
                (0..*count).for_each(|place| part.plan.hash(&item[place * size..][..size], side, to));
            }
        }
    }
}

/// Hashes a number so that equal numbers of different types have equal hashes.
fn hash_scalar(scalar: &Scalar, to: &mut impl Hasher) {
    if let Some((re, im)) = parts(scalar) {
        hash_scalar(&re, to);
        // A real number is one without an imaginary part.
        if Number::of(&im) != Number::of(&Scalar::F64(0.0)) {
            hash_scalar(&im, to);
        }
        return;
    }
    match scalar {
        Scalar::ByteString(bytes) => bytes.iter().for_each(|&byte| u32::from(byte).hash(to)),
        Scalar::Str(units) => units.iter().for_each(|unit| unit.hash(to)),
        Scalar::Bytes(bytes) => bytes.hash(to),
        Scalar::DateTime(steps, unit) | Scalar::TimeDelta(steps, unit) => {
            let (class, units) = scale(*unit);
            // Hashes whole seconds, so that finer and coarser units have the same hash.
            (class, (i128::from(*steps) * units).div_euclid(1000_i128.pow(thousands(unit.unit)))).hash(to);
        }
        scalar => Number::of(scalar).hash(to),
    }
}
