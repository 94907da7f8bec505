#!/usr/bin/env python3
"""Exports of a small run, read back with readers of our own and held against each other.

usage: export.py SHERD

1. glb, usda, obj-pc2, vtk, ply, csv, xyz (html: viewer.py): well formed; pieces of the glb move as the elements of the csv do; pieces
   of obj-pc2 stay together until they break
2. a range of frames; an output file or folder of one's own
3. stopped and resumed: the same glb, byte for byte, and the same lists over time
4. wrong usage and hostile places: exit status, message, and no half-written file
"""
import csv
import json
import math
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as tree
import zlib

import usda
import usdc

LAST = 8
SCENE = """
sherd: 1
name: tiny
duration: 4 ms
output: {frame_rate: 2 kHz, meshes: [ply, glb, vtk], render: {enabled: false}}
materials:
  clay: {density: 2000, youngs_modulus: 100 MPa, poissons_ratio: 0.25, tensile_strength: 0.5 MPa,
         shear_strength: 0.6 MPa, weibull_modulus: 8, seed: 3}
  ice: {density: 2000, youngs_modulus: 100 MPa, poissons_ratio: 0.25, unbreakable: true, opacity: 0.35}
bodies:
  - {name: slab, shape: {box: [30 mm, 30 mm, 6 mm]}, packing: {hcp: {radius: 1.5 mm}}, material: clay,
     position: [0, 0, 10 mm], rotation: [10 deg, 5 deg, 0], velocity: [0, 0, -5]}
  - {name: sand, shape: {box: [10 mm, 10 mm, 6 mm]}, packing: {hcp: {radius: 1.5 mm}}, loose: true,
     material: ice, position: [0, 0, 20 mm]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  - {name: ball, sphere: 4 mm, position: [0, 0, 30 mm], free: {mass: 10 g, velocity: [0, 0, -4]}}
"""


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def sherd(command, *arguments, **options):
    return subprocess.run([command, *arguments], capture_output=True, text=True, timeout=200, **options)


def done(command, *arguments):
    result = sherd(command, *arguments)
    check(result.returncode == 0, f"{arguments}: {result.returncode}: {result.stderr}")
    return result


def read(path):
    with open(path, "rb") as file:
        return file.read()


def part_files(folder):
    return [name for _, _, names in os.walk(folder) for name in names if name.endswith(".part")]


# ---------------------------------------------------------------- glb

WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


class Glb:
    """A .glb with every accessor's rows, all of it checked on the way in."""

    def __init__(self, path):
        data = read(path)
        magic, version, length, size, kind = struct.unpack_from("<4sIII4s", data)
        check((magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON"), "glb: header")
        check(size % 4 == 0, "glb: the JSON chunk is not whole words")
        binary_size, kind = struct.unpack_from("<I4s", data, 20 + size)
        check(kind == b"BIN\0" and binary_size % 4 == 0, "glb: the second chunk")
        check(28 + size + binary_size == len(data), "glb: the chunks do not fill the file")
        self.document = json.loads(data[20:20 + size])
        self.binary = data[28 + size:]
        check(self.document["buffers"] == [{"byteLength": binary_size}], "glb: buffer")
        self.rows = [self.accessor(k, a) for k, a in enumerate(self.document["accessors"])]
        self.check_meshes()
        self.tracks = self.read_tracks()

    def accessor(self, index, a):
        view = self.document["bufferViews"][a["bufferView"]]
        width = WIDTHS[a["type"]]
        form = f"<{width}" + {5126: "f", 5125: "I", 5123: "H", 5122: "h", 5120: "b"}[a["componentType"]]
        stride = view.get("byteStride", struct.calcsize(form))
        check(view["byteOffset"] + view["byteLength"] <= len(self.binary), f"glb: view of accessor {index}")
        end = a["byteOffset"] + stride * (a["count"] - 1) + struct.calcsize(form)
        check(a["count"] >= 1 and end <= view["byteLength"], f"glb: accessor {index} leaves its view")
        start = view["byteOffset"] + a["byteOffset"]
        check(start % 4 == 0, f"glb: accessor {index} is not aligned")
        rows = [struct.unpack_from(form, self.binary, start + stride * k) for k in range(a["count"])]
        check(all(math.isfinite(x) for row in rows for x in row), f"glb: accessor {index}: not a number")
        if "min" in a:
            low, high = [min(c) for c in zip(*rows)], [max(c) for c in zip(*rows)]
            told = list(struct.unpack(f"<{2 * width}f", struct.pack(f"<{2 * width}f", *a["min"], *a["max"])))
            check(told == low + high, f"glb: accessor {index}: min and max differ from the numbers")
        return rows

    def check_meshes(self):
        accessors = self.document["accessors"]
        for mesh in self.document["meshes"]:
            for primitive in mesh["primitives"]:
                attributes = primitive["attributes"]
                count = accessors[attributes["POSITION"]]["count"]
                check("min" in accessors[attributes["POSITION"]], "glb: positions need min and max")
                check({"POSITION", "NORMAL", "TEXCOORD_0"} <= set(attributes), "glb: attributes")
                check(all(accessors[a]["count"] == count for a in attributes.values()), "glb: vertex counts")
                indices = [row[0] for row in self.rows[primitive["indices"]]]
                check(len(indices) % 3 == 0 and max(indices) < min(count, 65535), "glb: index out of range")
                check(primitive["material"] < len(self.document["materials"]), "glb: no such material")

    def read_tracks(self):
        """(node, path) -> (times, values)"""
        tracks = {}
        animation = self.document["animations"][0]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            times = [row[0] for row in self.rows[sampler["input"]]]
            values = self.rows[sampler["output"]]
            check("min" in self.document["accessors"][sampler["input"]], "glb: times need min and max")
            check(times[0] >= 0 and all(a < b for a, b in zip(times, times[1:])), "glb: times do not ascend")
            check(len(times) == len(values), "glb: a value for each time")
            key = channel["target"]["node"], channel["target"]["path"]
            check(key not in tracks and key[0] < len(self.document["nodes"]), f"glb: target {key}")
            tracks[key] = times, values
        return tracks

    def pieces(self):
        return [(k, node) for k, node in enumerate(self.document["nodes"]) if "mesh" in node]

    def scale(self, index, frame):
        """0 where the node is not shown."""
        times, values = self.tracks.get((index, "scale"), ([0], [self.document["nodes"][index]["scale"]]))
        return values[max(k for k, time in enumerate(times) if time < frame / 24 + 1e-5)][0]

    def pose(self, index, frame, thinned=False):
        """Translation and rotation of a node in a frame of the run. Keys may be left out where it moves straight."""
        node = self.document["nodes"][index]
        result = []
        for path in ("translation", "rotation"):
            if (index, path) not in self.tracks:
                result.append(tuple(node[path]))
                continue
            times, values = self.tracks[index, path]
            # Float times of k / 24 s: far closer than half a frame.
            key = max((k for k, time in enumerate(times) if time < frame / 24 + 1e-5), default=0)
            here = abs(times[key] - frame / 24) < 1e-5
            check(here or thinned or values[key] == values[key + 1], f"glb: frame {frame} lies between unlike keys")
            if not here and thinned and path == "translation" and key + 1 < len(values):
                share = (frame / 24 - times[key]) / (times[key + 1] - times[key])
                result.append(tuple(a + share * (b - a) for a, b in zip(values[key], values[key + 1])))
                continue
            result.append(values[key])
        return result


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def center(rows):
    mass = sum(float(row["mass_kg"]) for row in rows)
    return [sum(float(row["mass_kg"]) * float(row[c]) for row in rows) / mass for c in ("x_m", "y_m", "z_m")]


def same_rotation(q, row):
    return abs(abs(sum(a * float(row[b]) for a, b in zip(q, ("qx", "qy", "qz", "qw")))) - 1) < 1e-6


def glb_moves_as_elements(glb, tables):
    """Pieces are the fragments of the last frame, wherever their elements are."""
    members = {}
    for row in tables[-1]:
        members.setdefault(int(row["fragment"]), []).append(int(row["element"]))
    check(len(members) > 20, "the scene does not break into enough pieces to test anything")
    seen = 0
    for index, node in glb.pieces():
        fragment = node["extras"]["fragment"]
        if fragment == 0:
            check(node["name"] == "ball", "glb: a piece without a fragment")
            continue
        check(node["extras"]["elements"] == len(members[fragment]), "glb: elements of " + node["name"])
        seen += len(members[fragment])
        for frame, rows in enumerate(tables):
            now = [rows[e] for e in members[fragment]]
            translation, rotation = glb.pose(index, frame)
            # Floats of positions below 0.1 m: 4e-9 m, and as much again for the sums.
            check(max(abs(a - b) for a, b in zip(translation, center(now))) < 2e-8,
                  f"glb: {node['name']} is not at its elements in frame {frame}")
            if len(now) == 1:
                check(same_rotation(rotation, now[0]), f"glb: {node['name']} does not turn with its element")
    check(seen == len(tables[-1]), "glb: elements are missing or there twice")


def pieces_fit_at_the_start(glb, tables):
    """Before the break all pieces of the slab turn as one: nothing sticks out of the intact body."""
    first = tables[0][0]
    for index, node in glb.pieces():
        if node["name"].startswith("slab"):
            check(same_rotation(glb.pose(index, 0)[1], first), f"glb: {node['name']} is turned before the break")


# ---------------------------------------------------------------- crumbs

def check_crumbs(command, run, folder, glb, tables):
    """Crumbs take an element's place when its own piece disappears, near it, with no more than its mass."""
    crumbs, whole = {}, {}
    for index, node in glb.pieces():
        name = re.fullmatch(r"slab (\d+) crumb \d+", node["name"])
        if name is not None:
            crumbs.setdefault(int(name[1]), []).append(index)
        elif node["name"].startswith("slab"):
            whole[node["extras"]["fragment"]] = index
    check(len(crumbs) > 10, f"glb: crumbs of {len(crumbs)} elements are too few to test anything")
    sizes = set()
    for element, indices in crumbs.items():
        rows = [t[element] for t in tables]
        nodes = [glb.document["nodes"][k] for k in indices]
        check(all(n["extras"]["elements"] == 0 and n["extras"]["fragment"] == int(rows[-1]["fragment"]) for n in nodes),
              "glb: crumbs of another fragment")
        mass = sum(n["extras"]["mass_kg"] for n in nodes) / float(rows[0]["mass_kg"])
        # The rest is dust: crumbs of less than a fifth of the elements' size. Tables have nine digits.
        check(0.8 < mass < 1 + 1e-8, f"glb: crumbs of element {element} have {mass} of its mass")
        own = whole.get(int(rows[-1]["fragment"]))
        for frame, row in enumerate(rows):
            shown = {glb.scale(k, frame) > 0 for k in indices}
            check(len(shown) == 1, f"glb: some crumbs of element {element} are shown in frame {frame}, some not")
            check(own is None or shown != {glb.scale(own, frame) > 0}, f"glb: {element} is there twice, or not at all")
            place = [float(row[c]) for c in ("x_m", "y_m", "z_m")]
            for k in indices if shown == {True} else []:
                # Packed within 1.6 radii, drifted apart by a factor of up to 3.4, fallen by up to 8.
                at = glb.pose(k, frame, True)[0]
                check(math.dist(at, place) < 14 * 1.5e-3, f"glb: a crumb of {element} is elsewhere in frame {frame}")
                check(at[2] > 0, f"glb: a crumb of {element} is below the floor in frame {frame}")
        sizes.update(round(glb.scale(k, LAST), 9) for k in indices)
    check(max(sizes) > 3 * min(sizes), "glb: crumbs are all alike")
    check(len({glb.document["nodes"][k]["mesh"] for ks in crumbs.values() for k in ks}) <= 48, "glb: meshes of crumbs")
    for threads in ("1", "3"):
        again = os.path.join(folder, f"crumbs{threads}.glb")
        done(command, "export", run, "--to", "glb", "-o", again, "-j", threads, "--quiet")
        check(read(again) == read(os.path.join(run, "run.glb")), "glb: crumbs depend on threads")
    place = os.path.join(folder, "crumbs.usda")
    done(command, "export", run, "--to", "usda", "-o", place, "--quiet")
    _, pieces = usda.read_usda(read(place).decode("ascii"))
    names = {re.sub(r"\W", "_", node["name"]) for _, node in glb.pieces()}
    check(set(pieces) == {name for name in names if not name.startswith("sand_")}, "usda: other pieces than the glb")


# ---------------------------------------------------------------- OBJ and PC2

def check_deforming(command, run, folder, tables):
    """Vertices move with the elements; no vertex count changes; cracks to come are closed."""
    place = os.path.join(folder, "deforming")
    done(command, "export", run, "--to", "obj-pc2", "-o", place)
    check(sorted(os.listdir(place)) == ["run.mtl", "run.obj", "run.pc2"], "files of obj-pc2")
    obj, cache = os.path.join(place, "run.obj"), os.path.join(place, "run.pc2")
    checker = os.path.join(os.path.dirname(__file__), "..", "unit", "check_obj_pc2.py")
    result = subprocess.run([sys.executable, checker, obj, cache], capture_output=True, text=True)
    check(result.returncode == 0, "obj-pc2: " + result.stdout + result.stderr)
    told = dict(zip(*[iter(result.stdout.split())] * 2))
    members = {int(row["fragment"]) for row in tables[-1] if row["body"] == "0"}
    grains = sum(row["body"] == "1" for row in tables[-1])
    check(int(told["groups"]) == len(members) + grains + 1, "obj-pc2: a group for each piece")
    check(int(told["frames"]) == len(tables) and int(told["textures"]) > 0, "obj-pc2: frames, textures")
    check(set(re.findall(r"^usemtl (\S+)", read(obj).decode(), re.M)) ==
          {"slab_outer", "slab_inner", "sand_outer", "ball"}, "obj-pc2: materials")
    groups = set(re.findall(r"^g (\S+)", read(obj).decode(), re.M))
    check({f"fragment_{k}" for k in members} <= groups and "obstacle_ball" in groups, "obj-pc2: groups")
    done(command, "export", run, "--to", "obj-pc2", "-o", os.path.join(folder, "one.obj"), "-j", "1", "--quiet")
    for one, other in (("one.obj", obj), ("one.pc2", cache)):
        a, b = read(os.path.join(folder, one)), read(other)
        check(a.replace(b"one.mtl", b"run.mtl") == b, "obj-pc2 depends on threads: " + one)
    cracks_are_closed(obj, cache, tables)


def cracks_are_closed(obj, cache, tables):
    """Vertices at one place at rest are at one place as long as their pieces are one fragment."""
    group_of, group = [], None
    for line in read(obj).decode().splitlines():
        if line.startswith("g "):
            group = line[2:]
        elif line.startswith("v "):
            group_of.append(group)
    data = read(cache)
    points, = struct.unpack_from("<i", data, 16)
    first = [struct.unpack_from("<3f", data, 32 + 12 * k) for k in range(points)]
    places = {}
    for k, place in enumerate(first):
        if group_of[k].startswith("fragment_"):
            places.setdefault(place, []).append(k)
    shared = [ks for ks in places.values() if len({group_of[k] for k in ks}) > 1]
    check(len(shared) > 100, "obj-pc2: pieces do not touch before the break")
    element = {int(row["fragment"]): int(row["element"]) for row in tables[-1]}
    for frame, rows in enumerate(tables):
        together = 0
        for ks in shared:
            now = {int(rows[element[int(group_of[k].split("_")[1])]]["fragment"]) for k in ks}
            if len(now) > 1:
                continue
            together += 1
            at = {struct.unpack_from("<3f", data, 32 + 12 * (points * frame + k)) for k in ks}
            check(len(at) == 1, f"obj-pc2: a crack gapes in frame {frame} before it opens")
        check(frame > 0 or together == len(shared), "obj-pc2: the body is whole at first")


def check_transmission(glb):
    """The sand lets light through as its material's opacity says, the slab none."""
    factors = {m["name"]: m.get("extensions", {}).get("KHR_materials_transmission", {}).get("transmissionFactor", 0)
               for m in glb.document["materials"]}
    check(abs(factors["sand"] - 0.65) < 1e-6 and factors["slab"] == factors["slab broken"] == 0,
          f"glb: transmission {factors}")


# ---------------------------------------------------------------- USD

USD_TOLERANCE = 0.01 * 1.65e-3  # of keys: a hundredth of the radius of elements, which is 1.1 times that of the packing


def turn_apart(a, b):
    """Angle between two rotations, from the distance of the quaternions: w first, then last."""
    a, b = a[1:] + a[:1], tuple(b)
    size = math.sqrt(sum(x * x for x in a))
    return 2 * min(math.dist([x / size for x in a], b), math.dist([-x / size for x in a], b))


def turned_at(turns, frame):
    """A rotation between samples lies on the great circle."""
    if not isinstance(turns, dict):
        return turns
    before, after = max(t for t in turns if t <= frame), min(t for t in turns if t >= frame)
    p, q = turns[before], turns[after]
    angle = math.acos(max(-1, min(1, sum(a * b for a, b in zip(p, q)))))
    share = (frame - before) / (after - before) if after > before else 0
    if angle < 1e-6:
        return p
    return tuple((math.sin((1 - share) * angle) * a + math.sin(share * angle) * b) / math.sin(angle) for a, b in zip(p, q))


def check_usd_piece(name, values, glb, node):
    """Where the keys put the piece in each frame, against those of the .glb. Returns the number of keys left out."""
    places, turns = values["xformOp:translate"], values["xformOp:orient"]
    reach = max((math.hypot(*p) for p in values.get("points", [(0, 0, 0)])))
    for frame in range(LAST + 1):
        position, rotation = glb.pose(node, frame)
        check(math.dist(usda.at(places, frame), position) < USD_TOLERANCE / 2 + 1e-7, f"usd: {name} is elsewhere in frame {frame}")
        check(turn_apart(turned_at(turns, frame), rotation) * reach < USD_TOLERANCE / 2 + 1e-6 * reach + 1e-7,
              f"usd: {name} is turned otherwise in frame {frame}")
    return LAST + 1 - len(places) if isinstance(places, dict) else 0


def check_states(command, run, folder, pieces):
    """Speed and age, from the table of elements: of mean velocities, and of when ids first occur."""
    tables = os.path.join(folder, "states")
    done(command, "export", run, "--to", "csv", "-o", tables, "--quiet")
    frames = [elements(os.path.join(tables, f"elements_{k:06d}.csv")) for k in range(LAST + 1)]
    last = {}
    for row in frames[LAST]:
        last.setdefault(int(row["fragment"]), []).append(int(row["element"]))
    came = 0
    for name, prim in pieces.items():
        v, mine = prim.values, last.get(prim.values["primvars:fragment"][0], [])
        if "primvars:speed" not in v:
            continue
        top = max(x for x, in samples_of(v, "speed").values())
        for frame, rows in enumerate(frames):
            mass = sum(rows[e]["mass_kg"] for e in mine)
            speed = math.hypot(*(sum(rows[e]["mass_kg"] * rows[e][c] for e in mine) / mass for c in ("vx_m_s", "vy_m_s", "vz_m_s")))
            check(abs(usda.at(samples_of(v, "speed"), frame)[0] - speed) <= 0.005 * top + 1e-6, f"speed of {name} in frame {frame}")
        fragment = prim.values["primvars:fragment"][0]
        apart = next(k for k, rows in enumerate(frames) if rows[mine[0]]["fragment"] == fragment)
        age = (LAST - apart) * 0.5e-3 if apart > 0 else 0
        check(abs(usda.at(samples_of(v, "age"), LAST)[0] - age) <= 1e-6, f"age of {name}: {samples_of(v, 'age')}, {age}")
        came += age > 0
    check(came > 3, "no piece came off")


def samples_of(values, name):
    one = values["primvars:" + name]
    return values.get(f"primvars:{name}.timeSamples", {0: one})


def elements(path):
    with open(path) as file:
        names, *rows = [line.rstrip("\n").split(",") for line in file]
    return [{n: float(x) if n not in ("body", "material") and x else x for n, x in zip(names, row)} for row in rows]


def check_sand(prim, glb):
    """Granules: positions and rotations of the .glb's spheres."""
    nodes = {node["name"]: index for index, node in glb.pieces()}
    v = prim.values
    for frame in range(LAST + 1):
        for k, (place, turn, velocity) in enumerate(zip(v["positions"][frame], v["orientations"][frame], v["velocities"][frame])):
            position, rotation = glb.pose(nodes[f"sand {k}"], frame)
            check(math.dist(place, position) < 1e-7, f"usd: granule {k} is elsewhere")
            check(turn_apart(turn, rotation) < 2e-3, f"usd: granule {k} is turned otherwise")  # 11 bits
            if 0 < frame < LAST:  # half a frame's change of velocity off; gravity and blows
                ahead, back = (glb.pose(nodes[f"sand {k}"], frame + d)[0] for d in (1, -1))
                check(math.dist(velocity, [(a - b) * 12 for a, b in zip(ahead, back)]) < 0.1, f"usd: velocity of granule {k}")
    check(v["scales"][0] == v["scales"][1] and abs(v["scales"][0][0] - 1.65e-3) < 1e-8, "usd: radii")


def check_usd(command, run, folder, glb):
    """The pieces of the .glb, with its meshes' faces and poses; text and crate alike."""
    place = os.path.join(folder, "usd")
    set_off = ["--set", "output.debris=false", "--quiet"]
    for form in ("usda", "usd"):
        done(command, "export", run, "--to", form, "-o", place, "-j", "1", *set_off)
    text, crate = (read(os.path.join(place, "run." + end)) for end in ("usda", "usdc"))
    try:
        stage, pieces = usda.read_usda(text.decode("ascii"))
        instancers = usda.check_stage(stage)[1]
        other = usdc.Usdc(crate)
        check(stage.metadata == other.metadata, f"usd: metadata {other.metadata}")
        usdc.compare(stage.prims["run"], other.prims["run"], "/run")
    except usda.UsdaError as error:
        check(False, "usd: " + str(error))
    check(4 * len(crate) < len(text), f"usd: {len(crate)} bytes of {len(text)}")
    check(stage.metadata["endTimeCode"] == str(LAST), "usda: frames")
    opacity = usda.opacities(stage)
    check(abs(opacity["sand"] - 0.35) < 1e-6 and opacity["slab"] == opacity["slab_broken"] == 1,
          f"usda: opacity {opacity}")
    nodes = {re.sub(r"\W", "_", node["name"]): index for index, node in glb.pieces()}
    check(set(pieces) == {name for name in nodes if not name.startswith("sand_")}, "usda and glb have different pieces")
    inner = left_out = 0
    for name, prim in pieces.items():
        node, values = glb.document["nodes"][nodes[name]], prim.values
        check(values["primvars:fragment"] == (node["extras"]["fragment"],), "usda: fragment of " + name)
        triangles = sum(glb.document["accessors"][p["indices"]]["count"] // 3
                        for p in glb.document["meshes"][node["mesh"]]["primitives"])
        check("points" not in values or len(values["faceVertexCounts"]) == triangles, "usda: faces of " + name)
        inner += "inner" in prim.children
        left_out += check_usd_piece(name, values, glb, nodes[name])
    check(inner > 3, "usda: no broken faces")
    check(left_out > 20, "usda: no keys are left out")
    check(set(instancers) == {"sand"}, f"usda: instancers {set(instancers)}")
    check_sand(instancers["sand"], glb)
    check_states(command, run, folder, pieces)
    for form, before in (("usda", text), ("usd", crate)):
        done(command, "export", run, "--to", form, "-o", os.path.join(folder, "again"), "-j", "3", *set_off)
        check(read(os.path.join(folder, "again", "run." + ("usdc" if form == "usd" else form))) == before, form + " depends on threads")


# ---------------------------------------------------------------- vtk, ply, csv

def vtp_array(appended, offset):
    blocks, size, last = struct.unpack_from("<QQQ", appended, offset)
    at, out = offset + 24 + 8 * blocks, b""
    for k, packed in enumerate(struct.unpack_from(f"<{blocks}Q", appended, offset + 24)):
        part = zlib.decompress(appended[at:at + packed])
        check(len(part) == (last if k == blocks - 1 and last else size), "vtp: size of a block")
        out, at = out + part, at + packed
    return out, at


def read_vtp(path):
    """Counts, arrays by name and time of a .vtp whose arrays have the sizes it tells."""
    data = read(path)
    start = re.search(rb'<AppendedData encoding="raw">\s*_', data)
    end = data.rfind(b"\n  </AppendedData>")
    check(start is not None and end > 0, path + ": no appended data")
    root = tree.fromstring(data[:start.end() - 1] + data[end:])
    appended, used = data[start.end():end], 0
    piece = root.find("PolyData/Piece")
    points, polys, verts, lines = (int(piece.get("NumberOf" + what)) for what in ("Points", "Polys", "Verts", "Lines"))
    sizes = {"PointData": points, "Points": points, "CellData": polys + verts + lines}
    arrays = {}
    for section in piece:
        for array in section:
            letter = {"Float64": "d", "Float32": "f", "Int32": "i", "UInt8": "B"}[array.get("type")]
            raw, stop = vtp_array(appended, int(array.get("offset")))
            used = max(used, stop)
            values = struct.unpack(f"<{len(raw) // struct.calcsize(letter)}{letter}", raw)
            if section.tag in sizes:
                check(len(values) == sizes[section.tag] * int(array.get("NumberOfComponents")),
                      f"{path}: size of {array.get('Name')}")
            arrays[section.tag + "." + array.get("Name")] = values
    check(used == len(appended), path + ": bytes that belong to no array")
    for cells, corners, count in (("Polys", 3, polys), ("Verts", 1, verts), ("Lines", 2, lines)):
        if count > 0:
            connectivity = arrays[cells + ".connectivity"]
            check(len(connectivity) == corners * count and 0 <= min(connectivity) and max(connectivity) < points,
                  path + ": connectivity")
            check(arrays[cells + ".offsets"] == tuple(corners * (k + 1) for k in range(count)), path + ": offsets")
    return points, polys, arrays


def check_vtk(folder, frames, tables, lists=("elements", "surface")):
    for what in lists:
        sets = tree.parse(os.path.join(folder, what + ".pvd")).getroot().findall("Collection/DataSet")
        check([s.get("file") for s in sets] == [f"{what}_{k:06d}.vtp" for k in frames], f"files in {what}.pvd")
        for s, k in zip(sets, frames):
            check(abs(float(s.get("timestep")) - k / 2000) < 1e-12, f"time of frame {k} in {what}.pvd")
    for k in frames:
        points, polys, arrays = read_vtp(os.path.join(folder, f"elements_{k:06d}.vtp"))
        rows = tables[k]
        check((points, polys) == (len(rows), 0), f"elements of frame {k}")
        check([int(row["fragment"]) for row in rows] == list(arrays["PointData.fragment"]), f"vtk: fragments, frame {k}")
        for c, name in enumerate(("x_m", "y_m", "z_m")):  # both exact
            check([float(row[name]) for row in rows] == list(arrays["Points.Points"][c::3]), f"vtk: {name}, frame {k}")
        points, polys, arrays = read_vtp(os.path.join(folder, f"surface_{k:06d}.vtp"))
        slab = {int(row["fragment"]) for row in rows if row["body"] == "0"}
        check(polys > 0 and set(arrays["CellData.fragment"]) == slab, f"vtk: fragments of the meshes, frame {k}")
        check((1 in arrays["CellData.face_kind"]) == (len(slab) > 1), f"vtk: broken faces, frame {k}")


def check_ply(path):
    """Well formed; its volume."""
    data = read(path)
    end = data.index(b"end_header\n") + len(b"end_header\n")
    head = data[:end].decode()
    check(head.startswith("ply\nformat binary_little_endian 1.0\n"), path + ": header")
    vertices, faces = (int(re.search(rf"element {what} (\d+)", head).group(1)) for what in ("vertex", "face"))
    floats = len(re.findall(r"property float ", head))
    check("property uchar inner\nproperty int fragment\nproperty int material\n" in head, path + ": face ids")
    size, face, volume = 4 * floats * vertices, struct.Struct("<B3iBii"), 0.0
    check(len(data) == end + size + face.size * faces, path + ": the body does not match the header")
    for k in range(faces):
        corners, a, b, c, inner, fragment, material = face.unpack_from(data, end + size + k * face.size)
        check(fragment > 0 and material == inner, f"{path}: ids of face {k}")  # of the first body, the slab
        check(corners == 3 and min(a, b, c) >= 0 and max(a, b, c) < vertices and inner in (0, 1), f"{path}: face {k}")
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (
            struct.unpack_from("<3f", data, end + 4 * floats * v) for v in (a, b, c))
        volume += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6
    return volume


def check_csv(path, elements):
    rows = table(path)
    check(list(rows[0]) == "element,body,material,fragment,x_m,y_m,z_m,radius_m,mass_kg,qx,qy,qz,qw,"
                           "vx_m_s,vy_m_s,vz_m_s,stress_ratio".split(","), path + ": columns")
    check([int(row["element"]) for row in rows] == list(range(elements)), path + ": rows")
    check(all(math.isfinite(float(value)) for row in rows for value in row.values()), path + ": not a number")
    return rows


XYZ_COLUMNS = ("species:S:1:pos:R:3:radius:R:1:mass:R:1:velo:R:3:orientation:R:4:stress_ratio:R:1:id:I:1:body:I:1:"
               "fragment:I:1")


def read_xyz(path):
    """Extended XYZ: the heading's keys, and one row per element with the values of each column."""
    lines = read(path).decode().split("\n")
    head = dict(re.findall(r'(\w+)=("[^"]*"|\S+)', lines[1]))
    kinds = {"S": str, "R": float, "I": int}
    columns = re.findall(r"(\w+):([SRI]):(\d+)", head["Properties"])
    rows = []
    for line in lines[2:2 + int(lines[0])]:
        words, row = line.split(" "), {}
        for name, kind, count in columns:
            row[name] = [kinds[kind](words.pop(0)) for _ in range(int(count))]
        check(words == [], path + ": more values than columns")
        rows.append(row)
    check(lines[2 + int(lines[0]):] == [""], path + ": more rows than elements")
    return head, rows


def check_xyz(path, frame, rows, time):
    """What the table of the elements says, in the same digits."""
    head, elements = read_xyz(path)
    check(head["Properties"] == XYZ_COLUMNS and head["pbc"] == '"F F F"', path + ": heading")
    check(int(head["Frame"]) == frame and close(float(head["Time"]), float(time), 1e-8), path + ": time")
    check(len(elements) == len(rows), path + ": rows")
    names = {"pos": ("x_m", "y_m", "z_m"), "radius": ("radius_m",), "mass": ("mass_kg",),
             "velo": ("vx_m_s", "vy_m_s", "vz_m_s"), "orientation": ("qx", "qy", "qz", "qw"),
             "stress_ratio": ("stress_ratio",), "id": ("element",), "body": ("body",), "fragment": ("fragment",)}
    for element, row in zip(elements, rows):
        check(re.fullmatch(r"\S+", element["species"][0]), path + ": species")
        for column, cells in names.items():
            check(element[column] == [float(row[cell]) for cell in cells], f"{path}: {column}")


# ---------------------------------------------------------------- bonds

BOND_COLUMNS = "bond,i,j,body,material,x_m,y_m,z_m,rest_length_m,area_m2,intact_frame,broken_frame,broken_time_s,kind,piece_i,piece_j"
BREAK_COLUMNS = ("frame,time_s,intact_frame,intact_time_s,bond,i,j,body,material,x_m,y_m,z_m,area_m2,"
                 "break_time_s,mode,energy_j,kind,piece_i,piece_j")
MODES = ["tension", "shear", "bending", "twisting", "compression"]


def middle(rows, bond):
    return [(float(rows[int(bond["i"])][c]) + float(rows[int(bond["j"])][c])) / 2 for c in ("x_m", "y_m", "z_m")]


def close(a, b, share=1e-12):
    # Digits of the same numbers: only the sums and roots of this file are rounded otherwise.
    return abs(a - b) <= share * max(abs(a), abs(b), 1e-3)


def check_bonds(folder, frames, tables, stats):
    """bonds.csv and breaks.csv of these frames: counts as in stats.csv, places as of the elements."""
    bonds, breaks = table(os.path.join(folder, "bonds.csv")), table(os.path.join(folder, "breaks.csv"))
    check(list(bonds[0]) == BOND_COLUMNS.split(",") and list(breaks[0]) == BREAK_COLUMNS.split(","), "columns of bonds")
    check([int(b["bond"]) for b in bonds] == list(range(len(bonds))), "bonds.csv: rows")
    for row in bonds:
        ends = tables[0][int(row["i"])], tables[0][int(row["j"])]
        check(row["i"] < row["j"] or int(row["i"]) < int(row["j"]), "ends of bond " + row["bond"])
        check(all(e["body"] == row["body"] and e["material"] == row["material"] for e in ends), "body of a bond")
        check(all(close(float(row[c]), x) for c, x in zip(("x_m", "y_m", "z_m"), middle(tables[frames[0]], row))),
              "place of bond " + row["bond"])
    # hcp: neighbours are one lattice constant apart, all alike, and the section is that of one radius.
    lengths, areas = ({float(b[c]) for b in bonds} for c in ("rest_length_m", "area_m2"))
    check(max(lengths) - min(lengths) < 1e-9 and len(areas) == 1, "lengths and areas of bonds")
    check(abs(float(tables[0][0]["radius_m"]) ** 2 * math.pi / areas.pop() - 1) < 1e-6, "area of bonds")
    for k in frames:
        intact = sum(b["broken_frame"] == "" or int(b["broken_frame"]) > k for b in bonds)
        check((intact, len(bonds) - intact) == (int(stats[k]["bonds"]), int(stats[k]["broken_bonds"])),
              f"{intact} bonds are intact in frame {k}, {stats[k]['bonds']} in stats.csv")
        new = [b for b in breaks if int(b["frame"]) == k]
        check(len(new) == int(stats[k]["broken_bonds"]) - (int(stats[k - 1]["broken_bonds"]) if k > 0 else 0),
              f"breaks of frame {k}")
        for row in new:
            whole = bonds[int(row["bond"])]
            check((row["i"], row["j"], row["frame"], row["time_s"], row["area_m2"]) ==
                  (whole["i"], whole["j"], whole["broken_frame"], stats[k]["time_s"], whole["area_m2"]), "a break")
            check(row["intact_frame"] == str(k - 1) and row["intact_time_s"] == (stats[k - 1]["time_s"] if k else ""),
                  f"frame before the break of bond {row['bond']}")
            check(all(close(float(row[c]), x) for c, x in zip(("x_m", "y_m", "z_m"), middle(tables[k], row))),
                  "place of a break")
            check(float(row["intact_time_s"]) <= float(row["break_time_s"]) <= float(row["time_s"]), "time of a break")
            check(row["mode"] in MODES and float(row["energy_j"]) > 0, "mode and energy of a break")
    check({int(b["frame"]) for b in breaks} <= set(frames), "breaks of other frames")
    check([(int(b["frame"]), int(b["bond"])) for b in breaks] ==
          sorted((int(b["frame"]), int(b["bond"])) for b in breaks), "order of breaks")
    for row in bonds:
        check(row["broken_frame"] != "" or row["intact_frame"] == str(frames[-1]), "an intact bond")
    return bonds, breaks


def check_vtk_bonds(folder, frames, tables, bonds, breaks):
    for k in frames:
        points, _, arrays = read_vtp(os.path.join(folder, f"bonds_{k:06d}.vtp"))
        rows, whole = tables[k], [b for b in bonds if b["broken_frame"] == "" or int(b["broken_frame"]) > k]
        check([b["bond"] for b in whole] == [str(b) for b in arrays["CellData.bond"]], f"vtk: bonds of frame {k}")
        check([int(b[end]) for b in whole for end in ("i", "j")] == list(arrays["Lines.connectivity"]), "vtk: lines")
        check(points == len(rows) and [float(r["x_m"]) for r in rows] == list(arrays["Points.Points"][::3]), "vtk: points")
        check(all(close(float(r["stress_ratio"]), s, 1e-7) for r, s in zip(rows, arrays["PointData.stress_ratio"])),
              f"vtk: stress ratios of frame {k}")
        for b, stretch, area in zip(whole, arrays["CellData.stretch"], arrays["CellData.area_m2"]):
            i, j = rows[int(b["i"])], rows[int(b["j"])]
            length = math.dist(*([float(e[c]) for c in ("x_m", "y_m", "z_m")] for e in (i, j)))
            # Stored as a float, 6e-8 of a stretch below 1.
            check(abs(length / float(b["rest_length_m"]) - 1 - stretch) < 1e-7, "vtk: stretch of a bond")
            check(close(area, float(b["area_m2"]), 1e-6), "vtk: area of a bond")
        points, _, arrays = read_vtp(os.path.join(folder, f"breaks_{k:06d}.vtp"))
        new = [b for b in breaks if int(b["frame"]) == k]
        check([int(b["bond"]) for b in new] == list(arrays["PointData.bond"]), f"vtk: breaks of frame {k}")
        check(set(arrays["PointData.frame"]) <= {k}, "vtk: frame of a break")
        check([b["mode"] for b in new] == [MODES[m] for m in arrays["PointData.mode"]], "vtk: mode of a break")
        check([float(b["break_time_s"]) for b in new] == list(arrays["PointData.break_time_s"]), "vtk: time of a break")
        for c, name in enumerate(("x_m", "y_m", "z_m")):
            check([float(b[name]) for b in new] == list(arrays["Points.Points"][c::3]), "vtk: place of a break")


def bonds_of_frames(command, run, folder, tables):
    stats = table(os.path.join(run, "stats.csv"))
    bonds, breaks = check_bonds(os.path.join(run, "csv"), range(LAST + 1), tables, stats)
    check(len(breaks) > 100 and len(bonds) - len(breaks) > 100, "too few bonds break to test anything")
    place = os.path.join(folder, "bonds")
    done(command, "export", run, "--to", "vtk", "-o", place, "--quiet")
    check_vtk(place, range(LAST + 1), tables, ("elements", "surface", "bonds", "breaks"))
    check_vtk_bonds(place, range(LAST + 1), tables, bonds, breaks)
    done(command, "export", run, "--to", "csv", "-o", os.path.join(folder, "later"), "--frames", "3:5", "--quiet")
    check_bonds(os.path.join(folder, "later"), range(3, 6), tables, stats)


def bonds_of_former_versions(command, folder):
    """Files of format 3 have no sections: an empty cell, no array."""
    run = os.path.join(folder, "former")
    os.mkdir(run)
    shutil.copy(os.path.join(os.path.dirname(__file__), "..", "fuzz", "corpus", "run", "tiny.sherd"),
                os.path.join(run, "run.sherd"))
    check(read(os.path.join(run, "run.sherd"))[8] == 3, "this is no file of format 3")
    done(command, "export", run, "--to", "csv", "--quiet")
    bonds = table(os.path.join(run, "csv", "bonds.csv"))
    check(len(bonds) > 0 and all(b["area_m2"] == "" and float(b["rest_length_m"]) > 0 for b in bonds), "former versions")


# ---------------------------------------------------------------- the checks

def formats(command, run, folder, elements):
    done(command, "export", run, "--to", "csv", "--quiet")
    tables = [check_csv(os.path.join(run, "csv", f"elements_{k:06d}.csv"), elements) for k in range(LAST + 1)]
    done(command, "export", run, "--to", "xyz", "--quiet")
    for row in table(os.path.join(run, "stats.csv")):
        k = int(row["frame"])
        check_xyz(os.path.join(run, "xyz", f"elements_{k:06d}.xyz"), k, tables[k], row["time_s"])
    check_crumbs(command, run, folder, Glb(os.path.join(run, "run.glb")), tables)
    whole = os.path.join(folder, "whole.glb")
    done(command, "export", run, "--to", "glb", "-o", whole, "--set", "output.debris=false", "--quiet")
    glb = Glb(whole)
    glb_moves_as_elements(glb, tables)
    pieces_fit_at_the_start(glb, tables)
    check_transmission(glb)
    check_usd(command, run, folder, glb)
    check_deforming(command, run, folder, tables)
    check_vtk(os.path.join(run, "vtk"), range(LAST + 1), tables)
    bonds_of_frames(command, run, folder, tables)
    for k in range(LAST + 1):
        check_ply(os.path.join(run, "surface", f"frame_{k:06d}.ply"))
    return tables


def exports_again(command, run, folder, tables):
    """What export makes of a run is what the run itself wrote; and parts of it."""
    before = read(os.path.join(run, "run.glb"))
    done(command, "export", os.path.join(run, "run.sherd"), "--to", "glb", "--out", os.path.join(folder, "own.glb"))
    check(read(os.path.join(folder, "own.glb")) == before, "export and run make different animations")
    for threads in "13":
        done(command, "export", run, "--to", "glb", "-o", os.path.join(folder, "j" + threads), "-j", threads)
        check(read(os.path.join(folder, "j" + threads, "run.glb")) == before, "the animation depends on threads")
    places = {kind: os.path.join(folder, "part-" + kind) for kind in ("glb", "vtk", "ply", "csv", "xyz")}
    for kind, place in places.items():
        done(command, "export", run, "--to", kind, "--frames", "2:5", "-o", place)
    check_vtk(places["vtk"], range(2, 6), tables)
    for kind, pattern, others in (("ply", "frame_{:06d}.ply", []), ("csv", "elements_{:06d}.csv", ["bonds.csv", "breaks.csv"]),
                                  ("xyz", "elements_{:06d}.xyz", [])):
        wanted = sorted([pattern.format(k) for k in range(2, 6)] + others)
        check(sorted(os.listdir(places[kind])) == wanted, "frames of " + kind)
        check_ply(os.path.join(places["ply"], "frame_000005.ply"))
    glb = Glb(os.path.join(places["glb"], "run.glb"))
    check(max(times[-1] for times, _ in glb.tracks.values()) == struct.unpack("f", struct.pack("f", 3 / 24))[0],
          "glb: the last of four frames is at 3/24 s")
    check("surface" in done(command, "surface", run, "--frames", "1:1").stdout, "sherd surface")
    rest = os.path.join(folder, "rest")
    done(command, "export", run, "--to", "ply", "--rest", "--frames", "5:5", "-o", rest)
    volume = check_ply(os.path.join(rest, "frame_000005.ply"))
    # Less what cracks inside fragments take, drawn a twentieth of a radius wide.
    check(0.998 * 5.4e-6 < volume < 1.000001 * 5.4e-6, f"undeformed fragments have {volume} m^3, the slab 5.4e-6")
    marched = os.path.join(folder, "marched")
    done(command, "surface", run, "--frames", "5:5", "-o", marched, "--set", "output.surface.method=marching")
    frame = os.path.join(marched, "frame_000005.ply")
    check_ply(frame)
    check(read(frame) != read(os.path.join(places["ply"], "frame_000005.ply")), "another method, the same meshes")


def stopped_and_resumed(command, scene, run, folder):
    reference = read(os.path.join(run, "run.glb"))
    out = os.path.join(folder, "in-parts")
    done(command, "run", scene, "-o", out, "--frames", "3", "-j", "1", "--quiet")
    check(Glb(os.path.join(out, "run.glb")).document["animations"], "no animation of a shorter run")
    done(command, "run", scene, "-o", out, "--resume", "-j", "2", "--quiet")
    check(read(os.path.join(out, "run.glb")) == reference, "the animation of a resumed run differs")
    for name in ("elements.pvd", "surface.pvd"):
        check(read(os.path.join(out, "vtk", name)) == read(os.path.join(run, "vtk", name)), name + " after a resume")
    interrupted(command, scene, reference, os.path.join(folder, "interrupted"))


def interrupted(command, scene, reference, out):
    done(command, "run", scene, "-o", out, "--frames", "1", "-j", "1", "--quiet")
    os.remove(os.path.join(out, "stats.csv"))
    # That of the former run must not be taken for this one's.
    check(os.path.exists(os.path.join(out, "run.glb")), "no animation of the former run")
    process = subprocess.Popen([command, "run", scene, "-o", out, "-j", "1"], stdout=subprocess.PIPE, text=True)
    stats = os.path.join(out, "stats.csv")
    while process.poll() is None and not (os.path.exists(stats) and read(stats).count(b"\n") >= 4):
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=100)
    if process.returncode != 0:  # 0: it was done before the signal came
        check(not os.path.exists(os.path.join(out, "run.glb")), "an animation of a run that is not done")
        done(command, "export", out, "--to", "glb", "-o", os.path.join(out, "so-far.glb"))
        Glb(os.path.join(out, "so-far.glb"))
        done(command, "run", scene, "-o", out, "--resume", "--quiet", "-j", "1")
    check(read(os.path.join(out, "run.glb")) == reference, "the animation after Ctrl-C and resume differs")


def refused(command, arguments, status, *messages, **options):
    result = sherd(command, *arguments, **options)
    check(result.returncode == status, f"{arguments}: exit status {result.returncode}, not {status}: {result.stderr}")
    for message in messages:
        check(message in result.stderr, f"{arguments}: says\n{result.stderr}not: {message}")


def wrong_usage(command, scene, run, folder):
    export = ["export", run, "--to", "glb"]
    refused(command, ["export"], 2, "which format?")
    refused(command, ["export", run], 2, "which format?", "--to glb, usd, usda, obj-pc2, pieces, vtk, ply")
    refused(command, ["export", "--to", "glb"], 2, "which run?")
    refused(command, ["export", run, "--to", "vtk", "--rest"], 2, "only ply has --rest: vtk")
    refused(command, ["export", run, "--to", "obj"], 2, "unknown format: obj", "--to glb, usd, usda, obj-pc2, pieces, vtk, ply")
    refused(command, ["export", run, "--to"], 2, "needs a value: --to")
    refused(command, export + ["--frames", "9:"], 2, "no such frame: 9", "this run has frames 0 to 8")
    refused(command, export + ["--frames", ":9"], 2, "no such frame: 9")
    refused(command, export + ["--frames", "5:2"], 2, "the earlier frame first: 5:2")
    for text in ("a:b", "1:2:3", "-1:2", "1:2x", "1e1:", "99999999999999999999:"):
        refused(command, export + ["--frames", text], 2, "--frames wants a whole number in range")
    refused(command, ["run", scene, "--frames", "1:2"], 2, "--frames wants one number here")
    refused(command, export + ["--set", "duration=1 s"], 2, "only output.* and looks may be set now", "output.render.camera",
            "duration=1 s")
    refused(command, export + ["--set", "output.surface.method=cutt"], 2, "must be one of auto, tubes, sheets, tetra_faces, cut, marching")
    empty = os.path.join(folder, "empty")
    os.mkdir(empty)
    refused(command, ["export", empty, "--to", "csv"], 2, "not a run folder, it has no run.sherd", empty)
    refused(command, ["export", empty + "/none", "--to", "csv"], 2, "No such file")
    refused(command, ["export", scene, "--to", "csv"], 2, "not a run file of Sherd")
    for arguments in (["export", "--help"], ["export", run, "--to", "glb", "--help"]):
        check("--to FORMAT" in done(command, *arguments).stdout, "help of export")
    check("sherd export" in done(command, "--help").stdout, "export in the list of commands")


def damaged_runs(command, run, folder):
    whole = read(os.path.join(run, "run.sherd"))

    def with_bytes(name, data):
        place = os.path.join(folder, name)
        os.makedirs(place)
        with open(os.path.join(place, "run.sherd"), "wb") as file:
            file.write(data)
        return place

    torn = with_bytes("torn", whole[:-100])
    for kind in ("glb", "vtk"):
        result = done(command, "export", torn, "--to", kind)
        check("torn and ignored" in result.stderr and f"{LAST - 1}/{LAST - 1}" in result.stdout, "a torn last frame")
    Glb(os.path.join(torn, "run.glb"))
    refused(command, ["export", torn, "--to", "ply", "--frames", ":8"], 2, "this run has frames 0 to 7")
    refused(command, ["export", with_bytes("head", whole[:20]), "--to", "glb"], 2, "not a run file")
    refused(command, ["export", with_bytes("model", whole[:1000]), "--to", "csv"], 2, "before its first frame")
    for kind in (b"FRAM", b"STEP"):
        for in_header in (False, True):
            flipped = bytearray(whole)
            flipped[chunk_of(whole, kind, 3) + (20 if in_header else 50)] ^= 0x40
            place = with_bytes(f"flipped-{kind.decode()}-{in_header}", bytes(flipped))
            around_damage(command, place)
    gone = bytearray(whole)
    for frame in range(LAST + 1):
        gone[chunk_of(whole, b"FRAM", frame) + 50] ^= 1
    refused(command, ["export", with_bytes("gone", bytes(gone)), "--to", "csv"], 2, "all frames asked for are damaged")


def chunk_of(data, kind, frame):
    """Where a chunk's header begins (docs/reference/run-file.md)."""
    at = 32
    while at < len(data):
        found, _, index, _, stored = struct.unpack_from("<4sIqQQ", data, at)
        if (found, index) == (kind, frame):
            return at
        at += 40 + stored
    raise ValueError(f"no {kind} of frame {frame}")


def around_damage(command, place):
    check("damaged frames: 3;" in done(command, "info", place).stdout, "info does not name the damaged frame")
    small = ["render", *(word for name in ("width=32", "height=32", "samples=1")
                         for word in ("--set", "output.render." + name))]
    for words, names in ((["export", "--to", "csv"], "csv/elements_{:06}.csv"),
                         (["export", "--to", "xyz"], "xyz/elements_{:06}.xyz"), (small, "frames/frame_{:06}.png"),
                         (["export", "--to", "vtk"], "vtk/surface_{:06}.vtp")):
        result = sherd(command, words[0], place, *words[1:], "--quiet")
        check(result.returncode == 1 and "frames 3 of the run file are damaged" in result.stderr, result.stderr)
        there = {k for k in range(LAST + 1) if os.path.exists(os.path.join(place, names.format(k)))}
        check(there == set(range(LAST + 1)) - {3}, f"{words}: {there}")
    for kind in ("glb", "obj-pc2"):
        result = sherd(command, "export", place, "--to", kind)
        check(result.returncode == 1 and "frames 3" in result.stderr, result.stderr)
    Glb(os.path.join(place, "run.glb"))
    refused(command, ["export", place, "--to", "csv", "--frames", "3"], 2, "all frames asked for are damaged")
    check(sherd(command, "export", place, "--to", "csv", "--frames", "1:2").returncode == 0, "undamaged frames")


def hostile_places(command, run, folder):
    blocker = os.path.join(folder, "blocker")
    open(blocker, "w").close()
    for kind in ("glb", "vtk", "ply", "csv", "xyz"):
        refused(command, ["export", run, "--to", kind, "-o", blocker + "/out"], 1, "Not a directory")
    refused(command, ["export", run, "--to", "glb", "-o", folder + "/none/x.glb"], 1, "No such file or directory")

    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

    before = read(os.path.join(run, "run.glb"))
    for kind in ("glb", "vtk", "ply", "csv", "xyz"):
        refused(command, ["export", run, "--to", kind], 1, "can't write", "and export again", preexec_fn=small_files)
    check(read(os.path.join(run, "run.glb")) == before, "a failed export spoils the former animation")
    check(part_files(folder) == [], "half-written files stay behind")


NAILS = """
sherd: 1
name: nails
duration: 1 ms
output: {{frame_rate: 1 kHz, meshes: [glb], render: {{enabled: false}}}}
materials:
  m: {{density: 2000, youngs_modulus: 10 MPa, poissons_ratio: 0.25, unbreakable: true}}
bodies:
  - {{name: b, shape: {{box: [4 mm, 4 mm, 4 mm]}}, packing: {{cubic: {{radius: 1 mm}}}}, material: m, position: [0, 0, 9 mm]}}
obstacles:
  - {{name: large, sphere: 2 mm, position: [0, 0, -9 mm]}}
  - {{name: blue, sphere: 1 mm, position: [0, 0, -3 mm], color: [0, 0, 1]}}
  - {{name: materials, sphere: 1 mm, position: [0, 0, -6 mm], color: [0, 1, 1]}}
  - {{name: mesh_1, sphere: 1 mm, position: [0, 0, -9 mm], color: [1, 0, 1]}}
{}
"""


def equal_obstacles(command, folder):
    """Obstacles that look the same share a mesh and its material, in .glb and .usda."""
    sizes = {}
    for count in (4, 104):
        scene, run = os.path.join(folder, f"nails{count}.yaml"), os.path.join(folder, f"nails{count}")
        nails = "\n".join(f"  - {{name: n{k}, sphere: 1 mm, position: [{3 * k} mm, 0, 0]}}" for k in range(count))
        with open(scene, "w") as file:
            file.write(NAILS.format(nails))
        done(command, "run", scene, "-o", run, "--quiet")
        done(command, "export", run, "--to", "usda", "--quiet")
        glb = Glb(os.path.join(run, "run.glb"))
        meshes = {node["name"]: node["mesh"] for _, node in glb.pieces()}
        shared = {meshes[f"n{k}"] for k in range(count)}
        check(len(shared) == 1 and len(glb.document["meshes"]) == 6, f"nails have the meshes {shared}")
        check(len({meshes["b at 0"], meshes["large"], meshes["blue"], *shared}) == 4, "unlike things share a mesh")
        for index, node in glb.pieces():
            if node["name"].startswith("n"):
                want = struct.unpack("<f", struct.pack("<f", 3e-3 * int(node["name"][1:])))[0]
                check(abs(node["translation"][0] - want) < 1e-9, f"{node['name']} is elsewhere")
        pieces = usda.read_usda(read(os.path.join(run, "run.usda")).decode("ascii"))[1]
        check({"materials_piece_3", "mesh_1_piece_4"} < set(pieces), f"usda: {sorted(pieces)[:6]}")
        heirs = {pieces[f"n{k}"].metadata["inherits"] for k in range(count)}
        check(len(heirs) == 1 and "inherits" not in pieces["blue"].metadata, "usda: nails inherit from " + str(heirs))
        sizes[count] = [os.path.getsize(os.path.join(run, name)) for name in ("run.glb", "run.usda")]
    each = [(many - few) / 100 for few, many in zip(sizes[4], sizes[104])]
    check(all(size < 1000 for size in each), f"another nail takes {each} bytes of glb and usda")


CRUMBS = """
sherd: 1
name: crumbs
duration: 1 ms
output: {{frame_rate: 1 kHz, meshes: [glb], render: {{enabled: false}}}}
materials:
  m: {{density: 2000, youngs_modulus: 10 MPa, poissons_ratio: 0.25, tensile_strength: 1 MPa, shear_strength: 1 MPa}}
bodies:
  - {{name: b, shape: {{box: [{0} mm, 40 mm, {1} mm]}}, packing: {{cubic: {{radius: 1 mm}}}}, material: m,
     weakness: [{{strength: 0, voronoi: {{size: {2} mm, seed: 2}}}}]}}
"""


def crushed_to(command, folder, box, cell, triangles_between):
    """Returns how many pieces there are. The file is compact, and has between so many triangles."""
    scene, run = os.path.join(folder, "crumbs.yaml"), os.path.join(folder, f"crumbs{cell}")
    with open(scene, "w") as file:
        file.write(CRUMBS.format(*box, cell))
    done(command, "run", scene, "-o", run, "--quiet", "--frames", "0")
    data = read(os.path.join(run, "run.glb"))
    size = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20:20 + size])
    triangles = sum(document["accessors"][p["indices"]]["count"] // 3
                    for m in document["meshes"] for p in m["primitives"])
    least, most = triangles_between
    check(least < triangles < most, f"crumbs have {triangles} triangles")
    check(document["extensionsRequired"] == ["KHR_mesh_quantization"], "many triangles, and not compact")
    check(len(data) < 50 * triangles, f"{len(data) / triangles} bytes a triangle")
    return len(document["meshes"])


def crushed(command, folder):
    """A body in 10,000 chips, and one in 1,000 of several elements: coarser cells, and none is lost."""
    check(crushed_to(command, folder, (50, 40), 0.4, (1e6, 2.4e6)) == 10000, "crumbs are lost")
    # With cells of a radius, as few pieces have, these have a million triangles.
    pieces = crushed_to(command, folder, (46, 20), 3.3, (4e5, 7e5))
    check(700 < pieces < 1400, f"{pieces} crumbs")


def main():
    command = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "tiny.yaml")
        with open(scene, "w") as file:
            file.write(SCENE)
        run = os.path.join(folder, "run")
        told = done(command, "run", scene, "-o", run, "-j", "2").stdout
        check("run.glb: " in told and "vtk/" in told, "what was written is not told")
        equal_obstacles(command, folder)
        crushed(command, folder)
        elements = int(re.search(r"tiny: (\d+) elements", told).group(1))
        tables = formats(command, run, folder, elements)
        exports_again(command, run, folder, tables)
        stopped_and_resumed(command, scene, run, folder)
        wrong_usage(command, scene, run, folder)
        damaged_runs(command, run, folder)
        bonds_of_former_versions(command, folder)
        hostile_places(command, run, folder)
        shutil.rmtree(run)
    print("all as it should be")


if __name__ == "__main__":
    main()
