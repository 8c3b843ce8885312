"""Rounds of load on several servers while something is done to them, and then the checks. See README.md."""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import sys
import threading
import time

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "e2e")]

import garbage  # noqa: E402
from cluster import Cluster  # noqa: E402
from cut_points import CutPoints  # noqa: E402
from history import OK, Caller, Statistics, now  # noqa: E402
from listening import EventsLoad  # noqa: E402
from living import LivingLoad  # noqa: E402
from nemeses import CHEAP, LONG, Deck  # noqa: E402
from workloads import LOADS, Round  # noqa: E402

RECOVERY_S = 15  # In which all must be well after a nemesis.
CLIENTS_S = 40  # In which each client must have ended.
EVERY = 10  # Rounds between looks at the garbage and cuts.


class Bed:
    def __init__(self, arguments):
        self.arguments, self.chance = arguments, random.Random(arguments.seed)
        self.statistics = Statistics()
        self.cluster = Cluster()
        self.faults, self.recoveries, self.failures = collections.Counter(), {}, []
        self.figures, self.rounds, self.began = {}, 0, now()
        # What workloads use.
        self.servers, self.places, self.database = self.cluster.servers, self.cluster.places, self.cluster.database
        self.supervisor = self.cluster.supervisor
        self.loads = [kind(self) for kind in (*LOADS, LivingLoad, EventsLoad)]
        self.cut_points = CutPoints(self)
        kinds = CHEAP if arguments.short else CHEAP + LONG
        self.deck = Deck(self.cluster, self.chance, kinds, arguments.short)
        self.probe_key = self.servers[0].create_key(self.servers[0].add_account("probe"))["key"]

    def run(self):
        for number in range(self.arguments.rounds):
            self.round(number)
            is_last = number == self.arguments.rounds - 1
            if is_last or number % EVERY == EVERY - 1:
                self.judge_garbage(number)
                self.cut(number, is_last)
            self.rounds = number + 1
            self.write()
        return not self.failures

    def fail(self, where, wrong):
        for one in wrong:
            self.failures.append(f"{where}: {one}"[:3000])
            print("FAILED", self.failures[-1], flush=True)

    # One round

    def round(self, number):
        round_ = Round(number, self.arguments.seed)
        began = now()
        self.guarded(f"round {number}, begin", lambda: [load.begin(round_) for load in self.loads])
        threads = [threading.Thread(target=self.client, args=(number, load, work), name=load.name, daemon=True)
                   for load in self.loads for work in load.threads(round_)]
        for thread in threads:
            thread.start()
        time.sleep(1)
        hands = self.hands()
        for hand in hands:
            self.disturb(round_, hand)
        time.sleep(0.5)
        round_.is_over.set()
        end = now() + CLIENTS_S
        for thread in threads:
            thread.join(max(0.0, end - now()))
        self.fail(f"round {number}", [f"a client of {thread.name} hangs" for thread in threads if thread.is_alive()])
        loaded = now()
        self.rest(round_, hands)
        print(f"round {number}: {[[one.name for one in hand] for hand in hands]} load {loaded - began:.1f} s, rest {now() - loaded:.1f} s",
              flush=True)

    def client(self, number, load, work):
        try:
            work()
        except Exception as error:  # Whatever it is, it is a failure of the bed and has to be seen.
            self.fail(f"round {number}, a client of {load.name}", [repr(error)])
            raise

    def hands(self):
        """The nemeses of a round: those of one hand at once, the hands one after the other."""
        if self.arguments.short:
            return [[self.deck.draw()] for _ in range(4)]
        first = self.deck.draw()
        return [[first, self.deck.draw({first.part})] if self.chance.random() < 0.3 else [first]]

    def disturb(self, round_, hand):
        for one in hand:
            self.faults[one.name] += 1
            one.mark(round_)
            one.begin()
        # It is held that long, under load.
        time.sleep(max(one.seconds() for one in hand) if not self.arguments.short else 1)
        for one in hand:
            one.end()
        self.recover(round_, hand)

    def recover(self, round_, hand):
        """Notes how long it takes until requests to each server succeed again."""
        began = now()
        with concurrent.futures.ThreadPoolExecutor(len(self.places)) as pool:
            took = list(pool.map(lambda place: self.well_after(place, began), range(len(self.places))))
        name = "+".join(sorted(one.name for one in hand))
        self.recoveries[name] = max(self.recoveries.get(name, 0), *took)
        if max(took) > RECOVERY_S:
            self.fail(f"round {round_.number}", [f"after {name} on {[one.number for one in hand]} it took {took} s"])

    def well_after(self, place, began):
        caller = Caller(self.places, self.statistics, random.Random(place), self.probe_key)
        body = bytes(5000)
        while now() - began < 60:
            if all(reply.outcome == OK for reply in (caller.put("probe", place, f"probe{place}", body), caller.get("probe", place, f"probe{place}"),
                                                     caller.list("probe", place))):
                break
            time.sleep(0.05)
        return round(now() - began, 2)

    # The checks

    def rest(self, round_, hands):
        self.guarded(f"round {round_.number}, rest", lambda: self.wait_for_life())
        with concurrent.futures.ThreadPoolExecutor(len(self.loads)) as pool:
            looks = {load: pool.submit(load.rest, round_) for load in self.loads}
        what = f"round {round_.number} {[[f'{one.name} {one.number}' for one in hand] for hand in hands]}"
        for load, look in looks.items():
            wrong = self.result_of(look)
            self.fail(f"{what}, {load.name}", wrong)
            if wrong:
                self.keep(round_, load)
        self.fail(what, self.statistics.take_breaches())
        self.take_deaths(what)

    @staticmethod
    def result_of(look):
        try:
            return look.result()
        except Exception as error:
            return [f"the look failed: {error!r}"]

    def guarded(self, where, work):
        try:
            work()
        except Exception as error:
            self.fail(where, [repr(error)])

    def take_deaths(self, what):
        deaths, self.supervisor.deaths = self.supervisor.deaths, []
        self.fail(what, deaths)

    def wait_for_life(self):
        end = now() + 60
        while len(self.cluster.living()) < self.cluster.SERVERS:
            assert now() < end, "a server does not start again"
            time.sleep(0.05)

    def keep(self, round_, load):
        """The history that was refused."""
        file = self.beside(f"-round{round_.number}-{load.name}.json")
        file.write_text(json.dumps({"first": getattr(load, "first", None), "entries": load.history.entries}, indent=0, default=str))
        for server in self.servers.nodes:
            self.beside(f"-round{round_.number}-server{server.number}.log").write_text(server.log()[-200_000:])

    def beside(self, end):
        return pathlib.Path(self.arguments.json + end)

    def judge_garbage(self, number):
        def judge():
            garbage.sweep(self.cluster, self.chance.randrange(self.cluster.SERVERS))
            zombies = self.faults["Zombie"] + self.faults["PauseForLong"]
            wrong, figures = garbage.judge(self.cluster, may_remain=4 * zombies)
            self.figures = figures
            self.fail(f"round {number}, garbage", wrong)
            print("garbage", figures, flush=True)
        self.guarded(f"round {number}, garbage", judge)

    def cut(self, number, is_last):
        if self.arguments.short:
            return
        names = sorted(self.cut_points.operations())
        chosen = set(names) if is_last else set({self.chance.choice(names)})
        self.guarded(f"round {number}, cuts", lambda: self.fail(f"round {number}, cuts", self.cut_points.cut_all(chosen)))
        self.take_deaths(f"round {number}, cuts")

    # The results

    def write(self):
        longest = max(self.recoveries.items(), key=lambda one: one[1], default=("", 0))
        result = {
            "seed": self.arguments.seed, "rounds": self.rounds, "seconds": round(now() - self.began),
            "operations": dict(sorted(self.statistics.operations.items())), "statuses": dict(sorted(self.statistics.statuses.items())),
            "faults": dict(sorted(self.faults.items())), "longest recovery": longest, "recoveries": dict(sorted(self.recoveries.items())),
            "taken over": self.supervisor.taken_over, "cuts": self.cut_points.cuts, "garbage": self.figures,
            "failures": self.failures}
        if self.arguments.json:
            self.beside("").write_text(json.dumps(result, indent=1))

    def close(self):
        self.cluster.close()


def main():
    parser = argparse.ArgumentParser(prog="tests/cluster/run")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", default="/tmp/coffer-bed.json", help="where the figures go, and histories beside it")
    parser.add_argument("--short", action="store_true", help="several cheap nemeses in each round, and no cut points")
    bed = Bed(parser.parse_args())
    try:
        is_well = bed.run()
    finally:
        bed.close()
    print(f"{bed.rounds} rounds, {len(bed.failures)} failures, longest recovery {max(bed.recoveries.values(), default=0)} s")
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
