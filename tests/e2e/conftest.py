"""Servers and accounts for the tests. Tests share one server per worker and have an account each."""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

pytest_plugins = ["crash_scene", "driving", "faulty_mount", "guests", "hostile_mount", "people_places"]  # Their fixtures, and that their asserts tell what differed.

import costs  # noqa: E402
import server as server_module  # noqa: E402
import tiers  # noqa: E402
from client import Client  # noqa: E402
from object_store import ObjectStore  # noqa: E402
from people import people_description  # noqa: E402
from postgres import Postgres  # noqa: E402
from postgres_line import PostgresLine  # noqa: E402
from schema import Description  # noqa: E402
from server import PATIENCE_S, Server  # noqa: E402
from tus import Tus  # noqa: E402

def pytest_sessionstart(session):
    if not os.access(server_module.BINARY, os.X_OK):
        pytest.exit(f"no program at {server_module.BINARY}: build it or set COFFER_BIN", 2)
    if tiers.DATABASE not in ("sqlite", "postgresql"):
        pytest.exit("COFFER_TEST_DATABASE is sqlite or postgresql", 2)
    if wrong := tiers.misspelt(pathlib.Path(__file__).parent):
        pytest.exit(f"tiers.py names tests that are not there: {wrong}", 2)


def pytest_configure(config):
    if costs.FILE:
        config.pluginmanager.register(costs.Costs())


def pytest_ignore_collect(collection_path):
    return True if tiers.is_left_out(collection_path.stem) else None


@pytest.hookimpl(tryfirst=True)  # Before xdist asks for the groups.
def pytest_collection_modifyitems(config, items):
    chosen = tiers.share_out(tiers.chosen(items))
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


class Account:
    """An account on a server, a client with a full key, and its folder on disk."""

    def __init__(self, server, name, description=None):
        self.server, self.name = server, name
        key = server.create_key(name)
        self.key, self.key_id = key["key"], key["id"]
        self.client = Client(server, self.key, description)
        self.root = server.files_of(name)

    def set(self, *options):
        self.server.cli("account", "set", self.name, *options)


@pytest.fixture(scope="module")
def described(server):
    return people_description(server)


@pytest.fixture
def tus(account, described):
    return Tus(account.server, account.key, described)


@pytest.fixture(scope="session")
def new_database():
    """Makes the catalog's URL for one more server; None where the program's default is meant."""
    if tiers.DATABASE == "sqlite":
        yield lambda name: None
        return
    postgres = Postgres()
    yield postgres.new_database
    postgres.stop()


@pytest.fixture(scope="module")
def postgres():
    """A server of PostgreSQL for the module, whatever the database of the other tests is."""
    made = Postgres()
    yield made
    made.stop()


@pytest.fixture
def line(postgres):
    made = PostgresLine(postgres)
    yield made
    made.close()


@pytest.fixture(scope="session")
def object_store():
    store = ObjectStore()
    yield store
    store.close()


@pytest.fixture(scope="session")
def home_settings(request):
    """Where own files lie: the settings of one more server. Without versions, so that an overwrite frees what it does on a disk;
    they have tests of their own."""
    if tiers.HOMES == "files":
        return lambda: {}
    store = request.getfixturevalue("object_store")
    return lambda: {**store.new_bucket(), "version_days": 0}


@pytest.fixture(scope="session")
def build_server(new_database, home_settings, tmp_path_factory):
    count = 0

    def build(**settings):
        nonlocal count
        count += 1
        return Server(tmp_path_factory.mktemp("server"), new_database(f"coffer{count}"), **home_settings(), **settings)

    return build


@pytest.fixture(scope="session")
def server(build_server):
    shared = build_server().start()
    yield shared
    shared.stop()


@pytest.fixture(scope="session")
def description(server):
    answer = Client(server, None).session.get(server.url + "/api/openapi.json", timeout=PATIENCE_S)
    assert answer.status_code == 200
    return Description(answer.json())


@pytest.fixture(autouse=True)
def server_survives(request):
    """No test may bring down the shared server."""
    yield
    if "server" in request.fixturenames:
        shared = request.getfixturevalue("server")
        assert shared.running(), shared.log()[-3000:]


@pytest.fixture
def make_account(server, description):
    def make(quota="0", *options, **more):
        return Account(server, server.add_account(None, quota, *options, **more), description)

    return make


@pytest.fixture
def account(make_account):
    return make_account()


@pytest.fixture
def client(account):
    return account.client


@pytest.fixture(scope="module")
def module_account(server, description):
    """For modules whose tests only read what they find."""
    return Account(server, server.add_account(), description)


@pytest.fixture
def own_server(build_server):
    """Starts servers of a test's own, with settings of its own, and stops them behind it."""
    started = []

    def start(**settings):
        one = build_server(**settings).start()
        started.append(one)
        return one

    yield start
    for one in started:
        if one.running():
            one.stop()


@pytest.fixture(scope="session")
def account_on(description):
    """An account on a server of the test's own."""
    return lambda server, quota="0", *options: Account(server, server.add_account(None, quota, *options), description)
