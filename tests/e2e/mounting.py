"""What the tests of mounts share: folders and servers that are gone behind them, connectors, trees, and calls under
way."""

import contextlib
import errno
import http.client
import pathlib
import shutil
import tempfile
import threading

from client import FILES, encode
from server import PATIENCE_S, tree_of


@contextlib.contextmanager
def scratch(prefix):
    """A folder that other users of the system may pass through, as FTP servers do. Where a Coffer outlives it, that may be
    at work in it to the end."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"coffer-{prefix}-"))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        remove(folder)


def remove(folder):
    """Also what comes and goes in it meanwhile."""
    for _ in range(100):
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(folder, onerror=is_gone)
            return
    raise AssertionError(f"{folder} is filled again and again.")


def is_gone(_function, _path, error):
    """What went by itself is no failure to remove it; what came since is to be removed again."""
    if issubclass(error[0], FileNotFoundError):
        return
    if error[1].errno == errno.ENOTEMPTY:
        raise FileNotFoundError from error[1]
    raise error[1]


@contextlib.contextmanager
def started(*makers):
    """Servers by their kinds, each on a folder of its own; a maker is a class of remote_servers.py or the like."""
    with contextlib.ExitStack() as behind:
        folder = behind.enter_context(scratch("remotes"))
        servers = {}
        for number, make in enumerate(makers):
            server = make(folder / str(number))
            behind.callback(server.close)
            servers[server.kind] = server.start()
        yield servers


def add_connector(server, account, label, options, folder=None, stdin=""):
    """The path of a new mount of an account, which is not tried; `folder` is one beneath the root that `options` tell."""
    options = list(options)
    if folder is not None:
        options[options.index("--root") + 1] += f"/{folder}"
    made = server.cli_json("connector", "add", "--account", account, "--name", label, "--no-test", *options, stdin=stdin)
    return f"__conn_{made['id']}"


def at(path, name):
    """What is called `name` in a place, whose path may be empty."""
    return "/".join(part for part in (path, name) if part)


def open_to_all(*items):
    for item in items:
        item.chmod(0o777 if item.is_dir() else 0o666)


def plant(folder, tree):
    """Files by their contents, and folders where that is None, on disk, for anybody to change."""
    for name, content in tree.items():
        item = folder / name
        (item if content is None else item.parent).mkdir(parents=True, exist_ok=True)
        if content is not None:
            item.write_bytes(content)
        open_to_all(*(each for each in (item, *item.parents) if each == folder or folder in each.parents))


def is_partial(name):
    """Whether no listing shows it, since it is not complete."""
    return ".coffer-part-" in name


def contents(folder, but=lambda name: False):
    """What is in a folder: contents of files, None for folders. What is left out may come and go meanwhile."""
    names = tree_of(folder)
    try:
        return {name.rstrip("/"): None if name.endswith("/") else (folder / name).read_bytes()
                for name in names if not but(name)}
    except OSError:
        if tree_of(folder) == names:
            raise
    return contents(folder, but)  # Something went between the listing and the reading.


def download(client, path):
    """Status and content of a download; None as status if it broke off."""
    connection = http.client.HTTPConnection("127.0.0.1", client.server.port, timeout=PATIENCE_S)
    with contextlib.closing(connection):
        connection.request("GET", f"{FILES}/download?{encode({'path': path})}", headers={"X-API-Key": client.key})
        answer = connection.getresponse()
        content = b""
        with contextlib.suppress(http.client.IncompleteRead, ConnectionError):
            while more := answer.read(1 << 20):
                content += more
        return answer.status if len(content) == int(answer.headers["Content-Length"]) else None, content


class Call(threading.Thread):
    """A call under way. `answer` is None until it has one."""

    def __init__(self, call):
        super().__init__(daemon=True)
        self._call, self._error, self.answer = call, None, None
        self.start()

    def run(self):
        try:
            self.answer = self._call()
        except Exception as error:  # Raised again by result().
            self._error = error

    def ended(self):
        """Waits for the end, whichever."""
        self.join(PATIENCE_S)
        assert not self.is_alive(), "the call never ended"
        return self

    def result(self):
        """Its answer, or what it failed with."""
        if self.ended()._error:
            raise self._error
        return self.answer
