"""Names of files and folders, the first line of a header, and the names of units of size."""

import re

CATCH_ALL = {"util", "utils", "common", "helper", "helpers", "misc"}
# As format_size of base/ writes them, and everybody reads them.
OTHER_UNIT = re.compile(r'"[^"\n]*[\d} ][KMGT]iB')
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
        if path.parts[0] == "src" and path.suffix in (".h", ".cc") and not path.stem.endswith("_test"):
            for number, line in enumerate(tree.text(path).split("\n"), 1):
                if OTHER_UNIT.search(line.split("//")[0]):
                    yield f"{path}:{number}: sizes in texts are powers of 1024 and called KB, MB, GB"
