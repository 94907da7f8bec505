"""Columns of values as Blender's keyframes. Plain Python."""
from array import array

LINEAR = 1  # of Keyframe.interpolation, as a number


def is_constant(values):
    """Whether a curve would say nothing."""
    return len(values) < 2 or bytes(values[1:]) == bytes(values[:-1])


def coordinates(values, start, step=1.0):
    """frame, value, frame, value ... for keyframe_points.foreach_set("co")."""
    both = array("f", bytes(8 * len(values)))
    both[0::2] = array("f", [start + k * step for k in range(len(values))])
    both[1::2] = values
    return both
