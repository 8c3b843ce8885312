"""Mounts of real servers over lines that break: what the tests of them share. An error names the mount and nothing
secret, no content is lost or torn, nothing incomplete shows, and when the line is whole again so is the mount."""

import contextlib
import functools
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from faulty_line import CONTROL, DATA, DOWN, UP, line_to
from mounting import add_connector, at, contents, is_partial, plant, started
from remote_servers import FtpServer, SftpServer
from server import eventually

KINDS = ("ftp", "sftp")
VERBS = ("copy", "move")
PASSWORD = "hush-7up"
LABEL = "Far away"
SIZE = 3 << 19  # More than a writer keeps for itself before it sends.
CONTENT = random.Random(1).randbytes(SIZE)
OLD = b"old content" * 1000
TREE = {f"{folder}/{number}": f"{folder}{number};".encode() * (700 * number) for folder in "ab" for number in range(8)}
# Where an upload to an FTP server breaks off; tests/conformance has every step of it.
FTP_STAGES = {
    "in-the-middle": dict(after=SIZE // 2, channel=DATA),
    "at-226": dict(line=b"226", direction=DOWN),
    "at-RNTO": dict(line=b"RNTO"),
    "reply-to-RNTO-lost": dict(what="lose reply", line=b"RNTO"),
}
# The same for SFTP, counted from the end of all that an upload sends: in the content, and in the rename, the last request,
# which has more than 100 bytes. One packet more or less is the session's own affair.
SFTP_BACK = [50_000, 100]


class Mount:
    """A connector of an account of its own, to a folder of its own, over a line of its own."""

    def __init__(self, account, line, path, folder, remote):
        self.account, self.client, self.line, self.path = account, account.client, line, path
        self.folder, self.remote, self.kind = folder, remote, remote.kind

    def at(self, name):
        return at(self.path, name)

    def content_channel(self):
        return DATA if self.kind == "ftp" else CONTROL

    def plant(self, name, content):
        """A file on the remote disk."""
        plant(self.folder, {name: content})

    def visible(self):
        """All on the remote disk that a listing would show, with contents of files."""
        return contents(self.folder, but=is_partial)

    def fails(self, answer):
        """The mount's failure, reported as it should be."""
        message = answer.fails(502, 504)
        assert answer.json()["success"] is False
        assert LABEL in message, f"the mount is not named: {message}"
        for secret in (PASSWORD, str(self.remote.folder), self.folder.name, str(self.account.server.data)):
            assert secret not in answer.content.decode(), f"{secret} is shown: {message}"

    def others_work(self):
        """The other places go on."""
        self.client.put("meanwhile", b"own")
        assert self.client.content("meanwhile") == b"own"
        self.client.delete("meanwhile").ok()
        assert LABEL in self.client.names()

    def again(self, call):
        """After a repair the same request works, soon."""
        self.line.mend()
        return eventually(lambda: (answer := call()).status == 200 and answer, "the mount to serve again")


@pytest.fixture(scope="module")
def remotes():
    with started(functools.partial(FtpServer, wants_password=True), SftpServer) as remotes:
        yield remotes


@pytest.fixture
def make_mount(remotes, make_account):
    with contextlib.ExitStack() as lines:

        def make(kind):
            remote = remotes[kind]
            account = make_account()
            folder = remote.root / account.name
            folder.mkdir()
            folder.chmod(0o777)
            line, options = lines.enter_context(line_to(remote))
            path = add_connector(account.server, account.name, LABEL, options, account.name,
                                 f"{PASSWORD}\n" if kind == "ftp" else "")
            return Mount(account, line, path, folder, remote)

        yield make


@pytest.fixture
def mount(make_mount, request):
    return make_mount(request.param)


both = pytest.mark.parametrize("mount", KINDS, indirect=True)

of_ftp = pytest.mark.parametrize("mount", ["ftp"], indirect=True, ids=["ftp"])

of_sftp = pytest.mark.parametrize("mount", ["sftp"], indirect=True, ids=["sftp"])


def at_once(make_mount, cases):
    """Does all cases together: kind of mount, work, and its arguments. Most of their time is waiting for the mount to
    be tried again."""
    mounts = [make_mount(case[0]) for case in cases]
    with ThreadPoolExecutor(len(cases)) as pool:
        done = [pool.submit(case[1], mount, *case[2:]) for mount, case in zip(mounts, cases)]
    wrong = []
    for (kind, work, *arguments), one in zip(cases, done):
        if error := one.exception():
            error.add_note(f"It was {kind}, {work.__name__}{tuple(arguments)}.")
            wrong.append(error)
    if wrong:
        raise BaseExceptionGroup(f"{len(wrong)} of {len(cases)} cases", wrong)


def set_fault(mount, stage, **more):
    """One of FTP_STAGES."""
    return mount.line.fault(**{"what": "cut", **FTP_STAGES[stage], **more})


def bytes_up(mount, call, prepare):
    """How many bytes a call that works sends to the server, at the least; the first one also logs in."""
    sizes = []
    for _ in range(4):
        prepare()
        before = mount.line.passed[CONTROL, UP]
        call().ok()
        sizes.append(mount.line.passed[CONTROL, UP] - before)
    return min(sizes)
