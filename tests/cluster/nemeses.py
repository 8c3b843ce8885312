"""What is done to the bed. Each has `begin`, and `end`, from which on all must be well within seconds; `part` is what of the bed it
disturbs, so that two at once disturb different parts, and `hold_s` for how long."""

import signal

from cluster import ODD_CLOCK, SMALL_DISK


class Nemesis:
    part = "server"
    hold_s = (1, 3)
    weight = 2  # How often it is in the deck; what takes long is in it once.

    def __init__(self, cluster, chance):
        self.cluster, self.chance = cluster, chance
        self.number = chance.randrange(cluster.SERVERS)
        self.server = cluster.servers[self.number]

    @property
    def name(self):
        return type(self).__name__

    def seconds(self):
        return self.chance.uniform(*self.hold_s)

    def mark(self, round_):
        """What of the round it disturbs."""
        round_.disturbed.add(self.number)

    def begin(self):
        raise NotImplementedError

    def end(self):
        self.cluster.network.mend()


class Kill(Nemesis):
    """SIGKILL; it is started again a moment later, and ends its earlier run itself."""

    def mark(self, round_):
        round_.killed.add(self.number)

    def begin(self):
        self.cluster.supervisor.held.add(self.number)
        self.cluster.supervisor.kill(self.number)

    def end(self):
        self.cluster.supervisor.held.discard(self.number)


class KillForLong(Kill):
    """Until the others have ended its run."""

    hold_s = (13, 15)
    weight = 1


class Sweep(Kill):
    """The objects of ended runs are swept with no grace, while load is on, by the server as it starts."""

    weight = 1

    def begin(self):
        super().begin()
        self.cluster.database.surely(
            "UPDATE objects o SET changed_at = 0 WHERE state = 0 AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.node = o.run)")
        self.cluster.database.surely("UPDATE jobs SET due_at = 0 WHERE name = 'garbage of objects'")


class Pause(Nemesis):
    def begin(self):
        self.server.send_signal(signal.SIGSTOP)

    def end(self):
        self.server.send_signal(signal.SIGCONT)


class PauseForLong(Pause):
    hold_s = (15, 30)
    weight = 1


class Unplug(Nemesis):
    part = "network"

    def begin(self):
        self.cluster.network.unplug(self.number)

    def end(self):
        self.cluster.network.plug(self.number)


class Deaf(Nemesis):
    """What it is sent is lost."""

    part = "network"

    def begin(self):
        self.cluster.network.drop(self.number, inwards=False)


class Mute(Nemesis):
    """What it sends is lost."""

    part = "network"

    def begin(self):
        self.cluster.network.drop(self.number, outwards=False)


class NoDatabase(Nemesis):
    part = "network"

    def begin(self):
        self.cluster.network.drop(self.number, self.cluster.database.port)


class DeafToDatabase(Nemesis):
    """Statements arrive, and answers do not."""

    part = "network"

    def begin(self):
        self.cluster.network.drop(self.number, self.cluster.database.port, inwards=False)


class NoStore(Nemesis):
    part = "network"

    def begin(self):
        self.cluster.network.drop(self.number, self.cluster.store.port)


class Zombie(Nemesis):
    """It works on, cut off from the database, which has seen its connections end: others end its run."""

    part = "network"
    hold_s = (14, 18)
    weight = 1

    def mark(self, round_):
        round_.killed.add(self.number)

    def begin(self):
        self.cluster.network.drop(self.number, self.cluster.database.port)
        self.cluster.database.primary.end_connections_from(self.server.address)


class DatabaseNemesis(Nemesis):
    part = "database"

    def mark(self, round_):
        round_.is_shared = True


class DatabaseRestart(DatabaseNemesis):
    def begin(self):
        self.cluster.database.primary.end()

    def end(self):
        self.cluster.database.primary.start()


class Promotion(DatabaseNemesis):
    """The primary is lost, and a synchronous standby takes its place."""

    def begin(self):
        self.cluster.database.add_standby()
        self.cluster.database.lose_primary()

    def end(self):
        self.cluster.database.promote()
        self.cluster.network.lead_to(self.cluster.database.port)


class StoreNemesis(Nemesis):
    part = "store"
    fault = None

    def mark(self, round_):
        round_.is_shared = True

    def begin(self):
        getattr(self.cluster.store, self.fault)()

    def end(self):
        self.cluster.store.mend()


class StoreKilled(StoreNemesis):
    fault = "kill"


class StoreSlow(StoreNemesis):
    fault = "slow"


class StoreBusy(StoreNemesis):
    fault = "be_busy"


class StoreTruncates(StoreNemesis):
    fault = "truncate"


class StoreAnswersLost(StoreNemesis):
    fault = "lose_answers"


class Clock(Nemesis):
    part = "clock"
    offset = "+600"

    def __init__(self, cluster, chance):
        super().__init__(cluster, chance)
        self.number, self.server = ODD_CLOCK, cluster.servers[ODD_CLOCK]

    def mark(self, round_):
        pass  # It must not matter.

    def begin(self):
        self.server.clock.write_text(self.offset + "\n")

    def end(self):
        self.server.clock.write_text("+0\n")


class ClockAhead(Clock):
    pass


class ClockBehind(Clock):
    offset = "-600"


class ClockJumps(Clock):
    """Ahead, and then back past its own time."""

    def begin(self):
        self.server.clock.write_text("+500\n")

    def seconds(self):
        self.server.clock.write_text("-500\n")
        return super().seconds()


class DiskFull(Nemesis):
    part = "disk"

    def __init__(self, cluster, chance):
        super().__init__(cluster, chance)
        self.number, self.server = SMALL_DISK, cluster.servers[SMALL_DISK]
        self.filler = self.server.data / "filler"

    def begin(self):
        with self.filler.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(1 << 20)):
                    pass
            except OSError:
                pass

    def end(self):
        self.filler.unlink(missing_ok=True)


CHEAP = (Kill, Pause, Unplug, Deaf, Mute, NoDatabase, DeafToDatabase, NoStore, DatabaseRestart, Promotion, StoreKilled, StoreSlow,
         StoreBusy, StoreTruncates, StoreAnswersLost, ClockAhead, ClockBehind, ClockJumps, DiskFull)
LONG = (KillForLong, PauseForLong, Zombie, Sweep)


class Deck:
    """Hands out all kinds before it begins anew."""

    def __init__(self, cluster, chance, kinds, is_each_once):
        self.cluster, self.chance, self.kinds, self.left = cluster, chance, kinds, []
        self.is_each_once = is_each_once

    def draw(self, but=()):
        """One that disturbs none of the parts in `but`."""
        while True:
            if not self.left:
                self.left = [kind for kind in self.kinds for _ in range(1 if self.is_each_once else kind.weight)]
                self.chance.shuffle(self.left)
            for at, kind in enumerate(self.left):
                if kind.part not in but:
                    return self.left.pop(at)(self.cluster, self.chance)
            self.left = []
