"""A strict reader of crate files (.usdc), written from the format's description, not from the writer.

It gives the tree that usda.py gives of text: prims with metadata, values, types and what is said about attributes. Nothing
of a file may be unused: sections, paths, fields and sets are checked for what refers to them.
"""
import struct

from usda import Prim, UsdaError, need

KINDS = {  # number of a stored type: struct letter, width
    3: ("i", 1), 5: ("q", 1), 8: ("f", 1), 9: ("d", 1), 17: ("f", 4), 18: ("e", 4), 20: ("f", 2), 23: ("d", 3), 24: ("f", 3),
    28: ("f", 4)}
BOOL, STRING, TOKEN, ASSET, TOKEN_LIST, PATH_LIST, TOKENS, SPECIFIER, VARIABILITY, SAMPLES, DOUBLES = \
    1, 10, 11, 12, 32, 34, 41, 42, 44, 46, 48
NONE = 0xffffffff


def lz4_block(data, size):
    """The bytes of an LZ4 block."""
    out, at = bytearray(), 0

    def length(value):
        nonlocal at
        while value >= 15:
            value, at = value + data[at], at + 1
            if data[at - 1] < 255:
                break
        return value
    while True:
        token, at = data[at], at + 1
        count = length(token >> 4)
        out += data[at:at + count]
        at += count
        if at == len(data):
            break
        offset, at = data[at] | data[at + 1] << 8, at + 2
        count = length(token & 15) + 4
        need(0 < offset <= len(out), "lz4: a match before the start")
        if offset >= count:
            out += out[len(out) - offset:len(out) - offset + count]
        else:
            piece = bytes(out[-offset:])
            out += (piece * (count // offset + 1))[:count]
    need(size is None or len(out) == size, f"lz4: {len(out)} bytes, not {size}")
    return bytes(out)


def decompress(data, size=None):
    need(data[0] == 0, "more than one block")
    return lz4_block(data[1:], size)


def integers(data, count, width=4):
    """Integers of the codes of two bits."""
    data = decompress(data)
    letters = {4: "bhi", 8: "hiq"}[width]
    common, = struct.unpack_from("<" + letters[2], data)
    codes, at = data[width:width + (2 * count + 7) // 8], width + (2 * count + 7) // 8
    out, last, wrap = [], 0, 1 << 8 * width
    for k in range(count):
        code = codes[k // 4] >> 2 * (k % 4) & 3
        if code:
            step, = struct.unpack_from("<" + letters[code - 1], data, at)
            at += width >> 3 - code
        else:
            step = common
        last = (last + step + wrap // 2) % wrap - wrap // 2
        out.append(last)
    need(at == len(data), "integers: bytes are left")
    return out


class Crate:
    def __init__(self, data):
        self.data = data
        need(data[:8] == b"PXR-USDC" and data[8:16] == bytes([0, 8, 0, 0, 0, 0, 0, 0]), "head")
        at, = struct.unpack_from("<q", data, 16)
        count, = struct.unpack_from("<Q", data, at)
        need(len(data) == at + 8 + 32 * count, "contents are not at the end")
        rows = [struct.unpack_from("<16sqq", data, at + 8 + 32 * k) for k in range(count)]
        self.sections = {name.rstrip(b"\0").decode(): (start, size) for name, start, size in rows}
        need(list(self.sections) == ["TOKENS", "STRINGS", "FIELDS", "FIELDSETS", "PATHS", "SPECS"], "sections")
        need(all(s + n == (rows[k + 1][1] if k + 1 < count else at) for k, (_, s, n) in enumerate(rows)), "gaps between sections")
        self.read_tables()

    def open(self, name):
        self.at, size = self.sections[name]
        self.end = self.at + size

    def number(self):
        self.at += 8
        return struct.unpack_from("<Q", self.data, self.at - 8)[0]

    def packed(self):
        size = self.number()
        self.at += size
        return self.data[self.at - size:self.at]

    def close(self):
        need(self.at == self.end, "bytes are left in a section")

    def read_tables(self):
        self.open("TOKENS")
        count, size = self.number(), self.number()
        text = decompress(self.packed(), size)
        self.tokens = text.decode().split("\0")[:-1]
        need(len(self.tokens) == count and len(set(self.tokens)) == count, "tokens")
        self.close()
        self.open("STRINGS")
        count = self.number()
        self.strings = [self.tokens[k] for k in struct.unpack_from(f"<{count}I", self.data, self.at)]
        self.at += 4 * count
        self.close()
        self.open("FIELDS")
        count = self.number()
        names = integers(self.packed(), count)
        reps = struct.unpack(f"<{count}Q", decompress(self.packed(), 8 * count))
        self.fields = [(self.tokens[n], r) for n, r in zip(names, reps)]
        need(len(set(self.fields)) == count, "equal fields")
        self.close()
        self.open("FIELDSETS")
        count = self.number()
        self.sets = [k & NONE for k in integers(self.packed(), count)]
        self.close()
        self.read_paths()
        self.open("SPECS")
        count = self.number()
        columns = [integers(self.packed(), count) for _ in range(3)]
        self.specs = list(zip(*columns))
        need(len(set(columns[0])) == count, "two specs of a path")
        self.close()

    def read_paths(self):
        self.open("PATHS")
        count = self.number()
        need(self.number() == count, "paths that are not stored")
        numbers, names, jumps = (integers(self.packed(), count) for _ in range(3))
        self.close()
        self.paths, seen = [None] * count, 0
        todo = [(0, "")]
        while todo:
            at, parent = todo.pop()
            while True:
                need(self.paths[numbers[at]] is None, "a path twice")
                name = self.tokens[abs(names[at])]
                if at == 0:
                    path = "/"
                elif names[at] < 0:
                    path = parent + "." + name
                else:
                    path = (parent if parent != "/" else "") + "/" + name
                self.paths[numbers[at]] = path
                seen += 1
                if jumps[at] > 0:
                    todo.append((at + jumps[at], parent))
                if jumps[at] == -2:
                    break
                if jumps[at] != 0:
                    parent = path
                at += 1
        need(seen == count, "paths out of reach")

    # ---------------------------------------------------------------- values

    def value(self, rep):
        kind, payload = rep >> 48 & 0xff, rep & (1 << 48) - 1
        array, inlined, compressed = rep >> 63 & 1, rep >> 62 & 1, rep >> 61 & 1
        if array:
            return self.array(kind, payload, compressed)
        if inlined:
            return self.inline(kind, payload)
        self.at = payload
        if kind in (TOKEN_LIST, PATH_LIST):
            head, count, item = struct.unpack_from("<BQI", self.data, payload)
            need(head in (3, 32) and count == 1, "list")
            return (head == 32, self.tokens[item] if kind == TOKEN_LIST else self.paths[item])
        if kind == TOKENS:
            count = self.number()
            return [self.tokens[k] for k in struct.unpack_from(f"<{count}I", self.data, self.at)]
        if kind == DOUBLES:
            count = self.number()
            return list(struct.unpack_from(f"<{count}d", self.data, self.at))
        if kind == SAMPLES:
            return self.samples(payload)
        letter, width = KINDS[kind]
        return self.turned(kind, struct.unpack_from(f"<{width}{letter}", self.data, payload))

    def turned(self, kind, row):
        return row[3:] + row[:3] if kind in (17, 18) else row  # text has the real part first

    def inline(self, kind, payload):
        raw = struct.pack("<I", payload)
        if kind in (TOKEN, ASSET):
            return self.tokens[payload]
        if kind == STRING:
            return self.strings[payload]
        if kind in (BOOL, SPECIFIER, VARIABILITY):
            return payload
        letter, width = KINDS[kind]
        if width > 1:
            return tuple(float(x) for x in struct.unpack_from(f"<{width}b", raw))
        return struct.unpack("<f" if letter in "fd" else "<i", raw)

    def array(self, kind, at, compressed):
        if at == 0:
            return []
        count, = struct.unpack_from("<Q", self.data, at)
        if compressed:
            letter, width = KINDS[kind]
            size, = struct.unpack_from("<Q", self.data, at + 8)
            return [(k,) for k in integers(self.data[at + 16:at + 16 + size], count, struct.calcsize(letter))]
        need(at % 8 == 0, "an array that is not aligned")
        if kind in (TOKEN, ASSET):
            return [self.tokens[k] for k in struct.unpack_from(f"<{count}I", self.data, at + 8)]
        letter, width = KINDS[kind]
        flat = struct.unpack_from(f"<{count * width}{letter}", self.data, at + 8)
        return [self.turned(kind, flat[k:k + width]) for k in range(0, len(flat), width)]

    def samples(self, at):
        step, = struct.unpack_from("<q", self.data, at)
        times = self.value(struct.unpack_from("<Q", self.data, at + step)[0])
        at += step + 8
        step, count = struct.unpack_from("<q", self.data, at)[0], None
        at += step
        count, = struct.unpack_from("<Q", self.data, at)
        need(count == len(times) and times == sorted(set(times)), "times of samples")
        return dict(zip(times, (self.value(r) for r in struct.unpack_from(f"<{count}Q", self.data, at + 8))))

    # ---------------------------------------------------------------- prims

    def fields_of(self, at):
        found = {}
        while self.sets[at] != NONE:
            name, rep = self.fields[self.sets[at]]
            need(name not in found, "a field twice: " + name)
            found[name] = self.value(rep)
            at += 1
        return found


def quoted(text):
    return f'"{text}"'


def prim_of(name, fields):
    prim = Prim({0: "def", 2: "class"}[fields.pop("specifier")], fields.pop("typeName"), name)
    for key, word in (("kind", "kind"), ("inheritPaths", "inherits"), ("apiSchemas", "apiSchemas")):
        if key in fields:
            value = fields.pop(key)
            prim.metadata[word] = quoted(value) if key == "kind" else f"<{value[1]}>" if key == "inheritPaths" else f'["{value[1]}"]'
    return prim


def put_property(prim, name, kind, fields):
    if kind == 8:
        need(fields.pop("variability") == 1, "a relationship that varies")
        prim.types[name], prim.values[name] = "rel", fields.pop("targetPaths")[1]
    else:
        uniform, custom = fields.pop("variability", 0), fields.pop("custom", 0)
        prim.types[name] = fields.pop("typeName")
        prim.forms[name] = ("custom " if custom else "") + ("uniform " if uniform else "")
        shown = False
        for key in ("default", "timeSamples", "connectionPaths"):
            if key in fields:
                value = fields.pop(key)
                again = name + {"timeSamples": ".timeSamples", "connectionPaths": ".connect"}.get(key) if shown else name
                prim.values[again] = value[1] if key == "connectionPaths" else value
                prim.types[again] = prim.types[name]
                shown = True
        if not shown:
            prim.values[name] = None
        if "interpolation" in fields:
            prim.about[name] = {"interpolation": quoted(fields.pop("interpolation"))}
    need(not fields, f"fields of {name}: {list(fields)}")


class Usdc:
    """metadata and prims of the stage, as usda.Usda has them."""

    def __init__(self, data):
        crate = Crate(data)
        found = {crate.paths[path]: (kind, crate.fields_of(at)) for path, at, kind in crate.specs}
        kind, root = found.pop("/")
        need(kind == 7, "kind of the root")
        self.metadata = {"doc": quoted(root.pop("documentation")), "defaultPrim": quoted(root.pop("defaultPrim")),
                         "upAxis": quoted(root.pop("upAxis"))}
        self.prims = self.children(found, "", root.pop("primChildren"))
        for name, value in root.items():
            self.metadata[name] = f"{value[0]:g}"
        need(not found, f"specs that no prim names: {list(found)[:5]}")

    def children(self, found, parent, names):
        prims = {}
        for name in names:
            path = parent + "/" + name
            kind, fields = found.pop(path)
            need(kind == 6 and name not in prims, "kind of a prim")
            properties, below = fields.pop("properties", []), fields.pop("primChildren", [])
            prims[name] = prim = prim_of(name, fields)
            prim.forms = {}
            for item in properties:
                put_property(prim, item, *found.pop(path + "." + item))
            prim.children = self.children(found, path, below)
            need(not fields, f"fields of {path}: {list(fields)}")
        return prims


def same_value(a, b, kind):
    """Text has 9 digits of singles and 15 of doubles; halves have 11 bits."""
    if isinstance(a, dict) or isinstance(b, dict):
        return isinstance(a, dict) and isinstance(b, dict) and list(a) == list(b) and all(same_value(a[t], b[t], kind) for t in a)
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(same_value(x, y, kind) for x, y in zip(a, b))
    if isinstance(a, tuple):
        bound = 5e-4 if kind.startswith("quath") else 1e-8  # relative to the largest component
        size = max(map(abs, a), default=0)
        return len(a) == len(b) and all(abs(x - y) <= bound * size for x, y in zip(a, b))
    return a == b


def compare(text, crate, path=""):
    """Raises UsdaError unless both prims have the same content."""
    for name in ("specifier", "kind", "name", "metadata", "about", "forms"):
        need(getattr(text, name) == getattr(crate, name), f"{path}: {name} {getattr(text, name)}, {getattr(crate, name)}")
    need(list(text.values) == list(crate.values), f"{path}: attributes {list(text.values)}, {list(crate.values)}")
    need(list(text.children) == list(crate.children), f"{path}: children")
    for name, value in text.values.items():
        need(text.types[name] == crate.types[name], f"{path}.{name}: type {text.types[name]}, {crate.types[name]}")
        if not same_value(value, crate.values[name], text.types[name]):
            raise UsdaError(f"{path}.{name}: {str(value)[:200]} in text, {str(crate.values[name])[:200]}")
    for name, child in text.children.items():
        compare(child, crate.children[name], f"{path}/{name}")
