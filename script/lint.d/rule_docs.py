"""Links in the documents lead somewhere, and docs/dependencies.md names every package."""

import pathlib
import re

PAGE = pathlib.Path("docs/dependencies.md")
_LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")


def packages(text):
    return [line.split()[0] for line in re.sub(r"#[^\n]*", "", text).splitlines() if line.split()]


def check(tree):
    for path in tree.having(".md"):
        for target in _LINK.findall(tree.text(path)):
            if "://" not in target and not (tree.root / path.parent / target).exists():
                yield f"{path}: a link to {target}, which is not there"
    for path in tree.files:
        if path.parent != pathlib.Path("script/packages"):
            continue
        known = tree.text(PAGE) if PAGE in tree.files else ""
        for package in packages(tree.text(path)):
            if f"`{package}`" not in known:
                yield f"{path}: {package} is not in {PAGE}"
    numbers = [path.name[:4] for path in tree.files if path.parent == pathlib.Path("docs/adr")]
    for number in sorted({number for number in numbers if numbers.count(number) > 1}):
        yield f"docs/adr: the number {number} is taken twice"
