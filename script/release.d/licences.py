#!/usr/bin/python3
"""Prints the licences of what is in the program itself: libraries of headers, and modules of the web interface."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import parts  # noqa: E402


def texts_of(folder):
    found = [path for path in sorted(folder.iterdir()) if path.is_file() and path.stem.lower().startswith(("licen", "copying", "notice"))]
    return [path.read_text(errors="replace").strip() for path in found]


def main():
    for package in parts.HEADERS:
        print(f"==== {package}\n")
        print(pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text(errors="replace").strip(), end="\n\n")
    texts = {}
    for path, module in parts.web_modules().items():
        text = "\n\n".join(texts_of(parts.REPOSITORY / "web" / path)) or f"Licence: {module.get('license', 'see the module')}"
        texts.setdefault(text, []).append(f"{path.rpartition('node_modules/')[2]} {module['version']}")
    for text, modules in texts.items():
        print(f"==== {', '.join(modules)}\n\n{text}\n")


if __name__ == "__main__":
    main()
