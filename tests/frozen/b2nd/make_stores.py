"""Makes stores with python-blosc2, each as a folder (.b2d) and as an archive (.b2z): arrays, and frames that are none."""

import os
import shutil
import sys

import blosc2
import numpy as np

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "stores")


def store(name, fill, threshold):
    """Nothing smaller than the threshold is a file of its own."""
    folder, archive = os.path.join(OUT, f"{name}.b2d"), os.path.join(OUT, f"{name}.b2z")
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.exists(archive):
        os.remove(archive)
    with blosc2.TreeStore(folder, mode="w", threshold=threshold) as tree:
        fill(tree)
        tree.to_b2z(filename=archive)


def tree(store):
    store["/group/squares"] = np.arange(60, dtype="<i4").reshape(6, 10) ** 2
    store["/group/deeper/zeros"] = np.zeros((4, 5), "<f8")
    store["/group/text"] = blosc2.SChunk(chunksize=512, data=b"sixteen letters." * 64)


def objects(store):
    store["/small"] = np.arange(3, dtype="<i2")
    store["/group/text"] = blosc2.SChunk(chunksize=512, data=b"a chunk of text, " * 40)
    lists(store, 9, 20)
    store["/group"].vlmeta["author"] = "somebody"


def lists(store, words, batches):
    """A list of so many times three objects, and one of so many pairs of batches."""
    of_words, of_batches = blosc2.ObjectArray(), blosc2.BatchArray()
    of_words.extend(["one", 2, {"three": 3}] * words)
    of_batches.extend([["a", "b"], ["c"]] * batches)
    store["/words"], store["/batches"] = of_words, of_batches


def embedded(store):
    """All leaves are in `embed.b2e`."""
    store["/group/small"] = np.arange(3, dtype="<i2")
    store["/text"] = blosc2.SChunk(chunksize=64, data=b"a chunk of text, " * 8)
    lists(store, 2, 2)


def main():
    os.makedirs(OUT, exist_ok=True)
    store("tree", tree, threshold=0)
    store("objects", objects, threshold=64)
    store("embedded", embedded, threshold=1 << 20)
    shutil.rmtree(os.path.join(OUT, "embedded.b2d"))
    print(blosc2.__version__, blosc2.blosclib_version)


main()
