//! The handle.

use super::{DRIVER, judge};
use crate::arrays::any::ElementArray;
use crate::arrays::elements::{Elements, Stored};
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::format::Format;
use crate::gzip::admit_opened;
use crate::options::{Handle, Settings};
use crate::types::dtype::{Dtype, Element, ElementKind};
use everybyte::Endian;
use ndarray::{ArrayD, IxDyn};

/// An open file.
#[derive(Debug)]
pub struct Toy<'a> {
    shape: [usize; 1],
    elements: Elements<'a>,
    tolerated: Vec<Finding>,
    warnings: Vec<Finding>,
}

impl Handle for Toy<'static> {
    type Of<'a> = Toy<'a>;

    fn read_with<'a>(input: Input<'a>, settings: &Settings) -> Result<Toy<'a>> {
        let mut input = DRIVER.opened(input, settings)?;
        let (header, findings) = judge(input.source());
        let is_tolerated = |finding: &Finding| finding.rule.is_tolerable() && settings.tolerates(finding.rule);
        let (tolerated, warnings) = admit_opened(&mut input, findings, is_tolerated)?;
        let items = header.expect("a header that could not be read is an error").items;
        let stored = Stored::Plain(items.range());
        let dtype = Dtype::new(ElementKind::U8, Endian::Little);
        let elements = Elements { input, dtype, count: items.present, stored };
        Ok(Toy { shape: [items.present as usize], elements, tolerated, warnings })
    }
}

impl Toy<'_> {
    pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>> {
        let elements = self.elements.to_vec()?;
        Ok(ArrayD::from_shape_vec(IxDyn(&self.shape), elements).expect("the shape is the number of items"))
    }
}

impl ElementArray for Toy<'_> {
    fn format(&self) -> Format {
        Format::Toy
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
