"""Work that is held in its middle, over a line that can be: what tests share of rights that are withdrawn, and of clients
that go, meanwhile."""

from client import FILES, encode
from mounting import Call
from raw import RawConnection, head
from server import PATIENCE_S, eventually


STATUS = {"account": 401, "key": 401, "connector": 404, "share": 404}  # Any other: 403.


class HeldWork:
    """`label` is that of the connector over the line."""

    def __init__(self, server, account, line, label):
        self.server, self.account, self.client, self.line = server, account, account.client, line
        self.connector = ["--account", account.name, label]

    def hold(self, verb, source, target, **fault):
        """The work under way, and held in its middle."""
        self.line.fault("hold", **fault)
        call = Call(lambda: getattr(self.client, verb)(source, target))
        eventually(lambda: self.line.held.is_set() or not call.is_alive(), "the middle of the work")
        assert self.line.held.is_set(), f"it ended before: {call.answer}"
        return call

    def withdraw(self, what):
        self.server.cli(*{
            "connector": ["connector", "remove", *self.connector],
            "writing to the connector": ["connector", "set", *self.connector, "--read-only", "true"],
            "key": ["key", "revoke", self.account.key_id, "--account", self.account.name],
            "account": ["account", "set", self.account.name, "--disabled", "true"],
        }[what])

    def refuses(self, call, what):
        """It goes on once the server has seen that it must not, and answers why."""
        eventually(lambda: f"of account {self.account.name} stops because" in self.server.log(), "the end of the right to be seen")
        self.line.mend()
        assert "under way" in call.result().fails(STATUS.get(what, 403))


def ask_and_go(account, verb, source, target, held):
    """Asks for work, and is gone when it is held."""
    with RawConnection(account.server) as connection:
        query = encode({"from": source, "to": target})
        connection.send(head("PUT", f"{FILES}/{verb}?{query}", "Content-Length: 0", key=account.key))
        assert held.wait(PATIENCE_S)
