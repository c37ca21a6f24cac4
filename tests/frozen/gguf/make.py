"""Writes `blocks.gguf` with gguf 0.19.0: blocks of each type that is decoded, and beside them what the package decodes.

Usage: make.py [FILE]

The bytes of the blocks are drawn with a fixed seed, and their scales are finite. `NAME` is a tensor of blocks, `NAME.decoded` has the same
elements in single precision.
"""

import sys
from pathlib import Path

import numpy
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFWriter, quants

#: The places of the half floats of a block.
SCALES = {"Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q4_K": [0, 2], "Q6_K": [208]}
BLOCKS = 4


def main():
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "blocks.gguf"
    random = numpy.random.default_rng(7)
    writer = GGUFWriter(path, "llama")
    writer.add_string("general.name", "blocks")
    writer.add_array("tokenizer.ggml.tokens", ["<s>", "</s>"])
    for name, places in SCALES.items():
        kind = GGMLQuantizationType[name]
        blocks = random.integers(0, 256, (BLOCKS, GGML_QUANT_SIZES[kind][1]), dtype=numpy.uint8)
        for place in places:
            scales = random.standard_normal(BLOCKS) * [1, 1e-3, 1e-6, 1e4]
            blocks[:, place:place + 2] = scales.astype(numpy.float16).view(numpy.uint8).reshape(BLOCKS, 2)
        writer.add_tensor(name, blocks, raw_dtype=kind)
        writer.add_tensor(f"{name}.decoded", quants.dequantize(blocks, kind))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


main()
