"""Each rule of the lint finds a breach of it, and leaves a tree in order alone."""

import pathlib
import subprocess

import pytest

LINT = pathlib.Path(__file__).resolve().parents[2] / "script" / "lint"

IN_ORDER = {
    "CMakeLists.txt": "add_subdirectory(src/low)\nfile(GLOB folders CONFIGURE_DEPENDS src/h*/CMakeLists.txt)\n",
    "docs/architecture.md": (
        "# Map\n\n## Layers\n\n| layer | holds | may use |\n| --- | --- | --- |\n"
        "| `low/` | | |\n| `high/` | | `low/` |\n\n## Libraries kept in one place\n\n"
        "| includes | only in |\n| --- | --- |\n| `soci/` | `low/` |\n"
    ),
    "docs/dependencies.md": "`cmake`\n",
    "script/packages/server.txt": "cmake\n",
    "script/run": "#!/bin/bash\nset -e\necho ok\n",
    "src/low/CMakeLists.txt": "coffer_layer(low HEADERS a.h SOURCES a.cc TESTS a_test.cc)\n",
    "src/low/a.h": "#pragma once\n\nint a();\n",
    "src/low/a.cc": '#include "low/a.h"\n\nint a() { return 1\'000; }\n',
    "src/low/a_test.cc": '#include "low/a.h"\n\nint b() { return a(); }\n',
    "src/high/CMakeLists.txt": "coffer_layer(high HEADERS c.h)\n",
    "src/high/c.h": '#pragma once\n\n#include "low/a.h"\n',
    "tests/e2e/test_a.py": "import places  # noqa: F401  Why.\nfrom test_b import door\n\n\ndef test_a(door):\n    pass\n",
    "web/src/files/List.tsx": 'import { Button } from "~/controls/Button";\nimport { run } from "~/tasks/run";\n',
    "web/src/controls/Button.tsx": "",
    "web/src/tasks/run.ts": "",
    "web/src/messages/english.d.ts": "a();\n" * 300,
}
LIMITS = "| table | grows by | limit | swept |\n| --- | --- | --- | --- |\n| `a` | all | one | at a start |\n"
LONG_BODY = "  a();\n" * 70
PROMISES = "# What is promised\n\n## Promises, and the tests that hold them\n\n| promise | tests |\n| --- | --- |\n"



def adding(statement):
    return "migrations", {"src/catalog/migrations/0048_a.sql": f"-- Kind: adding\n{statement};\n"}


BREACHES = {
    "docs: a dead link": ("docs", {"README.md": "[x](nowhere.md)\n"}),
    "docs: an unexplained package": ("docs", {"script/packages/server.txt": "cmake\nleftpad\n"}),
    "docs: two decisions of one number": ("docs", {"docs/adr/0001-a.md": "", "docs/adr/0001-b.md": ""}),
    "guarantees: a promise without a test": ("guarantees", {"docs/guarantees.md": PROMISES + "| a | none |\n"}),
    "guarantees: a test that is not there": ("guarantees", {"docs/guarantees.md": PROMISES + "| a | `tests/x.py::test_a` |\n"}),
    "format": ("format", {"src/low/a.cc": '#include "low/a.h"\nint a( ){return 1;}\n'}),
    "functions: a long function": ("functions", {"src/low/a.cc": f"int a() {{\n{LONG_BODY}}}\n"}),
    "functions: a long method": ("functions", {"src/low/a.h": f"class A {{\n  int f() const {{\n{LONG_BODY}  }}\n}};\n"}),
    "functions: a long constructor": (
        "functions",
        {"src/low/a.cc": f"namespace n {{\nA::A(int x) : b_{{x}}, c_(f(x)) {{\n{LONG_BODY}}}\n}}\n"},
    ),
    "functions: a long test": ("functions", {"src/low/a_test.cc": f"TEST(A, b) {{\n{LONG_BODY}}}\n"}),
    "functions: a long template": (
        "functions",
        {"src/low/a.h": f"template <class T>\nauto f(T x) -> std::vector<T> {{\n{LONG_BODY}}}\n"},
    ),
    "functions: behind a brace in a string": (
        "functions",
        {"src/low/a.cc": f'const char* k = "}}{{";\nint a() {{\n  // }}\n{LONG_BODY}}}\n'},
    ),
    "functions: a long Python function": ("functions", {"tests/x.py": "def f():\n" + "    a()\n" * 70}),
    "knots: two headers": ("knots", {"src/high/c.h": '#include "high/d.h"\n', "src/high/d.h": '#include "high/c.h"\n'}),
    "knots: a header and the source of another": (
        "knots",
        {"src/low/a.cc": '#include "low/b.h"\n', "src/low/b.h": '#include "low/a.h"\n'},
    ),
    "knots: a circle of three": (
        "knots",
        {
            "src/low/a.cc": '#include "low/b.h"\n',
            "src/low/b.h": '#include "low/d.h"\n',
            "src/low/d.h": '#include "low/a.h"\n',
        },
    ),
    "knots: two files of the interface": (
        "knots",
        {"web/src/tasks/run.ts": 'import { a } from "./a";\n', "web/src/tasks/a.tsx": 'const run = import("./run");\n'},
    ),
    "knots: two folders of the interface": (
        "knots",
        {"web/src/tasks/other.ts": 'import { List } from "~/files/List";\n'},
    ),
    "layers: an include of a layer above": ("layers", {"src/low/a.cc": '#include "high/c.h"\n'}),
    "layers: a relative include": ("layers", {"src/high/c.h": '#include "../low/a.h"\n'}),
    "layers: a relative include in a test": ("layers", {"tests/x.cc": '#include "../src/low/a.h"\n'}),
    "layers: a library out of its place": ("layers", {"src/high/c.h": "#include <soci/soci.h>\n"}),
    "layers: an include without its layer": ("layers", {"src/low/a.cc": '#include "a.h"\n'}),
    "layers: a folder outside the table": ("layers", {"src/third/d.cc": ""}),
    "layers: a cycle": (
        "layers",
        {"docs/architecture.md": IN_ORDER["docs/architecture.md"].replace("`low/` | | |", "`low/` | | `high/` |")},
    ),
    "names: a catch-all folder": ("names", {"src/low/utils/x.py": ""}),
    "names: a catch-all file": ("names", {"src/low/helpers.cc": ""}),
    "names: a foreign suffix": ("names", {"src/low/a.cpp": ""}),
    "names: capitals": ("names", {"src/low/Big.cc": ""}),
    "migrations: one that does not say its kind": (
        "migrations",
        {"src/catalog/migrations/0048_a.sql": "ALTER TABLE a ADD COLUMN b TEXT;\n"},
    ),
    "migrations: one that adds and drops": adding("DROP TABLE a"),
    "migrations: one that renames": adding("ALTER TABLE a RENAME COLUMN b TO c"),
    "migrations: a column that rows of before have nothing for": adding("ALTER TABLE a ADD COLUMN b TEXT NOT NULL"),
    "migrations: a column of what is computed": adding("ALTER TABLE a ADD COLUMN b BIGINT NOT NULL DEFAULT now()"),
    "migrations: a second change that is none": adding("ALTER TABLE a ADD COLUMN b TEXT, DROP COLUMN c"),
    "migrations: an index that forbids": adding("CREATE UNIQUE INDEX i ON a (b)"),
    "migrations: rows for a table of before": adding("INSERT INTO a (b) VALUES (1)"),
    "names: a header without its guard": ("names", {"src/low/a.h": "int a();\n"}),
    "python: a name that nothing made": ("python", {"script/run.py": "print(errno.ENOTEMPTY)\n"}),
    "python: an import that nothing uses": ("python", {"script/run.py": "import errno\n"}),
    "shell: a syntax error": ("shell", {"script/run": "#!/bin/bash\nset -e\nif true; then\n"}),
    "shell: errors ignored": ("shell", {"script/run": "#!/bin/bash\necho ok\n"}),
    "sizes": ("sizes", {"src/low/a.h": "#pragma once\n" + "\n" * 800}),
    "tables: one without a line": ("tables", {"src/catalog/migrations/0001_a.sql": "CREATE TABLE a (id BIGINT);\n"}),
    "tables: a line without its table": (
        "tables",
        {"docs/limits.md": LIMITS + "| `b` | x | x | x |\n", "src/catalog/migrations/0001_a.sql": "CREATE TABLE a (i);\n"},
    ),
    "tables: a line without a limit": (
        "tables",
        {"docs/limits.md": LIMITS.replace("one", ""), "src/catalog/migrations/0001_a.sql": "CREATE TABLE a (i);\n"},
    ),
    "tables: a constant that is not there": (
        "tables",
        {"docs/limits.md": LIMITS.replace("one", "`kMost`"), "src/catalog/migrations/0001_a.sql": "CREATE TABLE a (i);\n"},
    ),
    "targets: a source in no target": ("targets", {"src/low/b.cc": ""}),
    "targets: a test in no target": ("targets", {"src/low/b_test.cc": ""}),
    "targets: a test among the sources": (
        "targets",
        {"src/low/CMakeLists.txt": "coffer_layer(low HEADERS a.h SOURCES a.cc a_test.cc)\n"},
    ),
    "targets: a source commented out": (
        "targets",
        {"src/low/CMakeLists.txt": "coffer_layer(low HEADERS a.h #SOURCES a.cc\nTESTS a_test.cc)\n"},
    ),
    "targets: a folder outside the build": ("targets", {"CMakeLists.txt": "#add_subdirectory(src/low)\n"}),
    "targets: a folder outside the glob": ("targets", {"CMakeLists.txt": "file(GLOB folders src/h*/CMakeLists.txt)\n"}),
    "targets: a glob": ("targets", {"src/low/CMakeLists.txt": "file(GLOB x *.cc)\n"}),
    "web: a long component": ("web", {"web/src/files/List.tsx": "a();\n" * 301}),
    "web: an import through the folder above": ("web", {"web/src/files/List.tsx": 'import { t } from "../messages";\n'}),
    "web: a control that knows a feature": ("web", {"web/src/controls/A.tsx": 'import { run } from "~/tasks";\n'}),
    "leftovers: unfinished work": ("leftovers", {"src/low/a.h": "// TO" "DO later\n"}),
    "leftovers: a disabled test": ("leftovers", {"src/low/a_test.cc": "TEST(A, DIS" "ABLED_b)\n"}),
    "leftovers: a path of one machine": ("leftovers", {"script/run": "cd /wo" "rk/x\n"}),
    "leftovers: a registry": ("leftovers", {"tests/.npmrc": "x=https://registry." "example.org/\n"}),
    "leftovers: a host in a lock file": ("leftovers", {"tests/package-lock.json": '{"resolved": "https://a.example/b.tgz"}\n'}),
}


def lint(root, changes, *options):
    for name, text in {**IN_ORDER, **changes}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if text.startswith("#!"):
            path.chmod(0o755)
    return subprocess.run([LINT, "--root", root, *options], capture_output=True, text=True)


def test_a_tree_in_order_passes(tmp_path):
    (tmp_path / ".clang-format").write_text("BasedOnStyle: Google\n")
    run = lint(tmp_path, {})
    assert (run.returncode, run.stdout) == (0, ""), run.stdout + run.stderr


def test_a_function_of_seventy_lines_passes(tmp_path):
    body = "  a();\n" * 68
    run = lint(tmp_path, {"src/low/a.cc": f"int a() {{\n{body}}}\nint b() {{\n{body}}}\n"}, "--rule", "functions")
    assert run.returncode == 0, run.stdout


def test_a_migration_that_adds_passes(tmp_path):
    text = (
        "-- Kind: adding\n-- Why.\nALTER TABLE a ADD COLUMN b TEXT NOT NULL DEFAULT '', ADD COLUMN c BIGINT;\n"
        "CREATE INDEX a_by_c ON a (c);\nCREATE TABLE d (\n  id BIGINT NOT NULL\n);\nCREATE UNIQUE INDEX d_by_id ON d (id);\n"
        "INSERT INTO d (id) VALUES (1);\n\n-- On PostgreSQL:\nALTER TABLE d ALTER id TYPE UUID;\n"
    )
    run = lint(tmp_path, {"src/catalog/migrations/0048_a.sql": text}, "--rule", "migrations")
    assert run.returncode == 0, run.stdout


def test_a_script_that_is_not_executable_is_found(tmp_path):
    (tmp_path / "script").mkdir()
    (tmp_path / "script" / "stuck").write_text("#!/bin/bash\nset -e\n")
    run = lint(tmp_path, {}, "--rule", "shell")
    assert run.returncode == 1 and "script/stuck: not executable" in run.stdout


@pytest.mark.parametrize("breach", BREACHES)
def test_a_breach_is_found(tmp_path, breach):
    rule, changes = BREACHES[breach]
    run = lint(tmp_path, changes, "--rule", rule)
    assert run.returncode == 1, run.stdout + run.stderr
    assert next(iter(changes)).split("/")[0] in run.stdout and f"[{rule}]" in run.stdout
