#!/usr/bin/env python3
"""Crumbs of a small run in pictures: the same ones whatever way the pictures were made. (In exports: export.py.)

usage: debris.py SHERD

1. the simulation is the same with and without; crumbs are seen
2. with other threads, stopped and resumed, rendered again or alone: the same pixels
3. keys: wrong ones, each with its place
"""
import csv
import os
import shutil
import subprocess
import sys
import tempfile

LAST = 6
SCENE = """
sherd: 1
name: tiny
duration: 3 ms
output: {frame_rate: 2 kHz, meshes: [], render: {width: 160, height: 90, quality: preview, video: false}}
materials:
  clay: {density: 2000, youngs_modulus: 100 MPa, poissons_ratio: 0.25, tensile_strength: 0.3 MPa,
         shear_strength: 0.4 MPa, weibull_modulus: 8, seed: 3}
bodies:
  - {name: slab, shape: {box: [24 mm, 24 mm, 6 mm]}, packing: {hcp: {radius: 1.5 mm}}, material: clay,
     position: [0, 0, 5 mm], rotation: [10 deg, 5 deg, 0], velocity: [0, 0, -8]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
"""


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def sherd(command, *arguments):
    return subprocess.run([command, *arguments], capture_output=True, text=True, timeout=200)


def done(command, *arguments):
    result = sherd(command, *arguments)
    check(result.returncode == 0, f"{arguments}: {result.stdout}{result.stderr}")


def picture(folder, frame):
    with open(os.path.join(folder, f"frame_{frame:06d}.png"), "rb") as file:
        return file.read()


def hashes(run):
    with open(os.path.join(run, "stats.csv"), newline="") as file:
        return [row["state_hash"] for row in csv.DictReader(file)]


def main():
    command = os.path.abspath(sys.argv[1])
    folder = tempfile.mkdtemp(prefix="sherd-debris-")
    place = lambda name: os.path.join(folder, name)
    try:
        scene = place("tiny.yaml")
        with open(scene, "w") as file:
            file.write(SCENE)
        done(command, "run", scene, "-o", place("run"), "--quiet", "-j", "1")
        wanted = [picture(place("run/frames"), k) for k in range(LAST + 1)]

        done(command, "run", scene, "-o", place("bare"), "--quiet", "--set", "output.debris=false")
        check(hashes(place("bare")) == hashes(place("run")), "crumbs change the simulation")
        check(picture(place("bare/frames"), 0) == wanted[0], "there are crumbs before anything broke")
        check(picture(place("bare/frames"), LAST) != wanted[LAST], "there are no crumbs")

        done(command, "run", scene, "-o", place("resumed"), "--frames", "4", "--quiet", "-j", "3")
        done(command, "run", scene, "-o", place("resumed"), "--resume", "--quiet", "-j", "2")
        done(command, "render", place("run"), "-o", place("all"), "--quiet", "-j", "3")
        done(command, "render", place("bare"), "-o", place("last"), "--quiet", "--frames", f"{LAST}:{LAST}",
             "--set", "output.debris=true")
        for k in range(LAST + 1):
            check(picture(place("resumed/frames"), k) == wanted[k], f"frame {k} of a resumed run")
            check(picture(place("all"), k) == wanted[k], f"frame {k} that was rendered again")
        check(picture(place("last"), LAST) == wanted[LAST], "the last frame rendered alone")

        for value, word in (("{exponent: 0}", "exponent"), ("{pieces: 21}", "pieces"), ("{elements: 0}", "elements"),
                            ("{smallest: 0}", "smallest"), ("{size: 1 mm}", "size"), ("maybe", "debris")):
            result = sherd(command, "check", scene, "--set", f"output.debris={value}")
            check(result.returncode == 2 and word in result.stderr, f"debris: {value}: {result.returncode} {result.stderr}")
    finally:
        shutil.rmtree(folder)
    print("debris: ok")


main()
