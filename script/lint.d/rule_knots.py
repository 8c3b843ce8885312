"""No component reaches itself through what it includes. A component is a header together with its source."""

import re

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


def check(tree):
    for circle in circles_of(graph_of(tree)):
        first, *others = sorted(circle)
        yield f"src/{first}.h: in a circle of includes with {', '.join(others)}"
