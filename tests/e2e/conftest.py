"""Servers and accounts for the tests. Tests share one server per worker and have an account each."""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

pytest_plugins = ["crash_scene", "driving", "faulty_mount", "hostile_mount", "people_places"]  # Their fixtures, and that their asserts tell what differed.

import server as server_module  # noqa: E402
from client import Client  # noqa: E402
from postgres import Postgres  # noqa: E402
from schema import Description  # noqa: E402
from server import Server  # noqa: E402

DATABASE = os.environ.get("COFFER_TEST_DATABASE", "sqlite")
WHOLE = os.environ.get("COFFER_TEST_WHOLE") == "1"

# What these modules test is the same whatever database holds the catalog: HTTP, files on disks, servers and
# drives. They run on PostgreSQL only where everything is asked for (script/test --all).
ONE_DATABASE_IS_ENOUGH = {
    "test_big", "test_clients", "test_completion", "test_data_owner", "test_database_faults", "test_downloads", "test_full_disk",
    "test_hostile_names", "test_hostile_talk", "test_http_edge", "test_people_archive", "test_people_search", "test_people_thumbnails", "test_people_unpack",
    "test_items", "test_links", "test_names", "test_openapi", "test_power_cut", "test_real_tree", "test_requests",
    "test_drive_commands", "test_drive_cuts", "test_drive_endless", "test_drive_engine", "test_drive_faults",
    "test_drive_leftovers", "test_drive_publishing", "test_drive_redirects", "test_drive_routes", "test_drive_work",
    "test_drives", "test_mount_connecting", "test_mount_copies", "test_mount_reading", "test_mount_stalls",
    "test_mount_stop", "test_mount_tls", "test_mount_transfers", "test_mount_writing", "test_mounts", "test_unprivileged",
}


def pytest_sessionstart(session):
    if not os.access(server_module.BINARY, os.X_OK):
        pytest.exit(f"no program at {server_module.BINARY}: build it or set COFFER_BIN", 2)
    if DATABASE not in ("sqlite", "postgresql"):
        pytest.exit("COFFER_TEST_DATABASE is sqlite or postgresql", 2)


def pytest_collection_modifyitems(config, items):
    is_one_module_asked_for = len({item.path for item in items}) == 1
    if DATABASE == "sqlite" or WHOLE or is_one_module_asked_for:
        return
    chosen = [item for item in items if item.path.stem not in ONE_DATABASE_IS_ENOUGH]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
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


@pytest.fixture(scope="session")
def new_database():
    """Makes the catalog's URL for one more server; None where the program's default is meant."""
    if DATABASE == "sqlite":
        yield lambda name: None
        return
    postgres = Postgres()
    yield postgres.new_database
    postgres.stop()


@pytest.fixture(scope="session")
def build_server(new_database, tmp_path_factory):
    count = 0

    def build(**settings):
        nonlocal count
        count += 1
        return Server(tmp_path_factory.mktemp("server"), new_database(f"coffer{count}"), **settings)

    return build


@pytest.fixture(scope="session")
def server(build_server):
    shared = build_server().start()
    yield shared
    shared.stop()


@pytest.fixture(scope="session")
def description(server):
    answer = Client(server, None).session.get(server.url + "/api/openapi.json", timeout=60)
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
    def make(quota="0", *options):
        return Account(server, server.add_account(None, quota, *options), description)

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


@pytest.fixture
def account_on(description):
    """An account on a server of the test's own."""
    return lambda server, quota="0", *options: Account(server, server.add_account(None, quota, *options), description)
