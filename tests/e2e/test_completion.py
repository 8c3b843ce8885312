"""What shells complete, asked of the shells themselves, and the manual page, as groff reads it."""

import os
import re
import subprocess

import pytest

from server import BINARY, PATIENCE_S, clean_environment, run

BASH = """source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _coffer; printf '%s\\n' "${COMPREPLY[@]}" """
# What the completion system of an interactive zsh would show.
ZSH = """
compdef() { :; }
_describe() { local name=${@[-1]}; local each; for each in "${(@P)name}"; do [[ ${each%%:*} == ${PREFIX}* ]] && print -r -- ${each%%:*}; done; return 0 }
compadd() { shift; local each; for each in "$@"; do [[ $each == ${PREFIX}* ]] && print -r -- $each; done; return 0 }
_files() { if [[ $1 == -/ ]]; then print -r -- "folders"; else print -r -- "files"; fi }
source "$1"; shift; words=("$@"); CURRENT=$#; PREFIX=${@[-1]}; _coffer
"""


def output_of(*command):
    # The scripts ask the program that the line begins with.
    found_first = f"{os.path.dirname(BINARY)}:{os.environ['PATH']}"
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S,
                          env={**clean_environment(), "PATH": found_first})
    assert done.returncode == 0 and done.stderr == "", done
    return done.stdout


def in_bash(script, *words):
    return output_of("bash", "--norc", "-c", BASH, "bash", script, *words).split("\n")


def in_zsh(script, *words):
    return output_of("zsh", "-f", "-c", ZSH, "zsh", script, *words).split("\n")


def in_fish(script, *words):
    text = output_of("fish", "--no-config", "-c", 'source $argv[1]; complete -C "$argv[2]"', str(script), " ".join(words))
    return [line.partition("\t")[0] for line in text.split("\n")]


SHELLS = {"bash": in_bash, "zsh": in_zsh, "fish": in_fish}


@pytest.fixture(scope="module", params=SHELLS)
def complete(request, tmp_path_factory):
    """What is offered for the last of some words, which may be empty."""
    script = tmp_path_factory.mktemp("completion") / f"coffer.{request.param}"
    done = run("completion", request.param)
    assert done.returncode == 0 and done.stderr == ""
    script.write_text(done.stdout)
    return lambda *words: {word for word in SHELLS[request.param](script, "coffer", *words) if word}


def commands_in(text):
    return set(re.findall(r"^  ([a-z-]+)(?:, [a-z]+)? {2,}", text.partition("Subcommands:")[2], re.M))


def options_in(text):
    return set(re.findall(r"^  (?:-h,)?(--[a-z-]+)", text, re.M))


def test_every_command_is_offered(complete):
    top = run("--help").stdout
    assert commands_in(top) > {"serve", "account", "connector", "completion", "manual"}
    assert {word for word in complete("") if not word.startswith("-")} == commands_in(top)
    for group in ("account", "key", "session", "share", "connector"):
        below = commands_in(run(group, "--help").stdout)
        assert below and {word for word in complete(group, "") if not word.startswith("-")} == below
        for command in below:
            assert {"--help", *options_in(run(group, command, "--help").stdout)} <= complete(group, command, "--"), command


def test_words_that_are_begun(complete):
    assert complete("acc") == {"account"} and complete("account", "rem") == {"remove"}
    assert complete("account", "nothing") == set() and complete("nothing", "ad") == set()
    assert complete("account", "add", "--qu") == {"--quota"}


def test_aliases_and_options_before(complete):
    assert "--json" in complete("account", "ls", "--") and complete("account", "ls", "--") == complete("account", "list", "--")
    assert complete("account", "add", "--quota", "1GiB", "--rol") == {"--role"}


def test_values(complete):
    assert complete("account", "add", "--role", "") == {"admin", "user"} and complete("account", "add", "--role", "ad") == {"admin"}
    assert complete("completion", "b") == {"bash"}
    assert complete("account", "add", "--quota", "") == set()


def test_folders_and_files(complete, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    place = str(tmp_path / "f")
    folders, files = complete("serve", "--data", place), complete("serve", "--config", place)
    if folders == {"folders"}:  # zsh was only asked which of them it would show.
        assert files == {"files"}
        return
    assert {word.rstrip("/") for word in folders} == {str(tmp_path / "folder")}
    assert {word.rstrip("/") for word in files} == {str(tmp_path / "folder"), str(tmp_path / "file")}


def test_another_shell():
    done = run("completion", "tcsh")
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1 and "bash" in done.stderr


def test_the_manual_page(tmp_path):
    page = tmp_path / "coffer.1"
    page.write_text(run("manual").stdout)
    assert output_of("groff", "-K", "utf8", "-man", "-ww", "-z", str(page)) == ""
    text = re.sub(r".\x08|\x1b\[[0-9;]*m", "", output_of("groff", "-K", "utf8", "-T", "utf8", "-man", "-rLL=200n", str(page)))
    for group in ("account", "key", "session", "share", "connector"):
        for command in commands_in(run(group, "--help").stdout):
            assert f"coffer {group} {command}" in text.replace("‐", "-"), command
    assert "--quota" in text and "COFFER_LISTEN" in text and "share_roots" in text and "EXIT STATUS" in text
