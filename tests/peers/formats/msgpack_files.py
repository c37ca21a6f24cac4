"""MessagePack by msgpack 1.2.4: files, whether it takes them, and what it reads in them."""

import datetime
import random

import msgpack

SUFFIX = "msgpack"


def value(rng, depth):
    kinds = [
        lambda: None,
        lambda: rng.random() < 0.5,
        lambda: rng.randrange(-(2**63), 2**63) >> rng.randrange(64),
        lambda: rng.randrange(2**64),
        lambda: rng.random(),
        lambda: rng.randrange(-40, 200),
        lambda: "é" * rng.randrange(50),
        lambda: rng.randbytes(rng.randrange(300)),
        lambda: msgpack.ExtType(5, rng.randbytes(rng.choice([1, 2, 4, 7, 8, 16, 300]))),
        lambda: datetime.datetime.fromtimestamp(rng.randrange(2**33), datetime.timezone.utc),
        lambda: [value(rng, depth + 1) for _ in range(rng.randrange(20))],
        lambda: {f"key {index}": value(rng, depth + 1) for index in range(rng.randrange(20))},
    ]
    return rng.choice(kinds if depth < 5 else kinds[:10])()


def make(path, number):
    rng = random.Random(number)
    packer = msgpack.Packer(datetime=True, use_single_float=number % 2 == 0)
    path.write_bytes(b"".join(packer.pack(value(rng, 0)) for _ in range(number % 12)))


def tiny(path):
    path.write_bytes(msgpack.packb([None, 1, -200, 0.5, "é", b"\0", {"list": []}, msgpack.Timestamp(1)]))


def read(path):
    """The values of scalars by path. Numbers in tags have no field of their own."""
    values = {}
    with open(path, "rb") as file:
        unpacker = msgpack.Unpacker(file, strict_map_key=False, timestamp=1)
        for index, item in enumerate(unpacker):
            collect(f"values[{index}]", item, values)
    return values


def collect(path, item, values):
    if isinstance(item, list):
        for index, inner in enumerate(item[:64]):
            collect(f"{path}.items[{index}]", inner, values)
    elif isinstance(item, dict):
        for index, (key, inner) in enumerate(list(item.items())[:64]):
            collect(f"{path}.pairs[{index}].key", key, values)
            collect(f"{path}.pairs[{index}].value", inner, values)
    elif isinstance(item, str):
        values[path + ".text"] = item
    elif isinstance(item, int) and not isinstance(item, bool):
        values[path + (".number" if item not in range(-32, 128) else ".tag")] = item & 0xFF if item in range(-32, 128) else item
    elif isinstance(item, (msgpack.ExtType, msgpack.Timestamp)):
        values[path + ".kind"] = getattr(item, "code", -1)
