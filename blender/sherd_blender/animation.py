"""Keyframes of objects, set in bulk."""
from array import array

from . import keyframes

LOCATION = [("location", k, k) for k in range(3)]
ROTATION = [("rotation_quaternion", k, 3 + (k - 1) % 4) for k in range(4)]  # Blender has w first, tracks last


def _curves(owner):
    """The fcurves of an object's action, made where there is none."""
    data = owner.animation_data_create()
    if data.action is None:
        import bpy
        data.action = bpy.data.actions.new(owner.name)
    action = data.action
    if hasattr(action, "fcurves"):
        curves = action.fcurves
    else:  # 5.0: curves are in a bag for each slot
        from bpy_extras import anim_utils
        if data.action_slot is None:
            data.action_slot = action.slots.new(id_type="OBJECT", name=owner.name)
        return anim_utils.action_ensure_channelbag_for_slot(action, data.action_slot).fcurves
    return curves


def _use_slot(owner):
    """From 4.4 on actions have slots; the old way of adding curves makes one, which has to be chosen."""
    data = owner.animation_data
    if hasattr(data, "action_slot") and data.action_slot is None and len(data.action.slots) > 0:
        data.action_slot = data.action.slots[0]


def _set(curves, path, index, values, start, step):
    curve = curves.find(path, index=index)
    if curve is not None:
        curves.remove(curve)
    curve = curves.new(path, index=index)
    points = curve.keyframe_points
    points.add(len(values))
    points.foreach_set("co", keyframes.coordinates(values, start, step))
    points.foreach_set("interpolation", array("i", [keyframes.LINEAR]) * len(values))
    curve.update()


def clear(owner, path, index):
    data = owner.animation_data
    if data is None or data.action is None:
        return
    curves = _curves(owner)
    curve = curves.find(path, index=index)
    if curve is not None:
        curves.remove(curve)


def animate(owner, column_of, start, step, values=()):
    """Poses, and `values` (custom property, column), of a column for each; what does not change gets no curve."""
    moves = False
    for path, index, column in LOCATION + ROTATION + [(f'["{name}"]', 0, column) for name, column in values]:
        track = column_of(column)
        if path.startswith("["):
            owner[path[2:-2]] = float(track[0])
        else:
            getattr(owner, path)[index] = track[0]
        if keyframes.is_constant(track):
            clear(owner, path, index)
        else:
            _set(_curves(owner), path, index, track, start, step)
            moves = True
    if moves:
        _use_slot(owner)
