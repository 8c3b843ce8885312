"""Finds the functions of a C++ source by its braces."""

import re

# Comments, raw strings, strings, characters (not the digit separator) and directives.
_NOISE = re.compile(
    r"""//[^\n]*|/\*.*?\*/
      |R"(?P<mark>[^()\s\\]{0,16})\(.*?\)(?P=mark)"
      |"(?:\\.|[^"\\\n])*"
      |(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'
      |^[ \t]*\#(?:\\\n|[^\n])*""",
    re.S | re.X | re.M,
)
_TYPE = re.compile(r"\b(?:class|struct|union|enum)\b")
_SCOPE = re.compile(r"\bnamespace\b|\bextern\s*\"\"\s*$|^\s*extern\s*$")


def _blank(match):
    """The same lines without their content, so that line numbers stay."""
    text = match.group()
    kept = '""' if text[0] in "\"R'" else " "
    return kept + "\n" * text.count("\n")


def _without_brackets(head):
    """The head of a block without what stands in (), [] and template <>."""
    previous = None
    while previous != head:
        previous = head
        head = re.sub(r"\([^()]*\)", " @ ", head)
        head = re.sub(r"\[[^\[\]]*\]", " ", head)
        head = re.sub(r"\btemplate\s*<[^<>]*>", " ", head)
        head = re.sub(r"<[^<>;]*>", " ", head)
    return head


def _kind(head):
    """What a block with this head is, in a namespace or a class."""
    flat = _without_brackets(head)
    last = flat.rstrip()[-1:]
    if _SCOPE.search(flat):
        return "scope"
    if "@" in flat and last == "@":
        return "function"
    # In a constructor's initialisers a brace after a name initialises a member; the body follows.
    if re.search(r"@[^@:]*(?<!:):(?!:)", flat) and (last.isalnum() or last in "_>"):
        return "initialiser"
    if _TYPE.search(flat):
        return "scope"
    return "function" if "@" in flat else "other"


def functions(text):
    """Yields (name, first line, lines) of every function with a body, nested ones as part of it."""
    text = _NOISE.sub(_blank, text)
    stack = []
    head, head_line, line = "", 1, 1
    for char in text:
        inside = any(kind == "function" for kind, *_ in stack)
        if char == "{":
            kind = "other" if inside else _kind(head)
            stack.append((kind, head, head_line))
            if kind != "initialiser":
                head = ""
        elif char == "}" and stack:
            kind, opened, first = stack.pop()
            if kind == "function":
                yield _name(opened), first, line - first + 1
            head = opened + "@" if kind == "initialiser" else ""
        elif char == ";" and not (stack and stack[-1][0] == "initialiser"):
            head = ""
        else:
            if not head.strip() and not char.isspace():
                head, head_line = "", line
            head += char
        if char == "\n":
            line += 1


def _name(head):
    names = re.findall(r"([~\w:]+|operator\S+)\s*\(", head)
    return names[0] if names else head.strip()[:40]
