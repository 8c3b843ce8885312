"""Python knows the names that it uses, and uses what it imports, by pyflakes."""

import re
import shutil
import subprocess

# Fixtures are imported from the test that has them, and asked for by the name of a parameter.
FIXTURE = re.compile(r"'test_\w+\.\w+' imported but unused|redefinition of unused '\w+' from line")


def check(tree):
    checker = shutil.which("pyflakes3")
    if not checker:
        return
    run = subprocess.run([checker, *tree.python()], cwd=tree.root, capture_output=True, text=True)
    for finding in (run.stdout + run.stderr).splitlines():
        if not FIXTURE.search(finding) and not allowed(tree, finding):
            yield finding


def allowed(tree, finding):
    """A line may say for itself why it is right: `# noqa: F401  Which finds the modules of the tests.`"""
    place = re.match(r"(?P<path>[^:]+):(?P<line>\d+):", finding)
    return place and "# noqa: " in tree.text(place["path"]).splitlines()[int(place["line"]) - 1]
