"""Runs the rows, alternating Coffer and its peer, and prints the ratios. Started by script/bench."""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

import memory
from process import Coffer, Nginx
from rows import GIB, ROWS

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Bench:
    """The scratch folder, the servers and the load generators."""

    def __init__(self, folder):
        self.folder, self._coffers = folder, {}
        for name in ("load", "stream", "create_loop"):
            sources = [ROOT / "bench" / f"{name}.c", ROOT / "bench/client.c"]
            command = ["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-pthread", *sources, "-o", folder / name]
            subprocess.run(command, check=True)
        self.nginx = Nginx(folder / "nginx")

    def coffer(self, durability):
        if durability not in self._coffers:
            program = ROOT / "build/release/coffer"
            self._coffers[durability] = Coffer(program, self.folder / f"coffer-{durability}", durability)
        return self._coffers[durability]

    def fresh_coffer(self):
        for server in self._coffers.values():
            server.stop()
            shutil.rmtree(server.folder)
        self._coffers.clear()
        return self.coffer("durable")

    def stop(self):
        for server in (self.nginx, *self._coffers.values()):
            server.stop()

    def large_file(self):
        path = self.folder / "large.bin"
        if not path.exists():
            with path.open("wb") as out:
                subprocess.run(["head", "-c", str(GIB), "/dev/urandom"], check=True, stdout=out)
            os.sync()
        return path

    def _number(self, *command):
        run = subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True)
        return float(run.stdout)

    def _file(self, name, content):
        (self.folder / name).write_bytes(content)
        return self.folder / name

    def load(self, server, connections, requests, request):
        return self._number(self.folder / "load", server.port, connections, requests, self._file("request", request))

    def stream(self, way, server, head, body=None, tail=None):
        rest = ([body] if body else []) + ([self._file("tail", tail)] if tail else [])
        return self._number(self.folder / "stream", way, server.port, self._file("head", head), *rest)

    def create(self, folder, files, size, threads, per_folder, how):
        if folder.exists():
            shutil.rmtree(folder)
        return self._number(self.folder / "create_loop", folder, files, size, threads, per_folder, how)


def measure(row, rounds):
    """The values of both sides, a list for each figure; the first round warms up and is dropped."""
    taken = []
    for turn in range(rounds + 1):
        sides = {}
        for side in ("coffer", "peer") if turn % 2 else ("peer", "coffer"):
            sides[side] = getattr(row, side)(turn)
        taken.append(sides)
    return [[(turn["coffer"][i], turn["peer"][i]) for turn in taken[1:]] for i in range(len(row.figures))]


def show(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def run(bench, names, rounds):
    results = []
    show(["work", "goal", "median", "range", "Coffer", "peer"])
    show(["---"] * 6)
    for name in names:
        if name == "memory":
            continue
        row = ROWS[name](bench)
        for figure, pairs in zip(row.figures, measure(row, rounds)):
            ratios = sorted(ours / theirs for ours, theirs in pairs)
            middle = [statistics.median(values) for values in (ratios, *zip(*pairs))]
            results.append({"row": name, "title": figure.title, "goal": figure.goal, "median": middle[0], "pairs": pairs})
            spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
            show([figure.title, figure.goal, f"{middle[0]:.3f}", spread, f"{middle[1]:.4g}", f"{middle[2]:.4g}"])
    if "memory" in names:
        for title, limit, figure in memory.measure(bench):
            results.append({"row": "memory", "title": title, "goal": f"<= {limit} MiB", "mib": figure})
            show([title, f"<= {limit} MiB", f"{figure:.1f} MiB", "", "", ""])
    return results


def main():
    parser = argparse.ArgumentParser(prog="script/bench")
    parser.add_argument("--rows", help=f"some of {','.join([*ROWS, 'memory'])}")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    names = options.rows.split(",") if options.rows else [*ROWS, "memory"]
    if unknown := set(names) - {*ROWS, "memory"}:
        parser.error(f"no such row: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(prefix="bench-", dir=ROOT / "build") as folder:
        bench = Bench(pathlib.Path(folder))
        try:
            results = run(bench, names, options.rounds)
        finally:
            bench.stop()
    if options.json:
        options.json.write_text(json.dumps({"cores": os.cpu_count(), "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
