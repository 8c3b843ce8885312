"""Words that no file of the project holds, and names that gave way to the field's own words."""

import re

# Written in pieces, so that this file does not hold them either.
RULES = [
    (r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b", "unfinished work"),
    (r"\bDIS" r"ABLED_\w", "a disabled test"),
    (r"(?<![\w.~-])/wo" r"rk/", "a path of one machine"),
    (r"(?<![\w.~-])/ho" r"me/\w", "a path of one machine"),
    (r"\bregistry\.[a-z0-9-]+\.[a-z]{2,}|\bpackages\.[a-z0-9-]+\.(?:com|org|io)\b", "the host of a registry"),
]
# In C++ alone, as whole words of code; the second is what to write instead.
REPLACED_NAMES = {
    r"\w*Wish": "…Patch",
    "Desk|at_desk": "CommandContext, run_command",
    r"Door|\w*Offer": "UploadServer, UploadSource",
    "Conversation": "HttpExchange",
    "Engine|EngineRun": "RcloneProcess, RcloneInstance",
    "Census|Ticket": "ConnectionCounter, its Guard",
    "Patience": "InactivityTimer",
    "Space|Place": "Namespace, ResolvedPath",
    "Homes|LocalHomes": "HomeDirectories",
    "Objection|Withdrawals": "CancelReason, AccessRecheck",
    "Crew|Work|lie_down": "BoundedWorkers, WorkSource, park",
    "LongWork|Job": "TaskRunner, RunningTask",
    "Relocation": "MoveCopyService",
    "TreeMark|TreeLook": "TreeFingerprint, TreeScan",
    "Mark": "LogPosition",
    r"Sight|see_\w+": "ProbeResult, probe_…",
    "take_back|aside|forget": "rollback, backup, drop",
    "move_surely|insist": "move_verified, retry_on_new_connection",
    "litter_?": "pending_deletes",
    "left_overs?": "orphan",
    "spawn_behind": "spawn_background",
    "leads_elsewhere|kOutrun": "target_changed, kConflict",
    "Node": "AppContext",
    "surroundings|whereabouts|paste": "environment, fd_path, terminal_input",
    "spelling|public_only|option_words": "suggestions, confined_engine, option_builders",
}
# In comments of C++: the part of the program that acts is named instead.
_UNCLEAR = re.compile(r"^[^\"\n]*//.*?\b(told|nobody|somebody|whoever)\b", re.I | re.M)
_NOT_CODE = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|//[^\n]*', re.S)
LOCK = (r'"resolved"\s*:\s*"http', "a host that packages were fetched from")


def _code(text):
    """The text without strings and comments, its lines where they were."""
    return _NOT_CODE.sub(lambda match: "\n" * match.group().count("\n"), text)


def _check_names(path, text):
    code = _code(text)
    for names, instead in REPLACED_NAMES.items():
        for match in re.finditer(rf"\b(?:{names})\b", code):
            line = code.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: write {instead} instead of {match.group()}"


def _check_comments(path, text):
    for match in _UNCLEAR.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield f"{path}:{line}: say which part acts, instead of {match[1]}"


def check(tree):
    for path in tree.files:
        text = tree.text(path)
        if "\x00" in text:
            continue
        if path.suffix in (".h", ".cc"):
            yield from _check_names(path, text)
            yield from _check_comments(path, text)
        rules = RULES + [LOCK] if path.name == "package-lock.json" else RULES
        for pattern, what in rules:
            for match in re.finditer(pattern, text):
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path}:{line}: {what}: {match.group()}"
