//! The words of zip archives.

use super::words::Dictionary;
use everybyte::{Endian, Layout};
use ndbytes_schemas::zip::{
    DataDescriptor, DirectoryEntry, DirectorySignature, EndRecord, ExtraField, LocalHeader, Zip64, Zip64EndRecord,
    Zip64Locator,
};

/// Returns the words of zip archives.
pub(super) fn zip() -> Dictionary {
    let mut dictionary = Dictionary::default();
    structure::<LocalHeader>(&mut dictionary);
    structure::<DataDescriptor>(&mut dictionary);
    structure::<DirectoryEntry>(&mut dictionary);
    structure::<DirectorySignature>(&mut dictionary);
    structure::<ExtraField>(&mut dictionary);
    structure::<Zip64>(&mut dictionary);
    structure::<Zip64EndRecord>(&mut dictionary);
    structure::<Zip64Locator>(&mut dictionary);
    structure::<EndRecord>(&mut dictionary);
    dictionary
}

fn structure<T: Layout>(dictionary: &mut Dictionary) {
    dictionary.magic::<T>(Endian::Little);
    dictionary.layout::<T>(&[Endian::Little]);
}
