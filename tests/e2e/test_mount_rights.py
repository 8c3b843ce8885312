"""Whose mounts are whose, and that no way of writing a path and no key leads into another's or out of its own."""

import itertools

import pytest

from client import FILES, KEYS, form
from mounting import add_connector, contents, open_to_all, scratch, started
from remote_servers import FtpServer, SftpServer

SECRET = b"mine alone"


@pytest.fixture(scope="module")
def remotes():
    with started(SftpServer, FtpServer) as servers:
        yield servers


class Owned:
    """A mount of an account's own, the folder behind it, and an account that it is no matter of."""

    def __init__(self, owner, stranger, label, path, folder):
        self.owner, self.stranger, self.label, self.path, self.folder = owner, stranger, label, path, folder
        self.client = owner.client

    def id(self):
        return self.path.partition("_conn_")[2]

    def there(self):
        return contents(self.folder, but=lambda name: name.startswith(".coffer-staging/"))


@pytest.fixture(params=["sftp", "ftp", "shared"])
def owned(request, remotes, server, make_account):
    owner, stranger = make_account(), make_account()
    owner.client.make_folder("", "docs").ok()
    owner.client.put("docs/file", b"x")
    with scratch("shared") as folder:
        if request.param == "shared":
            made = server.cli_json("share", "add", "--name", owner.name, "--target", folder, "--account", owner.name)
            path = f"__adm_{made['id']}"
        else:
            remote = remotes[request.param]
            folder = remote.root / owner.name
            folder.mkdir()
            path = add_connector(server, owner.name, owner.name, remote.options(), owner.name, "secret\n")
        (folder / "sub").mkdir()
        (folder / "file").write_bytes(SECRET)
        open_to_all(folder, folder / "sub", folder / "file")
        yield Owned(owner, stranger, owner.name, path, folder)
        if request.param == "shared":
            server.cli("share", "remove", owner.name)


def test_another_accounts_mount_does_not_exist(owned):
    client, path, before = owned.stranger.client, owned.path, owned.there()
    client.put("mine", b"x")
    for answer in (
            client.list(path), client.list(f"{path}/sub"), client.info(path), client.info(f"{path}/file"),
            client.download(f"{path}/file"), client.upload(path, form(("new", b"x"))), client.make_folder(path, "new"),
            client.make_file(path, "new"), client.rename(f"{path}/file", "new"), client.delete(f"{path}/file"),
            client.move("mine", path), client.copy("mine", path), client.move(f"{path}/file"),
            client.copy(f"{path}/file"), client.copy(f"{path}/file", path), client.create_key("key", path),
            client.create_key("key", f"{path}/sub")):
        answer.fails(404)
        assert SECRET not in answer.content and owned.label not in answer.json()["error"]
    assert owned.there() == before
    assert client.names() == ["mine"] and client.content("mine") == b"x" and len(client.locations().ok()) == 1


@pytest.mark.parametrize("owned", ["sftp", "ftp"], indirect=True)
@pytest.mark.parametrize("command", [["test"], ["remove"], ["set", "--name", "Taken"], ["set", "--port", "1"],
                                     ["set", "--password-stdin"]], ids=" ".join)
def test_another_accounts_connector_is_not_commanded(owned, server, command):
    of_owner, of_stranger = (["--account", account.name] for account in (owned.owner, owned.stranger))
    before = server.cli_json("connector", "list", *of_owner)
    for which in (owned.id(), owned.label):
        refused = server.cli("connector", command[0], which, *of_stranger, *command[1:], ok=False, stdin="other\n")
        assert refused.returncode != 0 and refused.stdout == "" and "no such connector" in refused.stderr
    assert server.cli_json("connector", "list", *of_owner) == before
    assert server.cli_json("connector", "list", *of_stranger) == []
    assert owned.client.content(f"{owned.path}/file") == SECRET


# Each parameter that a path comes in by.
REQUESTS = [("GET", FILES, "path"), ("GET", f"{FILES}/info", "path"), ("GET", f"{FILES}/download", "path"),
            ("DELETE", FILES, "path"), ("PUT", f"{FILES}/move?to=", "from"), ("PUT", f"{FILES}/copy?to=", "from"),
            ("PUT", f"{FILES}/move?from=docs", "to"), ("PUT", f"{FILES}/copy?from=docs", "to"),
            ("POST", f"{FILES}/folder?name=new", "path"), ("POST", f"{KEYS}?name=key", "folder")]
CLIMBING = ["{mount}/../docs", "{mount}/..", "{mount}/sub/../file", "{mount}/%2e%2e/docs", "{mount}/%2E%2e%2fdocs",
            "{mount}%2f..%2fdocs", "{mount}/..%5cdocs", "{mount}/sub/../../docs", "docs/../{mount}", "./../{mount}",
            "../{mount}/file", "{mount}/./../docs"]


def exactly(client, request, value):
    method, route, parameter = request
    return client.exact(method, f"{route}{'&' if '?' in route else '?'}{parameter}={value}")


def test_climbing_out_of_a_mount_is_403(owned):
    before = owned.there()
    for request, value in itertools.product(REQUESTS, CLIMBING):
        exactly(owned.client, request, value.format(mount=owned.path)).fails(403)
    assert owned.there() == before and contents(owned.owner.root) == {"docs": None, "docs/file": b"x"}


def test_other_ways_to_write_a_path_are_the_same_one(owned):
    mount, encoded = owned.path, "".join(f"%{ord(letter):02x}" for letter in owned.path)
    for path in (f"{mount}/./file", f"./{mount}/file", f"{mount}//file", f"/{mount}/file/", f"{mount}/.//./file",
                 f"{mount}%2ffile", f"{encoded}/file", f"{mount}/%66ile"):
        answer = owned.client.exact("GET", f"{FILES}/download?path={path}")
        assert (answer.status, answer.content) == (200, SECRET), answer
        owned.stranger.client.exact("GET", f"{FILES}/download?path={path}").fails(404)


def test_what_only_looks_like_the_mount_leads_nowhere(owned):
    mount = owned.path
    for path in (f"{mount}%5cfile", f"{mount.upper()}/file", f"{mount}x/file", f"{mount}%20/file", f"x{mount}/file",
                 f"{mount}%252ffile", f"docs/{mount}/file"):
        owned.client.exact("GET", f"{FILES}/download?path={path}").fails(404)


def test_a_scoped_key_reaches_no_mount(owned):
    """Neither by its own paths nor as the target of a copy, whatever is written before it."""
    scoped, before = owned.client.scoped("docs"), owned.there()
    for path in (owned.path, f"{owned.path}/sub", f"/{owned.path}/", f"./{owned.path}", f"../{owned.path}"):
        for answer in (scoped.list(path), scoped.copy("file", path), scoped.move("file", path),
                       scoped.info(f"{path}/file"), scoped.download(f"{path}/file"), scoped.copy(f"{path}/file"),
                       scoped.move(f"{path}/file"), scoped.upload(path, form(("new", b"x"))),
                       scoped.create_key("wider", path)):
            answer.fails(403)
    assert owned.there() == before and contents(owned.owner.root) == {"docs": None, "docs/file": b"x"}
    assert scoped.names() == ["file"] and [one["kind"] for one in scoped.locations().ok()] == ["scoped"]


def test_a_key_scoped_into_a_mount_reaches_nothing_else(owned):
    scoped = owned.client.scoped(f"{owned.path}/sub")
    scoped.put("new", b"x")
    for answer in (scoped.download("../file"), scoped.list(owned.path), scoped.copy("new", owned.path),
                   scoped.move("new", "../"), scoped.copy("new", f"{owned.path}/sub")):
        answer.fails(403)
    for answer in (scoped.list("docs"), scoped.copy("docs", ""), scoped.download("file")):
        answer.fails(404)
    assert owned.there() == {"sub": None, "sub/new": b"x", "file": SECRET}
