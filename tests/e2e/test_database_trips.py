"""How often a request waits for PostgreSQL: at half a millisecond to the database, ten round trips are what a disk takes. What the
ledger has lent goes back after a moment, and is reserved anew with the next request. Rights are remembered."""

import pytest

from client import form
from people import Person
from postgres import Postgres, execute
from postgres_line import PostgresLine
from server import Server


@pytest.fixture(scope="module")
def line():
    postgres = Postgres()
    one = PostgresLine(postgres)
    one.postgres = postgres
    one.database = one.url(postgres.new_database("trips"))
    yield one
    one.close()
    postgres.stop()


@pytest.fixture(scope="module")
def account(line, tmp_path_factory, account_on):
    server = Server(tmp_path_factory.mktemp("trips"), line.database).start()
    yield account_on(server)
    server.kill()


def trips_of(line, request):
    """The fewest of several tries: other work asks the database too, as for rights that have changed."""
    fewest = []
    for number in range(12):
        before = line.trips
        request(number)
        fewest.append(line.trips - before)
    return min(fewest)


def test_requests_wait_for_few_answers(line, account):
    client = account.client
    person = Person(account.server, key=account.key)
    client.make_folder("", "docs").ok()
    for number in range(12):
        client.put(f"old{number}", b"x")
        client.put(f"renamed{number}", b"x")
        client.put(f"deleted{number}", b"x")
        client.put(f"binned{number}", b"x")
    most = {
        "info": (0, lambda number: client.info("docs").ok()),
        "list": (1, lambda number: client.list("").ok()),
        "download": (0, lambda number: client.content("old0")),
        "upload": (2, lambda number: client.upload("docs", form((f"new{number}", b"content"))).ok()),
        "upload that replaces": (2, lambda number: client.put(f"old{number}", b"other")),
        "make folder": (1, lambda number: client.make_folder("docs", f"folder{number}").ok()),
        "rename": (4, lambda number: client.rename(f"renamed{number}", f"name{number}").ok()),
        "delete": (4, lambda number: client.delete(f"deleted{number}").ok()),
        "page of a folder": (1, lambda number: person.ok("GET", "files?path=docs&limit=5")),
    }
    found = {name: trips_of(line, request) for name, (_, request) in most.items()}
    assert {name: trips for name, trips in found.items() if trips > most[name][0]} == {}


def test_versions_cost_no_trip(line, object_store, tmp_path, account_on):
    """What an overwrite replaces is kept in the transaction that replaces it."""
    found = {}
    for days in (0, 30):
        database = line.url(line.postgres.new_database(f"trips_{days}"))
        server = Server(tmp_path / str(days), database, version_days=days, **object_store.new_bucket()).start()
        try:
            client = account_on(server).client
            for number in range(12):
                client.put(f"old{number}", b"x")
            found[days] = trips_of(line, lambda number: client.put(f"old{number}", b"other"))
            kept = execute(database, "SELECT count(*) FROM versions")
            assert kept == [str(0 if days == 0 else 12)]
        finally:
            server.kill()
    assert found[30] <= found[0], found
