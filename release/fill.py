"""Fills the templates of package managers: fill.py OWNER FOLDER OUT.

OWNER is the account that has the repository. FOLDER has what `release/binary.sh` made for each platform, with its sums. A template
names a platform by ``@URL TARGET@`` and ``@SHA256 TARGET@``; one that has no file there is an error, and so is a file that does not have
its sum.
"""

import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    (found,) = re.findall(r'^version = "(.*)"', (ROOT.parent / "Cargo.toml").read_text(), re.MULTILINE)[:1]
    return found


def archive(folder, target):
    """The archive of a platform."""
    name = f"ndbytes-{version()}-{target}"
    found = [path for path in folder.rglob(f"{name}.*") if path.suffix in (".gz", ".zip")]
    if len(found) != 1:
        sys.exit(f"{folder} has {len(found)} archives of {target}, not one")
    return found[0]


def sum_of(path):
    digest, beside = hashlib.sha256(path.read_bytes()).hexdigest(), path.with_name(path.name + ".sha256")
    if not beside.exists() or digest != beside.read_text().split()[0]:
        sys.exit(f"{path} does not have the sum that stands beside it")
    return digest


def main():
    owner, folder, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    base = f"https://github.com/{owner}/ndbytes/releases/download/v{version()}"

    def filled(found):
        word, _, target = found[1].partition(" ")
        match word:
            case "OWNER":
                return owner
            case "VERSION":
                return version()
            case "URL":
                return f"{base}/{archive(folder, target).name}"
            case "SHA256":
                return sum_of(archive(folder, target))
        sys.exit(f"a template has the unknown word {word}")

    for template in sorted((ROOT / "templates").iterdir()):
        (out / template.name).write_text(re.sub(r"@([A-Z0-9]+(?: [\w-]+)?)@", filled, template.read_text()))
        print(out / template.name)


main()
