"""Many requests at once: quotas hold, contents stay whole, accounts stay apart."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

from client import form
from server import PATIENCE_S, disk_bytes, eventually, tree_of

BIG = os.urandom(16 << 20)


def at_once(*jobs, workers=16):
    """Runs the jobs together and returns what they returned; a failure in one fails the test."""
    start = threading.Barrier(min(workers, len(jobs)))

    def run(number, job):
        if number < start.parties:
            start.wait(PATIENCE_S)
        return job()

    with ThreadPoolExecutor(workers) as pool:
        return [future.result() for future in [pool.submit(run, number, job) for number, job in enumerate(jobs)]]


def clients(account, count):
    return [account.client.with_key(account.key) for _ in range(count)]


def test_many_writers_never_pass_one_quota(make_account):
    limit = 1_000_000
    account = make_account(str(limit))
    size = 30_011

    def writer(number, client):
        def write():
            return client.upload("", form((f"{number}", bytes([number]) * size))).status
        return write

    statuses = at_once(*(writer(number, client) for number, client in enumerate(clients(account, 64))))
    assert set(statuses) <= {200, 413}
    stored = statuses.count(200)
    used = account.client.used()
    assert used == disk_bytes(account.root) == stored * size <= limit
    assert stored <= limit // size
    # Whatever was refused fits once it is alone, as long as there is room for it.
    while (limit - account.client.used()) >= size:
        account.client.put(f"late{account.client.used()}", b"x" * size)
    account.client.upload("", form(("over", b"x" * size))).fails(413)
    room = limit - account.client.used()
    account.client.put("rest", b"x" * room)
    assert account.client.used() == disk_bytes(account.root) == limit


def test_writers_copiers_overwriters_and_deleters_keep_the_figure_true(make_account):
    limit = 400_000
    account = make_account(str(limit))
    seed = clients(account, 1)[0]
    seed.make_folder("", "tree").ok()
    seed.make_folder("", "to").ok()
    for number in range(5):
        seed.put(f"tree/{number}", b"t" * 10_000)

    def worker(number, client):
        def work():
            statuses = set()
            for turn in range(12):
                size = 1000 * ((number * 7 + turn * 3) % 40)
                statuses.add(client.upload("", form((f"f{(number + turn) % 6}", b"x" * size))).status)
                statuses.add(client.copy("tree", f"to/{number}").status)
                if client.make_folder("to", f"{number}").status == 200:
                    statuses.add(client.copy("tree", f"to/{number}").status)
                assert client.used() <= limit
                statuses.add(client.delete(f"to/{number}").status)
                statuses.add(client.delete(f"f{turn % 6}").status)
            return statuses
        return work

    results = at_once(*(worker(number, client) for number, client in enumerate(clients(account, 8))), workers=8)
    assert set.union(*results) <= {200, 404, 409, 413}
    assert account.client.used() == disk_bytes(account.root) <= limit


def test_uploads_of_one_name_leave_one_of_the_contents_whole(account):
    contents = [bytes([65 + number]) * (100_000 + number) for number in range(16)]

    def writer(client, content):
        return lambda: client.upload("", form(("same", content))).status

    statuses = at_once(*(writer(client, content) for client, content in zip(clients(account, 16), contents)))
    assert set(statuses) == {200}
    assert account.client.content("same") in contents and account.client.names() == ["same"]
    assert account.client.used() == disk_bytes(account.root)


def test_one_of_many_equal_creations_wins(account):
    makers = [lambda client=client: client.make_folder("a/b", "c").status for client in clients(account, 12)]
    statuses = at_once(*makers)
    assert statuses.count(200) == 1 and set(statuses) == {200, 409}
    assert tree_of(account.root) == {"a/", "a/b/", "a/b/c/"}


def test_one_of_many_moves_of_an_item_wins(account):
    account.client.put("item", b"x" * 1000)
    for number in range(12):
        account.client.make_folder("", f"d{number}").ok()
    movers = [lambda client=client, number=number: client.move("item", f"d{number}").status
              for number, client in enumerate(clients(account, 12))]
    statuses = at_once(*movers)
    assert statuses.count(200) == 1 and set(statuses) == {200, 404}
    assert sum(path.is_file() for path in account.root.rglob("*")) == 1
    assert account.client.used() == 1000


def test_one_of_many_renames_to_a_name_wins(account):
    for number in range(12):
        account.client.put(f"f{number}", str(number).encode())
    renamers = [lambda client=client, number=number: client.rename(f"f{number}", "target").status
                for number, client in enumerate(clients(account, 12))]
    statuses = at_once(*renamers)
    assert statuses.count(200) == 1 and set(statuses) == {200, 409}
    assert len(account.client.names()) == 12
    assert account.client.content("target") == str(statuses.index(200)).encode()


def test_folders_moved_into_one_another_do_not_vanish(account):
    for _ in range(10):
        account.client.make_folder("", "a").ok()
        account.client.make_folder("", "b").ok()
        one, two = clients(account, 2)
        at_once(lambda: one.move("a", "b").status, lambda: two.move("b", "a").status)
        top = account.client.names()
        assert len(top) == 1
        account.client.delete(top[0]).ok()


def test_one_of_many_deletes_frees_the_bytes_once(account):
    account.client.make_folder("", "tree").ok()
    account.client.put("keep", b"k" * 500)
    account.client.upload("tree", form(*((f"{i}", b"x" * 1000) for i in range(50)))).ok()
    statuses = at_once(*(lambda client=client: client.delete("tree").status for client in clients(account, 12)))
    assert statuses.count(200) == 1 and set(statuses) == {200, 404}
    assert account.client.used() == 500 == disk_bytes(account.root)


def cut_or_whole(response, first, rest_of):
    try:
        return first + rest_of(response)
    except Exception:  # The connection may be cut, in whichever way the library calls it.
        return None


def interrupted_download(account, change):
    """Begins a download, changes the file, then reads on; the whole content, or None if it was cut."""
    account.client.put("big", BIG)
    with account.client.with_key(account.key).stream("big") as response:
        first = response.raw.read(1000)
        change(account.client)
        return cut_or_whole(response, first, lambda answer: answer.raw.read())


def test_delete_during_a_download(account):
    content = interrupted_download(account, lambda client: client.delete("big").ok())
    assert content is None or content == BIG[:len(content)]
    account.client.info("big").fails(404)
    assert account.client.used() == 0


def test_replacing_during_a_download(account):
    content = interrupted_download(account, lambda client: client.put("big", b"n" * len(BIG)))
    assert content is None or content == BIG[:len(content)]
    assert account.client.content("big") == b"n" * len(BIG)


def test_rename_during_a_download(account):
    content = interrupted_download(account, lambda client: client.rename("big", "other").ok())
    assert content == BIG


def test_revocation_while_requests_run_lets_none_through_afterwards(account):
    account.client.put("a", b"x")
    created = account.client.create_key("busy").ok()
    revoked, late = threading.Event(), []

    def ask(client):
        def work():
            while True:
                known_dead = revoked.is_set()
                status = client.download("a").status
                if status == 401:
                    return
                if known_dead:
                    late.append(status)
                    return
        return work

    def revoke():
        account.client.revoke(created["id"]).ok()
        revoked.set()

    at_once(*(ask(account.client.with_key(created["key"])) for _ in range(6)), revoke)
    assert late == []


def test_accounts_work_side_by_side(make_account):
    accounts = [make_account("500000") for _ in range(6)]

    def work(account, letter):
        def run():
            for number in range(10):
                account.client.put(f"{number}", letter * 20_000)
                account.client.copy(f"{number}", "").fails(409)
            account.client.delete("0").ok()
            return account.client.used()
        return run

    used = at_once(*(work(account, bytes([65 + number])) for number, account in enumerate(accounts)))
    assert used == [180_000] * 6
    for number, account in enumerate(accounts):
        assert disk_bytes(account.root) == 180_000
        assert account.client.content("5") == bytes([65 + number]) * 20_000


def test_listing_while_the_folder_changes(account):
    account.client.make_folder("", "d").ok()
    account.client.upload("d", form(*((f"stay{i}", b"x") for i in range(100)))).ok()
    done = threading.Event()

    def churn():
        number = 0
        while not done.is_set():
            account.client.put(f"d/come{number % 20}", b"x")
            account.client.delete(f"d/come{number % 20}").ok()
            number += 1

    churner = threading.Thread(target=churn)
    churner.start()
    try:
        client = clients(account, 1)[0]
        for _ in range(50):
            names = client.names("d")
            assert len(names) == len(set(names))
            assert {f"stay{i}" for i in range(100)} <= set(names)
    finally:
        done.set()
        churner.join()
    eventually(lambda: len(account.client.names("d")) == 100, "a quiet folder")
