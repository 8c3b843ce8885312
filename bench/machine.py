"""What the figures were taken on, so that those of two machines are not mixed."""

import os
import pathlib
import platform
import subprocess
import time

QUIET = 0.05  # Of all cores together.
LOOK_SECONDS = 2


def _busy_and_all():
    """Ticks of all cores since the start: at work, with what a host took away, and in all (proc(5))."""
    ticks = [int(word) for word in pathlib.Path("/proc/stat").read_text().splitlines()[0].split()[1:9]]
    idle = ticks[3] + ticks[4]
    return sum(ticks) - idle, sum(ticks)


def busy_share():
    """How much of the processors other work takes, while the bench does nothing."""
    busy, total = _busy_and_all()
    time.sleep(LOOK_SECONDS)
    busy_later, total_later = _busy_and_all()
    return (busy_later - busy) / max(total_later - total, 1)


def file_system(folder):
    command = ["stat", "--file-system", "--format=%T", folder]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def describe(folder):
    return {
        "kernel": platform.release(),
        "processor": platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "file_system": file_system(folder),
        "busy_before": busy_share(),
    }


def sentence(machine):
    """One line for people; `busy_after` joins when the rows are done."""
    line = "Linux {kernel} on {processor}, {cores} cores, {file_system}".format(**machine)
    for when in ("before", "after"):
        if (share := machine.get(f"busy_{when}")) is not None:
            line += f"; {when}: {'quiet' if share <= QUIET else 'NOT quiet'}, {share:.0%} busy with other work"
    return line
