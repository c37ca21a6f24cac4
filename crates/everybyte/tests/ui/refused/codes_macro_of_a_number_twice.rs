use everybyte::codes;

codes! {
    /// A packing.
    struct Packing(u8) {
        /// One by one.
        PLAIN = 0 => "plain", name = 1;
    }
}

fn main() {}
