"""`coffer task list|cancel`, beside a server that runs and without one."""

import json

import pytest

from people import Person
from server import eventually

ENDED = ("done", "failed", "cancelled", "interrupted")


@pytest.fixture
def own(own_server, account_on):
    """An account of a server, with a tree that takes a while to copy."""
    server = own_server()
    account = account_on(server)
    tree = account.root / "tree"
    tree.mkdir()
    for number in range(5000):
        (tree / f"{number}").write_bytes(b"x" * 10)
    account.person = Person(server, key=account.key)
    return account


def listed(account):
    return account.server.cli_json("task", "list", "--account", account.name)


def cancel(account, task, ok=True):
    return account.server.cli("task", "cancel", "--account", account.name, task, ok=ok)


def begin_many(account, count):
    """So many copies that most wait for their turn."""
    tasks = []
    for number in range(count):
        account.client.make_folder("", f"to {number}").ok()
        body = {"kind": "copy", "sources": ["tree"], "destination": f"to {number}"}
        tasks.append(account.person.ok("POST", "tasks", body, 202)["id"])
    return tasks


def state(account, task):
    return account.person.ok("GET", "tasks/" + task)["state"]


def test_tasks_are_listed(own):
    assert listed(own) == [] and own.server.cli("task", "list", "--account", own.name).stdout == ""
    task, = begin_many(own, 1)
    eventually(lambda: state(own, task) == "done", "the end of the task")
    found, = listed(own)
    assert (found["id"], found["state"], found["kind"]) == (task, "done", "copy")
    assert found["bytesDone"] == 50_000 and found["itemsDone"] >= 5000 and found["error"] is None
    heads, line = own.server.cli("task", "list", "--account", own.name).stdout.splitlines()
    assert heads.split() == ["ID", "BEGUN", "STATE", "KIND", "DONE", "WHAT"]
    assert task in line and "done" in line and "copy" in line
    own.client.delete("tree")
    assert {one["kind"] for one in listed(own)} <= {"copy", "delete"}


def test_a_task_that_waits_or_runs_is_stopped(own):
    tasks = begin_many(own, 12)
    last = tasks[-1]
    assert last in cancel(own, last).stdout
    eventually(lambda: state(own, last) in ENDED, "the end of the task that was stopped")
    assert state(own, last) == "cancelled" and own.client.names("to 11") == []
    for task in tasks:
        cancel(own, task, ok=False)
    eventually(lambda: all(state(own, task) in ENDED for task in tasks), "the ends of the others")
    for number, task in enumerate(tasks):
        names = own.client.names(f"to {number}")
        assert names == (["tree"] if state(own, task) == "done" else []), (state(own, task), names)
    assert {state(own, task) for task in tasks} <= {"done", "cancelled"}
    eventually(lambda: own.server.wrong_of(own.name) == [], "the true figures")


def test_what_cannot_be_stopped(own, account_on):
    task, = begin_many(own, 1)
    eventually(lambda: state(own, task) == "done", "the end of the task")
    other = account_on(own.server)
    for account, which, word in ((own, task, "ended"), (own, "0" * 32, "no such task"), (other, task, "no such task")):
        told = cancel(account, which, ok=False)
        assert told.returncode == 1 and told.stdout == "" and told.stderr.count("\n") == 1 and word in told.stderr, told
    told = own.server.cli("task", "cancel", "--account", own.name, "0" * 32, "--json", ok=False)
    assert json.loads(told.stderr)["success"] is False
    assert own.server.cli("task", "list", "--account", "nobody", ok=False).returncode == 1


def test_without_a_server(own):
    tasks = begin_many(own, 4)
    own.server.kill()
    states = {one["id"]: one["state"] for one in listed(own)}
    assert set(states) == set(tasks) and set(states.values()) <= {"running", "waiting", "done"}
    left = [task for task in tasks if states[task] != "done"]
    for task in left:
        cancel(own, task)
    own.server.start()
    assert {state(own, task) for task in left} <= {"interrupted"}
