#!/usr/bin/env python3
"""What is made of a finished run of material points is what the run made of them.

usage: points_output.py SHERD

1. `surface` and `render`: the meshes and pictures that the run itself wrote, to the rounding of the run file
2. glb: as many pieces as the run says, though files have no bonds that tell what hangs together
3. check and the log: which of points and what is beside them needs the shorter steps, and how many go into one of the grid
"""
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

LAST = 4
GRAINS = 27
SCENE = """
sherd: 1
name: tiny
duration: 40 ms
gravity: [0, 0, 0]
output:
  frame_rate: 100 Hz
  meshes: [ply, glb]
  render: {width: 48, height: 48, samples: 4, camera: {position: [0, -0.5, 0.1], target: [0, 0, 0], fov: 30 deg}}
materials:
  foam: {density: 100, youngs_modulus: 50 kPa, poissons_ratio: 0.2, model: corotated}
  sand: {density: 1600, youngs_modulus: 400 kPa, poissons_ratio: 0.2, model: sand, friction_angle: 35 deg}
bodies:
  - name: bar
    shape: {box: [4 cm, 4 cm, 20 cm]}
    packing: {points: {spacing: 1 cm}}
    material: foam
    fracture:
      pieces: {cut: {plane: {point: [0, 0, 0], normal: [0.3, 0, 1]}}}
      glue: {tensile_strength: 1 kPa, shear_strength: 1 kPa}
  - {name: heap, shape: {box: [3 cm, 3 cm, 3 cm]}, packing: {points: {spacing: 1 cm}}, material: sand, position: [8 cm, 0, 0]}
drivers:
  - name: below
    region: {box: [5 cm, 5 cm, 2 cm], position: [0, 0, -9 cm]}
    motion: {table: [{time: 0 s}, {time: 40 ms, translation: [0, 0, -1 cm], rotation: [0, 0, 20 deg]}]}
  - name: above
    region: {box: [5 cm, 5 cm, 2 cm], position: [0, 0, 9 cm]}
    motion: {table: [{time: 0 s}, {time: 40 ms, translation: [0, 0, 1 cm]}]}
"""


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def done(command, *arguments):
    result = subprocess.run([command, *arguments], capture_output=True, text=True, timeout=200)
    check(result.returncode == 0, f"{arguments}: {result.stdout}{result.stderr}")
    return result.stdout


def read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def read_ply(*path):
    """Head, coordinates and all that follows, which has the triangles and their fragments."""
    head, body = read(*path).split(b"end_header\n", 1)
    count = int(head.split(b"element vertex ")[1].split()[0])
    check(head.split(b"element face")[0].count(b"property") == 3, "ply: a vertex has more than its place")
    return head, struct.unpack_from(f"<{3 * count}f", body), body[12 * count:]


def same_meshes(run, again):
    for k in range(LAST + 1):
        name = f"frame_{k:06d}.ply"
        (head, places, rest), (new_head, new_places, new_rest) = read_ply(run, "surface", name), read_ply(again, name)
        check(head == new_head and rest == new_rest, f"{name}: other triangles or fragments")
        # Rotations are stored as floats; arms are below 3 cm, places below 8 cm, which are floats here: 2e-9 + 4e-9 m.
        check(max(abs(a - b) for a, b in zip(places, new_places)) < 1e-8, f"{name}: vertices are elsewhere")
        fragments = {struct.unpack_from("<i", rest, at)[0] for at in range(14, len(rest), 22)}
        check(len(fragments) == (1 if k == 0 else 2), f"{name}: fragments {fragments}")


def pixels(*path):
    """Red, green and blue of a PNG of 8 bits, the filters of its rows undone."""
    data = read(*path)
    width, height, depth, color = struct.unpack_from(">IIBB", data, 16)
    check((depth, color) == (8, 2), "png: not 8 bits of red, green, blue")
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        packed += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    raw, stride, above, rows = zlib.decompress(packed), 3 * width, bytes(3 * width), b""
    for y in range(height):
        row = bytearray(raw[(stride + 1) * y + 1:(stride + 1) * (y + 1)])
        undo_filter(raw[(stride + 1) * y], row, above)
        above = bytes(row)
        rows += above
    return rows


def undo_filter(kind, row, above):
    for k in range(len(row)):
        a, b, c = (row[k - 3] if k >= 3 else 0), above[k], (above[k - 3] if k >= 3 else 0)
        nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
        row[k] = (row[k] + (0, a, b, (a + b) // 2, nearest)[kind]) & 255


def same_pictures(run, again):
    check(read(run, "frames", "frame_000000.png") == read(again, "frame_000000.png"),
          "nothing has moved, and its picture differs")
    for k in range(1, LAST + 1):
        old, new = (pixels(*p, f"frame_{k:06d}.png") for p in ((run, "frames"), (again,)))
        # Rounding moves edges past a ray here and there: of 4 rays by pixel hardly one in a thousand.
        mean = sum(abs(a - b) for a, b in zip(old, new)) / len(old)
        check(mean < 0.25, f"frame {k}: pictures differ by {mean:.2f} of 255 in the mean")


def glb_pieces(run):
    data = read(run, "run.glb")
    size = struct.unpack_from("<I", data, 12)[0]
    return sum("mesh" in node for node in json.loads(data[20:20 + size])["nodes"])


MIXED = """
sherd: 1
name: mixed
duration: 1 ms
gravity: [0, 0, 0]
output: {frame_rate: 1 kHz, meshes: [], render: false}
materials:
  soft: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: neo_hookean}
  stiff: {density: 2500, youngs_modulus: 1 GPa, unbreakable: true}
bodies:
  - {name: pad, shape: {box: [8 cm, 8 cm, 4 cm]}, packing: {points: {spacing: 1 cm}}, material: soft}
  - {name: block, shape: {box: [3 cm, 3 cm, 3 cm]}, packing: {hcp: {radius: 4 mm}}, material: stiff, position: [0, 0, 5 cm]}
"""
LIMIT = r"limit (\S+) s"


def limits(command, *lines_without, modulus="1 GPa"):
    """What check says of the limits, of the scene without what lines with one of these words say."""
    with open("mixed.yaml", "w") as file:
        file.writelines(line + "\n" for line in MIXED.replace("1 GPa", modulus).splitlines() if not any(w in line for w in lines_without))
    said = next(line for line in done(command, "check", "mixed.yaml").splitlines() if "  method " in line)
    return said, [float(found) for found in re.findall(LIMIT, said)]


def binding_limits(command):
    _, (points,) = limits(command, "name: block", "stiff:")
    _, (elements,) = limits(command, "name: pad", "soft:")
    said, both = limits(command)
    check(both == [elements, points], f"{said}: alone they are {elements} and {points}")
    steps = int(re.search(r"take (\d+) steps in one", said)[1])
    check(abs(steps - points / elements) <= 1, f"{said}: not the quotient, rounded up; limits have three digits")
    check("bonded elements" in done(command, "run", "mixed.yaml", "-o", "mixed", "--frames", "0"), "not in the log")
    said, both = limits(command, modulus="1 kPa")
    check(both[0] == points < both[1] and "of the points' grid, with which" in said, said)


def main():
    command = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("tiny.yaml", "w") as file:
            file.write(SCENE)
        done(command, "run", "tiny.yaml", "-o", "run", "--quality", "final")
        done(command, "surface", "run", "-o", "meshes")
        same_meshes("run", "meshes")
        done(command, "render", "run", "-o", "pictures")
        same_pictures("run", "pictures")
        binding_limits(command)
        check(glb_pieces("run") == 2 + GRAINS, f"glb: {glb_pieces('run')} pieces")


main()
