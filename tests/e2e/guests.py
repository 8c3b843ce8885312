"""Guests of share links: what they send, and those who made the links."""

import urllib.parse

import pytest

from mounting import plant
from people import PASSWORD, Person
from tus import BYTES, VERSION, encoded


class Guest(Person):
    """One who has a link's token, and the cookie that came with its password."""

    def __init__(self, server, token):
        super().__init__(server)
        self.base = f"guest/{token}"

    def get(self, what="", **parameters):
        return self.call("GET", self.base + (f"/{what}" if what else "") + "?" + urllib.parse.urlencode(parameters))

    def at(self, path="", headers=None, method="GET"):
        return self.call(method, f"{self.base}/content?" + urllib.parse.urlencode({"path": path}), headers=headers)

    def names(self, path=""):
        answer = self.get("files", path=path)
        assert answer.status_code == 200, answer.text
        return [entry["name"] for entry in answer.json()["entries"]]

    def upload(self, content, **metadata):
        """The answers to a creation and to its bytes."""
        made = self.call("POST", f"{self.base}/uploads", raw=b"", headers={
            **VERSION, "Upload-Length": str(len(content)), "Upload-Metadata": encoded(**metadata)})
        if made.status_code != 201 or not content:
            return made, None
        place = made.headers["Location"].removeprefix("/api/v2/")
        return made, self.call("PATCH", place, raw=content, headers={**VERSION, "Content-Type": BYTES, "Upload-Offset": "0"})


def share(person, path, **body):
    made = person.ok("POST", "links", {"path": path, **body}, status=201)
    person.server.secrets.add(made["token"])
    return made


def guest_of(person, made):
    return Guest(person.server, made["token"])


def listed(person, made):
    one, = (link for link in person.ok("GET", "links") if link["id"] == made["id"])
    return one


def begin_upload(guest, length, address=None):
    """The answer to an upload's creation by a guest."""
    sent = {**VERSION, "Upload-Length": str(length), "Upload-Metadata": encoded(filename="f")}
    if address:
        sent["X-Forwarded-For"] = address
    return guest.call("POST", f"{guest.base}/uploads", raw=b"", headers=sent)


def send(guest, made, offset, content):
    place = made.headers["Location"].removeprefix("/api/v2/")
    return guest.call("PATCH", place, raw=content, headers={**VERSION, "Content-Type": BYTES, "Upload-Offset": str(offset)})


def offset_of(guest, made):
    place = made.headers["Location"].removeprefix("/api/v2/")
    return int(guest.call("HEAD", place, headers=VERSION).headers["Upload-Offset"])


@pytest.fixture
def maker(server):
    """An account with a writable share that has a file in it, and its session."""
    name = server.new_name("maker")
    server.add_account(name, "1000000", password=PASSWORD)
    person = Person(server)
    person.name = name
    person.sign_in(name)
    person.v1().make_folder("", "docs").ok()
    person.put("docs/a.txt", b"own")
    return person


@pytest.fixture
def forwarding_maker(own_server):
    server = own_server(trusted_proxies=["127.0.0.1"])
    name = server.new_name("maker")
    server.add_account(name, "1000000", password=PASSWORD)
    person = Person(server)
    person.name = name
    person.sign_in(name)
    person.v1().make_folder("", "drop").ok()
    return person


@pytest.fixture
def tree(place):
    """In each kind of place: a folder `shared` with files, one beside it; their path, and the plain folder."""
    _, path, folder = place
    plant(folder, {"shared/a.txt": b"first", "shared/sub/b.txt": b"second", "beside.txt": b"not theirs"})
    return path, folder
