#!/usr/bin/env python3
"""USD of a soft bar that bends over a nail: moving vertices, compared with the point cache of obj-pc2.

usage: usd.py SHERD

1. points are those of the cache; velocities their differences; normals turn with the faces; crate and text have the same
2. the bytes don't depend on threads; a range of frames has the samples of these frames
3. a run that writes it has the same bytes, also after it was resumed
4. what bends little is rigid: the same bar of a stiff material
"""
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import usda  # noqa: E402
import usdc  # noqa: E402

LAST = 6
SCENE = """
sherd: 1
name: soft
duration: 30 ms
output: {frame_rate: 200 Hz, meshes: [], render: {enabled: false}}
materials:
  gum: {density: 1000, youngs_modulus: 50 kPa, poissons_ratio: 0.25, unbreakable: true}
bodies:
  - {name: bar, shape: {box: [40 mm, 6 mm, 6 mm]}, packing: {cubic: {radius: 1 mm}}, material: gum,
     position: [0, 0, 5.2 mm], velocity: [0, 0, -1.5]}
obstacles:
  - {name: nail, sphere: 2 mm, position: [0, 0, 0]}
"""


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def done(*arguments):
    result = subprocess.run(arguments, capture_output=True, text=True, timeout=200)
    check(result.returncode == 0, f"{arguments}: {result.returncode}: {result.stderr}")


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def cache(data):
    """Vertices of each frame, z up."""
    points, _, _, frames = struct.unpack_from("<iffi", data, 16)
    rows = list(struct.iter_unpack("<3f", data[32:]))
    return [[(x, -z, y) for x, y, z in rows[points * f:points * (f + 1)]] for f in range(frames)]


def facets(points, faces):
    """The normal of each triangle, by area."""
    for a, b, c in zip(*[iter(faces)] * 3):
        u, w = ([q - p for p, q in zip(points[a], points[k])] for k in (b, c))
        yield u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]


def check_normals(values, time):
    """Each lies within the angle that is smoothed, 35 degrees at rest, of its triangle's; folds add to it."""
    faces = [int(k) for k, in values["faceVertexIndices"]]
    normals, corners = values["primvars:normals.timeSamples"][time], values["primvars:normals:indices"]
    total = off = 0
    for t, facet in enumerate(facets(values["points"][time], faces)):
        size = math.hypot(*facet)
        for k in range(3):
            along = sum(x * y for x, y in zip(facet, normals[int(corners[3 * t + k][0])])) / size if size > 0 else 1
            total, off = total + 1, off + (along < math.cos(math.radians(45)))
    check(off < 0.01 * total, f"{off} of {total} normals are off in frame {time}")


def moving(command, run):
    for form in ("usd", "usda", "obj-pc2"):
        done(command, "export", run, "--to", form, "--quiet")
    stage = usda.Usda(read(run, "run.usda").decode())
    crate = usdc.Usdc(read(run, "run.usdc"))
    try:
        pieces = usda.check_stage(stage)[0]
        usdc.compare(stage.prims["run"], crate.prims["run"], "/run")
    except usda.UsdaError as error:
        check(False, str(error))
    values, frames = pieces["bar_at_0"].values, cache(read(run, "run.pc2"))
    check(list(values["points"]) == list(range(LAST + 1)) and len(frames) == LAST + 1, "frames")
    for time, points in values["points"].items():
        place = frames[int(time)]
        check(all(math.dist(p, q) < 1e-8 for p, q in zip(points, place)), f"points of frame {time}")
        before, after = frames[max(int(time) - 1, 0)], frames[min(int(time) + 1, LAST)]
        seconds = (min(time + 1, LAST) - max(time - 1, 0)) / 24
        for p, q, v in zip(before, after, values["velocities"][time]):
            check(all(abs((b - a) / seconds - x) < 1e-6 for a, b, x in zip(p, q, v)), f"velocities of frame {time}")
        check_normals(values, time)
    check("velocities" not in pieces["nail"].values, "the nail deforms")
    seconds, = stage.prims["run"].values["sherd:seconds_per_frame"]
    check(abs(seconds - 5e-3) < 1e-12, f"{seconds} s a frame")


def other_ways(command, run, folder):
    for form, end in (("usd", "usdc"), ("usda", "usda")):
        done(command, "export", run, "--to", form, "-o", os.path.join(folder, "again." + end), "-j", "3", "--quiet")
        check(read(folder, "again." + end) == read(run, "run." + end), form + " depends on threads")
    done(command, "export", run, "--to", "usd", "-o", os.path.join(folder, "named.usd"), "--quiet")
    check(read(folder, "named.usd") == read(run, "run.usdc"), "a file that ends with .usd")
    done(command, "export", run, "--to", "usd", "-o", os.path.join(folder, "part.usdc"), "--frames", "2:4", "--quiet")
    part = usdc.Usdc(read(folder, "part.usdc")).prims["run"].children["bar_at_0"].values
    whole = usdc.Usdc(read(run, "run.usdc")).prims["run"].children["bar_at_0"].values
    check(list(part["points"].values()) == [whole["points"][t] for t in (2, 3, 4)], "a range of frames")


def in_a_run(command, scene, folder, run):
    """A run that writes it, stopped and resumed, has the bytes of an export."""
    other = os.path.join(folder, "other")
    done(command, "run", scene, "-o", other, "--set", "output.meshes=[usd]", "--frames", "3", "--quiet")
    done(command, "run", scene, "-o", other, "--set", "output.meshes=[usd]", "--resume", "--quiet")
    check(read(other, "run.usdc") == read(run, "run.usdc"), "a run's own file")


def stiff(command, scene, folder):
    run = os.path.join(folder, "stiff")
    done(command, "run", scene, "-o", run, "--set", "materials.gum.youngs_modulus=50 MPa", "--quiet")
    done(command, "export", run, "--to", "usd", "--quiet")
    values = usdc.Usdc(read(run, "run.usdc")).prims["run"].children["bar_at_0"].values
    check(isinstance(values["points"], list) and isinstance(values["xformOp:translate"], dict), "a stiff bar deforms")


def main():
    command = os.path.abspath(sys.argv[1])
    folder = tempfile.mkdtemp(prefix="sherd-usd-")
    try:
        scene, run = os.path.join(folder, "soft.yaml"), os.path.join(folder, "run")
        with open(scene, "w") as file:
            file.write(SCENE)
        done(command, "run", scene, "-o", run, "--quiet")
        moving(command, run)
        other_ways(command, run, folder)
        in_a_run(command, scene, folder, run)
        stiff(command, scene, folder)
    finally:
        shutil.rmtree(folder)
    print("usd: ok")


main()
