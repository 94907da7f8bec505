#!/usr/bin/env python3
"""Standard streams that are closed or that nobody reads, and signals.

usage: streams.py SHERD

1. any of the descriptors 0 to 2 closed: the run and what is exported of it are those of a run with all of them
2. SIGHUP, like SIGTERM, ends a run with a checkpoint; started by nohup it goes on
3. nobody reads standard output any more: the run goes on to its end
4. the command that is printed for going on repeats every option, quoted for the shell
5. standard output that is full is an error
"""
import os
import shlex
import signal
import subprocess
import tempfile
import time

from small_run import PICTURES, check, command, contents, done, rows, write_scene

LONG = ["--set", "duration=10 s"]


def with_closed(closed, *arguments):
    """Runs the command without some of its descriptors."""
    def close():
        for descriptor in closed:
            os.close(descriptor)

    with open(os.devnull, "r+") as null:
        return subprocess.run(command(*arguments), stdin=null, stdout=null, stderr=null, preexec_fn=close,
                              timeout=200).returncode


def closed_streams(scene, folder):
    pictures = [*PICTURES, "-j", "1"]
    reference = os.path.join(folder, "reference")
    done("run", scene, "-o", reference, *pictures)
    done("export", reference, "--to", "csv")
    expected = contents(reference)
    for bits in range(1, 8):
        closed = [descriptor for descriptor in range(3) if bits >> descriptor & 1]
        out = os.path.join(folder, f"closed-{bits}")
        check(with_closed(closed, "run", scene, "-o", out, *pictures) == 0, f"run without {closed}")
        check(with_closed(closed, "export", out, "--to", "csv") == 0, f"export without {closed}")
        for words in (["info", out], ["check", scene], ["--help"]):
            check(with_closed(closed, *words) == 0, f"{words} without {closed}")
        found = contents(out)
        names = (found.keys() ^ expected.keys()) - {"checkpoint-former.sherd"}  # where the run took more than 2 s
        check(not names, f"without {closed}: {names}")
        for name in ("stats.csv", "probes.csv"):
            check(rows(out, name) == rows(reference, name), f"{name} without {closed}")
        for name in expected:
            if name.startswith(("frames", "surface", "vtk", "csv", "run.glb")):
                check(found[name] == expected[name], f"{name} without {closed}")
        check(b"frame 1/" not in found["run.sherd"], f"words in the run file without {closed}")
        check("5 of 5 frames" in done("info", out), f"frames are missing without {closed}")


def started(*arguments, **options):
    """A run that has written a few frames."""
    out = arguments[arguments.index("-o") + 1]
    process = subprocess.Popen(command(*arguments), stderr=subprocess.PIPE, text=True, **options)
    stats = os.path.join(out, "stats.csv")
    deadline = time.time() + 60
    while time.time() < deadline and not (os.path.exists(stats) and open(stats).read().count("\n") >= 3):
        time.sleep(0.01)
    return process


def hangup(scene, folder):
    for number in (signal.SIGHUP, signal.SIGTERM):
        out = os.path.join(folder, f"signal-{number}")
        process = started("run", scene, *LONG, "-o", out, stdout=subprocess.PIPE)
        process.send_signal(number)
        words, errors = process.communicate(timeout=60)
        check(process.returncode == 1 and "--resume" in words, f"{number}: {process.returncode} {words} {errors}")
        check("resumable after frame" in done("info", out), f"{number}: no checkpoint")
    out = os.path.join(folder, "nohup")
    process = started("run", scene, *LONG, "-o", out, stdout=subprocess.PIPE,
                      preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    check(process.poll() is None, "a run started by nohup ended with its terminal")
    process.terminate()
    process.communicate(timeout=60)


def nobody_reads(scene, folder):
    out = os.path.join(folder, "unread")
    reading, writing = os.pipe()
    process = subprocess.Popen(command("run", scene, "-o", out), stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    os.close(reading)
    _, errors = process.communicate(timeout=100)
    check(process.returncode == 0 and errors == "", f"nobody reads: {process.returncode} {errors}")
    check("5 of 5 frames" in done("info", out), "the run did not go on to its end")


def resume_command(scene, folder):
    out = os.path.join(folder, "it's $HOME")
    options = ["--set", "name=renamed", *LONG, "--frames", "900", "--no-pictures", "-j", "1", "--simd", "baseline",
               "--quiet", "--overwrite", "-o", out]
    process = started("run", scene, *options, stdout=subprocess.PIPE)
    process.send_signal(signal.SIGINT)
    words, errors = process.communicate(timeout=60)
    check(process.returncode == 1, f"{process.returncode} {words} {errors}")
    line = next(line for line in words.splitlines() if "sherd run" in line)
    printed = shlex.split(line)
    check(printed[:3] == ["sherd", "run", scene] and printed[-1] == "--resume", line)
    check(sorted(printed[3:-1]) == sorted(options), f"{printed} instead of {options}")
    shell = line.replace("sherd run", shlex.quote(command()[0]) + " run", 1).replace("--frames 900", "--frames 20")
    result = subprocess.run(["sh", "-c", shell], capture_output=True, text=True, timeout=100)
    check(result.returncode == 0, f"the printed command: {result.stderr}")


def full_output(scene):
    if not os.path.exists("/dev/full"):
        return
    with open("/dev/full", "w") as full:
        result = subprocess.run(command("check", scene), stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    check(result.returncode == 1 and "can't write to standard output" in result.stderr, result.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        scene = write_scene(folder)
        closed_streams(scene, folder)
        hangup(scene, folder)
        nobody_reads(scene, folder)
        resume_command(scene, folder)
        full_output(scene)
    print("all as it should be")


if __name__ == "__main__":
    main()
