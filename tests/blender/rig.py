"""A small run with all that the add-on shows, and readers of other exports to compare with."""
import json
import os
import struct
import subprocess
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
ADDON = os.path.join(ROOT, "blender", "sherd_blender")

# A slab that shatters, a beam that bends over a ball that moves, loose grains.
SCENE = """
sherd: 1
name: mixed
duration: 4 ms
output: {frame_rate: 2 kHz, meshes: [], render: false, stress: true}
materials:
  clay: {density: 2000, youngs_modulus: 50 MPa, poissons_ratio: 0.25, tensile_strength: 0.2 MPa,
         shear_strength: 0.3 MPa, weibull_modulus: 8, seed: 3, color: [0.8, 0.4, 0.3]}
  rubber: {density: 1000, youngs_modulus: 1 MPa, unbreakable: true}
bodies:
  - {name: slab, shape: {box: [20 mm, 16 mm, 5 mm]}, packing: {hcp: {radius: 1.2 mm}}, material: clay,
     position: [0, 0, 4 mm], rotation: [10 deg, 5 deg, 0], velocity: [0, 0, -5]}
  - {name: beam, shape: {box: [24 mm, 5 mm, 5 mm]}, packing: {hcp: {radius: 1.2 mm}}, material: rubber,
     position: [0, 25 mm, 12 mm], velocity: [0, 0, -4]}
  - {name: sand, shape: {box: [5 mm, 5 mm, 5 mm]}, packing: {cubic: {radius: 1 mm}}, material: clay, loose: true,
     position: [0, -25 mm, 5 mm]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  - {name: ball, sphere: 4 mm, position: [0, 25 mm, 5 mm], motion: {velocity: [0, 0, 0.5], angular_velocity: [0, 0, 100]}}
"""


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def done(*arguments):
    result = subprocess.run(arguments, capture_output=True, text=True, timeout=250, check=False)
    check(result.returncode == 0, f"{arguments}: {result.returncode}: {result.stdout[-2000:]} {result.stderr[-4000:]}")
    return result.stdout


def run_in(sherd, place, *options):
    """The run of the scene in a folder."""
    scene = write(os.path.join(place, "mixed.yaml"), SCENE)
    out = os.path.join(place, "mixed")
    done(sherd, "run", scene, "-o", out, "--no-pictures", "--quiet", *options)
    return out


class PointCache:
    """run.obj and run.pc2 of `sherd export --to obj-pc2`: vertices of pieces in each frame, z up again."""

    def __init__(self, folder):
        data = read(os.path.join(folder, "run.pc2"))
        magic, _, count, _, _, self.frames = struct.unpack_from("<12siiffi", data)
        check(magic == b"POINTCACHE2\0", "pc2: header")
        self.points = [struct.unpack_from(f"<{3 * count}f", data, 32 + 12 * count * k) for k in range(self.frames)]
        self.ranges, name, vertex = {}, None, 0
        with open(os.path.join(folder, "run.obj"), encoding="utf-8") as file:
            for line in file:
                word = line.split()[0] if line.strip() else ""
                if word in ("g", "o"):
                    name = line.split()[1]
                    self.ranges[name] = [vertex, 0]
                elif word == "v":
                    if name is None:
                        name = "?"
                    vertex += 1
                    self.ranges.setdefault(name, [vertex - 1, 0])[1] += 1

    def vertices(self, name, frame):
        first, count = self.ranges[name]
        p = self.points[frame]
        return [(p[3 * k], -p[3 * k + 2], p[3 * k + 1]) for k in range(first, first + count)]


class Glb:
    """Poses of the pieces in run.glb of `sherd export --to glb`: {name: [(x, y, z, qx, qy, qz, qw) of each frame]}"""

    def __init__(self, path):
        data = read(path)
        size = struct.unpack_from("<I", data, 12)[0]
        self.about, self.binary = json.loads(data[20:20 + size]), data[28 + size:]
        nodes, frames = self.about["nodes"], max(a["count"] for a in self.about["accessors"]
                                                 if a["type"] == "SCALAR" and "max" in a)
        self.poses, self.ids = {}, {}
        for k, node in enumerate(nodes):
            if "extras" in node and "fragment" in node["extras"]:
                self.ids[node["extras"]["fragment"]] = node["name"]
            move = [tuple(node.get("translation", (0, 0, 0)))] * frames
            turn = [tuple(node.get("rotation", (0, 0, 0, 1)))] * frames
            self.poses[node["name"]] = [a + b for a, b in zip(self.track(k, "translation", move),
                                                              self.track(k, "rotation", turn))]

    def track(self, node, path, still):
        for animation in self.about.get("animations", []):
            for channel in animation["channels"]:
                if channel["target"] == {"node": node, "path": path}:
                    return self.rows(animation["samplers"][channel["sampler"]]["output"])
        return still

    def rows(self, index):
        a = self.about["accessors"][index]
        view, width = self.about["bufferViews"][a["bufferView"]], {"VEC3": 3, "VEC4": 4}[a["type"]]
        start = view["byteOffset"] + a.get("byteOffset", 0)
        return [struct.unpack_from(f"<{width}f", self.binary, start + 4 * width * k) for k in range(a["count"])]


def elements(folder, frame):
    """Rows of csv/elements_000000.csv as dictionaries."""
    import csv
    with open(os.path.join(folder, f"elements_{frame:06d}.csv"), newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def turned(q, v):
    """A vector turned by a quaternion x, y, z, w."""
    x, y, z, w = q
    t = (2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0]))
    return tuple(v[k] + w * t[k] + c for k, c in enumerate((y * t[2] - z * t[1], z * t[0] - x * t[2],
                                                            x * t[1] - y * t[0])))


def far(a, b):
    return max(abs(x - y) for x, y in zip(a, b))
