"""The examples of the README and the guide, one after the other in one shell, as a new user gives them."""

import re
import subprocess
import zipfile

import requests

from images import png
from server import BINARY, PATIENCE_S, REPOSITORY, clean_environment

# What needs a server of others, is started beside this one, or does not end by itself.
NOT_HERE = ("example.org", "example.com", "sudo ", "coffer serve", "curl -N", "script/", "--kind drive", "connector authorize",
            "base_path =", "proxy_pass", "proxy_user_header", "home move", "[Service]", "podman", "minisign")
SETTLED = ('until ! command curl -s -H "X-API-Key: $KEY" "$URL/api/v2/tasks" | grep -Eq \'"state":"(running|waiting)"\'; do sleep 0.02; done\n')
BEGIN = 'set -euo pipefail\ncurl() { command curl -sS --fail-with-body "$@"; echo; }\n'


def examples(database):
    pages = ["README.md", *(f"docs/guide/{name}.md" for name in ("accounts", "api", "mounts", "operation"))]
    text = "".join((REPOSITORY / page).read_text() for page in pages)
    blocks = [block for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M) if language in ("", "sh")]
    # Backups are of catalogs on SQLite.
    passed_over = NOT_HERE + (("coffer backup", "coffer restore") if database else ())
    return [block for block in blocks if not any(word in block for word in passed_over)]


def test_each_works_after_the_one_before(own_server, tmp_path):
    server = own_server()
    home, shared = tmp_path / "checkout", tmp_path / "shared"
    (home / "build/release").mkdir(parents=True)
    shared.mkdir()
    (home / "build/release/coffer").symlink_to(BINARY)
    (home / "data").symlink_to(server.data)
    (home / "README.md").write_bytes((REPOSITORY / "README.md").read_bytes())
    (home / "notes.txt").write_text("notes")
    (home / "film.mp4").write_bytes(bytes(range(256)) * 5000)
    (home / "photo.jpg").write_bytes(png(64, 64))
    with zipfile.ZipFile(home / "photos.zip", "w") as archive:
        archive.writestr("unpacked.txt", "from the archive")
    blocks = examples(server.database)
    assert len(blocks) >= 18 - 2 * bool(server.database), "the form of the pages has changed"
    script = BEGIN + f"URL={server.url}\nKEY=\n" + SETTLED.join(block + "\n" for block in blocks) + SETTLED + 'echo "KEY=$KEY"\n'
    script = script.replace("http://127.0.0.1:8080", server.url).replace("/srv/photos", str(shared))
    environment = clean_environment() | {"HOME": str(home)} | ({"COFFER_DATABASE": server.database} if server.database else {})
    done = subprocess.run(["bash", "-c", script], cwd=home, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, (done.stdout[-3000:], done.stderr[-3000:])
    key = re.search(r"^KEY=(.*)$", done.stdout, re.M)[1]
    server.secrets.add(key)

    def ask(path):
        return requests.get(server.url + path, headers={"X-API-Key": key}, timeout=PATIENCE_S).json()

    assert {task["state"] for task in ask("/api/v2/tasks")} == {"done"}
    assert {entry["name"] for entry in ask("/api/v2/files")["entries"]} >= {"notes.txt", "holiday", "backup", "photos.zip"}
    assert {entry["name"] for entry in ask("/api/v2/files?path=holiday")["entries"]} == {"photo.jpg", "unpacked.txt", "film.mp4"}
    assert {entry["name"] for entry in ask("/api/v2/files?path=backup")["entries"]} == {"holiday", "notes.txt"}
    assert (home / "some.zip").stat().st_size > 0 and (home / "of-a-guest.jpg").read_bytes() == png(64, 64)
    if not server.database:
        assert (home / "backups/monday/backup.json").exists() and (home / "restored/catalog.sqlite").exists()
