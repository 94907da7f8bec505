#!/usr/bin/env python3
"""What becomes of a run when things go wrong around it.

usage: faults.py SHERD SHIM [--all] [--figures]

1. killed before a call that changes a file, then resumed; killed while resumed, while a former run is replaced
2. full disks, quotas, failing disks from a call on, or in one call alone
3. limits of memory, threads and descriptors
4. several processes in one folder
5. files of an interrupted run that are damaged: flipped bits, cut ends, holes of zeros, foreign bytes

After each the run is resumed (or run again, where --resume says that it can't) and has to be what the undisturbed
run is: the frames of the run file bit for bit, the tables but for wall times, pictures and meshes byte for byte. The
exit status is 0, 1 or 2, a message comes with 1 and 2, and no temporary file stays. Points are drawn with a fixed
seed; --all takes every one. SHIM is the library made of faults/shim.c. --figures prints the table of
docs/notebook/reliability.md.
"""
import collections
import concurrent.futures
import itertools
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

from small_run import PICTURES, check, command, contents, rows, write_scene

SHIM = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else ""
ALL = "--all" in sys.argv
OPTIONS = [*PICTURES, "--set", "output.render.video=false", "-j", "1", "--quiet"]
CLOCK = "0.02"  # a second or so of the shim's clock for each frame: the first checkpoint comes within the run
DIFFERENT = ("report.html", "timings.csv", "outputs.list", "checkpoint.sherd", "checkpoint-former.sherd", "run.sherd", "stats.csv",
             "probes.csv")  # hold wall times, or are compared otherwise
outcomes = collections.Counter()
failures = []


def run(words, environment=None, limits=None):
    shim = {"LD_PRELOAD": SHIM, "FAULT_CLOCK": CLOCK, **(environment or {})}
    return subprocess.run(command(*words), capture_output=True, text=True, timeout=100, env={**os.environ, **shim},
                          preexec_fn=limits)


def drawn(what, points, count):
    points = list(points)
    return points if ALL or len(points) <= count else sorted(random.Random(what).sample(points, count))


def every(work, points):
    """Two at a time; the first failure ends the test, or with --all is kept and printed."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for failure in pool.map(work, points):
            check(ALL or failure is None, failure)
            if failure is not None:
                failures.append(failure)
                print("FAILED:", failure, flush=True)


# ---- what an undisturbed run is

def chunks(path):
    """Kind, frame and bytes of each chunk (docs/reference/run-file.md); those of STEP hold a wall time."""
    with open(path, "rb") as file:
        data = file.read()
    found, at = [], 32
    while at < len(data):
        kind, _, frame, raw, stored = struct.unpack_from("<4sIqQQ", data, at)
        found.append((kind, frame, raw, b"" if kind == b"STEP" else data[at + 40:at + 40 + stored]))
        at += 40 + stored
    return found


def state(out):
    files = {name: data for name, data in contents(out).items() if name not in DIFFERENT}
    return {"run.sherd": chunks(os.path.join(out, "run.sherd")), "stats.csv": rows(out, "stats.csv"),
            "probes.csv": rows(out, "probes.csv"), **files}


def difference(expected, out):
    found = state(out)
    names = expected.keys() ^ found.keys() or {name for name in found if found[name] != expected[name]}
    return f"differs in {sorted(names)}" if names else None


def in_order(result, statuses=(0, 1, 2)):
    """None, or what is wrong about how a command ended."""
    if result.returncode not in statuses:
        return f"exit status {result.returncode}: {result.stderr}"
    if result.returncode != 0 and result.stderr.strip() == "":
        return f"exit status {result.returncode} without a word"
    return None


class Runs:
    def __init__(self, folder):
        self.folder, self.scene = folder, write_scene(folder)
        self.numbers = itertools.count()
        reference = self.place()
        self.calls = self.log(reference)
        self.expected = state(reference)
        self.list_of_calls = open(reference + ".log").read().splitlines()

    def place(self):
        return os.path.join(self.folder, str(next(self.numbers)))

    def words(self, out, *more):
        return ["run", self.scene, "-o", out, *OPTIONS, *more]

    def log(self, out, *more):
        """How many calls a run into the folder makes."""
        log = out + ".log"
        result = run(self.words(out, *more), {"FAULT_LOG": log})
        check(result.returncode == 0, result.stderr)
        return sum(1 for _ in open(log))

    def copy(self, former):
        out = self.place()
        if former is not None:
            shutil.copytree(former, out, symlinks=True)
        return out

    def mend(self, out, what, more=(), expected=None):
        """Resumes, or runs again where that is refused; compares. None, or what is wrong."""
        result = run(self.words(out, *more, "--resume"))
        if result.returncode == 2:
            outcomes[what, "then run again, --resume is refused"] += 1
            result = run(self.words(out, *more))
        else:
            outcomes[what, "then resumed"] += 1
        wrong = in_order(result, (0,)) or difference(expected or self.expected, out)
        shutil.rmtree(out, ignore_errors=True)
        return wrong

    def interrupted(self):
        """A folder as a kill leaves it, behind the first checkpoint and some frames."""
        line = next(line for line in reversed(self.list_of_calls) if line.endswith("frames/frame_000003.png"))
        out = self.place()
        run(self.words(out), {"FAULT_AT": line.split()[0], "FAULT_KIND": "kill"})
        check(os.path.exists(os.path.join(out, "checkpoint.sherd")), "no checkpoint comes within the run")
        return out


# ---- faults

def kills(runs, what, former, more, calls, count):
    def one(point):
        out = runs.copy(former)
        result = run(runs.words(out, *more), {"FAULT_AT": str(point), "FAULT_KIND": "kill"})
        if result.returncode != -signal.SIGKILL:
            return f"{what} {point}: not killed: {result.returncode} {result.stderr}"
        wrong = runs.mend(out, what)
        return wrong and f"{what}, before call {point}: {wrong}"

    first = {3, 4, 5}  # the list of outputs is being written for the first time
    every(one, sorted(first | set(drawn(what, range(1, calls + 1), count))))


def errors(runs, count):
    def one(point):
        number, kind = point
        out = runs.copy(None)
        result = run(runs.words(out), {"FAULT_AT": str(number), "FAULT_KIND": kind})
        wrong = in_order(result, (0, 1))
        if wrong is None and result.returncode == 0 and result.stderr == "":
            wrong = difference(runs.expected, out)
        outcomes[kind, f"exit status {result.returncode}"] += 1
        wrong = wrong or runs.mend(out, kind)
        return wrong and f"{kind} at call {number}: {wrong}"

    kinds = [kind + once for kind in ("ENOSPC", "EDQUOT", "EIO") for once in ("", " once")]
    every(one, drawn("errors", itertools.product(range(1, runs.calls + 1), kinds), count))


def limits(runs):
    def limited(what, number):
        return lambda: resource.setrlimit(what, (number, number))

    cases = [("memory", resource.RLIMIT_AS, size << 20) for size in (40, 60, 80, 120, 160, 240, 400)]
    cases += [("descriptors", resource.RLIMIT_NOFILE, number) for number in range(4, 12)]
    cases += [("size of files", resource.RLIMIT_FSIZE, size) for size in (100, 1000, 10000, 30000)]

    bare = ["--no-pictures", "--set", "output.meshes=[]", "-j", "4"]
    reference = runs.place()
    check(run(runs.words(reference, *bare)).returncode == 0, "a run without pictures")
    expected = state(reference)

    def one(case):
        name, what, number = case
        out = runs.copy(None)
        result = run(runs.words(out, *bare), limits=limited(what, number))
        outcomes[name, f"exit status {result.returncode}"] += 1
        # Below what the program itself takes to start the system ends it.
        wrong = None if result.returncode in (127, -signal.SIGKILL) else in_order(result)
        wrong = wrong or runs.mend(out, name, bare, expected)
        return wrong and f"{name} {number}: {wrong}"

    every(one, cases)


def few_threads(runs):
    """As many as there may be are taken; pictures are left out that need one more, and that is said."""
    reference = runs.place()
    check(run([*runs.words(reference), "-j", "4"]).returncode == 0, "a run with four threads")
    undisturbed = state(reference)

    def one(number):
        out = runs.copy(None)
        result = run([*runs.words(out), "-j", "4"], {"FAULT_THREADS": str(number)})
        fewer = "one thread more" in result.stderr
        outcomes["threads", f"exit status {result.returncode}, {'fewer' if fewer else 'all'} pictures"] += 1
        made = contents(out)
        expected = {name: data for name, data in undisturbed.items()
                    if not fewer or not name.startswith("frames") or name in made}
        wrong = in_order(result, (0,)) or difference(expected, out)
        shutil.rmtree(out)
        return wrong and f"{number} threads: {wrong}\n{result.stderr}"

    every(one, range(8))


def crowd(runs):
    out = runs.place()
    processes = [subprocess.Popen(command(*runs.words(out)), stderr=subprocess.PIPE, text=True) for _ in range(4)]
    ended = [(process.communicate(timeout=100)[1], process.returncode) for process in processes]
    check(any(status == 0 for _, status in ended), f"none of four processes succeeds: {ended}")
    for words, status in ended:
        check(status == 0 or (status == 1 and "another program" in words), f"four processes: {status} {words}")
        outcomes["several processes", f"exit status {status}"] += 1
    check(difference(runs.expected, out) is None, "four processes harm each other")


# ---- damaged files

def damaged(data, how, draw):
    data = bytearray(data)
    at = draw.randrange(len(data))
    if how == "flip":
        data[at] ^= 1 << draw.randrange(8)
    elif how == "cut":
        del data[at:]
    elif how == "zeros":
        data[at:at + 64] = bytes(len(data[at:at + 64]))
    else:
        data[at:at + 16] = draw.randbytes(len(data[at:at + 16]))
    return bytes(data)


def corrupted(runs, count):
    names = ("run.sherd", "checkpoint.sherd", "checkpoint-former.sherd", "stats.csv", "probes.csv", "outputs.list")
    former = runs.interrupted()
    names = [name for name in names if os.path.exists(os.path.join(former, name))]

    def one(point):
        number, name, how = point
        out = runs.copy(former)
        path, draw = os.path.join(out, name), random.Random(str(point))
        with open(path, "rb") as file:
            data = damaged(file.read(), how, draw)
        with open(path, "wb") as file:
            file.write(data)
        told = run(["info", out])
        wrong = in_order(told)
        before = contents(out)
        result = run(runs.words(out, "--resume"))
        wrong = wrong or in_order(result)
        outcome = f"exit status {result.returncode}"
        if name == "outputs.list":
            forget_parts(out)
        if result.returncode == 0:
            wrong = wrong or unlike(runs.expected, out, result.stderr, name)
            outcome += ", damaged frames named" if "are damaged" in result.stderr else ", as undisturbed"
        elif contents(out) != before and name != "outputs.list":
            wrong = wrong or f"refused, but changed: {result.stderr}"
        if result.returncode != 0:
            wrong = wrong or in_order(run(runs.words(out, "--overwrite")), (0,)) or difference(runs.expected, out)
        outcomes[f"damaged {name}", outcome] += 1
        shutil.rmtree(out)
        return wrong and f"{how} {number} in {name}: {wrong}\n{result.stderr}"

    ways = ("flip", "flip", "cut", "zeros", "garbage")
    every(one, [(k, names[k % len(names)], ways[k % len(ways)]) for k in range(count)])


def forget_parts(out):
    """What a killed process left and the list no longer tells stays: it may be anybody's."""
    for name in contents(out):
        if name.endswith(".part"):
            os.remove(os.path.join(out, name))


def unlike(expected, out, words, name):
    """A frame that is damaged and named stays so; all else is as undisturbed. probes.csv has no checksums."""
    if "are damaged" not in words and name != "probes.csv":
        return difference(expected, out)
    for table in {"stats.csv", "probes.csv"} - {name}:
        if rows(out, table) != expected[table]:
            return f"{table} differs"
    return None


def print_figures(calls):
    print(f"calls that change a file in the run: {calls}")
    for (what, outcome), count in sorted(outcomes.items()):
        print(f"| {what} | {outcome} | {count} |")


def main():
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(os.path.realpath(folder))
        kills(runs, "killed", None, [], runs.calls, 24)
        part = runs.interrupted()
        kills(runs, "killed while resumed", part, ["--resume"], runs.log(runs.copy(part), "--resume"), 12)
        other = runs.place()
        check(run(runs.words(other, "--set", "gravity=[0, 0, -1]")).returncode == 0, "another run")
        kills(runs, "killed while a run is replaced", other, [], runs.log(runs.copy(other)), 12)
        errors(runs, 24)
        limits(runs)
        few_threads(runs)
        crowd(runs)
        corrupted(runs, 2000 if ALL else 100)
        if "--figures" in sys.argv:
            print_figures(runs.calls)
    check(not failures, f"{len(failures)} points")
    print("all as it should be")


if __name__ == "__main__":
    main()
