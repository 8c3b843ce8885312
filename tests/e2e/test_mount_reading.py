"""A mount's line breaks while it is read from."""

import pytest

from faulty_line import DATA, DOWN, UP
from faulty_mount import CONTENT, LABEL, SIZE, both, of_ftp, of_sftp
from mounting import contents, download
from server import eventually


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


FTP_LISTING = [(UP, b"LIST"), (DOWN, b"226")]


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


AT = [0, SIZE // 2]


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
    fault = mount.line.fault(how, after=SIZE // 2, channel=mount.content_channel(), direction=DOWN, times=1000,
                             dies=True)
    if how != "cut":
        mount.line.fault("cut", after=SIZE * 3 // 4, channel=mount.content_channel(), direction=DOWN, dies=True)
    status, content = download(mount.client, mount.at("there"))
    assert fault.happened
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
