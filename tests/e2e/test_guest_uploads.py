"""What guests of an upload link hold of the account's room, how many uploads they may begin, and who ends these."""

from guests import begin_upload, guest_of, offset_of, send, share
from people import PASSWORD, Person
from server import eventually
from tus import VERSION, age, encoded, figures, sql


def test_what_a_guest_only_promises_takes_nothing_from_the_account(maker, server):
    """Neither what its bin holds, nor the uploads that it may begin itself; and it ends with the link."""
    server.cli("account", "set", maker.name, "--quota", "1000")
    maker.v1().make_folder("", "drop").ok()
    maker.put("old", b"o" * 900)
    task = maker.ok("POST", "tasks", {"kind": "delete", "sources": ["old"]}, 202)
    eventually(lambda: maker.ok("GET", "tasks/" + task["id"])["state"] == "done", "the deletion")
    made = share(maker, "drop", mode="upload")
    guest = guest_of(maker, made)

    def begin(length):
        return guest.call("POST", f"{guest.base}/uploads", raw=b"", headers={
            **VERSION, "Upload-Length": str(length), "Upload-Metadata": encoded(filename="f")}).status_code
    assert begin(500) == 413
    assert [item["path"] for item in maker.ok("GET", "bin")["entries"]] == ["old"]
    assert {begin(90) for _ in range(20)} == {201}
    assert figures(server, maker.name) == (903, 0)
    maker.ok("DELETE", "links/" + made["id"], status=204)
    eventually(lambda: maker.ok("GET", "uploads")["entries"] == [], "the end of what nobody can finish")


def test_a_guest_holds_only_what_it_sent(maker, server):
    maker.v1().make_folder("", "drop").ok()
    server.cli("account", "set", maker.name, "--quota", str(10 << 20))
    guest = guest_of(maker, share(maker, "drop", mode="upload"))
    made = begin_upload(guest, 9 << 20)
    assert made.status_code == 201 and figures(server, maker.name) == (3, 0)
    assert send(guest, made, 0, b"x" * (1 << 20)).status_code == 204
    assert figures(server, maker.name) == (3, 1 << 20)
    maker.put("own", b"o" * (7 << 20))
    assert send(guest, made, 1 << 20, b"x" * (3 << 20)).status_code == 413
    offset = offset_of(guest, made)
    assert 1 << 20 < offset < 3 << 20
    # What was stored is written a moment after the answer.
    eventually(lambda: figures(server, maker.name) == ((7 << 20) + 3, offset), "the figures with the own file")
    maker.v1().delete("own").ok()
    assert send(guest, made, offset, b"x" * ((9 << 20) - offset)).status_code == 204
    eventually(lambda: figures(server, maker.name) == ((9 << 20) + 3, 0), "the figures with the guest's file")
    assert server.wrong_of(maker.name) == []


def test_a_guest_goes_on_when_the_folder_is_renamed(person, tree):
    path, folder = tree
    guest = guest_of(person, share(person, f"{path}/shared", mode="upload"))
    made = begin_upload(guest, 5)
    assert send(guest, made, 0, b"12").status_code == 204
    person.v1().rename(f"{path}/shared", "renamed").ok()
    assert offset_of(guest, made) == 2 and send(guest, made, 2, b"345").status_code == 204
    assert (folder / "renamed/f").read_bytes() == b"12345" and not (folder / "shared").exists()


def test_guests_have_so_many_unfinished_uploads(forwarding_maker):
    """From one network by one link, by one link, and by all links of an account."""
    maker = forwarding_maker
    guest = guest_of(maker, share(maker, "drop", mode="upload"))

    def codes(address, count):
        return [begin_upload(guest, 1, address).status_code for _ in range(count)]
    assert codes("192.0.2.1", 21) == [201] * 20 + [429]
    assert codes("2001:db8::1", 19) + codes("2001:db8::2", 2) == [201] * 20 + [429]
    for number in range(3):
        assert set(codes(f"198.51.100.{number}", 20)) == {201}
    assert codes("198.51.100.9", 1) == [429]
    other = share(maker, "drop", mode="upload")
    assert begin_upload(guest_of(maker, other), 1, "192.0.2.1").status_code == 201
    columns = ("account_id, folder, name, shown_name, on_conflict, metadata, modified_at, length_bytes, received_bytes, "
               "0, state, created_at, touched_at")
    sql(maker.server, *(f"INSERT INTO uploads (id, {columns.replace(', 0,', ', quota_bytes,')}, link_id) SELECT '{number}', {columns}, "
                        f"'{number}' FROM uploads WHERE link_id = '{other['id']}'" for number in range(899)))
    assert begin_upload(guest_of(maker, other), 1, "192.0.2.1").status_code == 429
    assert maker.call("POST", "uploads", raw=b"", headers={
        **VERSION, "Upload-Length": "1", "Upload-Metadata": encoded(filename="f")}).status_code == 201


def test_a_promise_without_a_byte_ends_soon(maker, server):
    maker.v1().make_folder("", "drop").ok()
    guest = guest_of(maker, share(maker, "drop", mode="upload"))
    empty, begun = begin_upload(guest, 10), begin_upload(guest, 10)
    assert send(guest, begun, 0, b"1").status_code == 204
    mine = maker.call("POST", "uploads", raw=b"", headers={
        **VERSION, "Upload-Length": "10", "Upload-Metadata": encoded(filename="f")})

    def codes(seconds):
        told = []
        for caller, made in ((guest, empty), (guest, begun), (maker, mine)):
            age(server, made.headers["Location"], seconds)
            told.append(caller.call("HEAD", made.headers["Location"].removeprefix("/api/v2/"), headers=VERSION).status_code)
        return told
    assert codes(3500) == [200, 200, 200]
    assert codes(200) == [410, 200, 200]
    assert codes(23 * 3600) == [404, 410, 200]


def test_the_owner_sees_and_ends_what_guests_began(maker, server):
    maker.v1().make_folder("", "drop").ok()
    made = share(maker, "drop", mode="upload")
    guest = guest_of(maker, made)
    begun = begin_upload(guest, 100)
    assert send(guest, begun, 0, b"x" * 40).status_code == 204
    one, = maker.ok("GET", "uploads")["entries"]
    assert (one["path"], one["size"], one["received"], one["held"]) == ("drop/f", 100, 40, 40)
    assert one["linkId"] == made["id"] and one["keyId"] is None and one["address"] == "127.0.0.1"
    other = server.new_name("other")
    server.add_account(other, password=PASSWORD)
    stranger = Person(server)
    stranger.sign_in(other)
    assert stranger.ok("GET", "uploads")["entries"] == []
    maker.ok("DELETE", "uploads/" + one["id"], status=204, headers=VERSION)
    assert send(guest, begun, 40, b"x").status_code == 404
    assert figures(server, maker.name) == (3, 0) and maker.ok("GET", "uploads")["entries"] == []
