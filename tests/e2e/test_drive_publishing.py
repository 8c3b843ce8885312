"""Files of a drive that are replaced, and the drive refuses a step of it or its answer is lost: each name holds the whole
old or the whole new content then, all of an upload or none, and nothing hidden stays."""

import random

import pytest

from client import form
from driving import KINDS, drive_over_line, fails, new_name
from fake_dav import LOST
from faulty_line import CONTROL, DOWN
from mounting import is_partial
from server import eventually

CONTENT = random.Random(17).randbytes(60_000)
OLD = {f"file {number}": b"old content" * (number + 1) for number in range(3)}
NEW = {name: CONTENT[number:] for number, name in enumerate(OLD)}
STEPS = [(1, "PUT", 1), (1, "MOVE", 1), (1, "MOVE", 2), (1, "DELETE", 1), (3, "PUT", 1), (3, "PUT", 3),
         *((3, "MOVE", number) for number in range(1, 7)), (3, "DELETE", 1), (3, "DELETE", 3)]

steps = pytest.mark.parametrize("count, method, number", STEPS, ids=lambda value: str(value))


class Refusals:
    """`how` for the request `number` of a method: for each time that it is tried, or once. `onwards`: also for those of
    the same method behind it."""

    def __init__(self, method, number, how, times=1000, onwards=False):
        self.method, self.number, self.how, self.left, self.onwards = method, number, how, times, onwards
        self.seen, self.happened = [], 0

    def __call__(self, method, path):
        if method != self.method:
            return None
        if path not in self.seen:
            self.seen.append(path)
        at = self.seen.index(path) + 1
        if self.left == 0 or not (at == self.number or (self.onwards and at > self.number)):
            return None
        self.left -= 1
        self.happened += 1
        return self.how


def some(files, count):
    return dict(list(files.items())[:count])


def left_over(dav, method):
    """A drive that lets nothing be deleted keeps what was replaced, in sight."""
    return [name for name in dav.contents() if ".replaced-" in name] if method == "DELETE" else []


def upload(account, path, dav, count):
    """The answer, and what must be there then."""
    dav.refuse, refusals = lambda *request: None, dav.refuse
    account.client.list(path).ok()
    dav.refuse = refusals
    answer = account.client.upload(path, form(*some(NEW, count).items()))
    assert refusals.happened
    return answer, some(NEW if answer.status == 200 else OLD, count)


@pytest.mark.parametrize("how, status", [(403, 403), (500, 502), (507, 502)])
@steps
def test_a_step_is_refused(fake, account, count, method, number, how, status):
    dav, path = fake(some(OLD, count), refuse=Refusals(method, number, how))
    answer, expected = upload(account, path, dav, count)
    if method == "DELETE":
        answer.ok()
    else:
        fails(answer, status)
    in_sight = left_over(dav, method)
    eventually(lambda: {name: content for name, content in dav.contents().items() if name not in in_sight} == expected,
               "all or nothing, and nothing hidden")
    assert len(in_sight) == (method == "DELETE") and all(dav.contents()[name] in OLD.values() for name in in_sight)


@pytest.mark.parametrize("times", [1, 1000], ids=["once", "each-time"])
@steps
def test_the_answer_to_a_step_is_lost(fake, account, count, method, number, times):
    """The step is done, and is tried again by who does not know."""
    dav, path = fake(some(OLD, count), refuse=Refusals(method, number, LOST, times))
    answer, expected = upload(account, path, dav, count)
    if answer.status != 200:
        fails(answer, 502)
    eventually(lambda: dav.contents() == expected, "all or nothing, and nothing hidden")


@pytest.mark.parametrize("how", [403, 500, LOST], ids=str)
@pytest.mark.parametrize("number", range(1, 7))
def test_what_cannot_be_moved_back_is_in_sight(fake, account, number, how):
    """No MOVE works any more: then no content of what was replaced is lost, and none is hidden."""
    dav, path = fake(OLD, refuse=Refusals("MOVE", number, how, onwards=True))
    answer, _ = upload(account, path, dav, 3)
    if how != LOST:
        fails(answer, 403, 502)
    eventually(lambda: not any(map(is_partial, dav.contents())), "what is hidden to go")
    there = dav.contents()
    for name, old in OLD.items():
        assert old in there.values() or there.get(name) == NEW[name], (name, list(there))
        assert there.get(name) in (None, old, NEW[name])


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_the_line_is_cut_in_any_answer(account, drive_servers, kind, count):
    with drive_over_line(account.server, account.name, drive_servers(kind), new_name()) as (place, line):
        client, old, new = account.client, some(OLD, count), some(NEW, count)
        place.plant(old)
        client.list(place.path).ok()
        before = line.passed[CONTROL, DOWN]
        client.upload(place.path, form(*new.items())).ok()
        eventually(lambda: place.everything() == new, "what was replaced to go")
        answers = line.passed[CONTROL, DOWN] - before
        happened = 0
        for part in range(8):  # Not each upload asks as much.
            place.plant(old)
            fault = line.fault("cut", after=answers * part // 8, direction=DOWN)
            answer = client.upload(place.path, form(*new.items()))
            happened += fault.happened
            line.mend()
            if answer.status != 200:
                fails(answer, 502)
            expected = new if answer.status == 200 else old
            eventually(lambda: place.everything() == expected, f"all or nothing, and nothing hidden, after {part}/8")
            eventually(lambda: client.list(place.path).status == 200, "the drive to serve")
        assert happened >= 5
