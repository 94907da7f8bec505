#!/usr/bin/env python3
"""Dust of a small run: the same stream in every export, whatever way the run was made.

usage: dust.py SHERD

1. the simulation is the same with and without; a run without dust can be given some afterwards
2. stopped and resumed, with other threads, in a range of frames: the same bytes
3. vtk, csv, ply, xyz, glb, usda, obj-pc2 and html have the same grains; a grain keeps its place from frame to frame
4. keys: amount, size, wrong ones
"""
import base64
import csv
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import usda  # noqa: E402

LAST = 6
SCENE = """
sherd: 1
name: tiny
duration: 3 ms
output: {frame_rate: 2 kHz, meshes: [ply, vtk], dust: {amount: 3, size: 0.2 mm}, render: {enabled: false}}
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


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def rows(*path):
    with open(os.path.join(*path), newline="") as file:
        return [{name: float(cell) for name, cell in row.items()} for row in csv.DictReader(file)]


def hashes(run):
    with open(os.path.join(run, "stats.csv"), newline="") as file:
        return [row["state_hash"] for row in csv.DictReader(file)]


def dust_name(frame, kind):
    return f"dust_{frame:06d}.{kind}"


def same_simulation(command, scene, folder, run):
    bare = os.path.join(folder, "bare")
    done(command, "run", scene, "-o", bare, "--quiet", "--set", "output.dust=false")
    check(hashes(bare) == hashes(run), "dust changes the simulation")
    check(not os.path.exists(os.path.join(bare, "surface", dust_name(LAST, "ply"))), "dust that nobody wanted")
    done(command, "export", bare, "--to", "ply", "--quiet", "--set", "output.dust={amount: 3, size: 0.2 mm}")
    for frame in range(LAST + 1):
        name = dust_name(frame, "ply")
        check(read(bare, "surface", name) == read(run, "surface", name), f"{name}: not what the run wrote")


def other_ways(command, scene, folder, run):
    out, part = os.path.join(folder, "resumed"), os.path.join(folder, "part")
    done(command, "run", scene, "-o", out, "--frames", "3", "--quiet", "-j", "1")
    done(command, "run", scene, "-o", out, "--resume", "--quiet", "-j", "2")
    done(command, "export", run, "--to", "vtk", "--frames", f"{LAST}:{LAST}", "-o", part, "--quiet")
    for frame in range(LAST + 1):
        for kind, place in (("ply", "surface"), ("vtp", "vtk")):
            name = dust_name(frame, kind)
            check(read(out, place, name) == read(run, place, name), f"{name} of a resumed run")
    check(read(part, dust_name(LAST, "vtp")) == read(run, "vtk", dust_name(LAST, "vtp")), "dust of one frame alone")
    check(b"dust_000006.vtp" in read(run, "vtk", "dust.pvd"), "dust.pvd")


def ply_rows(path):
    data = read(path)
    head, body = data.split(b"end_header\n", 1)
    names = [line.split()[-1].decode() for line in head.splitlines() if line.startswith(b"property")]
    check(names == ["x", "y", "z", "radius", "vx", "vy", "vz", "age", "mass", "fragment", "body"], f"columns {names}")
    return [dict(zip(names, row)) for row in struct.iter_unpack("<9f2i", body)]


def glb_counts(path):
    data = read(path)
    size, = struct.unpack_from("<I", data, 12)
    scene = json.loads(data[20:20 + size])
    counts = {}
    for mesh in scene["meshes"]:
        first = mesh["primitives"][0]
        if first.get("mode") != 0:
            continue
        sizes = {scene["accessors"][a]["count"] for a in first["attributes"].values()}
        check(len(sizes) == 1 and set(first["attributes"]) == {"POSITION", "_VELOCITY", "_RADIUS", "_AGE", "_FRAGMENT"},
              f"attributes of {mesh['name']}")
        counts[mesh["name"]] = sizes.pop()
    return counts


def near(place, grain):
    return all(abs(place[c] - grain[name]) < 1e-6 for c, name in enumerate(("x_m", "y_m", "z_m")))


def check_xyz(command, run, frame, grains):
    done(command, "export", run, "--to", "xyz", "--quiet")
    lines = read(run, "xyz", dust_name(frame, "xyz")).decode().splitlines()
    check(int(lines[0]) == len(lines) - 2 == len(grains), "grains of xyz")
    columns = "species:S:1:pos:R:3:radius:R:1:mass:R:1:velo:R:3:age:R:1:fragment:I:1:body:I:1"
    check(columns in lines[1], "columns of xyz: " + lines[1])
    for line, grain in zip(lines[2:], grains):
        cells = line.split()
        told = [float(cell) for cell in cells[1:]]
        check(cells[0] == "dust" and near(told, grain), "places in xyz")
        check(told[3] == grain["radius_m"] and told[9] == grain["fragment"], "grains of xyz and csv")


def check_pc2(command, run, grains):
    """Octahedra behind all else: points until the bond breaks."""
    done(command, "export", run, "--to", "obj-pc2", "--quiet")
    obj, data = read(run, "run.obj").decode(), read(run, "run.pc2")
    points, _, _, frames = struct.unpack_from("<iffi", data, 16)
    check(frames == LAST + 1 and len(data) == 32 + 12 * points * frames, "size of the cache")
    check(re.search(r"^[go] dust_slab$", obj, re.M) is not None, "no part with dust in the mesh")
    size = 6 * len(grains)
    for frame in (0, LAST):
        corners = list(struct.iter_unpack("<3f", data[32 + 12 * (points * (frame + 1) - size):32 + 12 * points * (frame + 1)]))
        for k, grain in enumerate(grains):
            low = [min(c[a] for c in corners[6 * k:6 * k + 6]) for a in range(3)]
            high = [max(c[a] for c in corners[6 * k:6 * k + 6]) for a in range(3)]
            if frame == 0:
                check(low == high, "a grain before its bond broke")
                continue
            x, z, y = ((a + b) / 2 for a, b in zip(low, high))
            check(near((x, -y, z), grain), "places in the cache")
            check(abs((high[0] - low[0]) / 2 - grain["radius_m"]) < 1e-8, "radii in the cache")


def fly(grain, gravity, time):
    """Where a grain of the page is; src/output/dust/dust.h."""
    start, landing, tau = grain[:3]
    age = min(time - start, landing)
    a = -tau * math.expm1(-age / tau)
    b = tau * (age - a)
    return [grain[4 + c] + a * grain[7 + c] + b * gravity[c] for c in range(3)]


def check_html(command, run, grains):
    done(command, "export", run, "--to", "html", "--quiet")
    found = {name: zlib.decompress(base64.b64decode(text)) for name, text in
             re.findall(r'<script type="text/plain" data-section="(\w+)">([^<]*)</script>', read(run, "run.html").decode())}
    about, count = json.loads(found["about"]), len(found["dust"]) // 44
    check(count == len(grains), f"{count} grains in the page")
    columns = [struct.unpack_from(f"<{count}f", found["dust"], 4 * count * k) for k in range(10)]
    for launch, grain in zip(zip(*columns), grains):
        check(near(fly(launch, about["gravity"], about["times"][LAST]), grain), "places in the page")
        check(abs(launch[3] - grain["radius_m"]) < 1e-9, "radii in the page")


def same_grains(command, folder, run):
    tables = os.path.join(folder, "tables")
    done(command, "export", run, "--to", "csv", "-o", tables, "--quiet")
    done(command, "export", run, "--to", "glb", "--quiet")
    done(command, "export", run, "--to", "usda", "--quiet")
    clouds, before = glb_counts(os.path.join(run, "run.glb")), []
    stage = usda.Usda(read(run, "run.usda").decode())
    dust = usda.check_stage(stage)[1]["slab_dust"].values
    for frame in range(LAST + 1):
        grains, points = rows(tables, dust_name(frame, "csv")), ply_rows(os.path.join(run, "surface", dust_name(frame, "ply")))
        check(len(grains) == len(points) == clouds.get(f"slab dust {frame}", 0), f"frame {frame}: how many grains")
        check(len(dust["ids"][frame]) == len(grains), f"frame {frame}: how many grains in USD")
        for k, ((place, radius, age), grain) in enumerate(zip(zip(*(dust[c][frame] for c in (
                "positions", "scales", "primvars:age.timeSamples"))), grains)):
            check(near(place, grain) and abs(radius[0] - grain["radius_m"]) < 1e-9, "grains of csv and USD")
            check(abs(age[0] - grain["age_s"]) < 1e-8 and dust["ids"][frame][k] == (k,), "ages and ids in USD")
        for grain, point in zip(grains, points):
            check(abs(grain["x_m"] - point["x"]) < 1e-7 and grain["fragment"] == point["fragment"], "grains of csv and ply")
            check(grain["z_m"] > 0.0, "a grain below the floor")
        for grain, former in zip(grains, before):
            check(grain["radius_m"] == former["radius_m"] and grain["age_s"] > former["age_s"], "a grain that changed places")
        check(len(grains) >= len(before), "grains that vanished")
        before = grains
    check_xyz(command, run, LAST, before)
    check_pc2(command, run, before)
    check_html(command, run, before)
    return before


def keys(command, scene, folder, run, grains):
    breaks = sum(1 for _ in open(os.path.join(run, "breaks.csv"))) - 1
    check(breaks > 100, f"{breaks} breaks only")
    check(len(grains) == 3 * breaks, f"{len(grains)} grains of {breaks} breaks")
    check(all(0.025e-3 * 0.999 <= g["radius_m"] <= 0.1e-3 * 1.001 for g in grains), "sizes")
    for value, word in (("{amount: -1}", "amount"), ("{size: 0}", "size"), ("{energy: 2}", "energy"), ("{sise: 1 mm}", "sise"),
                        ("maybe", "dust")):
        result = sherd(command, "check", scene, "--set", f"output.dust={value}")
        check(result.returncode == 2 and word in result.stderr, f"dust: {value}: {result.returncode} {result.stderr}")


def main():
    command = os.path.abspath(sys.argv[1])
    folder = tempfile.mkdtemp(prefix="sherd-dust-")
    try:
        scene, run = os.path.join(folder, "tiny.yaml"), os.path.join(folder, "run")
        with open(scene, "w") as file:
            file.write(SCENE)
        done(command, "run", scene, "-o", run, "--quiet")
        same_simulation(command, scene, folder, run)
        other_ways(command, scene, folder, run)
        keys(command, scene, folder, run, same_grains(command, folder, run))
    finally:
        shutil.rmtree(folder)
    print("dust: ok")


main()
