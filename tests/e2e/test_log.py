"""The server's log: nothing waits for its reader, and what it cannot take is counted."""

import fcntl
import os
import re
import signal
import subprocess

import pytest

from raw import RawConnection, head
from server import BINARY, DIES_WITH_US, LISTENING, PATIENCE_S, clean_environment

PIPE_BYTES = 4096
LONG = "x" * 8000
DROPPED = re.compile(rb"(\d+) lines? of the log (?:was|were) dropped")


class LoggingServer:
    """A server whose log goes into a pipe that is read up to the port, and then only on demand."""

    def __init__(self, folder):
        self.process = subprocess.Popen(
            [*DIES_WITH_US, BINARY, "serve", "--data", str(folder), "--listen", "127.0.0.1:0"], stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE, env=clean_environment())
        fcntl.fcntl(self.process.stderr.fileno(), fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        lines = iter(self.process.stderr.readline, b"")
        self.port = next(int(found[1]) for line in lines if (found := LISTENING.search(line.decode())))

    def ask(self, times, query=""):
        with RawConnection(self) as connection:
            for _ in range(times):
                connection.send(head("GET", "/api/v1/account?" + query))
                assert connection.read_answer().status == 401

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)


@pytest.fixture
def logging_server(tmp_path):
    one = LoggingServer(tmp_path / "data")
    yield one
    one.process.kill()
    one.process.wait()
    if not one.process.stderr.closed:
        one.process.stderr.close()


def test_a_log_that_is_not_read_holds_up_neither_requests_nor_the_stop(logging_server):
    logging_server.ask(1000, LONG)
    assert logging_server.stop() == 0


def test_what_a_log_could_not_take_is_counted_and_reported_once_it_is_read_again(logging_server):
    asked = 1000
    logging_server.ask(asked, LONG)
    logged = dropped = 0
    while logged + dropped < asked:
        line = logging_server.process.stderr.readline()
        assert line, "the server ended"
        if found := DROPPED.search(line):
            dropped += int(found[1])
        logged += b" 401 " in line
    assert logged + dropped == asked and dropped > 0
    logging_server.ask(1)
    assert b" 401 " in logging_server.process.stderr.readline()
    assert logging_server.stop() == 0


def test_a_closed_log_ends_neither_the_server_nor_its_stop(logging_server):
    logging_server.process.stderr.close()
    logging_server.ask(100)
    assert logging_server.stop() == 0


def test_the_last_lines_of_a_log_that_is_read_are_all_there(server, tmp_path):
    one = LoggingServer(tmp_path / "data")
    one.ask(20)
    one.process.send_signal(signal.SIGTERM)
    rest = one.process.stderr.read()
    assert one.process.wait(PATIENCE_S) == 0
    one.process.stderr.close()
    assert rest.count(b" 401 ") == 20 and b"stopping" in rest


def test_a_command_whose_output_is_not_read_ends_by_itself(server):
    for _ in range(3):
        server.add_account()
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = subprocess.run([BINARY, "account", "list", *server.place()], stdout=writing, stderr=subprocess.PIPE,
                                env=clean_environment(), timeout=PATIENCE_S, check=False)
    finally:
        os.close(writing)
    assert result.returncode >= 0, "ended by a signal"
