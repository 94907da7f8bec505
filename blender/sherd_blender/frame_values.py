"""Speed and stress of vertices and granules at the present frame.

Places are moved by Blender's own modifier Mesh Cache, with or without this add-on; values that colours show are written
into attributes of meshes whenever the frame changes.
"""
import os

import bpy
from bpy.app.handlers import persistent

from . import meshes, piece_file

_open = {}  # path: (time of change, PieceFile)


def opened(path):
    """A file of pieces, kept open while it is as it was. None: it can't be read."""
    try:
        changed = os.stat(path).st_mtime_ns
        if _open.get(path, (None,))[0] != changed:
            _open[path] = (changed, piece_file.PieceFile(path))
        return _open[path][1]
    except (OSError, piece_file.PieceFileError):
        _open.pop(path, None)
        return None


def index_of(root, frame, count):
    """The frame of the run that the timeline's `frame` shows."""
    at = round((frame - root["sherd_start"]) / root["sherd_step"])
    return min(max(at, 0), count - 1)


def update_root(root, frame):
    """Values of all that has them, of one run."""
    file = opened(bpy.path.abspath(root["sherd_file"]))
    if file is None:
        return
    at = index_of(root, frame, file.frame_count)
    pieces = {f"piece:{p.id}": p for p in file.pieces if p.bends}
    points = {f"points:{file.bodies[p.body]['name']}": p for p in file.points}
    for owner in root.children:
        key = owner.get("sherd_key", "")
        if key in pieces and owner.get("sherd_bends") and len(owner.data.vertices) == pieces[key].vertices:
            values = file.bent_values(pieces[key], at)
        elif key in points and len(owner.data.vertices) == points[key].count:
            values = file.point_values(points[key], at)
        else:
            continue
        meshes.set_values(owner.data, "speed", values[0])
        meshes.set_values(owner.data, "stress", values[1])
        owner.data.update()


def roots():
    return [owner for owner in bpy.data.objects if "sherd_folder" in owner]


@persistent
def on_frame(scene, *_):
    for root in roots():
        if root.get("sherd_values", 1) and root.name in scene.objects:
            update_root(root, scene.frame_current)


def register():
    bpy.app.handlers.frame_change_pre.append(on_frame)


def unregister():
    if on_frame in bpy.app.handlers.frame_change_pre:
        bpy.app.handlers.frame_change_pre.remove(on_frame)
    _open.clear()
