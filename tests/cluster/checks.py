"""Judges histories. Each check takes what was recorded and returns what is wrong with it, in words: nothing if all is well."""

import collections

from history import OK, REFUSED, UNKNOWN
from linearizability import Operation, order_of


def check_set(entries, listings, contents):
    """1: `entries` are uploads of unique names ("add": `files` is digest by name) and their deletions ("delete": `name`), all by
    one client for each name; `listings` the names that each server lists at rest; `contents` the digests read then."""
    wrong = [f"server {server} lists {sorted(names ^ listings[0])[:5]} other than server 0"
             for server, names in enumerate(listings) if names != listings[0]]
    there = listings[0] if listings else set()
    digests, must, must_not = {}, set(), set()
    for entry in entries:
        names = set(entry.get("files", ())) or {entry["name"]}
        digests.update(entry.get("files", {}))
        is_there = entry["op"] == "add"
        if entry["outcome"] == UNKNOWN:
            must -= names
            if is_there and 0 < len(names & there) < len(names):
                wrong.append(f"of one upload of {sorted(names)} only {sorted(names & there)} are there")
        elif entry["outcome"] == OK:
            must = must | names if is_there else must - names
            must_not = must_not - names if is_there else must_not | names
        elif is_there:
            must_not |= names
    wrong += [f"{name} was stored and is gone" for name in sorted(must - there)]
    wrong += [f"{name} was refused or deleted and is there" for name in sorted(must_not & there)]
    wrong += [f"{name} was never sent and is there" for name in sorted(there - set(digests))]
    wrong += [f"{name} has other bytes: {contents.get(name)}" for name in sorted(there & set(digests))
              if contents.get(name) != digests[name]]
    return wrong


def check_register(entries, first):
    """2: of one name. `entries` have "op" (read, write, swap), "begin", "end", "outcome", "value" and "expected"."""
    operations = []
    for entry in entries:
        end, kind = entry["end"], entry["op"]
        if entry["outcome"] == UNKNOWN:
            if kind == "read":
                continue
            end = float("inf")
        elif entry["outcome"] == REFUSED:
            if kind != "swap" or entry["status"] != 412:
                continue
            kind = "fail"
        operations.append(Operation(kind, entry["begin"], end, entry["value"], entry.get("expected")))
    if order_of(operations, first) is None:
        return [f"{len(operations)} operations from {first} are in no order: {operations}"]
    return []


def check_bank(samples, limit, may_lag):
    """3: `samples` are (used, reserved, sum of the sizes by names), read in one snapshot each. `may_lag`: a server was killed."""
    wrong = [f"used {used} and reserved {reserved} are more than {limit}" for used, reserved, _ in samples
             if used + reserved > limit]
    if not may_lag:
        wrong += [f"files of {stored} bytes are more than {limit}" for _, _, stored in samples if stored > limit]
    return wrong


def check_rest(used, reserved, by_names, by_listing, by_reading):
    """3, at rest: `used` is what there is."""
    figures = {"used": used, "names": by_names, "listing": by_listing, "reading": by_reading}
    wrong = [f"the figures differ at rest: {figures}"] if len(set(figures.values())) != 1 else []
    return wrong + ([f"{reserved} bytes are reserved at rest"] if reserved else [])


def check_tree(walks, expected, rows):
    """4: `walks` are, of each server, the paths and what is told to be there (the id); `rows` the number of nodes in the catalog."""
    wrong = []
    for server, walk in enumerate(walks):
        counts = collections.Counter(identity for _, identity in walk)
        wrong += [f"server {server} reaches {identity} {counts[identity]} times" for identity in sorted(expected)
                  if counts[identity] != 1]
        wrong += [f"server {server} reaches {identity}, which is none" for identity in sorted(set(counts) - expected)]
    if len({tuple(sorted(walk)) for walk in walks}) > 1:
        wrong.append("the servers show different trees")
    if walks and rows != len(walks[0]):
        wrong.append(f"{rows} nodes stand in the catalog, {len(walks[0])} are reached")
    return wrong


def check_revocation(entries):
    """5: `entries` are "grant", "revoke" and "use" of one right ("right"), with "begin", "end", "outcome" and "status"."""
    wrong = []
    by_right = collections.defaultdict(list)
    for entry in entries:
        by_right[entry["right"]].append(entry)
    for right, of_it in by_right.items():
        granted = min((one["end"] for one in of_it if one["op"] == "grant"), default=None)
        revocations = [one for one in of_it if one["op"] == "revoke"]
        revoked = min((one["end"] for one in revocations if one["outcome"] == OK), default=float("inf"))
        begun = min((one["begin"] for one in revocations), default=float("inf"))
        for use in (one for one in of_it if one["op"] == "use"):
            if use["begin"] > revoked and use["outcome"] == OK:
                wrong.append(f"{right} was revoked at {revoked:.3f} and served at {use}")
            if granted is not None and use["begin"] > granted and use["end"] < begun and use["status"] in (401, 403, 404):
                wrong.append(f"{right} was granted at {granted:.3f} and refused at {use}")
    return wrong


def check_folder_keys(entries, places):
    """5: `entries` are reads of the mark in the folder of a key ("identity", "seen"); `places` the identities whose keys wrote
    what lies in each folder at rest."""
    wrong = [f"a key of {entry['identity']} read {entry['seen']}: {entry}" for entry in entries
             if entry["op"] == "read" and entry["seen"] not in (None, entry["identity"])]
    return wrong + [f"in the folder {identity} lies what a key of {writer} wrote"
                    for identity, writers in places.items() for writer in sorted(writers - {identity})]


def check_uploads(uploads):
    """6: each has "name", "sent" (the digest) and "found" (the digest at rest, None if there is no file)."""
    return [f"upload {one['name']} of {one['size']} bytes: {one['found']} instead of {one['sent']}; {one.get('how')}"
            for one in uploads if one["found"] != one["sent"]]


def check_garbage(in_bucket, rows, segments, may_remain):
    """7: `in_bucket` digests by keys; `rows` the keys of objects; `segments` (key, digest) of parts of files and uploads;
    `may_remain` how many objects without a row are excused. Hands back the number of these, too."""
    unknown = set(in_bucket) - rows
    wrong = [f"{len(unknown)} objects have no row: {sorted(unknown)[:3]}"] if len(unknown) > may_remain else []
    for key, sha256 in segments:
        if key not in in_bucket:
            wrong.append(f"the object {key} of a segment is gone")
        elif in_bucket[key] != sha256:
            wrong.append(f"the object {key} of a segment has other bytes")
    return wrong, len(unknown)


def check_told(changes, told):
    """`changes` have "begin" and "outcome"; `told` are, of each listener, the times at which it was told of a change."""
    last = max((one["begin"] for one in changes if one["outcome"] == OK), default=None)
    if last is None:
        return []
    return [f"listener {listener} was not told of the change at {last:.3f}; it was of those until {max(times, default=0):.3f}"
            for listener, times in enumerate(told) if max(times, default=0) < last]


def check_living(entries):
    """8: `entries` are what servers that lived throughout had under way: "what", "expected", "found"."""
    return [f"{one['what']} of a living server: {one['found']} instead of {one['expected']}" for one in entries
            if one["found"] not in one["expected"]]
