#!/usr/bin/env python3
"""scripts/check-meshes passes what a small breaking run leaves, and notices damaged meshes.

usage: check_meshes.py SHERD
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

CHECK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "check-meshes")
SCENE = """
sherd: 1
name: tiny
duration: 3 ms
output: {frame_rate: 1 kHz, meshes: [ply, glb], render: {enabled: false}}
materials:
  clay: {density: 2000, youngs_modulus: 1 GPa, poissons_ratio: 0.25, tensile_strength: 1.4 MPa,
         shear_strength: 1.6 MPa, weibull_modulus: 8, seed: 3}
bodies:
  - {name: slab, shape: {box: [24 mm, 24 mm, 6 mm]}, packing: {hcp: {radius: 1.5 mm}}, material: clay,
     position: [0, 0, 8 mm], rotation: [10 deg, 5 deg, 0], velocity: [0, 0, -2]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
"""


def expect(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def check(run):
    return subprocess.run([sys.executable, CHECK, run], capture_output=True, text=True, timeout=60)


# A tetrahedron: corners, and triangles seen counter-clockwise from outside.
POINTS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


def write_ply(run, frame, points, faces, kind="surface"):
    folder = os.path.join(run, kind)
    os.makedirs(folder, exist_ok=True)
    header = (f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\nproperty float x\n"
              f"property float y\nproperty float z\nelement face {len(faces)}\n"
              "property list uchar int vertex_indices\nproperty uchar inner\nend_header\n")
    with open(os.path.join(folder, f"frame_{frame:06d}.ply"), "wb") as file:
        file.write(header.encode())
        for p in points:
            file.write(struct.pack("<3f", *p))
        for f in faces:
            file.write(struct.pack("<B3iB", 3, *f, 0))


def test_drawn(folder):
    cases = [
        ("whole", POINTS, FACES, 0, ""),
        ("open", POINTS, FACES[1:], 1, "open edges"),
        ("turned", POINTS, [FACES[0][::-1]] + FACES[1:], 1, "turned"),
        ("inside out", POINTS, [f[::-1] for f in FACES], 1, "inside out"),
        # 0.6 % more volume than the first frame: the limit is 0.5 %.
        ("grown", [(1.006 * x, y, z) for x, y, z in POINTS], FACES, 1, "volumes sum"),
    ]
    for name, points, faces, status, words in cases:
        run = os.path.join(folder, name)
        write_ply(run, 0, POINTS, FACES)
        write_ply(run, 1, points, faces)
        result = check(run)
        expect(result.returncode == status and words in result.stderr, f"{name}: {result}")
    expect(check(folder).returncode == 2, "a folder without meshes")


# With meshes at rest beside them, these count, and deformed ones only roughly.
def test_rest(folder):
    flat, swollen = ([(s * x, y, z) for x, y, z in POINTS] for s in (0.97, 1.11))
    cases = [
        ("squeezed", flat, POINTS, FACES, 0, ""),
        ("swollen", swollen, POINTS, FACES, 1, "+11.00 % off that at rest"),
        ("worn", POINTS, flat, FACES, 1, "volumes sum"),
        ("another", POINTS, POINTS, FACES[::-1], 1, "other triangles"),
    ]
    for name, now, rest, faces, status, words in cases:
        run = os.path.join(folder, name)
        for frame, (p, q, f) in enumerate(((POINTS, POINTS, FACES), (now, rest, faces))):
            write_ply(run, frame, p, FACES)
            write_ply(run, frame, q, f, "rest")
        result = check(run)
        expect(result.returncode == status and words in result.stderr, f"{name}: {result}")


def write_glb(run, points, faces):
    """One mesh, its corners not joined, as where each has another normal."""
    corners = [points[v] for face in faces for v in face]
    binary = b"".join(struct.pack("<3f", *p) for p in corners) + struct.pack(f"<{len(corners)}I", *range(len(corners)))
    document = {"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
                "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": len(corners)},
                              {"bufferView": 1, "componentType": 5125, "type": "SCALAR", "count": len(corners)}],
                "bufferViews": [{"byteOffset": 0}, {"byteOffset": 12 * len(corners)}]}
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    os.makedirs(run)
    with open(os.path.join(run, "run.glb"), "wb") as file:
        file.write(struct.pack("<4sIII4s", b"glTF", 2, 28 + len(text) + len(binary), len(text), b"JSON") + text)
        file.write(struct.pack("<I4s", len(binary), b"BIN\0") + binary)


def test_glb(folder):
    cases = [
        ("whole", FACES, 0, ""),
        ("open", FACES[1:], 1, "open or turned edges"),
        ("turned", [FACES[0][::-1]] + FACES[1:], 1, "open or turned edges"),
        ("inside out", [f[::-1] for f in FACES], 1, "inside out"),
    ]
    for name, faces, status, words in cases:
        run = os.path.join(folder, "glb of " + name)
        write_glb(run, POINTS, faces)
        result = check(run)
        expect(result.returncode == status and words in result.stderr, f"glb {name}: {result}")


def test_run(sherd, folder):
    scene, run = os.path.join(folder, "tiny.yaml"), os.path.join(folder, "run")
    with open(scene, "w") as file:
        file.write(SCENE)
    result = subprocess.run([sherd, "run", scene, "-o", run, "--quiet", "-j", "2"], capture_output=True, text=True)
    expect(result.returncode == 0, result.stderr)
    subprocess.run([sherd, "surface", run, "--rest", "--quiet", "-j", "2"], check=True, capture_output=True)
    result = check(run)
    expect(result.returncode == 0 and "4 frames" in result.stdout, f"{result}")
    expect(" meshes in run.glb" in result.stdout, f"{result}")
    expect(" 1 pieces" not in result.stdout, f"the slab breaks: {result.stdout}")


def main():
    folder = tempfile.mkdtemp()
    try:
        test_drawn(folder)
        test_rest(folder)
        test_glb(folder)
        test_run(sys.argv[1], folder)
    finally:
        shutil.rmtree(folder)


main()
