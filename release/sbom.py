"""Prints what the tool is made of: every crate that is compiled into it or run to build it, as CycloneDX 1.5: sbom.py TARGET.

The same commit prints the same bytes: the time is SOURCE_DATE_EPOCH, and the order is that of names and versions.
"""

import datetime
import json
import os
import subprocess
import sys
import tomllib
import uuid

CRATES_IO = "registry+https://github.com/rust-lang/crates.io-index"


def metadata():
    """The packages and their dependencies, for one platform and the default features."""
    return json.loads(
        run(
            *("cargo", "metadata", "--format-version", "1", "--locked"),
            *("--manifest-path", "crates/cli/Cargo.toml", "--filter-platform", sys.argv[1]),
        )
    )


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def reachable(root, nodes):
    """The packages without those that only the tests need, and the dependencies of each."""
    edges, waiting = {}, [root]
    while waiting:
        package = waiting.pop()
        if package in edges:
            continue
        deps = [dep for dep in nodes[package]["deps"] if any(kind["kind"] != "dev" for kind in dep["dep_kinds"])]
        edges[package] = sorted(dep["pkg"] for dep in deps)
        waiting += edges[package]
    return edges


def component(package, checksums):
    name, version = package["name"], package["version"]
    described = {
        "type": "library",
        "bom-ref": reference(package),
        "name": name,
        "version": version,
        "purl": f"pkg:cargo/{name}@{version}",
        # Some packages still separate licences as Cargo once had it.
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
    }
    if package["source"] == CRATES_IO:
        described["hashes"] = [{"alg": "SHA-256", "content": checksums[name, version]}]
    return described


def reference(package):
    return f"{package['name']}@{package['version']}"


def main():
    everything = metadata()
    packages = {package["id"]: package for package in everything["packages"]}
    nodes = {node["id"]: node for node in everything["resolve"]["nodes"]}
    root = everything["resolve"]["root"]
    edges = reachable(root, nodes)
    with open("Cargo.lock", "rb") as lock:
        locked = tomllib.load(lock)["package"]
    checksums = {(package["name"], package["version"]): package.get("checksum") for package in locked}
    others = sorted((packages[package] for package in edges if package != root), key=reference)
    tool = component(packages[root], checksums) | {"type": "application"}
    components = [component(package, checksums) for package in others]
    time = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.UTC)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(components)).urn,
        "version": 1,
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": tool},
        "components": components,
        "dependencies": [
            {"ref": reference(packages[package]), "dependsOn": sorted(reference(packages[dep]) for dep in deps)}
            for package, deps in sorted(edges.items(), key=lambda edge: reference(packages[edge[0]]))
        ],
    }
    print(json.dumps(document, indent=2))


main()
