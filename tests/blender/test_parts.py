"""The Blender add-on without Blender: usage: test_parts.py COMMAND

1. run.pieces agrees with the glb, the point cache and the tables of the same run; with any number of threads; cut off or
   damaged it is refused
2. keyframes: what is constant has none, frames of the timeline
3. scenes that it writes are accepted by `sherd check` and mean what was asked for; bad ones are refused with their place
4. the command in the background: progress, stop, going on, errors; none there
5. the zip: the same bytes each time, a manifest, no calls that later versions of Blender removed
"""
import math
import os
import re
import struct
import sys
import tempfile
import time
from array import array

import rig
from rig import check, done

sys.path.insert(0, rig.ADDON)
import command  # noqa: E402
import keyframes  # noqa: E402
import models  # noqa: E402
import piece_file  # noqa: E402
import scene_file  # noqa: E402

SHERD = os.path.abspath(sys.argv[1])


# ---------------------------------------------------------------- 1

def exported(out, place):
    for word in ("pieces", "obj-pc2", "glb", "csv"):
        os.makedirs(place, exist_ok=True)
        # Crumbs are in the .glb alone.
        done(SHERD, "export", out, "--to", word, "-o", place, "--quiet", "--set", "output.debris=false")
    return piece_file.PieceFile(os.path.join(place, "run.pieces"))


def poses_of(file, piece, frame):
    return [file.track(piece, c)[frame] for c in range(7)]


def same_places(file, place):
    """Vertices in every frame against the point cache; poses against the glb."""
    cache, glb, extent = rig.PointCache(place), rig.Glb(os.path.join(place, "run.glb")), 0.05
    check(cache.frames == file.frame_count == 9, "frames")
    for piece in file.pieces:
        rest, name = file.vertices(piece), glb.ids[piece.id]
        for frame in range(file.frame_count):
            want, pose = cache.vertices(f"fragment_{piece.id}", frame), poses_of(file, piece, frame)
            check(len(want) == piece.vertices, "vertices")
            check(rig.far(pose[:3], glb.poses[name][frame][:3]) < 1e-6 * extent, f"{name}: position in {frame}")
            turn, other = pose[3:], glb.poses[name][frame][3:]
            check(min(rig.far(turn, other), rig.far(turn, [-c for c in other])) < 2e-6, f"{name}: rotation in {frame}")
            if piece.bends:
                found, within = file.bent(piece, frame), 0.0
                moved = [tuple(found[3 * k:3 * k + 3]) for k in range(piece.vertices)]
            else:
                within = piece.deviation_m + 1e-6 * extent
                moved = [tuple(a + b for a, b in zip(rig.turned(turn, rest[3 * k:3 * k + 3]), pose[:3]))
                         for k in range(piece.vertices)]
            # Both files round to floats; of bending pieces they round the same number.
            check(max(map(rig.far, moved, want)) <= within, f"{name}: vertices in frame {frame}")
    check(any(p.bends for p in file.pieces) and any(not p.bends for p in file.pieces), "both kinds are there")


def same_values(file, place):
    """Points, speeds and stresses against the tables."""
    members = {}
    for row in rig.elements(place, file.frame_count - 1):
        members.setdefault(int(row["fragment"]), []).append(int(row["element"]))
    points = file.points[0]
    for frame in range(file.frame_count):
        rows = rig.elements(place, frame)
        sand = [r for r in rows if r["body"] == "2"]
        placed, values = file.placed(points, frame), file.point_values(points, frame)
        check(points.count == len(sand) == 8, "points")
        for k, row in enumerate(sand):
            check(rig.far(placed[3 * k:3 * k + 3], [float(row[c]) for c in ("x_m", "y_m", "z_m")]) < 1e-8, "place of a point")
            speed = sum(float(row[c]) ** 2 for c in ("vx_m_s", "vy_m_s", "vz_m_s")) ** 0.5
            check(abs(values[0][k] - speed) <= 1e-6 * speed, "speed of a point")
        for piece in file.pieces:
            mine = [rows[e] for e in members[piece.id]]
            check(len(mine) == piece.elements, "elements of a piece")
            mass = sum(float(r["mass_kg"]) for r in mine)
            v = [sum(float(r["mass_kg"]) * float(r[c]) for r in mine) / mass for c in ("vx_m_s", "vy_m_s", "vz_m_s")]
            speed, stress = sum(c * c for c in v) ** 0.5, max(float(r["von_mises_pa"]) for r in mine)
            check(abs(file.track(piece, piece_file.SPEED)[frame] - speed) <= 1e-5 * (speed + 1e-3), "speed of a piece")
            check(abs(file.track(piece, piece_file.STRESS)[frame] - stress) <= 1e-5 * (stress + 1.0), "stress of a piece")
            if piece.bends:
                speeds, stresses = file.bent_values(piece, frame)
                check(0.0 < max(speeds) <= 1.001 * file.top_speed and max(stresses) <= 1.001 * file.top_stress, "values")
    check(rig.far(file.radii(points), [1.1e-3] * 8) < 1e-9, "radii")
    check(sorted(file.labels(points)) == sorted({int(r["fragment"]) for r in rows if r["body"] == "2"}), "labels")


def obstacles(file):
    floor, ball = file.obstacles
    check((floor.name, floor.plane, floor.vertices, ball.plane) == ("floor", True, 0, False), "obstacles")
    vertices, triangles = file.shape(ball)
    check(all(abs(sum(c * c for c in vertices[3 * k:3 * k + 3]) ** 0.5 - 4e-3) < 1e-5 for k in range(ball.vertices)) and
          max(triangles) == ball.vertices - 1, "the ball's mesh")
    heights = file.obstacle_track(ball, 2)
    check(all(abs(z - (5e-3 + 0.5 * t)) < 1e-7 for z, t in zip(heights, file.times_s)), "the ball's motion")
    turn = [file.obstacle_track(ball, c)[-1] for c in range(3, 7)]
    check(abs(abs(turn[3]) - math.cos(0.5 * 100 * 4e-3)) < 1e-5, "the ball turns")


def meshes(file):
    for piece in file.pieces:
        triangles, kinds, texture = file.triangles(piece), file.kinds(piece), file.texture(piece)
        check(len(triangles) == 3 * piece.triangles and 0 <= min(triangles) and max(triangles) == piece.vertices - 1,
              "corners")
        check(set(kinds) <= {0, 1} and len(texture) == 6 * piece.triangles, "kinds and texture")
        edges = {(triangles[3 * t + a], triangles[3 * t + (a + 1) % 3]) for t in range(piece.triangles) for a in range(3)}
        check(all((b, a) in edges for a, b in edges), f"piece {piece.id} is not closed")
    check({k for p in file.pieces for k in file.kinds(p)} == {0, 1}, "outer and inner faces")


def damaged(path, place):
    """Whatever is cut off or turned, it is an error of the file's or a file."""
    data, other = rig.read(path), os.path.join(place, "other.pieces")
    head = 16 + struct.unpack_from("<i", data, 12)[0]
    cuts = [0, 1, 15, 16, 100, head - 1, head, head + 100, len(data) - 1]
    changed = [data[:k] for k in cuts] + [b"x" + data[1:], data[:8] + b"\2" + data[9:], data[:12] + b"\xff" * 4 + data[16:],
                                          data[:20] + b"\0\0\0" + data[23:], data[:16] + b"[]" + data[18:]]
    for k, bytes_ in enumerate(changed):
        with open(other, "wb") as file:
            file.write(bytes_)
        try:
            piece_file.PieceFile(other)
            check(False, f"damaged file {k} was taken")
        except piece_file.PieceFileError as error:
            check(other in str(error), "the error names the file")


def pieces(place):
    out = rig.run_in(SHERD, place)
    file = exported(out, os.path.join(place, "export"))
    same_places(file, os.path.join(place, "export"))
    same_values(file, os.path.join(place, "export"))
    obstacles(file)
    meshes(file)
    damaged(file.path, place)
    for threads in ("1", "3"):
        path = os.path.join(place, f"threads-{threads}.pieces")
        done(SHERD, "export", out, "--to", "pieces", "-o", path, "-j", threads, "--quiet")
        check(rig.read(path) == rig.read(file.path), "the same file with any number of threads")
    part = os.path.join(place, "part.pieces")
    done(SHERD, "export", out, "--to", "pieces", "-o", part, "--frames", "2:5", "--quiet")
    check(piece_file.PieceFile(part).frame_count == 4 and piece_file.PieceFile(part).first_frame == 2, "some frames")
    bare = os.path.join(place, "bare.pieces")
    done(SHERD, "export", out, "--to", "pieces", "-o", bare, "--set", "output.surface=false", "--quiet")
    balls = piece_file.PieceFile(bare)
    check(not balls.pieces and balls.point_count == len(rig.elements(os.path.join(place, "export"), 0)), "no surfaces")
    cache = os.path.join(place, "beam.pc2")
    beam = next(p for p in file.pieces if p.bends)
    piece_file.write_point_cache(cache, beam.vertices, file.frame_count, lambda k: file.bent(beam, k))
    data = rig.read(cache)
    check(struct.unpack_from("<12siiffi", data) == (b"POINTCACHE2\0", 1, beam.vertices, 0.0, 1.0, 9) and
          data[32 + 12 * beam.vertices * 8:] == file.bent(beam, 8).tobytes(), "the cache")


# ---------------------------------------------------------------- 2

def keys():
    check(keyframes.is_constant(array("f", [2.0] * 5)) and keyframes.is_constant(array("f", [1.0])), "constant")
    check(not keyframes.is_constant(array("f", [2.0, 2.0, 2.0000002])), "the least change counts")
    check(list(keyframes.coordinates(array("f", [7, 8, 9]), 10, 2.0)) == [10, 7, 12, 8, 14, 9], "frames of the timeline")


# ---------------------------------------------------------------- 3

BOX = array("f", [x for k in range(8) for x in (0.01 * (k & 1), 0.01 * (k >> 1 & 1), 0.01 * (k >> 2))])
CORNERS = array("i", [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3,
                      7, 5])


def scene_in(place, **changed):
    scene = scene_file.Scene(scene_file.name_of("été 1 #x", set()), 2e-3, 2000.0, (0, 0, -9.81))
    folder = os.path.join(place, "meshes \"of\" a scene")
    os.makedirs(folder, exist_ok=True)
    mesh = os.path.join(folder, "böx.ply")
    scene_file.write_ply(mesh, BOX, CORNERS, array("f", [0.5] * (2 * len(CORNERS))))
    values = {"density": 2000.0, "youngs_modulus": 5e7, "poissons_ratio": 0.25, "tensile_strength": 2e5,
              "shear_strength": 3e5, "weibull_modulus": 8.0, "color": (0.5, 0.25, 0.125), **changed}
    name = os.path.relpath(mesh, place)
    clay = scene.material(scene_file.Material(**values), "clay")
    check(scene.material(scene_file.Material(**values), "other") == clay, "equal materials are one")
    check(scene.material(scene_file.Material(**{**values, "density": 1.0}), "clay") == "clay-2", "others are others")
    scene.add_body("box", name, "{hcp: {radius: 0.0012}}", clay, (0, 0, 0.004), (0, 0, -5.0), (0, 10.0, 0))
    scene.add_body("grains", name, "{cubic: {radius: 0.001}}", clay, (0.03, 0, 0.004), loose=True)
    scene.add_plane("floor", (0, 0, 0), (0, 0, 1), 0.4, (0.5, 0.5, 0.5))
    scene.add_obstacle("press", name, (0, 0.03, 0.02), 0.3, None, None,
                       [(0.0, (0, 0, 0), (0, 0, 0)), (1e-3, (0, 0, -1e-3), (0, 0, 0.1))])
    scene.add_obstacle("block", name, (0.06, 0, 0.02), None, None, [("density", "1000"), ("velocity", "[0, 0, -1]")])
    path = os.path.join(place, "scene.yaml")
    scene.write(path)
    return path


def refused(path):
    try:
        command.call([SHERD, "check", path], "sherd check")
    except command.CommandError as error:
        return str(error)
    check(False, "a scene that is wrong was taken")


def scenes(place):
    path = scene_in(place)
    said = done(SHERD, "check", path)
    check("box" in said and "warning" not in said, "check: " + said)
    out = os.path.join(place, "scene")
    done(SHERD, "run", path, "-o", out, "--no-pictures", "--quiet")
    target = os.path.join(out, "blender", "run.pieces")
    command.export_pieces(SHERD, out, target)
    file = piece_file.PieceFile(target)
    check([b["name"] for b in file.bodies] == ["box", "grains"] and file.points[0].count > 8, "bodies came back")
    check([o.name for o in file.obstacles] == ["floor", "press", "block"], "obstacles came back")
    press = file.obstacles[1]
    check(abs(file.obstacle_track(press, 2)[-1] - 0.019) < 1e-7, "the press has moved")
    shared = [tuple(round(c, 9) for c in file.shape(press)[0][3 * k:3 * k + 3]) for k in range(press.vertices)]
    check(set(shared) == {tuple(round(c, 9) for c in BOX[3 * k:3 * k + 3]) for k in range(8)}, "the press's mesh came back")
    told = refused(scene_in(place, density=-1.0))
    check(re.search(r"scene\.yaml:\d+:\d+  materials\.clay\.density\n  error: ", told), "place and error: " + told)
    check(scene_file.name_of("", set()) == "object" and scene_file.name_of("3 balls", set()) == "o-3-balls", "names")
    taken = {"a"}
    check([scene_file.name_of("a", taken) for _ in range(3)] == ["a-2", "a-3", "a-4"], "each its own name")
    check(len(scene_file.name_of("x" * 200, {"x" * 64})) <= 64, "long names")
    check(scene_file.short(struct.unpack("f", struct.pack("f", 0.02))[0]) == "0.02", "numbers of Blender's are short")
    check(all(float(scene_file.number(v)) == v for v in (0.1, 1e-300, 123456789.123456789)), "numbers are exact")
    flat = [0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
    check(scene_file.plane_of(flat, (0, 0, 2))[1] == [0, 0, 1] and scene_file.plane_of(BOX, (0, 0, 1)) is None, "planes")


def words_of_models():
    with open(os.path.join(rig.ROOT, "include", "sherd", "laws.h"), encoding="utf-8") as file:
        rows = file.read().split("#define SHERD_SOLID_LAWS(ROW)")[1].split("#define")[0]
    return re.findall(r"ROW\([A-Z_]+, ([a-z_]+),", rows)


def solids(place):
    """A body of points of each model of the library, with all keys that the panel shows for it, and finite elements."""
    check(sorted(models.MODELS) == sorted(words_of_models()), f"models: {sorted(models.MODELS)}")
    check([c[0] for c in models.CHOICES] == list(models.MODELS), "choices")
    mesh = os.path.join(place, "cube.ply")
    scene_file.write_ply(mesh, BOX, CORNERS)

    def checked(name, packing, values):
        scene = scene_file.Scene(name, 2e-3, 2000.0, (0, 0, -9.81))
        material = scene.material(scene_file.Material(density=1000.0, **values), "stuff")
        scene.add_body("cube", mesh, packing, material, (0, 0, 0.02))
        path = os.path.join(place, name + ".yaml")
        scene.write(path)
        said = done(SHERD, "check", path)
        check("has no effect" not in said and "warning" not in said, f"{name}: {said}")

    for model in models.MODELS:
        settings = models.Defaults(model, yield_stress=0.001, damage_time=1.0, damage_length=0.6)
        values = models.values(settings)
        check(all(v is not None for v in values.values()), f"{model}: {values}")
        checked(model, "{points: {spacing: 0.0006}}", {"model": model, "friction": 0.2, **values})
    plain = models.values(models.Defaults("hencky"))
    check(plain["yield_stress"] is None, "0 is left out")
    checked("fem", "{tetra: {size: 0.002, model: fem}}",
            {"youngs_modulus": 1e8, "poissons_ratio": 0.3, "tensile_strength": 1e5, "shear_strength": 1e5})


# ---------------------------------------------------------------- 4

def wait(condition, message, limit=60.0):
    end = time.monotonic() + limit
    while not condition():
        check(time.monotonic() < end, message)
        time.sleep(0.02)


def background(place):
    path = scene_in(place)
    long = os.path.join(place, "long.yaml")
    rig.write(long, rig.read(path).decode().replace("duration: 0.002", "duration: 10"))
    process = command.Process(SHERD, long, os.path.join(place, "long"))
    wait(lambda: process.frame >= 2, "no progress")
    check(process.status() is None and 0.0 < process.share() < 1.0, "progress")
    growing = os.path.join(place, "long", "blender", "run.pieces")
    command.export_pieces(SHERD, os.path.join(place, "long"), growing)
    first = piece_file.PieceFile(growing)
    wait(lambda: process.frame >= first.frame_count + 2, "no more progress")
    command.export_pieces(SHERD, os.path.join(place, "long"), growing)
    second = piece_file.PieceFile(growing)
    check(second.frame_count > first.frame_count >= 2, "a run in progress is exported and grows")
    check(list(first.times_s) == second.times_s[:first.frame_count], "its former frames are as they were")
    process.stop()
    status, said = process.finish()
    check(status != 0 or said == [], "stopped")
    frames = process.frame
    again = command.Process(SHERD, long, os.path.join(place, "long"), resume=True)
    wait(lambda: again.frame > frames, "it does not go on: " + again.line)
    again.stop()
    again.finish()
    wrong = rig.write(os.path.join(place, "wrong.yaml"), "sherd: 1\nname: x\nduration: -1 s\n")
    status, said = command.Process(SHERD, wrong, os.path.join(place, "wrong")).finish()
    check(status == 2 and any("wrong.yaml:3:11" in m and "error:" in m for m in command.errors_of(said)), f"errors: {said}")
    for path in (os.path.join(place, "no-such-command"), place):
        try:
            command.find(path)
            check(False, "a command that is not there was found")
        except command.CommandError as error:
            check("Preferences" in str(error), "it says where to set it")
    check(command.find(SHERD) == SHERD and command.find(os.path.dirname(SHERD)) == SHERD, "the command or its folder")
    try:
        command.export_pieces(SHERD, place, os.path.join(place, "x.pieces"))
        check(False, "a folder without a run was exported")
    except command.CommandError as error:
        check("run.sherd" in str(error), "it says what is missing")


# ---------------------------------------------------------------- 5

# What Blender 3.4 has and a later one, up to 5.0, has not: (pattern, since, where the line must ask first).
REMOVED = [(r"calc_normals(_split)?\(|create_normals_split|free_normals_split|calc_tangents\(", "4.1", None),
           (r"use_auto_smooth|auto_smooth_angle", "4.1", 'hasattr(mesh, "use_auto_smooth")'),
           (r"\bface_maps\b", "4.0", None),
           (r"\bvertex_colors\b", "deprecated since 3.2", None),
           (r"\bimport bgl\b|\bbgl\.|gpu_extras\.batch\.bgl", "5.0", None),
           (r"bpy\.ops\.\w+\.\w+\(\s*(\{|override|context\b|[^)=]*context\.copy\()", "4.0: temp_override", None),
           (r"\.(inputs|outputs)\.new\(", "4.0: interface", 'hasattr(tree, "interface")'),
           (r"\baction_?\w*\.fcurves\b", "5.0", 'hasattr(action, "fcurves")'),
           (r"\baction\.groups\b|\baction\.id_root\b", "5.0", None),
           (r"edge_creases|use_edge_sharp|bevel_weight\b|\.crease\b", "4.0", None),
           (r"use_nodes_tree|scene\.node_tree|version_char|user_preferences", "5.0 and before", None),
           (r"inputs\[\"(Subsurface|Specular|Transmission|Emission|Clearcoat|Sheen)\"\]", "4.0", None),
           (r"BLENDER_EEVEE(?!_NEXT)", "4.2", None)]


def check_removed(name, text):
    """In no line, or behind a question whether it is there."""
    for pattern, since, asks in REMOVED:
        for match in re.finditer(pattern, text):
            before = text[:match.start()]
            block = before[before.rfind("\ndef "):] if "\ndef " in before else before
            line = before.count("\n")
            check(asks is not None and (asks in block or asks in text.split("\n")[line]),
                  f"{name}:{line + 1}: {match.group()} is not in later versions of Blender ({since})")


def zipped(place):
    one, two = os.path.join(place, "1.zip"), os.path.join(place, "2.zip")
    for path in (one, two):
        done(sys.executable, os.path.join(rig.ROOT, "scripts", "make-blender-addon"), "-o", path)
        time.sleep(0.05)
    check(rig.read(one) == rig.read(two), "the zip is the same each time")
    import zipfile
    with zipfile.ZipFile(one) as archive:
        names = set(archive.namelist())
        check({"sherd_blender/__init__.py", "sherd_blender/blender_manifest.toml", "sherd_blender/LICENSE"} <= names and
              all(n.startswith("sherd_blender/") and "__pycache__" not in n for n in names), f"{names}")
        for name in names:
            text = archive.read(name).decode()
            if name.endswith(".py"):
                compile(text, name, "exec")
                check_removed(name, text)
                check("import numpy" not in text, f"{name}: Debian's Blender has no numpy")
        manifest = archive.read("sherd_blender/blender_manifest.toml").decode()
    try:
        import tomllib
    except ImportError:
        return
    told = tomllib.loads(manifest)
    check(told["id"] == "sherd_blender" and told["blender_version_min"] == "4.2.0" and told["type"] == "add-on" and
          len(told["tagline"]) <= 64 and not told["tagline"].endswith(".") and
          all(len(t) <= 64 and not t.endswith(".") for t in told["permissions"].values()), "the manifest")


def main():
    for part in (pieces, scenes, solids, background, zipped):
        with tempfile.TemporaryDirectory(prefix="sherd-blender-") as place:
            part(place)
    keys()
    print("run.pieces, keyframes, scenes, runs in the background, zip: as they should be")


if __name__ == "__main__":
    main()
