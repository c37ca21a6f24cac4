"""NIfTI-1 by nibabel 5.4.2: files, whether it takes them, and what it reads in them."""

import nibabel
import numpy

SUFFIX = "nii"
TYPES = "uint8 int16 int32 float32 float64 complex64 int8 uint16 uint32 int64".split()


def make(path, number):
    rng = numpy.random.default_rng(number)
    order = "<>"[number % 2]
    kind = numpy.dtype(TYPES[number % 10]).newbyteorder(order)
    shape = tuple(rng.integers(1, 6, size=rng.integers(1, 6)))
    header = nibabel.Nifti1Header(endianness=order)
    header.set_data_dtype(kind)
    header["descrip"] = f"image {number}".encode()
    image = nibabel.Nifti1Image((rng.random(shape) * 50).astype(kind), numpy.eye(4), header=header)
    if number % 4 == 0:
        image.header.extensions.append(nibabel.nifti1.Nifti1Extension("comment", b"a comment of some letters"))
    nibabel.save(image, path)


def tiny(path):
    image = nibabel.Nifti1Image(numpy.arange(6, dtype="int16").reshape(1, 2, 3), numpy.eye(4))
    image.header.extensions.append(nibabel.nifti1.Nifti1Extension("comment", b"six values"))
    nibabel.save(image, path)


def read(path):
    image = nibabel.Nifti1Image.from_bytes(path.read_bytes())
    numpy.asanyarray(image.dataobj)
    header = image.header
    values = {
        "datatype": int(header["datatype"]),
        "bits": int(header["bitpix"]),
        "vox_offset": float(image.dataobj.offset),
        "description": header["descrip"].item().decode("latin-1"),
        "sform": int(header["sform_code"]),
    }
    for index in range(8):
        values[f"dim[{index}]"] = int(header["dim"][index])
        values[f"pixdim[{index}]"] = float(header["pixdim"][index])
    for index, extension in enumerate(header.extensions):
        values[f"extensions[{index}].code"] = extension.get_code()
    return values
