"""What the program is made of: libraries, found by the loader and by the package manager, and modules of the web interface."""

import base64
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# Their code is in the program itself, since they are headers alone, or in part.
HEADERS = ("libboost1.81-dev", "libcli11-dev", "libfmt-dev", "libspdlog-dev", "libtomlplusplus-dev", "prometheus-cpp-dev",
           "rapidjson-dev")
# Of the compiler's runtime, the loader and the C library, which every program has.
VIRTUAL = ("linux-vdso.so.1",)


def output(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout


def late_libraries():
    """The names of those that the program loads when it first needs them (base/late_library.h)."""
    sources = output("git", "-C", REPOSITORY, "grep", "-h", "LateLibrary library", "--", "src", ":!*_test.cc")
    return sorted(set(re.findall(r'LateLibrary library\("(\S+)"\)', sources)))


@functools.cache
def found_by_loader():
    return dict(re.findall(r"(\S+) \(.*x86-64.*\) => (\S+)", output("/sbin/ldconfig", "-p")))


def libraries_of(*programs):
    """The files of all shared libraries that these programs or libraries need, by the names that they are asked for."""
    found = {}
    for program in programs:
        for line in output("ldd", program).splitlines():
            name, _, path = line.strip().partition(" => ")
            if path:
                found[name] = path.split()[0]
            elif name.startswith("/"):
                found[name.split()[0]] = name.split()[0]
    assert "not" not in found.values(), f"the loader lacks libraries: {found}"
    return {name: path for name, path in found.items() if name not in VIRTUAL}


def libraries_of_program(program):
    late = {name: found_by_loader()[name] for name in late_libraries()}
    return libraries_of(program, *late.values()) | late


def package_of(path):
    """The name of the Debian package that a file is of. A file may be known by a path whose folder is a link."""
    real = os.path.realpath(path)
    for one in dict.fromkeys((path, real, real.removeprefix("/usr"), "/usr" + path)):
        found = subprocess.run(["dpkg", "-S", one], capture_output=True, text=True, check=False).stdout
        if found:
            return found.partition(":")[0]
    raise SystemExit(f"release: {path} is of no package")


def licences_of(package):
    """The short names in a copyright file of the usual form, or none."""
    text = pathlib.Path(f"/usr/share/doc/{package}/copyright").read_text(errors="replace")
    if not text.startswith("Format:"):
        return []
    return sorted(set(re.findall(r"^License: *(\S.*?) *$", text, re.MULTILINE)))


def deb_component(package, files=()):
    version, architecture, source, source_version = output(
        "dpkg-query", "-W", "-f", "${Version}|${Architecture}|${source:Package}|${source:Version}", package).split("|")[:4]
    purl = f"pkg:deb/debian/{package}@{version.replace('+', '%2B').replace('~', '%7E')}?arch={architecture}&distro=debian-12"
    return {
        "type": "library", "bom-ref": purl, "name": package, "version": version, "purl": purl,
        "licenses": [{"license": {"name": name}} for name in licences_of(package)],
        "properties": [{"name": "source", "value": f"{source} {source_version}"},
                       *({"name": "file", "value": f"{name} sha256:{digest(path)}"} for name, path in sorted(files))],
    }


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def deb_components(libraries, packages=()):
    files = {package: [] for package in packages}
    for name, path in libraries.items():
        files.setdefault(package_of(path), []).append((name, path))
    return [deb_component(package, found) for package, found in sorted(files.items())]


def web_modules():
    """The modules that are in the interface, by their paths: not those that build or test it, or that other platforms have."""
    lock = json.loads((REPOSITORY / "web/package-lock.json").read_text())
    return {path: module for path, module in sorted(lock["packages"].items()) if path and not any(module.get(what) for what in ("dev", "optional", "peer"))}


def web_component(path, module):
    name = path.rpartition("node_modules/")[2]
    purl = f"pkg:npm/{name.replace('@', '%40')}@{module['version']}"
    component = {"type": "library", "bom-ref": f"{purl}#{path}", "name": name, "version": module["version"], "purl": purl}
    if licence := module.get("license"):
        component["licenses"] = [{"expression": licence}]
    if module.get("integrity", "").startswith("sha512-"):
        component["hashes"] = [{"alg": "SHA-512", "content": base64.b64decode(module["integrity"][7:]).hex()}]
    return component


def web_components():
    return [web_component(path, module) for path, module in web_modules().items()]
