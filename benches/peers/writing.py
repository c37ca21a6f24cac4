"""Writing whole files, to a disk (every writer waits until its file is there) and to a file system in memory; and their sizes."""

import os
import sys

import blosc2
import numpy as np

from arrays import F32_BIG_ENDIAN_OFFSET, IMAGES_OFFSET, memmap
from data import CODECS, F32_BIG_ENDIAN, IMAGES, SHUFFLE, idx_header
from measure import THREADS, best, by_turns, duration, mebibytes, once, print_table, ratio
from tables import MEMORY, ml_net


def sized(run, path):
    """The work, with the size of the file that it wrote."""

    def work():
        sample = run()
        sample.size = path.stat().st_size
        return sample

    return work


def written(write, path, is_synced):
    """Writes a file by a function of the path, and waits for the disk if that is asked for."""

    def work():
        write(path)
        if is_synced:
            with open(path, "rb+") as file:
                os.fsync(file.fileno())

    return sized(once(work), path)


def idx(images):
    def write(path):
        with open(path, "wb") as file:
            file.write(idx_header("u1", IMAGES))
            images.tofile(file)

    return write


def chunked(array, codec, threads):
    cparams = blosc2.CParams(codec=CODECS[codec], clevel=5, filters=list(SHUFFLE), filters_meta=[0], nthreads=threads)

    def write(path):
        blosc2.asarray(array, urlpath=str(path), mode="w", cparams=cparams, chunks=(512, 1024), blocks=(64, 256))

    return write


def section(data, ndbytes, arguments):
    images = np.array(memmap(data / "u8.idx", "u1", IMAGES_OFFSET, IMAGES))
    floats = np.array(memmap(data / "f32-be.idx", ">f4", F32_BIG_ENDIAN_OFFSET, F32_BIG_ENDIAN)).astype("<f4")
    doubles = blosc2.open(str(data / "b2nd" / "f8-zstd.b2nd"), mode="r")[...]
    lines = []
    for place, path in (("memory", MEMORY), ("disk", data / "written-by-peer")):
        is_synced = place == "disk"
        rows = [
            ("IDX, 47 MB of u8", "idx", {"NumPy, `tofile`": written(idx(images), path, is_synced)}, (1,)),
            (
                "`.npy`, 256 MiB of f32",
                "npy",
                {"`np.save`": written(lambda to: np.save(open(to, "wb"), floats), path, is_synced)},
                (1,),
            ),
            (
                "RawArray, 256 MiB of f32",
                "rawarray",
                {"crate `rawarray` 0.1.4": ndbytes.runner(f"write/rawarray_crate/{place}", 1)},
                (1,),
            ),
        ]
        for codec in CODECS:
            for threads in THREADS:
                peers = {
                    "python-blosc2": written(chunked(doubles, codec, threads), path, is_synced),
                    "crate `blosc2-pure-rs` 0.2.4": ndbytes.runner(f"write/b2nd_pure-{codec}/{place}", threads),
                }
                rows.append((f"b2nd, 256 MiB of f64, {codec}", f"b2nd-{codec}", peers, (threads,)))
        source = data / "bench_none.idv"
        for kind, compression in (("idv-deflate", "Deflate"), ("idv-none", "None")):
            if source.exists() and not is_synced:
                rows.append(
                    (
                        f"IDV, 200,000 rows, {compression}",
                        kind,
                        {"ML.NET 1.5": sized(ml_net("benchwrite", source, path, compression), path)},
                        THREADS,
                    )
                )
        for work, what, peers, threads in rows:
            case = f"write/{what}/{place}"
            if arguments.only not in case:
                continue
            ours = {each: ndbytes.runner(case, each) for each in threads}
            samples = by_turns(peers | ours, arguments.rounds)
            peer = best(samples)
            print(f"{case}: done", file=sys.stderr)
            for each in threads:
                lines.append(
                    [
                        work,
                        place,
                        str(each),
                        peer,
                        duration(samples[peer]),
                        duration(samples[each]),
                        ratio(samples[peer], samples[each]),
                        mebibytes(samples[peer].size),
                        mebibytes(samples[each].size),
                        mebibytes(samples[each].peak),
                    ]
                )
        path.unlink(missing_ok=True)
    head = [
        "what",
        "where",
        "threads",
        "peer",
        "peer's time",
        "ndbytes",
        "times as fast",
        "peer's size",
        "size",
        "memory of ndbytes",
    ]
    print_table(head, lines)
