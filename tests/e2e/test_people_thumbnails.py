"""Small images of images in every kind of place, and of what is none, is too large or is made to break a decoder."""

import concurrent.futures
import random
import shutil
import struct
import subprocess
import urllib.parse
import zlib

import pytest

from driving import kinds
from images import chunk, interlaced_bomb, png, size_of
from mounting import plant
from people import PASSWORD, Person
from raw import RawConnection


def ask(person, path, size="256", headers=None, method="GET"):
    return person.call(method, "thumbnails?" + urllib.parse.urlencode({"path": path, "size": size}), headers=headers)


def made(person, path, size="256"):
    answer = ask(person, path, size)
    assert answer.status_code == 200, answer.text
    return size_of(answer.content)


def has_none(person, path, size="256"):
    answer = ask(person, path, size)
    return answer.status_code == 404 and answer.json()["code"] == "no_thumbnail"


def converted(tmp_path, name):
    """The same image in another format, by libvips itself."""
    (tmp_path / "source.png").write_bytes(png(300, 200))
    subprocess.run(["vipsthumbnail", str(tmp_path / "source.png"), "--size", "300x200", "--output", str(tmp_path / name)], check=True)
    return (tmp_path / name).read_bytes()


def test_an_image_of_each_place_is_made_small(person, place):
    _, path, folder = place
    plant(folder, {"wide.png": png(400, 100), "high.PNG": png(100, 400), "tiny.png": png(10, 20), "text.txt": b"text"})
    assert [made(person, f"{path}/wide.png", size) for size in ("64", "256", "1024")] == [(64, 16), (256, 64), (400, 100)]
    assert made(person, f"{path}/high.PNG") == (64, 256) and made(person, f"{path}/tiny.png") == (10, 20)
    assert has_none(person, f"{path}/text.txt")
    assert ask(person, f"{path}/none.png").json()["code"] == "not_found"
    person.fails("malformed", "GET", "thumbnails?size=64&path=" + path)


def test_the_content_decides(person, own, tmp_path):
    path, folder = own
    tiff, jpeg = converted(tmp_path, "a.tif"), converted(tmp_path, "a.jpg")
    plant(folder, {"scan.tiff": tiff, "photo.jfif": jpeg, "photo.pjpeg": jpeg, "photo": jpeg, "photo.txt": png(300, 200), "text.jpg": b"text"})
    for name in ("scan.tiff", "photo.jfif", "photo.pjpeg", "photo", "photo.txt"):
        assert made(person, f"{path}/{name}", "64") == (64, 43), name
    assert has_none(person, f"{path}/text.jpg")
    assert person.content(f"{path}/photo.jfif").headers["Content-Type"] == "image/jpeg"


@kinds
def test_an_image_of_a_drive_is_made_small(drive, kind):
    drive.plant({"wide.png": png(400, 100), "text.png": b"text"})
    person = Person(drive.client.server, key=drive.client.key)
    assert made(person, drive.at("wide.png"), "64") == (64, 16) and has_none(person, drive.at("text.png"))


def test_the_answer_is_for_a_browser_to_keep(person, place):
    _, path, folder = place
    plant(folder, {"a.png": png(300, 300)})
    first = ask(person, f"{path}/a.png")
    assert first.headers["Content-Type"] == "image/webp" and first.headers["X-Content-Type-Options"] == "nosniff"
    assert first.headers["Cache-Control"] == "private, no-cache" and "sandbox" in first.headers["Content-Security-Policy"]
    again = ask(person, f"{path}/a.png", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304 and again.content == b"" and again.headers["ETag"] == first.headers["ETag"]
    assert ask(person, f"{path}/a.png").content == first.content
    head = ask(person, f"{path}/a.png", method="HEAD")
    assert head.status_code == 200 and head.content == b"" and head.headers["ETag"] == first.headers["ETag"]
    person.put(f"{path}/a.png", png(60, 30))
    changed = ask(person, f"{path}/a.png", headers={"If-None-Match": first.headers["ETag"]})
    assert changed.status_code == 200 and size_of(changed.content) == (60, 30)


@pytest.mark.parametrize("name", ["a.jpg", "a.jpeg", "a.webp", "a.tif", "a.gif", "a.png", "a.heic", "a.avif"])
def test_formats(person, own, tmp_path, name):
    path, _ = own
    person.put(f"{path}/{name}", converted(tmp_path, name))
    assert made(person, f"{path}/{name}", "64") == (64, 43)


def test_what_is_none_has_none(person, own):
    path, folder = own
    whole = png(300, 300)
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100"/></svg>'
    plant(folder, {"empty.png": b"", "text.png": b"text", "zeros.jpg": bytes(100_000), "svg.png": svg, "a.svg": svg,
                   "a.pdf": b"%PDF-1.4\n", "eps.jpg": b"%!PS-Adobe-3.0 EPSF-3.0\n",
                   "mvg.jpg": b"push graphic-context\nviewbox 0 0 9 9\nimage Over 0,0 9,9 '/etc/passwd'\npop graphic-context\n",
                   "header.png": whole[:33], "noise.png": whole[:33] + random.Random(1).randbytes(50_000)})
    for name in folder.iterdir():
        assert has_none(person, f"{path}/{name.name}"), name
    assert not has_none(person, path + "/none.png")


def test_images_that_are_made_to_break_decoders(person, own):
    path, folder = own
    bomb = interlaced_bomb(20_000)
    assert len(bomb) < 4 << 20
    huge = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1 << 30, 1 << 30, 8, 2, 0, 0, 0)) + \
        chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    plant(folder, {"bomb.png": bomb, "huge.png": huge, "whole.png": png(300, 300)})
    for name in ("bomb.png", "huge.png"):
        assert has_none(person, f"{path}/{name}"), name
    assert made(person, f"{path}/whole.png") == (256, 256)


def test_a_file_that_is_too_large_has_none(person, own):
    path, folder = own
    content = png(100, 100)
    (folder / "large.png").write_bytes(content + bytes((32 << 20) + 1 - len(content)))
    (folder / "fits.png").write_bytes(content + bytes((32 << 20) - len(content)))
    assert has_none(person, f"{path}/large.png") and made(person, f"{path}/fits.png", "64") == (64, 64)


def test_broken_images_leave_the_server_well(person, own):
    """Every kind of damage to a whole image ends in an image, or in none."""
    path, _ = own
    chance = random.Random(5)
    whole = png(120, 90)
    for _ in range(40):
        broken = bytearray(whole)
        for _ in range(chance.randrange(1, 12)):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        person.put(f"{path}/a.png", bytes(broken[:chance.randrange(20, len(broken))]))
        answer = ask(person, f"{path}/a.png", "64")
        assert answer.status_code == 200 or answer.json()["code"] == "no_thumbnail"


def test_many_at_once(person, own):
    path, folder = own
    plant(folder, {f"{number}.png": png(200 + number, 100) for number in range(30)})

    def one(number):
        caller = Person(person.server, key=person.http.headers["X-API-Key"])
        answer = ask(caller, f"{path}/{number % 30}.png", "64")
        return size_of(answer.content)[0] if answer.status_code == 200 else answer.status_code
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        assert set(pool.map(one, range(60))) == {64}


def test_who_left_is_not_waited_for(build_server):
    server = build_server().start()
    try:
        name = server.new_name("person")
        server.add_account(name, password=PASSWORD)
        person = Person(server, key=server.create_key(name)["key"])
        content = png(800, 800)
        for number in range(21):
            person.put(f"{number}.png", content)
        head = f"Host: localhost\r\nX-API-Key: {person.http.headers['X-API-Key']}\r\n\r\n"
        lines = [RawConnection(server).send(f"GET /api/v2/thumbnails?path={number}.png&size=256 HTTP/1.1\r\n{head}")
                 for number in range(20)]
        for line in lines:
            line.close()
        assert made(person, "20.png") == (256, 256)
        # Those that had their turn before.
        assert len(list((server.data / "thumbnails").iterdir())) <= 8
    finally:
        server.stop()


def test_rights(person, places, own):
    path, folder = own
    plant(folder, {"a.png": png(100, 100), "sub/b.png": png(100, 50)})
    scoped = Person(person.server, key=places.server.create_key(places.account, f"{path}/sub")["key"])
    assert made(scoped, "b.png", "64") == (64, 32)
    assert ask(scoped, f"{path}/a.png").status_code == 404 and ask(scoped, "../a.png").status_code in (400, 403)
    other = places.server.add_account()
    stranger = Person(person.server, key=places.server.create_key(other)["key"])
    assert made(person, f"{path}/a.png", "64") == (64, 64)
    assert ask(stranger, f"{path}/a.png").status_code == 404
    assert ask(stranger, places["shared"].path + "/a.png").status_code == 404
    for wrong in ("0", "65", "", "256.0", "large"):
        person.fails("malformed", "GET", "thumbnails?" + urllib.parse.urlencode({"path": f"{path}/a.png", "size": wrong}))
    person.fails("malformed", "GET", "thumbnails?path=" + path)


def test_what_was_made_is_kept_over_a_restart(build_server):
    server = build_server().start()
    try:
        name = server.new_name("person")
        server.add_account(name, password=PASSWORD)
        person = Person(server)
        person.sign_in(name)
        person.put("a.png", png(100, 100))
        person.put("b.png", b"none")
        first = ask(person, "a.png").content
        assert has_none(person, "b.png")
        kept = {item.name: item.stat().st_ino for item in (server.data / "thumbnails").iterdir()}
        assert len(kept) == 2
        server.stop()
        server.start()
        assert ask(person, "a.png").content == first and has_none(person, "b.png")
        assert {item.name: item.stat().st_ino for item in (server.data / "thumbnails").iterdir()} == kept
        for item in (server.data / "thumbnails").iterdir():
            item.write_bytes(b"RIFF")
        assert ask(person, "a.png").content == first and has_none(person, "b.png")
        shutil.rmtree(server.data / "thumbnails")
        assert ask(person, "a.png").content == first
    finally:
        server.stop()
