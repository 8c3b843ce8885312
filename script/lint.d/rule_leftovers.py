"""Unfinished work, disabled tests, and names of one machine or registry stand in no file."""

import re

# Written in pieces, so that this file does not hold them either.
RULES = [
    (r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b", "unfinished work"),
    (r"\bDIS" r"ABLED_\w", "a disabled test"),
    (r"(?<![\w.~-])/wo" r"rk/", "a path of one machine"),
    (r"(?<![\w.~-])/ho" r"me/\w", "a path of one machine"),
    (r"\bregistry\.[a-z0-9-]+\.[a-z]{2,}|\bpackages\.[a-z0-9-]+\.(?:com|org|io)\b", "the host of a registry"),
]
LOCK = (r'"resolved"\s*:\s*"http', "a host that packages were fetched from")


def check(tree):
    for path in tree.files:
        text = tree.text(path)
        if "\x00" in text:
            continue
        rules = RULES + [LOCK] if path.name == "package-lock.json" else RULES
        for pattern, what in rules:
            for match in re.finditer(pattern, text):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path}:{line}: {what}: {match.group()}"
