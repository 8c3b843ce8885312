"""Uploads to cloud drives that break off: what was there before stays, whole, and nothing hidden remains."""

import os
import pathlib
import random

import pytest

from client import FILES, encode, form, multipart
from driving import KINDS, drive_over_line, new_name
from faulty_line import DOWN, UP
from mounting import download
from raw import LAST_CHUNK, RawConnection, chunk, head
from server import PATIENCE_S, eventually

SIZES = (10_000, 99_000, 101_000, 10 << 20)  # rclone treats those below 100 KiB otherwise.
CONTENT = random.Random(6).randbytes(SIZES[-1])
OLD = b"old content" * 700

cases = pytest.mark.parametrize("kind, size", [(kind, size) for kind in KINDS for size in SIZES])


@pytest.fixture
def place(make_drive, own_server, account_on, kind):
    server = own_server()
    account = account_on(server)
    made = make_drive(kind, server, account.name)
    made.server, made.account, made.client = server, account, account.client
    made.plant({"file": OLD})
    return made


@pytest.fixture
def over_line(drive_servers, account, kind):
    with drive_over_line(account.server, account.name, drive_servers(kind), new_name()) as (made, line):
        made.account, made.client, made.line = account, account.client, line
        made.plant({"file": OLD})
        made.client.list(made.path).ok()
        yield made


def collected_bytes(server):
    """What the server has of content whose end has not come; nothing if it waits for none."""
    found = []
    for link in pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir():
        try:
            if "/drives/spool/" in os.readlink(link):
                found.append(link.stat().st_size)
        except FileNotFoundError:
            pass
    return found


# What an upload collects in memory before it hands it on.
PIECE_BYTES = 64 * 1024


def sending(place, content):
    content_type, body = multipart(form(("file", content)))
    lines = [f"Content-Type: {content_type}", f"Content-Length: {len(body)}"]
    return head("POST", f"{FILES}/upload?{encode({'path': place.path})}", *lines, key=place.account.key), body


@pytest.mark.parametrize("missing", [0.5, None], ids=["half", "the-last-byte"])
@pytest.mark.parametrize("kind, size", [("apache", size) for size in SIZES])
def test_the_client_goes(place, size, missing):
    """Before its content is whole; the drive has no part in that."""
    request, body = sending(place, CONTENT[:size])
    sent = int(len(body) * missing) if missing else len(body) - 1
    with RawConnection(place.server) as connection:
        connection.send(request + body[:sent])
        eventually(connection.all_is_taken, "what was sent to arrive")
        if sent > 2 * PIECE_BYTES or missing is None:
            eventually(lambda: collected_bytes(place.server), "the content to be taken")
        assert place.everything() == {"file": OLD}
    eventually(lambda: not collected_bytes(place.server), "the upload to be given up")
    assert place.everything() == {"file": OLD}
    assert place.client.content(place.at("file")) == OLD
    place.client.put(place.at("file"), CONTENT[:size])
    assert place.everything() == {"file": CONTENT[:size]}


@cases
def test_the_client_goes_when_all_is_sent(over_line, size):
    """The old content or the new one is there then, and nothing else."""
    place = over_line
    request, body = sending(place, CONTENT[:size])
    place.line.fault("hold", after=size // 2, direction=UP)
    with RawConnection(place.account.server) as connection:
        connection.send(request + body)
        assert place.line.held.wait(PATIENCE_S)
        assert place.visible() == {"file": OLD}
    place.line.mend()
    eventually(lambda: not collected_bytes(place.account.server), "the upload to end")
    eventually(lambda: place.everything() in ({"file": OLD}, {"file": CONTENT[:size]}), "one of them, and nothing hidden")
    place.client.put(place.at("file"), b"new")
    eventually(lambda: place.everything() == {"file": b"new"}, "what was given up to be taken away")


@pytest.mark.parametrize("dies", [False, True], ids=["once", "for-good"])
@cases
def test_the_line_to_the_drive_is_cut(over_line, size, dies):
    place, client = over_line, over_line.client
    fault = place.line.fault("cut", after=size // 2, direction=UP, dies=dies)
    answer = client.upload(place.path, form(("file", CONTENT[:size])))
    assert fault.happened
    expected = {"file": CONTENT[:size] if answer.status == 200 else OLD}
    if answer.status != 200:
        answer.fails(502, 504)
    assert place.visible() == expected
    place.line.mend()
    eventually(lambda: client.list(place.path).status == 200, "the drive to serve again")
    assert client.names(place.path) == ["file"]
    if not dies:
        eventually(lambda: place.everything() == expected, "nothing hidden")
    eventually(lambda: client.upload(place.path, form(("file", CONTENT[:size]))).status == 200, "it takes more")
    assert place.visible() == {"file": CONTENT[:size]}


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_whose_line_is_cut(over_line):
    """As above; its length is known, so nothing is collected before it goes."""
    place, client = over_line, over_line.client
    client.make_folder("", "tree").ok()
    for number in range(3):
        client.put(f"tree/{number}", CONTENT[number:1 << 20])
    fault = place.line.fault("cut", after=(1 << 20) + 500_000, direction=UP, times=20)
    client.copy("tree", place.path).fails(502, 504)
    assert fault.happened and place.visible() == {"file": OLD}
    place.line.mend()
    eventually(lambda: client.copy("tree", place.path).status == 200, "the drive to serve again")
    assert place.visible("tree") == {str(number): CONTENT[number:1 << 20] for number in range(3)}


@pytest.mark.parametrize("kind", KINDS)
def test_several_files_and_the_last_is_cut(over_line):
    place, client = over_line, over_line.client
    place.plant({"other": OLD})
    new = {"file": CONTENT[:200_000], "other": CONTENT[1:200_000], "third": CONTENT[2:200_000]}
    fault = place.line.fault("cut", after=500_000, direction=UP, dies=True)
    client.upload(place.path, form(*new.items())).fails(502, 504)
    assert fault.happened and place.visible() == {"file": OLD, "other": OLD}
    place.line.mend()
    eventually(lambda: client.upload(place.path, form(*new.items())).status == 200, "it takes uploads again")
    assert place.visible() == new


@pytest.mark.parametrize("kind", KINDS)
def test_a_download_whose_line_is_cut_is_never_wrong(over_line):
    place, client = over_line, over_line.client
    place.plant({"big": CONTENT})
    for times in (1, 1000):
        place.line.fault("cut", after=len(CONTENT) // 2, direction=DOWN, times=times)
        status, content = download(client, place.at("big"))
        assert CONTENT.startswith(content) and (status != 200 or content == CONTENT)
        place.line.mend()
        eventually(lambda: client.download(place.at("big")).content == CONTENT, "the drive to serve again")


@pytest.mark.parametrize("kind", ["rclone"])
def test_a_body_without_a_length_is_collected_within_bounds(make_drive, own_server, account_on, kind):
    server = own_server(mount_uploads_limit=1_000_000)
    account = account_on(server)
    place = make_drive(kind, server, account.name)

    def put(size):
        with RawConnection(server) as connection:
            connection.send(head("PUT", f"/api/v2/files/content?path={place.path}/a", "Transfer-Encoding: chunked", key=account.key))
            for _ in range(size // 100_000):
                connection.try_send(chunk(b"x" * 100_000))
            return connection.try_send(LAST_CHUNK).read_answer().status
    assert put(2_000_000) == 413
    eventually(lambda: not collected_bytes(server), "what was collected to go")
    assert place.visible() == {} and put(900_000) in (200, 201, 204)
    assert place.visible() == {"a": b"x" * 900_000}
