"""The Unix socket in the data folder, by which commands reach a server that runs: who gets in, and what is left of it."""

import concurrent.futures
import http.client
import os
import stat
import subprocess
import sys

import pytest

from people import Person
from server import BINARY, PATIENCE_S, CommandConnection, Server, clean_environment, run

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
    status, text = ask(server, "GET", ACCOUNTS)
    assert status == 200 and account.name in text
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
    assert "another user was refused" in server.log()
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
