"""Commands where nothing is: only `serve` and `account add` make a data folder."""

import os

import pytest

from server import Server, run

MAKES_NOTHING = [
    ["account", "list"], ["account", "set", "ada", "--quota", "1"], ["account", "remove", "ada"], ["check"],
    ["key", "create", "--account", "ada", "--name", "k"], ["key", "list", "--account", "ada"],
    ["key", "revoke", "--account", "ada", "id"], ["share", "add", "--name", "S", "--target", "/srv", "--everyone"],
    ["share", "list"], ["share", "remove", "S"], ["share", "test", "S"], ["share", "set", "S", "--name", "T"],
    ["connector", "list", "--account", "ada"], ["connector", "remove", "--account", "ada", "C"],
    ["connector", "test", "--account", "ada", "C"], ["connector", "set", "--account", "ada", "C", "--name", "D"],
    ["connector", "add", "--account", "ada", "--name", "C", "--kind", "ftp", "--host", "localhost", "--user", "u"],
    ["connector", "providers"],
]


@pytest.fixture(params=["no folder", "an empty folder", "a folder of something else"])
def place(request, tmp_path, new_database):
    server = Server(tmp_path, new_database(f"missing_{tmp_path.name}"))
    server.data.rmdir()
    if request.param != "no folder":
        server.data.mkdir()
    if request.param == "a folder of something else":
        (server.data / "notes.txt").write_text("other things")
    return server


@pytest.mark.parametrize("command", MAKES_NOTHING, ids=" ".join)
def test_others_say_that_nothing_is_there(place, command):
    before = os.listdir(place.data) if place.data.exists() else None
    told = place.cli(*command, ok=False)
    assert told.returncode == 1 and told.stdout == "" and told.stderr.count("\n") == 1, told
    assert str(place.data) in told.stderr and "coffer account add" in told.stderr
    assert (os.listdir(place.data) if place.data.exists() else None) == before


def test_the_first_account_makes_it(place):
    place.cli("account", "add", "ada")
    assert [one["username"] for one in place.cli_json("account", "list")] == ["ada"]
    assert place.data.stat().st_mode & 0o077 == 0 or place.data.exists()


def test_so_does_a_server(place):
    place.start()
    assert place.cli_json("account", "list") == []
    place.stop()


@pytest.mark.parametrize("name", ["uploads", "staging/2019", "thumbnails", "drives", "content-log", "content-log.read"])
def test_a_folder_whose_files_a_start_would_delete_is_refused(tmp_path, new_database, name):
    """As a web root is, where `uploads` is somebody's."""
    server = Server(tmp_path, new_database(f"others_{tmp_path.name}"))
    (server.data / name).mkdir(parents=True)
    (server.data / name / "wedding.jpg").write_text("a photo")
    for command in (["serve", "--listen", "127.0.0.1:0"], ["account", "add", "ada"]):
        told = server.cli(*command, ok=False)
        assert told.returncode == 1 and told.stderr.count("\n") == 1 and "not a data folder" in told.stderr, told
    assert (server.data / name / "wedding.jpg").read_text() == "a photo"
    assert os.listdir(server.data) == [name.split("/")[0]]


def test_what_a_start_that_failed_made_is_no_hindrance(tmp_path, new_database):
    server = Server(tmp_path, new_database(f"again_{tmp_path.name}"))
    (server.data / "staging").mkdir()
    server.start()
    server.stop()


def test_a_database_of_its_own_that_is_not_there(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    told = run("account", "list", "--data", data, "--database", f"sqlite://{tmp_path}/none.db")
    assert told.returncode == 1 and "coffer account add" in told.stderr
    assert os.listdir(data) == [] and os.listdir(tmp_path) == ["data"]


def test_a_data_folder_that_cannot_be_written_is_one_plain_line(tmp_path):
    """As a folder that is mounted read-only; for root its owner's rights do not count."""
    for command in (["account", "add", "ada"], ["serve", "--listen", "127.0.0.1:0"]):
        told = run(*command, "--data", "/proc/self/data")
        assert told.returncode == 1 and told.stderr.count("\n") == 1 and "/proc/self" in told.stderr, told
