#!/usr/bin/env python3
"""Completion and the manual page know the command, and shells and man take them.

usage: completion.py SHERD

1. every command that --help names, and every option that --help and the helps of commands name, is in all four
2. bash completes commands, options of a command, their values, benchmarks, scenes and folders
3. the manual page has no warnings, where groff is; zsh and fish read theirs, where they are
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROUTES = {"bash": ["completion", "bash"], "zsh": ["completion", "zsh"], "fish": ["completion", "fish"], "man": ["man"]}


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=60, **more)


def everything_is_there(sherd, texts):
    helps = run(sherd, "--help").stdout
    commands = set(re.findall(r"^  sherd ([a-z]+)", helps, re.M))
    check(len(commands) >= 14, f"commands: {commands}")
    for name in commands:
        more = run(sherd, name, "--help")
        check(more.returncode == 0, f"{name} --help: {more.stderr}")
        helps += more.stdout
    options = set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", helps)) - {"--version"}
    check(len(options) >= 28, f"options: {options}")
    for shell, text in texts.items():
        plain = re.sub(r"\\f[BIR]", " ", text).replace("\\-", "-")
        for name in commands:
            check(re.search(rf"(?<![\w-]){name}(?![\w-])", plain), f"{shell}: no command {name}")
        for option in options:
            word = f"-l {option[2:]}" if shell == "fish" else option
            check(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", plain), f"{shell}: no option {option}")


def bash_says(script, folder, *words):
    line = " ".join(f"'{word}'" for word in words)
    code = f'. "$1"; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _sherd; printf "%s\\n" "${{COMPREPLY[@]}}"'
    result = run("bash", "--norc", "-c", code, "bash", script, cwd=folder)
    check(result.stderr == "", f"{words}: {result.stderr}")
    return result.stdout.split()


def in_bash(sherd, text, folder):
    script = os.path.join(folder, "completion")
    with open(script, "w") as file:
        file.write(text)
    for name in ("a.yaml", "b.stl", "out/x"):
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        open(os.path.join(folder, name), "w").close()
    cases = [(["ru"], ["run"]), (["c"], ["check", "calibrate", "completion"]), (["run", "--var"], ["--variant"]),
             (["run", "--port"], []), (["view", "--p"], ["--port"]), (["new", "n", "--kind", "b"], ["ball", "beam"]),
             (["export", "out", "--to", "u"], ["usda"]), (["export", "out", "--to", "q"], []),
             (["bench", "ro"], ["rods"]), (["completion", ""], ["bash", "zsh", "fish"]), (["run", ""], ["a.yaml", "out"]),
             (["render", ""], ["out"]), (["run", "a.yaml", "-o", ""], ["out"]), (["run", "a.yaml", "--set", ""], [])]
    for words, wanted in cases:
        got = bash_says(script, folder, "sherd", *words)
        check(sorted(got) == sorted(wanted), f"{words}: {got} instead of {wanted}")
    options = bash_says(script, folder, "sherd", "run", "-")
    for option in options:  # taken: what fails is the scene that is not there, or a value that is missing
        said = run(sherd, "run", "nothing.yaml", option, cwd=folder).stderr
        check("unknown option" not in said, f"{option}: {said}")
    check({"--resume", "--frames", "-o", "-j"} <= set(options), f"options of run: {options}")


def words_are_true(sherd, folder):
    """Words in the tables against what the commands themselves say there is."""
    for words, hint in ((["bench", "?"], r"there are: (.*)"), (["new", "x", "--kind", "?"], r"there are: (.*)"),
                        (["new", "x", "--detail", "?"], r"there are: (.*)"), (["completion", "?"], r"there are: (.*)"), (["materials", "?"], r"known here: (.*)")):
        there = re.search(hint, run(sherd, *words, cwd=folder).stderr).group(1).split(", ")
        script = os.path.join(folder, "completion")
        got = bash_says(script, folder, "sherd", *words[:-1], "")
        check(sorted(got) == sorted(there), f"{words}: {got} instead of {there}")


def others_read_them(texts):
    if shutil.which("groff"):
        result = run("groff", "-man", "-Tutf8", "-ww", input=texts["man"])
        check(result.returncode == 0 and result.stderr == "", f"groff: {result.stderr}")
        check("EXIT STATUS" in re.sub(".\b", "", result.stdout), result.stdout)
    for shell in ("zsh", "fish"):
        if shutil.which(shell):
            result = run(shell, "--no-execute" if shell == "fish" else "-n", "/dev/stdin", input=texts[shell])
            check(result.returncode == 0 and result.stderr == "", f"{shell}: {result.stderr}")


def main():
    sherd = os.path.abspath(sys.argv[1])
    texts = {shell: run(sherd, *words).stdout for shell, words in ROUTES.items()}
    everything_is_there(sherd, texts)
    with tempfile.TemporaryDirectory() as folder:
        in_bash(sherd, texts["bash"], folder)
        words_are_true(sherd, folder)
    others_read_them(texts)
    for words in (["completion"], ["completion", "csh"], ["man", "x"]):
        check(run(sherd, *words).returncode == 2, f"{words} is taken")
    print("ok")


main()
