"""Shapes, packings that fill them, and patterns of weakness."""
import ctypes

from . import _c
from ._columns import Columns, copies
from ._fields import Definition, documented, number, numbers_of
from ._handle import Handle
from ._library import encoded, exception, lib, owned
from ._results import Bounds, Vec3, vec3


def c_vec3(values, name):
    return _c.sherd_vec3(*numbers_of(values, 3, name, "3 numbers"))


def c_pose(position_m=(0, 0, 0), rotation=(0, 0, 0, 1)):
    turn = numbers_of(rotation, 4, "rotation", "the 4 numbers x, y, z, w of a quaternion")
    return _c.sherd_pose(c_vec3(position_m, "position_m"), _c.sherd_quat(*turn))


def _points2(points, name):
    pairs = [tuple(numbers_of(p, 2, name, "pairs of numbers")) for p in points]
    return (_c.sherd_vec2 * len(pairs))(*pairs), len(pairs)


def shape_pointer(shape, name):
    if not isinstance(shape, Shape):
        raise TypeError(f"{name}: a sherd.Shape is needed, got {shape!r}")
    return shape._pointer


class Shape:
    """A solid: a signed distance, bounds, a volume. Immutable; any number of threads may ask it.

    Made by Shape.box, sphere, cylinder, capsule, torus, revolve, extrude, text, mesh; combined by `a | b`,
    `a - b` and placed.
    """

    def __init__(self, make):
        self._make = make  # makes the shape anew, for combinations, which own their parts
        self._handle = Handle(make(), lib.sherd_shape_destroy, "shape")

    @property
    def _pointer(self):
        return self._handle.pointer

    @classmethod
    def _of(cls, function, *arguments, keep=()):
        def make(_keep=keep):
            error = _c.sherd_error()
            return owned(function(*arguments, ctypes.byref(error)), error)
        return cls(make)

    @classmethod
    def box(cls, size_m: "Vector") -> "Shape":
        """A box of full edge lengths x, y, z."""
        return cls._of(lib.sherd_shape_box, c_vec3(size_m, "size_m"))

    @classmethod
    def sphere(cls, radius_m: float) -> "Shape":
        """A ball."""
        return cls._of(lib.sherd_shape_sphere, number(radius_m, "radius_m"))

    @classmethod
    def cylinder(cls, radius_m: float, height_m: float) -> "Shape":
        """A cylinder along z."""
        return cls._of(lib.sherd_shape_cylinder, number(radius_m, "radius_m"), number(height_m, "height_m"))

    @classmethod
    def capsule(cls, radius_m: float, length_m: float) -> "Shape":
        """A capsule along z; the length is between the centres of its caps."""
        return cls._of(lib.sherd_shape_capsule, number(radius_m, "radius_m"), number(length_m, "length_m"))

    @classmethod
    def torus(cls, major_radius_m: float, minor_radius_m: float) -> "Shape":
        """A torus about z."""
        return cls._of(lib.sherd_shape_torus, number(major_radius_m, "major_radius_m"),
                       number(minor_radius_m, "minor_radius_m"))

    @classmethod
    def revolve(cls, profile_m: "Sequence[Vector]") -> "Shape":
        """A closed polygon of (r, z), revolved about z."""
        points, count = _points2(profile_m, "profile_m")
        return cls._of(lib.sherd_shape_revolve, points, count)

    @classmethod
    def extrude(cls, outline_m: "Sequence[Vector]", height_m: float) -> "Shape":
        """A closed polygon of (x, y), extruded along z about 0."""
        points, count = _points2(outline_m, "outline_m")
        return cls._of(lib.sherd_shape_extrude, points, count, number(height_m, "height_m"))

    @classmethod
    def text(cls, text: str, height_m: float, depth_m: float, font: "Path | None" = None) -> "Shape":
        """A line of text in the xy plane; `font`: a TrueType or OpenType file in place of DejaVu Sans Bold."""
        return cls._of(lib.sherd_shape_text, encoded(text), encoded(font),
                       number(height_m, "height_m"), number(depth_m, "depth_m"))

    @classmethod
    def mesh(cls, path: "Path", scale: float = 1.0) -> "Shape":
        """A closed mesh from an STL, OBJ, PLY or glTF file, mended where that is harmless; 1e-3 for files in mm."""
        def make():
            error = _c.sherd_error()
            mesh = owned(lib.sherd_mesh_read(encoded(path), number(scale, "scale"), ctypes.byref(error)), error)
            try:
                if lib.sherd_mesh_repair(mesh, encoded(path), None, ctypes.byref(error)):
                    raise exception(error)
                return owned(lib.sherd_shape_mesh(mesh, ctypes.byref(error)), error)
            finally:
                lib.sherd_mesh_destroy(mesh)
        return cls(make)

    def _combined(self, function, other):
        if not isinstance(other, Shape):
            return NotImplemented
        first, second = self._make, other._make

        def make():
            error = _c.sherd_error()
            a = first()
            try:
                b = second()
            except BaseException:
                lib.sherd_shape_destroy(a)
                raise
            return owned(function(a, b, ctypes.byref(error)), error)
        return Shape(make)

    def __or__(self, other: "Shape") -> "Shape":
        return self._combined(lib.sherd_shape_union, other)

    def __sub__(self, other: "Shape") -> "Shape":
        return self._combined(lib.sherd_shape_difference, other)

    def placed(self, position_m: "Vector" = (0, 0, 0), rotation: "Rotation" = (0, 0, 0, 1)) -> "Shape":
        """The shape moved and turned."""
        pose, inner = c_pose(position_m, rotation), self._make

        def make():
            error = _c.sherd_error()
            return owned(lib.sherd_shape_placed(inner(), pose, ctypes.byref(error)), error)
        return Shape(make)

    def distance_m(self, point_m: "Vector") -> float:
        """Distance to the surface, negative inside."""
        return lib.sherd_shape_distance(self._pointer, c_vec3(point_m, "point_m"))

    def normal(self, point_m: "Vector") -> Vec3:
        """Gradient of the distance."""
        return vec3(lib.sherd_shape_normal(self._pointer, c_vec3(point_m, "point_m")))

    @property
    def bounds(self) -> Bounds:
        """Axis-aligned bounds."""
        found = lib.sherd_shape_bounds(self._pointer)
        return Bounds(vec3(found.low), vec3(found.high))

    @property
    def volume_m3(self) -> float:
        """Volume."""
        return lib.sherd_shape_volume(self._pointer)


PACKING = Definition("sherd_packing_def")


class Packing:
    """Elements that fill a shape, in its frame."""

    @documented(PACKING)
    def __init__(self, shape: Shape, **options):
        """Fills a shape with elements."""
        keep, error = [], _c.sherd_error()
        definition = PACKING.make(options, keep)
        pointer = lib.sherd_packing_create(shape_pointer(shape, "shape"), ctypes.byref(definition), ctypes.byref(error))
        self._handle = Handle(owned(pointer, error), lib.sherd_packing_destroy, "packing")
        self._packing = pointer.contents
        of_points = definition.kind == _c.ENUMS["sherd_packing_kind"]["SHERD_PACKING_POINTS"]
        self._point_spacing = definition.spacing if of_points else 0.0

    def __len__(self) -> int:
        return self._packing.count

    def elements(self) -> Columns:
        """Copies: x_m, y_m, z_m, radius_m, and volume_m3 where the packing has it."""
        p = self._packing
        pointers = {"x_m": p.x, "y_m": p.y, "z_m": p.z, "radius_m": p.radius}
        if p.volume:
            pointers["volume_m3"] = p.volume
        return copies(p.count, pointers, title="Elements")

    def bonds(self) -> Columns:
        """Copies: i, j, section_m2, factor; no rows where near elements are bonded."""
        p = self._packing
        pointers = {"i": p.bond_i, "j": p.bond_j, "section_m2": p.bond_section, "factor": p.bond_factor}
        count = p.bond_count if p.bond_i else 0
        return copies(count, {name: q for name, q in pointers.items() if q or name in "ij"}, title="Bonds")

    @property
    def solid_fraction(self) -> float:
        """Volume of the elements' spheres over that of the shape."""
        return self._packing.solid_fraction

    @property
    def radius_m(self) -> float:
        """Radius of a lattice's elements after fitting."""
        return self._packing.lattice_radius

    def _fill(self, definition, loose):
        """As scenes give a packing to a body."""
        p = self._packing
        definition.count = p.count
        for member in ("x", "y", "z", "radius"):
            setattr(definition, member, getattr(p, member))
        if not loose and p.volume:
            definition.volume = p.volume
        if self._point_spacing > 0.0:
            definition.point_spacing = self._point_spacing
            definition.bonding = _c.ENUMS["sherd_bonding"]["SHERD_BONDING_NONE"]
            return
        definition.solid_fraction = 1.0 if p.volume else p.solid_fraction
        if loose or not p.bond_i:
            return
        definition.bonding = _c.ENUMS["sherd_bonding"]["SHERD_BONDING_LIST"]
        definition.bond_count = p.bond_count
        for member in ("bond_i", "bond_j", "bond_section", "bond_factor"):
            setattr(definition, member, getattr(p, member))


WEAKNESS = Definition("sherd_weakness_def", without=("point_count",))


class Weakness:
    """A pattern by which bonds of a body are weaker or softer."""

    @documented(WEAKNESS)
    def __init__(self, points_m: "Sequence[Vector] | None" = None, shape: "Shape | None" = None, **options):
        """A pattern: noise, cells, curves, cuts or regions. (Painted meshes: in scenes.)"""
        keep, error = [], _c.sherd_error()
        definition = WEAKNESS.make(options, keep, ("points_m", "shape"))
        if points_m is not None:
            points = [c_vec3(p, "points_m") for p in points_m]
            block = (_c.sherd_vec3 * len(points))(*points)
            definition.points, definition.point_count = block, len(points)
        if shape is not None:
            definition.shape = shape_pointer(shape, "shape")
        pointer = lib.sherd_weakness_create(ctypes.byref(definition), ctypes.byref(error))
        self._handle = Handle(owned(pointer, error), lib.sherd_weakness_destroy, "weakness", [shape])

    def amount(self, i_m: "Vector", j_m: "Vector") -> float:
        """How much it applies to a bond between these places, 0 to 1."""
        return lib.sherd_weakness_amount(self._handle.pointer, c_vec3(i_m, "i_m"), c_vec3(j_m, "j_m"))


MOTION = Definition("sherd_motion", without=("key_count",))


class Motion:
    """Prescribed motion: a table over time, linear in between, plus constant velocities."""

    @documented(MOTION)
    def __init__(self, times_s: "Numbers" = (), translations_m: "Sequence[Vector]" = (), rotations_rad: "Sequence[Vector]" = (),
                 **options):
        """Without a table and velocities: held fast. Translations and rotations are from the start."""
        self._options, self._keep = options, []
        times = [float(t) for t in times_s]
        shifts = [c_vec3(v, "translations_m") for v in translations_m] or [_c.sherd_vec3()] * len(times)
        turns = [c_vec3(v, "rotations_rad") for v in rotations_rad] or [_c.sherd_vec3()] * len(times)
        if len(shifts) != len(times) or len(turns) != len(times):
            raise ValueError("times_s, translations_m and rotations_rad: as many of each are needed")
        keys = [_c.sherd_motion_key(*key) for key in zip(times, shifts, turns)]
        self._keys = (_c.sherd_motion_key * len(keys))(*keys)
        self._put(_c.sherd_motion(), [])  # wrong options are told here

    @classmethod
    def sampled(cls, function: "Callable[[float], Any]", until_s: float, every_s: float, **options) -> "Motion":
        """From a function of time: function(t) is a translation [m], or a pair of translation and rotation [rad].

        It is called now, for the times 0, every_s, ... until_s; steps in between follow straight lines.
        """
        count = int(round(until_s / every_s))
        if not count > 0:
            raise ValueError("until_s: must be at least every_s")
        times = [until_s * k / count for k in range(count + 1)]
        shifts, turns = [], []
        for time in times:
            value = function(time)
            shift, turn = value if len(value) == 2 else (value, (0.0, 0.0, 0.0))
            shifts.append(shift)
            turns.append(turn)
        return cls(times, shifts, turns, **options)

    def _put(self, motion, keep):
        MOTION.put(motion, self._options, keep, ("times_s", "translations_m", "rotations_rad"))
        if len(self._keys):
            motion.keys, motion.key_count = self._keys, len(self._keys)
            keep.append(self._keys)
