"""Every source is in a target, every test among its layer's tests, every folder in the build."""

import pathlib
import re

LISTS = "CMakeLists.txt"
_SECTIONS = r"HEADERS|SOURCES|TESTS|USES|PRIVATE_USES|TEST_USES"


def _code(text):
    return re.sub(r"#[^\n]*", "", text)


def _home(path, lists):
    """The folder of the build file that path belongs to."""
    return next((folder for folder in path.parents if folder in lists), None)


def _words(text):
    return set(re.split(r"[\s()\"]+", text))


def _section(text, name):
    found = re.findall(rf"\b{name}\b((?:(?!\b(?:{_SECTIONS})\b)[^)])*)", text)
    return _words(" ".join(found))


def _wrong(path, name, text):
    if "coffer_layer(" not in text:
        return None if name in _words(text) else "in no target"
    if path.suffix == ".h":
        section = "HEADERS"
    else:
        section = "TESTS" if path.stem.endswith("_test") else "SOURCES"
    if name in _section(text, section):
        return None
    # What a layer keeps to itself is listed with its sources, or beside the layer.
    if section == "HEADERS" or name not in _words(text):
        return None if path.suffix == ".h" else f"not among the {section} of its layer"
    return f"not among the {section} of its layer" if section == "TESTS" else None


def check(tree):
    lists = {path.parent: _code(tree.text(path)) for path in tree.files if path.name == LISTS}
    for path in tree.having(".cc"):
        folder = _home(path, lists)
        if folder is None or folder == pathlib.Path("."):
            yield f"{path}: in no target"
            continue
        wrong = _wrong(path, path.relative_to(folder).as_posix(), lists[folder])
        if wrong:
            yield f"{path}: {wrong}"
    for folder in lists:
        if folder == pathlib.Path("."):
            continue
        above = _home(folder, lists)
        # By name, or by a glob of the build files in such folders.
        adds = r"add_subdirectory\(\s*([^\s)]+)|\bfile\(\s*GLOB[^)]*\s([^\s)]+)/CMakeLists\.txt"
        added = ["".join(found) for found in re.findall(adds, lists[above])] if above is not None else []
        if not any(folder.relative_to(above).match(name) for name in added):
            yield f"{folder / LISTS}: no other build file adds this folder"
    for folder, text in lists.items():
        if re.search(r"\bfile\(\s*GLOB[^)]*\*\.(?:cc|h)\b", text):
            yield f"{folder / LISTS}: list sources by name"
