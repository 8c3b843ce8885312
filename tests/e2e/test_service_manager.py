"""What a service manager, such as systemd, and a health check of a container learn of a server."""

import json
import os
import signal
import socket

import pytest

from server import eventually, run


class Manager:
    """The socket that systemd gives a service of the type `notify`."""

    def __init__(self, folder):
        self.path = str(folder / "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(60)

    def next(self):
        return self.socket.recv(4096).decode()

    def next_but_signs_of_life(self):
        while (told := self.next()) == "WATCHDOG=1":
            pass
        return told


@pytest.fixture
def manager(tmp_path):
    made = Manager(tmp_path)
    yield made
    made.socket.close()


@pytest.fixture
def watched(build_server, manager, monkeypatch):
    """A server that was started by the manager."""
    monkeypatch.setenv("NOTIFY_SOCKET", manager.path)
    monkeypatch.setenv("WATCHDOG_USEC", "100000")
    server = build_server().start()
    yield server
    if server.running():
        server.stop()


def test_the_manager_hears_that_the_server_serves_reloads_and_stops(watched, manager):
    assert manager.next() == "READY=1"
    watched.cli("health")
    watched.send_signal(signal.SIGHUP)
    assert manager.next_but_signs_of_life().startswith("RELOADING=1\nMONOTONIC_USEC=")
    assert manager.next_but_signs_of_life() == "READY=1"
    watched.stop()
    assert manager.next_but_signs_of_life() == "STOPPING=1"


def test_the_manager_gets_signs_of_life(watched, manager):
    assert [manager.next() for _ in range(4)] == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]


def test_a_manager_that_is_gone_does_no_harm(watched, manager):
    os.unlink(manager.path)
    eventually(lambda: "the service manager could not be told" in watched.log(), "the log to tell it")
    watched.cli("health")


def test_health_tells_whether_the_server_is_ready(own_server):
    server = own_server(drain_ms=60_000)
    assert server.cli("health").stdout == "The server is ready.\n"
    assert json.loads(server.cli("health", "--json").stdout) == {"status": "ok"}
    server.send_signal(signal.SIGTERM)
    eventually(lambda: "draining" in server.log(), "the server to drain")
    draining = server.cli("health", ok=False)
    assert draining.returncode == 1 and draining.stderr == "coffer: The server is stopping.\n"
    server.send_signal(signal.SIGTERM)
    assert server.wait() == 0
    stopped = server.cli("health", ok=False)
    assert stopped.returncode == 1 and "No server runs on the data folder" in stopped.stderr


def test_health_of_a_server_that_hangs_fails_soon(own_server):
    server = own_server()
    server.send_signal(signal.SIGSTOP)
    try:
        hangs = server.cli("health", ok=False)
        assert hangs.returncode == 1 and hangs.stderr == "coffer: The server did not answer.\n"
    finally:
        server.send_signal(signal.SIGCONT)


def test_the_template_has_every_setting_as_a_comment(tmp_path):
    template = run("serve", "--print-template").stdout
    printed = run("serve", "--print-config", "--data", tmp_path).stdout
    keys = [line.partition(" = ")[0] for line in printed.splitlines() if not line.startswith("#")]
    assert [line.removeprefix("# ").partition(" = ")[0] for line in template.splitlines() if " = " in line and not line.endswith(".")] == keys
    assert all(line.startswith("#") or not line for line in template.splitlines())
    file = tmp_path / "coffer.toml"
    file.write_text(template)
    assert run("serve", "--print-config", "--config", file, "--data", tmp_path).stdout == printed
    # Without the marks it says what the program does without it.
    known = [line[2:] for line in template.splitlines() if line[2:].partition(" = ")[0] in keys and not line.startswith("# data ")]
    file.write_text("\n".join(known))
    assert run("serve", "--print-config", "--config", file, "--data", tmp_path).stdout == printed


