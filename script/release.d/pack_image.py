#!/usr/bin/python3
"""Packs an image anew, so that the same contents have the same bytes: without the id of the container that it was made in.

  pack_image.py FOLDER VERSION EPOCH >image.tar.gz

FOLDER has the files of an archive that `docker load` takes.
"""

import gzip
import hashlib
import io
import json
import pathlib
import sys
import tarfile


def main():
    folder, version, epoch = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    made, = json.loads((folder / "manifest.json").read_text())
    config = json.loads((folder / made["Config"]).read_text())
    for name in ("container", "container_config"):
        config.pop(name, None)
    config["config"].pop("Hostname", None)  # A part of that id.
    text = json.dumps(config, sort_keys=True).encode()
    name = f"{hashlib.sha256(text).hexdigest()}.json"
    manifest = [{"Config": name, "RepoTags": [f"coffer:{version}"], "Layers": made["Layers"]}]
    files = {name: text, "manifest.json": json.dumps(manifest).encode(),
             **{layer: (folder / layer).read_bytes() for layer in made["Layers"]}}
    with gzip.GzipFile(fileobj=sys.stdout.buffer, mode="wb", compresslevel=6, mtime=0) as packed, \
            tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, content in sorted(files.items()):
            entry = tarfile.TarInfo(path)
            entry.size, entry.mtime, entry.mode = len(content), epoch, 0o644
            archive.addfile(entry, io.BytesIO(content))


if __name__ == "__main__":
    main()
