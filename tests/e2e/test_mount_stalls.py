"""Lines on which nothing comes any more, though they stand: only deadlines end what waits for them. And lines whose
bits are wrong, where FTP has nothing that would tell."""

from client import form
from faulty_line import DATA, DOWN, UP
from faulty_mount import CONTENT, OLD, SIZE, at_once, of_ftp
from mounting import Call, contents
from server import eventually

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
