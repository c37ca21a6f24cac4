//! The values of the samples, and the rules that they violate.

/// The file, its dimensions as stored, its element type, and the real and imaginary parts of the sum of all elements.
/// There is no sum if the elements are not numbers, or if the sum is not a number.
pub type Readable = (&'static str, &'static [usize], &'static str, Option<(f64, f64)>);

pub const fn sum(sum: f64) -> Option<(f64, f64)> {
    Some((sum, 0.0))
}

pub const IDX: &[Readable] = &[
    ("conformance/m20_gzip_as_raw.idx", &[2, 2, 3], "|u1", sum(78.0)),
    ("conformance/m21_le_payload_f32.idx", &[2, 3], ">f4", sum(-4.033146089635844e16)),
    ("conformance/v04_i16_2d.idx", &[2, 3], ">i2", sum(261.0)),
    ("conformance/v07_f64_2d.idx", &[2, 3], ">f8", sum(f64::NEG_INFINITY)),
    ("conformance/v08_f32_3d.idx", &[2, 1, 2], ">f4", sum(2.75)),
    ("conformance/v10_ndim255_ones.idx", &[1; 255], "|u1", None),
    ("conformance/v11_ndim0_scalar.idx", &[], "|u1", sum(42.0)),
    ("conformance/v12_dim0_empty.idx", &[0], "|u1", sum(0.0)),
    ("found/fashion-t10k-labels-idx1-ubyte.gz", &[10_000], "|u1", sum(45_000.0)),
    ("found/idx2numpy-correct.idx", &[3], "|u1", sum(33.0)),
    ("found/jspaaks-double.2d.idx", &[3, 2], ">f8", sum(0.0)),
    ("found/jspaaks-float.2d.idx", &[3, 2], ">f4", sum(0.0)),
    ("found/jspaaks-int16.2d.idx", &[3, 2], ">i2", sum(-1.0)),
    ("found/jspaaks-int32.2d.idx", &[3, 2], ">i4", sum(-1.0)),
    ("found/jspaaks-int8.2d.idx", &[3, 2], "|i1", sum(-1.0)),
    ("found/jspaaks-uint8.1d.idx", &[6], "|u1", sum(414.0)),
    ("found/jspaaks-uint8.2d.idx", &[3, 2], "|u1", sum(414.0)),
    ("found/qmnist-test-labels-idx2-int.gz", &[60_000, 8], ">i4", sum(9_520_756_898.0)),
    ("found/qmnist-train-labels-idx2-int.gz", &[60_000, 8], ">i4", sum(7_457_577_800.0)),
    ("found/t10k-labels-idx1-ubyte.gz", &[10_000], "|u1", sum(44_434.0)),
    ("found/t10k-images-idx3-ubyte.gz", &[10_000, 28, 28], "|u1", sum(264_923_200.0)),
    ("found/train-labels-idx1-ubyte.gz", &[60_000], "|u1", sum(267_236.0)),
];

pub const CIFAR: (&[usize], &str, Option<(f64, f64)>) = (&[32, 32, 3], "|u1", sum(188_208.0));

pub const EIGHT: (&[usize], &str, Option<(f64, f64)>) = (&[28, 28, 3], "|u1", sum(146_643.0));

pub const RAWARRAY: &[Readable] = &[
    ("found/cifar_airplane.ra", CIFAR.0, CIFAR.1, CIFAR.2),
    ("found/cifar_airplane_z.ra", CIFAR.0, CIFAR.1, CIFAR.2),
    ("found/history_01a3e92_cifar_airplane.ra", CIFAR.0, CIFAR.1, CIFAR.2),
    ("found/history_01a3e92_mnist_8.ra", EIGHT.0, EIGHT.1, EIGHT.2),
    ("found/history_32efd7d_randf16.ra", &[4, 4], "<f2", sum(8.7412109375)),
    ("found/history_882ecb4_shepplogan.ra", &[256, 256], "<f8", sum(8044.0)),
    ("found/history_8e12817_test.ra", &[3, 4], "<c8", Some((66.0, f64::NEG_INFINITY))),
    ("found/history_bb9133f_cifar_airplane.ra", CIFAR.0, CIFAR.1, CIFAR.2),
    ("found/history_bb9133f_cifar_airplane_z.ra", CIFAR.0, CIFAR.1, CIFAR.2),
    ("found/history_bb9133f_mnist_8.ra", EIGHT.0, EIGHT.1, EIGHT.2),
    ("found/history_bb9133f_mnist_8_z.ra", EIGHT.0, EIGHT.1, EIGHT.2),
    ("found/history_bed91f3_shepplogan.ra", &[256, 256], "<f8", sum(8044.004545092583)),
    ("found/history_c2ab55a_cifar_airplane.ra", CIFAR.0, CIFAR.1, CIFAR.2),
    ("found/history_c2ab55a_mnist_8.ra", EIGHT.0, EIGHT.1, EIGHT.2),
    ("found/history_e27941f_test.ra", &[3, 4], "<c8", Some((66.0, f64::NEG_INFINITY))),
    ("found/history_f497276_rand100.ra", &[8, 8], "<i8", sum(3330.0)),
    ("found/history_f497276_randflt.ra", &[8, 8], "<f8", sum(32.62857410459133)),
    ("found/history_f497276_randi64.ra", &[8, 8], "<i8", sum(3_901_824_357_137_013_057.0)),
    ("found/history_f880628_randc32.ra", &[4, 4], "<c8", Some((8.549604, 6.179044))),
    ("found/history_f880628_randc64.ra", &[4, 4], "<c16", Some((7.189245226966439, 8.267952868136874))),
    ("found/history_f880628_randf32.ra", &[4, 4], "<f4", sum(5.745608925819397)),
    ("found/history_f880628_randf64.ra", &[4, 4], "<f8", sum(8.51805389824661)),
    ("found/history_f880628_randi32.ra", &[4, 4], "<i4", sum(1_287_993_671.0)),
    ("found/history_f880628_randi8.ra", &[4, 4], "|i1", sum(-285.0)),
    ("found/history_f880628_randu32.ra", &[4, 4], "<u4", sum(45_964_618_131.0)),
    ("found/history_f880628_randu8.ra", &[4, 4], "|u1", sum(1850.0)),
    ("found/mnist_8.ra", EIGHT.0, EIGHT.1, EIGHT.2),
    ("found/mnist_8_z.ra", EIGHT.0, EIGHT.1, EIGHT.2),
    ("found/rand100.ra", &[8, 8], "<i8", sum(3330.0)),
    ("found/randc32.ra", &[4, 4], "<c8", Some((8.549604, 6.179044))),
    ("found/randc64.ra", &[4, 4], "<c16", Some((7.189245226966439, 8.267952868136874))),
    ("found/randf16.ra", &[4, 4], "<f2", sum(8.7412109375)),
    ("found/randf32.ra", &[4, 4], "<f4", sum(5.745608925819397)),
    ("found/randf64.ra", &[4, 4], "<f8", sum(8.51805389824661)),
    ("found/randi32.ra", &[4, 4], "<i4", sum(1_287_993_671.0)),
    ("found/randi8.ra", &[4, 4], "|i1", sum(-285.0)),
    ("found/randu32.ra", &[4, 4], "<u4", sum(45_964_618_131.0)),
    ("found/randu8.ra", &[4, 4], "|u1", sum(1850.0)),
    ("found/shepplogan.ra", &[256, 256], "<f8", sum(8044.004545092583)),
    ("found/test.ra", &[3, 4], "<c8", Some((66.0, f64::NEG_INFINITY))),
    ("made/py_bool_as_user.ra", &[2], "|V1", None),
    ("made/py_empty_0x3_f32.ra", &[0, 3], "<f4", sum(0.0)),
    ("made/py_scalar_f64_ndims0.ra", &[], "<f8", sum(3.5)),
    ("made/rust014_bf16.ra", &[5], "bfloat16", sum(f64::INFINITY)),
    ("made/rust014_empty.ra", &[0], "<f4", sum(0.0)),
    ("made/rust014_i64.ra", &[5], "<i8", sum(-1.0)),
    ("made/rust014_u128.ra", &[3], "<u16", None),
    ("made/test_ra_plus_META.ra", &[3, 4], "<c8", Some((66.0, f64::NEG_INFINITY))),
    (
        "synthetic/bart_style_16dims_c64.ra",
        &[2, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
        "<c8",
        Some((30.0, 36.0)),
    ),
    ("synthetic/be_host_c.ra", &[2], ">i4", sum(-1.0)),
    ("synthetic/be_host_julia.ra", &[2], ">i4", sum(-1.0)),
    ("synthetic/c32_half_complex.ra", &[2], "complex32", Some((3.0, -1.5))),
    ("synthetic/jl_bool_bytes_5.ra", &[5], "|b1", sum(3.0)),
    ("synthetic/jl_leb128_i64_3x3.ra", &[3, 3], "<i8", sum(-61.0)),
    ("synthetic/jl_leb128_u16_2x3.ra", &[2, 3], "<u2", sum(66_091.0)),
    ("synthetic/trailing_meta_f32.ra", &[4], "<f4", sum(10.0)),
];

/// The file, the rule that it violates, and a word that must occur in the message or in the help.
pub type Refused = (&'static str, &'static str, &'static str);

pub const REFUSED_IDX: &[Refused] = &[
    ("conformance/m04_prefix_byte1.idx", "idx/bad-prefix", "zero"),
    ("conformance/m05_type_0A.idx", "idx/unknown-type", "0x0A"),
    ("conformance/m09_dims_truncated.idx", "idx/truncated-header", "header"),
    ("conformance/m12_data_4x.idx", "idx/trailing-bytes", "as int the file fits exactly"),
    ("conformance/m15_bomb_f64_2p32sq.idx", "idx/size-overflow", "axis lengths"),
    ("conformance/m17_ndim255_trunc.idx", "idx/truncated-header", "255"),
    ("conformance/m24_ndim_says2_has3.idx", "idx/trailing-bytes", "dimension byte"),
    ("conformance/m26_bomb_img.idx", "idx/truncated-payload", "is missing"),
    ("conformance/m27_bomb_1GiB_f32.idx", "idx/truncated-payload", "is missing"),
    ("conformance/m28_le_dims_only.idx", "idx/size-overflow", "little-endian"),
    ("conformance/m29_trailing_newline.idx", "idx/trailing-bytes", "1 byte"),
    ("found/defect-dim0-is-byte-count.gz", "idx/truncated-payload", "number of items"),
    ("found/defect-html-named.gz", "unknown-format", "web page"),
    ("found/defect-idx_parser-bad_dim_test", "idx/trailing-bytes", "14 bytes"),
    ("found/defect-idx_parser-f32_dim3_test", "idx/truncated-payload", "is missing"),
    ("found/defect-idx_parser-f64_dim3_test", "idx/size-overflow", "axis lengths"),
    ("found/defect-idx_parser-i32_dim3_test", "idx/size-overflow", "axis lengths"),
    ("found/defect-lfs-pointer.gz", "unknown-format", "git lfs pull"),
];

pub const REFUSED_RAWARRAY: &[Refused] = &[
    ("found/history_6b15235_test.ra", "unknown-format", "magic"),
    ("made/rust014_default_inconsistent.ra", "rawarray/size-mismatch", "4 bytes"),
    ("made/rust014_reshape_corrupt.ra", "rawarray/size-mismatch", "8 bytes"),
    ("synthetic/unknown_flag8.ra", "rawarray/unknown-flags", "0x8"),
];

/// b2nd arrays with findings, and the rules that they violate.
pub const B2ND_WARNED: &[(&str, &[&str])] = &[
    ("found/5623afe5_example_float_cyclic.caterva", &["b2nd/padding"]),
    ("found/5623afe5_example_item_prices.caterva", &["b2nd/padding"]),
    ("found/HEAD_example_day_month_temp.b2nd", &["b2nd/item-size"]),
    ("found/HEAD_example_item_prices.b2nd", &["b2nd/item-size"]),
    ("made/cf_blosclz_delta_shuffle.b2nd", &["b2nd/delta-blocks"]),
    ("made/cf_lz4_delta_shuffle.b2nd", &["b2nd/delta-blocks"]),
    ("made/cf_lz4hc_delta_shuffle.b2nd", &["b2nd/delta-blocks"]),
    ("made/cf_zlib_delta_shuffle.b2nd", &["b2nd/delta-blocks"]),
    ("made/f_delta_c16.b2nd", &["b2nd/delta-blocks"]),
    ("made/f_delta_f4_bitshuffle.b2nd", &["b2nd/delta-blocks"]),
    ("made/f_delta_ts12.b2nd", &["b2nd/delta-blocks"]),
    ("made/f_shuffle_delta.b2nd", &["b2nd/delta-blocks"]),
    ("made/f_six.b2nd", &["b2nd/padding", "b2nd/delta-blocks"]),
    ("made/op_resize_shrink.b2nd", &["b2nd/dead-chunk"]),
    ("old/2.2.2_delta.b2nd", &["b2nd/delta-blocks"]),
    ("old/3.0.0_delta.b2nd", &["b2nd/delta-blocks"]),
];

/// The file, its dimensions, its bytes per item, and the FNV-1a hash of all bytes, from an independent decoder.
pub type Digested = (&'static str, &'static [usize], u64, u64);

pub const B2ND_FOUND: &[Digested] = &[
    ("found/5623afe5_example_day_month_temp.caterva", &[400, 3], 4, 0xe952_6277_263a_9bd0),
    ("found/5623afe5_example_double_same_cells.caterva", &[40, 60], 8, 0x4001_04ce_ac59_9fd5),
    ("found/5623afe5_example_float_cyclic.caterva", &[40, 60, 20], 4, 0x586b_a898_deba_16d6),
    ("found/5623afe5_example_item_prices.caterva", &[12, 25, 250], 4, 0x2916_569a_eec0_03dd),
    ("found/HEAD_example_day_month_temp.b2nd", &[400, 3], 4, 0xb007_6d46_698e_5557),
    ("found/HEAD_example_item_prices.b2nd", &[12, 25, 250], 4, 0x2916_569a_eec0_03dd),
    ("found/b6e2e566_example_rand.b2nd", &[32, 18, 32], 4, 0xe079_52ee_9797_9999),
    ("found/b6e2e566_example_some_matches.b2nd", &[128, 111], 8, 0x8429_5ec6_12ab_de10),
];

pub const REFUSED_B2ND: &[Refused] = &[
    ("found/68ce7059_example_ndmean_rand.caterva", "b2nd/plugin-filter", "165"),
    ("found/68ce7059_example_ndmean_same_cells.caterva", "b2nd/plugin-filter", "165"),
    ("unsupported/lazyexpr.b2nd", "b2nd/other-object", "lazyexpr"),
    ("unsupported/ndcell.b2nd", "b2nd/plugin-filter", "ndcell"),
    ("unsupported/ndlz4.b2nd", "b2nd/plugin-codec", "ndlz"),
    ("unsupported/ndlz8.b2nd", "b2nd/plugin-codec", "ndlz"),
    ("unsupported/ndmean.b2nd", "b2nd/plugin-filter", "ndmean"),
    ("unsupported/zfp_acc.b2nd", "b2nd/plugin-codec", "accuracy"),
    ("unsupported/zfp_prec.b2nd", "b2nd/plugin-codec", "precision"),
    ("unsupported/zfp_rate.b2nd", "b2nd/plugin-codec", "rate"),
];

pub fn readable() -> impl Iterator<Item = (String, Readable)> {
    let idx = IDX.iter().map(|&sample| (format!("idx/{}", sample.0), sample));
    idx.chain(RAWARRAY.iter().map(|&sample| (format!("rawarray/{}", sample.0), sample)))
}

pub fn refused() -> impl Iterator<Item = (String, Refused)> {
    let idx = REFUSED_IDX.iter().map(|&sample| (format!("idx/{}", sample.0), sample));
    idx.chain(REFUSED_RAWARRAY.iter().map(|&sample| (format!("rawarray/{}", sample.0), sample)))
}
