"""Each test that docs/guarantees.md names is there, and each promise names one."""

import pathlib
import re

PAGE = pathlib.Path("docs/guarantees.md")
PROMISES = "## Promises, and the tests that hold them"
_TEST = re.compile(r"`(tests/[\w/.]+)::(\w+)`")


def check(tree):
    if PAGE not in tree.files:
        return
    _, _, rest = tree.text(PAGE).partition(PROMISES)
    rows = [line for line in rest.partition("\n## ")[0].splitlines() if line.startswith("| ")][2:]
    for row in rows:
        named = _TEST.findall(row)
        if not named:
            yield f"{PAGE}: a promise without a test: {row[:60]}"
        for file, test in named:
            path = pathlib.Path(file)
            if path not in tree.files or f"def {test}(" not in tree.text(path):
                yield f"{PAGE}: {file} has no test {test}"
