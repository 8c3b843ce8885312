"""Certificates of an authority that speaks ACME: the first, and renewals while requests run."""

import hashlib
import http.client
import socket
import threading

import pytest

from acme import NAME, Authority
from server import eventually
from test_redirect import door
from test_tls import Tls, make_certificate

RENEWALS = 3


class Trusting(http.client.HTTPSConnection):
    """Comes by the server's public name, and believes what the authority signed."""

    def __init__(self, port, context):
        super().__init__(NAME, port, context=context, timeout=60)

    def connect(self):
        raw = socket.create_connection(("127.0.0.1", self.port), self.timeout)
        self.sock = self._context.wrap_socket(raw, server_hostname=NAME)

    def certificate(self):
        return hashlib.sha256(self.sock.getpeercert(True)).hexdigest()


def answer(port, context):
    """Status of a request by a new connection, and the certificate that it saw."""
    connection = Trusting(port, context)
    connection.request("GET", "/api/v2/openapi.json")
    response = connection.getresponse()
    response.read()
    seen = connection.certificate()
    connection.close()
    return response.status, seen


@pytest.fixture
def authority(door, tmp_path):
    made = Authority(tmp_path / "authority", door.port, *make_certificate(tmp_path / "pebble"))
    yield made
    made.stop()


def test_the_first_certificate_comes_without_tls_and_renewals_while_requests_run(door, authority, tmp_path):
    authority.lego(door.webroot, "run")
    door.server.settings["redirect_listen"] = f"127.0.0.1:{door.port}"  # Where the authority looks.
    door.server.stop()
    tls = Tls(door.server, tmp_path, authority.certificates)
    door.server.start()
    port = tls.port
    context = authority.trusted()
    results, done = [], threading.Event()

    def ask():
        while not done.is_set():
            try:
                results.append(answer(port, context)[0])
            except OSError as error:
                results.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        for _ in range(RENEWALS):
            before = answer(port, context)[1]
            authority.lego(door.webroot, "renew", "--days", "100000", "--no-random-sleep")
            eventually(lambda: answer(port, context)[1] != before, "the new certificate to serve")
    finally:
        done.set()
        asking.join()
    assert results and set(results) == {200}
