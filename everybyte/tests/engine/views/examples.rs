//! The examples that have views.

use super::agreement::agree_within;
use crate::declared::{elf, pcap, wav};
use crate::examples::frozen;
use everybyte::Format;

fn agree<F>(file: &[u8])
where
    F: Format + everybyte::view::Viewed<Args = ()>,
{
    agree_within::<F>(file, &[F::BYTE_ORDER.of(file)], 2);
}

#[test]
fn views_agree_with_readers_on_elf() {
    agree::<elf::Elf>(&frozen("elf"));
}

#[test]
fn views_agree_with_readers_on_pcap() {
    agree::<pcap::Pcap>(&frozen("pcap"));
}

#[test]
fn views_agree_with_readers_on_wav() {
    let sound = b"RIFF\x30\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x40\x1f\0\0\x01\0\x08\0LIST\x01\0\0\0x\0data\x02\0\0\0\x80\x81";
    agree::<wav::Wav>(sound);
}
