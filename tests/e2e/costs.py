"""Seconds and processor time of each test, with all processes that it started. `COFFER_TEST_COSTS=FILE` has every worker
append a line of JSON for each test; `python3 costs.py FILE` prints the sums by module."""

import collections
import json
import os
import pathlib
import re
import sys
import time

import pytest

FILE = os.environ.get("COFFER_TEST_COSTS")
TICKS_IN_S = os.sysconf("SC_CLK_TCK")


def processor_s(process):
    """User and system time of a process and of those that it started, whether they have ended or not."""
    try:
        ticks = map(int, pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:15])
        started = [child for thread in pathlib.Path(f"/proc/{process}/task").iterdir()
                   for child in (thread / "children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):  # It has ended meanwhile.
        return 0
    return sum(ticks) / TICKS_IN_S + sum(map(processor_s, started))


def most_memory_bytes(process):
    """The most that a process has had in memory at once."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"^VmHWM:\s+(\d+) kB$", status, re.M)[1]) * 1024


class Costs:
    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item):
        wall, processor = time.monotonic(), processor_s(os.getpid())
        yield
        line = {"test": item.nodeid, "wall": time.monotonic() - wall, "processor": processor_s(os.getpid()) - processor}
        with open(FILE, "a") as file:
            file.write(json.dumps(line) + "\n")


def by_module(lines):
    modules = collections.defaultdict(lambda: [0, 0.0, 0.0])
    for line in map(json.loads, lines):
        for sums in (modules[pathlib.Path(line["test"].partition("::")[0]).stem], modules["all"]):
            for place, value in enumerate((1, line["wall"], line["processor"])):
                sums[place] += value
    return sorted(modules.items(), key=lambda entry: -entry[1][2])


if __name__ == "__main__":
    print(f"{'module':32} tests   seconds  of the processor")
    for module, (count, wall, processor) in by_module(pathlib.Path(sys.argv[1]).read_text().splitlines()):
        print(f"{module:32} {count:5} {wall:9.1f} {processor:9.1f}")
