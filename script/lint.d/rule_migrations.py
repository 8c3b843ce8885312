"""Each migration says its kind, and one that says "adding" only has statements that programs of before need not know of."""

import pathlib
import re

MIGRATIONS = pathlib.Path("src/catalog/migrations")
KINDS = ("-- Kind: adding", "-- Kind: breaking")
FIRST_THAT_SAYS = 48  # Those before were made when all servers were stopped for any change.

NEW_TABLE = re.compile(r"CREATE TABLE (\w+)")
NEW_INDEX = re.compile(r"CREATE (UNIQUE )?INDEX (\w+) ON (\w+)")
CHANGED_TABLE = re.compile(r"ALTER TABLE (\w+) ")
FILLED_TABLE = re.compile(r"INSERT INTO (\w+) ")
ADDED_COLUMN = re.compile(r"ADD COLUMN \w+ \w+( NOT NULL)?( DEFAULT ('[^']*'|-?\d+))?")


def statements(text):
    lines = (line for line in text.splitlines() if not line.startswith("--"))
    return [" ".join(one.split()) for one in "\n".join(lines).split(";") if one.strip()]


def adds(statement, new_tables):
    """Whether programs that do not know of the statement work as before, once it is made. `new_tables` are those of the file."""
    if NEW_TABLE.match(statement):
        return True
    if made := NEW_INDEX.match(statement):
        return made[3] in new_tables or not made[1]  # A unique one forbids what was allowed.
    if filled := FILLED_TABLE.match(statement):
        return filled[1] in new_tables
    changed = CHANGED_TABLE.match(statement)
    if not changed:
        return False
    return changed[1] in new_tables or all(map(is_new_column, statement[changed.end():].split(", ")))


def is_new_column(part):
    """A column that rows of before and of programs of before have a value for."""
    column = ADDED_COLUMN.fullmatch(part)
    return bool(column and (not column[1] or column[2]))


def check(tree):
    for path in (file for file in tree.files if file.parent == MIGRATIONS and file.suffix == ".sql"):
        first = tree.text(path).partition("\n")[0]
        if first not in KINDS and (int(path.name.partition("_")[0]) >= FIRST_THAT_SAYS or first.startswith("-- Kind")):
            yield f"{path}: its first line is {KINDS[0]!r} or {KINDS[1]!r} (src/catalog/migrations.h)"
        if first != KINDS[0]:
            continue
        all_of_it = statements(tree.text(path))
        new_tables = {made[1] for one in all_of_it if (made := NEW_TABLE.match(one))}
        for one in all_of_it:
            if not adds(one, new_tables):
                yield f"{path}: a program of before cannot live with this, so the kind is breaking: {one[:70]}"
