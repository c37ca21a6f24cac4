//! PCAP: packets that libpcap captured. `cargo run -p everybyte-tests --example pcap -- explain FILE`
//!
//! Source: `pcap-savefile(5)` of libpcap.

use everybyte::{Format, codes, layout, list::filling, view::ByteOrder};

/// A header, and packets. The byte order is that in which the magic reads 0xA1B2C3D4.
#[layout(view)]
pub struct Pcap {
    #[br(assert(magic.name().is_some(), "the magic is not that of a capture"))]
    magic: Magic,
    #[layout(rule("pcap/version", error, major == 2, "version {major} is not defined"))]
    major: u16,
    #[layout(fact)]
    minor: u16,
    /// The correction to UTC, which is always 0.
    #[layout(fact)]
    zone: i32,
    /// The accuracy of times, which is always 0.
    #[layout(fact)]
    accuracy: u32,
    /// Bytes of a packet that are kept at most.
    #[layout(fact)]
    snap_length: u32,
    #[layout(fact)]
    link_type: LinkType,
    #[br(parse_with = filling(u64::MAX), args(if magic == Magic::NANOSECONDS { 1_000_000_000 } else { 1_000_000 }))]
    packets: Vec<Packet>,
}

codes! {
    /// The unit of the fractions of a second.
    struct Magic(u32) {
        /// A million to the second.
        MICROSECONDS = 0xA1B2_C3D4 => "microseconds";
        /// A thousand million to the second.
        NANOSECONDS = 0xA1B2_3C4D => "nanoseconds";
    }
}

codes! {
    /// The header with which a packet begins.
    struct LinkType(u32) {
        /// The family of addresses, for BSD's loopback.
        NULL = 0 => "null";
        /// Ethernet.
        ETHERNET = 1 => "ethernet";
        /// IP without a header before it.
        RAW = 101 => "raw";
        /// Wi-Fi.
        WIFI = 105 => "802.11";
        /// All devices of Linux.
        SLL = 113 => "linux-sll";
    }
}

/// One packet.
#[layout(view)]
#[br(import(unit: u32))]
struct Packet {
    /// Since 1970.
    #[layout(fact)]
    seconds: u32,
    #[layout(fact, rule("pcap/fraction", error, fraction < unit, "{fraction} of {unit} are a second or more"))]
    fraction: u32,
    #[br(temp)]
    captured: u32,
    /// Bytes of the packet on the wire.
    #[layout(fact)]
    #[layout(rule("pcap/original", warning, original >= captured, "fewer bytes on the wire than were captured"))]
    original: u32,
    #[layout(payload)]
    #[br(count = captured)]
    data: Vec<u8>,
}

impl Format for Pcap {
    const NAME: &'static str = "PCAP";
    const BYTE_ORDER: ByteOrder = ByteOrder::BigIf { at: 0, bytes: b"\xA1" };
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Pcap>()
}
