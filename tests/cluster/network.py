"""The machines of the bed: a network namespace for each server, on one bridge with the database and the store. Lives in the
network and mount namespaces that `run` makes."""

import pathlib
import subprocess

HERE = "10.99.0.1"  # The database, the store, the clients and the balancer.
DATABASE_PORT = 5432


def address_of(number):
    return f"10.99.0.{10 + number}"


def run(*words, stdin=None):
    done = subprocess.run(words, input=stdin, capture_output=True, text=True)
    assert done.returncode == 0, (words, stdin, done.stderr)


class Network:
    """`database_port` is where the database is that all reach at DATABASE_PORT; `lead_to` changes it for new connections."""

    def __init__(self, machines, database_port):
        folder = pathlib.Path("/run/netns")
        folder.mkdir(exist_ok=True)
        run("mount", "-t", "tmpfs", "none", str(folder))
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "bridge0", "type", "bridge")
        run("ip", "address", "add", f"{HERE}/24", "dev", "bridge0")
        run("ip", "link", "set", "bridge0", "up")
        for number in range(machines):
            self._add(number)
        run("nft", "-f", "-", stdin="table ip bed {\n"
            "chain lead { type nat hook prerouting priority dstnat; }\n"
            "chain lead_here { type nat hook output priority -100; }\n"
            "chain inwards { type filter hook input priority filter; }\n"
            "chain outwards { type filter hook output priority filter; }\n}\n")
        self.lead_to(database_port)

    @staticmethod
    def _add(number):
        name = f"node{number}"
        run("ip", "netns", "add", name)
        run("ip", "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", name, "master", "bridge0", "up")
        run("ip", "-n", name, "address", "add", f"{address_of(number)}/24", "dev", "eth0")
        for device in ("eth0", "lo"):
            run("ip", "-n", name, "link", "set", device, "up")

    @staticmethod
    def inside(number):
        """What stands in front of a program that is to run on that machine."""
        return ("nsenter", f"--net=/run/netns/node{number}", "--")

    @staticmethod
    def lead_to(port):
        rules = "".join(f"flush chain ip bed {chain}\nadd rule ip bed {chain} ip daddr {HERE} tcp dport {DATABASE_PORT} "
                        f"dnat to {HERE}:{port}\n" for chain in ("lead", "lead_here"))
        run("nft", "-f", "-", stdin=rules)

    @staticmethod
    def unplug(number):
        run("ip", "link", "set", f"node{number}", "down")

    @staticmethod
    def plug(number):
        run("ip", "link", "set", f"node{number}", "up")

    @staticmethod
    def drop(number, port=None, inwards=True, outwards=True):
        """What the machine sends (`inwards`) or is sent is lost, that from or to `port` alone if it is given."""
        ports = {"in": f"tcp dport {port}" if port else "", "out": f"tcp sport {port}" if port else ""}
        if inwards:
            run("nft", "add", "rule", "ip", "bed", "inwards", *f"ip saddr {address_of(number)} {ports['in']} drop".split())
        if outwards:
            run("nft", "add", "rule", "ip", "bed", "outwards", *f"ip daddr {address_of(number)} {ports['out']} drop".split())

    @staticmethod
    def mend():
        run("nft", "-f", "-", stdin="flush chain ip bed inwards\nflush chain ip bed outwards\n")
