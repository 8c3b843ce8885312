"""The storage quota: exact to the byte, before and after every kind of write."""

import contextlib

import pytest

from client import FILES, form, multipart
from raw import LAST_CHUNK, RawConnection, chunk, head
from server import disk_bytes, eventually, tree_of


@pytest.fixture
def full(make_account):
    """1000 bytes of room, all of it used by `a.bin` (600) and `d/b.bin` (400)."""
    account = make_account("1000")
    account.client.put("a.bin", b"a" * 600)
    account.client.make_folder("", "d").ok()
    account.client.put("d/b.bin", b"b" * 400)
    return account


def consistent(account, used):
    assert account.client.used() == disk_bytes(account.root) == used


def test_an_exact_fit_is_taken_and_one_byte_more_is_not(make_account):
    account = make_account("1000")
    account.client.upload("", form(("a", b"x" * 1001))).fails(413)
    consistent(account, 0)
    account.client.put("a", b"x" * 1000)
    consistent(account, 1000)
    account.client.upload("", form(("b", b"x"))).fails(413)
    assert account.client.names() == ["a"]
    consistent(account, 1000)


def test_empty_files_and_folders_always_fit(full):
    client = full.client
    client.make_file("", "empty").ok()
    client.make_folder("x/y", "z").ok()
    client.put("empty2", b"")
    client.copy("empty2", "x").ok()
    consistent(full, 1000)


@pytest.mark.parametrize("size, fits", [(0, True), (10, True), (600, True), (601, False), (1000, False)])
def test_overwriting_counts_the_difference(full, size, fits):
    answer = full.client.upload("", form(("a.bin", b"n" * size)))
    assert answer.status == (200 if fits else 413)
    assert full.client.content("a.bin") == (b"n" * size if fits else b"a" * 600)
    consistent(full, 400 + size if fits else 1000)


def test_only_files_that_are_replaced_make_room(full):
    full.client.upload("d", form(("a.bin", b"x" * 400))).fails(413)
    full.client.upload("", form(("new", b"x"))).fails(413)
    full.client.upload("", form(("a.bin", b"x" * 599), ("new", b"x"))).ok()
    consistent(full, 1000)


def test_a_request_over_the_limit_leaves_none_of_its_files(make_account):
    account = make_account("1000")
    elsewhere = account.server.files_elsewhere()
    account.client.upload("", form(("a", b"x" * 500), ("b", b"x" * 500), ("c", b"x"))).fails(413)
    assert tree_of(account.root) == set()
    consistent(account, 0)
    eventually(lambda: account.server.files_elsewhere() <= elsewhere, "an empty staging area")
    account.client.put("a", b"x" * 1000)


def test_expect_continue_gets_the_413_without_the_body(full):
    with RawConnection(full.server) as connection:
        connection.send(head("POST", FILES + "/upload", "Content-Type: multipart/form-data; boundary=b",
                             "Content-Length: 10000000", "Expect: 100-continue", key=full.key))
        answer = connection.read_answer()
        assert answer.status == 413 and answer.error()
    consistent(full, 1000)


def test_a_length_that_cannot_fit_is_refused_before_the_body(full):
    with RawConnection(full.server) as connection:
        connection.send(head("POST", FILES + "/upload", "Content-Type: multipart/form-data; boundary=b",
                             "Content-Length: 9000000000000", key=full.key))
        assert connection.read_answer().status == 413
        assert connection.is_closed()
    consistent(full, 1000)


def test_expect_continue_gets_a_go_ahead_where_it_fits(make_account):
    account = make_account("1000")
    content_type, body = multipart(form(("a", b"x" * 1000)))
    with RawConnection(account.server) as connection:
        connection.send(head("POST", FILES + "/upload", f"Content-Type: {content_type}",
                             f"Content-Length: {len(body)}", "Expect: 100-continue", key=account.key))
        assert connection.read_answer().status == 100
        assert connection.send(body).read_answer().data()["count"] == 1
    consistent(account, 1000)


def test_an_upload_of_unknown_size_stops_at_the_limit(make_account):
    account = make_account("1000000")
    elsewhere = account.server.files_elsewhere()
    start = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
    with RawConnection(account.server) as connection:
        connection.send(head("POST", FILES + "/upload", "Content-Type: multipart/form-data; boundary=b",
                             "Transfer-Encoding: chunked", key=account.key))
        connection.send(chunk(start))
        for _ in range(64):
            connection.try_send(chunk(b"x" * 50_000))
        connection.try_send(chunk(b"\r\n--b--\r\n") + LAST_CHUNK)
        answer = connection.read_answer()
        assert answer.status == 413 and answer.error()
    assert tree_of(account.root) == set()
    consistent(account, 0)
    eventually(lambda: account.server.files_elsewhere() <= elsewhere, "an empty staging area")


@pytest.mark.parametrize("size, status", [(1000, 200), (1001, 413)])
def test_a_chunked_upload_is_counted_to_the_byte(make_account, size, status):
    account = make_account("1000")
    content_type, body = multipart(form(("a", b"x" * size)))
    with RawConnection(account.server) as connection:
        connection.send(head("POST", FILES + "/upload", f"Content-Type: {content_type}",
                             "Transfer-Encoding: chunked", key=account.key))
        connection.send(chunk(body[:700]) + chunk(body[700:]) + LAST_CHUNK)
        assert connection.read_answer().status == status
    consistent(account, 1000 if status == 200 else 0)


def test_requests_in_flight_are_lent_once_what_is_there(make_account):
    """Beyond the quota lies no more, while bodies come, than the files take that they replace."""
    account = make_account("1000000")
    account.client.put("a.bin", b"a" * 1_000_000)
    wanted = head("PUT", "/api/v2/files/content?path=a.bin", "Content-Length: 1000000", "Expect: 100-continue", key=account.key)
    with contextlib.ExitStack() as behind:
        connections = [behind.enter_context(RawConnection(account.server)).send(wanted) for _ in range(20)]
        answers = {connection: connection.read_answer().status for connection in connections}
        assert sorted(answers.values()) == [100] + [413] * 19
        taken, = (connection for connection, status in answers.items() if status == 100)
        assert taken.send(b"b" * 1_000_000).read_answer().status in (200, 204)
    assert account.client.content("a.bin") == b"b" * 1_000_000
    consistent(account, 1_000_000)
    with RawConnection(account.server) as connection:
        assert connection.send(wanted).read_answer().status == 100
        connection.send(b"c" * 500_000)
        eventually(connection.all_is_taken, "half of it to come")

    def is_taken_again():
        with RawConnection(account.server) as connection:
            return connection.send(wanted).read_answer().status == 100

    eventually(is_taken_again, "what was lent to be given back")


def test_two_files_of_a_full_account_are_replaced_at_once(full):
    wanted = [head("PUT", f"/api/v2/files/content?path={path}", f"Content-Length: {size}", "Expect: 100-continue", key=full.key)
              for path, size in (("a.bin", 600), ("d/b.bin", 400))]
    with RawConnection(full.server) as first, RawConnection(full.server) as second:
        for connection, asked in zip((first, second), wanted):
            assert connection.send(asked).read_answer().status == 100
        assert first.send(b"1" * 600).read_answer().status in (200, 204)
        assert second.send(b"2" * 400).read_answer().status in (200, 204)
    consistent(full, 1000)


def test_copies_obey_it(full):
    full.client.make_folder("", "to").ok()
    for source in ("a.bin", "d"):
        full.client.copy(source, "to").fails(413)
        assert full.client.names("to") == []
    full.set("--quota", "1399")
    full.client.copy("d", "to").fails(413)
    full.set("--quota", "1400")
    full.client.copy("d", "to").ok()
    consistent(full, 1400)
    assert full.client.content("to/d/b.bin") == b"b" * 400


def test_moves_and_renames_need_no_room(full):
    full.client.move("a.bin", "d").ok()
    full.client.rename("d", "e").ok()
    consistent(full, 1000)


def test_delete_frees_at_once(full):
    full.client.delete("d").ok()
    consistent(full, 600)
    full.client.put("c", b"x" * 400)
    full.client.delete("a.bin").ok()
    consistent(full, 400)


def test_deleting_a_large_tree_frees_at_once(make_account):
    account = make_account("300000")
    account.client.make_folder("tree", "deep").ok()
    for path in ("tree", "tree/deep"):
        account.client.upload(path, form(*((f"{i}", b"x" * 1000) for i in range(150)), field="files")).ok()
    account.client.upload("", form(("more", b"x"))).fails(413)
    account.client.delete("tree").ok()
    assert account.client.used() == 0
    account.client.put("again", b"x" * 300_000)


def test_zero_is_unlimited(account):
    data = account.client.account().ok()
    assert data["storageLimit"] == 0 and data["storageLimitFormatted"] == "Unlimited"
    account.client.put("a", b"x" * 100_000)
    assert account.client.used() == 100_000


def test_a_limit_below_the_use_stops_growth_only(full):
    full.set("--quota", "500")
    account = full.client.account().ok()
    assert (account["storageUsed"], account["storageLimit"]) == (1000, 500)
    full.client.upload("", form(("new", b"x"))).fails(413)
    full.client.copy("d/b.bin", "").fails(413)
    full.client.make_file("", "empty").ok()
    full.client.rename("a.bin", "c.bin").ok()
    full.client.put("c.bin", b"x" * 100)
    consistent(full, 500)
    full.client.delete("d").ok()
    full.client.put("new", b"x" * 400)
    consistent(full, 500)


def test_raising_the_limit_counts_from_the_next_request(full):
    full.client.upload("", form(("new", b"x"))).fails(413)
    full.set("--quota", "1001")
    full.client.put("new", b"x")
    consistent(full, 1001)


def test_accounts_have_quotas_of_their_own(full, make_account):
    other = make_account("1000")
    other.client.put("a.bin", b"x" * 1000)
    consistent(other, 1000)
    consistent(full, 1000)


def test_a_scoped_key_spends_the_same_quota(full):
    scoped = full.client.scoped("d")
    scoped.upload("", form(("c", b"x"))).fails(413)
    assert scoped.used() == 1000
    scoped.put("b.bin", b"x" * 300)
    scoped.put("c", b"x" * 100)
    consistent(full, 1000)


def test_replacing_a_link_or_a_file_made_on_disk_never_counts_below_zero(make_account):
    account = make_account("1000")
    (account.root / "foreign").write_bytes(b"x" * 5000)
    account.client.put("foreign", b"x" * 10)
    assert account.client.used() >= 0
    (account.root / "foreign2").write_bytes(b"x" * 5000)
    account.client.delete("foreign2").ok()
    assert account.client.used() >= 0
