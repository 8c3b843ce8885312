"""Processes whose processor time is counted and limited, by control groups of version 1 ("Control Groups version 1" of the kernel's
documentation, cpuacct and cpu). Needs root."""

import contextlib
import os
import pathlib

TOP = pathlib.Path("/sys/fs/cgroup")
PERIOD_US = 20_000  # Short, so that a process that has used its share waits for milliseconds.
WEIGHT = 100_000  # Of all groups together, by that of other work on the machine, 1,024.


class Group:
    def __init__(self, name):
        self.name = f"coffer-bench-{os.getpid()}/{name}"
        for kind in ("cpu", "cpuacct"):
            (TOP / kind / self.name).mkdir(parents=True)
        (TOP / "cpu" / self.name).parent.joinpath("cpu.shares").write_text(str(WEIGHT))

    def add(self, *processes):
        for process in processes:
            for kind in ("cpu", "cpuacct"):
                with contextlib.suppress(ProcessLookupError):
                    (TOP / kind / self.name / "cgroup.procs").write_text(str(process))

    def leave(self, process):
        for kind in ("cpu", "cpuacct"):
            (TOP / kind / "cgroup.procs").write_text(str(process))

    def limit(self, cores):
        """None ends the limit."""
        (TOP / "cpu" / self.name / "cpu.cfs_period_us").write_text(str(PERIOD_US))
        (TOP / "cpu" / self.name / "cpu.cfs_quota_us").write_text(str(int(cores * PERIOD_US) if cores else -1))

    def seconds(self):
        return int((TOP / "cpuacct" / self.name / "cpuacct.usage").read_text()) / 1e9

    def throttled_share(self):
        """Of its periods since the start, those at whose end it had nothing left."""
        words = dict(line.split() for line in (TOP / "cpu" / self.name / "cpu.stat").read_text().splitlines())
        return int(words["nr_throttled"]) / max(int(words["nr_periods"]), 1)

    def remove(self):
        """Once its processes have ended."""
        for kind in ("cpu", "cpuacct"):
            for folder in (TOP / kind / self.name, (TOP / kind / self.name).parent):
                with contextlib.suppress(OSError):  # The last of the groups removes what all are in.
                    folder.rmdir()
