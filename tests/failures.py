#!/usr/bin/env python3
"""Prints why tests failed, in few lines, and which were not run, from a report of CTest in JUnit's format: failures.py REPORT."""

import re
import sys
import xml.etree.ElementTree as ElementTree

LINES_OF_A_TEST = 60
TELLING = re.compile(r": Failure$|^\[  FAILED|^E  |^(FAILED|ERROR) |AssertionError|Sanitizer|^not ok|[×✗]")
LINES_AFTER = 6


def telling_lines(output):
    """The lines that say what went wrong, with what follows each; the last ones where none is known to."""
    lines = output.splitlines()
    wanted = set()
    for at, line in enumerate(lines):
        if TELLING.search(line):
            wanted.update(range(at, min(at + LINES_AFTER, len(lines))))
    chosen = [lines[at] for at in sorted(wanted)] if wanted else lines[-LINES_OF_A_TEST:]
    return chosen[:LINES_OF_A_TEST]


def last_line(output):
    """As a list, which is empty where nothing was said."""
    return output.strip().splitlines()[-1:]


def main():
    for case in ElementTree.parse(sys.argv[1]).iter("testcase"):
        if case.get("status") == "fail" or case.find("failure") is not None:
            print(f"== {case.get('name')} failed")
            print(*telling_lines(case.findtext("system-out") or ""), sep="\n")
        elif case.find("skipped") is not None:
            print(f"== {case.get('name')} was not run", *last_line(case.findtext("system-out") or ""), sep=": ")


if __name__ == "__main__":
    main()
