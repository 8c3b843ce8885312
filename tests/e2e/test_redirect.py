"""The port without TLS: it sends people to the server's address, and answers ACME servers."""

import os
import re
import secrets
import socket

import pytest
import requests

from client import TIMEOUT_S
from server import eventually
from test_several_servers import refused

URL = "https://files.example.org"


class Door:
    def __init__(self, server, folder):
        self.server, self.webroot = server, folder / "acme"
        self.challenges = self.webroot / ".well-known" / "acme-challenge"
        self.challenges.mkdir(parents=True)
        server.settings.update(public_url=URL, redirect_listen="127.0.0.1:0", acme_webroot=str(self.webroot))

    @property
    def port(self):
        found = lambda: re.findall(r"sending http://.*:(\d+) to " + URL, self.server.log())
        return int(eventually(found, "the port that sends on")[-1])

    def call(self, path, method="GET", **more):
        return requests.request(method, f"http://127.0.0.1:{self.port}{path}", allow_redirects=False, timeout=TIMEOUT_S, **more)


@pytest.fixture
def door(build_server, tmp_path):
    made = Door(build_server(), tmp_path)
    made.server.start()
    yield made
    if made.server.running():
        made.server.stop()


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])
@pytest.mark.parametrize("path", ["/", "/files/my%20photos?view=grid&a=b", "//elsewhere.example/x", "/api/v1/files", "/%0D%0AX: y"])
def test_all_is_sent_to_the_address_of_the_server(door, method, path):
    answer = door.call(path, method, headers={"Host": "evil.example"})
    assert answer.status_code == 308
    assert answer.headers["Location"] == URL + requests.utils.requote_uri(path)
    assert "X" not in answer.headers and "Set-Cookie" not in answer.headers


def test_while_the_server_drains_it_answers(door):
    door.server.stop()
    door.server.settings.update(drain_ms=600_000)
    door.server.start()
    assert door.call("/").status_code == 308
    door.server.send_signal(15)
    eventually(lambda: "draining" in door.server.log(), "the drain")
    assert door.call("/").status_code == 308
    door.server.send_signal(15)
    assert door.server.wait() == 0


def test_a_method_that_nobody_knows_is_refused(door):
    answer = door.call("/", "BREW")
    assert answer.status_code == 405 and "PROPFIND" in answer.headers["Allow"]


def test_a_whole_address_in_a_request_leads_nowhere_else(door):
    with socket.create_connection(("127.0.0.1", door.port), TIMEOUT_S) as line:
        line.sendall(b"GET http://evil.example/a?b HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert f"\r\nLocation: {URL}/a?b\r\n".encode() in answer


def test_answers_to_challenges_are_served(door):
    text = f"token.{secrets.token_hex(32)}"
    (door.challenges / "a_Token-1").write_text(text)
    answer = door.call("/.well-known/acme-challenge/a_Token-1")
    assert (answer.status_code, answer.text) == (200, text)
    assert door.call("/.well-known/acme-challenge/a_Token-1", "HEAD").headers["Content-Length"] == str(len(text))


@pytest.mark.parametrize("name", ["none", "..", "%2e%2e", "..%2fsecret", "a%00", "folder", "link", "pipe", "large", "a.txt", "a" * 300, ""])
def test_nothing_else_is_served(door, name):
    secret = door.webroot / ".well-known" / "secret"
    secret.write_text("secret")
    (door.challenges / "folder").mkdir()
    (door.challenges / "link").symlink_to(secret)
    os.mkfifo(door.challenges / "pipe")
    (door.challenges / "large").write_text("x" * 2000)
    (door.challenges / "a.txt").write_text("secret")
    answer = door.call("/.well-known/acme-challenge/" + name)
    assert answer.status_code in (308, 400, 404) and "secret" not in answer.text


def test_the_link_for_set_up_begins_with_the_address(own_server):
    server = own_server(public_url=URL, base_path="/coffer")
    assert (server.data / "setup-link").read_text().startswith(f"{URL}/coffer/set-up#")


def test_a_port_that_is_taken_stops_the_start(build_server, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        server = Door(build_server(), tmp_path).server
        server.settings.update(redirect_listen=f"127.0.0.1:{taken.getsockname()[1]}")
        assert "Address already in use" in refused(server)


def test_a_stop_ends_it(door):
    port = door.port
    door.server.stop()
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port), TIMEOUT_S)


@pytest.mark.parametrize("settings, words", [
    ({"redirect_listen": "127.0.0.1:0"}, "public_url must be set"),
    ({"redirect_listen": "127.0.0.1:0", "public_url": "http://files.example.org"}, "begins with https://"),
    ({"redirect_listen": "nowhere"}, "must be an IP address, a colon and a port"),
    ({"public_url": "files.example.org"}, "must be an address such as https://files.example.org"),
    ({"public_url": "https://files.example.org/"}, "without a path"),
    ({"public_url": "https://files.example.org/coffer"}, "without a path"),
    ({"public_url": "https://Files.example.org"}, "lower case"),
    ({"public_url": "https://files.example.org:443"}, "without the port 443"),
    ({"public_url": "ftp://files.example.org"}, "must be an address"),
])
def test_what_does_not_go_is_told_in_one_line(build_server, settings, words):
    assert words in refused(build_server(**settings))
