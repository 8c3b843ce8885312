"""A mount's line breaks, at every stage of every kind of work. An error names the mount and nothing secret, no content
is lost or torn, nothing incomplete shows, and when the line is whole again so is the mount."""

import contextlib
import functools
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from client import form
from faulty_line import CONTROL, DATA, DOWN, UP, line_to
from mounting import Call, add_connector, at, contents, download, is_partial, plant, started
from remote_servers import FtpServer, SftpServer
from server import eventually

KINDS = ("ftp", "sftp")
PASSWORD = "hush-7up"
LABEL = "Far away"
SIZE = 3 << 19  # More than a writer keeps for itself before it sends.
CONTENT = random.Random(1).randbytes(SIZE)
OLD = b"old content" * 1000
TREE = {f"{folder}/{number}": f"{folder}{number};".encode() * (700 * number) for folder in "ab" for number in range(8)}


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
        return {name: content for name, content in contents(self.folder).items() if not is_partial(name)}

    def fails(self, answer):
        """The mount's failure, told as it should be."""
        message = answer.fails(502, 504)
        assert answer.json()["success"] is False
        assert LABEL in message, f"the mount is not named: {message}"
        for secret in (PASSWORD, str(self.remote.folder), self.folder.name, str(self.account.server.data)):
            assert secret not in answer.content.decode(), f"{secret} is told: {message}"

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


def at_once(make_mount, cases):
    """Does all cases together: kind of mount, work, and what it is told. Most of their time is waiting for the mount to
    be tried again."""
    mounts = [make_mount(case[0]) for case in cases]
    with ThreadPoolExecutor(len(cases)) as pool:
        done = [pool.submit(case[1], mount, *case[2:]) for mount, case in zip(mounts, cases)]
    wrong = [(kind, work.__name__, told, one.exception())
             for (kind, work, *told), one in zip(cases, done) if one.exception()]
    assert not wrong, "\n".join(f"{kind}, {work}{told}: {error!r}" for kind, work, told, error in wrong)


both = pytest.mark.parametrize("mount", KINDS, indirect=True)
of_ftp = pytest.mark.parametrize("mount", ["ftp"], indirect=True, ids=["ftp"])
of_sftp = pytest.mark.parametrize("mount", ["sftp"], indirect=True, ids=["sftp"])


# Connecting and logging in


@pytest.mark.parametrize("how", ["dropped", "garbled"])
@both
def test_no_connection(mount, how):
    if how == "dropped":
        mount.line.drop()
    else:
        mount.line.drop(b"\x81\xfe\x00 nothing that makes sense\r\n" * 20)
    mount.fails(mount.client.list(mount.path))
    mount.others_work()
    mount.fails(mount.client.upload(mount.path, form(("a", CONTENT))))
    assert mount.visible() == {}
    mount.again(lambda: mount.client.upload(mount.path, form(("a", CONTENT))))
    assert mount.visible() == {"a": CONTENT}


def all_kinds_of_work_without_a_connection(mount):
    client = mount.client
    mount.plant("there", OLD)
    client.put("own", CONTENT)
    mount.line.refuse()
    for call in (lambda: client.list(mount.path), lambda: client.info(mount.at("there")),
                 lambda: client.download(mount.at("there")), lambda: client.make_folder(mount.path, "new"),
                 lambda: client.make_file(mount.path, "new"), lambda: client.rename(mount.at("there"), "new"),
                 lambda: client.delete(mount.at("there")), lambda: client.copy(mount.at("there"), mount.path),
                 lambda: client.copy(mount.at("there")), lambda: client.move(mount.at("there")),
                 lambda: client.copy("own", mount.path), lambda: client.move("own", mount.path),
                 lambda: client.copy(mount.path), lambda: client.upload(mount.path, form(("there", CONTENT)))):
        mount.fails(call())
    mount.others_work()
    assert mount.visible() == {"there": OLD}
    assert contents(mount.account.root) == {"own": CONTENT} and client.used() == SIZE
    mount.again(lambda: client.move("own", mount.path))
    assert mount.visible() == {"there": OLD, "own": CONTENT}


@of_sftp
def test_wrong_bits_at_the_login(mount):
    mount.line.fault("garble", after=0, direction=DOWN, times=100)
    mount.fails(mount.client.list(mount.path))
    mount.others_work()
    assert mount.again(lambda: mount.client.list(mount.path)).ok() == []


FTP_LOGIN = [(UP, b"USER"), (DOWN, b"331"), (UP, b"PASS"), (DOWN, b"230"), (UP, b"PWD"), (UP, b"FEAT")]


@pytest.mark.parametrize("direction, line", FTP_LOGIN, ids=[line.decode() for _, line in FTP_LOGIN])
@of_ftp
def test_ftp_is_cut_at_the_login(mount, direction, line):
    fault = mount.line.fault("cut", line=line, direction=direction, times=100)
    mount.fails(mount.client.list(mount.path))
    assert fault.happened
    mount.others_work()
    assert mount.again(lambda: mount.client.list(mount.path)).ok() == []


@pytest.mark.parametrize("direction, after", [(DOWN, 10), (DOWN, 300), (UP, 300), (DOWN, 1500), (UP, 1500), (UP, 2000)])
@of_sftp
def test_sftp_is_cut_at_the_login(mount, direction, after):
    fault = mount.line.fault("cut", after=after, direction=direction, dies=True)
    mount.fails(mount.client.list(mount.path))
    assert fault.happened
    mount.others_work()
    assert mount.again(lambda: mount.client.list(mount.path)).ok() == []


# Reading


@pytest.mark.parametrize("dies", [False, True], ids=["once", "for-good"])
@pytest.mark.parametrize("after", [0, 1000])
@both
def test_a_listing_is_cut(mount, after, dies):
    names = sorted(f"file-{number:03}" for number in range(100))
    for name in names:
        mount.plant(name, b"x")
    mount.client.list(mount.path).ok()
    fault = mount.line.fault("cut", after=after, channel=mount.content_channel(), direction=DOWN, dies=dies)
    answer = mount.client.list(mount.path)
    assert fault.happened
    if dies or answer.status != 200:
        mount.fails(answer)
    else:  # Tried again.
        assert sorted(entry["name"] for entry in answer.ok()) == names
    mount.others_work()
    mount.again(lambda: mount.client.list(mount.path))
    assert sorted(mount.client.names(mount.path)) == names


FTP_LISTING = [(UP, b"CWD"), (UP, b"EPSV"), (UP, b"LIST"), (DOWN, b"150"), (DOWN, b"226")]


@pytest.mark.parametrize("direction, line", FTP_LISTING, ids=[line.decode() for _, line in FTP_LISTING])
@of_ftp
def test_an_ftp_listing_is_cut_at_a_line(mount, direction, line):
    mount.plant("there", b"x")
    mount.client.list(mount.path).ok()
    fault = mount.line.fault("cut", line=line, direction=direction, dies=True)
    mount.fails(mount.client.list(mount.path))
    assert fault.happened
    mount.again(lambda: mount.client.list(mount.path))
    assert mount.client.names(mount.path) == ["there"]


AT = [0, 1, SIZE // 2, SIZE - 1]


@pytest.mark.parametrize("times", [1, 2], ids=["once", "twice"])
@pytest.mark.parametrize("after", AT)
@both
def test_a_download_is_cut(mount, after, times):
    """With luck it is whole in spite of that. What it is not: complete with wrong bytes."""
    mount.plant("there", CONTENT)
    mount.client.list(mount.path).ok()
    fault = mount.line.fault("cut", after=after, channel=mount.content_channel(), direction=DOWN, times=times)
    status, content = download(mount.client, mount.at("there"))
    assert fault.happened
    if status == 200:
        assert content == CONTENT
    elif status is None:
        assert CONTENT.startswith(content)
    else:
        assert status in (502, 504) and LABEL in content.decode()
    mount.others_work()
    mount.line.mend()
    eventually(lambda: download(mount.client, mount.at("there")) == (200, CONTENT), "the download to work")


# Plain FTP has no checksums.
@pytest.mark.parametrize("mount, how", [("ftp", "cut"), ("ftp", "truncate"), ("sftp", "cut"), ("sftp", "garble")],
                         indirect=["mount"])
def test_a_download_never_ends_well_when_the_line_is_dead(mount, how):
    mount.plant("there", CONTENT)
    mount.client.list(mount.path).ok()
    mount.line.fault(how, after=SIZE // 2, channel=mount.content_channel(), direction=DOWN, times=1000, dies=True)
    if how != "cut":
        mount.line.fault("cut", after=SIZE * 3 // 4, channel=mount.content_channel(), direction=DOWN, dies=True)
    status, content = download(mount.client, mount.at("there"))
    assert status in (None, 502, 504) and (status or CONTENT.startswith(content))
    mount.line.mend()
    eventually(lambda: download(mount.client, mount.at("there")) == (200, CONTENT), "the download to work")


@pytest.mark.parametrize("after", AT)
@both
def test_a_copy_from_a_mount_goes_on_after_one_cut(mount, after):
    mount.plant("there", CONTENT)
    mount.client.list(mount.path).ok()
    fault = mount.line.fault("cut", after=after, channel=mount.content_channel(), direction=DOWN)
    answer = mount.client.copy(mount.at("there"))
    assert fault.happened
    if answer.status != 200:
        mount.fails(answer)
        assert after < SIZE // 2, "one cut in the middle does not harm"
    else:
        assert contents(mount.account.root) == {"there": CONTENT}
        assert mount.client.used() == SIZE


def copy_from_a_line_that_is_cut(mount, verb, times):
    client = mount.client
    mount.plant("there", CONTENT)
    client.list(mount.path).ok()
    mount.line.fault("cut", after=SIZE // 3, channel=mount.content_channel(), direction=DOWN, times=times)
    answer = getattr(client, verb)(mount.at("there"))
    if answer.status == 200:
        assert contents(mount.account.root) == {"there": CONTENT} and client.used() == SIZE
        assert mount.visible() == ({"there": CONTENT} if verb == "copy" else {})
        return
    mount.fails(answer)
    assert contents(mount.account.root) == {} and client.used() == 0
    assert mount.visible() == {"there": CONTENT}
    mount.others_work()
    mount.again(lambda: getattr(client, verb)(mount.at("there")))
    assert contents(mount.account.root) == {"there": CONTENT} and client.used() == SIZE


def take_a_tree_while_the_line_dies(mount, verb):
    client = mount.client
    plant(mount.folder / "tree", TREE)
    before = mount.visible()
    client.list(mount.path).ok()
    fault = mount.line.fault("cut", after=sum(map(len, TREE.values())) // 2, channel=mount.content_channel(),
                             direction=DOWN, dies=True)
    mount.fails(getattr(client, verb)(mount.at("tree")))
    assert fault.happened
    assert contents(mount.account.root) == {} and client.used() == 0
    assert mount.visible() == before
    mount.others_work()
    mount.again(lambda: getattr(client, verb)(mount.at("tree")))
    got = contents(mount.account.root / "tree")
    assert {name: content for name, content in got.items() if content is not None} == TREE
    assert client.used() == sum(map(len, TREE.values()))
    assert mount.visible() == (before if verb == "copy" else {})


@of_ftp
def test_an_ftp_download_that_is_truncated_is_not_taken_for_whole(mount):
    """The end of a data connection is all that tells the end of a file, so its size must be counted."""
    mount.plant("there", CONTENT)
    mount.line.fault("truncate", after=SIZE // 2, channel=DATA, direction=DOWN, times=1000)
    answer = mount.client.copy(mount.at("there"))
    if answer.status != 200:
        mount.fails(answer)
    assert contents(mount.account.root) == ({"there": CONTENT} if answer.status == 200 else {})
    status, content = download(mount.client, mount.at("there"))
    assert status in (None, 200, 502, 504), content
    if status in (None, 200):
        assert content == CONTENT or status is None and CONTENT.startswith(content)


@of_sftp
def test_wrong_bits_in_sftp_are_never_taken_for_content(mount):
    mount.plant("there", CONTENT)
    mount.client.list(mount.path).ok()
    fault = mount.line.fault("garble", after=SIZE // 2, direction=DOWN, times=1000)
    answer = mount.client.copy(mount.at("there"))
    assert fault.happened
    if answer.status != 200:
        mount.fails(answer)
    assert contents(mount.account.root) == ({"there": CONTENT} if answer.status == 200 else {})
    mount.line.mend()


# Writing

FTP_STAGES = {
    "at-EPSV": dict(line=b"EPSV"),
    "at-STOR": dict(line=b"STOR"),
    "at-150": dict(line=b"150", direction=DOWN),
    "at-first-byte": dict(after=0, channel=DATA),
    "at-second-byte": dict(after=1, channel=DATA),
    "in-the-middle": dict(after=SIZE // 2, channel=DATA),
    "at-last-byte": dict(after=SIZE - 1, channel=DATA),
    "at-226": dict(line=b"226", direction=DOWN),
    "at-SIZE": dict(line=b"SIZE"),
    "at-213": dict(line=b"213", direction=DOWN),
    "at-RNFR": dict(line=b"RNFR"),
    "at-350": dict(line=b"350", direction=DOWN),
    "at-RNTO": dict(line=b"RNTO"),
    "reply-to-RNTO-lost": dict(what="lose reply", line=b"RNTO"),
}
# From the end of all that goes to the server: after the content come a few small requests, the rename among them.
SFTP_BACK = [1_000_000, 50_000, 1200, 800, 600, 500, 400, 300, 200, 100, 30]


def set_fault(mount, stage, **more):
    """One of FTP_STAGES."""
    return mount.line.fault(**{"what": "cut", **FTP_STAGES[stage], **more})


def bytes_up(mount, call):
    """How many bytes a call that works sends to the server, once that is the same each time."""
    sizes = []
    while len(sizes) < 2 or sizes[-1] != sizes[-2] and len(sizes) < 5:
        before = mount.line.passed[CONTROL, UP]
        call()
        sizes.append(mount.line.passed[CONTROL, UP] - before)
    return sizes[-1]


def upload_is_sound(mount, answer, before):
    if answer.status != 200:
        mount.fails(answer)
    expected = [{"target": CONTENT}] if answer.status == 200 else [before, {"target": CONTENT}]
    assert mount.visible() in expected


FTP_UPLOADS = [(stage, {"target": OLD}) for stage in FTP_STAGES] + [
    (stage, {}) for stage in ("at-STOR", "in-the-middle", "at-226", "at-RNTO", "reply-to-RNTO-lost")]


@pytest.mark.parametrize("stage, before", FTP_UPLOADS,
                         ids=[f"{stage}-{'replacing' if before else 'new'}" for stage, before in FTP_UPLOADS])
@of_ftp
def test_the_line_dies_during_an_upload_to_ftp(mount, stage, before):
    for name, content in before.items():
        mount.plant(name, content)
    mount.client.list(mount.path).ok()
    fault = set_fault(mount, stage, dies=True)
    answer = mount.client.upload(mount.path, form(("target", CONTENT)))
    assert fault.happened
    mount.fails(answer)
    upload_is_sound(mount, answer, before)
    mount.others_work()
    mount.again(lambda: mount.client.upload(mount.path, form(("target", CONTENT))))
    assert mount.visible() == {"target": CONTENT}


@pytest.mark.parametrize("back", SFTP_BACK)
@of_sftp
def test_the_line_dies_during_an_upload_to_sftp(mount, back):
    before = {"target": OLD}

    def upload():
        return mount.client.upload(mount.path, form(("target", CONTENT)))

    total = bytes_up(mount, lambda: (upload().ok(), mount.client.delete(mount.at("target")).ok()))
    for name, content in before.items():
        mount.plant(name, content)
    fault = mount.line.fault("cut", after=max(total - back, 1000), dies=True)
    answer = upload()
    assert fault.happened or back < 2000
    if fault.happened and back > 2000:
        mount.fails(answer)
    upload_is_sound(mount, answer, before)
    mount.others_work()
    mount.again(upload)
    assert mount.visible() == {"target": CONTENT}


@both
def test_several_files_and_the_line_dies_at_the_last(mount):
    """None of them is torn, and those that had older content have that or the new one."""
    before = {f"f{number}": OLD for number in range(2)}
    for name, content in before.items():
        mount.plant(name, content)
    new = {f"f{number}": CONTENT for number in range(4)}
    mount.client.list(mount.path).ok()
    fault = mount.line.fault("cut", after=4 * SIZE - 1000, channel=mount.content_channel(), dies=True)
    mount.fails(mount.client.upload(mount.path, form(*new.items())))
    assert fault.happened and mount.visible() == before
    mount.again(lambda: mount.client.upload(mount.path, form(*new.items())))
    assert mount.visible() == new


def transfer_is_sound(mount, answer, verb, content):
    """What stands under the target's name is whole or not there, and no content is lost."""
    source = {"target": content}
    own, far = contents(mount.account.root), mount.visible()
    if answer.status == 200:
        assert far == source and own == (source if verb == "copy" else {})
    else:
        mount.fails(answer)
        assert own == source and far in ({}, source)
    assert mount.client.used() == sum(map(len, own.values()))


@pytest.mark.parametrize("stage", FTP_STAGES)
@of_ftp
def test_a_move_to_ftp_is_cut_once(mount, stage):
    client, verb = mount.client, "move"
    client.put("target", CONTENT)
    client.list(mount.path).ok()
    fault = set_fault(mount, stage)
    answer = getattr(client, verb)("target", mount.path)
    assert fault.happened
    transfer_is_sound(mount, answer, verb, CONTENT)
    if answer.status != 200 and mount.visible() == {}:
        mount.again(lambda: getattr(client, verb)("target", mount.path))
        assert mount.visible() == {"target": CONTENT}


def transfer_to_ftp_while_the_line_dies(mount, stage, verb):
    client = mount.client
    client.put("target", CONTENT)
    client.list(mount.path).ok()
    fault = set_fault(mount, stage, dies=True)
    answer = getattr(client, verb)("target", mount.path)
    assert fault.happened
    mount.fails(answer)
    transfer_is_sound(mount, answer, verb, CONTENT)
    mount.others_work()
    mount.line.mend()
    if mount.visible() == {}:
        mount.again(lambda: getattr(client, verb)("target", mount.path))
    assert mount.visible() == {"target": CONTENT}


def transfer_to_sftp_over_a_line_that_is_cut(mount, back, verb, dies):
    client = mount.client
    client.put("target", CONTENT)
    total = bytes_up(mount, lambda: (client.copy("target", mount.path).ok(), client.delete(mount.at("target")).ok()))
    fault = mount.line.fault("cut", after=total - back, dies=dies)
    answer = getattr(client, verb)("target", mount.path)
    assert fault.happened or back < 2000
    transfer_is_sound(mount, answer, verb, CONTENT)
    mount.others_work()
    mount.line.mend()
    if mount.visible() == {}:
        mount.again(lambda: getattr(client, verb)("target", mount.path))
    assert mount.visible() == {"target": CONTENT}


def send_a_tree_over_a_line_that_is_cut(mount, part, verb, dies):
    client = mount.client
    plant(mount.account.root / "tree", TREE)
    before = contents(mount.account.root)
    client.list(mount.path).ok()
    fault = mount.line.fault("cut", after=int(part * sum(map(len, TREE.values()))), channel=mount.content_channel(),
                             dies=dies)
    mount.fails(getattr(client, verb)("tree", mount.path))
    assert fault.happened
    assert contents(mount.account.root) == before and mount.visible() == {}
    mount.others_work()
    mount.again(lambda: getattr(client, verb)("tree", mount.path))
    assert mount.visible() == before
    assert contents(mount.account.root) == (before if verb == "copy" else {})


@pytest.mark.parametrize("stage", ["at-RNTO", "reply-to-RNTO-lost"])
@pytest.mark.parametrize("verb", ["copy", "move"])
@of_ftp
def test_a_tree_is_cut_when_it_is_to_show(mount, stage, verb):
    client = mount.client
    client.make_folder("", "tree").ok()
    client.put("tree/file", b"content")
    before = contents(mount.account.root)
    client.list(mount.path).ok()
    # The file within it is renamed before: it is the second time that counts.
    first = mount.line.fault("hold", line=b"RNTO", passes=True)
    caller = Call(lambda: getattr(client, verb)("tree", mount.path))
    assert mount.line.held.wait(60) and first.happened
    fault = set_fault(mount, stage)
    mount.line.release()
    answer = caller.result()
    assert fault.happened
    own, far = contents(mount.account.root), mount.visible()
    if answer.status == 200:
        assert far == before and own == (before if verb == "copy" else {})
    else:
        mount.fails(answer)
        assert own == before and far in ({}, before)


# Changing


@pytest.mark.parametrize("stage", ["at-RNFR", "at-RNTO", "reply-to-RNTO-lost"])
@of_ftp
def test_a_rename_on_ftp_is_cut(mount, stage):
    mount.plant("old", CONTENT)
    mount.client.list(mount.path).ok()
    fault = set_fault(mount, stage, dies=True)
    mount.fails(mount.client.rename(mount.at("old"), "new"))
    assert fault.happened
    assert mount.visible() == ({"new": CONTENT} if stage == "reply-to-RNTO-lost" else {"old": CONTENT})
    mount.line.mend()
    eventually(lambda: mount.client.list(mount.path).status == 200, "the mount to serve again")
    assert mount.client.content(mount.at(mount.client.names(mount.path)[0])) == CONTENT


@pytest.mark.parametrize("line, call", [
    (b"MKD", lambda client, path: client.make_folder(path, "new")),
    (b"STOR", lambda client, path: client.make_file(path, "new")),
    (b"DELE", lambda client, path: client.delete(path + "/old")),
], ids=["make-folder", "make-file", "delete"])
@of_ftp
def test_a_change_on_ftp_is_cut(mount, line, call):
    mount.plant("old", CONTENT)
    mount.client.list(mount.path).ok()
    fault = mount.line.fault("cut", line=line, dies=True)
    mount.fails(call(mount.client, mount.path))
    assert fault.happened and mount.visible() == {"old": CONTENT}
    mount.again(lambda: call(mount.client, mount.path))
    assert mount.visible() in ({}, {"old": CONTENT, "new": None}, {"old": CONTENT, "new": b""})


# A line that is only bad


def use_a_slow_line(mount):
    content = CONTENT[:200_000]
    mount.line.slow(500, 0.0005)
    mount.client.put(mount.at("file"), content)
    assert mount.client.content(mount.at("file")) == content
    assert mount.client.names(mount.path) == ["file"]
    mount.client.copy(mount.at("file")).ok()
    mount.client.rename(mount.at("file"), "first").ok()
    mount.client.move("file", mount.path).ok()
    assert mount.visible() == {"file": content, "first": content}


@both
def test_connections_that_died_at_rest_are_made_anew_unseen(mount):
    mount.plant("file", OLD)
    mount.client.list(mount.path).ok()
    mount.line.refuse()
    mount.line.mend()
    for call in (lambda: mount.client.list(mount.path), lambda: mount.client.download(mount.at("file")),
                 lambda: mount.client.upload(mount.path, form(("other", CONTENT)))):
        call().ok() if call().status != 200 else None
        mount.line.refuse()
        mount.line.mend()
    assert mount.visible() == {"file": OLD, "other": CONTENT}


# A server that is away


def ask_a_dead_mount(mount):
    """After three failures it is asked every five seconds; 50 requests take less than 50 times that."""
    mount.line.drop()
    for _ in range(3):
        mount.fails(mount.client.list(mount.path))
    asked = mount.line.accepted
    for _ in range(50):
        mount.fails(mount.client.list(mount.path))
    assert mount.line.accepted - asked < 10
    mount.others_work()
    assert mount.again(lambda: mount.client.list(mount.path)).ok() == []


def test_a_dead_mount_hurts_no_other(make_mount):
    dead, alive = make_mount("ftp"), make_mount("ftp")
    dead.line.drop()
    for _ in range(4):
        dead.fails(dead.client.list(dead.path))
        assert alive.client.list(alive.path).ok() == []


def ask_a_mute_server(mount):
    """The one that waits for a deadline: ten seconds for a connection."""
    mount.line.swallow()
    calls = [Call(lambda: mount.client.with_key(mount.account.key).list(mount.path)) for _ in range(2)]
    eventually(lambda: mount.line.accepted > 0, "the server to be asked")
    mount.others_work()
    for call in calls:
        answer = call.result()
        assert answer.status == 504, answer
        mount.fails(answer)
    assert mount.again(lambda: mount.client.list(mount.path)).ok() == []


VERBS = ("copy", "move")


def test_lines_that_break_for_good(make_mount):
    """And meanwhile mounts whose lines do not."""
    cases = [("ftp", ask_a_mute_server)]
    cases += [(kind, work) for kind in KINDS for work in
              (all_kinds_of_work_without_a_connection, ask_a_dead_mount, use_a_slow_line)]
    cases += [(kind, take_a_tree_while_the_line_dies, verb) for kind in KINDS for verb in VERBS]
    cases += [(kind, send_a_tree_over_a_line_that_is_cut, part, verb, True)
              for kind in KINDS for part in (0.1, 0.9) for verb in VERBS]
    at_once(make_mount, cases)


@pytest.mark.parametrize("kind", KINDS)
def test_trees_to_a_mount_whose_line_is_cut_once(make_mount, kind):
    at_once(make_mount, [(kind, send_a_tree_over_a_line_that_is_cut, part, verb, False)
                         for part in (0.1, 0.9) for verb in VERBS])


@pytest.mark.parametrize("kind", KINDS)
def test_copies_from_a_mount_that_is_cut_more_than_once(make_mount, kind):
    at_once(make_mount, [(kind, copy_from_a_line_that_is_cut, verb, times) for verb in VERBS for times in (2, 1000)])


@pytest.mark.parametrize("stage", ["at-STOR", "in-the-middle", "at-213", "at-RNTO", "reply-to-RNTO-lost"])
def test_the_line_dies_during_a_transfer_to_ftp(make_mount, stage):
    at_once(make_mount, [("ftp", transfer_to_ftp_while_the_line_dies, stage, verb) for verb in VERBS])


@pytest.mark.parametrize("dies", [False, True], ids=["once", "for-good"])
def test_a_transfer_to_sftp_is_cut(make_mount, dies):
    at_once(make_mount, [("sftp", transfer_to_sftp_over_a_line_that_is_cut, back, verb, dies)
                         for back in (1_000_000, 1000, 500, 300, 100) for verb in VERBS])
