"""What script/release makes: the same bytes twice, a package that installs and serves in a bare Debian, an image without a shell."""

import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from server import DIES_WITH_US, REPOSITORY, eventually
from test_deploy import owner_of
from tiers import POSTGRESQL

pytestmark = pytest.mark.skipif(POSTGRESQL, reason="no database is in a release")

LONG_S = 3000
DIST = REPOSITORY / "build/dist"
VERSION = re.search(r"^project\(coffer VERSION ([\d.]+) ", (REPOSITORY / "CMakeLists.txt").read_text(), re.M)[1]
PACKAGE = DIST / f"coffer_{VERSION}_amd64.deb"
IMAGE = DIST / f"coffer_{VERSION}_image.tar.gz"
ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8"}


def output(*command, **more):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=LONG_S, env=ENVIRONMENT, **more)
    assert done.returncode == 0, (command, done.stdout[-3000:], done.stderr[-3000:])
    return done.stdout


@pytest.fixture(scope="module")
def signing_key(tmp_path_factory):
    folder = tmp_path_factory.mktemp("key")
    output("minisign", "-G", "-W", "-p", folder / "coffer.pub", "-s", folder / "coffer.key")
    return folder


@pytest.fixture(scope="module")
def release(signing_key):
    """Made once for the module; it compares two of them itself."""
    done = subprocess.run([REPOSITORY / "script/release"], capture_output=True, text=True, timeout=LONG_S,
                          env={**ENVIRONMENT, "COFFER_SIGNING_KEY": str(signing_key / "coffer.key")})
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stderr


def test_it_is_made_twice_with_the_same_bytes(release):
    assert "made twice with the same bytes, and signed" in release
    assert {file.name for file in DIST.iterdir()} == {
        PACKAGE.name, IMAGE.name, f"coffer-{VERSION}.tar.gz", f"coffer_{VERSION}.cdx.json", f"coffer_{VERSION}_image.cdx.json",
        f"coffer_{VERSION}.buildinfo", "SHA256SUMS", "SHA256SUMS.minisig"}


def test_signature_and_checksums_tell_a_changed_byte(release, signing_key, tmp_path):
    for file in ("SHA256SUMS", "SHA256SUMS.minisig", f"coffer_{VERSION}.cdx.json"):
        shutil.copy(DIST / file, tmp_path / file)
    sums = tmp_path / "SHA256SUMS"
    check = ("sha256sum", "-c", "--quiet", "--ignore-missing", "SHA256SUMS")
    verify = ("minisign", "-Vm", sums, "-p", signing_key / "coffer.pub")
    output(*check, cwd=tmp_path)
    output(*verify)
    bill = tmp_path / f"coffer_{VERSION}.cdx.json"
    bill.write_bytes(b"x" + bill.read_bytes()[1:])
    assert subprocess.run(check, cwd=tmp_path, capture_output=True).returncode != 0
    sums.write_bytes(sums.read_bytes().replace(b"a", b"b", 1))
    assert subprocess.run(list(map(str, verify)), capture_output=True).returncode != 0


def test_lintian_finds_no_error_and_no_warning(release):
    assert output("lintian", "--allow-root", "--fail-on", "error,warning", PACKAGE).strip().count("\nE:") == 0


def test_the_package_has_all_settings_and_the_unit(release, tmp_path):
    output("dpkg-deb", "-x", PACKAGE, tmp_path)
    coffer = tmp_path / "usr/bin/coffer"
    settings = (tmp_path / "etc/coffer/coffer.toml").read_text()
    keys = [line.partition(" = ")[0] for line in output(coffer, "serve", "--print-config", "--data", tmp_path).splitlines()
            if not line.startswith("#")]
    assert len(keys) > 40 and all(re.search(rf"^(# )?{key} = ", settings, re.M) for key in keys)
    assert re.findall(r"^[a-z].*", settings, re.M) == ['data = "/var/lib/coffer"']
    output(coffer, "serve", "--print-config", "--config", tmp_path / "etc/coffer/coffer.toml")
    assert (tmp_path / "lib/systemd/system/coffer.service").read_text() == (REPOSITORY / "deploy/systemd/coffer.service").read_text()
    assert "etc/coffer/coffer.toml" in output("dpkg-deb", "--ctrl-tarfile", PACKAGE) or output("dpkg-deb", "-I", PACKAGE, "conffiles")


def test_the_package_has_the_guide_with_links_that_lead_somewhere(release, tmp_path):
    output("dpkg-deb", "-x", PACKAGE, tmp_path)
    guide = tmp_path / "usr/share/doc/coffer/guide"
    pages = {page.name: gzip.decompress(page.read_bytes()).decode() for page in guide.iterdir()}
    assert set(pages) == {f"{page.name}.gz" for page in (REPOSITORY / "README.md", *(REPOSITORY / "docs/guide").iterdir())}
    links = [target for text in pages.values() for target in re.findall(r"\]\(([^)\s#:]+)[#)]", text)]
    assert "operation.md.gz" in links and "../examples/proxies/nginx.conf" in links
    assert [target for target in links if not (guide / target).is_file()] == []


def test_the_bill_names_every_library_that_the_loader_does(release, tmp_path):
    output("dpkg-deb", "-x", PACKAGE, tmp_path)
    bill = json.loads((DIST / f"coffer_{VERSION}.cdx.json").read_text())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    named = {one["name"]: one for one in bill["components"]}
    asked = re.findall(r"=> (/\S+)", output("ldd", tmp_path / "usr/bin/coffer"))
    assert asked and {owner_of(path) for path in asked} <= set(named)
    for component in bill["components"]:
        assert component["purl"].startswith("pkg:") and component["version"], component
    for module in ("react", "pdfjs-dist", "@codemirror/state"):
        assert named[module]["hashes"][0]["alg"] == "SHA-512" and named[module]["licenses"]
    assert "vite" not in named, "what only builds the interface is not in it"
    in_image = {one["name"] for one in json.loads((DIST / f"coffer_{VERSION}_image.cdx.json").read_text())["components"]}
    assert in_image >= set(named) | {"rclone", "libvips-tools", "libvips42"}


class Bare:
    """The tree of a Debian 12 with what the package depends on, but not the package."""

    def __init__(self, root):
        self.root = root

    def run(self, *command):
        """In the tree, as root, without a network."""
        return output("unshare", "--mount", "--pid", "--fork", "--net", f"--mount-proc={self.root}/proc", "chroot", self.root, *command)


@pytest.fixture(scope="module")
def bare(release, tmp_path_factory):
    assert os.geteuid() == 0, "it takes root to install a package"
    root = tmp_path_factory.mktemp("bare") / "root"
    depends = output("dpkg-deb", "-f", PACKAGE, "Depends")
    names = [re.split(r"[ (]", one.strip().split("|")[0].strip())[0] for one in depends.split(",")]
    output("mmdebstrap", "--variant=minbase", f"--include={','.join(sorted(set(names)))}", "bookworm", root)
    shutil.copy(PACKAGE, root / "tmp/coffer.deb")
    return Bare(root)


SERVES = """set -eu
ip link set lo up 2>/dev/null || true
setpriv --reuid coffer --regid coffer --init-groups --pdeathsig KILL coffer serve --config /etc/coffer/coffer.toml 2>/tmp/log &
for _ in $(seq 600); do if coffer health --config /etc/coffer/coffer.toml 2>/dev/null; then break; fi; sleep 0.1; done
coffer health --config /etc/coffer/coffer.toml || { cat /tmp/log; exit 1; }
coffer account add ann --config /etc/coffer/coffer.toml >/dev/null
coffer check --config /etc/coffer/coffer.toml
kill %1
"""


def test_the_package_is_installed_and_serves_without_a_network(bare):
    bare.run("dpkg", "-i", "/tmp/coffer.deb")
    root = bare.root
    assert output("stat", "-c", "%a %U", root / "usr/bin/coffer").split() == ["755", "root"]
    assert bare.run("stat", "-c", "%a %U:%G", "/var/lib/coffer", "/etc/coffer", "/etc/coffer/coffer.toml").split() == [
        "700", "coffer:coffer", "750", "root:coffer", "640", "root:coffer"]
    shown = bare.run("bash", "-c", SERVES)
    assert "The server is ready." in shown and "1 account checked, 0 problems left." in shown
    kept = set((root / "var/lib/coffer").iterdir())
    bare.run("dpkg", "-i", "/tmp/coffer.deb")  # Again, as an upgrade.
    bare.run("dpkg", "-r", "coffer")
    assert (root / "etc/coffer/coffer.toml").exists() and set((root / "var/lib/coffer").iterdir()) == kept
    bare.run("dpkg", "-P", "coffer")
    assert not (root / "etc/coffer").exists() and set((root / "var/lib/coffer").iterdir()) == kept


def parts_of(folder):
    """The configuration of the image, whose name is its hash, and its layers."""
    one, = json.loads((folder / "manifest.json").read_text())
    assert one["RepoTags"] == [f"coffer:{VERSION}"], one
    config = folder / one["Config"]
    assert config.stem == hashlib.sha256(config.read_bytes()).hexdigest()
    return json.loads(config.read_text()), [folder / name for name in one["Layers"]]


@pytest.fixture(scope="module")
def unpacked(release, tmp_path_factory):
    folder = tmp_path_factory.mktemp("image")
    output("tar", "-C", folder, "-xf", IMAGE)
    config, files = parts_of(folder)
    root = folder / "root"
    root.mkdir()
    for layer in files:
        output("tar", "-C", root, "-xpf", layer)
    return config["config"], root


def test_the_image_has_no_shell_and_no_file_that_gives_rights(unpacked):
    config, root = unpacked
    programs = {path.name for path in (root / "usr/bin").iterdir()}
    assert programs == {"coffer", "rclone", "vipsthumbnail"}
    special = [path for path in root.rglob("*") if not path.is_symlink() and path.stat().st_mode & 0o6000]
    assert special == []
    assert config["User"] == "900:0" and config["Entrypoint"] == ["/usr/bin/coffer"] and config["Volumes"] == {"/var/lib/coffer": {}}
    assert config["Healthcheck"]["Test"] == ["CMD", "/usr/bin/coffer", "health"]


RUNS = {
    "ociVersion": "1.0.2",
    "process": {"terminal": False, "user": {"uid": 12345, "gid": 0}, "args": ["/usr/bin/coffer", "serve"],
                "env": ["COFFER_DATA=/var/lib/coffer", "COFFER_LISTEN=127.0.0.1:8080", "PATH=/usr/bin"], "cwd": "/",
                "capabilities": {}, "noNewPrivileges": True},
    "root": {"path": "root", "readonly": True},
    "mounts": [{"destination": "/proc", "type": "proc", "source": "proc"},
               {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755"]},
               {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["mode=1777"]}],
    "linux": {"namespaces": [{"type": "pid"}, {"type": "mount"}, {"type": "ipc"}, {"type": "uts"}, {"type": "network"}]},
}


def test_the_image_serves_as_any_user_on_a_root_that_is_read_only(unpacked, tmp_path):
    assert os.geteuid() == 0, "it takes root to run an image"
    _, root = unpacked
    volume = tmp_path / "volume"
    volume.mkdir()
    volume.chmod(0o770)
    os.chown(volume, 0, 0)  # As the image has its folder.
    mounts = [*RUNS["mounts"], {"destination": "/var/lib/coffer", "type": "bind", "source": str(volume), "options": ["bind", "rw"]}]
    bundle = pathlib.Path(root).parent
    (bundle / "config.json").write_text(json.dumps({**RUNS, "mounts": mounts}))
    name, state = f"coffer-{os.getpid()}", tmp_path / "state"
    runc = ["runc", "--root", str(state)]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen([*DIES_WITH_US, *runc, "run", "--bundle", str(bundle), name], stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=log)
    try:
        def is_ready():
            assert process.poll() is None, (tmp_path / "log").read_text()
            asked = subprocess.run([*runc, "exec", name, "/usr/bin/coffer", "health"], capture_output=True, text=True)
            return asked.returncode == 0 and asked.stdout == "The server is ready.\n"

        eventually(is_ready, "the server in the container to be ready")
        output(*runc, "exec", name, "/usr/bin/coffer", "account", "add", "ann")
        assert "make the first one at" in (tmp_path / "log").read_text()
        assert {path.stat().st_uid for path in volume.rglob("*")} == {12345}
        output(*runc, "kill", name, "TERM")
        assert process.wait(60) == 0
    finally:
        if process.poll() is None:
            subprocess.run([*runc, "kill", name, "KILL"], capture_output=True)
            process.wait(60)
        subprocess.run([*runc, "delete", "--force", name], capture_output=True)
