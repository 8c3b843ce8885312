"""A mount's line breaks while content goes between it and an account's own files."""

import pytest

from faulty_line import DOWN
from faulty_mount import CONTENT, KINDS, SFTP_BACK, SIZE, TREE, VERBS, at_once, bytes_up, of_ftp, set_fault
from mounting import contents, plant


def copy_from_a_line_that_is_cut(mount, verb, times):
    client = mount.client
    mount.plant("there", CONTENT)
    client.list(mount.path).ok()
    fault = mount.line.fault("cut", after=SIZE // 3, channel=mount.content_channel(), direction=DOWN, times=times)
    answer = getattr(client, verb)(mount.at("there"))
    assert fault.happened
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


@pytest.mark.parametrize("stage", ["in-the-middle", "reply-to-RNTO-lost"])
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
    total = bytes_up(mount, lambda: client.copy("target", mount.path),
                     lambda: (mount.folder / "target").unlink(missing_ok=True))
    (mount.folder / "target").unlink()
    fault = mount.line.fault("cut", after=total - back, dies=dies)
    answer = getattr(client, verb)("target", mount.path)
    assert fault.happened
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
    # The file within it has its name from the beginning.
    fault = set_fault(mount, stage)
    answer = getattr(client, verb)("tree", mount.path)
    assert fault.happened
    own, far = contents(mount.account.root), mount.visible()
    if answer.status == 200:
        assert far == before and own == (before if verb == "copy" else {})
    else:
        mount.fails(answer)
        assert own == before and far in ({}, before)


@pytest.mark.parametrize("kind", KINDS)
def test_trees_to_a_mount_whose_line_is_cut_once(make_mount, kind):
    at_once(make_mount, [(kind, send_a_tree_over_a_line_that_is_cut, part, verb, False)
                         for part in (0.1, 0.9) for verb in VERBS])


@pytest.mark.parametrize("kind", KINDS)
def test_copies_from_a_mount_that_is_cut_more_than_once(make_mount, kind):
    at_once(make_mount, [(kind, copy_from_a_line_that_is_cut, verb, times) for verb in VERBS for times in (2, 1000)])


@pytest.mark.parametrize("stage", ["in-the-middle", "at-226", "reply-to-RNTO-lost"])
def test_the_line_dies_during_a_transfer_to_ftp(make_mount, stage):
    at_once(make_mount, [("ftp", transfer_to_ftp_while_the_line_dies, stage, verb) for verb in VERBS])


@pytest.mark.parametrize("dies", [False, True], ids=["once", "for-good"])
def test_a_transfer_to_sftp_is_cut(make_mount, dies):
    at_once(make_mount, [("sftp", transfer_to_sftp_over_a_line_that_is_cut, back, verb, dies)
                         for back in SFTP_BACK for verb in VERBS])


def test_trees_between_places_while_the_line_dies(make_mount):
    cases = [(kind, take_a_tree_while_the_line_dies, verb) for kind in KINDS for verb in VERBS]
    cases += [(kind, send_a_tree_over_a_line_that_is_cut, part, verb, True)
              for kind in KINDS for part in (0.1, 0.9) for verb in VERBS]
    at_once(make_mount, cases)
