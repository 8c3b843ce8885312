"""The interface in web/: its layout, the size of its files, and which folder may use which."""

import pathlib
import re
import subprocess

SOURCES = pathlib.Path("web/src")
LIMIT_LINES = 300
# Every feature may use all of these; none of these uses a feature.
_BASE = {"api", "messages", "theme", "platform", "controls", "model", "content"}
# The build makes them.
_MADE = re.compile(r"^(?:api/v\d|messages/english)\.d\.ts$")
_IMPORT = re.compile(r"""\bfrom\s+"~/([^"]+)"|^import\s+"~/([^"]+)";""", re.M)


def _check_source(path, text):
    own = path.relative_to(SOURCES)
    lines = text.count("\n")
    if _MADE.match(own.as_posix()):
        return
    if lines > LIMIT_LINES:
        yield f"{path}: {lines} lines, {LIMIT_LINES} at most in web/src"
    if re.search(r"""\bfrom\s+"\.\./""", text):
        yield f"{path}: an import through \"../\": write ~/ and the folder"
    for match in _IMPORT.finditer(text):
        target = pathlib.PurePosixPath(match[1] or match[2])
        used, part = target.parts[0], own.parts[0]
        if part in _BASE and used not in _BASE:
            yield f"{path}: {part}/ uses no feature, but imports ~/{target}"


def _run(tree, folder, *command):
    modules, node = tree.root / "web/node_modules/.bin", tree.root / "web/node/bin/node"
    if not (modules / command[0]).exists() or not node.exists() or not (tree.root / folder / "node_modules").is_dir():
        return f"{folder}: {command[0]}, its Node or the modules are missing: run script/setup --test"
    run = subprocess.run([node, modules / command[0], *command[1:]], cwd=tree.root / folder,
                         capture_output=True, text=True)
    return (run.stdout + run.stderr).strip() if run.returncode else None


def check(tree):
    for path in tree.having(".ts", ".tsx"):
        if path.is_relative_to(SOURCES):
            yield from _check_source(path, tree.text(path))
    if pathlib.Path("web/biome.json") not in tree.files:
        return
    commands = [("web", "biome", "check", "--error-on-warnings"), ("tests/web", "biome", "check", "--error-on-warnings"),
                ("tests/web", "tsc", "--noEmit")]
    for command in commands:
        wrong = _run(tree, *command)
        if wrong:
            yield f"{command[0]}: {' '.join(command[1:])} finds\n{wrong}"
