"""One account with a place of each kind: own files, a shared folder, an FTP and an SFTP server."""

import contextlib

import mounting
from client import Client, form
from mounting import add_connector, at, contents, is_partial, scratch, started
from remote_servers import FtpServer, SftpServer

KINDS = ("own", "shared", "ftp", "sftp")


class Place:
    """One of them, and the plain folder behind it."""

    def __init__(self, kind, path, folder):
        self.kind, self.path, self.folder = kind, path, folder

    def at(self, name):
        return at(self.path, name)

    def plant(self, tree):
        mounting.plant(self.folder, tree)

    def everything(self, below=""):
        """All that is there, also what is hidden, but for what shares and bins keep for themselves."""
        folder = self.folder / below
        return contents(folder, but=lambda name: name.startswith((".coffer-staging", ".coffer-bin"))) if folder.exists() else {}

    def visible(self):
        return {name: content for name, content in self.everything().items() if not is_partial(name)}


class Places:
    """Them `by_kind`, the servers behind the `remotes`, and who asks."""

    def __init__(self, server, account, client, by_kind, remotes):
        self.server, self.account, self.client, self.by_kind, self.remotes = server, account, client, by_kind, remotes

    def __getitem__(self, kind):
        return self.by_kind[kind]


@contextlib.contextmanager
def one_of_each(build_server, description, ftp=FtpServer, sftp=SftpServer, quota="0"):
    with contextlib.ExitStack() as behind:
        remotes = behind.enter_context(started(ftp, sftp))
        shared = behind.enter_context(scratch("shared"))
        server = build_server().start()
        behind.callback(server.stop)
        account = server.add_account(None, quota)
        share = server.cli_json("share", "add", "--name", "Shared", "--target", shared, "--account", account)
        by_kind = {"own": Place("own", "", server.files_of(account)),
                   "shared": Place("shared", f"__adm_{share['id']}", shared)}
        for kind, remote in remotes.items():
            path = add_connector(server, account, kind.upper(), remote.options(), stdin="secret\n")
            by_kind[kind] = Place(kind, path, remote.root)
        client = Client(server, server.create_key(account)["key"], description)
        yield Places(server, account, client, by_kind, remotes)


def work_in(client, place):
    """Every operation in a place that is empty, which the file a.txt is left in. A place is one as above, or a drive."""
    content = bytes(range(251)) * 1000
    client.upload(place.path, form(("a.txt", b"hello"), ("b.txt", content), ("nothing", b""))).ok()
    assert place.visible() == {"a.txt": b"hello", "b.txt": content, "nothing": b""}
    assert client.content(place.at("b.txt")) == content and client.content(place.at("nothing")) == b""
    assert client.download(place.at("a.txt"), {"Range": "bytes=1-3"}).content == b"ell"
    assert client.download(place.at("a.txt"), {"Range": "bytes=-2"}).content == b"lo"
    client.upload(place.path, form(("a.txt", b"replaced"))).ok()
    assert client.content(place.at("a.txt")) == b"replaced"
    client.make_folder(place.at("new/deep"), "folder").ok()
    client.make_folder(place.at("new/deep"), "folder").fails(409)
    client.make_file(place.at("new"), "empty").ok()
    client.copy(place.at("a.txt"), place.at("new")).ok()
    client.copy(place.at("a.txt"), place.at("new")).fails(409)
    client.move(place.at("b.txt"), place.at("new/deep")).ok()
    client.rename(place.at("new"), "other").ok()
    client.rename(place.at("other/empty"), "a.txt").fails(409)
    assert client.names(place.at("other")) == ["deep", "a.txt", "empty"]
    assert client.names(place.at("other/deep")) == ["folder", "b.txt"]
    info = client.info(place.at("other/deep/b.txt")).ok()
    assert info["size"] == len(content) and not info["isDirectory"]
    assert client.info(place.at("other/deep/folder")).ok()["isDirectory"]
    assert place.visible() == {"a.txt": b"replaced", "nothing": b"", "other": None, "other/a.txt": b"replaced",
                               "other/empty": b"", "other/deep": None, "other/deep/b.txt": content,
                               "other/deep/folder": None}
    client.list(place.at("a.txt")).fails(400)
    client.download(place.at("other")).fails(400)
    client.list(place.at("none")).fails(404)
    for name in ("nothing", "other"):
        client.delete(place.at(name)).ok()
        client.delete(place.at(name)).fails(404)
    assert place.visible() == {"a.txt": b"replaced"}
