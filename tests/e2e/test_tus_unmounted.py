"""An upload into a share whose end a crash cut off, and whose disk is not mounted when it is looked at."""

import pytest

from tus import Tus, id_of, sql

CONTENT = b"x" * 5000


@pytest.mark.parametrize("choice", ["fail", "keepBoth", "replace"])
def test_what_stood_there_before_the_disk_went_is_not_shown_twice(build_server, account_on, tmp_path, choice):
    top, away, empty = (tmp_path / name for name in ("shared", "away", "empty"))
    top.mkdir()
    server = build_server().start()
    try:
        account = account_on(server)
        share = server.cli_json("share", "add", "--name", "Shared", "--target", top, "--account", account.name)
        tus = Tus(server, account.key)
        place = tus.create(len(CONTENT), "f.bin", f"__adm_{share['id']}", onConflict=choice)
        tus.patch(place, 0, CONTENT).is_(204)
        shown = (top / "f.bin").stat()
        server.kill()
        # As if it had been killed before the end was recorded.
        (server.data / "uploads" / id_of(place)).write_bytes(CONTENT)
        sql(server, f"UPDATE uploads SET state = 'finishing', received_bytes = 4999 WHERE id = '{id_of(place)}'")
        top.rename(away)
        top.mkdir()
        server.start()
        assert tus.offset(place) == 4999
        server.stop()
        top.rename(empty)
        away.rename(top)
        server.start()
        tus.patch(place, 4999, CONTENT[-1:]).is_(204)
        assert tus.offset(place) == 5000
        assert [item.name for item in top.iterdir() if not item.name.startswith(".")] == ["f.bin"]
        assert (top / "f.bin").read_bytes() == CONTENT and (top / "f.bin").stat().st_ino == shown.st_ino
    finally:
        server.stop()
