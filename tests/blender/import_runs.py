"""Imports any runs in Blender, headless, and holds them against other exports of the same runs.

usage: import_runs.py COMMAND BLENDER RUN... [--no-comparison]    (not part of CTest: minutes for the runs of scenes/)

For each run: an object for each piece, body of points and visible obstacle; vertices in first, middle and last frame as
`sherd export --to obj-pc2` has them, to 1e-6 of the run's extent where vertices are stored or pieces are rigid but for
what the import was told to leave out; slots, UV maps; seconds that the import took, of them processor time.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rig  # noqa: E402
from rig import check, done  # noqa: E402

WITHIN = 1e-6  # of the extent: floats


# ---------------------------------------------------------------- in Blender

def objects_of(bpy, kind):
    return {o["sherd_key"]: o for o in bpy.data.objects if o.get("sherd_key", "").startswith(kind)}


def drawn(bpy, owner):
    evaluated = owner.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [tuple(evaluated.matrix_world @ v.co) for v in evaluated.data.vertices]


def worst_in(bpy, file, cache, frame, extent):
    """The largest distance of a vertex beyond what a piece may leave its rigid motion by."""
    bpy.context.scene.frame_set(1 + frame)
    worst = 0.0
    for piece in file.pieces:
        owner = bpy.data.objects[piece.name_in_blender]
        got, want = drawn(bpy, owner), cache.vertices(f"fragment_{piece.id}", frame)
        check(len(got) == len(want), f"{owner.name}: {len(got)} vertices, not {len(want)}")
        allowed = 0.0 if owner["sherd_bends"] else piece.deviation_m
        worst = max(worst, max(map(rig.far, got, want)) - allowed)
    check(worst <= WITHIN * extent, f"frame {frame}: off by {worst} m, of {extent}")
    return worst


def check_slots(pieces):
    for owner in pieces.values():
        names = [m.name for m in owner.data.materials]
        check(len(names) == 2 and names[1] == names[0] + " broken", f"{owner.name}: slots {names}")
        check(owner.data.uv_layers.keys() == ["UVMap"], f"{owner.name}: UV maps {owner.data.uv_layers.keys()}")


def in_blender(told):
    import bpy
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_install(filepath=told["zip"])
    bpy.ops.preferences.addon_enable(module="sherd_blender")
    bpy.context.preferences.addons["sherd_blender"].preferences.command_path = told["sherd"]
    begun, used = time.monotonic(), sum(os.times()[:4])
    check(bpy.ops.sherd.import_run(directory=told["run"]) == {"FINISHED"}, "import")
    took, used = time.monotonic() - begun, sum(os.times()[:4]) - used
    file = sys.modules["sherd_blender"].piece_file.PieceFile(os.path.join(told["run"], "blender", "run.pieces"))
    pieces = objects_of(bpy, "piece:")
    check(len(pieces) == len(file.pieces), f"{len(pieces)} objects for {len(file.pieces)} pieces")
    check(len(objects_of(bpy, "points:")) == len(file.points), "an object for each body of points")
    check_slots(pieces)
    for piece in file.pieces:
        piece.name_in_blender = pieces[f"piece:{piece.id}"].name
    worst = 0.0
    if told["cache"] and file.pieces:
        cache, frames = rig.PointCache(told["cache"]), file.frame_count
        extent = max(abs(c) for p in file.pieces for v in cache.vertices(f"fragment_{p.id}", 0) for c in v)
        worst = max(worst_in(bpy, file, cache, frame, extent) for frame in {0, frames // 2, frames - 1})
    bent = sum(o["sherd_bends"] for o in pieces.values())
    print(f"imported: {len(pieces)} pieces ({bent} bend), {len(file.points)} bodies of points, {file.frame_count} frames in "
          f"{took:.1f} s, {used:.1f} s of a processor; vertices off by {worst:.1e} m")


# ---------------------------------------------------------------- outside

def import_run(sherd, blender, run, place, compares):
    archive, cache = os.path.join(place, "sherd.zip"), os.path.join(place, "cache")
    done(sys.executable, os.path.join(rig.ROOT, "scripts", "make-blender-addon"), "-o", archive)
    if compares:
        os.makedirs(cache)
        done(sherd, "export", run, "--to", "obj-pc2", "-o", cache, "--quiet")
    told = {"zip": archive, "sherd": sherd, "run": run, "cache": cache if compares else ""}
    home = {**os.environ, "HOME": place, "BLENDER_USER_CONFIG": os.path.join(place, "config"),
            "BLENDER_USER_SCRIPTS": os.path.join(place, "scripts"), "PYTHONDONTWRITEBYTECODE": "1"}
    result = subprocess.run([blender, "-b", "--factory-startup", "--python-exit-code", "3", "--python",
                             os.path.abspath(__file__), "--", json.dumps(told)], capture_output=True, text=True,
                            timeout=3000, check=False, env=home)
    said = [line for line in result.stdout.splitlines() if line.startswith("imported")]
    check(result.returncode == 0 and said, f"{run}: {result.returncode}: {(result.stdout + result.stderr)[-3000:]}")
    print(f"{os.path.basename(run)}: {said[0]}")


def main():
    compares = "--no-comparison" not in sys.argv
    words = [word for word in sys.argv[1:] if word != "--no-comparison"]
    for run in words[2:]:
        with tempfile.TemporaryDirectory(prefix="sherd-blender-") as place:
            import_run(os.path.abspath(words[0]), words[1], os.path.abspath(run), place, compares)


if __name__ == "__main__":
    if "--" in sys.argv and "bpy" in sys.modules:
        in_blender(json.loads(sys.argv[sys.argv.index("--") + 1]))
    else:
        main()
