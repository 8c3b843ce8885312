"""No component of src/ reaches itself through its includes, no file of web/src through its imports, also those that load
later, and no folder of web/src either. A component is a header together with its source."""

import pathlib
import re

_SOURCES = pathlib.Path("web/src")
# `import … from "x"`, `export … from "x"`, `import "x"` and `import("x")`.
_IMPORT = re.compile(r"""(?:\bfrom|^import|\bimport\()\s*"((?:~|\.)/[^"]+)\"""", re.M)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.M)


def _component(name):
    return name.rsplit(".", 1)[0]


def graph_of(tree):
    """Every component with the others that it includes."""
    graph = {}
    for path in tree.having(".h", ".cc"):
        if path.parts[0] == "src" and not path.stem.endswith("_test"):
            component = _component(path.relative_to("src").as_posix())
            included = {_component(name) for name in _INCLUDE.findall(tree.text(path))}
            graph.setdefault(component, set()).update(included - {component})
    return graph


def _reached(graph, start):
    seen, queue = set(), [start]
    while queue:
        new = graph.get(queue.pop(), set()) - seen
        seen |= new
        queue += new
    return seen


def circles_of(graph):
    """Every circle once, as the set of its components."""
    reached = {component: _reached(graph, component) for component in graph}
    circles = {frozenset(other for other in reached[one] if one in reached.get(other, ())) for one in graph}
    return sorted((circle for circle in circles if circle), key=min)


def _imported(tree, path, name):
    """The source that an import names; None for styles, texts and other files."""
    target = _SOURCES / name[2:] if name.startswith("~/") else path.parent / name
    for file in (target.with_name(target.name + ".ts"), target.with_name(target.name + ".tsx"), target / "index.tsx"):
        if file in tree.files:
            return file
    return None


def web_graphs_of(tree):
    """Every file of web/src with those that it imports, and every folder with the other folders that its files import."""
    files, folders = {}, {}
    for path in tree.having(".ts", ".tsx"):
        if not path.is_relative_to(_SOURCES) or ".test." in path.name or path.name.endswith(".d.ts"):
            continue
        found = {_imported(tree, path, name) for name in _IMPORT.findall(tree.text(path))} - {None}
        files[path.as_posix()] = {other.as_posix() for other in found}
        folders.setdefault(path.parent.as_posix(), set()).update(other.parent.as_posix() for other in found)
    for folder, used in folders.items():
        used.discard(folder)
    return files, folders


def check(tree):
    for circle in circles_of(graph_of(tree)):
        first, *others = sorted(circle)
        yield f"src/{first}.h: in a circle of includes with {', '.join(others)}"
    for graph in web_graphs_of(tree):
        for circle in circles_of(graph):
            first, *others = sorted(circle)
            yield f"{first}: in a circle of imports with {', '.join(others) or 'itself'}"
