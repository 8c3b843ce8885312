"""No function is longer than 70 lines."""

import ast

import cpp_functions

LIMIT_LINES = 70


def _python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, node.end_lineno - node.lineno + 1


def check(tree):
    found = [(path, cpp_functions.functions(tree.text(path))) for path in tree.cpp()]
    found += [(path, _python_functions(tree.text(path))) for path in tree.python()]
    for path, functions in found:
        for name, line, lines in functions:
            if lines > LIMIT_LINES:
                yield f"{path}:{line}: {name} has {lines} lines, {LIMIT_LINES} at most"
