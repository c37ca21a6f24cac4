"""Makes the tables of python-blosc2 in this folder, and beside each the rows that python-blosc2 reads in it, as JSON Lines.

`python3 make.py FOLDER` needs blosc2 4.14.1 and pyarrow 26.
"""

import json
import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import blosc2
import numpy as np
import pyarrow as pa


@dataclass
class Row:
    id: int = blosc2.field(blosc2.int64())
    score: float = blosc2.field(blosc2.float64(), default=0.0)
    active: bool = blosc2.field(blosc2.bool(), default=True)
    name: str = blosc2.field(blosc2.string(max_length=8), default="")


@dataclass
class Arrays:
    id: int = blosc2.field(blosc2.int64())
    grid: object = blosc2.field(blosc2.ndarray((2, 3), dtype=blosc2.float32()))
    pair: object = blosc2.field(blosc2.ndarray((2,), dtype=blosc2.int16(), nullable=True))
    colour: str = blosc2.field(blosc2.dictionary())


def keep(folder, name, columns):
    """Writes the rows of a table as python-blosc2 has them."""
    table = blosc2.open(str(folder / f"{name}.b2z")).to_arrow().select(columns)
    with open(folder / f"{name}.jsonl", "w") as lines:
        for row in table.to_pylist():
            row = {key: value.isoformat().rstrip("0") if isinstance(value, datetime) else value for key, value in row.items()}
            lines.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


def main(folder):
    arrow = pa.table(
        {
            "id": pa.array(range(5), pa.int64()),
            "x": pa.array([0.5, 1.5, None, 2.5, 3.5], pa.float64()),
            "name": ["a", "bö", "ccc", None, "e"],
            "flag": [True, False, True, True, False],
            "small": pa.array([1, 2, 3, 4, -5], pa.int8()),
            "when": pa.array([datetime(2024, 1, day, 12, 30, 1, 500000) for day in range(1, 6)], pa.timestamp("us")),
            "class": pa.array(["u", "v", "u", "v", "u"]).dictionary_encode(),
            "list": pa.array([[1, 2], [3], [], [4, 5, 6], [7]], pa.list_(pa.int64())),
        }
    )
    blosc2.CTable.from_arrow(arrow.schema, arrow.to_batches(), urlpath=str(folder / "arrow.b2z")).close()
    table = blosc2.CTable(Row, urlpath=str(folder / "deleted.b2z"), mode="w", expected_size=100)
    for place in range(10):
        table.append((place, place / 2 + 0.25, place % 2 == 0, f"n{place}"))
    table.delete([3, 5])
    table.close()
    table = blosc2.CTable(Arrays, urlpath=str(folder / "arrays.b2z"), mode="w", expected_size=10)
    for place, colour in enumerate(["red", "blue", None, "red", "ocean green"]):
        grid = np.arange(6, dtype="f4").reshape(2, 3) + place
        table.append((place, grid, None if place == 3 else np.array([place, -place], "i2"), colour))
    table.delete([1])
    table.close()
    categories = blosc2.BatchArray(urlpath=str(folder / "many.b2b"), mode="w")
    categories.append([""] * 100_000)
    places = pa.array([{"lon": 1.5, "lat": 2.5}, {"lon": 3.5, "lat": 4.5}])
    nested = pa.table({"t": places, "v": pa.array([1, 2], pa.int64())})
    blosc2.CTable.from_arrow(nested.schema, nested.to_batches(), urlpath=str(folder / "nested.b2z")).close()
    keep(folder, "arrow", ["id", "x", "name", "flag", "small", "when", "class"])
    keep(folder, "deleted", ["id", "score", "active", "name"])
    keep(folder, "arrays", ["id", "grid", "pair", "colour"])
    keep(folder, "nested", ["t.lon", "t.lat", "v"])


main(Path(sys.argv[1]))
