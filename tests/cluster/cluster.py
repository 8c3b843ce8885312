"""The servers of the bed, each on a machine of its own, and who starts them again when they end."""

import pathlib
import re
import signal
import tempfile
import threading

import network
from balancer import Balancer
from database import Database
from history import now
from several import Nodes
from store import Store

FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
DISK_BYTES = 24 << 20
TAKEN_OVER = re.compile(r"Another server has taken over the catalog, or has ended this one's run")
ODD_CLOCK, SMALL_DISK = 2, 1  # The servers with a clock that can be set, and with little disk.


class Servers(Nodes):
    def prepare(self, node, number):
        node.address = network.address_of(number)
        node.number = number
        node.in_front = network.Network.inside(number)
        if number == SMALL_DISK:
            network.run("mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=0700", "none", str(node.data))
        if number == ODD_CLOCK and pathlib.Path(FAKETIME).exists():
            node.clock = node.folder / "clock"
            node.clock.write_text("+0\n")
            node.in_front += ("env", f"LD_PRELOAD={FAKETIME}", f"FAKETIME_TIMESTAMP_FILE={node.clock}", "FAKETIME_CACHE_DURATION=1",
                              "FAKETIME_DONT_FAKE_MONOTONIC=1", "FAKETIME_DONT_RESET=1", "NO_FAKE_STAT=1")


class Supervisor:
    """Starts each server again that has ended, unless it is `held`. Its thread lives as long as they: a server ends with the
    thread that started it."""

    PERIOD_S = 0.1

    def __init__(self, servers):
        self.servers, self.held, self.expected = servers, set(), set()
        self.taken_over, self.deaths = 0, []
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def end(self):
        self._is_over.set()
        self._thread.join()

    def kill(self, number):
        self.expected.add(number)
        self.servers[number].send_signal(signal.SIGKILL)

    def _watch(self):
        seen = set()
        while not self._is_over.wait(self.PERIOD_S):
            for number, server in enumerate(self.servers.nodes):
                if server.running():
                    continue
                if server.process not in seen:
                    seen.add(server.process)
                    self._note_end(number, server)
                if number not in self.held:
                    self._start(server, seen)

    def _note_end(self, number, server):
        status = server.wait()
        if TAKEN_OVER.search(server.log()[-3000:]) and status == 1:
            self.taken_over += 1
        elif number not in self.expected or status != -signal.SIGKILL:
            self.deaths.append(f"server {number} ended by itself with {status}: {server.log()[-3000:]}")
        self.expected.discard(number)

    @staticmethod
    def _start(server, seen):
        try:
            server.start()
        except AssertionError:  # As where it does not reach the database: again.
            seen.add(server.process)


class Cluster:
    """All of the bed but its clients."""

    SERVERS = 3

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="coffer-bed-", ignore_cleanup_errors=True)
        self.folder = pathlib.Path(self._folder.name)
        self.database = Database()
        self.network = network.Network(self.SERVERS, self.database.port)
        self.store = Store()
        self.servers = Servers(self.folder, self.database.url, self.SERVERS, access_log=False, **self.store.settings)
        self.supervisor = Supervisor(self.servers)
        self.balancer = Balancer(lambda: [(one.address, one.port) if one.port and one.running() else None for one in self.servers.nodes],
                                 network.HERE)
        self.places = [*self.servers.nodes, self.balancer]

    def living(self):
        return [server.number for server in self.servers.nodes if server.running() and server.port]

    def restart(self, number):
        """At rest."""
        before = self.servers[number].process
        self.supervisor.kill(number)
        end = now() + 60
        while self.servers[number].process is before or not self.servers[number].port:
            assert now() < end, "the server does not start again"
            threading.Event().wait(0.05)

    def close(self):
        self.supervisor.end()
        self.balancer.close()
        for server in self.servers.nodes:
            server.kill()
        network.run("umount", str(self.servers[SMALL_DISK].data))
        self.store.close()
        self.database.stop()
        self._folder.cleanup()
