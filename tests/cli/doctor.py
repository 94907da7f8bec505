#!/usr/bin/env python3
"""sherd doctor: what it says is so.

usage: doctor.py SHERD

1. version and instruction sets agree with --version and --simd; the video's codec is told, and its absence without ffmpeg
2. status 0 where a run works, leaving nothing; 1 where the working folder can't be written to
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def run(sherd, *arguments, cwd=None, **changes):
    environment = {**os.environ, **changes}
    return subprocess.run([sherd, *arguments], capture_output=True, text=True, timeout=100, cwd=cwd, env=environment)


def rows(text):
    """First word or words of each row, up to column 16, to what follows, further lines after a newline."""
    found, name = {}, None
    for line in text.splitlines():
        if line[:15].strip():
            name = line[:15].strip()
            found[name] = line[16:]
        else:
            found[name] += "\n" + line[16:]
    return found


def what_it_says(sherd, folder):
    result = run(sherd, "doctor", cwd=folder)
    check(result.returncode == 0, f"status {result.returncode}: {result.stdout}{result.stderr}")
    check(os.listdir(folder) == [], f"left behind: {os.listdir(folder)}")
    said = rows(result.stdout)
    check(said["version"].startswith(run(sherd, "--version").stdout.strip()), said["version"])
    levels, used = said["SIMD"].split("\n")[0].split("; used: ")
    for level in ("baseline", "avx2", "avx512"):
        there = run(sherd, "doctor", "--simd", level, cwd=folder).returncode == 0
        check((level in levels.split(", ")) == there, f"{level}: {said['SIMD']}")
    check(used == levels.split(", ")[-1], said["SIMD"])
    check("used: baseline" in run(sherd, "doctor", "--simd", "baseline", cwd=folder).stdout, "--simd is not told")
    machine = rows(run(sherd, "doctor", cwd=folder, SHERD_SIMD="avx512").stdout)["SIMD"] # whatever cap there is now
    best = machine.split("; used: ")[0].split(", ")[-1]
    capped = rows(run(sherd, "doctor", cwd=folder, SHERD_SIMD="baseline").stdout)["SIMD"]
    check(capped.startswith("baseline; used: baseline\n") and "SHERD_SIMD=baseline" in capped, capped)
    check(best == "baseline" or "capped by" in capped and best in capped, capped)
    usable = int(re.search(r"used: (\d+)", said["threads"]).group(1))
    check(usable == len(os.sched_getaffinity(0)), said["threads"])
    if shutil.which("ffmpeg"):
        check("MPEG-4" in said["video"] or "H.264" in said["video"], said["video"])
    check(said["a small run"].startswith("works"), said["a small run"])


def without(sherd, folder):
    empty = os.path.join(folder, "empty")
    os.mkdir(empty)
    result = run(sherd, "doctor", cwd=folder, PATH=empty)
    check(result.returncode == 0, "a missing ffmpeg keeps runs from working")
    video = rows(result.stdout)["video"]
    check("none" in video and "install ffmpeg" in video, video)
    gone = os.path.join(folder, "gone")
    os.mkdir(gone)
    # Also for root, who may write anywhere: a working folder that is gone.
    result = subprocess.run(["sh", "-c", 'cd "$0" && rmdir "$0" && exec "$1" doctor', gone, sherd],
                            capture_output=True, text=True, timeout=100)
    check(result.returncode == 1, f"no folder: status {result.returncode}: {result.stdout}")
    check("can't be written to" in rows(result.stdout)["working folder"], result.stdout)


def main():
    sherd = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        what_it_says(sherd, folder)
        without(sherd, folder)
    result = run(sherd, "doctor", "x")
    check(result.returncode == 2, "an input is taken")
    print("ok")


main()
