"""No source file is longer than 800 lines."""

LIMIT_LINES = 800
SUFFIXES = (".h", ".cc", ".c", ".py", ".sh", ".ts", ".tsx", ".mjs", ".css", ".html", ".cmake")

# Made from the descriptions of the API, and from the English messages.
GENERATED = {"web/src/api/v1.d.ts", "web/src/api/v2.d.ts", "web/src/messages/english.d.ts"}


def check(tree):
    for path in tree.files:
        if path.as_posix() in GENERATED:
            continue
        if path.suffix not in SUFFIXES and path not in tree.shell() and path not in tree.python():
            continue
        lines = tree.text(path).count("\n")
        if lines > LIMIT_LINES:
            yield f"{path}: {lines} lines, {LIMIT_LINES} at most"
