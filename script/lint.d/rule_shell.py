"""Shell scripts parse, stop at the first error, and pass shellcheck."""

import os
import shutil
import subprocess


def check(tree):
    checker = shutil.which("shellcheck")
    for path in tree.shell():
        shell = tree.text(path).splitlines()[0].removeprefix("#!").split()[0]
        parsed = subprocess.run([shell, "-n", path], cwd=tree.root, capture_output=True, text=True)
        if parsed.returncode:
            yield f"{path}: {parsed.stderr.strip()}"
        if "\nset -e" not in tree.text(path):
            yield f"{path}: no set -e"
        if not os.access(tree.root / path, os.X_OK):
            yield f"{path}: not executable"
        if checker:
            run = subprocess.run([checker, "-f", "gcc", path], cwd=tree.root, capture_output=True, text=True)
            yield from run.stdout.splitlines()
