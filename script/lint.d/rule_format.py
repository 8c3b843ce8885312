"""Every C++ and C file is as clang-format leaves it."""

import re
import shutil
import subprocess


def check(tree):
    files = [str(path) for path in tree.cpp()]
    if not files:
        return
    tool = shutil.which("clang-format-19")
    if not tool:
        yield "clang-format-19 is missing: run script/setup"
        return
    run = subprocess.run([tool, "--dry-run", *files], cwd=tree.root, capture_output=True, text=True)
    unformatted = set(re.findall(r"^(.+?):\d+:\d+: warning: code should be clang-formatted", run.stderr, re.M))
    for path in sorted(unformatted):
        yield f"{path}: not formatted; run clang-format-19 -i on it"
    if run.returncode:
        yield f"clang-format-19 failed: {run.stderr.strip()[-200:]}"
