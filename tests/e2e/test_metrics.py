"""Metrics in Prometheus' format: what they count, and who sees them."""

import re
import urllib.parse

import pytest
import requests

from client import TIMEOUT_S
from mounting import add_connector, started
from people import Person
from remote_servers import SftpServer
from server import Server, eventually, run

TOKEN = "a token for the metrics"
LINE = re.compile(r'([a-z_]+)(?:\{(.*)\})? (\S+)')
LABEL = re.compile(r'([a-z]+)="((?:[^"\\]|\\.)*)"')


@pytest.fixture
def own(own_server, tmp_path):
    file = tmp_path / "token"
    file.write_text(TOKEN + "\n")
    server = own_server(metrics_token_file=str(file))
    server.secrets.add(TOKEN)
    return server


def ask(server, **headers):
    return requests.get(server.url + "/metrics", headers=headers, timeout=TIMEOUT_S)


def metrics(server):
    """The value of each, by its name and labels."""
    answer = ask(server, Authorization="Bearer " + TOKEN)
    assert answer.status_code == 200 and answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    found, described = {}, set()
    for line in answer.text.splitlines():
        if line.startswith("#"):
            described.add(line.split()[2])
            continue
        name, labels, value = LINE.fullmatch(line).groups()
        assert re.sub("_(bucket|sum|count)$", "", name) in described, line
        key = name, *sorted(LABEL.findall(labels or ""))
        assert key not in found
        found[key] = float(value)
    return found


def count(server, method, route, status):
    labels = (("method", method), ("route", route), ("status", str(status)))
    return metrics(server).get(("coffer_http_request_duration_seconds_count", *labels), 0)


def is_counted(server, times, method, route, *statuses):
    """A request counts when its answer has gone, which its sender may see first."""
    eventually(lambda: sum(count(server, method, route, status) for status in statuses) >= times, "the requests to be counted")
    assert sum(count(server, method, route, status) for status in statuses) == times


def value(server, name, **labels):
    return metrics(server).get((name, *sorted(labels.items())))


def test_requests_are_counted_by_route_and_status(own, account_on):
    client = account_on(own).client
    client.put("a.txt", b"x" * 5000)
    for _ in range(3):
        client.download("a.txt")
    client.download("missing")
    is_counted(own, 3, "GET", "/api/v1/files/download", 200)
    is_counted(own, 1, "GET", "/api/v1/files/download", 404)
    assert value(own, "coffer_http_sent_bytes_total") > 15000 and value(own, "coffer_http_received_bytes_total") >= 5000


def test_durations_are_in_buckets(own):
    requests.get(own.url + "/health/live", timeout=TIMEOUT_S)
    labels = {"method": "GET", "route": "/health/live", "status": "200"}
    is_counted(own, 1, "GET", "/health/live", 200)
    found = metrics(own)
    buckets = [number for key, number in found.items()
               if key[0].endswith("_bucket") and ("route", "/health/live") in key and ("method", "GET") in key]
    assert buckets == sorted(buckets) and buckets[-1] == 1
    assert 0 < found[("coffer_http_request_duration_seconds_sum", *sorted(labels.items()))] < 60


def test_no_label_comes_from_a_client(own):
    """Each would stay in memory."""
    before = len(metrics(own))
    for number in range(50):
        requests.request(f"METHOD{number}", own.url + f"/nothing/{number}", timeout=TIMEOUT_S)
        requests.get(own.url + f"/api/v2/tasks/{number}", timeout=TIMEOUT_S)
        requests.get(own.url + f"/{urllib.parse.quote('ü' * (number + 1))}", timeout=TIMEOUT_S)
    after = metrics(own)
    assert len(after) - before <= 16 * 4, set(after)
    is_counted(own, 50, "other", "none", 404, 405, 501)
    is_counted(own, 50, "GET", "/api/v2/tasks/{id}", 401)


def test_heads_that_were_refused_are_counted(own):
    requests.get(own.url + "/" + "x" * 20_000, timeout=TIMEOUT_S)
    is_counted(own, 1, "other", "none", 431)


def test_storage_and_catalog(own, account_on):
    assert value(own, "coffer_catalog_up") == 1 and value(own, "coffer_catalog_answer_seconds") >= 0
    first, second = account_on(own), account_on(own)
    first.client.put("a", b"x" * 1000)
    second.client.put("b", b"x" * 500)
    eventually(lambda: value(own, "coffer_storage_used_bytes") == 1500, "the figure to be written")


def test_connections_pools_and_tasks(own):
    assert value(own, "coffer_http_connections") >= 1
    for pool in ("brief", "lengthy", "packing", "servers"):
        assert value(own, "coffer_pool_calls", pool=pool, state="waiting") == 0
    assert value(own, "coffer_tasks", state="running") == 0 == value(own, "coffer_tasks", state="waiting")


def test_tasks_that_run_and_wait(own, account_on):
    account = account_on(own)
    tree = account.root / "tree"
    tree.mkdir()
    for number in range(3000):
        (tree / f"{number}").write_bytes(b"")
    person = Person(own, key=account.key)
    for number in range(8):
        account.client.make_folder("", f"to{number}").ok()
        person.ok("POST", "tasks", {"kind": "copy", "sources": ["tree"], "destination": f"to{number}"}, 202)
    eventually(lambda: value(own, "coffer_tasks", state="running") == 0 == value(own, "coffer_tasks", state="waiting"), "the tasks' ends")
    is_counted(own, 8, "POST", "/api/v2/tasks", 202)


def test_servers_behind_connectors(own, account_on):
    account = account_on(own)
    with started(SftpServer) as remotes:
        mount = add_connector(own, account.name, "Far", remotes["sftp"].options())
        name = {"connector": mount.removeprefix("__conn_"), "kind": "sftp"}
        account.client.names(mount)
        eventually(lambda: value(own, "coffer_connector_up", **name) == 1, "the server to be known")
    account.client.list(mount)
    assert value(own, "coffer_connector_up", **name) == 0
    own.cli("connector", "remove", "--account", account.name, "Far")
    assert value(own, "coffer_connector_up", **name) is None


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer "}, {"Authorization": "Bearer " + TOKEN[:-1]}, {"Authorization": TOKEN},
                                     {"Authorization": "Basic " + TOKEN}, {"Authorization": f"Bearer {TOKEN} "[:-1] + "x"}, {"X-API-Key": TOKEN}],
                         ids=str)
def test_others_see_nothing(own, headers):
    answer = ask(own, **headers)
    assert answer.status_code == 401 and answer.headers["WWW-Authenticate"] == "Bearer" and answer.json()["code"] == "unauthenticated"
    assert "coffer_" not in answer.text


def test_nothing_is_there_without_the_setting(server):
    assert ask(server, Authorization="Bearer " + TOKEN).status_code == 404


@pytest.mark.parametrize("content, words", [(None, "cannot be read"), ("", "empty"), ("short\n", "at least 16 characters")], ids=str)
def test_a_token_that_does_not_do(tmp_path, content, words):
    file = tmp_path / "token"
    if content is not None:
        file.write_text(content)
    told = run("serve", "--data", tmp_path / "data", "--listen", "127.0.0.1:0", environment={"COFFER_METRICS_TOKEN_FILE": str(file)})
    assert told.returncode == 1 and words in told.stderr and str(file) in told.stderr, told
    server = Server(tmp_path)
    server.start()
    assert "did not stop cleanly" not in server.log()
    server.stop()
