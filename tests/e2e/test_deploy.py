"""The files of deploy/, as far as they can be looked at without the machines that they are for."""

import re
import subprocess

import pytest
import yaml

from haproxy import PROGRAM
from server import BINARY, PATIENCE_S, REPOSITORY, run

DEPLOY = REPOSITORY / "deploy"


def output(*command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def unit(tmp_path):
    """That of a machine where the program is there."""
    file = tmp_path / "coffer.service"
    text = (DEPLOY / "systemd/coffer.service").read_text()
    assert "/usr/bin/coffer " in text
    file.write_text(text.replace("/usr/bin/coffer ", f"{BINARY} "))
    return file


def test_systemd_takes_the_unit(unit):
    assert output("systemd-analyze", "verify", "--man=no", unit) == ""


def test_the_unit_is_confined(unit):
    """systemd's own measure of exposure, from 0 to 100 here."""
    output("systemd-analyze", "security", "--offline=yes", "--threshold=20", unit)


def test_the_unit_waits_as_long_as_a_stop_may_take():
    unit, settings = (DEPLOY / "systemd/coffer.service").read_text(), (DEPLOY / "systemd/coffer.toml").read_text()
    limit = int(re.search(r"^TimeoutStopSec=(\d+)$", unit, re.M)[1])
    drain = int(re.search(r"^drain_ms = (\d+)$", settings, re.M)[1])
    default = int(re.search(r"^\| `stop_timeout_ms` .*`(\d+)` \|$", (REPOSITORY / "README.md").read_text(), re.M)[1])
    assert limit * 1000 > drain + 2 * default
    assert f"stop_grace_period: {limit}s" in (DEPLOY / "compose/compose.yaml").read_text()


@pytest.mark.parametrize("kind", ["systemd", "compose"])
def test_the_program_takes_the_settings(kind):
    done = run("serve", "--config", DEPLOY / kind / "coffer.toml", "--print-config")
    assert done.returncode == 0 and "servers = 'several'" in done.stdout and "drain_ms = 5000" in done.stdout, done.stderr


def test_haproxy_takes_the_file_for_containers():
    assert PROGRAM, "no haproxy: run script/setup first"
    shown = output(PROGRAM, "-c", "-f", DEPLOY / "compose/haproxy.cfg")
    others = [line for line in shown.splitlines() if "[WARNING]" in line and "could not resolve" not in line]
    assert "Configuration file is valid" in shown and others == []


def meaningful(file):
    """The lines of a file of HAProxy but for what differs with the place."""
    text = re.sub(r" resolvers docker init-addr last,libc,none|10\.0\.0\.1(?=\d:)|node(?=\d:)", "", file.read_text())
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [line for line in lines if not re.match("log |user |group |stats |resolvers |nameserver |hold ", line)]


def test_both_files_of_haproxy_say_the_same():
    for_machines, for_containers = (meaningful(DEPLOY / kind / "haproxy.cfg") for kind in ("systemd", "compose"))
    of_tls = [line for line in for_machines if line not in for_containers]
    assert all("ssl" in line for line in of_tls), of_tls
    assert [line for line in for_containers if line not in for_machines] == ["http-request set-header X-Forwarded-Proto http"]


def test_the_packages_are_those_that_the_program_needs():
    """Each library that it names, or loads when it is first needed, is of a package of the list, and the other way round."""
    needed = set(re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", BINARY)))
    paths = [path for name, path in re.findall(r"(\S+) => (\S+)", output("ldd", BINARY)) if name in needed]
    sources = output("git", "-C", REPOSITORY, "grep", "-h", "LateLibrary library", "--", "src", ":!*_test.cc")
    known = dict(re.findall(r"(\S+) \(.*\) => (\S+)", output("/sbin/ldconfig", "-p")))
    paths += [known[name] for name in re.findall(r'LateLibrary library\("(\S+)"\)', sources)]
    owners = {owner_of(path) for path in paths} - {"libc6", "libstdc++6", "libgcc-s1"}
    listed = {line.strip() for line in (DEPLOY / "packages.txt").read_text().splitlines() if not line.startswith("#")}
    assert owners | {"ca-certificates", "libvips-tools", "rclone"} == listed


def owner_of(path):
    """A library may be found by a path whose folder is a link."""
    for one in (path, path.replace("/lib/", "/usr/lib/", 1), path.replace("/usr/lib/", "/lib/", 1)):
        found = subprocess.run(["dpkg", "-S", one], capture_output=True, text=True).stdout
        if found:
            return found.partition(":")[0]
    raise AssertionError(path)


def test_the_compose_file_names_what_is_there():
    """It is not run here: that takes Docker."""
    made = yaml.safe_load((DEPLOY / "compose/compose.yaml").read_text())
    nodes = [name for name in made["services"] if name.startswith("node")]
    assert nodes == ["node1", "node2", "node3"] and set(nodes) <= set(made["volumes"])
    balancer = (DEPLOY / "compose/haproxy.cfg").read_text()
    assert all(f"{name}:8080" in balancer for name in nodes)
    for service in made["services"].values():
        for place in service.get("volumes", []):
            source = place.split(":")[0]
            known = source in made["volumes"] or source == "./secret.key"  # Made by who follows the guide.
            assert known or (DEPLOY / "compose" / source).is_file(), place
    address = made["services"]["balancer"]["networks"]["default"]["ipv4_address"]
    assert f'trusted_proxies = ["{address}"]' in (DEPLOY / "compose/coffer.toml").read_text()
    recipe = (DEPLOY / "compose/Dockerfile").read_text()
    assert "COPY deploy/packages.txt" in recipe and "script/build" in recipe
