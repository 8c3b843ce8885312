"""Connectors on the command line: how they are made, shown, changed and removed, and what keeps their secrets."""

import json
import stat

import pytest

from client import Client
from mounting import started
from remote_servers import FtpServer, SftpServer
from server import files_of

SECRET = "hunter-2-and-more"
OTHER_KEY = "SHA256:" + "A" * 43


@pytest.fixture
def sftp():
    with started(SftpServer) as remotes:
        yield remotes["sftp"]


@pytest.fixture
def ftp():
    with started(FtpServer) as remotes:
        yield remotes["ftp"]


class Owner:
    """An account, its client, and the connector commands for it."""

    def __init__(self, server, description=None):
        self.server, self.name = server, server.add_account()
        self.client = Client(server, server.create_key(self.name)["key"], description)

    def run(self, command, *options, tries=False, **more):
        """`tries`: to add or change a connector is to log in."""
        untried = () if tries or command not in ("add", "set") else ("--no-test",)
        return self.server.cli("connector", command, "--account", self.name, *untried, *options, **more)

    def json(self, command, *options, **more):
        return json.loads(self.run(command, *options, "--json", **more).stdout)

    def refuses(self, command, *options, **more):
        """The one line that a command complains with."""
        result = self.run(command, *options, ok=False, **more)
        assert result.returncode != 0 and result.stdout == "" and result.stderr.count("\n") == 1, result
        return result.stderr


@pytest.fixture
def owner(server, description):
    return Owner(server, description)


def without(options, name, values=1):
    at = options.index(name)
    return options[:at] + options[at + 1 + values:]


def test_a_connector_is_made_listed_changed_and_removed(owner, sftp):
    made = owner.json("add", "--name", "Files", "--description", "Over there", *sftp.options())
    assert made["kind"] == "sftp" and made["name"] == "Files" and made["readOnly"] is False
    assert made["target"] == f"sftp://root@127.0.0.1:{sftp.port}{sftp.root}"
    assert made["hostKey"] == sftp.fingerprint() and len(made["id"]) == 32
    assert owner.json("list") == [made]
    path = f"__conn_{made['id']}"
    assert [entry["description"] for entry in owner.client.list().ok()] == ["Over there"]
    assert owner.json("test", "Files") == {"works": True}
    changed = owner.json("set", "Files", "--name", "Archive", "--read-only", "true")
    assert changed == {**made, "name": "Archive", "readOnly": True}
    assert [entry["name"] for entry in owner.client.list().ok()] == ["Archive"]
    owner.client.make_folder(path, "new").fails(403)
    assert owner.json("remove", "Archive") == {"removed": "Archive"}
    assert owner.json("list") == [] and owner.client.list().ok() == []
    owner.client.list(path).fails(404)
    assert sftp.root.exists()


def test_a_key_to_a_whole_connector_shows_the_connectors_name(owner, sftp):
    (sftp.root / "sub").mkdir()
    made = owner.json("add", "--name", "Files", *sftp.options())
    path = f"__conn_{made['id']}"
    whole, part = owner.client.scoped(path), owner.client.scoped(f"{path}/sub")
    assert [one["name"] for one in whole.locations().ok()] == ["Files"]
    assert [one["name"] for one in part.locations().ok()] == ["sub"]
    owner.run("remove", "Files")
    for scoped in (whole, part):
        scoped.locations().fails(404)


def test_it_is_its_owners_alone(owner, server, sftp):
    made = owner.json("add", "--name", "Mine", *sftp.options())
    stranger = Owner(server)
    stranger.client.list(f"__conn_{made['id']}").fails(404)
    assert stranger.client.list().ok() == [] and stranger.json("list") == []
    assert "no such connector" in stranger.refuses("remove", made["id"])


def test_the_first_key_is_trusted_when_asked_and_another_refused_later(owner, sftp):
    options = without(sftp.options(), "--host-key")
    assert "host key" in owner.refuses("add", "--name", "A", *options)
    made = owner.json("add", "--name", "A", *options, "--trust-on-first-use")
    assert made["hostKey"] == sftp.fingerprint()
    assert owner.client.list(f"__conn_{made['id']}").ok() == []
    other = owner.json("add", "--name", "B", *options, "--host-key", OTHER_KEY)
    message = owner.client.list(f"__conn_{other['id']}").fails(502)
    assert "B" in message and "host key" in message and "expected" in message
    assert "is not the one that is expected" in owner.refuses("test", "B")


def test_a_secret_is_sealed_and_told_nowhere(owner, server, ftp):
    options = [*without(ftp.options(), "--user"), "--user", "anonymous"]
    made = owner.run("add", "--name", "Sealed", *options, "--json", stdin=f"{SECRET}\n")
    owner.client.list(f"__conn_{json.loads(made.stdout)['id']}").ok()
    shown = made.stdout + made.stderr + owner.run("list").stdout + server.log()
    shown += str(owner.client.list().ok()) + str(owner.client.locations().ok())
    assert SECRET not in shown
    for file, content in files_of(server.data).items():
        assert SECRET.encode() not in content, file
    key = server.data / "secret.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_another_server_does_not_get_the_secret_of_the_first(owner, ftp):
    made = owner.run("add", "--name", "Moving", *ftp.options(), "--json", stdin=f"{SECRET}\n")
    before = json.loads(made.stdout)
    assert "again" in owner.refuses("set", "Moving", "--host", "127.0.0.2")
    assert "again" in owner.refuses("set", "Moving", "--port", "2121")
    assert owner.json("list") == [before]
    moved = owner.json("set", "Moving", "--port", "2121", "--password-stdin", stdin="another\n")
    assert moved["target"].endswith(f":2121/{ftp.root.name}") and moved["id"] == before["id"]


def test_going_without_tls_needs_the_password_again(owner):
    made = owner.json("add", "--name", "Safe", "--kind", "ftp", "--host", "files.example.org", "--user", "ann",
                      "--tls", "explicit", "--password-stdin", stdin=f"{SECRET}\n")
    assert made["target"] == "ftp://ann@files.example.org:21/"
    assert "again" in owner.refuses("set", "Safe", "--tls", "none")
    assert owner.json("list") == [made]
    moved = owner.json("set", "Safe", "--tls", "implicit", "--password-stdin", stdin="another\n")
    assert moved["target"] == "ftps://ann@files.example.org:990/"
    plain = owner.json("set", "Safe", "--tls", "none", "--password-stdin", stdin="third\n")
    assert plain["target"] == "ftp://ann@files.example.org:21/"


@pytest.mark.parametrize("option, value", [
    ("--root", "{root}/two"), ("--host", "localhost"), ("--port", "1"), ("--user", "nobody")])
def test_a_connector_that_leads_elsewhere_leaves_no_key_behind(owner, sftp, option, value):
    for folder in ("one/public", "two/public"):
        (sftp.root / folder).mkdir(parents=True)
    top = str(sftp.root / "one")
    made = owner.json("add", "--name", "Files", *without(sftp.options(), "--root"), "--root", top)
    path = f"__conn_{made['id']}"
    keys = [owner.client.scoped(path), owner.client.scoped(f"{path}/public")]
    secret = ["--private-key", str(sftp.user_key), "--host-key", sftp.fingerprint()]
    owner.json("set", "Files", "--description", "Ours", "--root", top, *secret)
    assert [key.names() for key in keys] == [["public"], []]
    owner.json("set", "Files", option, value.format(root=sftp.root), *secret)
    for key in keys:
        key.list().fails(401)
    assert len(owner.client.keys().ok()) == 1


@pytest.mark.parametrize("options, says", [
    (["--kind", "gopher"], "gopher"),
    (["--port", "0"], "1 to 65535"),
    (["--port", "65536"], "65536"),
    (["--host", "a b"], "host"),
    (["--host", "user@host"], "host"),
    (["--user", ""], "user"),
    (["--user", "a\nb"], "user"),
    (["--name", "a/b"], "name"),
    (["--name", "__conn_x"], "__conn_"),
    (["--root", "../up"], ".."),
    (["--tls", "explicit"], "TLS is for FTP"),
    (["--host-key", "MD5:00"], "SHA256:"),
    (["--private-key", "/nonexistent"], "/nonexistent"),
    (["--kind", "ftp"], "for SFTP"),
])
def test_what_cannot_be_is_told_in_one_line(owner, sftp, options, says):
    given = ["--name", "X", *sftp.options()]
    for name in options[::2]:
        given = without(given, name) if name in given else given
    assert says in owner.refuses("add", *given, *options)
    assert owner.json("list") == []


def test_a_name_is_used_once(owner, sftp):
    owner.json("add", "--name", "Same", *sftp.options())
    assert "exists already" in owner.refuses("add", "--name", "Same", *sftp.options())
    assert "no such connector" in owner.refuses("set", "none", "--name", "x")
    assert "no such account" in owner.server.cli("connector", "list", "--account", "nobody", ok=False).stderr
