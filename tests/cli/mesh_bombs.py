#!/usr/bin/env python3
"""Small mesh files that ask for much: n things that each look at all n others, copies of copies, what lies in one place.

usage: mesh_bombs.py SHERD

Each of up to 64 kB ends within a second of processor time and 256 MB, refused with a reason or read. SHERD_TEST_LIMIT_S
allows more for all of them, and any memory: builds with sanitizers are slower.
"""
import json
import math
import os
import random
import resource
import struct
import subprocess
import sys
import tempfile

from odd_meshes import ball, box, joined, moved, obj, stl

LIMIT_S = float(os.environ.get("SHERD_TEST_LIMIT_S", "1"))
CROWDED = 1.6  # a machine that does other work as well takes longer for the same
LIMIT_MB = 256 if LIMIT_S <= 1 else math.inf
SIZE = 64 << 10

SCENE = """
sherd: 1
name: bomb
duration: 1 ms
output: {frame_rate: 1 kHz, meshes: [], render: {enabled: false}}
materials:
  m: {density: 2500, youngs_modulus: 10 MPa, tensile_strength: 3 MPa, shear_strength: 4 MPa}
bodies:
  - {name: b, shape: {mesh: {file: FILE, scale: 1 cm}}, packing: {hcp: {radius: 1 mm}}, material: m}
"""


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def glb(document, binary):
    document = {"asset": {"version": "2.0"}, "buffers": [{"byteLength": len(binary)}], **document}
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    binary += bytes(-len(binary) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<III", 0x46546C67, 2, 12 + len(body)) + body


def document(mesh):
    """(glTF of one node and one primitive, its bytes)"""
    places, faces = mesh
    kind, code = (5121, "B") if len(places) < 256 else (5123, "H")
    at = b"".join(struct.pack("<3f", *p) for p in places)
    index = struct.pack(f"<{3 * len(faces)}{code}", *[k for f in faces for k in f])
    return {"bufferViews": [{"buffer": 0, "byteLength": len(at)}, {"buffer": 0, "byteOffset": len(at), "byteLength": len(index)}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": len(places), "type": "VEC3"},
                          {"bufferView": 1, "componentType": kind, "count": 3 * len(faces), "type": "SCALAR"}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "nodes": [{"mesh": 0}],
            "scenes": [{"nodes": [0]}]}, at + index


def gltf_cases():
    cube = document(box())
    primitive = cube[0]["meshes"][0]["primitives"][0]

    def changed(base=cube, **more):
        return glb({**base[0], **more}, base[1])

    yield "materials.glb", changed(materials=[{"name": f"m{k}"} for k in range(SIZE // 16)]), None
    many = SIZE // 80
    yield "materials-of-primitives.glb", changed(
        materials=[{"name": "same"} for _ in range(many)],
        meshes=[{"primitives": [{**primitive, "material": k} for k in range(many)]}]), None
    lines = [{"mode": 1}] * (SIZE // 24)
    yield "primitives-times-nodes.glb", changed(
        meshes=cube[0]["meshes"] + [{"primitives": lines}], nodes=[{"mesh": 0}] + [{"mesh": 1}] * (SIZE // 32),
        scenes=[{"nodes": list(range(SIZE // 32))}]), "more than 200000 primitives"
    globe = document(ball(20))
    yield "instances.glb", changed(globe, scenes=[{"nodes": [0] * (SIZE // 3)}]), "repeat meshes"
    yield "instances-of-instances.glb", changed(
        nodes=[{"children": [k + 1, k + 1]} for k in range(60)] + [{"mesh": 0}]), "repeat meshes"
    yield "one-table.glb", changed(globe, meshes=[{"primitives": [primitive] * (SIZE // 42)}]), "repeat meshes"
    picture = bytes(SIZE // 2)
    document_of, binary = cube
    views = document_of["bufferViews"] + [{"buffer": 0, "byteOffset": len(binary), "byteLength": len(picture)}]
    some = SIZE // 2 // 100
    yield "pictures-of-one-view.glb", glb(
        {**document_of, "bufferViews": views, "images": [{"bufferView": 2}] * some,
         "textures": [{"source": k} for k in range(some)],
         "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": k}}} for k in range(some)],
         "meshes": [{"primitives": [{**primitive, "material": k} for k in range(some)]}]}, binary + picture), None


def tangled_cases():
    rng = random.Random(1)
    count = SIZE // 50
    wheel = ([(0, 0, 0), (0, 0, 1)] + [(math.cos(6.28318 * k / count), math.sin(6.28318 * k / count), 0.5) for k in range(count)],
             [(0, 1, k + 2) for k in range(count)])
    yield "one-edge.stl", stl(wheel), "can't be given a new surface"
    many = SIZE // 18
    yield "one-edge.glb", glb(*document(([(0, 0, 0), (0, 0, 1)] + [
        (math.cos(6.28318 * k / many), math.sin(6.28318 * k / many), 0.5) for k in range(many)],
        [(0, 1, k + 2) for k in range(many)]))), "can't be given a new surface"
    yield "one-corner.stl", stl(([(0, 0, 0)] + [tuple(rng.gauss(0, 1) for _ in range(3)) for _ in range(2 * count)],
                                 [(0, 2 * k + 1, 2 * k + 2) for k in range(count)])), "across each other"
    places = [tuple(rng.random() for _ in range(3)) for _ in range(250)]
    yield "few-corners.glb", glb(*document((places, [tuple(rng.sample(range(250), 3)) for _ in range(SIZE // 3 - 1500)]))), \
        "across each other"
    boxes = [moved(box(), [0.01 * rng.random() for _ in range(3)]) for _ in range(count // 12)]
    yield "boxes-in-one-place.stl", stl(joined(*boxes)), None
    yield "sheets.stl", stl(joined(*[moved(([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2), (0, 2, 3)]), (0, 0, 1e-5 * k))
                                     for k in range(count // 2)])), "the mesh is open"
    yield from nested_cases()
    line = [(1e6 * x, y, z) for x, y, z in box()[0]], box()[1][:-1]
    yield "a-kilometre.stl", stl(line), "million cells"


def nested_cases():
    """Shells around each other, whose triangles all have one box, and a fan whose triangles are all slivers."""
    shell = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]

    def shells(count):
        return joined(*[([(s * x, s * y, s * z) for x, y, z in shell[0]], shell[1]) for s in [1 + k / count for k in range(count)]])
    yield "nested.stl", stl(shells(SIZE // 200)), None
    yield "nested.glb", glb(*document(shells((SIZE - 1000) // 72))), "fits inside the shape"
    rim = SIZE // 24 - 100
    yield "bipyramid.glb", glb(*document((
        [(0, 0, 1), (0, 0, -1)] + [(math.cos(2 * math.pi * k / rim), math.sin(2 * math.pi * k / rim), 0) for k in range(rim)],
        [(0, 2 + k, 2 + (k + 1) % rim) for k in range(rim)] + [(1, 2 + (k + 1) % rim, 2 + k) for k in range(rim)]))), None


def text_cases():
    cube = obj(box()).decode()
    names = "\n".join(f"usemtl {k}\nf 1 2 3" for k in range(SIZE // 40))
    yield "groups.obj", (cube + names + "\n" + "usemtl 1\n" * (SIZE // 18)).encode(), None
    corners = SIZE // 20
    yield "a-spring.obj", ("\n".join(f"v {k} {k * k % 10007} 0" for k in range(corners)) + "\nf " + " ".join(
        str(k + 1) for k in range(corners)) + "\n").encode(), ""
    rng = random.Random(2)
    yield "a-tangle.obj", ("".join(f"v {rng.random():.3f} {rng.random():.3f} {rng.random():.3f}\n" for _ in range(99)) + "f " + " ".join(
        str(rng.randint(1, 99)) for _ in range(SIZE // 3 - 800)) + "\n").encode(), "corners were tested"
    yield "libraries.obj", (cube + "usemtl a\nf 1 2 3\nmtllib" + " lib.mtl" * (SIZE // 8) + "\n").encode(), None


def run(command, folder, name, data, words):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)
    check(len(data) < 1.5 * SIZE, f"{name}: {len(data)} bytes")
    scene = os.path.join(folder, "scene.yaml")
    with open(scene, "w") as file:
        file.write(SCENE.replace("FILE", name))

    def limit():
        seconds = int(20 * LIMIT_S)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    process = subprocess.Popen([command, "check", scene], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit)
    told = process.stdout.read().decode(errors="replace")
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = code = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    took, megabytes = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
    print(f"{name:30} {took:5.2f} s {megabytes:5.0f} MB  {code}", flush=True)
    check(code == (0 if words is None else 2) and (words or "") in told, f"{name}: {code}, not '{words}': {told[-1000:]}")
    check(took < CROWDED * LIMIT_S, f"{name}: {took:.2f} s of processor time")
    check(megabytes < LIMIT_MB, f"{name}: {megabytes:.0f} MB")


def main():
    command = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "lib.mtl"), "w") as file:
            file.write("newmtl a\n" + "Kd 1 1 1\n" * (SIZE // 9))
        for cases in (gltf_cases, tangled_cases, text_cases):
            for name, data, words in cases():
                run(command, folder, name, data, words)


main()
