"""Names of files and folders, and the first line of a header."""

import re

CATCH_ALL = {"util", "utils", "common", "helper", "helpers", "misc"}
FOREIGN = {".cpp", ".cxx", ".hpp", ".hh", ".hxx"}


def check(tree):
    for path in tree.files:
        for part in (*path.parts[:-1], path.stem):
            if part.lower() in CATCH_ALL:
                yield f"{path}: a name that says nothing: {part}"
        if path.suffix in FOREIGN:
            yield f"{path}: C++ files end in .h and .cc"
        if path.suffix in (".h", ".cc") and not re.fullmatch(r"[a-z0-9_]+", path.stem):
            yield f"{path}: file names are snake_case"
        if path.suffix == ".h" and not re.search(r"^#pragma once$", tree.text(path), re.M):
            yield f"{path}: no #pragma once"
