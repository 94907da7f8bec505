#!/usr/bin/env python3
"""sherd new: scenes that check accepts, of every kind and material, and how it asks.

usage: new_scene.py SHERD

1. every kind and material that its messages name, and every detail: sherd check has no error; comments are there
2. a plate runs and breaks
3. no file is written over; wrong kinds, materials, details and names are wrong usage and write nothing
4. in a terminal it asks three questions, again after a wrong answer; at the end of input it takes what is usual
"""
import os
import pty
import re
import subprocess
import sys
import tempfile


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def run(sherd, folder, *arguments):
    return subprocess.run([sherd, *arguments], capture_output=True, text=True, timeout=200, cwd=folder,
                          stdin=subprocess.DEVNULL)


def words_of(sherd, folder, *arguments):
    """What the hint of a refusal lists."""
    result = run(sherd, folder, "new", "refused", *arguments)
    check(result.returncode == 2, f"{arguments}: status {result.returncode}")
    check(not os.path.exists(os.path.join(folder, "refused.yaml")), f"{arguments}: written all the same")
    return re.search(r"(?:are:| of) ([a-z]+(?:, [a-z]+)*)$", result.stderr.strip()).group(1).split(", ")


def every_scene(sherd, folder):
    kinds = words_of(sherd, folder, "--kind", "x")
    check(kinds == ["plate", "ball", "beam", "cloth", "points"], f"kinds: {kinds}")
    for kind in kinds:
        scenes = [("--material", m) for m in words_of(sherd, folder, "--kind", kind, "--material", "x")]
        scenes += [("--detail", "coarse"), ("--detail", "fine")]
        for number, flags in enumerate(scenes):
            name = f"{kind}-{number}"
            result = run(sherd, folder, "new", name, "--kind", kind, *flags)
            check(result.returncode == 0, f"{kind} {flags}: {result.stderr}")
            with open(os.path.join(folder, name + ".yaml")) as file:
                text = file.read()
            check(text.count("#") > 5 and f"name: {name}\n" in text and "@" not in text, f"{kind} {flags}: {text}")
            # Reading it checks all that is written; one of each kind is packed and timed, too.
            result = run(sherd, folder, "check" if number == 0 else "info", name + ".yaml", *["--no-pictures"][number:])
            check(result.returncode == 0, f"{kind} {flags}: {result.stdout}{result.stderr}")
            check("warning" not in result.stderr, f"{kind} {flags}: {result.stderr}")


def one_runs(sherd, folder):
    check(run(sherd, folder, "new", "made/../short", "--detail", "coarse").returncode == 1, "no such folder")
    check(run(sherd, folder, "new", "short.yaml", "--detail", "coarse").returncode == 0, "a name with .yaml")
    result = run(sherd, folder, "run", "short.yaml", "--frames", "2", "--no-pictures", "--quiet")
    check(result.returncode == 0, result.stderr)
    broke = re.search(r"(\d+) broken bonds", run(sherd, folder, "info", "out/short").stdout)
    check(broke is not None and int(broke.group(1)) > 10, "a plate of ceramic that falls does not break")


def refusals(sherd, folder):
    mine = os.path.join(folder, "mine.yaml")
    with open(mine, "w") as file:
        file.write("mine")
    os.symlink("nowhere", os.path.join(folder, "link.yaml"))
    for name in ("mine", "mine.yaml", "link", "", "a b", "1st", "x/", "n" * 101):
        result = run(sherd, folder, "new", name)
        check(result.returncode == 2 and "hint" in result.stderr, f"{name}: {result.returncode} {result.stderr}")
    with open(mine) as file:
        check(file.read() == "mine", "written over a file")
    check(not os.path.exists(os.path.join(folder, "nowhere")), "written through a link")
    check(run(sherd, folder, "new").returncode == 2, "no name")
    check(words_of(sherd, folder, "--detail", "x") == ["coarse", "medium", "fine"], "details")


def in_terminal(sherd, folder, name, answers):
    """Output of sherd new in a terminal that gives these answers."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execv(sherd, [sherd, "new", name])
    os.write(terminal, answers.encode())
    text = b""
    try:
        while part := os.read(terminal, 4096):
            text += part
    except OSError:  # the terminal's end
        pass
    check(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, text.decode())
    with open(os.path.join(folder, name + ".yaml")) as file:
        return text.decode(), file.read()


def questions(sherd, folder):
    said, scene = in_terminal(sherd, folder, "asked", "cube\nball\nrubber\n\n")
    check("there is no cube" in said and "How fine? (coarse, medium, fine) [medium]" in said, said)
    check("sphere:" in scene and "material: rubber" in scene and "2.2 mm" in scene, scene)
    said, scene = in_terminal(sherd, folder, "ended", "beam\n\x04")
    check("box:" in scene and "material: ceramic" in scene, scene)
    check(run(sherd, folder, "new", "silent").stdout.count("?") == 0, "asks without a terminal")
    with open(os.path.join(folder, "silent.yaml")) as file:
        check("name: plate" in file.read(), "the usual scene is no plate")


def main():
    sherd = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        every_scene(sherd, folder)
        one_runs(sherd, folder)
        refusals(sherd, folder)
        questions(sherd, folder)
    print("ok")


main()
