"""What is hidden on cloud drives, and what changes there behind Coffer's back."""

import time

import pytest

from driving import kinds
from server import eventually

TREE = {"folder": None, "folder/deep.txt": b"deep", "a.txt": b"content"}


@kinds
def test_what_was_left_incomplete_is_never_shown_and_swept_when_old(drive, kind):
    client = drive.client
    old, older, new = (f".coffer-part-{since:09x}0123456789abcdef" for since in (1, 2, int(time.time())))
    drive.plant({**{f"{old}/{name}": content for name, content in TREE.items()}, older: b"on its way once",
                 new: b"on its way", "folder": None, f"folder/{old}": b"deeper"})
    for name in (old, older, new, f"{old}/a.txt"):
        client.info(drive.at(name)).fails(404)
    client.make_folder(drive.path, new).fails(400)
    assert client.names(drive.path) == ["folder"] and client.names(drive.at("folder")) == []
    eventually(lambda: drive.everything() == {new: b"on its way", "folder": None}, "the old ones to be swept")
    assert client.names(drive.path) == ["folder"]


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
