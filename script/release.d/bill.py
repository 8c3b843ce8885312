#!/usr/bin/python3
"""Writes a bill of materials in the form of CycloneDX 1.5: all that is in the program, or in the image, with versions and hashes.

  bill.py --program FILE --version 1.2.3 --epoch SECONDS [--root FOLDER] >bill.json

FOLDER is the tree of an image; the files in it are looked for on this machine, where they come from.
"""

import argparse
import datetime
import hashlib
import json
import pathlib
import sys
import uuid

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import parts  # noqa: E402


def program(options):
    return {
        "type": "application", "bom-ref": f"coffer@{options.version}", "name": "coffer", "version": options.version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
        "hashes": [{"alg": "SHA-256", "content": parts.digest(options.program)}],
    }


def files_of_image(root):
    """What comes from packages of this machine, by its paths."""
    found = {}
    for path in sorted(root.rglob("*")):
        here = pathlib.Path("/") / path.relative_to(root)
        if path.is_file() and not path.is_symlink() and here.exists() and here != pathlib.Path("/usr/bin/coffer"):
            if parts.digest(path) == parts.digest(here) and not str(here).startswith("/etc/"):
                found[str(here)] = str(here)
    return found


def main():
    parser = argparse.ArgumentParser(description="Write a bill of materials.")
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--epoch", type=int, required=True)
    parser.add_argument("--root", type=pathlib.Path)
    options = parser.parse_args()
    libraries = files_of_image(options.root) if options.root else parts.libraries_of_program(options.program)
    components = parts.deb_components(libraries, parts.HEADERS) + parts.web_components()
    text = json.dumps(components, sort_keys=True)
    bill = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        # The same for the same contents: releases are compared byte by byte.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, hashlib.sha256(text.encode()).hexdigest())}",
        "metadata": {"timestamp": datetime.datetime.fromtimestamp(options.epoch, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
                     "component": program(options)},
        "components": components,
        "dependencies": [{"ref": f"coffer@{options.version}", "dependsOn": [one["bom-ref"] for one in components]}],
    }
    print(json.dumps(bill, indent=1))


if __name__ == "__main__":
    main()
