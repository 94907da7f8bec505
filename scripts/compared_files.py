"""Where two files that a run wrote differ: file, then mesh, frame or section, row and column, and both values.

difference(old, new) reads tables and texts by lines, everything else into numbers by name:

    {"mesh 3 'plate 12' primitive 0 POSITION": Rows("3f", ["x", "y", "z"], bytes), ...}

so that data that lie elsewhere in a file, or in another order, are no difference. Left out are versions, the
machine and times passed. Layouts are those of docs/reference/run-file.md. Files are read only where their bytes differ.
"""
import base64
import ctypes
import ctypes.util
import html
import itertools
import json
import math
import os
import re
import struct
import subprocess
import zlib

PASSED = {"wall", "wall_s", "planned", "frames_planned"}  # time passed; how many frames a run was asked for
WRITER = {"version", "machine", "sherd", "generator"}
AXES = {3: "xyz", 4: "xyzw"}


class Rows:
    """Numbers of one column, or of the columns of a table: rows of a `struct` layout, columns by name."""

    def __init__(self, layout, names, data, place=lambda row: f"row {row}"):
        self.layout, self.names, self.data, self.place = "<" + layout, names, bytes(data), place

    def named(self):
        return f"{', '.join(self.names)} of {self.layout[1:]}"

    def difference(self, other):
        """None, or where the first difference is."""
        if (self.layout, self.names) != (other.layout, other.names):
            return f"has columns {self.named()}, then {other.named()}"
        if self.data == other.data:
            return None
        size = struct.calcsize(self.layout)
        row = first_byte(self.data, other.data) // size
        if len(self.data) != len(other.data) and (row + 1) * size > min(len(self.data), len(other.data)):
            return f"has {len(self.data) // size} rows, then {len(other.data) // size}, the first ones alike"
        values = [struct.unpack_from(self.layout, each.data, row * size) for each in (self, other)]
        column = next(k for k, (a, b) in enumerate(zip(*values)) if not same(a, b))
        name = f" {self.names[column]}" if self.names[column] else ""
        counts = "" if len(self.data) == len(other.data) else \
            f" ({len(self.data) // size} rows, then {len(other.data) // size})"
        return f"{self.place(row)}{name} is {values[0][column]!r}, then {values[1][column]!r}{counts}"


def same(a, b):
    """Bit for bit: 0 is not -0, what is no number is itself."""
    if isinstance(a, float) and isinstance(b, float):
        return struct.pack("<d", a) == struct.pack("<d", b)
    return a == b


def first_byte(a, b):
    """Where two different texts differ first: by halves, as comparing is quick and counting is not."""
    low, high = 0, min(len(a), len(b))
    if a[:high] == b[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle
    return low


def columns(count):
    return list(AXES.get(count, [""] if count == 1 else [str(k) for k in range(count)]))


def leaves(value, place, found, skipped=()):
    """Every number and word of a JSON text by its path."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        found[place] = value
        return
    found[place + " length"] = len(value)
    for key, item in items:
        if key not in skipped:
            leaves(item, f"{place}[{key}]" if isinstance(value, list) else f"{place}.{key}", found, skipped)


def by_name(old, new):
    """The first difference of {place: Rows or a word}, or None."""
    for place, a in old.items():
        if place not in new:
            return f"{place} is missing in NEW"
        b = new[place]
        found = a.difference(b) if isinstance(a, Rows) and isinstance(b, Rows) else \
            None if type(a) is type(b) and same(a, b) else f"is {short(a)}, then {short(b)}"
        if found:
            return f"{place}: {found}"
    for place in new:
        if place not in old:
            return f"{place} is missing in OLD"
    return None


def short(value):
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


# ---------------------------------------------------------------- texts

def token_difference(a, b):
    """Which of a line's words differ first."""
    pattern = r"[^\s,;()\[\]{}<>=\"]+"
    was, now = re.findall(pattern, a), re.findall(pattern, b)
    for k, (x, y) in enumerate(zip(was, now)):
        if x != y:
            return f"item {k + 1} is {x}, then {y}"
    return f"is {short(a)}, then {short(b)}"


def lines_difference(old, new, place=lambda lines, k: f"line {k + 1}"):
    for k, (a, b) in enumerate(zip(old, new)):
        if a != b:
            return f"{place(old, k)}: {token_difference(a, b)}"
    return None if len(old) == len(new) else f"has {len(old)} lines, then {len(new)}, the first ones alike"


def text(data):
    return data.decode("utf-8", "surrogateescape").splitlines()


def texts(old, new):
    return lines_difference(text(old), text(new))


def tables(old, new):
    old, new = ([line.split(",") for line in text(data)] for data in (old, new))
    if not old or not new or old[0] != new[0]:
        return f"has columns {old[:1]}, then {new[:1]}"
    for k, (a, b) in enumerate(zip(old, new)):
        for name, x, y in zip(old[0], a, b):
            if x != y and name not in PASSED:
                return f"row {k}, {old[0][0]} {a[0]}: {name} is {x}, then {y}"
    return None if len(old) == len(new) else f"has {len(old) - 1} rows, then {len(new) - 1}, the first ones alike"


def prim(lines, number):
    """Path of the prim and the attribute of a line in a .usda."""
    path, waiting, attribute = [], None, ""
    for line in lines[:number + 1]:
        word = line.strip()
        begun = re.match(r'(?:def|over|class)\b.*?"([^"]*)"', word)
        if begun:
            waiting = begun[1]
        elif word == "{":
            path.append(waiting)
            waiting, attribute = None, ""
        elif word == "}" and line.startswith("    " * (len(path) - 1) + "}"):
            path.pop()
        elif " = " in word and not re.match(r"-?[\d.]+:", word):
            attribute = word.split(" = ")[0].split()[-1]
    sample = re.match(r"\s*(-?[\d.]+(?:e-?\d+)?):", lines[number])
    return f"/{'/'.join(map(str, path))} {attribute}" + (f" at {sample[1]}" if sample else "")


def usda(old, new):
    return lines_difference(text(old), text(new), lambda lines, k: f"line {k + 1}, {prim(lines, k)}")


def report(old, new):
    """A report by its tags, without how long the run took, and on what."""
    passed = rb'<dt>Computing time</dt><dd>[^<]*</dd>|<h2>Time</h2><figure class="chart">.*?</figure>\n?'
    old, new = (text(re.sub(rb"Sherd \d[\w.+-]*", b"Sherd", re.sub(passed, b"", data, flags=re.S)).replace(b"><", b">\n<"))
                for data in (old, new))
    return lines_difference(old, new)


# ---------------------------------------------------------------- meshes

COMPONENTS = {5120: "b", 5121: "B", 5122: "h", 5123: "H", 5125: "I", 5126: "f"}
COUNTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def glb(data):
    size = struct.unpack_from("<I", data, 12)[0]
    about, binary = json.loads(data[20:20 + size]), data[28 + size:]
    found = {}

    def bytes_of(view):
        at = view.get("byteOffset", 0)
        return binary[at:at + view["byteLength"]]

    def accessor(number):
        a = about["accessors"][number]
        layout = f"{COUNTS[a['type']]}{COMPONENTS[a['componentType']]}"
        view, row = about["bufferViews"][a["bufferView"]], struct.calcsize("<" + layout)
        stride, at = view.get("byteStride", row), a.get("byteOffset", 0)
        part = bytes_of(view)
        if stride == row:
            part = part[at:at + row * a["count"]]
        else:
            part = b"".join(part[k:k + row] for k in range(at, at + stride * a["count"], stride))
        return Rows(layout, columns(COUNTS[a["type"]]), part)

    for k, mesh in enumerate(about.pop("meshes", [])):
        for p, primitive in enumerate(mesh["primitives"]):
            place = f"mesh {k} {mesh.get('name', '')!r} primitive {p}"
            named = {**primitive.pop("attributes"), "indices": primitive.pop("indices", None)}
            for name, number in named.items():
                found[f"{place} {name}"] = None if number is None else accessor(number)
            leaves(primitive, place, found)
        found[f"mesh {k} name"] = mesh.get("name")
    for animation in about.pop("animations", []):
        for channel in animation["channels"]:
            node, path = channel["target"]["node"], channel["target"]["path"]
            sampler = animation["samplers"][channel["sampler"]]
            place = f"node {node} {about['nodes'][node].get('name', '')!r} {path}"
            found[f"{place} times"], found[place] = accessor(sampler["input"]), accessor(sampler["output"])
            found[f"{place} interpolation"] = sampler.get("interpolation")
    for k, image in enumerate(about.get("images", [])):
        if "bufferView" in image:
            found[f"image {k}"] = Rows("B", [""], bytes_of(about["bufferViews"][image.pop("bufferView")]))
    for part in ("accessors", "bufferViews", "buffers"):
        about.pop(part, None)
    leaves(about, "json", found, WRITER)
    return found


PLY = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I", "float": "f", "double": "d"}


def ply(data):
    end = data.index(b"end_header\n") + len(b"end_header\n")
    found, elements = {}, []
    for line in text(data[:end]):
        words = line.split()
        if words[0] == "element":
            elements.append((words[1], int(words[2]), [], []))
        elif words[0] == "property" and words[1] == "list":  # triangles alone are written
            elements[-1][2].append(PLY[words[2]] + "3" + PLY[words[3]])
            elements[-1][3].extend(["corners", *(f"{words[4]} {k}" for k in range(3))])
        elif words[0] == "property":
            elements[-1][2].append(PLY[words[1]])
            elements[-1][3].append(words[2])
    for name, count, layout, names in elements:
        size = struct.calcsize("<" + "".join(layout)) * count
        found[name] = Rows("".join(layout), names, data[end:end + size])
        end += size
    found["bytes behind"] = len(data) - end
    return found


VTK = {"Float64": "d", "Float32": "f", "Int32": "i", "UInt8": "B"}


def vtp(data):
    start = data.index(b'<AppendedData encoding="raw">') + len(b'<AppendedData encoding="raw">')
    start = data.index(b"_", start) + 1
    found, section = {}, ""
    for line in text(data[:start]):
        array = re.match(r'\s*<DataArray type="(\w+)" Name="([^"]*)" NumberOfComponents="(\d+)".* offset="(\d+)"/>', line)
        if array:
            count = int(array[3])
            layout = f"{count}{VTK[array[1]]}"
            found[f"{section} {html.unescape(array[2])}"] = \
                Rows(layout, columns(count), vtk_blocks(data, start + int(array[4])))
        else:
            opened = re.match(r"\s*<(\w+)>", line)
            section = opened[1] if opened else section
            if "/>" not in line and not opened:
                found.setdefault("head", []).append(line.strip())
    found["head"] = "\n".join(found.get("head", []))
    return found


def vtk_blocks(data, at):
    count = struct.unpack_from("<Q", data, at)[0]
    sizes = struct.unpack_from(f"<{count}Q", data, at + 24)
    at += 24 + 8 * count
    ends = list(itertools.accumulate(sizes, initial=at))
    return b"".join(zlib.decompress(data[a:b]) for a, b in zip(ends, ends[1:]))


def pc2(data):
    points, start, rate, samples = struct.unpack_from("<iffi", data, 16)
    return {"points": points, "start": start, "rate": rate, "samples": samples,
            "cache": Rows("3f", list("xyz"), data[32:],
                          lambda row: f"frame {row // max(points, 1)}, vertex {row % max(points, 1)}")}


# ---------------------------------------------------------------- pieces, page

SECTIONS = {"triangles": "i", "labels": "i", "kinds": "B"}  # others hold floats


def pieces(data):
    size = struct.unpack_from("<i", data, 12)[0]
    about, start, found = json.loads(data[16:16 + size]), (16 + size + 7) // 8 * 8, {}
    for name, (at, length) in about.pop("sections").items():
        found[name] = Rows(SECTIONS.get(name, "f"), [""], data[start + at:start + at + length])
    leaves(about, "json", found, WRITER | PASSED)
    return found


# Bytes of a number of the page's tracks; their layout is page_delta_encoding.c's. All else are words of 4 bytes, or bytes.
TRACKS = {"poses": 4, "vertices": 2, "sites": 4, "triangles": 4, "bends": 2, "points": 2, "speeds": 1, "stresses": 1}
FLOATS = {"obstacles", "dust", "balls", "shapes"}


def page(data):
    """The data of a page; its scripts and styles are the program's."""
    found = {}
    for name, packed in re.findall(rb'data-section="(\w+)">([^<]*)<', data):
        name, part = name.decode(), zlib.decompress(base64.b64decode(packed))
        if name == "about":
            leaves(json.loads(part), "about", found, WRITER | PASSED)
        elif name in TRACKS:
            width = TRACKS[name]
            found[name] = Rows({1: "B", 2: "H", 4: "I"}[width], ["as difference"], planes(part, width),
                               lambda row: f"number {row}")
        else:
            layout = "B" if len(part) % 4 or name == "kinds" else "f" if name in FLOATS else "i"
            found[name] = Rows(layout, [""], part, lambda row: f"number {row}")
    return found


def planes(data, width):
    """Numbers of byte planes, one after the other."""
    count, joined = len(data) // width, bytearray(len(data))
    for plane in range(width):
        joined[plane::width] = data[plane * count:(plane + 1) * count]
    return joined


# ---------------------------------------------------------------- pictures

def png(data):
    at, packed, found = 8, b"", {}
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        part = data[at + 8:at + 8 + size]
        if kind == b"IDAT":
            packed += part
        else:
            found[kind.decode()] = part
        at += size + 12
    width, height, depth, color = struct.unpack_from(">IIBB", found["IHDR"])
    names = {0: ["grey"], 2: list("rgb"), 4: ["grey", "a"], 6: list("rgba")}[color]
    row = width * len(names) * depth // 8
    pixels = unfiltered(zlib.decompress(packed), row, len(names) * depth // 8, height)
    if depth == 16:
        pixels = b"".join(pixels[k:k + 2][::-1] for k in range(0, len(pixels), 2))
    layout = ("H" if depth == 16 else "B") * len(names)
    found["pixels"] = Rows(layout, names, pixels, lambda k: f"x {k % width}, y {k // width}")
    return found


def unfiltered(data, row, size, height):
    above, out = bytearray(row), []
    for y in range(height):
        kind, line = data[y * (row + 1)], bytearray(data[y * (row + 1) + 1:(y + 1) * (row + 1)])
        for k in range(row if kind else 0):
            left, up, corner = (line[k - size], above[k], above[k - size]) if k >= size else (0, above[k], 0)
            line[k] = line[k] + (0, left, up, (left + up) // 2, paeth(left, up, corner))[kind] & 255
        out.append(line)
        above = line
    return b"".join(out)


def paeth(left, up, corner):
    guess = left + up - corner
    return min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]


EXR_TYPES = {0: ("I", 4), 1: ("e", 2), 2: ("f", 4)}


def exr(data):
    """Scan lines packed by 16 with zlib, as Sherd writes them."""
    at, found = 8, {}
    while data[at]:
        name, kind, rest = data[at:at + 600].split(b"\0", 1)[0], None, None
        at += len(name) + 1
        kind = data[at:data.index(b"\0", at)]
        at += len(kind) + 1
        size = struct.unpack_from("<i", data, at)[0]
        rest = data[at + 4:at + 4 + size]
        found["header " + name.decode()] = rest
        at += 4 + size
    listed, channels = found["header channels"], []
    while listed[:1] not in (b"", b"\0"):
        name = listed[:listed.index(b"\0")]
        channels.append((name.decode(), *EXR_TYPES[struct.unpack_from("<i", listed, len(name) + 1)[0]]))
        listed = listed[len(name) + 17:]
    x0, y0, x1, y1 = struct.unpack("<4i", found["header dataWindow"])
    width, height, at = x1 - x0 + 1, y1 - y0 + 1, at + 1
    whole = {name: b"" for name, _, _ in channels}
    for k in range(-(-height // 16)):
        place = struct.unpack_from("<Q", data, at + 8 * k)[0]
        size = struct.unpack_from("<i", data, place + 4)[0]
        rows = min(16, height - 16 * k)
        lines = unpacked_lines(data[place + 8:place + 8 + size], width * rows * sum(c[2] for c in channels))
        for _ in range(rows):
            for name, _, item in channels:
                whole[name] += lines[:width * item]
                lines = lines[width * item:]
    for name, layout, _ in channels:
        found[name] = Rows(layout, [""], whole[name], lambda row: f"x {row % width}, y {row // width}")
    return found


def unpacked_lines(stored, size):
    if len(stored) == size:
        return stored
    sums = bytes(itertools.accumulate(zlib.decompress(stored), lambda a, b: a + b - 128 & 255))
    half, joined = (size + 1) // 2, bytearray(size)
    joined[0::2], joined[1::2] = sums[:half], sums[half:]
    return bytes(joined)


# ---------------------------------------------------------------- run files, checkpoints

SCALARS = {1: "d", 2: "f", 3: "q", 4: "i", 5: "Q", 6: "I", 7: "H", 8: "B", 9: "B", 10: "B"}
STATE = b"SHRECORD"


def run_file(data):
    found, at, seen = {}, 32, {}
    while at + 40 <= len(data):
        kind, codec, frame, size, stored = struct.unpack_from("<4sIqQQ", data, at)
        part = data[at + 40:at + 40 + stored]
        place = kind.decode() + (f" {frame}" if frame >= 0 else "")
        record(unpacked(part, size) if codec == 1 else part, place, found)
        at += 40 + stored
        seen[place] = None
    found["chunks"] = " ".join(seen)
    return found


def unpacked(data, size):
    """zstd, by its library, else by its command."""
    name = ctypes.util.find_library("zstd")
    if name is None:
        return subprocess.run(["zstd", "-dc"], input=data, capture_output=True, check=True).stdout
    library = ctypes.CDLL(name)
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    out = ctypes.create_string_buffer(max(size, 1))
    if library.ZSTD_decompress(out, size, data, len(data)) != size:
        raise ValueError("a chunk is damaged")
    return out.raw[:size]


def record(data, place, found):
    """The columns of a section (base/record.h), those of the sections within it, of states within columns."""
    at, counted = 0, {}
    while at < len(data):
        kind, encoding, name_size, members, rows, size = struct.unpack_from("<BBHIQQ", data, at)
        name = data[at + 24:at + 24 + name_size].decode()
        at += 24 + name_size
        counted[name] = counted.get(name, 0) + 1
        where = f"{place}, {name}" + (f" [{counted[name]}]" if counted[name] > 1 else "")
        fields = []
        for _ in range(members):
            scalar, length, count = struct.unpack_from("<BBH", data, at)
            fields.append((data[at + 4:at + 4 + length].decode(), scalar, count))
            at += 4 + length
        part = data[at:at + size]
        at += size
        if kind == ord("S"):
            record(part, where, found)
        elif name not in PASSED | WRITER:
            column(where, fields, encoding, rows, part, found)


def column(where, fields, encoding, rows, data, found):
    if data.startswith(STATE):
        record(data[len(STATE):], where, found)
    elif fields[0][1] == 10:
        found[where] = Rows("B", [""], bytes(byte >> k & 1 for byte in data for k in range(8))[:rows * fields[0][2]])
    elif encoding == 1:
        layout = SCALARS[fields[0][1]]
        found[where] = Rows(f"{fields[0][2]}{layout}", columns(fields[0][2]), planes(data, struct.calcsize(layout)))
    elif len(fields) > 1 and rows == 1:  # a struct
        at = 0
        for name, scalar, count in fields:
            layout = f"{count}{SCALARS[scalar]}"
            if name not in PASSED:
                found[f"{where}, {name}"] = Rows(layout, columns(count), data[at:at + struct.calcsize("<" + layout)])
            at += struct.calcsize("<" + layout)
    else:
        names = [f"{name} {axis}".strip() for name, _, count in fields for axis in columns(count)]
        found[where] = Rows("".join(f"{count}{SCALARS[scalar]}" for _, scalar, count in fields), names, data)


# ---------------------------------------------------------------- files

PARSERS = {".glb": glb, ".ply": ply, ".vtp": vtp, ".pc2": pc2, ".pieces": pieces, ".png": png, ".exr": exr,
           ".sherd": run_file}
TEXTS = {".usda": usda, ".csv": tables}


def difference(old, new):
    """None, or where two files differ. What is laid out otherwise and says the same is the same."""
    with open(old, "rb") as a, open(new, "rb") as b:
        was, now = a.read(), b.read()
    if was == now:
        return None
    end, name = os.path.splitext(old)[1], os.path.basename(old)
    if end == ".html":
        return report(was, now) if name == "report.html" else by_name(page(was), page(now))
    if end in PARSERS:
        return by_name(PARSERS[end](was), PARSERS[end](now))
    return TEXTS.get(end, texts)(was, now)
