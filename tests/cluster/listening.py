"""Clients that listen to the events of a folder, one at each server, and others that change it."""

import threading
import time

from checks import check_told
from event_stream import EventStream, by_key
from history import now
from workloads import Workload


class EventsLoad(Workload):
    name = "events"
    clients = 1
    pause_s = 0.2
    FOLDER = "watched"

    def prepare(self):
        self.make_folder("", self.FOLDER)

    def begin(self, round_):
        super().begin(round_)
        self.is_over = threading.Event()
        self.told = [[] for _ in self.bed.servers.nodes]
        self.streams = [None for _ in self.bed.servers.nodes]
        self.listeners = [threading.Thread(target=self.listen, args=(number,), daemon=True) for number in range(len(self.told))]
        for listener in self.listeners:
            listener.start()

    def listen(self, number):
        """Until it is over, however often the line breaks."""
        server = self.bed.servers[number]
        last_id = None
        while not self.is_over.is_set():
            try:
                stream = self.streams[number] = EventStream(server, by_key(self.key), self.FOLDER, last_id=last_id,
                                                            address=server.address, patience_s=30)
                while stream.status == 200 and (event := stream.next()):
                    last_id = stream.last_id
                    if event in (("folder", {"path": self.FOLDER}), ("resync", {})):
                        self.told[number].append(now())
            except (OSError, AssertionError, ValueError, IndexError, TypeError):
                pass  # The line broke in the middle of something.
            self.is_over.wait(0.1)

    def act(self, round_, caller, chance, number):
        place = caller.some_place()
        self.note("change", lambda: caller.put("put", place, f"{self.FOLDER}/{chance.randrange(5)}", chance.randbytes(20)))

    def rest(self, round_):
        end = now() + 40
        while wrong := check_told(self.history.entries, self.told):
            if now() > end:
                break
            time.sleep(0.1)
        self.is_over.set()
        for stream in self.streams:
            if stream:
                stream.socket.close()
        return wrong
