"""What accounts cost that do nothing."""

import os
import pathlib
from concurrent.futures import ThreadPoolExecutor

ACCOUNTS = 200
MOST_THREADS = 100
MOST_DESCRIPTORS = 300


def used_by(server):
    process = pathlib.Path(f"/proc/{server.process.pid}")
    return len(os.listdir(process / "task")), len(os.listdir(process / "fd"))


def test_idle_accounts_take_few_threads_and_descriptors(own_server):
    server = own_server()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(server.add_account, [f"idle{number}" for number in range(ACCOUNTS)]))
    server.kill()
    server.start()  # After a crash all their files are counted.
    threads, descriptors = used_by(server)
    assert threads <= MOST_THREADS and descriptors <= MOST_DESCRIPTORS, (threads, descriptors)
    server.stop()
    server.start()
    after_a_clean_stop = used_by(server)
    assert after_a_clean_stop[1] <= descriptors - ACCOUNTS / 2, (after_a_clean_stop, descriptors)
    server.stop()
