"""Programs that people use: curl, wget and aria2 fetch, resume and upload."""

import os
import shutil
import subprocess

import pytest

from client import FILES, encode
from server import PATIENCE_S

SIZE = 24 << 20


def needs(program):
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


@pytest.fixture(scope="module")
def content():
    return os.urandom(SIZE)


@pytest.fixture(scope="module")
def remote(module_account, content):
    module_account.client.put("big file.bin", content)
    return module_account


def url_of(account, path="big file.bin"):
    return f"{account.server.url}{FILES}/download?{encode({'path': path})}"


def run(*command, status=0, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=PATIENCE_S,
                          env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}, **options)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(params=[0, 1, 1 << 20, SIZE - 1], ids=lambda size: f"after {size} bytes")
def begun(request, tmp_path, content):
    target = tmp_path / "target"
    target.write_bytes(content[:request.param])
    return target


@needs("curl")
def test_curl_resumes(remote, content, begun):
    run("curl", "-q", "-sSf", "-C", "-", "-H", f"X-API-Key: {remote.key}", "-o", begun, url_of(remote))
    assert begun.read_bytes() == content


@needs("wget")
def test_wget_resumes(remote, content, begun):
    run("wget", "-q", "--no-config", "-c", "--header", f"X-API-Key: {remote.key}", "-O", begun, url_of(remote))
    assert begun.read_bytes() == content


@needs("wget")
def test_wget_leaves_a_complete_file_alone(remote, content, tmp_path):
    (tmp_path / "target").write_bytes(content)
    run("wget", "-q", "--no-config", "-c", "--header", f"X-API-Key: {remote.key}", "-O", tmp_path / "target",
        url_of(remote))
    assert (tmp_path / "target").read_bytes() == content


def aria2(remote, folder, *options):
    run("aria2c", "--no-conf", "-q", "-x4", "-s4", "-k1M", "--file-allocation=none", "--header",
        f"X-API-Key: {remote.key}", "-d", folder, *options, url_of(remote))


@needs("aria2c")
def test_aria2_downloads_on_four_connections(remote, content, tmp_path):
    aria2(remote, tmp_path, "-o", "target")
    assert (tmp_path / "target").read_bytes() == content


@needs("aria2c")
def test_aria2_resumes(remote, content, begun):
    aria2(remote, begun.parent, "-c", "-o", begun.name)
    assert begun.read_bytes() == content


@needs("aria2c")
def test_aria2_takes_the_name_that_the_server_gives(remote, content, tmp_path):
    aria2(remote, tmp_path)
    assert (tmp_path / "big file.bin").read_bytes() == content


@needs("curl")
def test_curl_takes_the_name_that_the_server_gives(remote, tmp_path):
    remote.client.put("näme – 1.txt", b"x")
    run("curl", "-q", "-sSfOJ", "-H", f"X-API-Key: {remote.key}", url_of(remote, "näme – 1.txt"), cwd=tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


@needs("curl")
@pytest.mark.parametrize("options", [[], ["-H", "Transfer-Encoding: chunked"], ["-H", "Expect: 100-continue"],
                                     ["-H", "Expect:"], ["--http1.0"]], ids=str)
def test_curl_uploads(account, content, tmp_path, options):
    (tmp_path / 'a "quoted" ü.bin').write_bytes(content[:2_000_000])
    (tmp_path / "b.bin").write_bytes(b"second")
    run("curl", "-q", "-sSf", "--form-escape", *options, "-H", f"X-API-Key: {account.key}", "-F", "note=ignored",
        "-F", "file=@" + '"a \\"quoted\\" ü.bin"', "-F", "files=@b.bin", f"{account.server.url}{FILES}/upload",
        cwd=tmp_path)
    assert account.client.content('a "quoted" ü.bin') == content[:2_000_000]
    assert account.client.content("b.bin") == b"second"


@needs("curl")
def test_curl_reads_the_413_of_an_upload_that_cannot_fit(make_account, tmp_path):
    account = make_account("1000")
    (tmp_path / "a.bin").write_bytes(b"x" * (32 << 20))
    answer = run("curl", "-q", "-sS", "-w", "%{http_code}", "-H", "Expect: 100-continue", "-H",
                 f"X-API-Key: {account.key}", "-F", f"file=@{tmp_path}/a.bin", f"{account.server.url}{FILES}/upload")
    assert answer.endswith("413") and '"success":false' in answer.replace(" ", "")
    assert account.client.names() == []
