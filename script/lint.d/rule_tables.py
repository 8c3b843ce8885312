"""docs/limits.md has a line for each table of the catalog: who makes it grow, what bounds it, what sweeps it."""

import pathlib
import re

PAGE = pathlib.Path("docs/limits.md")
MIGRATIONS = pathlib.Path("src/catalog/migrations")
HEAD = ["table", "grows by", "limit", "swept"]


def rows(text):
    """The cells of the page's table, by the name in the first."""
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return {cells[0].strip("`"): cells for cells in lines if cells != HEAD and not cells[0].startswith("---")}


def check(tree):
    made = {}
    for path in tree.files:
        if path.parent == MIGRATIONS and path.suffix == ".sql":
            made |= dict.fromkeys(re.findall(r"CREATE TABLE (\w+)", tree.text(path)), path)
            for dropped in re.findall(r"DROP TABLE (\w+)", tree.text(path)):
                made.pop(dropped, None)
    listed = rows(tree.text(PAGE)) if PAGE in tree.files else {}
    for table in sorted(made.keys() - listed.keys()):
        yield (
            f"{made[table]}: the table {table} has no line in {PAGE}: say there who makes it grow, what limits the rows"
            " of one account (the constant's name) and what deletes old ones while the server runs"
        )
    for table in sorted(listed.keys() - made.keys() if made else []):
        yield f"{PAGE}: a line for the table {table}, which no migration makes"
    source = "".join(tree.text(path) for path in tree.cpp())
    for table, cells in listed.items():
        if len(cells) != len(HEAD) or not all(cells):
            yield f"{PAGE}: the line of {table} has not all of: {', '.join(HEAD)}"
        for name in re.findall(r"`(k[A-Z]\w+)`", "|".join(cells)):
            if not re.search(rf"constexpr [^;=]*\b{name}\b", source):
                yield f"{PAGE}: the line of {table} names {name}, which is no constant in src"
