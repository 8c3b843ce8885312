"""What scanners of TLS say of the port: nothing to mend."""

import json
import re
import subprocess

from test_tls import tls

MINUTES = 10 * 60
# The checks that are about the server: the certificate is the test's own.
CHECKS = ("--protocols", "--std", "--fs", "--server-preference", "--vulnerable")
FINE = {"OK", "INFO"}
# The page at / is packed, the same for all and without a secret; what has one is asked for with a cookie that no other site sends.
KNOWN = {"BREACH", "engine_problem"}  # The second is about the scanner's own library.


def test_testssl_finds_nothing(tls, tmp_path):
    report = tmp_path / "report.json"
    done = subprocess.run(["testssl", "--quiet", "--color", "0", "--warnings", "off", "--jsonfile", report, *CHECKS, f"localhost:{tls.port}"],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=MINUTES)
    findings = json.loads(report.read_text())
    assert {"TLS1_2", "TLS1_3", "heartbleed", "ROBOT", "LUCKY13"} <= {one["id"] for one in findings}, done.stdout
    assert [(one["id"], one["finding"]) for one in findings if one["severity"] not in FINE and one["id"] not in KNOWN] == []


def test_sslscan_finds_two_protocols_and_no_weak_cipher(tls):
    done = subprocess.run(["sslscan", "--no-colour", f"localhost:{tls.port}"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=MINUTES, check=True)
    enabled = re.findall(r"^(\S+) +enabled$", done.stdout, re.M)
    assert sorted(enabled) == ["TLSv1.2", "TLSv1.3"], done.stdout
    ciphers = re.findall(r"^(?:Preferred|Accepted) +\S+ +(\d+) bits +(\S+)", done.stdout, re.M)
    assert ciphers and all(int(bits) >= 128 for bits, _ in ciphers), done.stdout
    assert all(name.startswith("TLS_") or name.startswith("ECDHE-") and ("GCM" in name or "POLY1305" in name) for _, name in ciphers), done.stdout
    assert "vulnerable to heartbleed" in done.stdout and "not vulnerable" in done.stdout
