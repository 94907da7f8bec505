#!/usr/bin/env python3
"""Meshes that no one would want as bodies: `sherd check` says what is wrong, soon and without a crash.

usage: odd_meshes.py SHERD [--large]

Every case must end within 10 s of processor time with exit status 0 or 2 and, when refused, name the file and the reason.
--large adds meshes of a million triangles.
"""
import math
import os
import random
import resource
import struct
import subprocess
import sys
import tempfile

LIMIT = float(os.environ.get("SHERD_TEST_LIMIT_S", "10"))  # of processor time; builds with sanitizers are slower
HANGS = 6  # times that on the clock: other work on the machine must not make this fail

SCENE = """
sherd: 1
name: odd
duration: 1 ms
materials: {{clay: {{density: 2000, youngs_modulus: 100 MPa, tensile_strength: 1 MPa, shear_strength: 1 MPa}}}}
bodies:
  - {{name: thing, shape: {{mesh: {{file: {file}, scale: {scale}}}}}, packing: {{hcp: {{radius: {radius}}}}}, material: clay}}
"""


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


# ---------------------------------------------------------------- shapes

def box(size=1.0, at=(0.0, 0.0, 0.0)):
    places = [tuple(at[a] + size * (k >> a & 1) for a in range(3)) for k in range(8)]
    quads = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    return places, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def ball(rows, radius=1.0, wobble=0.0):
    """2 * rows * (rows - 1) * 2 triangles: meridians twice as many as parallels."""
    around, places = 2 * rows, [(0.0, 0.0, -radius), (0.0, 0.0, radius)]
    for r in range(1, rows):
        v = math.pi * r / rows
        for s in range(around):
            u = 2 * math.pi * s / around
            l = radius * (1 + wobble * math.sin(40 * u) * math.sin(40 * v))
            places.append((l * math.sin(v) * math.cos(u), l * math.sin(v) * math.sin(u), -l * math.cos(v)))
    ring = [[2 + around * r + s for s in range(around)] for r in range(rows - 1)]
    faces = []
    for s in range(around):
        t = (s + 1) % around
        faces.append((0, ring[0][t], ring[0][s]))
        faces.append((1, ring[-1][s], ring[-1][t]))
        for low, high in zip(ring, ring[1:]):
            faces += ((low[s], low[t], high[t]), (low[s], high[t], high[s]))
    return places, faces


def joined(*meshes):
    places, faces = [], []
    for p, f in meshes:
        faces += [tuple(k + len(places) for k in t) for t in f]
        places += p
    return places, faces


def boxes(side, size):
    """Boxes in rows, which nearly touch."""
    return joined(*[box(size, (k % side, k // side % side, k // side // side)) for k in range(side ** 3)])


def shells(count, rows):
    """Spheres around each other, the outermost a solid, cavity, solid, ..."""
    return joined(*[ball(rows, 1 + 0.02 * k) for k in range(count)])


def turned(mesh):
    return mesh[0], [(a, c, b) for a, b, c in mesh[1]]


def soup(count, seed=1):
    rng = random.Random(seed)
    places = [(rng.random(), rng.random(), rng.random()) for _ in range(3 * count)]
    return places, [(3 * k, 3 * k + 1, 3 * k + 2) for k in range(count)]


def needles(count):
    """A cylinder of slivers, a millionth of their length wide."""
    places, faces = [(0, 0, 0), (0, 0, 1)], []
    for k in range(count):
        u = 2 * math.pi * k / count
        places += [(1e-6 * math.cos(u), 1e-6 * math.sin(u), 0), (1e-6 * math.cos(u), 1e-6 * math.sin(u), 1)]
    for k in range(count):
        a, b = 2 + 2 * k, 2 + 2 * ((k + 1) % count)
        faces += [(0, b, a), (1, a + 1, b + 1), (a, b, b + 1), (a, b + 1, a + 1)]
    return places, faces


def obj(mesh):
    lines = ["v %.17g %.17g %.17g" % p for p in mesh[0]] + ["f %d %d %d" % (a + 1, b + 1, c + 1) for a, b, c in mesh[1]]
    return ("\n".join(lines) + "\n").encode()


def ply(mesh):
    places, faces = mesh
    head = ("ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\n"
            "property float z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n")
    flat = [x for p in places for x in p]
    face = struct.Struct("<Biii")
    return ((head % (len(places), len(faces))).encode() + struct.pack("<%df" % len(flat), *flat) +
            b"".join([face.pack(3, *f) for f in faces]))


def stl(mesh):
    places, faces = mesh
    record = struct.Struct("<12fH")
    return bytes(80) + struct.pack("<I", len(faces)) + b"".join(
        [record.pack(0, 0, 0, *places[a], *places[b], *places[c], 0) for a, b, c in faces])


# ---------------------------------------------------------------- cases

class Case:
    """`words`: what the message must hold; None: accepted. `note`: what is told of an accepted one; None: nothing."""

    def __init__(self, name, data, words, radius="0.08", scale="1 m", note=None):
        self.name, self.data, self.words, self.radius, self.scale, self.note = name, data, words, radius, scale, note


def hole_of(mesh, keep):
    return mesh[0], [f for f in mesh[1] if keep(*(mesh[0][k] for k in f))]


def moved(mesh, way):
    return [tuple(x + d for x, d in zip(p, way)) for p in mesh[0]], mesh[1]


def scaled(mesh, factor):
    return [tuple(factor * x for x in p) for p in mesh[0]], mesh[1]


def refused_cases():
    """Or, with a note, given a new surface."""
    unit, globe = box(), ball(24)
    nan = ([(float("nan"), 0, 0)] + unit[0][1:], unit[1])
    half = hole_of(ball(80), lambda *ps: max(p[2] for p in ps) < 0.6)  # 160 edges
    yield Case("nothing.stl", b"", "the file is empty")
    yield Case("comment.obj", b"# nothing here\n", "no STL, OBJ, PLY or glTF")
    yield Case("points.obj", obj((unit[0], [])), "no triangles")
    yield Case("one.obj", obj(([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])), "open")
    yield Case("nan.obj", obj(nan), "coordinate")
    yield Case("nan.ply", ply(nan), "finite")
    yield Case("infinite.obj", obj(([(1e308 * 10, 0, 0)] + unit[0][1:], unit[1])), "coordinate")
    yield Case("overflow.obj", obj(scaled(unit, 1e300)), "must be finite", scale="1e12 m")
    yield Case("points-alike.obj", obj(([(1, 1, 1)] * 8, unit[1])), "no extent")
    yield Case("flat.obj", obj(([(x, y, 0) for x, y, _ in unit[0]], unit[1])), "")
    yield Case("half-open.stl", stl(half), None, note="open")
    cup = hole_of(ball(12), lambda *ps: max(p[2] for p in ps) < 0.1)     # 24 edges
    yield Case("cup.stl", stl(cup), None, note="at the widest hole: ")
    yield Case("three-sides.obj", obj((unit[0], unit[1][:6])), None, note="the mesh is open")
    yield Case("crossing.obj", obj(joined(unit, box(1.0, (0.5, 0.5, 0.5)))), None, note="cuts through itself")
    yield Case("crossing-balls.ply", ply(joined(globe, moved(globe, (0.9, 0.1, 0.2)))), None, note="cuts through itself")
    yield Case("inside-wall.obj", obj((unit[0], unit[1] + [(0, 3, 7), (0, 7, 4)])), None, note="three or more")
    yield Case("soup.stl", stl(soup(2000)), "across each other")
    yield Case("index.obj", obj((unit[0], [(0, 1, 99)])), "uses vertex 100")
    yield Case("noise.ply", bytes(random.Random(3).randrange(256) for _ in range(20000)), "")
    yield Case("cut.ply", ply(globe)[:-100], "ends within")
    yield Case("long-line.obj", b"v " + b"9" * 300000 + b" 0 0\n", "coordinate")
    yield Case("deep.ply", b"ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n"
               b"property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n", "ends within")
    yield Case("too-small.obj", obj(scaled(unit, 1e-9)), "")           # elements larger than the body
    yield Case("too-large.obj", obj(scaled(unit, 1e9)), "")            # 1e30 elements
    yield Case("absurd-scale.obj", obj(unit), "too large", scale="1e300 m")
    yield Case("lost-digits.obj", obj(moved(unit, (1e15, 0, 0))), "")
    yield Case("needles.obj", obj(needles(3000)), "")
    yield Case("nested.ply", ply(shells(60, 10)), "fits inside")  # judged a solid, but too thin


def accepted_cases():
    unit, globe = box(), ball(24)
    yield Case("plain.obj", obj(unit), None)
    yield Case("inside-out.obj", obj(turned(unit)), None)
    yield Case("doubled.obj", obj((unit[0], unit[1] + unit[1])), None, note="12 doubled triangles left out")
    yield Case("unwelded.stl", stl(unit), None)
    yield Case("mixed-turns.obj", obj((unit[0], [t if k % 3 else t[::-1] for k, t in enumerate(unit[1])])), None,
               note="mixed-turns.obj was mended: 4 triangles turned")
    yield Case("half-side.obj", obj((unit[0], unit[1][1:])), None, note="1 hole of 1.41 m closed")
    yield Case("no-area.obj", obj((unit[0], unit[1] + [(0, 0, 1)])), None, note="1 triangle without area left out")
    yield Case("small-hole.ply", ply((globe[0], globe[1][5:])), None, radius="0.2", note="2 holes of at most 390 mm closed")
    yield Case("hollow.obj", obj(joined(unit, turned(box(0.2, (0.4, 0.4, 0.4))))), None, radius="0.05")
    yield Case("hollow-turned.obj", obj(joined(unit, box(0.2, (0.4, 0.4, 0.4)))), None, radius="0.05",
               note="bodies.thing.shape.mesh.file: hollow-turned.obj was mended: 12 triangles turned")
    yield Case("two.obj", obj(joined(unit, box(1.0, (3.0, 0.0, 0.0)))), None)
    yield Case("tiny.obj", obj(scaled(unit, 1e-9)), None, radius="0.1 nm")
    yield Case("tiny-by-scale.obj", obj(unit), None, radius="0.1 nm", scale="1 nm")
    yield Case("huge.obj", obj(scaled(unit, 1e9)), None, radius="1e8")
    yield Case("far-away.obj", obj(moved(unit, (1e6, 0, 0))), None)
    yield Case("many-boxes.ply", ply(boxes(9, 0.9)), None, radius="0.3")
    yield Case("fine.stl", stl(ball(75)), None, radius="0.15")  # 22,200 triangles
    yield Case("stray-vertex.obj", obj((unit[0] + [(1e12, 0, 0)], unit[1])), None)


def large_cases():
    yield Case("million.stl", stl(ball(500)), None, radius="0.15")
    yield Case("million-wobbly.ply", ply(ball(500, wobble=0.004)), None, radius="0.15")
    yield Case("million-crossing.ply", ply(joined(ball(354), moved(ball(354), (0.7, 0.2, 0.1)))), None, note="cuts through itself")
    yield Case("million-open.stl", stl(hole_of(ball(500), lambda *ps: max(p[2] for p in ps) < 0.6)), None, note="open")
    yield Case("million-soup.stl", stl(soup(1000000)), "")
    yield Case("million-boxes.ply", ply(boxes(43, 0.9)), None, radius="0.3")
    yield Case("million-nested.ply", ply(shells(1000, 16)), "fits inside")
    yield Case("million-doubled.stl", stl((lambda m: (m[0], m[1] * 4))(ball(250))), None, radius="0.15",
               note="doubled triangles left out")
    yield Case("million-tiny.obj", obj(scaled(ball(500), 1e-9)), None, radius="0.15 nm")
    yield Case("million-needles.ply", ply(needles(250000)), "")


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def try_case(command, folder, case):
    mesh = os.path.join(folder, case.name)
    with open(mesh, "wb") as file:
        file.write(case.data)
    scene = os.path.join(folder, "scene.yaml")
    with open(scene, "w") as file:
        file.write(SCENE.format(file=case.name, scale=case.scale, radius=case.radius))
    before = processor_seconds()
    try:
        result = subprocess.run([command, "check", scene], capture_output=True, text=True, timeout=HANGS * LIMIT)
    except subprocess.TimeoutExpired:
        check(False, f"{case.name}: not done after {HANGS * LIMIT} s")
    took = processor_seconds() - before
    check(took < LIMIT, f"{case.name}: took {took:.1f} s of processor time")
    told = result.stderr
    if case.words is None:
        check(result.returncode == 0, f"{case.name}: refused: {told}")
        notes = [line for line in result.stdout.splitlines()
                 if line.startswith("  note ") and ".mesh" in line]  # others are of its packing
        check(len(notes) == (case.note is not None) and (case.note or "") in "".join(notes),
              f"{case.name}: notes are {notes}, not: {case.note}")
    else:
        check(result.returncode in (1, 2), f"{case.name}: exit status {result.returncode}: {result.stdout}{told}")
        check(case.words in told and len(told) > 20, f"{case.name}: says\n{told}not: {case.words}")
    os.unlink(mesh)
    return took, told


def try_info(command, folder):
    """What is no mesh by name or content is told what `sherd info` takes; what is one by name, what is wrong."""
    cut = stl(ball(24))[:-70]
    for name, data, words in (("run.dat", b"GLTF" + bytes(range(256)), "takes scenes"),
                              ("run.glb", b"glTF" + bytes(range(256)), "is cut off"), ("LICENSE", b"text\n", "takes scenes"),
                              ("CUT.STL", cut, "is cut off")):
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(data)
        result = subprocess.run([command, "info", path], capture_output=True, text=True, timeout=HANGS * LIMIT)
        check(result.returncode == 2 and words in result.stderr and name in result.stderr, f"info {name}: {result}")


def main():
    command = os.path.abspath(sys.argv[1])
    large = "--large" in sys.argv
    cases = [*refused_cases(), *accepted_cases(), *(large_cases() if large else [])]
    with tempfile.TemporaryDirectory() as folder:
        try_info(command, folder)
        for case in cases:
            took, told = try_case(command, folder, case)
            if large:
                print(f"{case.name:24} {took:6.2f} s  {' '.join(told.split())[:150]}", flush=True)
    print(f"all {len(cases)} as they should be")


if __name__ == "__main__":
    main()
