#!/usr/bin/env python3
"""Scenes that nobody should write, run as somebody would.

usage: abuse.py SHERD [WORD]

Each case is a change to a small scene (or a scene of its own) and a command, with the exit statuses that it may end
with and words that its message must hold; where the scene is at fault, the message begins with file:line:column. None
may crash, take more than SHERD_TEST_LIMIT_S (5 s) of processor time or 1 GB, or leave an empty or half-written output.
With WORD only the cases whose name contains it.
"""
import concurrent.futures
import os
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile

from small_run import check

LIMIT_S = int(os.environ.get("SHERD_TEST_LIMIT_S", "5"))
PLAIN = LIMIT_S <= 10  # sanitizers are slower and reserve terabytes
LIMIT_BYTES = 1 << 30 if PLAIN else resource.RLIM_INFINITY

SCENE = """sherd: 1
name: small
duration: 2 ms
output: {frame_rate: 1 kHz, meshes: [], render: {enabled: false, width: 32, height: 32, samples: 1}}
materials:
  clay: {density: 2000, youngs_modulus: 50 MPa, poissons_ratio: 0.25, tensile_strength: 0.2 MPa, shear_strength: 0.3 MPa}
bodies:
  - {name: slab, shape: {box: [12 mm, 10 mm, 5 mm]}, packing: {hcp: {radius: 1.2 mm}}, material: clay, position: [0, 0, 4 mm], velocity: [0, 0, -2]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  - {name: press, box: [5 mm, 5 mm, 2 mm], position: [0, 0, 9 mm], motion: {velocity: [0, 0, -1]}}
drivers:
  - {name: grip, body: slab, region: {box: [4 mm, 20 mm, 20 mm], position: [6 mm, 0, 4 mm]}, hold: true}
"""
SLAB, PRESS = "bodies.slab.", "obstacles.press."
BAD = (2,)        # the input is refused
GOOD = (0,)
STOPPED = (0, 1)  # runs, or says why it stopped
PLACE = r"scene\.yaml:\d+:\d+"


class Case:
    """`change` maps a text of SCENE to another; `sets` are settings; `files` lie beside the scene."""

    def __init__(self, name, statuses, words, *sets, change=(), scene=None, files=(), command="check", options=(),
                 place=False):
        self.name, self.statuses, self.words, self.sets = name, statuses, words, sets
        self.change, self.scene, self.files, self.command = change, scene, files, command
        self.options, self.place = options, place

    def text(self):
        text = self.scene if self.scene is not None else SCENE
        for old, new in self.change:
            check(old in text, f"{self.name}: '{old}' is not in the scene")
            text = text.replace(old, new, 1)
        return text


def swap(old, new, statuses=BAD, words="", name=None, **more):
    return Case(name or f"{old} -> {new[:40]}", statuses, words, change=[(old, new)], place=statuses == BAD, **more)


def put(setting, statuses=BAD, words="", **more):
    return Case(setting[:60], statuses, words, setting, **more)


# ---- numbers

def numbers():
    density, speed, where = "density: 2000", "velocity: [0, 0, -2]", "position: [0, 0, 4 mm]"
    yield swap(density, "density: 1e308", words="density")
    yield swap(density, "density: 0", words="must be > 0")
    yield swap(density, "density: -1", words="must be > 0")
    yield swap(density, "density: nan", words="density")
    yield swap(density, "density: inf", words="density")
    yield swap(density, "density: 1e-308", words="density")
    yield swap("50 MPa", "1e308 Pa", words="youngs_modulus")
    yield swap("50 MPa", "1e-308 Pa", words="youngs_modulus")
    yield swap("poissons_ratio: 0.25", "poissons_ratio: 0.5", GOOD, command="run")
    yield swap("poissons_ratio: 0.25", "poissons_ratio: 0.51", words="poissons_ratio")
    yield swap("poissons_ratio: 0.25", "poissons_ratio: -1", words="poissons_ratio")
    yield swap("tensile_strength: 0.2 MPa", "tensile_strength: 0", words="must be > 0")
    yield swap(speed, "velocity: [0, 0, nan]", words="velocity")
    yield swap(speed, "velocity: [0, 0, -1e308]", words="velocity")
    yield swap(speed, "velocity: [0, 0, -2e8]", (1, 2), "", name="a body near the speed of light", command="run")
    yield swap(where, "position: [0, 0, inf]", words="position")
    yield swap(where, "position: [0, 0, 4e300]", words="position")
    yield swap("12 mm, 10 mm, 5 mm", "12 mm, 0, 5 mm", words="must be > 0")
    yield swap("12 mm, 10 mm, 5 mm", "12 mm, 1e-308, 5 mm", words="box")
    yield swap("12 mm, 10 mm, 5 mm", "12 mm, -10 mm, 5 mm", words="must be > 0")
    yield swap("radius: 1.2 mm", "radius: 1 m", words="the largest radius that fits")
    yield swap("radius: 1.2 mm", "radius: 1 um", words="radius of at least")  # billions of elements
    yield swap("12 mm, 10 mm, 5 mm", "1e5 m, 1e5 m, 1e5 m", words="radius of at least")
    yield swap("hcp: {radius: 1.2 mm", "random: {radius: 1 um", words="larger radius")
    yield swap("hcp: {radius: 1.2 mm", "tetra: {size: 0.1 um", words="tetrahedra")
    yield swap("hcp: {radius: 1.2 mm", "cubic: {radius: 1 um", words="radius of at least")
    yield swap("normal: [0, 0, 1]", "normal: [0, 0, 0]", words="normal")
    yield swap("normal: [0, 0, 1]", "normal: [1e-308, 0, 0]", words="normal")
    yield put("gravity=[0, 0, -1e9]", STOPPED + BAD, command="run")
    yield put("materials.clay.friction=1e308", STOPPED + BAD, command="run")
    yield put("materials.clay.restitution=1e-308", STOPPED + BAD, command="run")
    yield put("materials.clay.bond_damping=1e300", BAD, "between 0 and 10")
    yield put("materials.clay.grain={direction: [1, 0, 0], stiffening: 1e300}", BAD, "between 0 and 1e6")
    yield put("materials.clay.grain={direction: [0, 0, 0]}", BAD, "direction")
    weak = SLAB + "weakness=[{strength: 0.1, %s}]"
    yield put(weak % "voronoi: {size: 1e-12}", BAD + STOPPED, command="run")
    yield put(weak % "voronoi: {size: 1 mm, stretch: [1e-12, 1e12, 1]}", BAD + STOPPED, command="run")
    yield put(weak % "noise: {size: 1e-12, octaves: 1000000}", BAD, "octaves")
    yield put(weak % "cut: {disc: {center: [0, 0, 0], normal: [0, 0, 0], radius: 1}}", BAD, "normal")
    yield put(SLAB + "packing={layers: {radius: 1 mm, count: 1000000000}}", BAD, "between 1 and 1e6, got 1000000000")
    yield put(SLAB + "packing={random: {radius: 10 um, max_elements: 1e18}}", BAD + (1,), "")
    yield put(SLAB + "packing={tetra: {size: 10 um, max_elements: 1e18}}", BAD + (1,), "")
    yield swap("{box: [12 mm, 10 mm, 5 mm]}, packing: {hcp: {radius: 1.2 mm}}",
               "{box: [2e6, 8 mm, 0.5 mm]}, packing: {shell: {radius: 0.6 mm}}", words="elements would be needed",
               name="a shell of 2000 km")
    yield put(SLAB + "shape={extrude: {outline: [[0, 0], [1, 1], [1, 0], [0, 1]], height: 1}}", BAD, "touches or crosses itself")
    yield put(SLAB + "shape={text: {text: '', height: 1, depth: 1}}", BAD, "text")
    yield put(SLAB + "shape={union: [{sphere: 1 mm}, {sphere: 1 mm, position: [1e9, 0, 0]}]}", BAD + (1,), "")
    yield put("materials.clay.seed=1e300", BAD, "seed")
    yield put("output.surface={roughness: {amplitude: 1, size: 1e-12}}", BAD, "size")
    yield put("probes=[{name: p, region: {sphere: 1 nm}}]", BAD, "holds no element")


# ---- times

def times():
    yield swap("duration: 2 ms", "duration: 0", words="must be > 0")
    yield swap("duration: 2 ms", "duration: -1 s", words="must be > 0")
    yield swap("duration: 2 ms", "duration: inf", words="duration")
    yield Case("1e300 s in steps of a ns", BAD, "duration", "duration=1e300", "solver.time_step=1 ns")
    yield Case("a year of microseconds", BAD, "steps, more than 1e+12", "duration=31536000", "solver.time_step=1 us",
               "output.frame_rate=1e-3")
    yield put("output.frame_rate=1e12", BAD, "frames")
    yield Case("more frames than steps", GOOD, "", "duration=100 us", "output.frame_rate=1 MHz", "solver.time_step=5 us",
               "solver.method=explicit", command="run")
    yield put("output.probe_rate=1e15", BAD, "probe_rate")
    yield put("solver.time_step=1 s", (1, 2), "time_step", command="run")
    yield put("solver.safety=1.5", BAD, "safety")
    yield put("solver.accuracy=0", BAD, "accuracy")
    yield put("solver.time_step=1e30 T", GOOD, "", command="run")  # a step to each frame


# ---- where things are

def places():
    second = "\n  - {name: second, shape: {box: [12 mm, 10 mm, 5 mm]}, packing: {hcp: {radius: 1.2 mm}}, " \
             "material: clay, position: [0, 0, %s]}"

    def with_second(z):
        return ("velocity: [0, 0, -2]}", "velocity: [0, 0, -2]}" + second % z)
    yield Case("the same body twice in one place", STOPPED, "begins up to", change=[with_second("4 mm")], command="run")
    yield Case("a body half within another", STOPPED, "begins up to", change=[with_second("5 mm")], command="run")
    yield Case("an obstacle within a body", STOPPED, "begins up to", PRESS + "position=[0, 0, 4 mm]", command="run")
    yield Case("a body below the floor", STOPPED, "begins up to", SLAB + "position=[0, 0, -50 mm]", "drivers=[]",
               command="run")
    yield Case("a body far from all else", GOOD, "", SLAB + "position=[0, 0, 100 km]", "drivers=[]", command="run")
    yield Case("a body beyond what numbers resolve", BAD, "from the origin", SLAB + "position=[1e9, 0, 0]", "drivers=[]")
    yield Case("a driver that holds nothing", BAD, "holds no element", "drivers.grip.region.position=[1 m, 0, 0]")
    yield Case("a second driver for the same", BAD, "already moved by another driver", change=[("hold: true}", "hold: true}\n  - {name: other, body: "
               "slab, hold: true}")])


# ---- motion

def motion():
    def table(*keys):
        return PRESS + "motion={table: [" + ", ".join("{" + key + "}" for key in keys) + "]}"
    start = "time: 0"
    yield put(table(start, "time: 2 ms", "time: 1 ms"), BAD, "times must increase")
    yield put(table(start, "time: 1 ms", "time: 1 ms"), BAD, "times must increase")
    yield put(table(start, "time: 1 ms, rotation: [nan, 0, 0]"), BAD, "rotation")
    yield put(table(start, "time: 1 ms, rotation: [1e308, 0, 0]"), STOPPED + BAD, "", command="run")
    yield put(table("time: 0, translation: [1 mm, 0, 0]"), BAD, "table")
    yield put(table(start, "time: 1 us, translation: [0, 0, -5000]"), (1, 2), "", command="run")
    yield put(table(start, "time: 1 ms, translation: [0, 0, 5000]"), STOPPED + BAD, "", command="run")
    yield put(PRESS + "motion={table: []}", BAD, "table")
    yield put(PRESS + "motion.velocity=[0, 0, -1e8]", (1, 2), "", command="run")
    yield put(PRESS + "motion={angular_velocity: [0, 0, 1e300]}", BAD, "angular_velocity")
    yield put("drivers.grip={name: grip, body: slab, force: {total: [0, 0, 1e300]}}", BAD, "force")
    yield put("drivers.grip={name: grip, body: slab, force: {total: [0, 0, 1e9]}}", STOPPED, "", command="run")


# ---- names and text

def text():
    name = "name: slab, shape"
    yield swap(name, 'name: "sl\\nab", shape', words="no valid name")
    yield swap(name, "name: ../../slab, shape", words="no valid name")
    yield swap(name, "name: schüssel, shape", words="no valid name")
    yield swap(name, f"name: {'x' * 5000}, shape", words="no valid name", name="a name of 5000 letters")
    yield swap(name, 'name: "", shape', words="no valid name")
    yield swap("duration: 2 ms", "duration: 2 ms\nduration: 3 ms", words="duration")
    yield swap("sherd: 1", "sherd: 1\nx: " + 100 * "[" + 100 * "]", words="64 levels", name="a hundred brackets")
    yield swap("sherd: 1", "sherd: 1\nx: &a [*a]", words="a", name="an alias within itself")
    yield swap("name: floor", "name: press", words="press", name="two obstacles of one name")
    yield Case("nothing at all", BAD, "is empty", scene="")
    yield Case("zero bytes", BAD, "", scene="\0" * 1000)
    yield Case("a million letters", BAD, "", scene="x" * 1000000)
    for variant in ("../../x", "a b", "", "x" * 300, "ü"):
        yield Case(f"a variant called '{variant[:20]}'", BAD, "variant", options=("--variant", variant), command="run",
                   scene=SCENE + f'variants: {{"{variant}": {{duration: 1 ms}}}}\n')
    yield Case("a variant of itself", BAD, "variants", scene=SCENE + "variants: {a: {variants.a: {}}}\n",
               options=("--variant", "a"))


# ---- settings

def settings():
    yield put("bodies.none.position=[0, 0, 0]", BAD, "none")
    yield put("bodies.7.position=[0, 0, 0]", BAD, "7")
    yield put("bodies.-1.position=[0, 0, 0]", BAD, "-1")
    yield put("bodies.99999999999999999999.position=[0, 0, 0]", BAD, "bodies")
    yield put(SLAB + "position.3=1", BAD, "position")
    yield put("bodies=1", BAD, "must be a list")
    yield put("materials=[]", BAD, "must be a map")
    yield put(SLAB + "position={x: 1}", BAD, "must be a list")
    yield put("duration=", BAD, "duration")
    yield put("=1", BAD, "")
    yield put("....=1", BAD, "")
    yield put("duration", BAD, "=")
    yield put("duration=[[[[", BAD, "duration")
    yield put("name=*a", BAD, "")


# ---- pictures

def pictures():
    camera = "output.render={enabled: true, width: 32, height: 32, samples: 1, video: false, camera: {position: %s, " \
             "target: %s, fov: %s}}"
    yield put(camera % ("[0, 1 mm, 4 mm]", "[0, 0, 4 mm]", "40 deg"), GOOD, "", command="run")  # within the body
    yield put(camera % ("[0, 1, 0]", "[0, 0, 0]", "0"), BAD, "fov")
    yield put(camera % ("[0, 1, 0]", "[0, 0, 0]", "180 deg"), BAD, "fov")
    yield put(camera % ("[0, 1, 0]", "[0, 1, 0]", "40 deg"), BAD, "camera")
    yield put(camera % ("[0, 1e300, 0]", "[0, 0, 0]", "40 deg"), BAD, "position")
    yield Case("pictures of one pixel", BAD, "width", "output.render.width=1", "output.render.height=1")
    yield Case("pictures of a million by a million", BAD, "width", "output.render.width=1e6", "output.render.height=1e6")
    yield put("output.render.samples=1e9", BAD, "between 1 and 4096")
    yield Case("a video without a frame to it", GOOD, "", "output.render.enabled=true", "output.render.video=true",
               "duration=1 us", "output.frame_rate=1 kHz", command="run", options=("--frames", "0"))
    sky = "output.render.sky={image: stars.hdr}"
    yield put(sky, BAD, "no such file", command="run")
    yield Case("a sky that is none", BAD, "no Radiance picture", sky, files=[("stars.hdr", b"stars")])
    for name, pixels in (("without its size", b""), ("cut off", b"-Y 2 +X 4\n" + 12 * b"a"),
                         ("larger than its file", b"-Y 9000 +X 18000\n" + 12 * b"a")):
        yield Case("a sky " + name, BAD, "Radiance", sky, files=[("stars.hdr", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n" + pixels)],
                   place=False)
    yield Case("a sky that is a folder", BAD, "folder", sky, files=[("stars.hdr", None)])


# ---- meshes

def box_stl(faces=12, inverted=False, shift=0.0):
    corners = [((k & 1) * 10.0 + shift, (k >> 1 & 1) * 10.0, (k >> 2 & 1) * 10.0) for k in range(8)]
    quads = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    triangles = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))][:faces]
    data = b""
    for t in triangles:
        order = t[::-1] if inverted else t
        data += struct.pack("<12fH", 0, 0, 0, *[x for k in order for x in corners[k]], 0)
    return len(triangles), data


def stl(*parts):
    return b"\0" * 80 + struct.pack("<I", sum(count for count, _ in parts)) + b"".join(data for _, data in parts)


def meshes():
    def mesh(name, statuses, words, data, **more):
        return Case(name, statuses, words, SLAB + "shape={mesh: {file: thing.stl, scale: 1 mm}}", "drivers=[]",
                    files=[("thing.stl", data)], **more)
    yield mesh("a mesh turned inside out", GOOD, "", stl(box_stl(inverted=True)))
    yield mesh("an open mesh", GOOD, "got a new surface", stl(box_stl(8)))
    yield mesh("one triangle", BAD, "thing.stl", stl(box_stl(1)))
    yield mesh("a mesh through itself", GOOD, "got a new surface", stl(box_stl(), box_stl(shift=5.0)))
    yield mesh("an empty mesh file", BAD, "thing.stl", b"")
    yield mesh("a folder for a mesh", BAD, "thing.stl", None)
    yield mesh("a mesh of two billion triangles that are not there", BAD, "thing.stl",
               b"\0" * 80 + struct.pack("<I", 2000000000))
    yield put(SLAB + "shape={mesh: {file: /etc/passwd, scale: 1 mm}}", BAD, "passwd")
    yield put(SLAB + "shape={mesh: {file: '', scale: 1 mm}}", BAD, "file")
    yield mesh("a mesh as small as nothing", BAD, "", stl(box_stl()),
               change=[("radius: 1.2 mm", "radius: 1e-250 m")])
    yield Case("a word for repair", BAD, "did you mean 'wrap'?", "bodies.slab.shape={mesh: {file: box.stl, repair: warp}}",
               files=[("box.stl", stl(box_stl()))])


# Material points beside the slab.
POINTS = ("obstacles:", """  - {name: jelly, shape: {box: [2 cm, 2 cm, 2 cm]}, packing: {points: {spacing: 5 mm}}, material: soft,
     position: [5 cm, 0, 2 cm]}
obstacles:""")
SOFT = ("bodies:\n", "  soft: {density: 1000, youngs_modulus: 50 kPa, poissons_ratio: 0.3, model: neo_hookean}\nbodies:\n")
SPHERE = "  - {name: ball, sphere: SIZE, position: [5 cm, 0, 9 cm], free: {density: 100}}\n"


def points():
    def beside(name, statuses, words, old="name: small", new="name: small", command="check"):
        return Case(f"points: {name}", statuses, words, change=[SOFT, POINTS, (old, new)], command=command,
                    place=statuses == BAD)

    yield beside("as they are", GOOD, "")
    for size in ("1 nm", "1e-12 m", "20 um"):  # the last: a billion, which are not tested one by one
        yield beside(f"spacing {size}", BAD, "use a larger spacing", "spacing: 5 mm", f"spacing: {size}")
    yield beside("a free body of a kilometre", BAD, "obstacles.ball", "obstacles:\n",
                 "obstacles:\n" + SPHERE.replace("SIZE", "1 km"), command="run")
    yield beside("a thin body", GOOD, "body 'jelly' is 1 mm thin", "box: [2 cm, 2 cm, 2 cm]", "box: [2 cm, 2 cm, 1 mm]")
    yield Case("points: water whose lattice does not fit", GOOD, "its level will be 27 % too low", command="check", place=False, change=[
            ("bodies:\n", "  wet: {density: 1000, bulk_modulus: 200 kPa, model: fluid}\nbodies:\n"),
            (POINTS[0], POINTS[1].replace("material: soft", "material: wet").replace("5 mm", "6 mm"))])
    yield beside("a lattice that does not fit", GOOD, "14.3 % of the volume of body 'jelly' has no points",
                 "spacing: 5 mm", "spacing: 4.75 mm")
    yield beside("a thin obstacle", GOOD, "obstacle 'shelf' is 1 mm thin, less than a cell", "obstacles:\n",
                 "obstacles:\n  - {name: shelf, box: [2 cm, 2 cm, 1 mm], position: [5 cm, 0, -9 cm]}\n")
    yield beside("two thin bodies", GOOD, "The same of 1 other body: 'custard'", "position: [5 cm, 0, 2 cm]}",
                 "position: [5 cm, 0, 2 cm]}" + "".join(
                     f"\n  - {{name: {name}, shape: {{box: [2 cm, 2 cm, 1 mm]}}, packing: {{points: {{spacing: 5 mm}}}}, "
                     f"material: soft, position: [5 cm, 0, {z} cm]}}" for name, z in (("cream", 6), ("custard", 9))))
    yield beside("pieces that are none", GOOD, "fracture: one piece", "packing: {points: {spacing: 5 mm}}",
                 "packing: {points: {spacing: 5 mm}}, fracture: {pieces: {voronoi: {size: 1 um}}, glue: "
                 "{tensile_strength: 1 kPa, shear_strength: 1 kPa}}")
    yield beside("half in the slab", GOOD, "parts them slowly", "position: [5 cm, 0, 2 cm]", "position: [1 cm, 0, 5 mm]")
    yield beside("elements of many cells", BAD, "bodies.slab", "shape: {box: [2 cm, 2 cm, 2 cm]}, packing: {points: {spacing: 5 mm}}",
                 "shape: {box: [0.4 mm, 0.4 mm, 0.4 mm]}, packing: {points: {spacing: 0.02 mm}}")
    yield beside("a probe of both", BAD, "probes.all", "obstacles:",
                 "probes: [{name: all, region: {box: [1, 1, 1]}}]\nobstacles:", command="run")


def cases():
    for family in (numbers, times, places, motion, text, settings, pictures, meshes, points):
        yield from family()


# ---- running them

def sherd(folder, *arguments):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S + 1))
        resource.setrlimit(resource.RLIMIT_FSIZE, (100 << 20, 100 << 20))
    try:
        return subprocess.run([os.path.abspath(sys.argv[1]), *arguments], capture_output=True, text=True, cwd=folder,
                              errors="replace", timeout=30 * LIMIT_S, preexec_fn=limit)
    except subprocess.TimeoutExpired:
        return None


def wrong_output(out, status):
    """What is wrong about a folder that a run left."""
    if not os.path.isdir(out):
        return "no folder of results" if status == 0 else None
    for place, _, names in os.walk(out):
        for name in names:
            path = os.path.join(place, name)
            if name.endswith(".part"):
                return f"{path} was left"
            if status == 0 and os.path.getsize(path) == 0:
                return f"{path} is empty"
    if status == 2 and os.listdir(out):
        return f"refused, but there is {os.listdir(out)}"
    return None


def wrong(case, result):
    if result is None:
        return "hangs"
    if result.returncode == -signal.SIGXCPU:
        return f"takes more than {LIMIT_S} s"
    if result.returncode not in case.statuses:
        return f"exit status {result.returncode}"
    words = result.stderr if result.returncode != 0 else result.stdout + result.stderr
    if case.words not in words:
        return f"does not say '{case.words}'"
    if result.returncode != 0 and "hint" not in words and "error" not in words:
        return "says no error"
    if case.place and not re.search(PLACE, words):
        return "does not say where"
    if len(words) > 20000:
        return f"says {len(words)} letters"
    return None


def run_case(case):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "scene.yaml"), "w") as file:
            file.write(case.text())
        for name, data in case.files:
            path = os.path.join(folder, name)
            if data is None:
                os.mkdir(path)
            else:
                with open(path, "wb") as file:
                    file.write(data)
        words = [word for setting in case.sets for word in ("--set", setting)]
        more = ["-o", "out", "-j", "1", "--quiet"] if case.command == "run" else []
        result = sherd(folder, case.command, "scene.yaml", *more, *case.options, *words)
        found = wrong(case, result)
        if found is None and case.command == "run":
            found = wrong_output(os.path.join(folder, "out"), result.returncode)
        if found is None:
            return None
        said = "" if result is None else (result.stdout + result.stderr)[:1500]
        return f"{case.name}: {found}\n    {case.command} {' '.join(words)[:300]}\n{said}"


# ---- places for results, resuming

def expect(folder, statuses, words, *arguments):
    result = sherd(folder, *arguments)
    good = result is not None and result.returncode in statuses and words in result.stdout + result.stderr
    return result, None if good else f"{arguments}: not {statuses} '{words}': {result}"


def outputs(folder):
    """Onto files, into folders that may not be written to, of other scenes, of two at once. Yields what is wrong."""
    with open(os.path.join(folder, "scene.yaml"), "w") as file:
        file.write(SCENE)
    with open(os.path.join(folder, "other.yaml"), "w") as file:
        file.write(SCENE.replace("radius: 1.2 mm", "radius: 1.3 mm"))
    with open(os.path.join(folder, "file"), "w") as file:
        file.write("mine")
    run = ("run", "scene.yaml", "-j", "1", "--quiet")
    yield expect(folder, (1, 2), "file", *run, "-o", "file")[1]
    yield expect(folder, (1, 2), "file", *run, "-o", "file/out")[1]
    yield expect(folder, (1, 2), "/proc", *run, "-o", "/proc/out")[1]
    yield expect(folder, (1, 2), "", *run, "-o", "")[1]
    yield expect(folder, (1, 2), "", *run, "-o", "x" * 5000)[1]
    with open(os.path.join(folder, "file")) as file:
        yield None if file.read() == "mine" else "a file was written over"
    yield expect(folder, GOOD, "", *run, "-o", "out", "--frames", "1")[1]
    yield expect(folder, BAD, "", "run", "other.yaml", "-o", "out", "--resume", "--quiet")[1]
    yield expect(folder, GOOD, "", *run, "-o", "out", "--resume")[1]
    yield expect(folder, GOOD, "", *run, "-o", "out", "--resume")[1]  # nothing left to do
    again = subprocess.Popen([os.path.abspath(sys.argv[1]), *run, "-o", "two"], cwd=folder, stderr=subprocess.PIPE,
                             text=True)
    result, _ = expect(folder, GOOD, "", *run, "-o", "two")
    said = again.communicate(timeout=30 * LIMIT_S)[1]
    yield None if 0 in (again.returncode, result.returncode) else f"of two runs none is done: {said} {result}"
    yield expect(folder, GOOD, "", *run, "-o", "two", "--resume")[1]
    yield expect(folder, BAD, "", "export", "file", "--to", "glb")[1]
    yield expect(folder, BAD, "", "render", "out", "--frames", "5:1")[1]
    yield expect(folder, BAD, "", "export", "out", "--to", "vtk", "--frames", "-1:99999999999999999999")[1]


def main():
    failures = []
    chosen = [case for case in cases() if len(sys.argv) < 3 or sys.argv[2] in case.name]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failures += [failure for failure in pool.map(run_case, chosen) if failure is not None]
    if len(sys.argv) < 3:
        with tempfile.TemporaryDirectory() as folder:
            failures += [failure for failure in outputs(folder) if failure is not None]
    for failure in failures:
        print("FAILED:", failure)
    print(f"{len(chosen)} cases, {len(failures)} failures")
    sys.exit(len(failures) > 0)


if __name__ == "__main__":
    main()
