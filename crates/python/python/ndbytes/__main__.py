"""The tool `ndbytes`."""

import sys

from ._ndbytes import run


def main():
    return run(["ndbytes", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
