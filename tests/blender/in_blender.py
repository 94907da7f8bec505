"""What test_addon.py has Blender do: in_blender.py -- COMMAND ZIP FOLDER

1. install the zip, give the command's path
2. import a run of two frames: objects, slots, UV maps, custom properties; vertices in every frame as `sherd export` has
   them; values of vertices
3. change it as artists do, let the run grow, refresh: what was changed is there still, what is new has been added
4. colours: each choice leads to other nodes; granules are drawn by instances
5. export meshes with transforms, check, simulate, import: bodies are where they were
6. errors: a folder without a run, a scene that is wrong, no command
"""
import math
import os
import sys
import time

import bpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rig  # noqa: E402
from rig import check  # noqa: E402

SHERD, ZIP, PLACE = sys.argv[sys.argv.index("--") + 1:]
RUN = os.path.join(PLACE, "growing")
SCENE = bpy.context.scene


def install():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_install(filepath=ZIP)
    bpy.ops.preferences.addon_enable(module="sherd_blender")
    bpy.context.preferences.addons["sherd_blender"].preferences.command_path = SHERD


def fails(operator, *words, **options):
    try:
        operator(**options)
    except RuntimeError as error:
        check(all(w in str(error) for w in words), f"{words} are not in: {error}")
        return
    check(False, f"{operator} should fail with {words}")


def world_vertices(owner):
    """As they are drawn in the present frame."""
    evaluated = owner.evaluated_get(bpy.context.evaluated_depsgraph_get())
    matrix = evaluated.matrix_world
    return [tuple(matrix @ v.co) for v in evaluated.data.vertices]


def pieces():
    return {o["fragment"]: o for o in bpy.data.objects if o.get("sherd_key", "").startswith("piece:")}


def compare(cache, within=1e-6, extent=0.05):
    """Vertices in every frame, of what bends exactly, else to what floats allow and what a rigid motion leaves."""
    addon = sys.modules["sherd_blender"]
    file = addon.piece_file.PieceFile(os.path.join(RUN, "blender", "run.pieces"))
    found = {p.id: p for p in file.pieces}
    check(set(found) == set(pieces()), "an object for each piece")
    for frame in range(cache.frames):
        bpy.context.scene.frame_set(1 + frame)
        for key, owner in pieces().items():
            got, want = world_vertices(owner), cache.vertices(f"fragment_{key}", frame)
            most = found[key].deviation_m if not owner["sherd_bends"] else 0.0
            check(len(got) == len(want) and max(map(rig.far, got, want)) <= most + within * extent,
                  f"{owner.name} in frame {frame}: {max(map(rig.far, got, want))}")
    return file


def first_import():
    check(bpy.ops.sherd.import_run(directory=RUN) == {"FINISHED"}, "import")
    file = compare(rig.PointCache(os.path.join(PLACE, "export")))
    root = bpy.data.objects["mixed run"]
    check(len(root.children) == len(file.pieces) + 1 + 2, "pieces, sand, floor and ball")
    bent = [o for o in pieces().values() if o["sherd_bends"]]
    check([o["sherd_body"] for o in bent] == ["beam"], "the beam bends, the pieces of the slab do not")
    for owner in pieces().values():
        mesh = owner.data
        check([m.name for m in mesh.materials] == [owner["sherd_body"], owner["sherd_body"] + " broken"], "slots")
        check(mesh.uv_layers.keys() == ["UVMap"] and not mesh.validate(verbose=True), "UV map, a valid mesh")
        check(owner["sherd_bends"] or owner.animation_data.action is not None, "keyframes")
    speeds = [round(o["speed"], 6) for o in pieces().values()]
    check(len(set(speeds)) > 3, "speeds differ")
    check(bpy.context.scene.frame_end == file.frame_count, "the timeline")
    beam = bent[0]
    at = file.bent_values(next(p for p in file.pieces if p.bends), bpy.context.scene.frame_current - 1)
    got = [d.value for d in beam.data.attributes["stress"].data]
    check(got == list(at[1]) and max(got) > 0.0, f"stress of vertices: {got[:4]} {list(at[1])[:4]}")
    return root


def granules(root):
    sand = next(o for o in root.children if o.get("sherd_key") == "points:sand")
    bpy.context.scene.frame_set(2)
    graph = bpy.context.evaluated_depsgraph_get()
    places = [i.matrix_world.copy() for i in graph.object_instances if i.is_instance and i.parent.original == sand]
    addon = sys.modules["sherd_blender"]
    file = addon.piece_file.PieceFile(os.path.join(RUN, "blender", "run.pieces"))
    want = file.placed(file.points[0], 1)
    check(len(places) == 8, f"{len(places)} granules are drawn")
    for k, matrix in enumerate(places):
        check(rig.far(matrix.translation, want[3 * k:3 * k + 3]) < 1e-8, "where a granule is drawn")
        check(abs(matrix.to_scale()[0] - 1.1e-3) < 1e-8, "how large")


def change_and_refresh(root):
    mine, count = bpy.data.materials.new("mine"), len(pieces())
    for owner in pieces().values():
        if owner["sherd_body"] == "slab":
            owner.data.materials[1] = mine
    one = pieces()[1]
    one.name, one.hide_render = "my piece", True
    one.modifiers.new("mine", "BEVEL")
    one.color = (1, 0, 0, 1)
    one.animation_data.action.fcurves.new("hide_viewport").keyframe_points.insert(1, 0)
    root.location = (1, 2, 3)
    beam = next(o for o in pieces().values() if o["sherd_bends"])
    beam.modifiers.new("mine", "SUBSURF")
    rig.done(SHERD, "run", os.path.join(PLACE, "mixed.yaml"), "-o", RUN, "--no-pictures", "--quiet", "--resume")
    bpy.context.view_layer.objects.active = one
    check(bpy.ops.sherd.refresh() == {"FINISHED"}, "refresh")
    check(len(pieces()) > count and bpy.context.scene.frame_end == 9, "there are more pieces, and frames")
    check(tuple(root.location) == (1, 2, 3) and one.name == "my piece" and one.hide_render, "what was changed stays")
    check([m.name for m in one.modifiers] == ["mine"] and [m.name for m in beam.modifiers] == ["Sherd", "mine"], "modifiers")
    check(all(o.material_slots[1].material == mine for o in pieces().values() if o["sherd_body"] == "slab"),
          "new pieces have the artist's material")
    check(one.animation_data.action.fcurves.find("hide_viewport") is not None, "the artist's keyframes stay")
    beam.modifiers.remove(beam.modifiers["mine"])
    one.modifiers.remove(one.modifiers["mine"])
    root.location = (0, 0, 0)
    os.makedirs(os.path.join(PLACE, "export2"))
    rig.done(SHERD, "export", RUN, "--to", "obj-pc2", "-o", os.path.join(PLACE, "export2"), "--quiet")
    compare(rig.PointCache(os.path.join(PLACE, "export2")))
    names = [o.name for o in bpy.data.objects]
    bpy.ops.sherd.refresh()
    check(names == [o.name for o in bpy.data.objects], "another refresh changes nothing")
    for tolerance, bends in ((5.0, 0), (0.5, 1)):
        root["sherd_tolerance"] = tolerance
        bpy.ops.sherd.refresh()
        check(beam["sherd_bends"] == bends and len(beam.modifiers) == bends, "what is rigid has keyframes, no cache")
        compare(rig.PointCache(os.path.join(PLACE, "export2")))


def colors(root):
    tree = bpy.data.node_groups[root["sherd_group"]]
    output = tree.nodes["Output"].inputs[0]
    found = []
    for choice in ("MATERIAL", "FRAGMENT", "SPEED", "STRESS"):
        root.sherd_run.color_by = choice
        found.append(output.links[0].from_node.name)
    check(found == ["MATERIAL", "FRAGMENT", "SPEED", "STRESS"], f"colours: {found}")
    top = tree.nodes["STRESS over top"].inputs[1]
    check(top.default_value > 1.0, "the range is the run's")
    root.sherd_run.top_stress = 123.0
    check(top.default_value == 123.0, "the range is what was asked for")


def cube(name, size, place, turn=(0, 0, 0), scale=(1, 1, 1)):
    bpy.ops.mesh.primitive_cube_add(size=size, location=place, rotation=turn, scale=scale)
    owner = bpy.context.active_object
    owner.name = name
    return owner


def build():
    """A tilted, mirrored tile, a plane, a press that moves; centimetres."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.unit_settings.scale_length = 0.01
    scene.gravity = (0, 0, -981)
    tile = cube("tile é", 1.0, (1.0, 2.0, 0.9), (0.3, -0.2, 0.5), (2.0, -1.6, 0.5))
    tile.sherd.size, tile.sherd.velocity = 0.12, (0, 0, -5)
    tile.sherd.youngs_modulus, tile.sherd.tensile_strength, tile.sherd.shear_strength = 0.05, 0.2, 0.3
    bpy.ops.mesh.primitive_plane_add(size=10)
    floor = bpy.context.active_object
    press = cube("press", 1.0, (-3, 0, 2), (0, 0, 0.2))
    scene.frame_start = 5
    press.keyframe_insert("location", frame=5)
    press.location.z = 1.0
    press.keyframe_insert("location", frame=9)
    for curve in press.animation_data.action.fcurves:
        curve.keyframe_points[0].interpolation = "LINEAR"
    floor.sherd.role = press.sherd.role = "OBSTACLE"
    press.sherd.motion = "ANIMATED"
    unused = cube("unused", 1.0, (9, 9, 9))
    unused.sherd.role = "NONE"
    bpy.ops.object.select_all(action="SELECT")
    s = scene.sherd
    s.folder, s.name, s.duration, s.frame_rate = os.path.join(PLACE, "from blender"), "my scene", 0.004, 1000.0
    return tile, press


def round_trip():
    tile, press = build()
    bpy.context.scene.frame_set(5)
    corners = [tuple(tile.matrix_world @ v.co) for v in tile.data.vertices]
    check(bpy.ops.sherd.export_scene() == {"FINISHED"}, "export")
    text = rig.read(os.path.join(PLACE, "from blender", "my-scene.yaml")).decode()
    check("unused" not in text and "plane:" in text and "gravity: [0, 0, -9.81]" in text, text)
    volume = rig.done(SHERD, "info", os.path.join(PLACE, "from blender", "my-scene-meshes", "tile.ply"))
    check("closed" in volume and "1.6e-06" in volume or "1600 mm" in volume or "1.6 cm" in volume, volume)
    check(bpy.ops.sherd.simulate() == {"FINISHED"}, "simulate")
    root = next(o for o in bpy.data.objects if "sherd_folder" in o)
    check(abs(root.scale[0] - 100.0) < 1e-4, "metres in a scene of centimetres")
    bpy.context.scene.frame_set(5)
    points = [p for o in root.children if o.get("sherd_body") == "tile" for p in world_vertices(o)]
    for corner in corners:
        nearest = min(points, key=lambda p: math.dist(p, corner))
        check(math.dist(nearest, corner) < 1e-4, f"corner {corner} is now {nearest}")
    moved = next(o for o in root.children if o.get("sherd_key") == "obstacle:press")
    for frame in (5, 7, 9):
        bpy.context.scene.frame_set(frame)
        a, b = world_vertices(press), world_vertices(moved)
        check(all(min(math.dist(x, y) for y in b) < 1e-4 for x in a), f"the press in frame {frame}: {a} {b}")
    check(bpy.ops.sherd.simulate() == {"FINISHED"}, "simulate again")
    check(sum("sherd_folder" in o for o in bpy.data.objects) == 1, "the run that is there is refreshed")
    check(sum(o.get("sherd_body") == "tile" for o in root.children) > 1, "the tile broke")


class Window:
    """The context of a modal operator, which there is none of without a window."""
    screen = None

    def __init__(self):
        self.window_manager, self.told = self, []

    def __getattr__(self, name):
        return getattr(bpy.context, name)

    def progress_update(self, value):
        self.told.append(value)

    def event_timer_remove(self, timer):
        self.told.append(timer)

    def progress_end(self):
        self.told.append("end")


class Operator:
    """What the modal function needs of itself."""
    timer, said = "timer", None

    def report(self, _kind, text):
        self.said = text

    def _end(self):
        return sys.modules["sherd_blender"].simulate.SHERD_OT_simulate._end(self)


def watched(stop_at=None, limit=200.0):
    """Simulates as the modal operator does. -> (window, operator, what it answered last)"""
    simulate = sys.modules["sherd_blender"].simulate
    simulate.start(bpy.context)
    check(not bpy.ops.sherd.simulate.poll() and bpy.ops.sherd.stop.poll(), "one at a time")
    window, operator, end = Window(), Operator(), time.monotonic() + limit
    event, answer = type("Event", (), {"type": "TIMER"}), {"PASS_THROUGH"}
    while answer == {"PASS_THROUGH"}:
        check(time.monotonic() < end, "the simulation does not end")
        if stop_at is not None and simulate.Simulation.process.frame >= stop_at:
            check(bpy.ops.sherd.peek() == {"FINISHED"}, "show so far")
            bpy.ops.sherd.stop()
            stop_at = None
        answer = simulate.SHERD_OT_simulate.modal(operator, window, event)
        time.sleep(0.02)
    return window, operator, answer


def modal():
    window, operator, answer = watched()
    check(answer == {"FINISHED"} and window.told[-2:] == ["timer", "end"], f"{answer} {operator.said} {window.told}")
    bpy.context.scene.sherd.duration = 10.0
    window, operator, answer = watched(stop_at=3)
    check(answer == {"FINISHED"} and operator.said == "stopped", f"stop: {answer} {operator.said}")
    check(any(0.0 < v < 100.0 for v in window.told if isinstance(v, float)), "progress")
    root = next(o for o in bpy.data.objects if "sherd_folder" in o)
    check(3 < root["sherd_frames"] < root["sherd_planned"], "what there is of it is shown")


def errors():
    empty = os.path.join(PLACE, "empty")
    os.makedirs(empty)
    fails(bpy.ops.sherd.import_run, "run.sherd", directory=empty)
    tile = bpy.data.objects["tile é"]
    tile.sherd.weibull_modulus = 0.5
    bpy.ops.object.select_all(action="DESELECT")
    fails(bpy.ops.sherd.export_scene, "no selected mesh is a body")
    tile.select_set(True)
    fails(bpy.ops.sherd.export_scene, "my-scene.yaml:", "weibull_modulus", "hint:")
    fails(bpy.ops.sherd.simulate, "my-scene.yaml:", "weibull_modulus")
    tile.sherd.weibull_modulus = 8.0
    bpy.context.scene.sherd.folder = "//"
    fails(bpy.ops.sherd.simulate, "save the .blend file first")
    bpy.context.preferences.addons["sherd_blender"].preferences.command_path = "/nowhere/sherd"
    fails(bpy.ops.sherd.import_run, "/nowhere/sherd", directory=RUN)
    bpy.ops.preferences.addon_disable(module="sherd_blender")
    check(not hasattr(bpy.types.Scene, "sherd"), "all of it goes when it is disabled")


install()
run_root = first_import()
granules(run_root)
change_and_refresh(run_root)
colors(run_root)
bpy.ops.wm.save_as_mainfile(filepath=os.path.join(PLACE, "saved.blend"))
bpy.ops.wm.open_mainfile(filepath=os.path.join(PLACE, "saved.blend"))
compare(rig.PointCache(os.path.join(PLACE, "export2")))
round_trip()
modal()
errors()
print("in Blender", bpy.app.version_string + ": import, refresh, colours, export, simulation, errors as they should be")
print("ALL OF IT")
