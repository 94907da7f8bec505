#!/usr/bin/env python3
"""Checks a .glb file against the glTF 2.0 rules that matter for what Sherd writes.

    check_glb.py FILE [shown]    prints a summary; exit status 1 with a message at the first fault

`shown`: before that when which piece is shown, in frames of 1/24 s.
"""
import json
import math
import struct
import sys

COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
FORMATS = {5126: "f", 5125: "I", 5123: "H"}


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
                require(abs(math.hypot(*normal) - 1) < 1e-5, f"normal {normal} is not unit")
            indices = [row[0] for row in values[primitive["indices"]]]
            require(len(indices) % 3 == 0 and max(indices) < count, "wrong indices")
            wide = document["accessors"][primitive["indices"]]["componentType"] == 5125
            require(wide == (count > 65535), "indices of the wrong width")
            require(0 <= primitive["material"] < len(document["materials"]), "no such material")
            triangles += len(indices) // 3
    return triangles


def check_extensions(document):
    used = {name for material in document["materials"] for name in material.get("extensions", {})}
    require(used == set(document.get("extensionsUsed", [])), "extensions used and not told, or told and not used")
    for material in document["materials"]:
        factor = material.get("extensions", {}).get("KHR_materials_transmission", {}).get("transmissionFactor", 1)
        require(0 < factor <= 1, "transmission is not between 0 and 1")
    require("extensionsRequired" not in document, "readers must be free to leave an extension out")


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


def main():
    with open(sys.argv[1], "rb") as file:
        document, binary = read_chunks(file.read())
    require(document["asset"]["version"] == "2.0", "asset version")
    values = read_accessors(document, binary)
    triangles = check_meshes(document, values)
    check_nodes(document)
    check_extensions(document)
    channels = check_animations(document, values)
    if sys.argv[2:] == ["shown"]:
        print_shown(document, values)
    print(f"nodes {len(document['nodes'])} meshes {len(document['meshes'])} "
          f"triangles {triangles} channels {channels}")


main()
