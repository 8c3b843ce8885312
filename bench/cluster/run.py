"""What an operation takes when more servers share the work, and what a cluster slowed down on one machine does.

    bench/cluster/run.py [--sizes 1,2,4,8] [--seconds S] [--json FILE] [--only counts,demand,rates]

Counts of round trips and requests are exact. Processor times are of servers that have a share of a core each (`--node-cores`), so
that all have the same room whatever their number. `rates` holds PostgreSQL to a share too, and adds servers until it is full. Where
that leaves less than a fifth of the machine, the run is void. Other work on the machine gives way. Needs root, for control groups.
Started by hand."""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import time

from bed import Bed, LockSampler, Watch
from load import MIX, PROGRAMS

CALLERS = 4  # Of each server.
LEAST_LEFT = 0.2


def show(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def grow(nodes, size):
    while len(nodes.nodes) < size:
        nodes.add()


def counts(bed, sizes, rounds):
    """Round trips to PostgreSQL and requests to the store, for each request, and for each idle server in a second."""
    found = []
    with bed.lines() as (database, store):
        settings = {"database": database.url(bed.database), "objects_endpoint": store.url}
        with bed.nodes("counted", **settings) as nodes:
            for size in sizes:
                grow(nodes, size)
                if not bed.own:
                    bed.make_callers(nodes, max(sizes))
                time.sleep(1)
                idle = _counted(database, store, lambda: time.sleep(4))
                rates = [count / idle["seconds"] for count in (idle["trips"], idle["requests"])]
                found.append({"size": size, "what": "idle", "trips": rates[0] / size, "requests": rates[1] / size})
                for what, kinds in PROGRAMS.items():
                    pairs = bed.pairs(nodes.nodes, bed.own, kinds)
                    bed.generator.run(60, 5, pairs)  # Programs are prepared once on each connection.
                    answered = {}
                    used = _counted(database, store, lambda: answered.update(bed.generator.run(60, rounds, pairs)[1]))
                    total = sum(answered.values())
                    found.append({"size": size, "what": what,
                                  "trips": (used["trips"] - rates[0] * used["seconds"]) / total,
                                  "requests": (used["requests"] - rates[1] * used["seconds"]) / total})
    return found


def _counted(database, store, work):
    before, start = (database.trips, store.requests), time.monotonic()
    work()
    return {"trips": database.trips - before[0], "requests": store.requests - before[1], "seconds": time.monotonic() - start}


def grouped(bed, nodes, cores):
    groups = []
    for number, node in enumerate(nodes.nodes):
        groups.append(bed.group(f"node{number}", node.process.pid))
        groups[-1].limit(cores)
    return groups


def demand(bed, nodes, sizes, options):
    """Processor times and bytes of the log, for each request, without what idle servers take."""
    found = []
    for size in sizes:
        grow(nodes, size)
        groups = grouped(bed, nodes, options.node_cores)
        bed.settle()
        time.sleep(1)
        watch = Watch(bed, groups)
        time.sleep(5)
        idle = watch.end()
        found.append({"size": size, "what": "idle", **{name: idle[name] / idle["seconds"] / size for name in ("node", "postgres", "wal_bytes")}})
        work = [(what, bed.own, kinds) for what, kinds in PROGRAMS.items()]
        work += [("mix", bed.own, MIX), ("mix, one account and folder", bed.hot, MIX)]
        for what, callers, kinds in work:
            pairs = bed.pairs(nodes.nodes, callers, kinds)
            bed.generator.run(60, 2, pairs)
            sampler, watch = LockSampler(bed.database), Watch(bed, groups)
            seconds, answered = bed.generator.run(options.seconds, 10**6, pairs)
            used, (at_work, waiting) = watch.end(), sampler.end()
            total = sum(answered.values())
            each = {name: (used[name] - idle[name] / idle["seconds"] * seconds) / total for name in ("node", "postgres", "store", "wal_bytes")}
            found.append({"size": size, "what": what, "rate": total / seconds, **each, "waiting": waiting / max(at_work, 1),
                          "deadlocks": used["deadlocks"], "rollbacks": used["rollbacks"] / total, "left": used["left"]})
            show(what, size, f"{total / seconds:.0f}/s", *(f"{each[name] * 1e6:.0f} us" for name in ("node", "postgres", "store")),
                 f"{each['wal_bytes']:.0f} B", f"{waiting / max(at_work, 1):.1%}", used["deadlocks"], used["rollbacks"],
                 f"{used['left']:.0%}")
    return found


def rates(bed, nodes, sizes, options):
    """Requests of the mix in a second, with PostgreSQL held to so many times what a server has; 0 does not hold it."""
    found = []
    postgres = bed.groups["postgres"]
    for share in options.postgres_shares:
        postgres.limit(share * options.node_cores or None)
        for size in sizes:
            groups = grouped(bed, nodes, options.node_cores)[:size]
            pairs = bed.pairs(nodes.nodes[:size], bed.own, MIX)
            bed.generator.run(60, 1, pairs)
            watch = Watch(bed, groups)
            seconds, answered = bed.generator.run(options.seconds, 10**6, pairs)
            used = watch.end()
            total = sum(answered.values())
            found.append({"size": size, "postgres_share": share, "rate": total / seconds, "left": used["left"],
                          **{name: used[name] / total for name in ("node", "postgres", "store")},
                          "postgres_cores": used["postgres"] / used["seconds"], "node_cores": used["node"] / used["seconds"]})
            void = "" if used["left"] >= LEAST_LEFT else "VOID"
            show(f"PostgreSQL {share or 'not held'}", size, f"{total / seconds:.1f}/s", f"{used['node'] / used['seconds']:.3f}",
                 f"{used['postgres'] / used['seconds']:.3f}", f"{used['store'] / used['seconds']:.3f}", f"{used['left']:.0%}", void)
    postgres.limit(None)
    return found


def spread(figures):
    """The most that a figure differs from that of one server, for all that are not next to nothing."""
    ones = {figure["what"]: figure for figure in figures if figure["size"] == 1}
    for name, least in (("trips", 0.05), ("requests", 0.05), ("node", 5e-6), ("postgres", 5e-6), ("wal_bytes", 50)):
        ratios = [(figure[name] / ones[figure["what"]][name], figure["what"], figure["size"]) for figure in figures
                  if figure["size"] > 1 and ones[figure["what"]].get(name, 0) > least]
        if ratios:
            print(f"{name}: {min(ratios)} to {max(ratios)}, median {statistics.median(ratio for ratio, _, _ in ratios):.3f}")


def measured(bed, most, options):
    results = {}
    bed.group_postgres()
    bed.group_store()
    with bed.nodes("measured") as nodes:
        grow(nodes, 1)
        if not bed.own:
            bed.make_callers(nodes, most)
        if "demand" in options.only:
            results["demand"] = demand(bed, nodes, options.sizes, options)
            spread(results["demand"])
        if "rates" in options.only:
            grow(nodes, most)
            results["rates"] = rates(bed, nodes, options.more_sizes, options)
    return results


def main():
    parser = argparse.ArgumentParser(prog="bench/cluster/run.py")
    parser.add_argument("--sizes", default="1,2,4,8", type=lambda text: [int(word) for word in text.split(",")])
    parser.add_argument("--more-sizes", default="1,2,3,4,6,8", type=lambda text: [int(word) for word in text.split(",")])
    parser.add_argument("--postgres-shares", default="2,0", type=lambda text: [float(word) for word in text.split(",")])
    parser.add_argument("--only", default="counts,demand,rates", type=lambda text: text.split(","))
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--node-cores", type=float, default=0.08)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    results = {"options": {name: value for name, value in vars(options).items() if name != "json"}}
    with tempfile.TemporaryDirectory(prefix="cluster-") as folder:
        bed = Bed(pathlib.Path(folder), CALLERS)
        try:
            most = max(options.sizes + (options.more_sizes if "rates" in options.only else []))
            if "counts" in options.only:
                results["counts"] = counts(bed, options.sizes, options.rounds)
                for figure in results["counts"]:
                    show(figure["what"], figure["size"], f"{figure['trips']:.2f}", f"{figure['requests']:.2f}")
                spread(results["counts"])
            if set(options.only) & {"demand", "rates"}:
                results |= measured(bed, most, options)
        finally:
            bed.close()
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
