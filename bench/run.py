"""Runs the rows, alternating Coffer and its peer, and prints the ratios. Started by script/bench."""

import argparse
import contextlib
import itertools
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

import dav_rows
import drive_rows
import drives
import fair_rows
import machine
import memory
import object_rows
import remote_rows
import remotes
import rows
import stores
from process import Coffer, Nginx, free_port
from rows import GIB

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROWS = {**rows.ROWS, **fair_rows.ROWS, **remote_rows.ROWS, **drive_rows.ROWS, **object_rows.ROWS, **dav_rows.ROWS}
NAMES = [*ROWS, *memory.ROWS]
AS_ROOT = {*remote_rows.ROWS, "mount-memory"}
PROGRAM = ROOT / "build/release/coffer"
SERVERS = {**remotes.SERVERS, **drives.SERVERS}


class Bench:
    """The scratch folder, the servers and the load generators, for one build of Coffer."""

    def __init__(self, folder, program):
        self.folder, self.program, self._coffers, self._remotes = folder, program, {}, {}
        folder.mkdir(exist_ok=True)
        for name in ("load", "latency", "stream", "flood", "create_loop"):
            sources = [ROOT / "bench" / f"{name}.c", ROOT / "bench/client.c"]
            command = ["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-pthread", *sources, "-o", folder / name]
            subprocess.run(command, check=True)
        self.nginx, self.stores = Nginx(folder / "nginx"), stores.Stores()

    def coffer(self, durability, access_log=False, where="files"):
        """Own files are plain `files` beside SQLite, or lie as `Stores.settings` says."""
        name = durability + ("-logged" if access_log else "") + ("" if where == "files" else f"-{where}")
        if name not in self._coffers:
            settings = {} if where == "files" else self.stores.settings(where)
            self._coffers[name] = Coffer(self.program, self.folder / f"coffer-{name}", durability, access_log, **settings)
        return self._coffers[name]

    def fresh_coffer(self):
        for server in self._coffers.values():
            server.stop()
            shutil.rmtree(server.folder)
        self._coffers.clear()
        return self.coffer("durable")

    def remote(self, kind):
        """The server of that name, started when first asked for."""
        if kind not in self._remotes:
            self._remotes[kind] = SERVERS[kind](self.folder / kind)
            self._remotes[kind].start()
        return self._remotes[kind]

    def peer(self, name, make):
        """A server that only some rows need, started when first asked for."""
        if name not in self._remotes:
            self._remotes[name] = make(self.folder / name)
        return self._remotes[name]

    def tls_servers(self):
        """A Coffer and an nginx that speak TLS with one certificate."""
        certificate, key = self.folder / "tls.crt", self.folder / "tls.key"
        if not certificate.exists():
            command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                       "-subj", "/CN=localhost", "-keyout", key, "-out", certificate]
            subprocess.run([str(word) for word in command], check=True, capture_output=True)
        coffer = self.peer("coffer-tls", lambda folder: Coffer(
            self.program, folder, "durable", False, tls_listen=f"127.0.0.1:{free_port()}", tls_certificate=certificate, tls_key=key))
        return coffer, self.peer("nginx-tls", lambda folder: Nginx(folder, certificate, key))

    def stop(self):
        """Each, whatever becomes of the others, and Coffer before what it has connections to."""
        with contextlib.ExitStack() as ending:
            for server in (self.nginx, self.stores, *self._remotes.values(), *self._coffers.values()):
                ending.callback(server.stop)

    def large_file(self):
        """One for all benches: where a file lies in memory tells in how fast it is read."""
        path = self.folder.parent / "large.bin"
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

    def load(self, server, connections, requests, *each):
        files = [self._file(f"request{number}", request) for number, request in enumerate(each)]
        return self._number(self.folder / "load", server.port, connections, requests, *files)

    def latency(self, server, seconds, request):
        """The median, the 75th and the 99th percentile and the longest of the seconds that requests take."""
        command = [self.folder / "latency", server.port, seconds, self._file("latency-request", request)]
        run = subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True)
        return [float(word) for word in run.stdout.split()]

    @contextlib.contextmanager
    def flood(self, server, connections, request):
        """As many connections send the request again and again, whatever is answered."""
        flooding = subprocess.Popen([self.folder / "flood", str(server.port), str(connections), self._file("flood-request", request)])
        try:
            yield
        finally:
            flooding.terminate()
            flooding.wait()

    def stream(self, way, server, head, body=None, tail=None, expected=None, head_name="head"):
        rest = [expected] if expected else []
        rest += ([body] if body else []) + ([self._file("tail", tail)] if tail else [])
        return self._number(self.folder / "stream", way, server.port, self._file(head_name, head), *rest)

    def create(self, folder, files, size, threads, per_folder, how):
        if folder.exists():
            shutil.rmtree(folder)
        return self._number(self.folder / "create_loop", folder, files, size, threads, per_folder, how)


def measure(coffer, peer, rounds):
    """The values of both sides, a list for each figure; the first round warms up and is dropped."""
    taken = []
    for turn in range(rounds + 1):
        if turn % 2:
            taken.append((coffer(turn), peer(turn)))
        else:
            theirs = peer(turn)
            taken.append((coffer(turn), theirs))
    return list(zip(*(zip(*turn) for turn in taken[1:])))


def show(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def run(bench, names, rounds, other=None):
    """Against each row's peer, or against another build's bench."""
    results = []
    show(["work", "goal", "median", "range", "Coffer", "other build" if other else "peer"])
    show(["---"] * 6)
    for name in names:
        if name in memory.ROWS:
            continue
        row = ROWS[name](bench)
        peer = ROWS[name](other).coffer if other else row.peer
        for figure, pairs in zip(row.figures, measure(row.coffer, peer, rounds)):
            ratios = sorted(ours / theirs for ours, theirs in pairs)
            middle = [statistics.median(values) for values in (ratios, *zip(*pairs))]
            results.append({"row": name, "title": figure.title, "goal": figure.goal, "median": middle[0], "pairs": pairs})
            spread = f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
            show([figure.title, figure.goal, f"{middle[0]:.3f}", spread, f"{middle[1]:.4g}", f"{middle[2]:.4g}"])
    for name in [name for name in names if name in memory.ROWS]:
        theirs = [f"{figure:.1f} MiB" for _, _, figure in memory.ROWS[name](other)] if other else itertools.repeat("")
        for (title, limit, figure), peer in zip(memory.ROWS[name](bench), theirs):
            results.append({"row": name, "title": title, "goal": f"<= {limit} MiB", "mib": figure})
            show([title, f"<= {limit} MiB", f"{figure:.1f} MiB", "", "", peer])
    return results


def chosen(parser, rows):
    """The names that are given, or all that this user can run."""
    names = rows.split(",") if rows else NAMES
    if unknown := set(names) - set(NAMES):
        parser.error(f"no such row: {', '.join(sorted(unknown))}")
    for_root = [name for name in names if name in AS_ROOT and os.geteuid() != 0]
    if for_root and rows:
        parser.error(f"only root can run {', '.join(for_root)}")
    if for_root:
        print(f"bench: without {', '.join(for_root)}, which only root can run", file=sys.stderr)
    return [name for name in names if name not in for_root]


def main():
    parser = argparse.ArgumentParser(prog="script/bench")
    parser.add_argument("--rows", help=f"some of {','.join(NAMES)}")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--against", type=lambda path: pathlib.Path(path).resolve(), metavar="PROGRAM", help="another build of Coffer in the peers' place")
    options = parser.parse_args()
    names = chosen(parser, options.rows)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended by a signal"))  # And so stops the servers.
    with tempfile.TemporaryDirectory(prefix="bench-", dir=ROOT / "build") as folder:
        pathlib.Path(folder).chmod(0o711)  # Servers that root starts have other accounts.
        taken_on = machine.describe(folder)
        with contextlib.ExitStack() as ending:
            benches = []
            for name, program in (("bench", PROGRAM), ("other", options.against)):
                if program:
                    benches.append(Bench(pathlib.Path(folder) / name, program))
                    ending.callback(benches[-1].stop)
            results = run(benches[0], names, options.rounds, *benches[1:])
        taken_on["busy_after"] = machine.busy_share()
    print(f"\n{machine.sentence(taken_on)}")
    if options.json:
        options.json.write_text(json.dumps({"machine": taken_on, "results": results}, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
