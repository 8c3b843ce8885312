"""Settings that change while the server runs: the settings file is looked at, and read again at SIGHUP."""

import os
import signal
import time

import pytest
import requests

from people import People, Person
from server import PATIENCE_S, eventually, run, toml


@pytest.fixture
def live(own_server):
    return own_server()


@pytest.fixture(scope="module")
def shared(build_server):
    """For tests that hang on no setting that another of them changes."""
    one = build_server().start()
    yield one
    one.stop()


@pytest.fixture
def admin(live):
    return People(live).new("admin")


@pytest.fixture
def admin_of_shared(shared):
    return People(shared).new("admin")


@pytest.fixture
def root(tmp_path):
    (tmp_path / "srv/photos").mkdir(parents=True)
    return tmp_path / "srv"


def write(live, **settings):
    """The settings file, beside what the server has of the tests."""
    kept = {"database": live.database} if live.database else {}
    live.config_file.write_text("".join(f"{key} = {toml(value)}\n" for key, value in {**kept, **settings}.items()))


def set_live(live, **settings):
    """The same, and the server is told, since its own look takes a second or two."""
    write(live, **settings)
    live.send_signal(signal.SIGHUP)


def setting(admin, key):
    one, = (one for one in admin.ok("GET", "admin/settings") if one["key"] == key)
    return one


def lists(admin):
    return admin.call("GET", "admin/folders").status_code == 200


def test_a_folder_becomes_one_to_share_without_a_restart(live, admin, root):
    folder = str(root / "photos")
    body = {"name": "Photos", "folder": folder, "everyone": True}
    assert "share_roots" in admin.fails("forbidden", "POST", "admin/shares", body)
    write(live, share_roots=[str(root)])  # Nobody tells the server.
    eventually(lambda: lists(admin), "the file is read again")
    admin.ok("POST", "admin/shares", body, status=201)
    assert setting(admin, "share_roots")["origin"] == "file"
    assert "Photos" in [one["name"] for one in admin.v1().locations().ok()]
    set_live(live)
    eventually(lambda: not lists(admin), "the folder is one no longer")


def test_a_signal_tells_at_once(live, admin, root):
    """Also of a file that is another at each look, which the server itself would not read yet."""
    def lists_beside_changes():
        os.utime(live.config_file, ns=(time.time_ns(), time.time_ns()))
        return lists(admin)

    write(live, share_roots=[str(root)])
    live.send_signal(signal.SIGHUP)
    eventually(lists_beside_changes, "the file is read again")


def test_a_wrong_file_changes_nothing_and_is_told_in_one_line(live, admin, root):
    set_live(live, share_roots=[str(root)])
    eventually(lambda: lists(admin), "the file is read again")
    assert admin.ok("GET", "admin/server")["settingsProblem"] is None
    set_live(live, share_roots=["photos"], bin_days=3)
    problem = eventually(lambda: admin.ok("GET", "admin/server")["settingsProblem"], "it is told")
    assert problem == f'{live.config_file}: share_roots must be absolute paths without "..", not "photos".'
    assert lists(admin) and setting(admin, "bin_days")["value"] == 30
    set_live(live, share_roots=[str(root)], bin_days=3)
    eventually(lambda: setting(admin, "bin_days")["value"] == 3, "it is right again")
    assert admin.ok("GET", "admin/server")["settingsProblem"] is None
    live.stop()
    assert live.log().count(f"the settings stay as they are: {problem}") == 1


def test_what_needs_a_restart_waits_for_it(shared, admin_of_shared):
    live, admin = shared, admin_of_shared
    assert setting(admin, "threads")["live"] is False and setting(admin, "bin_days")["live"] is True
    set_live(live, threads=3, bin_days=4)
    eventually(lambda: setting(admin, "bin_days")["value"] == 4, "it is read again")
    threads = setting(admin, "threads")
    assert threads["value"] == 0 and threads["waits"] is True
    eventually(lambda: "changed settings wait for the next start: threads" in live.log(), "the line in the log")


def test_a_proxy_is_trusted_from_then_on(live, admin):
    def seen():
        person = Person(live, headers={"X-Forwarded-For": "203.0.113.7"})
        person.sign_in(admin.name)
        return {one["address"] for one in person.ok("GET", "sessions")}

    assert seen() == {"127.0.0.1"}
    set_live(live, trusted_proxies=["127.0.0.1"], cors_origins=["https://pages.example"])
    eventually(lambda: setting(admin, "trusted_proxies")["value"], "it is read again")
    eventually(lambda: "203.0.113.7" in seen(), "all threads know it")
    answer = requests.get(live.url + "/health/live", headers={"Origin": "https://pages.example"}, timeout=PATIENCE_S)
    assert "Access-Control-Allow-Origin" in answer.headers


def test_the_data_folder_has_the_file_where_none_is_named(tmp_path):
    file = tmp_path / "coffer.toml"
    file.write_text("bin_days = 5\n")
    assert "bin_days = 5" in run("serve", "--data", tmp_path, "--print-config").stdout
    file.write_text('data = "/elsewhere"\n')
    refused = run("serve", "--data", tmp_path, "--print-config")
    assert refused.returncode == 1 and "data cannot stand in a file of the data folder" in refused.stderr


def test_disks_are_shown_with_what_they_have_left(shared, admin_of_shared, root):
    live, admin = shared, admin_of_shared
    set_live(live, share_roots=[str(root), str(root / "missing")])
    eventually(lambda: lists(admin), "the file is read again")
    state = admin.ok("GET", "admin/server")
    assert state["settingsFile"] == str(live.config_file) and state["dataFolder"] == str(live.data)
    assert os.path.samefile(state["program"], f"/proc/{live.process.pid}/exe")
    data, one, missing = state["disks"]
    for disk, path in ((data, live.data), (one, root)):
        status = os.statvfs(path)
        assert disk["path"] == str(path) and disk["data"] is (path == live.data)
        assert disk["totalBytes"] == status.f_blocks * status.f_frsize
        assert 0 <= disk["freeBytes"] <= disk["totalBytes"]
    assert missing["freeBytes"] is None and missing["totalBytes"] is None


def test_no_call_changes_what_may_be_shared(admin_of_shared):
    for method in ("POST", "PUT", "PATCH"):
        for path in ("admin/settings", "admin/server"):
            answer = admin_of_shared.call(method, path, {"share_roots": ["/"]}, documented=False)
            assert answer.status_code == 405
