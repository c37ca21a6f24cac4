use everybyte::codes;

codes! {
    /// A packing.
    struct Packing(u8) {
        /// One by one.
        PLAIN = 0 => "plain", block = 1, bytes = 2;
        /// Four by four.
        FOUR = 1 => "four", block = 4;
    }
}

fn main() {}
