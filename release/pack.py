"""Packs a folder: pack.py FOLDER NAME ARCHIVE. The same files give the same bytes: the time is SOURCE_DATE_EPOCH, and nobody owns them."""

import gzip
import io
import os
import pathlib
import sys
import tarfile
import time
import zipfile

PROGRAMS = ("ndbytes", "ndbytes.exe", "ndbytes-engine")


def files(folder):
    """The files, in the order of their names, with their modes."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        yield name, path.read_bytes(), 0o755 if name in PROGRAMS else 0o644


def tar(folder, name, archive, epoch):
    with open(archive, "wb") as out, gzip.GzipFile("", "wb", 9, out, epoch) as packed, tarfile.open(fileobj=packed, mode="w") as made:
        for path, content, mode in files(folder):
            member = tarfile.TarInfo(f"{name}/{path}")
            member.size, member.mode, member.mtime = len(content), mode, epoch
            made.addfile(member, io.BytesIO(content))


def zipped(folder, name, archive, epoch):
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for path, content, mode in files(folder):
            member = zipfile.ZipInfo(f"{name}/{path}", time.gmtime(epoch)[:6])
            member.external_attr, member.compress_type = mode << 16, zipfile.ZIP_DEFLATED
            made.writestr(member, content)


def main():
    folder, name, archive = sys.argv[1:]
    pack = zipped if archive.endswith(".zip") else tar
    pack(pathlib.Path(folder), name, archive, int(os.environ["SOURCE_DATE_EPOCH"]))


main()
