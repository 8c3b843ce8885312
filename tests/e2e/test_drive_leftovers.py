"""What is hidden on cloud drives, and what changes there behind Coffer's back."""

import contextlib
import time

import pytest
import requests

from driving import LABEL, kinds
from mounting import at

TREE = {"folder": None, "folder/deep.txt": b"deep", "a.txt": b"content"}


@kinds
def test_what_another_server_collects_is_never_shown_and_stays_however_old_it_is(drive, kind):
    client = drive.client
    old, older, new = (f".coffer-part-{since:09x}0123456789abcdef" for since in (1, 2, int(time.time())))
    drive.plant({**{f"{old}/{name}": content for name, content in TREE.items()}, older: b"on its way once",
                 new: b"on its way", "folder": None, f"folder/{old}": b"deeper"})
    before = drive.everything()
    for name in (old, older, new, f"{old}/a.txt"):
        client.info(drive.at(name)).fails(404)
    client.make_folder(drive.path, new).fails(400)
    for _ in range(3):
        assert client.names(drive.path) == ["folder"] and client.names(drive.at("folder")) == []
        assert drive.everything() == before


@pytest.mark.parametrize("kind", ["s3"])
@pytest.mark.parametrize("how", ["delete", "rename", "move", "move the folder in it"])
def test_a_folder_that_nobody_marked_stays_when_it_gets_empty(drive, how):
    client = drive.client
    drive.plant({"folder/below/file": b"x"} if how == "move the folder in it" else {"folder/file": b"x"})
    client.make_folder(drive.path, "other").ok()
    if how == "delete":
        client.delete(drive.at("folder/file")).ok()
    elif how == "move":
        client.move(drive.at("folder/file"), drive.at("other")).ok()
    elif how == "rename":
        client.rename(drive.at("folder/file"), "new").ok()
        client.delete(drive.at("folder/new")).ok()
    else:
        client.move(drive.at("folder/below"), drive.at("other")).ok()
    assert sorted(client.names(drive.path)) == ["folder", "other"]
    assert client.names(drive.at("folder")) == [] and client.info(drive.at("folder")).ok()["isDirectory"]


OLD_TIME, NEW_TIME = "Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 07 Nov 1994 08:49:37 GMT"
# The same as to one of both; what is the same in both cannot be told apart.
REPLACED = {"longer": (b"new content", b"the old content", OLD_TIME), "shorter": (b"the new content", b"old", OLD_TIME),
            "later": (b"new content", b"old content", NEW_TIME)}


@pytest.mark.parametrize("how", REPLACED)
def test_a_file_replaced_between_look_and_read_is_not_served_as_the_old_one(fake, account, how):
    """What is sent is what its head tells of; else it breaks off."""
    new, old, time_of_new = REPLACED[how]
    dav, path = fake({"file": old})
    client, file = account.client, at(path, "file")

    def replace():
        dav.entries["file"], dav.times["file"] = new, time_of_new

    def restore():
        dav.entries["file"], dav.times["file"] = old, OLD_TIME

    tags = {}
    for content, become in ((old, restore), (new, replace)):
        become()
        tags[content] = client.download(file).headers["ETag"]
    assert tags[old] != tags[new]
    restore()
    dav.asked.clear()
    assert client.content(file) == old
    looks = dav.asked.count(("PROPFIND", "file"))
    assert looks > 1
    for number in range(1, looks + 1):
        restore()
        dav.asked.clear()
        # Before that look is answered.
        dav.refuse = lambda *request, number=number: replace() if dav.asked.count(("PROPFIND", "file")) == number else None
        answer = client.stream(file)
        status, content = answer.status_code, None
        if status == 200:
            with contextlib.suppress(requests.exceptions.RequestException):
                content = answer.content
            assert content in (None, old, new)
            assert content is None or tags[content] == answer.headers["ETag"], f"replaced at look {number} of {looks}"
        else:
            assert status == 502 and LABEL in answer.json()["error"]
