"""A mount's line breaks while it is written to or changed."""

import pytest

from client import form
from faulty_mount import CONTENT, OLD, SFTP_BACK, SIZE, both, bytes_up, of_ftp, of_sftp, set_fault
from server import eventually


@pytest.mark.parametrize("stage, before", [("in-the-middle", {"target": OLD}), ("at-RNTO", {"target": OLD}), ("reply-to-RNTO-lost", {})],
                         ids=lambda part: part if isinstance(part, str) else "replacing" if part else "new")
@of_ftp
def test_the_line_dies_during_an_upload_to_ftp(mount, stage, before):
    for name, content in before.items():
        mount.plant(name, content)
    mount.client.list(mount.path).ok()
    fault = set_fault(mount, stage, dies=True)
    answer = mount.client.upload(mount.path, form(("target", CONTENT)))
    assert fault.happened
    mount.fails(answer)
    assert mount.visible() == ({"target": CONTENT} if stage == "reply-to-RNTO-lost" else before)
    mount.others_work()
    mount.again(lambda: mount.client.upload(mount.path, form(("target", CONTENT))))
    assert mount.visible() == {"target": CONTENT}


@pytest.mark.parametrize("what, back, dies", [("cut", SFTP_BACK[0], True), ("cut", SFTP_BACK[1], False), ("lose reply", SFTP_BACK[1], False)])
@of_sftp
def test_an_upload_to_sftp_is_cut(mount, what, back, dies):
    """Up to the last request the old content stays. Whether that one was done when its reply is lost, the server is
    asked, if it can be."""

    def upload():
        return mount.client.upload(mount.path, form(("target", CONTENT)))

    total = bytes_up(mount, upload, lambda: mount.plant("target", OLD))
    mount.plant("target", OLD)
    fault = mount.line.fault(what, after=total - back, dies=dies)
    answer = upload()
    assert fault.happened
    if what == "lose reply" and not dies:
        answer.ok()
    elif dies or answer.status != 200:  # A question may be asked again on another connection.
        mount.fails(answer)
    assert mount.visible() == {"target": CONTENT if what == "lose reply" or answer.status == 200 else OLD}
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


@pytest.mark.parametrize("stage", ["at-RNTO", "reply-to-RNTO-lost"])
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


@pytest.mark.parametrize("line, call, after", [
    (b"MKD", lambda client, path: client.make_folder(path, "new"), {"old": CONTENT, "new": None}),
    (b"STOR", lambda client, path: client.make_file(path, "new"), {"old": CONTENT, "new": b""}),
    (b"DELE", lambda client, path: client.delete(path + "/old"), {}),
], ids=["make-folder", "make-file", "delete"])
@of_ftp
def test_a_change_on_ftp_is_cut(mount, line, call, after):
    mount.plant("old", CONTENT)
    mount.client.list(mount.path).ok()
    fault = mount.line.fault("cut", line=line, dies=True)
    mount.fails(call(mount.client, mount.path))
    assert fault.happened and mount.visible() == {"old": CONTENT}
    mount.again(lambda: call(mount.client, mount.path))
    assert mount.visible() == after
