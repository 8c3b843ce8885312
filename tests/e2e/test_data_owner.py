"""Commands that are given as another user than the server's: what they make is the server's, or they refuse."""

import os
import pathlib
import signal
import subprocess
import tempfile

import pytest

from client import Client
from mounting import scratch, started
from packing import packed
from people import Person
from remote_servers import SftpServer
from server import BINARY, PATIENCE_S, Server, clean_environment, eventually
from test_people_tasks import do

NOBODY = 65534
OTHER = 65533
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root may be other users")


def as_user(user, *command):
    """What a command of that user does."""
    return subprocess.run(["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups", BINARY, *map(str, command)],
                          capture_output=True, text=True, env=clean_environment(), timeout=PATIENCE_S)


@pytest.fixture
def own(tmp_path):
    """A server whose user is nobody; its commands are given by root. Its catalog is a file, which its user has."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder == pathlib.Path(tempfile.gettempdir()):
            break
        folder.chmod(0o755)
    own = Server(tmp_path)
    os.chown(own.data, NOBODY, NOBODY)
    own.in_front = ("setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups")
    own.start()
    yield own
    if own.running():
        own.stop()


def owners(top):
    return {os.lstat(os.path.join(folder, name)).st_uid
            for folder, folders, names in os.walk(top) for name in (".", *folders, *names)}


def client_of(own, name):
    return Client(own, own.create_key(name)["key"])


def test_what_root_makes_is_the_servers(own):
    own.cli("account", "add", "zoe")
    client = client_of(own, "zoe")
    client.put("a", b"x" * 1000)
    assert client.content("a") == b"x" * 1000
    with scratch("shared") as folder, started(SftpServer) as remotes:
        os.chown(folder, NOBODY, NOBODY)
        own.cli("share", "add", "--name", "Team", "--target", folder, "--everyone")
        assert os.stat(remotes["sftp"].user_key).st_mode & 0o077 == 0
        own.cli("connector", "add", "--account", "zoe", "--name", "Far", *remotes["sftp"].options())
        assert (own.data / "secret.key").stat().st_uid == NOBODY
        assert owners(own.data) == {NOBODY}
        assert client.names() == ["Far", "Team", "a"]
    assert own.cli("check", ok=False).stdout.count("belongs to") == 0


def test_one_of_low_priority_unpacks(own):
    """It may not raise the priority of its own processes."""
    own.stop()
    own.in_front = ("nice", "-n", "15", *own.in_front)
    own.start()
    own.cli("account", "add", "zoe")
    client = client_of(own, "zoe")
    client.put("a.zip", packed("zip", {"in": b"it"}))
    task = do(Person(own, client.key), "unpack", ["a.zip"], "")
    assert task["state"] == "done", task
    assert client.content("in") == b"it"


def test_also_what_it_makes_before_the_first_start(tmp_path, own):
    other = Server(tmp_path / "other")
    os.chown(other.data, NOBODY, NOBODY)
    other.cli("account", "add", "zoe")
    assert owners(other.data) == {NOBODY}


def test_other_users_are_refused_in_one_line(own):
    own.cli("account", "add", "zoe")
    own.data.chmod(0o755)
    before = sorted(os.listdir(own.data))
    for command in (["account", "add", "ann"], ["account", "list"], ["check"],
                    ["key", "create", "--account", "zoe", "--name", "k"]):
        told = as_user(OTHER, *command, *own.place())
        assert told.returncode == 1 and told.stdout == "" and told.stderr.count("\n") == 1, told
        assert "nobody" in told.stderr and str(own.data) in told.stderr
    assert sorted(os.listdir(own.data)) == before


def test_the_owner_itself_is_not(own):
    told = as_user(NOBODY, "account", "add", "zoe", *own.place())
    assert told.returncode == 0, told
    client_of(own, "zoe").put("a", b"x")


def test_a_volume_that_is_roots_and_open_to_the_servers_group(tmp_path, own):
    """As an orchestrator gives it: what counts is whose the server's own folders are."""
    other = Server(tmp_path / "volume")
    os.chown(other.data, 0, NOBODY)
    other.data.chmod(0o2770)
    assert as_user(NOBODY, "account", "add", "zoe", *other.place()).returncode == 0
    other.cli("account", "add", "ann")
    assert os.lstat(other.data / "files").st_uid == NOBODY
    assert {entry.stat().st_uid for entry in (other.data / "files").iterdir()} == {NOBODY}


@pytest.mark.parametrize("what, words", [
    (".", "its folder belongs to root and cannot be written to"), ("d", "d belongs to root and cannot be written to"),
    ("d/secret", "d/secret belongs to root and cannot be read")])
def test_check_tells_what_the_server_cannot_use(own, what, words):
    own.cli("account", "add", "zoe")
    client = client_of(own, "zoe")
    client.make_folder("", "d").ok()
    client.put("d/secret", b"x")
    item = own.files_of("zoe") / what
    os.chown(item, 0, 0)
    if item.is_file():
        item.chmod(0o600)
    shown = own.cli("check", ok=False)
    assert shown.returncode == 1 and f"zoe: {words}" in shown.stdout, shown


def test_check_goes_on_where_a_folder_is_closed(own):
    own.cli("account", "add", "ann")
    own.cli("account", "add", "zoe")
    closed = own.files_of("ann")
    os.chown(closed, 0, 0)
    closed.chmod(0o700)
    shown = own.cli("check", ok=False)
    assert shown.returncode == 1 and "ann: its folder belongs to root and cannot be read" in shown.stdout, shown
    assert "zoe: 0 bytes" in shown.stdout


def test_check_tells_of_the_servers_own_files(own):
    own.cli("account", "add", "zoe")
    (own.data / "staging/odd").mkdir()
    shown = own.cli("check", ok=False)
    assert shown.returncode == 1 and f"{own.data}/staging/odd belongs to root" in shown.stdout, shown


def test_folders_that_their_owner_made_read_only_are_no_problem(own):
    own.cli("account", "add", "zoe")
    client = client_of(own, "zoe")
    client.make_folder("", "d").ok()
    (own.files_of("zoe") / "d").chmod(0o555)
    assert "0 problems" in own.cli("check").stdout


def test_a_server_that_root_starts_becomes_the_owner_too(own):
    own.cli("account", "add", "zoe")
    own.stop()
    own.in_front = ()
    own.start()
    assert "becoming the user" in own.log() and "nobody" in own.log()
    client = client_of(own, "zoe")
    client.make_folder("", "d").ok()
    client.put("d/a", b"x")
    client.scoped("d").list().ok()
    assert owners(own.data) == {NOBODY}
    assert "0 problems" in own.cli("check").stdout


def test_a_command_of_root_follows_no_link_of_the_folders_owner(own, tmp_path):
    """Whoever has the folder gains nothing when root gives a command for it."""
    own.stop()
    theirs = tmp_path / "theirs"
    theirs.write_text("root's")
    theirs.chmod(0o600)
    (own.data / "files").rename(own.data / "moved")
    (own.data / "files").symlink_to("/root")
    os.lchown(own.data / "files", NOBODY, NOBODY)
    (own.data / "server.lock").unlink()
    (own.data / "server.lock").symlink_to(theirs)
    told = own.cli("account", "list", ok=False)
    assert told.returncode == 1 and "server.lock" in told.stderr, told
    assert theirs.read_text() == "root's"
    (own.data / "files").unlink()  # Where it is missing, the folder tells the owner.
    told = own.cli("account", "list", ok=False)
    assert told.returncode == 1 and theirs.read_text() == "root's", told


def test_a_waiting_command_of_root_is_not_its_users_to_trace(own):
    """Its terminal is root's."""
    own.cli("account", "add", "zoe")
    os.kill(own.process.pid, signal.SIGSTOP)
    command = subprocess.Popen([BINARY, "account", "list", *map(str, own.place())], stdout=subprocess.PIPE, env=clean_environment())
    try:
        status = pathlib.Path(f"/proc/{command.pid}/status")
        eventually(lambda: f"Uid:\t{NOBODY}\t" in status.read_text(), "the command to become the server's user")
        assert os.stat(f"/proc/{command.pid}/environ").st_uid == 0
    finally:
        os.kill(own.process.pid, signal.SIGCONT)
    assert b"zoe" in command.communicate(timeout=PATIENCE_S)[0] and command.returncode == 0


def test_a_server_of_another_user_says_so(own):
    own.stop()
    for folder, folders, names in os.walk(own.data):
        for name in (".", *folders, *names):
            os.chmod(os.path.join(folder, name), 0o600 if name == "secret.key" else 0o777)
    os.chown(own.data / "secret.key", OTHER, OTHER)
    own.in_front = ("setpriv", "--reuid", str(OTHER), "--regid", str(OTHER), "--clear-groups")
    own.start()
    assert "belongs to another user than the server's: nobody" in own.log()
