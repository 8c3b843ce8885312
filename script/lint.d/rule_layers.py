"""Includes keep to the tables of docs/architecture.md, which are the one place that says who may use what.

The layer table has a row "| `layer/` | holds | may use |"; `all` means every layer. The table of kept-in
libraries has rows "| `include prefix` | where |".
"""

import pathlib
import re

PAGE = pathlib.Path("docs/architecture.md")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def _rows(text, heading):
    """The cells of the table below a heading, without its first two lines."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.S | re.M)
    if not section:
        return []
    lines = [line for line in section.group(1).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def _names(cell):
    return re.findall(r"`([^`]+?)/?`", cell)


def layer_table(text):
    """Every layer with the layers it may use."""
    table = {}
    for cells in _rows(text, "Layers"):
        for layer in _names(cells[0]):
            table[layer] = set(_names(cells[2])) | ({"*"} if cells[2] == "all" else set())
    return table


def kept_in(text):
    """Every include prefix with the layers that may name it."""
    return {prefix: set(_names(cells[1])) for cells in _rows(text, "Libraries kept in one place") for prefix in _names(cells[0])}


def _layer_of(parts, table):
    for length in (3, 2, 1):
        name = "/".join(parts[:length])
        if len(parts) > length and name in table:
            return name
    return None


def _cycle(table):
    """A layer that reaches itself through what it may use."""
    for start in table:
        seen, queue = set(), [start]
        while queue:
            for used in table.get(queue.pop(), ()):
                if used == start:
                    return start
                if used not in seen:
                    seen.add(used)
                    queue.append(used)
    return None


def _wrong(path, mark, name, layer, table, libraries):
    if ".." in pathlib.PurePosixPath(name).parts:
        return f'includes "{name}": name the layer and the file'
    for prefix, homes in libraries.items():
        if name.startswith(prefix) and layer not in homes:
            return f"includes {name}, which stays in {', '.join(sorted(homes))}"
    # A bare name ending in .inc is a table that the build of this layer generates.
    if mark == "<" or ("/" not in name and name.endswith(".inc")):
        return None
    target = _layer_of(pathlib.PurePosixPath(name).parts, table)
    if target is None:
        return f'includes "{name}", which is in no layer of {PAGE}'
    # Test doubles and fixtures serve tests, of whatever layer.
    if "testing" in name.split("/"):
        is_test = path.stem.endswith("_test") or "testing" in path.parts
        return None if is_test else f'includes "{name}", which is for tests'
    if target != layer and target not in table[layer] and "*" not in table[layer]:
        return f'includes "{name}", but {layer} may not use {target}'
    return None


def check(tree):
    sources = [path for path in tree.cpp() if path.parts[0] == "src"]
    for path in tree.cpp():
        if path.parts[0] != "src" and any(".." in name.split("/") for _, name in _INCLUDE.findall(tree.text(path))):
            yield f'{path}: includes through "../"'
    if not sources:
        return
    if PAGE not in tree.files:
        yield f"{PAGE} is missing"
        return
    table, libraries = layer_table(tree.text(PAGE)), kept_in(tree.text(PAGE))
    if _cycle(table):
        yield f"{PAGE}: the layer {_cycle(table)} uses itself"
    for path in sources:
        layer = _layer_of(path.parts[1:], table)
        if layer is None:
            yield f"{path}: its folder is not a layer of {PAGE}"
            continue
        for mark, name in _INCLUDE.findall(tree.text(path)):
            wrong = _wrong(path, mark, name, layer, table, libraries)
            if wrong:
                yield f"{path}: {wrong}"
