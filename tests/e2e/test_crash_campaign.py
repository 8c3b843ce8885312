"""The server is killed at random moments of mixed work, again and again, and what it then holds is compared with what it
promised.
COFFER_TEST_SEED repeats a campaign as far as threads let it, COFFER_TEST_ROUNDS makes it longer."""

import contextlib
import os
import pathlib
import random
import signal
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import tiers
from campaign import Caller
from mounting import contents, is_partial, scratch
from server import DIES_WITH_US, PATIENCE_S, disk_bytes, eventually
from tus import sql

SEED = int(os.environ.get("COFFER_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
ROUNDS = tiers.crashes("test_crash_campaign")
CALLERS_OF_EACH = 3
# One of these in each thread, in which it ends: before what it does.
CALLS = ("renameat2", "linkat", "unlinkat", "mkdirat", "openat2", "fdatasync", "ftruncate",
         "sendto" if tiers.POSTGRESQL else "pwrite64")
STAGING = ".coffer-staging"
KEPT = (".log", ".lock", "-wal", "-shm", "-journal")  # What a running server has beside what is under way.


class Campaign:
    def __init__(self, server, accounts, share, shared, chance):
        self.server, self.accounts, self.share, self.shared, self.chance = server, accounts, share, shared, chance
        self.callers = [self.new_caller(account, number) for account in accounts for number in range(CALLERS_OF_EACH)]
        self.elsewhere = self.server.files_elsewhere()

    def new_caller(self, account, number):
        label = f"{account.name}-{number}"
        return Caller(account.client, label, (f"caller{number}", f"{self.share}/{label}"), self.chance)

    def crash(self, round_number):
        answered, ended = threading.Semaphore(0), threading.Event()
        with ThreadPoolExecutor(len(self.callers)) as pool:
            running = [pool.submit(caller.run, answered, ended, random.Random(f"{SEED} {round_number} {caller.label}"))
                       for caller in self.callers]
            for _ in range(self.chance.randrange(1, 150)):
                taken = answered.acquire(timeout=PATIENCE_S)
                if not taken or any(one.done() for one in running):
                    break
            if self.chance.random() < 0.5:
                self.kill_at_a_call()
            else:
                ended.wait(self.chance.random() / 20)  # Not for anything: so that it is in the middle of something.
            self.server.kill()
            assert self.server.process.returncode == -signal.SIGKILL, self.server.log()[-3000:]  # Not before, by itself.
            ended.set()
            for one in running:
                one.result()

    def kill_at_a_call(self):
        """Killed when it changes the disk or the database, if it does within a moment."""
        call, when = self.chance.choice(CALLS), self.chance.choice((1, 1, 2, 3, 5))
        tracer = subprocess.Popen(
            [*DIES_WITH_US, "strace", "-f", "-p", str(self.server.process.pid), "-o", "/dev/null", "-e", f"trace={call}",
             "-e", f"inject={call}:signal=KILL:when={when}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.server.process.wait(2)
        self.server.process.kill()
        tracer.kill()  # What it holds is dead only when it lets go.
        tracer.wait()

    def start(self):
        """Now and then it is killed again while it mends what the crash left."""
        while self.chance.random() < 0.2:
            beginning = threading.Thread(target=self.try_to_start)
            before = self.server.process
            beginning.start()
            eventually(lambda: self.server.process is not before, "the process")
            threading.Event().wait(self.chance.random() / 5)
            self.server.kill()
            beginning.join()
        self.server.start()

    def try_to_start(self):
        with contextlib.suppress(AssertionError):  # It is killed meanwhile.
            self.server.start()

    # What must hold then

    def check(self):
        eventually(lambda: sql(self.server, "SELECT count(*) FROM parked_items") == [("0",)], "moves that were cut off to end")
        for caller, account in zip(self.callers, [one for one in self.accounts for _ in range(CALLERS_OF_EACH)]):
            tree = self.on_disk(account, caller.roots)
            caller.hold_against(tree, lambda key: self.reach_of(caller, key))
            self.check_listings(caller)
        for account in self.accounts:
            eventually(lambda: account.client.used() == disk_bytes(account.root), f"the true figure of {account.name}")
        eventually(lambda: self.left_over() == set(), "the sweep")
        self.server.cli("check")
        self.server.check_log()

    def on_disk(self, account, roots):
        return {**files_below(account.root, roots[0], roots[0]),
                **files_below(self.shared, roots[1].partition("/")[2], roots[1])}

    @staticmethod
    def reach_of(caller, key):
        """The folder that a key is limited to, and what it sees there; None where it is refused."""
        client = caller.client.with_key(key)
        account = client.account()
        if account.status == 401:
            return None
        listed = client.list()
        return account.ok()["folderScope"], names_in(listed) if listed.status == 200 else listed.fails(404)

    @staticmethod
    def check_listings(caller):
        """The program shows what is on the disk."""
        tree = caller.state.tree
        for folder in caller.folders():
            shown = {entry["name"]: None if entry["isDirectory"] else entry["size"]
                     for entry in caller.client.list(folder).ok()}
            assert shown == {name.rpartition("/")[2]: content if content is None else len(content)
                             for name, content in tree.items() if name.rpartition("/")[0] == folder}
        files = sorted(name for name, content in tree.items() if content is not None)
        for name in caller.chance.sample(files, min(3, len(files))):
            assert caller.client.content(name) == tree[name], name

    def left_over(self):
        """Of work that the crash cut off; the next start removes it behind the first requests."""
        visible = [self.shared, *(account.root for account in self.accounts)]
        partial = {path for root in visible for path in paths_below(root) if is_partial(path) and STAGING not in path}
        staged = {path for path in paths_below(self.shared / STAGING) if os.path.isfile(path)}
        beside = self.server.files_elsewhere() - self.elsewhere
        return partial | {name for name in beside | staged if not name.endswith(KEPT)}


def paths_below(root):
    """Folders that go meanwhile are left out."""
    for folder, folders, names in os.walk(root):
        yield from (os.path.join(folder, name) for name in (*folders, *names))


def names_in(listed):
    return {entry["name"] for entry in listed.ok()}


def files_below(root, folder, shown_as):
    """What shows of a tree by the paths of a client; the contents of files, None for folders."""
    top = pathlib.Path(root, folder)
    tree = contents(top, but=is_partial)
    return {shown_as: None, **{f"{shown_as}/{name}": content for name, content in tree.items()}}


def test_what_was_acknowledged_outlives_every_crash(own_server, account_on):
    print(f"COFFER_TEST_SEED={SEED}")
    chance = random.Random(SEED)
    server = own_server()
    with scratch("shared") as shared:
        made = server.cli_json("share", "add", "--name", "Shared", "--target", shared, "--everyone")
        accounts = [account_on(server, "8GiB"), account_on(server)]
        campaign = Campaign(server, accounts, f"__adm_{made['id']}", shared, chance)
        for round_number in range(ROUNDS):
            campaign.crash(round_number)
            campaign.start()
            try:
                campaign.check()
            except AssertionError as error:
                raise AssertionError(f"round {round_number} of COFFER_TEST_SEED={SEED}") from error
        server.stop()
