"""Own files in a store of objects, whose names the database changes: its answer to a commit is lost, and whether it took effect is
found out, or told not to be known."""

import time

import pytest

from client import Client, form
from mounting import Call
from people import Person
from server import eventually
from several import Nodes
from tus import Tus


@pytest.fixture
def nodes(postgres, line, object_store, tmp_path):
    """Of two servers, the first reaches the database by the line."""
    database = postgres.new_database(f"lost_{time.monotonic_ns()}")
    made = Nodes(tmp_path, line.url(database), 1, **object_store.new_bucket())
    made.database = database
    made.add()
    yield made
    line.resume()
    made.end()


@pytest.fixture
def client(nodes):
    made = Client(nodes[0], nodes[0].create_key(nodes[0].add_account())["key"])
    made.put("first", b"first")
    return made


def test_a_file_that_was_stored_is_acknowledged_when_the_database_is_back(client, line):
    line.cut_after_a_commit(b"INSERT INTO contents", stays_away=True)
    upload = Call(lambda: client.upload("", form(("a", b"a"))))
    eventually(lambda: line.refused > 2, "the server to look for it")
    line.resume()
    upload.result().ok()
    assert client.content("a") == b"a"


def test_a_rename_that_may_have_been_done_is_no_failure_and_no_refusal(client, line):
    line.cut_after_a_commit(b"UPDATE nodes SET parent")
    assert "whether" in client.rename("first", "renamed").fails(504)
    assert client.names() == ["renamed"]


def test_what_has_no_effect_by_itself_may_be_asked_for_again(client, line):
    """The ids of files, of which some are lost then."""
    line.cut_after_a_commit(b"UPDATE node_ids")
    for number in range(1100):
        answer = client.make_folder("", f"folder{number}")
        if answer.status != 200:
            break
    answer.fails(503)
    client.make_folder("", f"folder{number}").ok()


def test_what_is_used_is_counted_again_where_it_is_not_known_what_was_removed(client, line):
    client.put("large", bytes(100_000))
    eventually(lambda: client.used() == 100_005, "the figure")
    line.cut_after_a_commit(b"INSERT INTO loose")
    client.delete("large").fails(504)
    assert client.names() == ["first"]
    eventually(lambda: client.used() == 5, "the figure to be right again")


def test_what_is_used_is_counted_again_where_it_is_not_known_if_a_version_was_removed(client, line, nodes):
    client.put("first", b"second")
    person = Person(nodes[0], key=client.key)
    version, = person.ok("GET", "versions?path=first")["entries"]
    eventually(lambda: client.used() == 11, "the figure")
    line.cut_after_a_commit(b"DELETE FROM versions")
    assert person.call("DELETE", f"versions/{version['id']}").status_code == 504
    assert person.ok("GET", "versions?path=first")["entries"] == []
    eventually(lambda: client.used() == 6, "the figure to be right again")


def test_an_upload_goes_on_elsewhere_although_its_publication_was_not_heard_of(client, line, nodes):
    """Another server leaves an upload alone that a living one publishes."""
    content = bytes(range(256)) * 1000
    here, there = (Tus(node, client.key) for node in nodes.nodes)
    place = here.create(len(content), "pieces")
    line.cut_after_a_commit(b"UPDATE uploads SET run", stays_away=True)
    here.patch(place, 0, content).is_(503)
    line.resume()
    eventually(lambda: there.head(place).status == 200, "the upload to be free")
    there.send(place, content).is_(204)
    assert client.content("pieces") == content
