"""FITS by astropy 8.0.2: files, whether it takes them, and what it reads in them."""

import warnings

import numpy
from astropy.io import fits

SUFFIX = "fits"
TYPES = [numpy.uint8, numpy.int16, numpy.int32, numpy.float32, numpy.float64]


def make(path, number):
    rng = numpy.random.default_rng(number)
    image = (rng.random((number % 5 + 1, 7)) * 100).astype(TYPES[number % 5])
    units = [fits.PrimaryHDU(image if number % 7 else None)]
    units[0].header["OBJECT"] = (f"it's {number}", "a comment")
    units[0].header["COMMENT"] = "a line"
    if number % 2:
        units.append(fits.ImageHDU(image * 2, name="SECOND"))
    if number % 3 == 0:
        rows = number % 50 + 1
        lists = numpy.array([numpy.arange(row % 4) for row in range(rows)], dtype=object)
        columns = [
            fits.Column("x", "D", array=numpy.arange(float(rows))),
            fits.Column("text", "5A", array=["ab"] * rows),
            fits.Column("list", "PJ()", array=lists),
        ]
        units.append(fits.BinTableHDU.from_columns(columns))
    fits.HDUList(units).writeto(path, overwrite=True, checksum=number % 4 == 0)


def tiny(path):
    fits.PrimaryHDU(numpy.array([1, 2], dtype=numpy.int16)).writeto(path, overwrite=True)


def read(path):
    with fits.open(path, memmap=False) as units:
        values = {}
        for index, unit in enumerate(units):
            assert index > 0 or unit.header.get("SIMPLE", False)
            unit.data
            place = "primary" if index == 0 else f"extensions[{index - 1}]"
            header = unit.header
            values[f"{place}.bits.value"] = header["BITPIX"]
            values[f"{place}.rank.axes"] = header["NAXIS"]
            for axis in range(header["NAXIS"]):
                values[f"{place}.axes[{axis}].number"] = axis + 1
                values[f"{place}.axes[{axis}].length"] = header[f"NAXIS{axis + 1}"]
            # The first cards are numbers that the declaration names.
            first = 3 + header["NAXIS"]
            if index > 0:
                values[f"{place}.groups.parameters"] = header["PCOUNT"]
                values[f"{place}.groups.count"] = header["GCOUNT"]
                first += 2
            for number, card in enumerate(list(header.cards)[first:40]):
                if not card.is_blank:
                    values[f"{place}.cards[{number}].keyword"] = card.keyword
    return values
