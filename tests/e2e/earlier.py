"""Data folders as earlier versions left them: the migrations up to one, with the rows of earlier_catalogs/ that fit between."""

import hashlib
import pathlib
import sqlite3

from server import REPOSITORY

MIGRATIONS = sorted((REPOSITORY / "src/catalog/migrations").glob("*.sql"))
ROWS = pathlib.Path(__file__).parent / "earlier_catalogs"
VERSIONS = [int(file.name[:4]) for file in MIGRATIONS]
KEY, KEY_OF_DOCS, KEY_OF_BOB, LINK = "earlier-key-of-ann", "earlier-key-of-docs", "earlier-key-of-bob", "earlier-link"
FILES = {"ann/letter.txt": b"a letter", "ann/docs/plan.txt": b"the plan", "bob/b.txt": b"bytes"}
DELETED = b"deleted"
BIN_FROM = 14  # The first version with a bin.


def statements(text):
    """As run_statements of src/catalog/migrations.cc takes them on SQLite."""
    return [one for one in text.split(";\n") if one.strip() and not one.startswith("\n-- On PostgreSQL:")]


def digest_of(secret):
    return hashlib.blake2b(secret.encode(), digest_size=32).hexdigest()


def make_data(data, version, shared):
    """`shared` is a folder that accounts share."""
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    catalog = sqlite3.connect(data / "catalog.sqlite", isolation_level=None)
    catalog.execute("PRAGMA journal_mode = WAL")
    catalog.execute("CREATE TABLE schema_migrations (version BIGINT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL)")
    for file, number in zip(MIGRATIONS, VERSIONS, strict=True):
        if number > version:
            break
        rows = ROWS / file.name[:4]
        rows = rows.with_suffix(".sql")
        added = rows.read_text().replace("@SHARED@", str(shared)) if rows.exists() else ""
        for statement in statements(file.read_text()) + statements(added):
            catalog.execute(statement)
        catalog.execute("INSERT INTO schema_migrations VALUES (?, 1)", (number,))
    catalog.close()
    files = dict(FILES)
    if version >= BIN_FROM:
        files["ann/.coffer-bin/aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"] = DELETED
    for path, content in files.items():
        file = data / "files" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return data
