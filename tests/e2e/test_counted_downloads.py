"""Links that are good for so many downloads: what counts as one, and that no way leads to more."""

import concurrent.futures
import random

from guests import guest_of, listed, share
from people import PASSWORD, Person
from raw import RawConnection, head


def test_downloads_are_counted(person, own):
    path, folder = own
    (folder / "a.txt").write_bytes(b"content")
    made = share(person, path, maxDownloads=3)
    guest = guest_of(person, made)
    etag = guest.at("a.txt", method="HEAD").headers["ETag"]
    assert guest.at("a.txt", {"If-None-Match": etag}).status_code == 304 and guest.at("none").status_code == 404
    assert guest.at("a.txt", {"Range": "bytes=99-"}).status_code == 416 and guest.names() == ["a.txt"]
    assert guest.get().json()["downloadsLeft"] == 3
    assert guest.at("a.txt").content == b"content" and guest.at("a.txt", {"Range": "bytes=1-"}).status_code == 206
    assert guest.get().json()["downloadsLeft"] == 1 and listed(person, made)["downloads"] == 2
    assert guest.get("archive", path="").status_code == 200
    for answer in (guest.at("a.txt"), guest.get("archive", path="")):
        assert answer.status_code == 403 and "as many downloads" in answer.json()["detail"]
    assert listed(person, made)["downloads"] == 3
    for wrong in (0, -1, 1_000_001, "3", 1.5):
        person.fails("malformed", "POST", "links", {"path": path, "maxDownloads": wrong})


def test_many_at_once_get_no_more_than_may_be(person, own):
    path, folder = own
    (folder / "a.txt").write_bytes(b"content")
    made = share(person, f"{path}/a.txt", maxDownloads=5)
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: guest_of(person, made).at().status_code, range(40)))
    assert sorted(answers) == [200] * 5 + [403] * 35 and listed(person, made)["downloads"] == 5


def film_of(person, own, size, most):
    """A guest of a link to a film, and what the link is."""
    path, folder = own
    with open(folder / "film.mp4", "wb") as film:
        film.truncate(size)
    made = share(person, f"{path}/film.mp4", maxDownloads=most)
    return guest_of(person, made), made


def ranged(guest, begin, end=None, **headers):
    """The answer to a request for bytes `begin` to `end`, both included."""
    return guest.at("", {"Range": f"bytes={begin}-{'' if end is None else end}", **headers})


def test_a_film_is_looked_at_by_many_requests_and_counts_once(person, own):
    size = 32 << 20
    guest, made = film_of(person, own, size, 1)
    for begin, end in ((0, 999_999), (size - 1000, None), (1_000_000, 16 << 20), ((16 << 20) + 1, size - 1001), (5 << 20, 6 << 20)):
        assert ranged(guest, begin, end).status_code == 206
    assert listed(person, made)["downloads"] == 1


def test_a_download_that_broke_off_counts_once(build_server, description):
    """Also when the server was killed meanwhile."""
    server = build_server().start()
    try:
        server.add_account("ann", password=PASSWORD)
        person = Person(server)
        person.sign_in("ann")
        root = server.files_of("ann")
        root.mkdir(exist_ok=True)
        guest, made = film_of(person, ("", root), 32 << 20, 1)
        with RawConnection(server, receive_bytes=4096) as connection:
            connection.send(head("GET", f"/api/v2/{guest.base}/content"))
            assert len(connection.reader.read(1 << 20)) == 1 << 20
        server.kill()
        server.start()
        person.sign_in("ann")
        answer = ranged(guest, 1 << 20)
        assert answer.status_code == 206 and len(answer.content) == 31 << 20
        assert listed(person, made)["downloads"] == 1
    finally:
        server.stop()


def test_a_look_counts_nothing(person, own):
    guest, made = film_of(person, own, 16 << 20, 1)
    for _ in range(2):
        assert ranged(guest, 0, 300_000).status_code == 206
    assert listed(person, made)["downloads"] == 0
    assert len(guest.at().content) == 16 << 20
    assert listed(person, made)["downloads"] == 1


def test_no_way_leads_to_the_whole_file_more_often(forwarding_maker):
    """Any ranges, addresses and cookies, in any order."""
    maker, size, most = forwarding_maker, 1 << 20, 2
    guest, made = film_of(maker, ("drop", maker.server.files_of(maker.name) / "drop"), size, most)
    chance, given = random.Random(5), 0
    for _ in range(300):
        begin = chance.randrange(size)
        length = chance.choice([1, 1000, 100_000, size])
        cookie = chance.choice([None, f"coffer_visit={chance.randrange(4):032x}"])
        headers = {"X-Forwarded-For": f"192.0.2.{chance.randrange(20)}", **({"Cookie": cookie} if cookie else {})}
        guest.http.cookies.clear()
        answer = ranged(guest, begin, min(size, begin + length) - 1, **headers)
        assert answer.status_code in (206, 403)
        given += len(answer.content) if answer.status_code == 206 else 0
    assert size * most // 2 < given <= size * most + size // 2 and listed(maker, made)["downloads"] == most
    guest.http.cookies.clear()
    answer = ranged(guest, 0, **{"X-Forwarded-For": "192.0.2.200"})
    assert answer.status_code == 403 and "as many downloads" in answer.json()["detail"]


def test_a_guest_goes_on_when_others_used_the_link_up(forwarding_maker):
    """And from another address, by its cookie."""
    maker, size = forwarding_maker, 8 << 20
    guest, made = film_of(maker, ("drop", maker.server.files_of(maker.name) / "drop"), size, 2)
    assert ranged(guest, 0, size // 2, **{"X-Forwarded-For": "192.0.2.1"}).status_code == 206
    other = guest_of(maker, made)
    assert other.at("", {"X-Forwarded-For": "192.0.2.2"}).status_code == 200
    assert guest_of(maker, made).at("", {"X-Forwarded-For": "192.0.2.3"}).status_code == 403
    assert ranged(guest, size // 2 + 1, **{"X-Forwarded-For": "198.51.100.9"}).status_code == 206
    assert listed(maker, made)["downloads"] == 2


def test_eight_parts_at_once_count_once(person, own):
    size = 16 << 20
    guest, made = film_of(person, own, size, 1)
    part = size // 8
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda one: ranged(guest_of(person, made), one * part, (one + 1) * part - 1).status_code, range(8)))
    assert answers == [206] * 8 and listed(person, made)["downloads"] == 1
