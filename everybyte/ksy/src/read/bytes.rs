//! The bytes of a field: sized, ended by a terminator, padded or unpacked.
//!
//! The bytes themselves are not copied: a value is a range of its space. Unpacked bytes get their own space, within
//! the remaining budget. A search for a terminator is charged for the bytes that it visits, because many fields may
//! search the same ones.

use super::context::Context;
use super::field::Here;
use super::machine::{Machine, Space};
use super::value::{Bytes, Cause, Read, Val, fault};
use crate::packing::Argument;
use crate::resolve::{Delimiter, Field, Process, Size};
use crate::text::Encoding;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

impl<'s> Machine<'s> {
    /// Returns the bytes of a field and their space: a new one, if they are unpacked.
    pub(super) fn raw(&mut self, here: Here, field: &'s Field, context: &Context) -> Read<(Bytes, u32)> {
        self.stream(here.stream).align();
        let range = self.packed(here, field, context)?;
        let space = self.stream(here.stream).space;
        match &field.process {
            None => Ok((Bytes::In { space, start: range.start, end: range.end }, space)),
            Some(process) => {
                let opened = self.unpacked(here, field, process, (space, range), context)?;
                let end = self.spaces[opened as usize].bytes.len();
                Ok((Bytes::In { space: opened, start: 0, end }, opened))
            }
        }
    }

    /// Returns the range of a field's value as it is stored.
    fn packed(&mut self, here: Here, field: &'s Field, context: &Context) -> Read<Range<usize>> {
        let size = match (&field.size, &field.contents, &field.delimiter) {
            (Size::Of(size), ..) => Some(self.size(size, context)?),
            (Size::ToEnd, ..) => Some(self.stream(here.stream).left()),
            (Size::Own, Some(contents), _) => Some(contents.len()),
            (Size::Own, None, Some(_)) => None,
            (Size::Own, None, None) => Some(self.stream(here.stream).left()),
        };
        match (size, &field.delimiter) {
            (None, Some(delimiter)) => self.delimited(here, delimiter),
            (size, delimiter) => {
                let mut range = self.stream(here.stream).take(size.unwrap_or_default())?;
                self.budget.work(if field.pad.is_some() || delimiter.is_some() { range.len() } else { 0 })?;
                let bytes = &self.spaces[self.streams[here.stream as usize].space as usize].bytes;
                if let Some(pad) = field.pad
                    && delimiter.as_ref().is_none_or(|delimiter| delimiter.bytes.last() != Some(&pad))
                {
                    let padding = bytes[range.clone()].iter().rev().take_while(|&&byte| byte == pad).count();
                    range.end -= padding;
                }
                if let Some(delimiter) = delimiter
                    && let Some(place) = find(&bytes[range.clone()], &delimiter.bytes)
                {
                    range.end = range.start + place + if delimiter.include { delimiter.bytes.len() } else { 0 };
                }
                Ok(range)
            }
        }
    }

    /// Returns the range of a value that a terminator ends.
    fn delimited(&mut self, here: Here, delimiter: &Delimiter) -> Read<Range<usize>> {
        let stream = &mut self.streams[here.stream as usize];
        let (start, end) = (stream.pos, stream.end.max(stream.pos));
        let bytes = &self.spaces[stream.space as usize].bytes[start..end];
        let found = find(bytes, &delimiter.bytes);
        let width = delimiter.bytes.len();
        self.budget.work(found.map_or(end - start, |place| place + width))?;
        match found.map(|place| start + place) {
            Some(place) => {
                stream.pos = if delimiter.consume { place + width } else { place };
                Ok(start..if delimiter.include { place + width } else { place })
            }
            None if delimiter.is_needed => fault(Cause::End, "the terminator is missing"),
            None => {
                stream.pos = end;
                Ok(start..end)
            }
        }
    }

    /// Unpacks bytes into their own space; returns its number.
    fn unpacked(
        &mut self,
        here: Here,
        field: &'s Field,
        process: &'s Process,
        (space, range): (u32, Range<usize>),
        context: &Context,
    ) -> Read<u32> {
        let mut vals = Vec::new();
        for argument in &process.arguments {
            vals.push(self.evaluate_to_keep(argument, context)?);
        }
        self.budget.work(range.len())?;
        let mark = self.budget.mark();
        let most = process.by.longest_key(range.len());
        let arguments: Read<Vec<Argument>> = vals.iter().map(|val| self.argument(val, most)).collect();
        // The copies of the arguments exist until the bytes are unpacked.
        let bytes = arguments.and_then(|arguments| {
            let packed = &self.spaces[space as usize].bytes[range];
            let bytes = process.by.unpack(packed, &arguments, self.budget.room());
            let bytes = bytes.or_else(|message| fault(Cause::Conversion, format!("`{}`: {message}", process.name)))?;
            self.budget.unpacked(bytes.len())?;
            Ok(bytes)
        });
        self.budget.release(mark);
        let bytes = bytes?;
        self.budget.memory((size_of::<Space<'_>>() + vals.len() * size_of::<Val>()) as u64)?;
        let opened = self.spaces.len() as u32;
        let packed = Some((process.by, vals));
        self.spaces.push(Space { title: field.name.clone(), bytes: Cow::Owned(bytes), packed });
        self.slot_mut(here.structure, here.slot).parts.get_or_insert_default().opens.push(opened);
        Ok(opened)
    }

    /// Decodes bytes as text.
    pub(super) fn decoded(&mut self, bytes: &Bytes, encoding: &Encoding) -> Read<Val> {
        let length = self.bytes(bytes).len();
        self.budget.work(length)?;
        // A character takes at most three bytes for each byte that it is decoded from.
        self.budget.made(length.saturating_mul(3))?;
        match encoding.decode(self.bytes(bytes)) {
            Ok(text) => Ok(Val::Text(text.into())),
            Err(message) => fault(Cause::Conversion, message),
        }
    }
}

/// Returns the first position of a terminator, at a multiple of its length.
fn find(bytes: &[u8], terminator: &[u8]) -> Option<usize> {
    match terminator {
        [] => None,
        [byte] => bytes.iter().position(|it| it == byte),
        _ => {
            let units = bytes.chunks_exact(terminator.len());
            units.enumerate().find(|(_, unit)| *unit == terminator).map(|(place, _)| place * terminator.len())
        }
    }
}

impl Machine<'_> {
    /// Returns a value as an argument of a process that uses at most `most` bytes of it. The bytes are copied.
    pub fn argument(&mut self, val: &Val, most: usize) -> Read<Argument> {
        let length = match val {
            Val::Bytes(bytes) => self.bytes(bytes).len().min(most),
            Val::List(list) => list.bytes().map_or(0, |bytes| bytes.len().min(most)),
            _ => 0,
        };
        self.budget.work(length)?;
        self.budget.made(length)?;
        Ok(match val {
            Val::Int(number) | Val::Label(_, number) => Argument::Int(*number),
            Val::Float(number) => Argument::Float(*number),
            Val::Bool(is) => Argument::Bool(*is),
            Val::Text(text) => Argument::Text(Arc::clone(text)),
            Val::Bytes(bytes) => Argument::Bytes(self.bytes(bytes)[..length].to_vec()),
            Val::List(list) => list.bytes().map_or(Argument::Other, |bytes| Argument::Bytes(bytes[..length].to_vec())),
            Val::Nothing | Val::Structure(_) | Val::Io(_) => Argument::Other,
        })
    }
}
