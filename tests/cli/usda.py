"""A strict reader of the text USD that Sherd writes: every line must be understood."""
import math
import re

PRIM = re.compile(r'(def|class) (\w+) "([A-Za-z_]\w*)"( \()?$')
PROPERTY = re.compile(r"(custom |uniform )?([a-z]\w*(?:\[\])?) ([A-Za-z]\w*(?::[A-Za-z]\w*)*)(\.timeSamples|\.connect)?(?: = (.*))?$")
NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
WIDTHS = {"point3f": 3, "normal3f": 3, "float3": 3, "double3": 3, "color3f": 3, "vector3f": 3, "texCoord2f": 2, "quatf": 4, "quath": 4, "float2": 2, "float4": 4,
          "int": 1, "int64": 1, "float": 1, "double": 1}


class UsdaError(Exception):
    pass


def need(condition, message):
    if not condition:
        raise UsdaError(message)


class Prim:
    def __init__(self, specifier, kind, name):
        self.specifier, self.kind, self.name = specifier, kind, name
        self.metadata, self.values, self.types, self.about, self.children = {}, {}, {}, {}, {}
        self.forms = {}  # custom, uniform


def numbers(text, width):
    """Rows of `width` numbers from "(1, 2), (3, 4)" or "1, 2"."""
    one = NUMBER if width == 1 else r"\(" + ", ".join([NUMBER] * width) + r"\)"
    need(text == "" or re.fullmatch(f"{one}(?:, {one})*", text), "not a list of numbers: " + text[:80])
    flat = [float(x) for x in re.findall(NUMBER, text)]
    need(all(math.isfinite(x) for x in flat), "not a number")
    return [tuple(flat[k:k + width]) for k in range(0, len(flat), width)]


def value_of(kind, text):
    if kind.startswith("rel") or text.startswith("</"):
        need(re.fullmatch(r"</[\w/]+(?:\.[\w:]+)?>", text), "path: " + text)
        return text[1:-1]
    if kind == "asset":
        need(re.fullmatch(r"@\./[^@/]+@", text), "file: " + text)
        return text[1:-1]
    if kind == "token" or kind == "string":
        need(re.fullmatch(r'"[^"]*"', text), "token: " + text)
        return text[1:-1]
    if kind == "token[]":
        need(re.fullmatch(r'\["[\w:]+"(?:, "[\w:]+")*\]', text), "tokens: " + text)
        return re.findall(r'"([\w:]+)"', text)
    array = kind.endswith("[]")
    need(kind.rstrip("[]") in WIDTHS, "unknown type " + kind)
    need(not array or text[0] + text[-1] == "[]", "array: " + text[:80])
    rows = numbers(text[1:-1] if array else text, WIDTHS[kind.rstrip("[]")])
    need(array or len(rows) == 1, "more than one value: " + text[:80])
    return rows if array else rows[0]


class Usda:
    def __init__(self, text):
        self.lines, self.at = text.split("\n"), 0
        need(self.next() == "#usda 1.0", "first line")
        need(self.next() == "(", "stage metadata")
        self.metadata = self.read_metadata()
        self.prims = {}
        while self.at < len(self.lines) - 1:
            prim = self.read_prim(self.next())
            self.prims[prim.name] = prim
        need(self.lines[-1] == "", "no line end at the end")

    def next(self):
        while self.lines[self.at] == "":
            self.at += 1
        self.at += 1
        return self.lines[self.at - 1].strip()

    def read_metadata(self):
        found = {}
        while (line := self.next()) != ")":
            match = re.fullmatch(r"(?:prepend )?(\w+) = (.+)", line)
            need(match, "metadata: " + line)
            need(match.group(1) not in found, "twice: " + line)
            found[match.group(1)] = match.group(2)
        return found

    def read_prim(self, line):
        match = PRIM.fullmatch(line)
        need(match, "not a prim: " + line[:100])
        prim = Prim(*match.groups()[:3])
        if match.group(4):
            prim.metadata = self.read_metadata()
        need(self.next() == "{", "no body of " + prim.name)
        while (line := self.next()) != "}":
            if PRIM.fullmatch(line):
                child = self.read_prim(line)
                need(child.name not in prim.children, "two prims " + child.name)
                prim.children[child.name] = child
            else:
                self.read_property(prim, line)
        return prim

    def read_property(self, prim, line):
        about = line.endswith(" (")
        match = PROPERTY.fullmatch(line[:-2] if about else line)
        need(match, "not a property: " + line[:100])
        prefix, kind, name, form, text = match.groups()
        name += form if form and name in prim.values else ""
        need(name not in prim.values, f"{prim.name}: {name} twice")
        prim.types[name] = kind
        if kind != "rel":
            prim.forms[name.removesuffix(form or "-")] = prefix or ""
        if form == ".timeSamples":
            need(text == "{", "time samples: " + line[:100])
            need(not about, "metadata of samples: " + name)
            prim.values[name] = self.read_samples(kind)
        else:
            prim.values[name] = value_of(kind, text) if text is not None else None
        if about:
            prim.about[name] = self.read_metadata()

    def read_samples(self, kind):
        samples = {}
        while (line := self.next()) != "}":
            match = re.fullmatch(f"({NUMBER}): (.+),", line)
            need(match, "sample: " + line)
            time = float(match.group(1))
            need(not samples or time > max(samples), "times do not ascend")
            samples[time] = value_of(kind, match.group(2))
        return samples


def check_box(points, extent):
    low, high = ([f(p[c] for p in points) for c in range(3)] for f in (min, max))
    need([list(x) for x in extent] == [low, high], "extent")


def check_corners(prim, name, count):
    """A list without duplicates and an index for each corner."""
    v = prim.values
    lists = [v[name]] if isinstance(v[name], list) else v[name].values()
    used = {k for k, in v[name + ":indices"]}
    need(len(v[name + ":indices"]) == 3 * count and prim.about[name] == {"interpolation": '"faceVarying"'}, name)
    need(all(used == set(range(len(rows))) for rows in lists), "indices of " + name)
    return lists


def check_mesh(stage, prim):
    """Indices, sizes, subsets and bindings of a mesh's prim. Points may have samples, with all that follows from them."""
    v = prim.values
    count, faces = len(v["faceVertexCounts"]), v["faceVertexIndices"]
    frames = v["points"] if isinstance(v["points"], dict) else {None: v["points"]}
    for time, points in frames.items():
        need(all(0 <= k < len(points) for k, in faces), "a corner is no vertex")
        check_box(points, v["extent"][time] if time is not None else v["extent"])
        need(time is None or len(v["velocities"][time]) == len(points), "velocities")
    need(set(v["faceVertexCounts"]) == {(3,)} and len(faces) == 3 * count, "triangles")
    for rows in check_corners(prim, "primvars:normals", count):
        need(all(abs(x * x + y * y + z * z - 1) < 1e-5 for x, y, z in rows), "normals of unit length")
    check_corners(prim, "primvars:st", count)
    need(len(set(v["primvars:st"])) == len(v["primvars:st"]), "texture coordinates twice")
    need(v["subdivisionScheme"] == "none" and v["orientation"] == "rightHanded", "kind of mesh")
    need(v["subsetFamily:materialBind:familyType"] == "partition", "family of subsets")
    need(v["material:binding"].startswith("/run/materials/"), "the mesh's own material")
    taken = []
    for name, subset in prim.children.items():
        need(subset.kind == "GeomSubset" and (name in ("outer", "inner") or name.startswith("group_")), "child " + name)
        need(subset.values["elementType"] == "face" and subset.values["familyName"] == "materialBind", name)
        need(subset.metadata["apiSchemas"] == '["MaterialBindingAPI"]', "binding of " + name)
        parts = subset.values["material:binding"].split("/")
        need(parts[:3] == ["", "run", "materials"] and
             parts[3] in stage.prims["run"].children["materials"].children, "no such material")
        taken += [k for k, in subset.values["indices"]]
    need(sorted(taken) == list(range(count)), "subsets are no partition of the faces")
    inner = [k for k, in prim.children["inner"].values["indices"]] if "inner" in prim.children else []
    need([k for k, (x,) in enumerate(v["primvars:inner"]) if x] == inner and
         prim.about["primvars:inner"] == {"interpolation": '"uniform"'}, "primvars:inner")


def at(values, time):
    """A value in a frame; tuples are interpolated between samples."""
    if not isinstance(values, dict):
        return values
    before, after = max([t for t in values if t <= time], default=min(values)), min([t for t in values if t >= time], default=max(values))
    if before == after or not isinstance(values[before], tuple):
        return values[before]
    share = (time - before) / (after - before)
    return tuple((1 - share) * a + share * b for a, b in zip(values[before], values[after]))


def check_piece(prim, stage):
    v = prim.values
    need(prim.about["primvars:fragment"] == {"interpolation": '"constant"'}, "fragment id")
    for name in ("speed", "stress", "age"):  # not of obstacles
        need(f"primvars:{name}" not in v or prim.about[f"primvars:{name}"] == {"interpolation": '"constant"'}, name)
    if "velocities" in v:
        need("xformOpOrder" not in v, "a piece that deforms is placed by its points")
    else:
        need(v["xformOpOrder"] == ["xformOp:translate", "xformOp:orient", "xformOp:scale"], "order of transforms")
        for name in v["xformOpOrder"]:
            need(name in v, "no " + name)
        turns = v["xformOp:orient"]
        for q in turns.values() if isinstance(turns, dict) else [turns]:
            need(abs(sum(x * x for x in q) - 1) < 1e-6, "no unit quaternion")
    if "inherits" in prim.metadata:
        name = re.fullmatch(r"</run/(\w+)>", prim.metadata["inherits"]).group(1)
        need(stage.prims["run"].children[name].specifier == "class", "inherits from no class")
    else:
        check_mesh(stage, prim)


def check_instancer(prim, stage):
    """Columns of one length in every frame, ids that occur once."""
    v = prim.values
    prototype = prim.children["Prototypes"].children["sphere"]
    need(v["prototypes"] == f"/run/{prim.name}/Prototypes/sphere", "prototype")
    check_mesh(stage, prototype)
    for time in v["positions"] if isinstance(v["positions"], dict) else [0]:
        places, ids = at(v["positions"], time), at(v["ids"], time)
        need(len(set(ids)) == len(places) and set(at(v["protoIndices"], time)) <= {(0,)}, "ids")
        for name in ("protoIndices", "ids", "orientations", "scales", "velocities", "angularVelocities",
                     "primvars:fragment", "primvars:age"):
            samples = v.get(name + ".timeSamples", v.get(name, places))
            need(len(at(samples, time)) == len(places), f"{prim.name}.{name} in frame {time}")
        if places:
            scales = at(v["scales"], time)
            low, high = ([f(p[c] + sign * s[c] for p, s in zip(places, scales)) for c in range(3)] for f, sign in ((min, -1), (max, 1)))
            box = at(v["extent"], time)
            need(all(abs(a - b) < 1e-6 for x, y in zip(box, (low, high)) for a, b in zip(x, y)), "extent of " + prim.name)


def opacities(stage):
    """Of materials, by name."""
    return {material.name: material.children["surface"].values["inputs:opacity"][0]
            for material in stage.prims["run"].children["materials"].children.values()}


def check_stage(stage):
    """The stage, checked; its pieces by name, and its instancers."""
    about = stage.metadata
    need(about["upAxis"] == '"Z"' and about["metersPerUnit"] == "1" and about["timeCodesPerSecond"] == "24" and
         about["defaultPrim"] == '"run"', "stage metadata")
    need(list(stage.prims) == ["run"] and stage.prims["run"].kind == "Xform" and
         stage.prims["run"].metadata == {"kind": '"assembly"'}, "root")
    pieces, instancers = {}, {}
    for name, prim in stage.prims["run"].children.items():
        if prim.kind == "Scope":
            for material in prim.children.values():
                shader = material.children["surface"].values
                need(material.kind == "Material" and shader["info:id"] == "UsdPreviewSurface", "material")
                need(material.values["outputs:surface"] ==
                     f"/run/materials/{material.name}/surface.outputs:surface", "connection of a material")
        elif prim.specifier == "class":
            check_mesh(stage, prim)
        elif prim.kind == "PointInstancer":
            check_instancer(prim, stage)
            instancers[name] = prim
        else:
            need(prim.kind == "Mesh", name + " is no mesh")
            check_piece(prim, stage)
            pieces[name] = prim
    return pieces, instancers


def read_usda(text):
    """The stage, checked; its pieces by name."""
    stage = Usda(text)
    return stage, check_stage(stage)[0]
