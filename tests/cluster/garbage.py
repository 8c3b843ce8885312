"""7: what lies in the bucket, against the rows."""

from checks import check_garbage
from history import now

DAYS_NS = 3 * 24 * 3600 * 10**9


def key_of(name):
    """That of a row, of an object's name in the bucket."""
    return name.rsplit("/", 1)[-1].replace("-", "")


OLD_ROWS = ("SELECT (SELECT count(*) FROM doomed) + (SELECT count(*) FROM loose) + (SELECT count(*) FROM objects o WHERE state = 2 OR "
            "(state = 0 AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.node = o.run)))")


def sweep(cluster, server):
    """As if all garbage were days old: a server that starts removes it. Contents are released in one sweep, and removed in a
    later one."""
    end = now() + 120
    left = None
    while left != ["0"]:
        assert now() < end, f"garbage is not removed: {left} rows"
        cluster.database.ask(f"UPDATE objects SET changed_at = changed_at - {DAYS_NS} WHERE state <> 1")
        cluster.database.ask("UPDATE jobs SET due_at = 0 WHERE name = 'garbage of objects'")
        cluster.restart(server)
        soon = now() + 5
        while (left := cluster.database.ask(OLD_ROWS)) != ["0"] and now() < soon:
            pass


def judge(cluster, may_remain):
    """What is wrong, and the figures."""
    hashes = {key_of(name): sha256 for name, sha256 in cluster.store.hashes().items() if not name.endswith("coffer-mark")}
    rows = {row.replace("-", "") for row in cluster.database.ask("SELECT id FROM objects")}
    segments = [tuple(row.replace("-", "").split("|")) for row in cluster.database.ask(
        "SELECT object, encode(sha256, 'hex') FROM segments UNION SELECT object, encode(sha256, 'hex') FROM upload_segments")]
    wrong, unknown = check_garbage(hashes, rows, segments, may_remain)
    return wrong, {"objects": len(hashes), "rows": len(rows), "segments": len(segments), "without a row": unknown}
