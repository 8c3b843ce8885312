#!/usr/bin/env python3
"""Prints the modules of end-to-end tests that belong to changed files, one a line:

    git diff --name-only BASE | tests/changed.py

They are paths from the repository's root, to be given to pytest. A changed test belongs to itself, a changed helper to the
modules that use it, a changed source to the modules of the longest name in MODULES that its path begins with. What is in no
part of the table, such as documents and the web interface, has no module here. The choice is what finds most in about three
minutes, not all that could find something; script/test runs that."""

import ast
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parent
REPOSITORY = TESTS.parent
END_TO_END = "tests/e2e/"

MOST_USERS = 12
FEW = "items uploads keys people_tasks people_bin mounts drives"

ACCOUNTS = "administration sessions setup removed_accounts"
API = "requests endpoints items openapi names error_order"
CORE = "items uploads downloads quota"
KEYS = "keys people_keys key_overlaps key_races key_servers key_crashes check_keys"
TRANSFER = "mounts mount_copies mount_transfers moves_cut_short same_target"
MOUNTS = "mounts mount_connecting mount_reading mount_writing mount_rights"
DRIVES = "drives drive_engine drive_routes drive_faults drive_requests"
HTTP = "http_edge slow_clients requests uploads downloads base_path"

MODULES = {
    "src/api": f"{API} downloads uploads",
    "src/api/v2": "people_routes people_files people_content people_tasks openapi",
    "src/api/v2/admin": "administration share_administration people_connectors audit people_routes",
    "src/api/v2/bin": "people_bin people_bin_life",
    "src/api/v2/connector": "people_connectors people_authorize",
    "src/api/v2/event": "people_events",
    "src/api/v2/key": "people_keys keys",
    "src/api/v2/link": "people_links",
    "src/api/v2/guest": "people_links",
    "src/api/v2/provider": "provider_sign_in people_routes",
    "src/api/v2/search": "people_search",
    "src/api/v2/session": "sessions",
    "src/api/v2/tus": "tus tus_js_client",
    "src/api/v2/upload": "tus tus_js_client",
    "src/app": "command_line command_manners completion mistakes missing_data log one_server restart setup live_settings base_path",
    "src/app/app_context": "secret_key missing_data one_server restart setup",
    "src/app/backup": "backup",
    "src/app/connector": "connectors drive_commands",
    "src/app/disk_rooms": "live_settings",
    "src/app/live_settings": "live_settings",
    "src/app/metrics": "metrics",
    "src/app/service_manager": "service_manager",
    "src/app/share": "share_commands shares",
    "src/app/task": "task_commands",
    "src/async": "concurrency slow_clients restart",
    "src/backends/ftp": f"{MOUNTS} hostile_talk mount_farewells server_quirks",
    "src/backends/local": "items uploads links moves_cut_short changed_sources restart failing_disk full_disk",
    "src/backends/local/tree_mirror": "backup",
    "src/backends/oidc": "provider_sign_in",
    "src/backends/oauth": "people_authorize drive_tokens",
    "src/backends/rclone": DRIVES,
    "src/backends/rclone/engine": "drive_engine drives drive_secrets drive_tokens drive_work",
    "src/backends/remote": MOUNTS,
    "src/backends/sftp": f"{MOUNTS} hostile_talk server_quirks",
    "src/base": "items log json_log requests",
    "src/catalog": f"keys quota one_server restart shares many_accounts {ACCOUNTS}",
    "src/catalog/catalog_copy": "backup earlier_catalogs",
    "src/catalog/migrations": "earlier_catalogs upgrades",
    "src/confinement": "drive_engine people_thumbnails",
    "src/core": f"{CORE} mounts shares overlapping_shares rights_rechecked",
    "src/core/account": f"{ACCOUNTS} administration",
    "src/core/archive": "people_archive people_unpack archives_of_others",
    "src/core/batch": "people_tasks people_unpack",
    "src/core/bin": "people_bin people_bin_life",
    "src/core/connectors": "connectors mount_connecting people_connectors drive_tokens",
    "src/core/events": "people_events",
    "src/core/files": f"{CORE} people_files mounts shares rights_rechecked",
    "src/core/files/archive": "people_archive",
    "src/core/files/folder_page": "people_files",
    "src/core/files/move_copy": f"items {TRANSFER}",
    "src/core/files/thumbnail": "people_thumbnails",
    "src/core/identity": "provider_sign_in",
    "src/core/keys": KEYS,
    "src/core/links": "people_links content_addresses",
    "src/core/namespace": f"mounts shares overlapping_shares mount_rights {CORE}",
    "src/core/search": "people_search",
    "src/core/sessions": "sessions setup",
    "src/core/tasks": "people_tasks task_commands people_bin",
    "src/core/transfer": f"{TRANSFER} drive_routes",
    "src/core/upload": "tus tus_crashes tus_unmounted uploads",
    "src/http": HTTP,
    "src/mounts": f"{MOUNTS} connectors drives",
    "src/storage": f"{CORE} mounts",
    "src/thumbnails": "people_thumbnails",
    "README.md": "readme",
    "docs/guide": "readme",
    "docs/guide/operation": "readme base_path",
    "script/server": "server_script",
    "tests/servers": f"{MOUNTS} drives",
}


def imports_of(file):
    """The names of the modules that a file of Python imports."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


def users_of(helper, imports):
    """The test modules that use a helper, also by another one; a few in the place of more than MOST_USERS."""
    users, left = {helper}, {helper}
    while left:
        left = {name for name, used in imports.items() if used & left} - users
        users |= left
    tests = {name for name in users if name.startswith("test_")}
    return tests if 0 < len(tests) <= MOST_USERS else {f"test_{name}" for name in FEW.split()}


def modules_of(changed):
    """The names of the modules that belong to changed files."""
    imports = {file.stem: imports_of(file) for file in (TESTS / "e2e").glob("*.py")}
    named = {f"test_{name}" for names in (FEW, *MODULES.values()) for name in names.split()}
    assert named <= imports.keys(), f"no such modules: {named - imports.keys()}"
    gone = [prefix for prefix in MODULES if not any(REPOSITORY.glob(prefix + "*"))]
    assert not gone, f"no such sources: {gone}"
    found = set()
    for path in changed:
        if path.startswith(END_TO_END) and path.endswith(".py"):
            found |= users_of(pathlib.Path(path).stem, imports)
            continue
        prefix = max((prefix for prefix in MODULES if path.startswith(prefix)), key=len, default=None)
        if prefix and not path.endswith("_test.cc"):
            found |= {f"test_{name}" for name in MODULES[prefix].split()}
    return sorted(found)


if __name__ == "__main__":
    for name in modules_of(sys.stdin.read().split()):
        print(f"{END_TO_END}{name}.py")
