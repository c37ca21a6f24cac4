"""GGUF by gguf 0.19.0: files, whether it takes them, and what it reads in them."""

import numpy
from gguf import GGUFReader, GGUFValueType, GGUFWriter

SUFFIX = "gguf"
TYPES = [numpy.float32, numpy.float16, numpy.int8, numpy.int32, numpy.float64]


def written(path, fill):
    writer = GGUFWriter(path, "llama")
    fill(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def make(path, number):
    rng = numpy.random.default_rng(number)

    def fill(writer):
        writer.add_uint32("a.u32", number)
        writer.add_string("general.name", f"model {number}")
        writer.add_float32("a.f32", 1.5 * number)
        writer.add_bool("a.bool", number % 2 == 0)
        writer.add_array("texts", [f"text {index}" for index in range(number % 80 + 1)])
        writer.add_array("numbers", list(range(number + 1)))
        writer.add_uint64("a.u64", 2**40 + number)
        writer.add_int8("a.i8", -3)
        if number % 3 == 0:
            writer.add_custom_alignment(64)
        for index in range(number % 7):
            shape = (number % 5 + 1, index + 3)
            writer.add_tensor(f"block.{index}", (rng.random(shape) * 10).astype(TYPES[index % 5]))

    written(path, fill)


def tiny(path):
    written(path, lambda writer: writer.add_tensor("two", numpy.array([1, 2], dtype=numpy.float32)))


def read(path):
    reader = GGUFReader(path)
    values = {}
    facts = [field for name, field in reader.fields.items() if not name.startswith("GGUF.")]
    for index, field in enumerate(facts[:64]):
        values[f"facts[{index}].key.text"] = field.name
        kind = field.types[0]
        content = field.contents()
        if kind == GGUFValueType.STRING:
            values[f"facts[{index}].value.text"] = content
        elif kind == GGUFValueType.ARRAY:
            values[f"facts[{index}].count"] = len(content)
        else:
            values[f"facts[{index}].value"] = int(content) if kind == GGUFValueType.BOOL else content
    for index, tensor in enumerate(reader.tensors[:64]):
        path = f"tensors[{index}]"
        values[path + ".name.text"] = tensor.name
        values[path + ".element"] = int(tensor.tensor_type)
        for axis, extent in enumerate(tensor.shape[:1]):
            values[f"{path}.extents[{axis}]"] = int(extent)
        values[path + ".offset"] = int(tensor.field.parts[-1][0])
    return values
