"""Lines on which nothing comes any more, though they stand: only deadlines end what waits for them. And lines whose
bits are wrong, where FTP has nothing that would tell."""

from contextlib import ExitStack

from client import form
from faulty_line import DATA, DOWN, UP, line_to
from faulty_mount import CONTENT, OLD, SIZE, at_once, of_ftp
from mounting import Call, add_connector, contents, started
from remote_servers import FtpServer, SftpServer
from server import eventually
from test_metrics import own, value

NEW = {"target": CONTENT}


def ask_a_mute_server(mount):
    mount.line.swallow()
    calls = [Call(lambda: mount.client.with_key(mount.account.key).list(mount.path)) for _ in range(2)]
    eventually(lambda: mount.line.accepted > 0, "the server to be asked")
    mount.others_work()
    for call in calls:
        answer = call.result()
        assert answer.status == 504, answer
        mount.fails(answer)
    assert mount.again(lambda: mount.client.list(mount.path)).ok() == []


def upload_over_a_line_that_stands_still(mount, before, options, after):
    """The old content stays, or the new one is there whole."""
    for name, content in before.items():
        mount.plant(name, content)
    mount.client.list(mount.path).ok()
    fault = mount.line.fault("hold", **options)
    answer = mount.client.upload(mount.path, form(("target", CONTENT)))
    assert fault.happened
    mount.fails(answer)
    assert mount.visible() == before
    mount.others_work()
    mount.line.release()
    # What was held may still arrive, as that of any slow line.
    eventually(lambda: mount.visible() in (before, after), "one of the two")
    mount.again(lambda: mount.client.upload(mount.path, form(("target", CONTENT))))
    assert mount.visible() == NEW


def move_over_a_line_that_stands_still(mount, options):
    mount.client.put("target", CONTENT)
    mount.client.list(mount.path).ok()
    fault = mount.line.fault("hold", **options)
    mount.fails(mount.client.move("target", mount.path))
    assert fault.happened
    assert contents(mount.account.root) == NEW and mount.visible() == {} and mount.client.used() == SIZE
    mount.others_work()
    mount.again(lambda: mount.client.move("target", mount.path))
    assert contents(mount.account.root) == {} and mount.visible() == NEW


def test_silent_servers_keep_no_other_of_the_account_waiting(make_account):
    """One thread finds out for all who ask the same server."""
    with started(FtpServer, SftpServer) as remotes, line_to(remotes["sftp"]) as one, line_to(remotes["sftp"]) as other:
        account = make_account()
        healthy = add_connector(account.server, account.name, "healthy", remotes["ftp"].options(), stdin="secret\n")
        calls = []
        for number, (line, options) in enumerate((one, other)):
            silent = add_connector(account.server, account.name, f"silent{number}", options)
            line.swallow()
            ask = lambda path=silent: account.client.with_key(account.key).list(path)
            calls += [Call(ask) for _ in range(6)]
            eventually(lambda: line.accepted > 0, "the server to be asked")
        assert account.client.list(healthy).ok() == []
        assert all(call.is_alive() for call in calls), "they hold it up no more"
        for line, _ in (one, other):
            line.refuse()
        for call in calls:
            call.result().fails(502, 504)


def test_servers_that_fall_silent_keep_no_other_of_the_account_waiting(own, account_on):
    """A server that answered before may keep eight threads until its deadlines."""
    with started(FtpServer, SftpServer) as remotes, ExitStack() as lines:
        account = account_on(own)
        healthy = add_connector(account.server, account.name, "healthy", remotes["ftp"].options(), stdin="secret\n")
        silent_lines, calls = [], []
        for number in range(3):
            line, options = lines.enter_context(line_to(remotes["sftp"]))
            silent_lines.append(line)
            silent = add_connector(account.server, account.name, f"silent{number}", options)
            account.client.list(silent).ok()
            line.fault("hold", after=0)
            calls += [Call(lambda path=silent: account.client.with_key(account.key).list(path)) for _ in range(8)]
        eventually(lambda: value(own, "coffer_pool_calls", pool="servers", state="running") >= 24, "all to wait")
        assert account.client.list(healthy).ok() == []
        assert all(call.is_alive() for call in calls), "they hold it up no more"
        for line in silent_lines:
            line.refuse()
        for call in calls:
            call.result().fails(502, 504)


IN_CONTENT = {"ftp": dict(after=SIZE // 2, channel=DATA), "sftp": dict(after=SIZE // 2)}
BEFORE_THE_RENAME = dict(line=b"RNFR")
AT_THE_RENAME = dict(line=b"RNTO")


def test_lines_that_stand_still(make_mount):
    """All wait for half a minute, so all do that together."""
    cases = [(kind, ask_a_mute_server) for kind in ("ftp", "sftp")]
    cases += [(kind, upload_over_a_line_that_stands_still, before, options, before)
              for kind, options in IN_CONTENT.items() for before in ({}, {"target": OLD})]
    cases += [("ftp", upload_over_a_line_that_stands_still, before, BEFORE_THE_RENAME, before)
              for before in ({}, {"target": OLD})]
    cases += [("ftp", upload_over_a_line_that_stands_still, before, AT_THE_RENAME, NEW)
              for before in ({}, {"target": OLD})]
    cases += [(kind, move_over_a_line_that_stands_still, options) for kind, options in IN_CONTENT.items()]
    cases += [("ftp", move_over_a_line_that_stands_still, BEFORE_THE_RENAME)]
    at_once(make_mount, cases)


@of_ftp
def test_wrong_bits_at_an_ftp_login(mount):
    fault = mount.line.fault("garble", after=0, direction=DOWN, times=1000)
    mount.fails(mount.client.list(mount.path))
    assert fault.happened
    mount.others_work()
    assert mount.again(lambda: mount.client.list(mount.path)).ok() == []


@of_ftp
def test_wrong_bits_on_the_way_to_an_ftp_server(mount):
    mount.client.list(mount.path).ok()
    fault = mount.line.fault("garble", after=0, direction=UP, channel="control", times=1000)
    mount.fails(mount.client.upload(mount.path, form(("target", CONTENT))))
    assert fault.happened and mount.visible() == {}
    mount.again(lambda: mount.client.upload(mount.path, form(("target", CONTENT))))
    assert mount.visible() == NEW


@of_ftp
def test_wrong_bits_in_an_ftp_listing(mount):
    """Lines that make no sense are no names, and nothing else is no empty folder."""
    for name in ("one", "two"):
        mount.plant(name, b"x")
    mount.client.list(mount.path).ok()
    fault = mount.line.fault("garble", after=0, direction=DOWN, channel=DATA, times=1000)
    mount.client.list(mount.path).fails(502)
    assert fault.happened
    mount.again(lambda: mount.client.list(mount.path))
    assert mount.client.names(mount.path) == ["one", "two"]
