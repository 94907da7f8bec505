"""Writes scene files and their meshes. Plain Python.

Meshes are files beside the scene, in metres from the object's origin, so that `position`, `velocity` and
`angular_velocity` in the scene are those of the origin.
"""
import math
import os
import re
import struct
from array import array

NAME_LENGTH = 64


def name_of(text, taken):
    """A name that scenes allow and nobody has yet; `taken` grows by it."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-")
    if not name or not name[0].isalpha():
        name = "o-" + name if name else "object"
    name, k = name[:NAME_LENGTH], 2
    while name in taken:
        name = f"{name[:NAME_LENGTH - 6].rstrip('-')}-{k}" if k == 2 else re.sub(r"-\d+$", f"-{k}", name)
        k += 1
    taken.add(name)
    return name


def number(value):
    """As YAML and Sherd read it back exactly, as short as a float allows."""
    if not math.isfinite(value):
        raise ValueError(f"{value} is no number for a scene")
    for digits in range(6, 18):
        text = f"{value:.{digits}g}"
        if float(text) == value or digits == 17:
            return text
    return repr(value)


ROUNDED = 1.5e-7  # what Blender's floats of 32 bits, and a product of two, are off by at most, as a share


def short(value):
    """A value of Blender's: 0.02, not 0.0199999996."""
    for digits in range(6, 9):
        text = f"{value:.{digits}g}"
        if abs(float(text) - value) <= ROUNDED * abs(value):
            return number(float(text))
    return number(value)


def vector(values):
    return "[" + ", ".join(short(v) for v in values) + "]"


def flow(pairs):
    """A map in braces; values are texts already."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"


def quoted(text):
    """A text in double quotes, as YAML reads it back."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def write_ply(path, vertices, triangles, texture=None):
    """Binary PLY: x, y, z of vertices, corners of triangles, u, v of corners."""
    faces, width = len(triangles) // 3, 13 if texture is None else 38
    body = bytearray(width * faces)
    for t in range(faces):
        struct.pack_into("<Biii", body, width * t, 3, *triangles[3 * t:3 * t + 3])
        if texture is not None:
            struct.pack_into("<B6f", body, width * t + 13, 6, *texture[6 * t:6 * t + 6])
    extra = "" if texture is None else "property list uchar float texcoord\n"
    head = ("ply\nformat binary_little_endian 1.0\ncomment for Sherd, in metres\n"
            f"element vertex {len(vertices) // 3}\nproperty float x\nproperty float y\nproperty float z\n"
            f"element face {faces}\nproperty list uchar int vertex_indices\n{extra}end_header\n")
    part = path + ".part"
    with open(part, "wb") as file:
        file.write(head.encode())
        file.write(array("f", vertices).tobytes())
        file.write(body)
    os.replace(part, path)


def plane_of(vertices, normal, within=1e-5):
    """(point, normal) when all vertices lie in the plane through the first; else None. `within`: of the extent."""
    points = [vertices[k:k + 3] for k in range(0, len(vertices), 3)]
    if len(points) < 3:
        return None
    middle = [sum(p[c] for p in points) / len(points) for c in range(3)]
    extent = max(math.dist(p, middle) for p in points)
    length = math.hypot(*normal)
    if length == 0.0 or extent == 0.0:
        return None
    unit = [c / length for c in normal]
    heights = [sum((p[c] - middle[c]) * unit[c] for c in range(3)) for p in points]
    return (middle, unit) if max(map(abs, heights)) <= within * extent else None


class Material:
    """Numbers in SI; what is None is left to Sherd's defaults."""

    def __init__(self, **values):
        self.values = tuple(sorted((k, v) for k, v in values.items() if v is not None))

    def text(self):
        return flow((key, value if isinstance(value, str) else ("true" if value else "false")
                     if isinstance(value, bool) else vector(value) if isinstance(value, (tuple, list))
                     else short(value)) for key, value in self.values)


class Scene:
    """Bodies and obstacles on their way into a file."""

    def __init__(self, name, duration_s, frame_rate_hz, gravity):
        self.name, self.duration_s, self.frame_rate_hz, self.gravity = name, duration_s, frame_rate_hz, gravity
        self.names, self.materials, self.bodies, self.obstacles = set(), {}, [], []
        self.stress = True

    def material(self, material, name):
        """The name of a material; equal ones are one."""
        if material.values not in self.materials:
            taken = set(self.materials.values())
            self.materials[material.values] = name_of(name, taken)
        return self.materials[material.values]

    def add_body(self, name, mesh, packing, material, position, velocity=(0, 0, 0), spin=(0, 0, 0), loose=False):
        pairs = [("name", name), ("shape", flow([("mesh", flow([("file", quoted(mesh))]))])), ("packing", packing),
                 ("material", material), ("position", vector(position))]
        if loose:
            pairs.append(("loose", "true"))
        if any(velocity):
            pairs.append(("velocity", vector(velocity)))
        if any(spin):
            pairs.append(("angular_velocity", vector(spin)))
        self.bodies.append(pairs)

    def add_plane(self, name, point, normal, friction=None, color=None):
        plane = flow([("point", vector(point)), ("normal", vector(normal))])
        self._add_obstacle([("name", name), ("plane", plane)], friction, color)

    def add_obstacle(self, name, mesh, position, friction=None, color=None, free=None, motion=None):
        """`free`: pairs of its map; `motion`: rows (time_s, translation_m, rotation vector)."""
        pairs = [("name", name), ("mesh", flow([("file", quoted(mesh))])), ("position", vector(position))]
        if free:
            pairs.append(("free", flow(free)))
        if motion:
            rows = [flow([("time", number(t)), ("translation", vector(x)), ("rotation", vector(r))])
                    for t, x, r in motion]
            pairs.append(("motion", "\n      table:\n" + "\n".join(f"        - {row}" for row in rows)))
        self._add_obstacle(pairs, friction, color)

    def _add_obstacle(self, pairs, friction, color):
        if friction is not None:
            pairs.append(("friction", short(friction)))
        if color is not None:
            pairs.append(("color", vector(color)))
        self.obstacles.append(pairs)

    def text(self):
        lines = ["# Written by Sherd's Blender add-on; the next export writes it anew.", "sherd: 1",
                 f"name: {self.name}", f"duration: {short(self.duration_s)}", f"gravity: {vector(self.gravity)}",
                 f"output: {{frame_rate: {short(self.frame_rate_hz)}, meshes: [], render: false, "
                 f"stress: {'true' if self.stress else 'false'}}}", "materials:"]
        lines += [f"  {name}: {Material(**dict(values)).text()}" for values, name in self.materials.items()]
        for title, rows in (("bodies", self.bodies), ("obstacles", self.obstacles)):
            if rows:
                lines += [f"{title}:"] + [_item(pairs) for pairs in rows]
        return "\n".join(lines) + "\n"

    def write(self, path):
        with open(path + ".part", "w", encoding="utf-8") as file:
            file.write(self.text())
        os.replace(path + ".part", path)


def _item(pairs):
    """An item of a list; values that begin a line of their own have no space before."""
    lines = [f"{key}:{value}" if value.startswith("\n") else f"{key}: {value}" for key, value in pairs]
    return "  - " + "\n    ".join(lines)
