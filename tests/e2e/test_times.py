"""Times that uploads tell of their files: kept where they can be, and never the reason that bytes are not."""

import pytest

from tus import Tus


@pytest.fixture
def tus(account):
    return Tus(account.server, account.key)


def test_the_time_of_the_file_is_kept(account, tus):
    for modified in ("2001-09-09T01:46:40", "2001-09-09T01:46:40Z", "2001-09-09T01:46:40.123Z"):
        tus.put(b"abc", modified=modified, onConflict="replace")
        assert account.client.info("a.txt").ok()["modifiedAt"] == "2001-09-09T01:46:40"
        assert (account.root / "a.txt").stat().st_mtime == 1_000_000_000


# Chrome on Android tells 1601 of some files; others lie outside what the server keeps, or are no time at all.
@pytest.mark.parametrize("modified", [
    "1601-01-01T00:00:00Z", "0001-01-01T00:00:00", "1677-12-31T23:59:59Z", "2262-06-01T00:00:00Z", "9999-12-31T23:59:59Z",
    "+010000-01-01T00:00:00Z", "-000001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "yesterday", "", b"\xff"])
def test_a_time_that_cannot_be_kept_keeps_no_byte_out(account, tus, modified):
    tus.put(b"abc", modified=modified)
    shown = account.client.info("a.txt").ok()
    # As any file that is written now.
    assert shown["createdAt"] <= shown["modifiedAt"] < "2200"
    assert account.client.content("a.txt") == b"abc"
