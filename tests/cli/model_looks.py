#!/usr/bin/env python3
"""Pictures and colours of an artist's model in exports: model_looks.py SHERD

A box of two groups, one with a picture, with and without colours of vertices, is dropped on an edge:

1. obj-pc2 and usda have the picture beside them, byte for byte, once, and their materials name it; another place, another stem
2. colours: in obj behind every vertex, the obstacle's and granules' too; in usda as displayColor, linear, which the
   material without a picture reads
3. a file of that name which is not Sherd's stays, and stops the export
4. a run made with a relative path is exported from another working folder, and when its project has moved
5. the scene's `image` is on all of a body's outside and on nothing else, in glb byte for byte; v runs down in glb, up in
   obj and usda, with coordinates of a file and of a projection
"""
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import export  # noqa: E402
import usda  # noqa: E402

SCENE = """
sherd: 1
name: looks
duration: 4 ms
output: {{frame_rate: 500, meshes: [], render: {{enabled: false}}}}
materials:
  clay: {{density: 2000, youngs_modulus: 50 MPa, tensile_strength: 0.02 MPa, shear_strength: 0.02 MPa}}
bodies:
  - {{name: box, shape: {{mesh: {{file: {file}}}}}, packing: {{hcp: {{radius: 2 mm}}}}, material: clay,
     velocity: [0, 0, -3], position: [0, 0, 1 mm], rotation: [30 deg, 20 deg, 0]}}
obstacles: [{{name: ball, sphere: 1 cm, position: [0, 0, -24 mm]}}]
"""
MTL = "newmtl lid one\nKd 0.5 1 1\nmap_Kd pictures/lid one.png\nnewmtl walls\nKd 0.25 0.5 0.75\n"
SIDES = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def run(*command, status=0, cwd=None):
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=cwd)
    check(result.returncode == status, f"{command}: {result.returncode}, not {status}: {result.stdout}{result.stderr}")
    return result


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())


def picture():
    rows = b"".join(b"\0" + bytes((200, 40 * x, 40 * y)[c] for x in range(4) for c in range(3)) for y in range(4))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def box(painted):
    lines = ["mtllib box.mtl"]
    for k in range(8):
        place = [0.01 * ((k >> a & 1) * 2 - 1) for a in range(3)]
        lines.append("v " + " ".join(map(str, place + ([1, 0.5, 0.25] if painted else []))))
    lines += ["vt 0 0", "vt 1 0", "vt 1 1", "vt 0 1"]
    for side, (a, b, c, d) in enumerate(SIDES):
        lines.append("usemtl " + ("lid one" if side == 1 else "walls"))
        lines.append(f"f {a + 1}/1 {b + 1}/2 {c + 1}/3 {d + 1}/4")
    return "\n".join(lines) + "\n"


def model(folder, painted):
    os.makedirs(os.path.join(folder, "pictures"))
    write(os.path.join(folder, "pictures", "lid one.png"), picture())
    write(os.path.join(folder, "box.mtl"), MTL)
    write(os.path.join(folder, "box.obj"), box(painted))
    write(os.path.join(folder, "looks.yaml"), SCENE.format(file="box.obj"))


def check_obj(place, stem, painted):
    materials = dict(re.findall(r"newmtl (\S+)\n(.*?)(?=\n\n|\Z)", read(f"{place}/{stem}.mtl").decode(), re.S))
    named = {name: re.findall(r"^map_Kd (.+)$", text, re.M) for name, text in materials.items()}
    check(named["lid_one"] == [f"{stem}_picture_000000.png"], f"map_Kd of lid one: {named['lid_one']}")
    check(not any(files for name, files in named.items() if name != "lid_one"), f"pictures of others: {named}")
    vertices = re.findall(r"^v (.+)$", read(f"{place}/{stem}.obj").decode(), re.M)
    widths = {len(v.split()) for v in vertices}
    check(widths == {6 if painted else 3}, f"numbers of vertices: {widths}")
    colors = {tuple(v.split()[3:]) for v in vertices}
    check(colors == ({("1", "0.5", "0.25"), ("1", "1", "1")} if painted else {()}), f"colours in obj: {colors}")


def check_usda(place, stem, painted):
    stage, pieces = usda.read_usda(read(f"{place}/{stem}.usda").decode())
    materials = stage.prims["run"].children["materials"].children
    lid, walls = materials["lid_one"], materials["walls"]
    shader = lid.children["picture"].values
    check(shader["inputs:file"] == f"./{stem}_picture_000000.png", f"usda: picture {shader['inputs:file']}")
    factor = (1, 1, 1, 1)  # a picture is in place of Kd
    check(shader["inputs:scale"] == factor, f"usda: factor {shader['inputs:scale']}")
    check(lid.children["place"].values["inputs:varname"] == "st", "usda: texture coordinates")
    color = walls.children["surface"].values["inputs:diffuseColor"]
    linked = walls.children["surface"].values.get("inputs:diffuseColor.connect")
    check(("paint" in walls.children) == painted and "picture" not in walls.children, "usda: shaders of walls")
    check(color == ((1, 1, 1) if painted else (0.25, 0.5, 0.75)), f"usda: colour of walls {color}")
    check(linked == ("/run/materials/walls/paint.outputs:result" if painted else None), f"usda: connected to {linked}")
    colors = set()
    for name, prim in pieces.items():
        paint = prim.values.get("primvars:displayColor")
        check((paint is not None) == (painted and name.startswith("box") and "crumb" not in name), "usda: displayColor of " + name)
        if paint is None:
            continue
        check(len(paint) == len(prim.values["points"]), "usda: a colour for each point")
        colors |= {tuple(float(f"{x:.6g}") for x in row) for row in paint}
    # sRGB 1, 0.5, 0.25 in linear light, to six digits; vertices of broken faces alone are white.
    check(colors == ({(1, 0.214041, 0.0508761), (1, 1, 1)} if painted else set()), f"usda: colours {sorted(colors)[:9]}")


def with_looks(command, folder, painted):
    model(folder, painted)
    run_folder, other = os.path.join(folder, "run"), os.path.join(folder, "other")
    run(command, "run", os.path.join(folder, "looks.yaml"), "-o", run_folder, "--quiet")
    os.makedirs(other)
    for form, own, test in (("obj-pc2", "film.obj", check_obj), ("usda", "film.usda", check_usda)):
        run(command, "export", run_folder, "--to", form, "--quiet")
        run(command, "export", run_folder, "--to", form, "-o", os.path.join(other, own), "--quiet")
        test(run_folder, "run", painted)
        test(other, "film", painted)
    for place in (run_folder, other):
        files = [name for name in os.listdir(place) if "_picture_" in name]
        check(len(files) == 1 and read(os.path.join(place, files[0])) == picture(), f"{place}: pictures {files}")
    return run_folder


def foreign_picture(command, run_folder, folder):
    place = os.path.join(folder, "foreign")
    os.makedirs(place)
    write(os.path.join(place, "run_picture_000000.png"), "mine")
    for form, own in (("obj-pc2", "run.obj"), ("usda", "run.usda")):
        result = run(command, "export", run_folder, "--to", form, "-o", place, "--quiet", status=2)
        check("run_picture_000000.png" in result.stderr, "not told what is in the way: " + result.stderr)
        check(os.listdir(place) == ["run_picture_000000.png"], f"{own} was written, or something with it")
    check(read(os.path.join(place, "run_picture_000000.png")) == b"mine", "somebody's picture was written over")


def elsewhere(command, folder):
    before, after = os.path.join(folder, "project"), os.path.join(folder, "moved")
    model(before, False)
    run(command, "run", "looks.yaml", "-o", "runs/one", "--quiet", cwd=before)
    run(command, "export", os.path.join(before, "runs", "one"), "--to", "usda", "--quiet", cwd="/")
    os.rename(before, after)
    run(command, "export", "one", "--to", "obj-pc2", "--quiet", cwd=os.path.join(after, "runs"))
    check(os.path.isfile(os.path.join(after, "runs", "one", "run.obj")), "no export of a project that has moved")
    os.remove(os.path.join(after, "box.obj"))
    result = run(command, "export", os.path.join(after, "runs", "one"), "--to", "usda", "--quiet", cwd="/", status=2)
    check("box.obj" in result.stderr, "not told which mesh is gone: " + result.stderr)


def square(place, right=0, up=0):
    return round(1e4 * place[0]) + right, round(1e4 * place[1]) + up


def same_places(some, others, what):
    """Texture coordinates: a hundred of some, to 1e-4, as obj has six digits."""
    there = {square(place) for place in others}
    for place in sorted(some)[::len(some) // 100 + 1]:
        check(any(square(place, a, b) in there for a in (-1, 0, 1) for b in (-1, 0, 1)), f"{what}: {place}")


def glb_places(glb, node):
    return {(u, 1 - v) for primitive in glb.document["meshes"][node["mesh"]]["primitives"]
            for u, v in glb.rows[primitive["attributes"]["TEXCOORD_0"]]}


def scene_image(command, folder):
    model(folder, False)
    write(os.path.join(folder, "looks.yaml"), SCENE.format(file="box.obj").replace(
        "shear_strength: 0.02 MPa", "shear_strength: 0.02 MPa, appearance: {image: pictures/lid one.png}"))
    place = os.path.join(folder, "run")
    run(command, "run", os.path.join(folder, "looks.yaml"), "-o", place, "--quiet")
    for form in ("glb", "usda", "obj-pc2"):
        run(command, "export", place, "--to", form, "--quiet")
    files = [name for name in os.listdir(place) if "_picture_" in name]
    check(len(files) == 1 and read(os.path.join(place, files[0])) == picture(), f"image: pictures {files}")
    shown = {"box", "lid_one", "walls"}
    text = read(f"{place}/run.mtl").decode()
    named = {name for name, about in re.findall(r"newmtl (\S+)\n(.*?)(?=\n\n|\Z)", text, re.S) if "map_Kd" in about}
    check(named == {"box_outer", "lid_one", "walls"}, f"image: obj: {named}")
    stage, pieces = usda.read_usda(read(f"{place}/run.usda").decode())
    materials = stage.prims["run"].children["materials"].children
    check({name for name, m in materials.items() if "picture" in m.children} == shown, "image: usda")
    glb = export.Glb(f"{place}/run.glb")
    named = {m["name"].replace(" ", "_") for m in glb.document["materials"]
             if "baseColorTexture" in m["pbrMetallicRoughness"]}
    check(named == shown and len(glb.document["images"]) == 1, f"image: glb: {named}")
    view = glb.document["bufferViews"][glb.document["images"][0]["bufferView"]]
    check(glb.binary[view["byteOffset"]:][:view["byteLength"]] == picture(), "image: glb has another picture")
    of_box = set()
    for _, node in glb.pieces():
        if "crumb" in node["name"]: # of broken faces alone; crumbs share meshes
            continue
        places = set(pieces[re.sub(r"\W", "_", node["name"])].values["primvars:st"])
        same_places(glb_places(glb, node), places, "v of glb and usda: " + node["name"])
        of_box |= places if node["name"].startswith("box") else set()
    bodies = read(f"{place}/run.obj").decode().split("\ng obstacle_")[0]
    pairs = re.findall(r"^vt (\S+) (\S+)$", bodies, re.M)
    same_places({(float(u), float(v)) for u, v in pairs}, of_box, "v of obj and usda")


def main():
    command = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for painted in (False, True):
            run_folder = with_looks(command, os.path.join(folder, "painted" if painted else "plain"), painted)
        foreign_picture(command, run_folder, folder)
        elsewhere(command, folder)
        scene_image(command, os.path.join(folder, "image"))
    print("all as it should be")


if __name__ == "__main__":
    main()
