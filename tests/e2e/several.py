"""Several servers on one catalog of PostgreSQL."""

import shutil

from client import Client
from people import Person
from server import Server


class Nodes:
    """Servers that share a catalog and a bucket for own files, whose `settings` these are, each with a data folder of its own,
    and the first one's key."""

    def __init__(self, folder, database, count=2, **settings):
        self.folder, self.database, self.settings = folder, database, settings
        self.nodes = []
        for _ in range(count):
            self.add()

    def add(self):
        node = Server(self.folder / f"node{len(self.nodes)}", self.database, servers="several", **self.settings)
        self.prepare(node, len(self.nodes))
        if self.nodes:
            self.copy_key(node)
        self.nodes.append(node.start())
        return node

    def prepare(self, node, number):
        """Before its first start."""

    def copy_key(self, node):
        shutil.copy(self.nodes[0].data / "secret.key", node.data / "secret.key")

    def __len__(self):
        return len(self.nodes)

    def __getitem__(self, number):
        return self.nodes[number]

    def clients(self, key):
        """One of each node, with the same key."""
        return [Client(node, key) for node in self.nodes]

    def people(self, key):
        return [Person(node, key=key) for node in self.nodes]

    def end(self):
        for node in self.nodes:
            if node.running():
                node.stop()
