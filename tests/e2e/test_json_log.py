"""The log as JSON: one object in each line, which of a request names who asked, and never a secret."""

import datetime
import json

import pytest
import requests

from client import TIMEOUT_S
from people import PASSWORD, Person
from raw import RawConnection, head
from server import eventually

OF_A_REQUEST = {"time", "level", "address", "method", "target", "status", "sentBytes", "milliseconds", "request", "account", "key",
                "session"}


def lines(server):
    return [json.loads(line) for line in server.log().splitlines()]


def line_of(server, answer):
    """That of the request which was answered so."""
    request = answer.headers["X-Request-Id"]
    return eventually(lambda: next((line for line in lines(server) if line.get("request") == request), None), "the line of a request")


def test_every_line_is_an_object(own_server, account_on):
    server = own_server(log_format="json", log_level="debug")
    account_on(server).client.put("a", b"x")
    server.stop()
    found = lines(server)
    assert len(found) > 3
    for line in found:
        assert set(line) in (OF_A_REQUEST, {"time", "level", "message"}), line
        assert line["level"] in ("debug", "info", "warning", "error")
        datetime.datetime.fromisoformat(line["time"].removesuffix("Z"))
    assert any("listening on" in line.get("message", "") for line in found)


def test_a_request_names_who_asked(own_server):
    server = own_server(log_format="json")
    server.add_account("ann", password=PASSWORD)
    key = server.create_key("ann")
    program = Person(server, key=key["key"])
    line = line_of(server, program.call("GET", "files?path="))
    assert (line["account"], line["key"], line["session"]) == ("ann", key["id"], "")
    assert (line["method"], line["target"], line["status"], line["address"]) == ("GET", "/api/v2/files?path=", 200, "127.0.0.1")
    assert line["sentBytes"] > 100 and line["milliseconds"] > 0
    person = Person(server)
    person.sign_in("ann")
    line = line_of(server, person.call("GET", "account"))
    assert line["account"] == "ann" and line["key"] == "" and line["session"] == person.ok("GET", "sessions")[0]["id"]
    line = line_of(server, program.v1().session.get(server.url + "/api/v1/account", timeout=TIMEOUT_S))
    assert (line["account"], line["key"]) == ("ann", key["id"])
    server.stop()
    server.check_log()


def test_one_connection_serves_several_callers(own_server):
    """What one request said of its caller is not the next one's."""
    server = own_server(log_format="json")
    server.cli("account", "add", "ann")
    key = server.create_key("ann")["key"]
    with requests.Session() as connection:
        connection.trust_env = False
        known = connection.get(server.url + "/api/v1/account", headers={"X-API-Key": key}, timeout=TIMEOUT_S)
        unknown = connection.get(server.url + "/api/v1/account", timeout=TIMEOUT_S)
        nowhere = connection.get(server.url + '/nothing"\\', timeout=TIMEOUT_S)
    assert line_of(server, known)["account"] == "ann"
    for answer in (unknown, nowhere):
        line = line_of(server, answer)
        assert (line["account"], line["key"], line["session"]) == ("", "", "") and line["status"] == answer.status_code
    assert line_of(server, nowhere)["target"] in ('/nothing"\\', "/nothing%22%5C")


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_secrets_of_mistyped_addresses_are_not_logged(own_server, log_format):
    """The server fixture looks for them when the server has ended."""
    server = own_server(log_format=log_format)
    server.add_account("ann", password=PASSWORD)
    person = Person(server)
    person.sign_in("ann")
    person.v1().make_folder("", "docs").ok()
    token = person.ok("POST", "links", {"path": "docs"}, status=201)["token"]
    half = token[:16]
    server.secrets.update((token, half))
    targets = [f"/s/{token}", f"/S/{token}", f"//s/{token}", f"/s//{token}", f"/files/s/{token}", f"/s/{half}", f"/s%2F{token}",
               f"/%61/{token}", f"/api/v2/guest/{token}", f"/api/v2/guest/{token}/", f"/api/v2//guest/{token}",
               f"/api/v2/guest/{token}/files?path={token}", f"/api/v1/guest/{token}", f"/api/v2/Content/{token}",
               f"/api/v2/content/{token}", f"/settings/connectors/authorized/?code={token}", f"/nothing?{token}",
               f"http://127.0.0.1/s/{token}"]
    ids = []
    for target in targets:
        for method in ("GET", "HEAD", "OPTIONS", "POST"):
            with RawConnection(server) as connection:
                connection.send(head(method, target, "Content-Length: 0"))
                ids.append(connection.read_answer(head_only=method == "HEAD").headers["x-request-id"])
    eventually(lambda: all(one in server.log() for one in ids), "all requests to be logged")
    server.stop()
    server.check_log()


def test_a_head_that_is_refused(own_server):
    server = own_server(log_format="json")
    answer = requests.get(server.url + "/" + "x" * 20_000, timeout=TIMEOUT_S)
    assert answer.status_code == 431
    line = line_of(server, answer)
    assert (line["method"], line["target"], line["account"]) == ("-", "-", "")
