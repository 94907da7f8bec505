#!/usr/bin/env python3
"""sherd new --mesh: a scene from each format and for each action, what it guesses, and what it refuses.

usage: new_mesh.py SHERD

1. OBJ, STL, PLY and glTF; drop, hit, press and tear: sherd info reads the scene, check says what is expected
2. the unit, the upward axis, the floor and the camera are those of the mesh, far from the origin and tiny, too
3. a run breaks into the number of pieces asked for, within a factor of 2
4. a flat mesh gets a thickness; the path to the mesh is relative to the scene; one or two threads: the same bytes
5. bad input is refused with what to do, and nothing is written
"""
import base64
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

QUICK = ("--elements", "300", "--pieces", "4", "-j", "1")


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def run(sherd, folder, *arguments):
    return subprocess.run([sherd, *arguments], capture_output=True, text=True, timeout=200, cwd=folder,
                          stdin=subprocess.DEVNULL)


# ---------------------------------------------------------------- meshes

def grid_faces(rows, columns):
    """Triangles of a grid that closes along its columns and its rows."""
    faces = []
    for r in range(rows):
        for c in range(columns):
            a, b = r * columns + c, r * columns + (c + 1) % columns
            d, e = (r + 1) % rows * columns + c, (r + 1) % rows * columns + (c + 1) % columns
            faces += [(a, b, e), (a, e, d)]
    return faces


def torus(major, minor, rows=24, columns=12):
    vertices = []
    for r in range(rows):
        for c in range(columns):
            u, v = 2 * math.pi * r / rows, -2 * math.pi * c / columns
            across = major + minor * math.cos(v)
            vertices.append((across * math.cos(u), across * math.sin(u), minor * math.sin(v)))
    return vertices, grid_faces(rows, columns)


def box(x, y, z, at=(0, 0, 0)):
    vertices = [(at[0] + x * (k & 1), at[1] + y * (k >> 1 & 1), at[2] + z * (k >> 2)) for k in range(8)]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return vertices, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def write_obj(path, mesh):
    with open(path, "w") as file:
        file.writelines("v %r %r %r\n" % v for v in mesh[0])
        file.writelines("f %d %d %d\n" % (a + 1, b + 1, c + 1) for a, b, c in mesh[1])


def write_stl(path, mesh):
    with open(path, "wb") as file:
        file.write(b"\0" * 80 + struct.pack("<I", len(mesh[1])))
        for face in mesh[1]:
            file.write(struct.pack("<3f", 0, 0, 0) + b"".join(struct.pack("<3f", *mesh[0][k]) for k in face) + b"\0\0")


def write_ply(path, mesh):
    with open(path, "w") as file:
        file.write(f"ply\nformat ascii 1.0\nelement vertex {len(mesh[0])}\nproperty float x\nproperty float y\n"
                   f"property float z\nelement face {len(mesh[1])}\nproperty list uchar int vertex_indices\nend_header\n")
        file.writelines("%r %r %r\n" % v for v in mesh[0])
        file.writelines("3 %d %d %d\n" % f for f in mesh[1])


def write_gltf(path, mesh):
    points = b"".join(struct.pack("<3f", *v) for v in mesh[0])
    corners = b"".join(struct.pack("<3H", *f) for f in mesh[1])
    data = base64.b64encode(points + corners).decode()
    low, high = ([f(v[k] for v in mesh[0]) for k in range(3)] for f in (min, max))
    with open(path, "w") as file:
        json.dump({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
                   "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
                   "buffers": [{"byteLength": len(points + corners), "uri": "data:application/octet-stream;base64," + data}],
                   "bufferViews": [{"buffer": 0, "byteLength": len(points)},
                                   {"buffer": 0, "byteOffset": len(points), "byteLength": len(corners)}],
                   "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(mesh[0]), "type": "VEC3",
                                  "min": low, "max": high},
                                 {"bufferView": 1, "componentType": 5123, "count": 3 * len(mesh[1]), "type": "SCALAR"}]},
                  file)


# ---------------------------------------------------------------- checks

def new(sherd, folder, name, mesh, *options):
    """The text of a new scene, which sherd info reads, and what the command said."""
    result = run(sherd, folder, "new", name, "--mesh", mesh, *QUICK, *options)
    check(result.returncode == 0, f"{name}: {result.stderr}")
    read = run(sherd, folder, "info", name + ".yaml")
    check(read.returncode == 0, f"{name}: {read.stderr}")
    with open(os.path.join(folder, name + ".yaml")) as file:
        text = file.read()
    check(text.count("<-") >= 4 and "<- pieces" in text, f"{name}: no marks at what users change: {text}")
    return text, result.stderr + result.stdout


def numbers(text, key):
    found = re.search(key + r": \[([^]]*)\]", text)
    check(found is not None, f"no {key} in {text}")
    return [float(x) for x in found.group(1).replace(" m/s", "").split(",")]


def every_format(sherd, folder):
    write_obj(os.path.join(folder, "ring.obj"), torus(0.3, 0.1))
    write_stl(os.path.join(folder, "block.stl"), box(60, 40, 20))
    write_ply(os.path.join(folder, "far.ply"), box(0.1, 0.2, 0.1, at=(5000, -300, 70)))
    write_gltf(os.path.join(folder, "brick.gltf"), box(0.2, 0.1, 0.1))
    text, said = new(sherd, folder, "ring", "ring.obj", "--drop", "2 m", "--up", "y")
    check("taken as metres, so 800 mm" in said and "rotation: [90 deg, 0, 0]" in text, said + text)
    # It stands on its rim, which y up means for a ring around z, and starts above the floor by 0.15 of its size.
    check(abs(numbers(text.split("bodies:")[1], "position")[2] - 0.52) < 1e-3, text)
    fall = -numbers(text, "velocity")[2]
    check(abs(fall ** 2 - 2 * 9.81 * (2 - 0.12)) < 0.02, f"falls at {fall} m/s") # four digits are written
    text, said = new(sherd, folder, "block", "block.stl", "--hit", "20 m/s", "--material", "ceramic")
    check("taken as millimetres, so 60 mm" in said and "scale: 0.001 m" in text and "rotation" not in text, said + text)
    check("free: {mass: " in text and "\n  ceramic:" in text, text)
    text, said = new(sherd, folder, "far", "far.ply", "--press", "1 m/s", "--up", "z")
    at = numbers(text.split("bodies:")[1], "position")
    check(max(abs(a - b) for a, b in zip(at, (-5000.05, 299.9, -70))) < 1e-4, f"placed at {at}")
    check("translation: [0, 0, -0.0" in text and "name: press" in text, text)
    text, said = new(sherd, folder, "brick", "brick.gltf", "--tear", "3 m/s", "--size", "40 cm")
    check("is 400 mm, as asked" in said and "drivers:" in text and "scale: 2 m" in text, said + text)
    result = run(sherd, folder, "check", "ring.yaml", "--no-pictures", "-j", "1")
    check(result.returncode == 0 and "warning" not in result.stderr, result.stderr)
    check("is expected to" in result.stdout and "that of its weak walls, which make" in result.stdout, result.stdout)


def pieces(sherd, folder):
    result = run(sherd, folder, "run", "ring.yaml", "--no-pictures", "--quiet", "-j", "1", "--set", "output.meshes=[]")
    check(result.returncode == 0, result.stderr)
    found = int(re.search(r"(\d+) fragments", run(sherd, folder, "info", "out/ring").stdout).group(1))
    check(2 <= found <= 8, f"{found} pieces where 4 were asked for")


def open_meshes(sherd, folder):
    os.mkdir(os.path.join(folder, "models"))
    os.mkdir(os.path.join(folder, "shots"))
    write_obj(os.path.join(folder, "models", "ring.obj"), torus(0.3, 0.1))
    write_obj(os.path.join(folder, "flat.obj"), ([(0, 0, 0), (2, 0, 0), (2, 0, 3), (0, 0, 3)], [(0, 2, 1), (0, 3, 2)]))
    again = run(sherd, folder, "new", "shots/ring", "--mesh", "models/ring.obj", *QUICK[:-1], "2", "--drop", "2 m", "--up", "y")
    check(again.returncode == 0, again.stderr)
    with open(os.path.join(folder, "shots/ring.yaml")) as file, open(os.path.join(folder, "ring.yaml")) as one:
        text = file.read()
        check('file: "../models/ring.obj"' in text, text)
        check(text.replace("../models/", "") == one.read(), "another scene with two threads: " + text)
    text, said = new(sherd, folder, "flat", "flat.obj")
    check("thickness: " in text and "so 3 m" in said and "y axis is taken as upward" in said, said)


def refusals(sherd, folder):
    with open(os.path.join(folder, "empty.obj"), "w") as file:
        file.write("v 0 0 0\nv 1 0 0\nv 0 1 0\n")
    with open(os.path.join(folder, "line.obj"), "w") as file:
        file.write("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n")
    mesh = ("--mesh", "ring.obj")
    for options, words in (
            (("--mesh", "none.obj"), "none.obj"), (("--mesh", "empty.obj"), "hint"), (("--mesh", "line.obj"), "area"),
            ((*mesh, "--material", "cheese"), "no material of this name"), ((*mesh, "--material", "sand"), "points"),
            ((*mesh, "--pieces", "0"), "--pieces"), ((*mesh, "--pieces", "1"), "--pieces"),
            ((*mesh, "--drop", "2"), "unit"), ((*mesh, "--hit", "2 m"), "speed"), ((*mesh, "--hit", "-2 m/s"), "speed"),
            ((*mesh, "--hit", "2 m/s", "--tear", "2 m/s"), "one of"), ((*mesh, "--size", "0 m"), "--size"),
            ((*mesh, "--up", "x"), "--up"), ((*mesh, "--kind", "ball"), "without a mesh"),
            (("--drop", "2 m"), "--mesh"), (("--pieces", "9"), "--mesh"), ((*mesh, "--elements", "9"), "--elements")):
        result = run(sherd, folder, "new", "refused", *options)
        check(result.returncode in (1, 2) and words in result.stderr, f"{options}: {result.returncode} {result.stderr}")
        check(not os.path.exists(os.path.join(folder, "refused.yaml")), f"{options}: written all the same")
    with open(os.path.join(folder, "ring.yaml")) as file:
        before = file.read()
    result = run(sherd, folder, "new", "ring", *mesh)
    check(result.returncode == 2 and "already" in result.stderr and "trying" not in result.stderr, result.stderr)
    with open(os.path.join(folder, "ring.yaml")) as file:
        check(file.read() == before, "written over a scene")


def main():
    sherd = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        every_format(sherd, folder)
        pieces(sherd, folder)
        open_meshes(sherd, folder)
        refusals(sherd, folder)
    print("ok")


main()
