"""The files that the rules look at."""

import functools
import os
import pathlib

SKIPPED = {"build", "data", "node_modules", "__pycache__", ".git", ".cache", ".pytest_cache", "dist"}


class Tree:
    """Every file below `root` that is the project's own, as paths relative to it."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.files = sorted(self._walk())

    def _walk(self):
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name not in SKIPPED]
            for name in names:
                path = pathlib.Path(folder, name)
                if not path.is_symlink() and name != ".git":
                    yield path.relative_to(self.root)

    @functools.cache
    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def having(self, *suffixes):
        return [path for path in self.files if path.suffix in suffixes]

    def cpp(self):
        return self.having(".h", ".cc", ".c")

    def shell(self):
        return [path for path in self.files if path.suffix in ("", ".sh") and self.text(path).startswith("#!/bin/")]

    def python(self):
        return [
            path
            for path in self.files
            if path.suffix == ".py" or (not path.suffix and self.text(path).startswith("#!/usr/bin/python3"))
        ]
