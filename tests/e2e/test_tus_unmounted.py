"""An upload into a share whose end a crash cut off, and whose disk is not mounted when it is looked at."""

from tus import Tus, id_of, sql

CONTENT = b"x" * 5000
CHOICES = ("fail", "keepBoth", "replace")


def test_what_stood_there_before_the_disk_went_is_not_shown_twice(build_server, account_on, tmp_path):
    """For each choice where a name is taken, an upload of another name."""
    top, away, empty = (tmp_path / name for name in ("shared", "away", "empty"))
    top.mkdir()
    server = build_server().start()
    try:
        account = account_on(server)
        share = server.cli_json("share", "add", "--name", "Shared", "--target", top, "--account", account.name)
        tus = Tus(server, account.key)
        places = {choice: tus.create(len(CONTENT), choice, f"__adm_{share['id']}", onConflict=choice) for choice in CHOICES}
        for place in places.values():
            tus.patch(place, 0, CONTENT).is_(204)
        shown = {choice: (top / choice).stat().st_ino for choice in CHOICES}
        server.kill()
        # As if it had been killed before the ends were recorded.
        for place in places.values():
            (server.data / "uploads" / id_of(place)).write_bytes(CONTENT)
            sql(server, f"UPDATE uploads SET state = 'finishing', received_bytes = 4999 WHERE id = '{id_of(place)}'")
        top.rename(away)
        top.mkdir()
        server.start()
        assert {choice: tus.offset(place) for choice, place in places.items()} == dict.fromkeys(CHOICES, 4999)
        server.stop()
        top.rename(empty)
        away.rename(top)
        server.start()
        for place in places.values():
            tus.patch(place, 4999, CONTENT[-1:]).is_(204)
            assert tus.offset(place) == 5000
        there = [item for item in top.iterdir() if not item.name.startswith(".")]
        assert {item.name: item.stat().st_ino for item in there} == shown
        assert {item.read_bytes() for item in there} == {CONTENT}
    finally:
        server.stop()
