#!/usr/bin/env python3
"""Completion and the manual page know the command, and shells and man take them.

usage: completion.py SHERD

1. every command that --help names, and every option that --help and the helps of commands name, is in all four
2. bash completes commands, options of a command, their values, benchmarks, scenes and folders
3. zsh and fish complete the same, where they are
4. the manual page has no warnings, where groff is
"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

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
        check(more.stdout.startswith(f"usage: sherd {name} "), f"{name} --help: {more.stdout[:80]}")
        check(all(len(line) <= 110 for line in more.stdout.splitlines()), f"{name} --help: lines are long")
        helps += more.stdout
    check("--port" not in run(sherd, "run", "--help").stdout, "sherd run --help has options of other commands")
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


# Words of a line, the last to be completed; what is offered then. Of files: names, of folders without a slash.
CASES = [(["ru"], ["run"]), (["c"], ["check", "calibrate", "completion"]), (["run", "--var"], ["--variant"]),
         (["run", "--port"], []), (["view", "--p"], ["--port"]), (["new", "n", "--kind", "b"], ["ball", "beam"]),
         (["export", "out", "--to", "u"], ["usd", "usda"]), (["export", "out", "--to", "q"], []),
         (["bench", "ro"], ["rods"]), (["completion", ""], ["bash", "zsh", "fish"]), (["run", ""], ["a.yaml", "out"]),
         (["render", ""], ["out"]), (["run", "a.yaml", "-o", ""], ["out"]), (["run", "a.yaml", "--set", ""], []),
         (["materials", "gl"], ["glass"]), (["run", "--simd", "avx"], ["avx2", "avx512"])]


def files_for(script, text, folder):
    with open(script, "w") as file:
        file.write(text)
    for name in ("a.yaml", "b.stl", "out/x"):
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        open(os.path.join(folder, name), "w").close()


def judge(shell, says):
    for words, wanted in CASES:
        got = sorted({word.rstrip("/") for word in says(words)})
        check(got == sorted(wanted), f"{shell}, {words}: {got} instead of {wanted}")


def fish_says(script, folder, home, words):
    result = run("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script,
                 " ".join(["sherd", *words]), cwd=folder, env={**os.environ, "HOME": home, "XDG_CONFIG_HOME": home})
    check(result.returncode == 0 and result.stderr == "", f"fish, {words}: {result.stderr}")
    return [line.split("\t")[0] for line in result.stdout.splitlines()]


# In an interactive zsh every match that a completion adds is written to a file, too.
ZSH_SETUP = r"""
PS1='' PS2='' RPS1='' LISTMAX=9999; unsetopt beep
autoload -Uz compinit; compinit -u -D
source "$SCRIPT"
compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return $?; fi
    local -a hits
    builtin compadd -A hits "$@"
    print -rl -- $hits >> "$OUT"
    builtin compadd "$@"  # what matched decides where zsh goes on looking
}
tell() { zle complete-word; BUFFER=''; print -r -- DONE >> "$OUT" }
zle -N tell
bindkey '^I' tell
print -r -- READY >> "$OUT"
"""


class Zsh:
    def __init__(self, script, folder):
        self.out = os.path.join(folder, "zsh-says")
        open(self.out, "w").close()
        environment = {**os.environ, "SCRIPT": script, "OUT": self.out, "TERM": "dumb", "HOME": folder, "ZDOTDIR": folder}
        setup = os.path.join(folder, "zsh-setup")
        with open(setup, "w") as file:
            file.write(ZSH_SETUP)
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], environment)
        os.write(self.terminal, f"source {setup}\n".encode())
        self.until("READY")

    def until(self, mark):
        """What has been written up to the mark; the terminal is read so that it does not fill."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.05)[0]:
                os.read(self.terminal, 65536)
            with open(self.out) as file:
                lines = file.read().splitlines()
            if mark in lines:
                open(self.out, "w").close()
                return lines[:lines.index(mark)]
        check(False, f"zsh says nothing to {mark}")

    def says(self, words):
        os.write(self.terminal, f"{' '.join(['sherd', *words])}\t".encode())
        return [line for line in self.until("DONE") if line]

    def close(self):
        os.write(self.terminal, b"exit\n")
        os.close(self.terminal)
        os.waitpid(self.child, 0)


def in_others(texts, folder):
    script = os.path.join(folder, "others")
    if shutil.which("fish"):
        files_for(script, texts["fish"], folder)
        with tempfile.TemporaryDirectory() as home:  # fish keeps things there
            judge("fish", lambda words: fish_says(script, folder, home, words))
    else:
        print("fish is not here: its completion is not tested (apt-get install fish)")
    if shutil.which("zsh"):
        files_for(script, texts["zsh"], folder)
        zsh = Zsh(script, folder)
        judge("zsh", zsh.says)
        zsh.close()
    else:
        print("zsh is not here: its completion is not tested (apt-get install zsh)")


def in_bash(sherd, text, folder):
    script = os.path.join(folder, "completion")
    files_for(script, text, folder)
    judge("bash", lambda words: bash_says(script, folder, "sherd", *words))
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
    with tempfile.TemporaryDirectory() as folder:
        in_others(texts, folder)
    others_read_them(texts)
    for words in (["completion"], ["completion", "csh"], ["man", "x"]):
        check(run(sherd, *words).returncode == 2, f"{words} is taken")
    print("ok")


main()
