"""A folder gets another name, or another folder takes its place, while it is copied: the copy is whole, or is not there.
When that happens is chosen at random; the seed is printed."""

import contextlib
import itertools
import random
import shutil
import time

import pytest

from mounting import Call, plant
from places import KINDS, one_of_each
from server import eventually

FILES = {f"{folder}{number}": b"of the one" for folder in ("", "sub/", "sub/deep/", "beside/") for number in range(15)}
OTHER = {name: b"of the other" for name in FILES} | {"more": b"of the other"}
MOMENTS = 2


@pytest.fixture(scope="module")
def places(build_server, description):
    with one_of_each(build_server, description) as made:
        yield made


def renamed(client, place):
    client.rename(place.at("from/tree"), "renamed").ok()


def moved(client, place):
    client.move(place.at("from/tree"), place.at("from/elsewhere")).ok()


def deleted(client, place):
    client.delete(place.at("from/tree")).ok()


def swapped(client, place):
    client.rename(place.at("from/tree"), "aside").ok()
    client.rename(place.at("from/other"), "tree").ok()


def part_renamed(client, place):
    client.rename(place.at("from/tree/sub"), "renamed").ok()


def part_swapped(client, place):
    client.move(place.at("from/tree/sub"), place.at("from/elsewhere")).ok()
    client.move(place.at("from/other/sub"), place.at("from/tree")).ok()


CHANGES = (renamed, moved, deleted, swapped, part_renamed, part_swapped)


def files_of(folder):
    return {str(item.relative_to(folder)): item.read_bytes() for item in folder.rglob("*") if item.is_file()}


def has_only_what_was_kept(folder):
    with contextlib.suppress(FileNotFoundError):  # It is being deleted.
        return files_of(folder) == {"kept": b""}
    return False


def whole(change, source):
    """What a copy may hold: the tree as it was before the change, as it is after it, or in between. Servers look at each
    item that they list: one that gets another name meanwhile is in the listing under none."""
    without = {name: content for name, content in FILES.items() if not name.startswith("sub/")}
    if change is swapped:
        return [FILES, OTHER]
    if change is part_renamed:
        renamed_part = {name.replace("sub/", "renamed/", 1): FILES[name] for name in FILES.keys() - without}
        return [FILES, without | renamed_part] + ([without] if source.kind in ("ftp", "sftp") else [])
    if change is part_swapped:
        return [FILES, without, without | {name: OTHER[name] for name in FILES.keys() - without}]
    return [FILES]


def routes():
    """A folder that takes the place of another is known by its number, which remote servers do not tell."""
    for source, target in itertools.product(KINDS, KINDS):
        for change in CHANGES:
            is_swap = change in (swapped, part_swapped)
            if not is_swap or source in ("own", "shared"):
                yield pytest.param(source, target, change, id=f"{source}-to-{target}-{change.__name__}")


@pytest.mark.parametrize(("source", "target", "change"), routes())
def test_a_copy_is_whole_or_not_there(places, source, target, change):
    client, source, target = places.client, places[source], places[target]
    seed = random.randrange(1 << 32)
    print("seed", seed)
    chance, lasted = random.Random(seed), None
    for _ in range(1 + MOMENTS):
        plant(source.folder / "from", {f"tree/{name}": content for name, content in FILES.items()})
        plant(source.folder / "from", {f"other/{name}": content for name, content in OTHER.items()})
        plant(source.folder / "from", {"elsewhere": None})
        plant(target.folder / "to", {"kept": b""})
        try:
            began = time.monotonic()
            call = Call(lambda: client.copy(source.at("from/tree"), target.at("to")))
            if lasted is not None:
                time.sleep(chance.random() * lasted)
                change(client, source)
            answer = call.result()
            lasted = lasted or time.monotonic() - began
            if answer.status == 200:
                assert files_of(target.folder / "to/tree") in whole(change, source)
            else:
                assert answer.status in (404, 409), answer.content
                # Within one FTP server, what was collected is deleted behind the answer.
                eventually(lambda: has_only_what_was_kept(target.folder / "to"), "nothing of it to be left")
        finally:
            shutil.rmtree(source.folder / "from", ignore_errors=True)
            shutil.rmtree(target.folder / "to", ignore_errors=True)


@pytest.mark.parametrize("kind", KINDS)
def test_a_move_of_a_folder_that_grows_is_a_conflict(places, kind):
    client, source = places.client, places[kind]
    target = places["shared" if kind == "own" else "own"]
    plant(source.folder / "from", {f"tree/{name}": content for name, content in FILES.items()})
    plant(target.folder / "to", {"kept": b""})
    refused = 0
    for number in range(50):
        call = Call(lambda: client.move(source.at("from/tree"), target.at("to")))
        time.sleep(random.random() / 20)
        with contextlib.suppress(FileNotFoundError):  # It is being deleted, out of sight.
            (source.folder / "from/tree" / f"new {number}").write_bytes(b"new")
        answer = call.result()
        there = set(files_of(source.folder / "from/tree"))
        assert answer.status in (200, 409), answer.content
        if answer.status == 409:
            refused += 1
            if not (target.folder / "to/tree").exists():
                assert there >= FILES.keys()
                continue
        shutil.rmtree(target.folder / "to/tree")  # The file came too early, or too late for the copy.
        plant(source.folder / "from", {f"tree/{name}": content for name, content in FILES.items()})
        if refused > 2:
            break
    assert refused, "none met a change"
    for place, name in ((source, "from"), (target, "to")):
        shutil.rmtree(place.folder / name)
