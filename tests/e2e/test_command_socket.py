"""The Unix socket in the data folder, by which commands reach a server that runs: who gets in, and what is left of it."""

import concurrent.futures
import contextlib
import http.client
import json
import os
import socket
import stat
import subprocess
import sys
import threading

import pytest

from people import Person
from server import BINARY, PATIENCE_S, CommandConnection, Server, clean_environment, eventually, run

NOBODY = 65534
ACCOUNTS = "/api/v2/admin/accounts"


def socket_of(server):
    return server.data / "command.sock"


def ask(server, method, target, headers=None):
    connection = CommandConnection(server.data)
    try:
        connection.request(method, target, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def test_it_is_the_servers_users_alone(server):
    status = os.stat(socket_of(server))
    assert stat.S_ISSOCK(status.st_mode) and stat.S_IMODE(status.st_mode) == 0o600


def test_it_answers_as_the_api_does(server, account):
    status, text = ask(server, "GET", f"{ACCOUNTS}/{account.name}")
    assert status == 200 and json.loads(text)["userName"] == account.name
    status, text = ask(server, "GET", "/api/v2/keys", {"X-Coffer-Account": account.name})
    assert status == 200 and account.key_id in text
    status, text = ask(server, "GET", "/api/v2/keys", {"X-Coffer-Account": "nobody-of-that-name"})
    assert status == 404 and "nobody-of-that-name" in text


@pytest.mark.parametrize("target", ["/api/v2/files?path=", "/api/v1/files?path=", "/api/v2/tasks"])
def test_it_opens_no_files_and_acts_for_no_one_unasked(server, target):
    status, _ = ask(server, "GET", target)
    assert status in (400, 401, 403)


def test_no_file_is_read_by_it(server, account):
    account.client.put("a", b"x")
    for target in ("/api/v2/files?path=", "/api/v2/files/content?path=a"):
        status, text = ask(server, "GET", target, {"X-Coffer-Account": account.name})
        assert status in (403, 404) and '"entries"' not in text, (target, status, text)


def test_no_task_is_begun_by_it(server, account):
    account.client.put("a", b"x")
    status, text = ask(server, "POST", "/api/v2/tasks", {"X-Coffer-Account": account.name})
    assert status == 403 and "files" in text


def test_a_web_page_gets_nothing_by_it(server):
    status, text = ask(server, "GET", ACCOUNTS, {"Origin": "http://coffer"})
    assert status == 403 and "web page" in text


def test_the_port_gives_nothing_of_it_away(server, account):
    """Neither to one without a key nor to a key that is no administrator's, whatever the header says."""
    person = Person(server, key=account.key)
    for headers in ({}, {"X-Coffer-Account": account.name}):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
        connection.request("GET", ACCOUNTS, headers=headers)
        answer = connection.getresponse()
        assert answer.status == 401 and answer.read()
        connection.request("GET", ACCOUNTS, headers={**headers, "X-API-Key": account.key})
        answer = connection.getresponse()
        assert answer.status == 403 and answer.read()
        connection.close()
    assert person.ok("GET", "account")["userName"] == account.name


def ask_with(data, method, target, *headers):
    """Sends headers as they stand here, repeated ones too; the status and the text."""
    with contextlib.closing(CommandConnection(data)) as connection:
        connection.putrequest(method, target)
        for name, value in headers:
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


@pytest.mark.parametrize(("method", "target"), [
    ("GET", "bin"), ("DELETE", "bin"), ("DELETE", "bin/1"), ("GET", "links"), ("POST", "links"), ("DELETE", "links/1")])
def test_the_bin_and_the_links_are_files_too(server, account, method, target):
    status, text = ask(server, method, f"/api/v2/{target}", {"X-Coffer-Account": account.name})
    assert status == 403 and "files" in text


def test_a_repeated_header_is_not_a_missing_one(server, account):
    status, text = ask_with(server.data, "GET", ACCOUNTS, ("Origin", "http://a"), ("Origin", "http://b"))
    assert status == 403 and "web page" in text
    twice = [("X-Coffer-Account", account.name)] * 2
    status, text = ask_with(server.data, "GET", "/api/v2/keys", *twice)
    assert status == 400 and "repeated" in text


def test_a_command_for_another_catalog_is_refused(server, tmp_path):
    other = f"sqlite://{tmp_path}/other.sqlite"
    for where in ({"environment": {"COFFER_DATABASE": other}}, {}):
        option = [] if where else ["--database", other]
        told = run("account", "add", "ghost", "--data", server.data, *option, **where)
        assert told.returncode == 1 and "another catalog" in told.stderr and told.stderr.count("\n") == 1, told
    assert not (tmp_path / "other.sqlite").exists()
    assert "ghost" not in [one["username"] for one in server.cli_json("account", "list")]


def test_a_command_may_name_the_catalog_of_the_server_in_another_way(own_server, account_on, tmp_path):
    server = own_server()
    account = account_on(server)
    if server.database:
        place = ["--database", server.database]
    else:
        (tmp_path / "link").symlink_to(server.data)
        place = ["--database", f"sqlite://{tmp_path}/link/catalog.sqlite"]
    told = run("account", "list", "--json", "--data", server.data, *place)
    assert told.returncode == 0 and account.name in told.stdout, told


class StandIn:
    """Listens in a server's place at the socket of a data folder and gives prepared answers, one to each connection.
    Then no one listens there."""

    def __init__(self, data, *answers):
        self.data, self.answers, self.asked = data, answers, []
        self.listening = socket.socket(socket.AF_UNIX)

    def __enter__(self):
        folder = os.open(self.data, os.O_PATH)
        self.listening.bind(f"/proc/self/fd/{folder}/command.sock")
        os.close(folder)
        self.listening.listen()
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()
        return self

    def _serve(self):
        for left, answer in reversed(list(enumerate(reversed(self.answers)))):
            connection, _ = self.listening.accept()
            if not left:
                self._end()
            with connection, connection.makefile("rb") as reading:
                method, target = reading.readline().decode().split()[:2]
                head = http.client.parse_headers(reading)
                self.asked.append((method, target, reading.read(int(head["Content-Length"]))))
                connection.sendall(answer)

    def _end(self):
        (self.data / "command.sock").unlink()
        self.listening.close()

    def __exit__(self, *_):
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive(), self.asked


def answer_of(value, status="200 OK"):
    text = json.dumps(value)
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode()


NO_CONTENT = b"HTTP/1.1 204 No Content\r\n\r\n"
STREAMED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n"


@pytest.fixture
def stopped(own_server, account_on):
    server = own_server()
    server.account = account_on(server)
    server.stop()
    return server


def test_what_a_server_no_longer_takes_goes_where_it_can(stopped, tmp_path):
    """A server that stops between the requests of one command."""
    share = stopped.cli_json("share", "add", "--name", "docs", "--target", tmp_path, "--everyone")
    listed = {**share, "folder": share["target"]}
    with StandIn(stopped.data, answer_of({"entries": [listed], "next": None})) as server:
        stopped.cli("share", "remove", "docs")
    assert server.asked == [("GET", "/api/v2/admin/shares", b"")] and stopped.cli_json("share", "list") == []


def test_a_share_is_changed_by_what_changes_alone(stopped, tmp_path):
    """Of two commands that change it at once, neither undoes the other."""
    share = stopped.cli_json("share", "add", "--name", "docs", "--target", tmp_path, "--account", stopped.account.name)
    listed = {**share, "folder": share["target"]}
    with StandIn(stopped.data, answer_of({"entries": [listed], "next": None}), answer_of(listed)) as server:
        stopped.cli("share", "set", "docs", "--account", "ann", "--no-account", "bob")
    assert json.loads(server.asked[1][2]) == {"addedAccounts": ["ann"], "removedAccounts": ["bob"]}


@pytest.mark.parametrize("answer", [STREAMED, answer_of([1]), answer_of({"entries": 7}), answer_of({}),
                                    b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{"])
def test_an_answer_of_an_unknown_form_is_told_in_one_line(stopped, answer):
    with StandIn(stopped.data, answer):
        told = stopped.cli("share", "list", ok=False)
    assert told.returncode == 1 and told.stdout == "" and told.stderr.count("\n") == 1, told
    assert "unknown form" in told.stderr


def test_a_task_that_ended_meanwhile_was_not_asked_to_stop(stopped):
    missing = answer_of({"detail": "There is no such task."}, "404 Not Found")
    with StandIn(stopped.data, answer_of({"state": "running"}), NO_CONTENT, missing) as server:
        told = stopped.cli("task", "cancel", "7", "--account", stopped.account.name, ok=False)
    assert [method for method, *_ in server.asked] == ["GET", "DELETE", "GET"]
    assert told.returncode == 1 and "ended already" in told.stderr, told


def test_a_refusal_without_a_detail_is_told(server):
    told = server.cli("key", "list", "--account", "a" * 20_000, ok=False)
    assert told.returncode == 1 and "head is too large" in told.stderr and told.stderr.count("\n") == 1, told


@pytest.mark.parametrize("words", [["key", "list", "--account", ""], ["account", "set", ""], ["share", "test", ""],
                                   ["key", "revoke", "", "--account", "ann"], ["task", "cancel", "", "--account", "ann"],
                                   ["connector", "test", "", "--account", "ann"]])
def test_an_empty_name_is_refused(server, words):
    told = server.cli(*words, ok=False)
    assert told.returncode == 2 and "empty" in told.stderr and told.stderr.count("\n") == 1, told


def test_a_working_folder_that_is_gone_is_told(tmp_path):
    told = subprocess.run(["sh", "-c", 'mkdir "$1" && cd "$1" && rmdir "$1" && exec "$0" account list --data here', BINARY,
                           tmp_path / "gone"], capture_output=True, text=True, env=clean_environment(), timeout=PATIENCE_S)
    assert told.returncode == 1 and "working folder is gone" in told.stderr and told.stderr.count("\n") == 1, told


CONNECT = """
import socket, sys
one = socket.socket(socket.AF_UNIX)
one.connect(sys.argv[1])
one.sendall(b"GET /api/v2/admin/accounts HTTP/1.1\\r\\nHost: coffer\\r\\n\\r\\n")
print(len(one.recv(1000)))
"""


def as_nobody(*command):
    return subprocess.run(["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", *map(str, command)],
                          capture_output=True, text=True, env=clean_environment(), timeout=PATIENCE_S)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may be other users")
def test_other_users_are_refused_whatever_its_mode_is(own_server, account_on):
    server = own_server()
    account_on(server)
    for folder in (server.data, *server.data.parents):
        if folder.stat().st_uid == 0 and not folder.stat().st_mode & 0o001:
            folder.chmod(0o755)
    told = as_nobody(sys.executable, "-c", CONNECT, socket_of(server))
    assert told.returncode != 0 and "Permission denied" in told.stderr, told
    socket_of(server).chmod(0o666)
    told = as_nobody(sys.executable, "-c", CONNECT, socket_of(server))
    assert told.stdout.strip() in ("", "0") and "entries" not in told.stdout, told
    eventually(lambda: "another user was refused" in server.log(), "a line in the log")
    told = as_nobody(BINARY, "account", "list", *server.place())
    assert told.returncode == 1 and told.stdout == "", told


def test_nothing_is_left_of_it_after_a_stop(own_server, account_on):
    server = own_server()
    account = account_on(server)
    server.stop()
    assert not socket_of(server).exists()
    assert [one["username"] for one in server.cli_json("account", "list")] == [account.name]


def test_that_of_a_dead_server_is_no_hindrance(own_server, account_on):
    server = own_server()
    account = account_on(server)
    server.kill()
    assert socket_of(server).exists()
    assert [one["username"] for one in server.cli_json("account", "list")] == [account.name]
    server.start()
    assert [one["username"] for one in server.cli_json("account", "list")] == [account.name]
    account.client.list().ok()


def test_a_link_at_its_name_is_not_followed(own_server, account_on, tmp_path):
    """Neither by a command nor by a server that starts, which says so and serves without commands."""
    server = own_server()
    account = account_on(server)
    server.stop()
    other = Server(tmp_path / "other").start()
    socket_of(server).symlink_to(socket_of(other))
    assert [one["username"] for one in server.cli_json("account", "list")] == [account.name]
    server.start()
    assert socket_of(server).is_symlink() and "Cannot listen at the socket" in server.log()
    assert [one["username"] for one in other.cli_json("account", "list")] == []
    server.stop()
    other.stop()


def test_a_long_data_path(tmp_path):
    deep = tmp_path / ("d" * 100) / ("e" * 100)
    deep.mkdir(parents=True)
    server = Server(deep)
    server.cli("account", "add", "zoe")
    server.start()
    assert [one["username"] for one in server.cli_json("account", "list")] == ["zoe"]
    server.cli("account", "add", "ann")
    server.stop()
    assert [one["username"] for one in server.cli_json("account", "list")] == ["ann", "zoe"]


def test_commands_wait_for_one_another_where_no_server_runs(tmp_path):
    server = Server(tmp_path)
    server.cli("account", "add", "zoe")
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda name: run("account", "add", name, *server.place()), ("a", "b", "c", "d")))
    assert [one.returncode for one in made] == [0, 0, 0, 0], made
    assert [one["username"] for one in server.cli_json("account", "list")] == ["a", "b", "c", "d", "zoe"]


def test_the_audit_log_names_the_command_line(server, make_account):
    account = make_account()
    server.cli("account", "set", account.name, "--quota", "1GiB")
    status, text = ask(server, "GET", f"/api/v2/admin/audit?account={account.name}&limit=1")
    assert status == 200 and '"event":"account.changed"' in text and '"actor":""' in text and '"address":""' in text, text
