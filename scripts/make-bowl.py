#!/usr/bin/env python3
"""Writes the surface mesh of a fluted bowl as binary STL, in millimetres.

usage: make-bowl.py [OUTPUT]        default: scenes/bowl.stl beside this script's folder

The bowl is 160 mm wide and 60 mm high, with a wall about 6 mm thick that waves eightfold towards
the rim: no surface of revolution, so that scenes/bowl-mesh.yaml needs its mesh.
"""
import argparse
import math
import os
import struct

SEGMENTS = 144  # around the axis
STEPS = 40      # along each side of the wall
WAVES, WAVE_DEPTH = 8, 3.0  # [mm] at the rim
WALL = 6.0      # [mm]


def outer_profile(s):
    """(radius, height) of the outer wall [mm], s from 0 at the foot's edge to 1 at the rim."""
    angle = 0.5 * math.pi * s
    return 32.0 + 48.0 * math.sin(angle), 60.0 * (1.0 - math.cos(angle))


def profile():
    """Closed section from the axis below, up the outer wall, and down the inner one to the axis."""
    outer = [outer_profile(k / STEPS) for k in range(STEPS + 1)]
    inner = []
    for k in range(STEPS + 1):
        s = 1.0 - k / STEPS
        r, z = outer_profile(s)
        r1, z1 = outer_profile(s + 1e-4)
        length = math.hypot(r1 - r, z1 - z)
        # Inwards: the tangent (towards the rim) turned to the left.
        inner.append((r - (z1 - z) / length * WALL, z + (r1 - r) / length * WALL))
    return [(0.0, 0.0)] + outer + inner + [(0.0, inner[-1][1])]


def rings(section):
    """One ring of points per profile point off the axis, waving more the higher it lies."""
    result = []
    for r, z in section[1:-1]:
        depth = WAVE_DEPTH * (z / 60.0) ** 2
        ring = []
        for k in range(SEGMENTS):
            a = 2.0 * math.pi * k / SEGMENTS
            wave = r + depth * math.cos(WAVES * a)
            ring.append((wave * math.cos(a), wave * math.sin(a), z))
        result.append(ring)
    return result


def triangles(section):
    around = rings(section)
    bottom, top = (0.0, 0.0, section[0][1]), (0.0, 0.0, section[-1][1])
    for k in range(SEGMENTS):
        n = (k + 1) % SEGMENTS
        yield bottom, around[0][n], around[0][k]
        for low, high in zip(around, around[1:]):
            yield low[k], low[n], high[n]
            yield low[k], high[n], high[k]
        yield top, around[-1][k], around[-1][n]


def normal(a, b, c):
    u = [b[k] - a[k] for k in range(3)]
    v = [c[k] - a[k] for k in range(3)]
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    length = math.sqrt(sum(x * x for x in n)) or 1.0
    return [x / length for x in n]


def main():
    default = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "scenes", "bowl.stl")
    parser = argparse.ArgumentParser(description="Writes the fluted bowl of scenes/bowl-mesh.yaml as a binary STL file.")
    parser.add_argument("path", nargs="?", default=os.path.normpath(default), help="default: scenes/bowl.stl")
    path = parser.parse_args().path
    faces = list(triangles(profile()))
    temporary = path + ".part"
    with open(temporary, "wb") as out:
        out.write(b"fluted bowl, millimetres".ljust(80, b"\0"))
        out.write(struct.pack("<I", len(faces)))
        for face in faces:
            numbers = list(normal(*face)) + [x for corner in face for x in corner]
            out.write(struct.pack("<12fH", *numbers, 0))
    os.replace(temporary, path)
    print(f"{path}: {len(faces)} triangles")


if __name__ == "__main__":
    main()
