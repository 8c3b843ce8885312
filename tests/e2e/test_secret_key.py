"""The key file that sealed secrets need: where it is missing nothing is overwritten."""

import pytest

from mounting import add_connector, started
from people import PASSWORD, Person
from remote_servers import SftpServer
from test_second_factor import Owner


@pytest.fixture
def remote():
    with started(SftpServer) as remotes:
        yield remotes["sftp"]


@pytest.fixture
def scene(own_server, account_on, remote):
    server = own_server()
    account = account_on(server)
    account.mount = add_connector(server, account.name, "Far", remote.options())
    account.key_file = server.data / "secret.key"
    server.stop()
    return account


def refuses(scene, *command):
    told = scene.server.cli(*command, ok=False)
    lines = [line for line in told.stderr.splitlines() if line.strip()]
    assert told.returncode == 1 and told.stdout == "" and len(lines) == 1, told
    assert str(scene.key_file) in lines[0] and "backup" in lines[0]
    assert not scene.key_file.exists()


def test_a_start_without_it_is_refused_and_nothing_overwritten(scene):
    content = scene.key_file.read_bytes()
    scene.key_file.unlink()
    refuses(scene, "serve", "--listen", "127.0.0.1:0")
    of_account = ["--account", scene.name]
    refuses(scene, "connector", "add", *of_account, "--name", "New", "--kind", "ftp", "--host", "localhost", "--user", "u")
    refuses(scene, "connector", "set", *of_account, "Far", "--description", "x")
    scene.key_file.write_bytes(content)
    scene.key_file.chmod(0o600)
    scene.server.start()
    assert scene.client.list(scene.mount).ok() == []


def test_what_needs_no_secret_goes_on(scene):
    scene.key_file.unlink()
    server = scene.server
    assert [one["username"] for one in server.cli_json("account", "list")] == [scene.name]
    server.cli("key", "create", "--account", scene.name, "--name", "k")
    assert len(server.cli_json("connector", "list", "--account", scene.name)) == 1
    told = server.cli("connector", "test", "--account", scene.name, "Far", ok=False)
    assert told.returncode == 1 and str(scene.key_file) in told.stderr
    assert not scene.key_file.exists()


def test_without_the_connectors_a_new_one_is_made(scene):
    """The way out where no backup is."""
    scene.key_file.unlink()
    scene.server.cli("connector", "remove", "--account", scene.name, "Far")
    assert not scene.key_file.exists() or scene.key_file.stat().st_size == 32
    scene.server.start()
    assert scene.key_file.stat().st_size == 32
    assert scene.client.names() == []


def test_check_tells_of_it(scene):
    scene.key_file.unlink()
    shown = scene.server.cli("check", ok=False)
    assert shown.returncode == 1 and str(scene.key_file) in shown.stdout
    assert not scene.key_file.exists()


def test_check_tells_of_secrets_of_another_key(scene):
    scene.key_file.write_bytes(b"k" * 32)
    shown = scene.server.cli("check", ok=False)
    assert shown.returncode == 1 and "the connector Far: " in shown.stdout and "another key file" in shown.stdout


def test_secrets_of_authenticators_need_it_too(own_server):
    server = own_server()
    owner = Owner(server, server.add_account("ann", password=PASSWORD))
    server.stop()
    key = server.data / "secret.key"
    content = key.read_bytes()
    key.write_bytes(b"k" * 32)
    shown = server.cli("check", ok=False)
    assert shown.returncode == 1 and "ann: the authenticator: " in shown.stdout
    key.unlink()
    told = server.cli("serve", "--listen", "127.0.0.1:0", ok=False)
    assert told.returncode == 1 and str(key) in told.stderr and "authenticators (1)" in told.stderr
    assert not key.exists()
    key.write_bytes(content)
    key.chmod(0o600)
    server.start()
    owner.challenge()
    server.stop()
    key.unlink()
    server.cli("account", "second-factor", "remove", "ann")
    server.start()
    assert Person(server).sign_in("ann")


def test_a_catalog_without_secrets_gets_one(own_server, account_on):
    server = own_server()
    account = account_on(server)
    server.stop()
    (server.data / "secret.key").unlink()
    server.start()
    assert (server.data / "secret.key").stat().st_mode & 0o777 == 0o600
    account.client.put("a", b"x")
