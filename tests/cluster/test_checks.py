"""Each check refuses a history that is wrong, and takes one that is right."""

import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "e2e")]

from checks import (check_bank, check_folder_keys, check_garbage, check_living, check_register, check_rest,  # noqa: E402
                    check_revocation, check_set, check_told, check_tree, check_uploads)
from history import OK, REFUSED, UNKNOWN, Reply, wrong_in  # noqa: E402


def add(outcome, **files):
    return {"op": "add", "files": files, "outcome": outcome}


SET_CASES = {
    "lost": ([add(OK, a="1")], [set(), set()], {}),
    "listed by one alone": ([add(OK, a="1")], [{"a"}, set()], {"a": "1"}),
    "other bytes": ([add(OK, a="1")], [{"a"}], {"a": "2"}),
    "torn though unknown": ([add(UNKNOWN, a="1")], [{"a"}], {"a": "0"}),
    "half of an upload": ([add(UNKNOWN, a="1", b="2")], [{"a"}], {"a": "1"}),
    "refused and there": ([add(REFUSED, a="1")], [{"a"}], {"a": "1"}),
    "deleted and there": ([add(OK, a="1"), {"op": "delete", "name": "a", "outcome": OK}], [{"a"}], {"a": "1"}),
    "never sent": ([], [{"a"}], {"a": "1"}),
}


@pytest.mark.parametrize("case", SET_CASES)
def test_a_set_that_is_wrong(case):
    assert check_set(*SET_CASES[case])


def test_a_set_that_is_right():
    entries = [add(OK, a="1"), add(UNKNOWN, b="2"), add(UNKNOWN, c="3"), add(OK, d="4"), add(OK, e="5"), add(REFUSED, f="6"),
               {"op": "delete", "name": "d", "outcome": OK}, {"op": "delete", "name": "e", "outcome": UNKNOWN}]
    assert check_set(entries, [{"a", "b"}, {"a", "b"}], {"a": "1", "b": "2"}) == []


def operation(op, begin, end, value=None, expected=None, outcome=OK, status=200):
    return {"op": op, "begin": begin, "end": end, "value": value, "expected": expected, "outcome": outcome, "status": status}


REGISTER_CASES = {
    "an old value": [operation("write", 0, 1, "b"), operation("read", 2, 3, "a")],
    "back and forth": [operation("write", 0, 9, "b"), operation("read", 1, 2, "b"), operation("read", 3, 4, "a")],
    "two swaps of one version": [operation("swap", 0, 1, "b", "a"), operation("swap", 0, 1, "c", "a")],
    "a value that was refused": [operation("write", 0, 1, "b", outcome=REFUSED, status=503), operation("read", 2, 3, "b")],
    "a swap that should have worked": [operation("swap", 0, 1, "b", "a", REFUSED, 412)],
    "a lost write": [operation("write", 0, 1, "b"), operation("swap", 2, 3, "c", "b"), operation("read", 4, 5, "b")],
    "an absent file": [operation("read", 0, 1, "absent")],
}


@pytest.mark.parametrize("case", REGISTER_CASES)
def test_a_register_that_is_wrong(case):
    assert check_register(REGISTER_CASES[case], "a")


def test_a_register_that_is_right():
    assert check_register([
        operation("write", 0, 10, "b"), operation("read", 1, 2, "a"), operation("read", 3, 4, "b"),
        operation("swap", 5, 6, "c", "a", REFUSED, 412), operation("swap", 5, 8, "d", "b"), operation("read", 9, 10, "d"),
        operation("write", 11, 12, "e", outcome=UNKNOWN), operation("read", 13, 14, "d"), operation("read", 40, 41, "e"),
    ], "a") == []


def test_many_writes_of_unknown_outcome_do_not_take_for_ever():
    lost = [operation("write", number, number + 1, f"lost{number}", outcome=UNKNOWN) for number in range(40)]
    known = [one for number in range(0, 120, 2) for one in (operation("write", number, number + 1, f"w{number}"),
                                                           operation("read", number + 1, number + 2, f"w{number}"))]
    assert check_register([*lost, *known], "a") == []
    assert check_register([*lost, *known, operation("read", 200, 201, "lost39")], "a") == []
    assert check_register([*known, operation("read", 200, 201, "w0")], "a")


def test_a_bank_that_is_wrong():
    assert check_bank([(60, 41, 0)], 100, False)
    assert check_bank([(0, 0, 101)], 100, False)
    assert check_rest(5, 0, 5, 5, 6)
    assert check_rest(5, 1, 5, 5, 5)


def test_a_bank_that_is_right():
    assert check_bank([(60, 40, 100), (0, 0, 0)], 100, False) == []
    assert check_rest(5, 0, 5, 5, 5) == []


def test_trees_that_are_wrong():
    assert check_tree([[("a", "1"), ("b/a", "1")]], {"1"}, 2)
    assert check_tree([[("a", "1")]], {"1", "2"}, 1)
    assert check_tree([[("a", "1")]], {"1"}, 2)
    assert check_tree([[("a", "1")], [("b", "1")]], {"1"}, 1)
    assert check_tree([[("a", "1")]] * 3, {"1"}, 1) == []


def right(op, begin, end, outcome=OK, status=200):
    return {"right": "k", "op": op, "begin": begin, "end": end, "outcome": outcome, "status": status}


def test_rights_that_are_wrong():
    granted, revoked = right("grant", 0, 1), right("revoke", 5, 6)
    assert check_revocation([granted, revoked, right("use", 6.1, 7)])
    assert check_revocation([granted, revoked, right("use", 2, 3, REFUSED, 401)])
    assert check_folder_keys([{"op": "read", "identity": "a", "seen": "b"}], {})
    assert check_folder_keys([], {"a": {"a", "b"}})


def test_rights_that_are_right():
    assert check_revocation([right("grant", 0, 1), right("revoke", 5, 6), right("use", 2, 3), right("use", 5.9, 7),
                             right("use", 7, 8, REFUSED, 401), right("use", 3, 4, REFUSED, 503)]) == []
    assert check_revocation([right("revoke", 5, 6, UNKNOWN, None), right("use", 7, 8)]) == []
    assert check_folder_keys([{"op": "read", "identity": "a", "seen": "a"}, {"op": "read", "identity": "a", "seen": None}], {"a": {"a"}}) == []


def test_uploads_that_are_wrong():
    assert check_uploads([{"name": "a", "size": 1, "sent": "1", "found": "2"}])
    assert check_uploads([{"name": "a", "size": 1, "sent": "1", "found": None}])
    assert check_uploads([{"name": "a", "size": 1, "sent": "1", "found": "1"}]) == []


def test_garbage_that_is_wrong():
    assert check_garbage({"a": "1"}, set(), [], 0) == (["1 objects have no row: ['a']"], 1)
    assert check_garbage({"a": "1"}, set(), [], 1) == ([], 1)
    assert check_garbage({}, {"a"}, [("a", "1")], 0)[0]
    assert check_garbage({"a": "2"}, {"a"}, [("a", "1")], 0)[0]
    assert check_garbage({"a": "1"}, {"a", "b"}, [("a", "1")], 0) == ([], 0)


def test_the_living_that_are_disturbed():
    assert check_living([{"what": "a task", "expected": {"done"}, "found": "interrupted"}])
    assert check_living([{"what": "a task", "expected": {"done"}, "found": "done"}]) == []


def test_listeners():
    changes = [{"begin": 1, "outcome": OK}, {"begin": 5, "outcome": OK}, {"begin": 9, "outcome": UNKNOWN}]
    assert check_told(changes, [[2, 6], [2]])
    assert check_told(changes, [[]])
    assert check_told(changes, [[6], [5.1]]) == []


def test_answers_that_are_wrong():
    problem = {"Content-Type": "application/problem+json"}
    assert wrong_in(Reply(500, {}, b"{}"))
    assert wrong_in(Reply(503, {}, b'{"success": false, "error": "later"}'))
    assert wrong_in(Reply(503, {"Retry-After": "1"}, b"<html>"))
    assert wrong_in(Reply(503, {**problem, "Retry-After": "1"}, b'{"status": 500, "code": "a", "detail": "b"}'))
    assert wrong_in(Reply(503, {"Retry-After": "1"}, b'{"success": false, "error": "later"}')) is None
    assert wrong_in(Reply(404, problem, b'{"status": 404, "code": "a", "detail": "b"}')) is None
