#!/usr/bin/python3
"""Writes README.md and the guide into a folder, as the package has them: compressed, and with links to what is there too."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs/guide").glob("*.md"))]
# Beside the guide; see cmake/package.cmake.
EXAMPLES = ROOT / "deploy/proxies"
# A link or a picture, with what is shown for it.
LINK = re.compile(r"!?\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)")


def as_packaged(page):
    def link(found):
        text, target, anchor = found[1], found[2], found[3] or ""
        if "://" in target or not target:
            return found[0]
        place = (page.parent / target).resolve()
        if place in PAGES:
            return f"[{text}]({place.name}.gz{anchor})"
        if place.parent == EXAMPLES:
            return f"[{text}](../examples/proxies/{place.name})"
        return text

    return LINK.sub(link, page.read_text())


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for page in PAGES:
        packed = subprocess.run(["gzip", "-9n"], input=as_packaged(page).encode(), stdout=subprocess.PIPE, check=True).stdout
        (folder / f"{page.name}.gz").write_bytes(packed)


if __name__ == "__main__":
    main()
