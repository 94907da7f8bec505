"""Structs of the library as Python objects: members with their units in the names."""
import ctypes
from typing import NamedTuple

from . import _c
from ._library import text



class Vec3(NamedTuple):
    """A vector."""
    x: float
    y: float
    z: float


class Quat(NamedTuple):
    """A unit quaternion, w the real part: v_world = R(q) v_rest."""
    x: float
    y: float
    z: float
    w: float


class Pose(NamedTuple):
    """Position and rotation of something rigid."""
    position_m: Vec3
    rotation: Quat


class Bounds(NamedTuple):
    """An axis-aligned box."""
    low_m: Vec3
    high_m: Vec3


def vec3(value):
    return Vec3(value.x, value.y, value.z)


def pose(value):
    r = value.rotation
    return Pose(vec3(value.position), Quat(r.x, r.y, r.z, r.w))


_SPECIAL = {
    _c.sherd_vec3: vec3,
    _c.sherd_quat: lambda q: Quat(q.x, q.y, q.z, q.w),
    _c.sherd_pose: pose,
    _c.sherd_bounds: lambda b: Bounds(vec3(b.low), vec3(b.high)),
}


def enum_words(name):
    """{number: word} of an enum: what its enumerators don't have in common, in small letters."""
    values = {word: value for word, value in _c.ENUMS[name].items() if not word.endswith("_COUNT")}
    parts = [word.split("_") for word in values]
    common = 0
    while all(len(p) > common + 1 and p[common] == parts[0][common] for p in parts):
        common += 1
    return {value: "_".join(p[common:]).lower() for p, value in zip(parts, values.values())}


class Struct:
    """What the library tells, as attributes with their units in the names."""

    __slots__ = ()
    _members = ()  # (attribute, member, convert)

    def __init__(self, value):
        used = getattr(value, "count", None)  # of arrays that have room for more
        for attribute, member, convert in self._members:
            found = convert(getattr(value, member))
            if type(found) is tuple and used is not None:
                found = found[:used]
            object.__setattr__(self, attribute, found)

    def __setattr__(self, name, value):
        raise AttributeError(f"{type(self).__name__} is what the library told; it can't be changed")

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{a}={getattr(self, a)!r}' for a in self.__slots__)})"

    def __eq__(self, other):
        return type(self) is type(other) and self.as_dict() == other.as_dict()

    __hash__ = None

    def as_dict(self):
        """{name: value}, structs within as dictionaries."""
        found = {}
        for name in self.__slots__:
            value = getattr(self, name)
            found[name] = value.as_dict() if isinstance(value, Struct) else value
        return found

    def __reduce__(self):
        return _restored, (type(self).__name__, [getattr(self, a) for a in self.__slots__])


def _restored(name, values):
    cls = BY_NAME[name]
    self = cls.__new__(cls)
    for attribute, value in zip(cls.__slots__, values):
        object.__setattr__(self, attribute, value)
    return self


def _same(value):
    return value


def _converter(struct, name, kind):
    """What makes a Python value of a member; None: it is left out (pointers)."""
    enum = _c.ENUM_MEMBERS.get(struct.__name__, {}).get(name)
    if enum:
        words = enum_words(enum)
        return lambda value: words.get(value, value)
    if kind in _SPECIAL:
        return _SPECIAL[kind]
    if kind is ctypes.c_char_p or (hasattr(kind, "_length_") and kind._type_ is ctypes.c_char):
        return text
    if hasattr(kind, "_length_"):
        inner = _converter(struct, "", kind._type_)
        return inner and (lambda values: tuple(inner(v) for v in values))
    if isinstance(kind, type) and issubclass(kind, ctypes.Structure):
        return struct_class(kind)
    if isinstance(kind, type) and issubclass(kind, ctypes._SimpleCData):
        return _same
    return None


def _hint(struct, name, kind):
    """The type of a member's value, as stubs have it."""
    enum = _c.ENUM_MEMBERS.get(struct.__name__, {}).get(name)
    if enum:
        return f"Literal[{', '.join(repr(word) for word in enum_words(enum).values())}]"
    if kind in _SPECIAL:
        return {_c.sherd_vec3: "Vec3", _c.sherd_quat: "Quat", _c.sherd_pose: "Pose", _c.sherd_bounds: "Bounds"}[kind]
    if hasattr(kind, "_length_"):
        return "str" if kind._type_ is ctypes.c_char else f"tuple[{_hint(struct, '', kind._type_)}, ...]"
    if issubclass(kind, ctypes.Structure):
        return struct_class(kind).__name__
    return {ctypes.c_char_p: "str | None", ctypes.c_double: "float", ctypes.c_float: "float",
            ctypes.c_bool: "bool"}.get(kind, "int")


BY_NAME = {}
_PACKED = {"sherd_region_info": "Region", "sherd_run_stats": "Stats", "sherd_fragment": "Fragment"}


def struct_class(struct):
    """The class whose objects hold a C struct's members."""
    name = _PACKED.get(struct.__name__) or \
        "".join(part.capitalize() for part in struct.__name__.split("_")[1:])
    if name in BY_NAME:
        return BY_NAME[name]
    members, doc, hints = [], [], {}
    for member, kind in struct._fields_:
        convert = _converter(struct, member, kind)
        if convert is None or member == "cookie":
            continue
        unit, comment = _c.MEMBERS[struct.__name__].get(member, ("", ""))
        attribute = f"{member}_{unit}" if unit else member
        members.append((attribute, member, convert))
        hints[attribute] = _hint(struct, member, kind)
        doc.append(f"    {attribute}: {comment}" if comment else f"    {attribute}")
    cls = type(name, (Struct,), {
        "__slots__": tuple(a for a, _, _ in members), "_members": tuple(members), "__module__": "sherd",
        "__annotations__": hints,
        "__doc__": f"{struct.__name__} of the library.\n\n" + "\n".join(doc)})
    BY_NAME[name] = cls
    return cls


def struct(value):
    """A C struct as an object."""
    return struct_class(type(value))(value)


Energy = struct_class(_c.sherd_energy)
SolverCounts = struct_class(_c.sherd_solver_counts)
StepTimes = struct_class(_c.sherd_step_times)
SplitSteps = struct_class(_c.sherd_split_steps)
Region = struct_class(_c.sherd_region_info)
ElementInfo = struct_class(_c.sherd_element_info)
BodyInfo = struct_class(_c.sherd_body_info)
BodyBonds = struct_class(_c.sherd_body_bonds)
BodyGlue = struct_class(_c.sherd_body_glue)
ProbeReading = struct_class(_c.sherd_probe_reading)
MemoryUse = struct_class(_c.sherd_memory_use)
Break = struct_class(_c.sherd_break)
Fragment = struct_class(_c.sherd_fragment)
Stats = struct_class(_c.sherd_run_stats)
StepPlan = struct_class(_c.sherd_step_plan)
Diagnosis = struct_class(_c.sherd_diagnosis)
RunResult = struct_class(_c.sherd_run_result)
Calibration = struct_class(_c.sherd_calibration)
MotionKey = struct_class(_c.sherd_motion_key)
MaterialFigures = struct_class(_c.sherd_material_figures)
