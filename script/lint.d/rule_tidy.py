"""clang-tidy, as .clang-tidy says, over every source of the clang preset."""

import concurrent.futures
import os
import shutil
import subprocess


def check(tree):
    tool = shutil.which("clang-tidy-19")
    if not tool:
        yield "clang-tidy-19 is missing: run script/setup --all"
        return
    # Generated and precompiled headers are there once the preset is built.
    built = subprocess.run([tree.root / "script/build", "clang"], cwd=tree.root)
    if built.returncode:
        yield "the clang preset does not build"
        return
    sources = [path for path in tree.having(".cc") if path.parts[0] == "src"]

    def tidy(path):
        command = [tool, "-p", "build/clang", "--quiet", "--warnings-as-errors=*", path]
        run = subprocess.run(command, cwd=tree.root, capture_output=True, text=True)
        found = [line for line in run.stdout.splitlines() if ": error: " in line or ": warning: " in line]
        return found or ([f"{path}: {run.stderr.strip()[-300:]}"] if run.returncode else [])

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found in pool.map(tidy, sources):
            yield from found
