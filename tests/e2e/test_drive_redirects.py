"""A drive that sends its clients on to another host: what one logs in to it with is not for that."""

import pytest

from client import form
from fake_dav import FakeDav
from mounting import at
from small_server import Answers, SmallServer


class _Noting(Answers):
    def handle_any(self):
        self.outer.asked.append((self.command, self.headers.get("Authorization")))
        self.answer(404, b"", "text/plain")

    do_GET = do_HEAD = do_PROPFIND = do_OPTIONS = do_PUT = do_MOVE = do_DELETE = do_MKCOL = handle_any


class Elsewhere(SmallServer):
    """Notes who asks, and with what login."""

    answers = _Noting

    def __init__(self):
        self.asked = []
        super().__init__()


class SendsOn(FakeDav):
    """`target` is where to, once that is set."""

    target = None

    def headers(self):
        return [("Location", self.target)] if self.target else []


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_login_does_not_follow_to_another_host(fake, account, status):
    with Elsewhere() as elsewhere:
        dav, path = fake({"file": b"x"}, make_dav=SendsOn)
        client = account.client
        assert client.names(path) == ["file"]
        # Another name of the same machine, as far as the sender of the login can see.
        dav.target = f"http://localhost:{elsewhere.port}/file"
        dav.refuse = lambda method, where: status
        for answer in (client.list(path), client.download(at(path, "file")), client.upload(path, form(("new", b"y"))),
                       client.delete(at(path, "file"))):
            answer.fails(404, 502)
        assert elsewhere.asked and all(login is None for _, login in elsewhere.asked), elsewhere.asked
