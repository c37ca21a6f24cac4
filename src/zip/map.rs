//! The byte map of an archive.
//!
//! The map shows the actual bytes, so it must not depend on the checks that a reader makes. Entries that share bytes with earlier
//! ones have no field, and bytes without a field are gaps. A limit ends the map early instead of causing an error.

use super::contents::known_format;
use super::directory::{Directory, Entry, in_file_order, set_apart, wanted};
use super::ending::Ending;
use super::extras::{Wanted, wide};
use super::local::{NEAR, descriptor, read_header};
use super::unpack::Unpacker;
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::bytes::map::MapBudget;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::words::bytes;
use crate::format::Format;
use binrw::{BinRead, args};
use everybyte::map::{Id, NodeMut, Nodes, Space};
use everybyte::{
    Endian, Layout, ParseError, Source,
    error::Problem,
    map::{Index, Node},
    role::Role,
    trace::trace,
};
use ndbytes_schemas::zip::{
    DataDescriptor, DirectoryEntry, DirectorySignature, EndRecord, ExtraField, ExtraId, LocalHeader, Method, Zip64,
    Zip64EndRecord, Zip64Locator,
};
use std::ops::Range;

/// Maps an archive in any state, up to the limit on fields.
///
/// # Errors
/// [`Error::Io`]; [`Error::Time`].
pub(crate) fn space<'a>(input: &'a Input<'a>, room: &mut MapBudget<'a>) -> Result<Space> {
    let mut mapper = Mapper { input, unpacker: Unpacker::new(), room, nodes: Nodes::new(), level: Vec::new() };
    match mapper.map() {
        // Fields beyond the limit are not shown.
        Ok(()) | Err(Error::Limit { .. }) => {}
        Err(error) => return Err(error),
    }
    let Mapper { mut nodes, mut level, .. } = mapper;
    level.sort_by_key(|&id| nodes.node(id).start());
    nodes.set_level(level);
    nodes.drop_empty();
    input.space(0, "file", nodes)
}

/// Builds the map of an archive.
struct Mapper<'a, 'r> {
    input: &'a Input<'a>,
    unpacker: Unpacker,
    room: &'r mut MapBudget<'a>,
    nodes: Nodes,
    /// The fields of the top level.
    level: Vec<Id>,
}

impl Mapper<'_, '_> {
    /// Adds a traced structure. Returns false if it exceeds the limit.
    fn add(&mut self, traced: Nodes) -> bool {
        let is_admitted = self.room.admit(traced.root());
        if is_admitted {
            let id = self.nodes.graft(traced);
            self.level.push(id);
        }
        is_admitted
    }

    /// Maps the records at the end, the directory and the entries. Without a directory, maps the entries that can be found.
    fn map(&mut self) -> Result<()> {
        let debit = Debit::new(self.input.budget());
        let Ok(ending) = Ending::find(self.input, &debit, &mut Vec::new())? else { return self.without_end() };
        self.ending(&ending)?;
        let mut directory = Directory { input: self.input, ending, entries: Vec::new(), flaws: Vec::new() };
        let filled = directory.fill(&debit, &mut Findings::default());
        // Entries that share bytes with earlier ones are not an error here. They are left out below.
        let _ = set_apart(&mut directory.entries);
        self.entries(&directory)?;
        filled.map(|_| ())
    }

    /// Adds the records at the end.
    fn ending(&mut self, ending: &Ending) -> Result<()> {
        if let Some(large) = &ending.large {
            let record = self.record::<Zip64EndRecord>("zip64_end", large.start..large.locator_start)?;
            let locator = self.record::<Zip64Locator>("zip64_locator", large.locator_start..ending.place.start)?;
            for node in record.into_iter().chain(locator) {
                self.add(node);
            }
        }
        let record = self.record::<EndRecord>("end", ending.place.clone())?;
        if let Some(node) = record {
            self.add(node);
        }
        Ok(())
    }

    /// The fields of a record; `None` if there is no record at the position.
    fn record<T>(&self, name: &'static str, place: Range<u64>) -> Result<Option<Nodes>>
    where
        T: Layout + for<'r> BinRead<Args<'r> = ()>,
    {
        let traced = self.input.parse_near(place.start, NEAR, |source| {
            let (record, nodes) = trace::<T>(source.until(place.end), Endian::Little, ());
            record.map(|_| nodes)
        })?;
        Ok(traced.ok().map(|nodes| named(nodes, name, None)))
    }

    /// Maps the entries and their records, up to the limit.
    fn entries(&mut self, directory: &Directory<'_>) -> Result<()> {
        let (place, entries) = (&directory.ending.directory, &directory.entries);
        let count = directory.ending.entries().max(entries.len() as u64);
        let (mut reached, mut members) = (0, 0);
        let (mut recorded, mut records) = (place.start, 0);
        for (rank, &number) in in_file_order(entries).iter().enumerate() {
            self.input.budget().ensure_time()?;
            let Some(node) = self.directory_entry(rank as u64, entries[rank].claims.record..place.end)? else { break };
            let end = node.root().end();
            if !self.add(node) {
                break;
            }
            (recorded, records) = (end, rank + 1);
            let entry = &entries[number as usize];
            let claims = &entry.claims;
            // Entries that share bytes with earlier ones, or that have no header, have no field.
            let is_apart = claims.start >= reached && claims.start < claims.next;
            let node = if is_apart { self.member(number.into(), entry)? } else { None };
            if let Some(node) = node {
                let end = node.root().end();
                if !self.add(node) {
                    break;
                }
                reached = end;
            }
            members = rank + 1;
        }
        if members == entries.len() {
            if let Some(node) = self.record::<DirectorySignature>("directory_signature", recorded..place.end)? {
                self.add(node);
            }
            return Ok(());
        }
        // Fields beyond the limit share one field.
        let mut rest = |name: &'static str, place: Range<u64>, shown: usize, type_name: String| {
            let node = self.nodes.leaf(name, place).index(Index::Range(shown as u64, count));
            let id = node.type_name(type_name).meaning(format!("{} more", count - shown as u64)).id();
            self.level.push(id);
        };
        rest("directory", recorded..place.end, records, DirectoryEntry::type_name());
        rest("members", reached..place.start, members, LocalHeader::type_name());
        Ok(())
    }

    /// The record of an entry at the start of a range; `None` if there is none, or if it extends beyond the range.
    fn directory_entry(&self, number: u64, place: Range<u64>) -> Result<Option<Nodes>> {
        let traced = self.input.parse_near(place.start, NEAR, |source| {
            let source = source.until(place.end);
            let (entry, mut nodes) = trace::<DirectoryEntry>(source, Endian::Little, ());
            let entry = entry?;
            add_extras(&mut nodes, source, entry.extra.range(), wanted(&entry))?;
            Ok(nodes)
        })?;
        Ok(traced.ok().map(|nodes| named(nodes, "directory", Some(number))))
    }

    /// Maps an entry at its position; `None` if it has no header there.
    fn member(&mut self, number: u64, entry: &Entry) -> Result<Option<Nodes>> {
        let claims = &entry.claims;
        let traced = self.input.parse_near(claims.start, NEAR, |source| {
            // The header ends before the next entry begins.
            let source = source.until(claims.next);
            let (header, _, _) = read_header(source)?;
            header_nodes(source).map(|nodes| (header, nodes))
        })?;
        let Ok((header, mut nodes)) = traced else { return Ok(None) };
        let (root, Range { start, end }) = (nodes.root().id(), nodes.root().place());
        let data = end..end.saturating_add(claims.packed).min(claims.next);
        let format = self.format(entry, &data)?;
        let content = data_node(&mut nodes, data.clone(), claims.method, claims.length, format).id();
        nodes.edit(root).place(start..data.end).push(content);
        if header.flags.data_descriptor()
            && let Some(found) = descriptor(self.input, claims, data.end)?
        {
            let (is_signed, is_large) = (found.is_signed, found.is_large);
            let traced = self.input.parse_near(data.end, NEAR, |source| {
                let (descriptor, nodes) =
                    trace::<DataDescriptor>(source, Endian::Little, args! { is_signed, is_large });
                descriptor.map(|_| nodes)
            })?;
            if let Ok(traced) = traced {
                let descriptor = nodes.graft(named(traced, "descriptor", None));
                let end = nodes.node(descriptor).end();
                nodes.edit(root).place(start..end).push(descriptor);
            }
        }
        Ok(Some(named(nodes, "members", Some(number))))
    }

    /// The format of an entry, if it is known.
    fn format(&mut self, entry: &Entry, data: &Range<u64>) -> Result<Option<Format>> {
        let claims = &entry.claims;
        if claims.closed().is_some() {
            return Ok(None);
        }
        let Ok((head, length)) = self.unpacker.head(claims, self.input, data)? else { return Ok(None) };
        Ok(known_format(&head[..length], claims.length, &entry.name).map(|(format, _)| format))
    }

    /// If the end of an archive is missing or invalid, adds the consecutive records that can be found from its first byte on. The
    /// length of an entry is taken from its own header.
    fn without_end(&mut self) -> Result<()> {
        let (mut at, mut number) = (0, 0);
        while let Some((node, is_whole)) = self.next_member(at, number)? {
            (at, number) = (node.root().end(), number + 1);
            if !self.add(node) || !is_whole {
                return Ok(());
            }
        }
        number = 0;
        while at < self.input.length() {
            let node = match self.directory_entry(number, at..self.input.length())? {
                Some(node) => node,
                None => match self.next_record(at..self.input.length())? {
                    Some(node) => node,
                    None => break,
                },
            };
            (at, number) = (node.root().end(), number + 1);
            if !self.add(node) {
                break;
            }
        }
        Ok(())
    }

    /// The entry at an offset, according to its own header, and whether another one may follow; `None` if there is no entry.
    fn next_member(&self, at: u64, number: u64) -> Result<Option<(Nodes, bool)>> {
        self.input.budget().ensure_time()?;
        let traced = self.input.parse_near(at, NEAR, |source| match read_header(source) {
            Ok((header, extras, _)) => header_nodes(source).map(|nodes| (nodes, Some((header, extras)))),
            Err(error) if error.problem == Problem::Unavailable => Err(error),
            // A truncated header still has some fields.
            Err(_) => Ok((trace::<LocalHeader>(source, Endian::Little, ()).1, None)),
        })?;
        let Ok((nodes, header)) = traced else { return Ok(None) };
        if !nodes.root().children().next().is_some_and(Node::is_complete) {
            return Ok(None);
        }
        let mut nodes = named(nodes, "members", Some(number));
        let Some((header, extras)) = header else { return Ok(Some((nodes, false))) };
        let of_zip64 = |number: fn(&Zip64) -> Option<u64>| extras.zip64.as_ref().and_then(number);
        let packed = wide(header.compressed_size, of_zip64(|zip64| zip64.compressed_size));
        let length = wide(header.uncompressed_size, of_zip64(|zip64| zip64.uncompressed_size));
        if packed == 0 && header.flags.data_descriptor() {
            // The length of the entry is not known, so the search ends.
            return Ok(Some((nodes, false)));
        }
        let (root, place) = (nodes.root().id(), nodes.root().place());
        let end = place.end.saturating_add(packed);
        let data = place.end..end.min(self.input.length());
        let is_whole = data.end == end;
        let content = data_node(&mut nodes, data.clone(), header.method, length, None).complete(is_whole).id();
        nodes.edit(root).place(place.start..data.end).push(content);
        Ok(Some((nodes, is_whole)))
    }

    /// The record at the start of a range that belongs neither to an entry nor to the central directory; `None` if there is none.
    fn next_record(&self, place: Range<u64>) -> Result<Option<Nodes>> {
        Ok(match self.record::<DirectorySignature>("directory_signature", place.clone())? {
            Some(node) => Some(node),
            None => match self.record::<Zip64EndRecord>("zip64_end", place.clone())? {
                Some(node) => Some(node),
                None => match self.record::<Zip64Locator>("zip64_locator", place.clone())? {
                    Some(node) => Some(node),
                    None => self.record::<EndRecord>("end", place)?,
                },
            },
        })
    }
}

/// Returns a structure with another name and, if it is one of several, with an index.
fn named(mut nodes: Nodes, name: &'static str, index: Option<u64>) -> Nodes {
    let root = nodes.root().id();
    let node = nodes.edit(root).name(name);
    if let Some(index) = index {
        node.index(Index::One(index));
    }
    nodes
}

/// Adds the fields of an entry's own header.
fn header_nodes(source: Source<'_>) -> Result<Nodes, Box<ParseError>> {
    let (header, mut nodes) = trace::<LocalHeader>(source, Endian::Little, ());
    let header = header?;
    let wanted = Wanted::sizes(header.uncompressed_size, header.compressed_size);
    add_extras(&mut nodes, source, header.extra.range(), wanted)?;
    Ok(nodes)
}

/// Adds the fields of the extra fields at a position.
///
/// # Errors
/// [`Problem::Unavailable`].
fn add_extras(nodes: &mut Nodes, source: Source<'_>, place: Range<u64>, wanted: Wanted) -> Result<(), Box<ParseError>> {
    let Some(extra) = nodes.root().child("extra").map(Node::id) else { return Ok(()) };
    let (mut at, mut index) = (place.start, 0);
    while at < place.end {
        let (field, id) = nodes.trace::<ExtraField>(source.at(at).until(place.end), Endian::Little, ());
        let field = match field {
            Ok(field) => field,
            Err(error) if error.problem == Problem::Unavailable => return Err(error),
            Err(_) => break,
        };
        at = nodes.node(id).end();
        let data = nodes.node(id).child("data").map(Node::id);
        if let Some(data) = data.filter(|_| field.id == ExtraId::ZIP64) {
            add_zip64(nodes, data, source, wanted)?;
        }
        let id = nodes.edit(id).index(Index::One(index)).id();
        nodes.edit(extra).push(id);
        index += 1;
    }
    Ok(())
}

/// Adds the numbers of a ZIP64 extra field, if it contains nothing else.
fn add_zip64(nodes: &mut Nodes, data: Id, source: Source<'_>, wanted: Wanted) -> Result<(), Box<ParseError>> {
    let Wanted { uncompressed, compressed, offset, disk: on_disk } = wanted;
    let Range { start, end } = nodes.node(data).place();
    let source = source.at(start).until(end);
    let (zip64, root) =
        nodes.trace::<Zip64>(source, Endian::Little, args! { uncompressed, compressed, offset, on_disk });
    match zip64 {
        Err(error) if error.problem == Problem::Unavailable => return Err(error),
        Ok(_) if nodes.node(root).end() == end => {
            let numbers = nodes.edit(root).take_parts();
            nodes.edit(data).extend(numbers);
        }
        _ => {}
    }
    Ok(())
}

/// Adds the data of an entry that unpacks to `length` bytes in a format.
fn data_node(nodes: &mut Nodes, place: Range<u64>, method: Method, length: u64, format: Option<Format>) -> NodeMut<'_> {
    let size = bytes(place.end - place.start);
    let mut meaning = match (method, method.name()) {
        (Method::STORED, _) => size,
        (_, Some(name)) => format!("{size}, {name}, {} unpacked", bytes(length)),
        (_, None) => format!("{size}, method {}, {} unpacked", method.0, bytes(length)),
    };
    if let Some(format) = format {
        meaning += &format!(": {}", format.title());
    }
    let doc = "The content of the entry, as it is stored.";
    nodes.leaf("data", place).type_name("bytes").meaning(meaning).doc(doc).role(Role::Payload)
}
