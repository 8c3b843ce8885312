"""pure-ftpd takes its leave in the place of an answer when its input ends: what it was asked for just then is not done,
though its last reply is no refusal."""

import pytest

from client import form
from faulty_line import CONTROL, line_to
from mounting import add_connector, at, contents, is_partial, plant, started
from remote_servers import PureFtpd

BEFORE = {"f": b"old", "g": b"other"}
WORK = {
    "rename": (b"RNTO", lambda client, mount: client.rename(at(mount, "f"), "h")),
    "begin a rename": (b"RNFR", lambda client, mount: client.rename(at(mount, "f"), "h")),
    "delete": (b"DELE", lambda client, mount: client.delete(at(mount, "f"))),
    "make a folder": (b"MKD", lambda client, mount: client.make_folder(mount, "h")),
    "move in": (b"RNTO", lambda client, mount: client.move("own", mount)),
    "end an upload": (b"STOR", lambda client, mount: client.upload(mount, form(("h", b"new")))),
    "look": (b"MLST", lambda client, mount: client.rename(at(mount, "f"), "h")),
}


@pytest.fixture(scope="module")
def remote():
    with started(PureFtpd) as remotes:
        yield remotes["ftp"]


@pytest.fixture
def account(remote, make_account):
    for name in contents(remote.root):
        (remote.root / name).unlink()
    plant(remote.root, BEFORE)
    return make_account()


@pytest.mark.parametrize("work", WORK)
def test_what_a_server_did_not_do_before_it_left_is_not_confirmed(remote, account, work):
    verb, call = WORK[work]
    account.client.put("own", b"the only copy")
    with line_to(remote) as (line, options):
        mount = add_connector(account.server, account.name, "far", options, stdin="secret\n")
        account.client.names(mount)
        fault = line.fault("truncate", line=verb, channel=CONTROL)
        answer = call(account.client, mount)
        assert fault.happened
        line.mend()
        if work == "move in" and answer.status == 200:  # It was done again, over another connection.
            assert contents(remote.root, but=is_partial) == BEFORE | {"own": b"the only copy"}
            assert contents(account.root) == {}
            return
        answer.fails(502, 504)
        assert contents(remote.root, but=is_partial) == BEFORE
        assert contents(account.root) == {"own": b"the only copy"}


def test_an_upload_over_a_file_is_done_again_after_a_server_left(remote, account):
    with line_to(remote) as (line, options):
        mount = add_connector(account.server, account.name, "far", options, stdin="secret\n")
        account.client.names(mount)
        fault = line.fault("truncate", line=b"RNTO", channel=CONTROL)
        account.client.upload(mount, form(("f", b"new"))).ok()
        assert fault.happened
        assert contents(remote.root, but=is_partial) == BEFORE | {"f": b"new"}
