"""Fixtures of tests of /api/v2 in every kind of place: a server with one of each for a module, and a caller."""

import pytest

from people import Person
from places import KINDS, one_of_each


@pytest.fixture(scope="module")
def places(build_server, description):
    with one_of_each(build_server, description) as made:
        yield made


@pytest.fixture
def person(places):
    """With a key of the account that has a place of each kind."""
    key = places.server.create_key(places.account)["key"]
    return Person(places.server, key=key)


@pytest.fixture(params=KINDS)
def place(request, places):
    """An empty folder in one of each kind of place, its path, and the plain folder behind it."""
    place = places[request.param]
    return place, *new_folder(places, place)


@pytest.fixture
def own(places):
    """An empty folder of the account's own files, its path, and the plain folder behind it."""
    return new_folder(places, places["own"])


def new_folder(places, place):
    name = places.server.new_name("folder")
    places.client.make_folder(place.path, name).ok()
    return place.at(name), place.folder / name
