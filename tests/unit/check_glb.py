#!/usr/bin/env python3
"""Checks a .glb file against the glTF 2.0 rules that matter for what Sherd writes.

    check_glb.py FILE [shown | keys | like OTHER]    prints a summary; exit status 1 with a message at the first fault

`shown`: before that when which piece is shown, in frames of 1/24 s; `keys`: frames and heights of its places. `like`: the file is compact, and shows what OTHER
shows within the bounds of src/animation/animation.h.
"""
import json
import math
import struct
import sys

COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
FORMATS = {5126: "f", 5125: "I", 5123: "H", 5122: "h", 5120: "b"}
LARGEST = {5123: 65535, 5122: 32767, 5120: 127}  # of what is normalized


def require(condition, message):
    if not condition:
        sys.exit("check_glb: " + message)


def read_chunks(data):
    magic, version, length = struct.unpack_from("<4sII", data)
    require(magic == b"glTF" and version == 2, "not a glTF 2.0 binary")
    require(length == len(data) and length % 4 == 0, "wrong length in the header")
    size, kind = struct.unpack_from("<I4s", data, 12)
    require(kind == b"JSON" and size % 4 == 0, "the first chunk is not JSON")
    document = json.loads(data[20:20 + size])
    at = 20 + size
    binary_size, kind = struct.unpack_from("<I4s", data, at)
    require(kind == b"BIN\0" and binary_size % 4 == 0, "the second chunk is not binary")
    require(at + 8 + binary_size == len(data), "bytes after the binary chunk")
    return document, data[at + 8:]


def read_accessors(document, binary):
    """Values of every accessor as a list of tuples, after checking where they lie."""
    require(document["buffers"][0]["byteLength"] <= len(binary), "the buffer is too short")
    for view in document["bufferViews"]:
        require(view["byteLength"] > 0, "empty buffer view")
        require(view["byteOffset"] + view["byteLength"] <= len(binary), "view outside the buffer")
    values = []
    for k, accessor in enumerate(document["accessors"]):
        view = document["bufferViews"][accessor["bufferView"]]
        components = COMPONENTS[accessor["type"]]
        form = "<" + FORMATS[accessor["componentType"]] * components
        item = struct.calcsize(form)
        stride = view.get("byteStride", item)
        require(stride >= item and (stride % 4 == 0 or "byteStride" not in view),
                f"accessor {k}: stride {stride}")
        require(accessor["count"] >= 1, f"accessor {k} is empty")
        require((view["byteOffset"] + accessor["byteOffset"]) % 4 == 0, f"accessor {k}: alignment")
        end = accessor["byteOffset"] + stride * (accessor["count"] - 1) + item
        require(end <= view["byteLength"], f"accessor {k} leaves its view")
        start = view["byteOffset"] + accessor["byteOffset"]
        rows = [struct.unpack_from(form, binary, start + stride * i)
                for i in range(accessor["count"])]
        for row in rows:
            require(all(math.isfinite(x) for x in row), f"accessor {k}: not finite")
        if "min" in accessor:
            as_float = [struct.unpack("f", struct.pack("f", x))[0]
                        for x in accessor["min"] + accessor["max"]]
            low = [min(c) for c in zip(*rows)]
            high = [max(c) for c in zip(*rows)]
            require(low + high == as_float, f"accessor {k}: min or max differ from the data")
        if accessor.get("normalized"):
            largest = LARGEST[accessor["componentType"]]
            rows = [tuple(max(x / largest, -1) for x in row) for row in rows]
        values.append(rows)
    return values


def check_meshes(document, values):
    triangles = 0
    for mesh in document["meshes"]:
        require(len(mesh["primitives"]) >= 1, "mesh without primitives")
        for primitive in mesh["primitives"]:
            attributes = primitive["attributes"]
            count = len(values[attributes["POSITION"]])
            require("min" in document["accessors"][attributes["POSITION"]], "POSITION without min")
            for name, index in attributes.items():
                require(len(values[index]) == count, f"{name}: another count than POSITION")
                require("byteStride" in document["bufferViews"][
                    document["accessors"][index]["bufferView"]], f"{name}: no stride")
            for normal in values[attributes["NORMAL"]]:
                off = 0.01 if "extensionsRequired" in document else 1e-5  # of three numbers of 8 bits
                require(abs(math.hypot(*normal) - 1) < off, f"normal {normal} is not unit")
            indices = [row[0] for row in values[primitive["indices"]]]
            require(len(indices) % 3 == 0 and max(indices) < count, "wrong indices")
            wide = document["accessors"][primitive["indices"]]["componentType"] == 5125
            require(wide == (count > 65535), "indices of the wrong width")
            require(0 <= primitive["material"] < len(document["materials"]), "no such material")
            triangles += len(indices) // 3
    return triangles


def check_extensions(document):
    used = {name for material in document["materials"] for name in material.get("extensions", {})}
    small = any(document["accessors"][primitive["attributes"]["POSITION"]]["componentType"] != 5126
                for mesh in document["meshes"] for primitive in mesh["primitives"])
    used |= {"KHR_mesh_quantization"} if small else set()
    require(used == set(document.get("extensionsUsed", [])), "extensions used and not told, or told and not used")
    for material in document["materials"]:
        factor = material.get("extensions", {}).get("KHR_materials_transmission", {}).get("transmissionFactor", 1)
        require(0 < factor <= 1, "transmission is not between 0 and 1")
    require(document.get("extensionsRequired", []) == (["KHR_mesh_quantization"] if small else []),
            "readers must be free to leave any other extension out")


def check_nodes(document):
    require(document["scenes"][document["scene"]]["nodes"] == [0], "the scene is not node 0")
    require(sorted(document["nodes"][0]["children"]) == list(range(1, len(document["nodes"]))),
            "the root's children are not the other nodes")
    for node in document["nodes"]:
        require(abs(math.hypot(*node["rotation"]) - 1) < 1e-5, "rotation is not unit")
        if "mesh" in node:
            require(0 <= node["mesh"] < len(document["meshes"]), "no such mesh")
            require("fragment" in node["extras"], "no fragment in extras")


def check_animations(document, values):
    channels = 0
    for animation in document.get("animations", []):
        targets = set()
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            target = (channel["target"]["node"], channel["target"]["path"])
            require(target not in targets, f"two channels for {target}")
            targets.add(target)
            require(0 < target[0] < len(document["nodes"]), "no such node")
            times = [row[0] for row in values[sampler["input"]]]
            require("min" in document["accessors"][sampler["input"]], "times without min")
            require(times[0] >= 0 and all(a < b for a, b in zip(times, times[1:])),
                    "times do not ascend")
            output = values[sampler["output"]]
            require(len(output) == len(times), "as many values as times")
            if target[1] == "rotation":
                for a in output:
                    require(abs(math.hypot(*a) - 1) < 1e-5, "rotation is not unit")
                for a, b in zip(output, output[1:]):
                    require(sum(x * y for x, y in zip(a, b)) >= 0, "rotation turns the long way")
            else:
                require(len(output[0]) == 3, "not a vector")
            channels += 1
    return channels


def print_shown(document, values):
    """Of every node that has not the same scale all the time: when it takes which."""
    for animation in document.get("animations", []):
        for channel in animation["channels"]:
            if channel["target"]["path"] != "scale":
                continue
            sampler, node = animation["samplers"][channel["sampler"]], document["nodes"][channel["target"]["node"]]
            require(sampler["interpolation"] == "STEP", "pieces grow")
            keys = zip(values[sampler["input"]], values[sampler["output"]])
            print(f"fragment {node['extras']['fragment']} begins as {node['scale'][0]:g}:",
                  ", ".join(f"{scale[0]:g} from {24 * time[0]:g}" for time, scale in keys))


def corners(document, values, node, name):
    """An attribute at the corners of a node's triangles, of each primitive; None: it has none."""
    for primitive in document["meshes"][node["mesh"]]["primitives"]:
        of = primitive["attributes"].get(name)
        yield None if of is None else [values[of][row[0]] for row in values[primitive["indices"]]]


def scale_of(document, values, k):
    """The scale of a node while it is there."""
    for channel in document.get("animations", [{"channels": []}])[0]["channels"]:
        if channel["target"] == {"node": k, "path": "scale"}:
            return max(row[0] for row in values[document["animations"][0]["samplers"][channel["sampler"]]["output"]])
    return document["nodes"][k]["scale"][0]


def check_like(new, old):
    """Nodes of two files show the same, each (document, values), the first a compact one."""
    require(len(new[0]["nodes"]) == len(old[0]["nodes"]), "other nodes")
    for k, (node, other) in enumerate(zip(new[0]["nodes"], old[0]["nodes"])):
        if "mesh" not in node:
            continue
        scale, plain = scale_of(*new, k), scale_of(*old, k)
        meant = list(corners(*old, other, "POSITION"))
        reach = max(abs(x) for rows in meant for row in rows for x in row) * plain
        for rows, wanted in zip(corners(*new, node, "POSITION"), meant, strict=True):
            for row, want in zip(rows, wanted, strict=True):
                require(max(abs(scale * x - plain * y) for x, y in zip(row, want)) <= 1.6e-5 * reach, "positions")
        for name, off in (("NORMAL", math.radians(0.4)), ("COLOR_0", 1.4e-5)):
            for rows, wanted in zip(corners(*new, node, name), corners(*old, other, name), strict=True):
                require((rows is None) == (wanted is None), name)
                for row, want in zip(rows or [], wanted or [], strict=True):
                    require(math.dist(row, want) <= off, f"{name}: {row} for {want}")
        for rows, wanted in zip(corners(*new, node, "TEXCOORD_0"), corners(*old, other, "TEXCOORD_0"), strict=True):
            whole = [round(y - x) for x, y in zip(rows[0], wanted[0])]
            for row, want in zip(rows, wanted, strict=True):
                require(all(abs(x + n - y) <= 1.6e-5 for x, n, y in zip(row, whole, want)), "texture coordinates")


def read(path):
    with open(path, "rb") as file:
        return read_chunks(file.read())


def print_keys(document, values):
    for channel in document["animations"][0]["channels"]:
        if channel["target"]["path"] == "translation":
            sampler = document["animations"][0]["samplers"][channel["sampler"]]
            keys = zip(values[sampler["input"]], values[sampler["output"]])
            print(f"node {channel['target']['node']}:", ", ".join(f"{place[2]:g} at {24 * t[0]:g}" for t, place in keys))


def main():
    document, binary = read(sys.argv[1])
    require(document["asset"]["version"] == "2.0", "asset version")
    values = read_accessors(document, binary)
    triangles = check_meshes(document, values)
    check_nodes(document)
    check_extensions(document)
    channels = check_animations(document, values)
    if sys.argv[2:] == ["shown"]:
        print_shown(document, values)
    if sys.argv[2:] == ["keys"]:
        print_keys(document, values)
    if sys.argv[2:3] == ["like"]:
        other = read(sys.argv[3])
        check_like((document, values), (other[0], read_accessors(*other)))
    print(f"nodes {len(document['nodes'])} meshes {len(document['meshes'])} "
          f"triangles {triangles} channels {channels}")


main()
