#!/usr/bin/env python3
"""Reads an OBJ, its MTL and a PC2 point cache as another program would, and checks every number.

usage: check_obj_pc2.py FILE.obj FILE.pc2

Prints "vertices N triangles N groups N materials N textures N frames N".
"""
import math
import os
import struct
import sys


def require(condition, message):
    if not condition:
        print(f"{sys.argv[1]}: {message}")
        sys.exit(1)


def read_materials(path):
    names = []
    with open(path) as file:
        for line in file:
            words = line.split()
            if words[:1] == ["newmtl"]:
                names.append(words[1])
            elif words[:1] == ["Kd"]:
                require(all(0 <= float(x) <= 1 for x in words[1:4]) and len(words) == 4, "Kd " + line)
    require(len(set(names)) == len(names), "two materials of one name")
    return names


class Obj:
    def __init__(self, path):
        self.vertices, self.textures, self.faces, self.groups = [], [], [], {}
        self.used = set()
        self.materials = None
        group = None
        with open(path) as file:
            for line in file:
                words = line.split()
                key = words[0] if words else "#"
                if key == "v":
                    self.vertices.append(tuple(float(x) for x in words[1:]))
                elif key == "vt":
                    self.textures.append(tuple(float(x) for x in words[1:]))
                elif key == "g":
                    require(len(words) == 2, "a group has one name")
                    group = words[1]
                    require(group not in self.groups, "two groups " + group)
                    self.groups[group] = []
                elif key == "mtllib":
                    self.materials = read_materials(os.path.join(os.path.dirname(path), words[1]))
                elif key == "usemtl":
                    require(words[1] in self.materials, "no material " + words[1])
                    self.used.add(words[1])
                elif key == "f":
                    self.face(words[1:], group)
                else:
                    require(key in ("#", "o", "s"), "unknown line " + line)
        require(all(len(v) == 3 and all(map(math.isfinite, v)) for v in self.vertices), "a vertex is no number")
        require(all(len(t) == 2 and all(map(math.isfinite, t)) for t in self.textures), "a vt is no number")

    def face(self, words, group):
        require(len(words) == 3, "not a triangle")
        corners = []
        for word in words:
            parts = [int(x) for x in word.split("/")]
            require(1 <= parts[0] <= len(self.vertices), "a face uses a vertex that is not there")
            if len(parts) > 1:
                require(1 <= parts[1] <= len(self.textures), "a face uses a vt that is not there")
            corners.append(parts[0] - 1)
        require(len(set(corners)) == 3, "a face uses a vertex twice")
        self.groups[group].append(tuple(corners))
        self.faces.append(tuple(corners))

    def check_closed(self):
        """Fragments are closed surfaces: every edge is used once in either direction."""
        for name, faces in self.groups.items():
            edges = set()
            for a, b, c in faces:
                for edge in ((a, b), (b, c), (c, a)):
                    require(edge not in edges, f"{name}: an edge is used twice in one direction")
                    edges.add(edge)
            require(all((b, a) in edges for a, b in edges), name + " is open")


def read_cache(path):
    with open(path, "rb") as file:
        data = file.read()
    magic, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
    require(magic == b"POINTCACHE2\0" and version == 1, "not a point cache 2")
    require((start, rate) == (1.0, 1.0), "a sample for every frame from the first on")
    require(len(data) == 32 + 12 * points * samples, "the size of the cache")
    return points, [struct.unpack_from(f"<{3 * points}f", data, 32 + 12 * points * k) for k in range(samples)]


def main():
    obj = Obj(sys.argv[1])
    obj.check_closed()
    points, frames = read_cache(sys.argv[2])
    require(points == len(obj.vertices), "the cache has other points than the mesh")
    for k, frame in enumerate(frames):
        require(all(map(math.isfinite, frame)), f"a point of frame {k} is no number")
    flat = [x for v in obj.vertices for x in v]
    as_floats = struct.unpack(f"<{len(flat)}f", struct.pack(f"<{len(flat)}f", *flat))
    require(as_floats == frames[0], "the mesh differs from the first frame of the cache")
    print(f"vertices {points} triangles {len(obj.faces)} groups {len(obj.groups)} materials {len(obj.used)} "
          f"textures {len(obj.textures)} frames {len(frames)}")


if __name__ == "__main__":
    main()
