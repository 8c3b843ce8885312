"""Resumable uploads by the tus project's own client, tus-js-client, into every kind of place: as it sends them by itself,
after the client and the server were killed, and where they are refused."""

import json
import random
import shutil
import subprocess

import pytest

from client import Client
from people import people_description
from server import PATIENCE_S, REPOSITORY
from tus import Tus, figures, spooled

PROGRAM = REPOSITORY / "tests/tus/upload.mjs"
CONTENT = random.Random(2).randbytes(5_000_001)
PIECE = 1 << 20
NODE = shutil.which("node")


class Sent:
    """What a run of the client did."""

    def __init__(self, lines, status):
        self.lines, self.status = lines, status
        self.url = next((line["url"] for line in lines if "url" in line), None)
        self.end = next((line for line in lines if "end" in line), None)
        self.methods = [line["method"] for line in lines if "method" in line]
        self.offsets = [int(line["offset"]) for line in lines if line.get("offset") is not None]


@pytest.fixture
def send(tmp_path):
    """Uploads content to a server with a key."""
    def run(server, key, content=CONTENT, **options):
        path = tmp_path / "content"
        path.write_bytes(content)
        ended = subprocess.run([NODE, str(PROGRAM), f"{server.url}/api/v2/uploads", key, str(path), json.dumps(options)],
                               capture_output=True, text=True, timeout=PATIENCE_S)
        assert not ended.stderr, ended.stderr
        return Sent([json.loads(line) for line in ended.stdout.splitlines()], ended.returncode)
    return run


def metadata(place, **more):
    return {"filename": "sent.bin", "folder": place, **more}


# Of an empty file the client sends no content with the creation: it fails by itself, in Node.
@pytest.mark.parametrize("size, with_creation", [(0, False), (1, False), (PIECE, False), (len(CONTENT), False), (1, True),
                                                 (PIECE, True), (len(CONTENT), True)])
def test_an_upload(places, place, send, size, with_creation):
    _, path, folder = place
    sent = send(places.server, places.client.key, CONTENT[:size], metadata=metadata(path), uploadDataDuringCreation=with_creation)
    assert sent.end == {"end": "done"}, sent.lines
    assert (folder / "sent.bin").read_bytes() == CONTENT[:size]
    assert sent.methods[0] == "POST" and "HEAD" not in sent.methods


def test_a_killed_client_goes_on_where_it_was(places, place, send):
    _, path, folder = place
    key = places.client.key
    first = send(places.server, key, metadata=metadata(path), killAt=2 * PIECE)
    assert first.status != 0 and first.url and not (folder / "sent.bin").exists()
    safe = Tus(places.server, key, people_description(places.server)).offset(first.url.removeprefix(places.server.url))
    assert safe >= 2 * PIECE
    second = send(places.server, key, metadata=metadata(path), uploadUrl=first.url)
    assert second.end == {"end": "done"}, second.lines
    assert second.methods[0] == "HEAD" and "POST" not in second.methods
    assert second.offsets[0] >= safe, "what is there is not sent again"
    assert (folder / "sent.bin").read_bytes() == CONTENT


@pytest.mark.parametrize("times", [1, 3])
def test_a_killed_server_is_gone_on_with(build_server, description, send, times):
    server = build_server().start()
    account = server.add_account()
    key = server.create_key(account)["key"]
    url, safe = None, 0
    for count in range(1, times + 1):
        more = {"uploadUrl": url.replace(url[:url.index("/api/")], server.url)} if url else {}
        sent = send(server, key, metadata=metadata(""), killAt=count * PIECE, **more)
        url = sent.url or url
        assert min(sent.offsets) >= safe
        safe = count * PIECE
        server.kill()
        server.start()
    url = server.url + url[url.index("/api/"):]
    sent = send(server, key, metadata=metadata(""), uploadUrl=url)
    assert sent.end == {"end": "done"} and sent.offsets[0] >= safe
    assert Client(server, key, description).content("sent.bin") == CONTENT
    assert figures(server, account) == (len(CONTENT), 0) and not server.wrong_of(account)


def test_an_upload_can_be_ended(account, send):
    sent = send(account.server, account.key, metadata=metadata(""), endAt=PIECE)
    assert sent.end == {"end": "terminated"} and sent.methods[-1] == "DELETE", sent.lines
    assert account.client.names("") == [] and figures(account.server, account.name) == (0, 0)
    assert sent.url.rpartition("/")[2] not in spooled(account.server)


@pytest.mark.parametrize("more, status, code", [
    ({"folder": "none"}, 404, "not_found"), ({"folder": "../x"}, 403, "forbidden"), ({"filename": "a/b"}, 400, "malformed"),
    ({"onConflict": "fail"}, 409, "name_taken"),
])
def test_a_refusal_reaches_the_client(account, send, more, status, code):
    account.client.put("sent.bin", b"old")
    sent = send(account.server, account.key, metadata={"filename": "sent.bin", "folder": "", **more})
    assert sent.end["end"] == "failed" and sent.end["status"] == status, sent.lines
    assert json.loads(sent.end["body"])["code"] == code
    assert account.client.content("sent.bin") == b"old"


def test_a_full_quota_refuses_before_anything_is_sent(make_account, send):
    account = make_account("1000")
    sent = send(account.server, account.key, metadata=metadata(""))
    assert sent.end["status"] == 413 and sent.methods == ["POST"]
