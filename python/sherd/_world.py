"""Worlds: elements, bonds, obstacles and their simulation (include/sherd/world.h)."""
import ctypes
import math
import operator
import time
import weakref

from . import _c
from ._columns import Columns, LentColumns, copied, copies, given, room
from ._errors import BorrowError, InputError, SceneError, UnstableError
from ._fields import Definition, documented
from ._handle import Handle
from ._library import check, encoded, exception, lib, owned, text
from ._results import (BodyBonds, BodyGlue, BodyInfo, Break, ElementInfo, Energy, MemoryUse, MotionKey, Pose, ProbeReading, Region,
                       SolverCounts, SplitSteps, StepTimes, Vec3, enum_words, pose, struct, vec3)
from ._shapes import Motion, Packing, Shape, Weakness, c_vec3, shape_pointer

STOP = "stop"  # what a callback answers to end what it is called from
SLICE = 0.05  # seconds between looks for signals while a world steps

WORLD = Definition("sherd_world_def")
MATERIAL = Definition("sherd_material_def")
BODY = Definition("sherd_body_def", without=("count", "bond_count"))
OBSTACLE = Definition("sherd_obstacle_def")
DRIVER = Definition("sherd_driver_def", without=("force_key_count",))


class Id:
    """A material, body, obstacle or driver of a world."""

    kind: str
    index: int
    name: "str | None"

    def __init__(self, kind, index, name, raw, world):
        self.kind, self.index, self.name, self._raw = kind, index, name, raw
        self._world = weakref.ref(world)

    def __repr__(self):
        return f"<{self.kind} {self.index}{f' {self.name!r}' if self.name else ''}>"

    def _of(self, kind, world):
        """The library's handle, of this kind and this world."""
        if self.kind != kind:
            raise TypeError(f"a {kind} is needed, got {self!r}")
        if self._world() is not world:
            raise InputError(f"{self!r} is of another world", kind)
        return self._raw


def _id(value, kind, world):
    if not isinstance(value, Id):
        raise TypeError(f"a {kind} is needed, as world.add_{kind}() returns it, got {value!r}")
    return value._of(kind, world)


def _in_range(index, count, what, world=None):
    if isinstance(index, Id):
        index._of(what, world)
    number = index.index if isinstance(index, Id) else operator.index(index)
    if not 0 <= number < count:
        raise IndexError(f"there is no {what} {number}; there are {count}")
    return number


def method_number(word):
    """The number of a stepping method's word."""
    words = [text(lib.sherd_method_describe(k).word) for k in range(_c.ENUMS["sherd_method"]["SHERD_METHOD_COUNT"])]
    if word not in words:
        raise ValueError(f"method: one of {', '.join(words)}, got {word!r}")
    return words.index(word)


def column_pointers(view):
    """{column: pointer} of a sherd_element_view or sherd_point_view."""
    names = {name: unit for name, (unit, _) in _c.MEMBERS[type(view).__name__].items() if name != "count"}
    return {f"{name}_{unit}" if unit else name: getattr(view, name) for name, unit in names.items()}


class FragmentList(list):
    """Fragments, ordered by their first elements; `element_fragment` is the id of each element's."""

    element_fragment: "Column"

    def __init__(self, view, count):
        super().__init__(struct(view.fragments[k]) for k in range(view.count))
        self.element_fragment = copied(view.element_fragment, count)


BREAK_MODES = enum_words("sherd_break_mode")


def break_columns(breaks, count):
    """Columns of an array of sherd_break."""
    rows = [breaks[k] for k in range(count)]
    columns = {"bond": (ctypes.c_int64, [b.bond for b in rows]), "time_s": (ctypes.c_double, [b.time for b in rows]),
               "x_m": (ctypes.c_double, [b.place.x for b in rows]), "y_m": (ctypes.c_double, [b.place.y for b in rows]),
               "z_m": (ctypes.c_double, [b.place.z for b in rows]),
               "energy_j": (ctypes.c_double, [b.energy for b in rows]), "i": (ctypes.c_int32, [b.i for b in rows]),
               "j": (ctypes.c_int32, [b.j for b in rows]), "body": (ctypes.c_int32, [b.body for b in rows]),
               "piece_i": (ctypes.c_int32, [b.piece_i for b in rows]),
               "piece_j": (ctypes.c_int32, [b.piece_j for b in rows])}
    made = {name: given(values, kind, name)[2] for name, (kind, values) in columns.items()}
    made["mode"] = [BREAK_MODES[b.mode] for b in rows]
    return Columns(count, made, "Breaks")


GLUE_ENDS = ("i", "j", "piece_i", "piece_j", "body")
GLUE = ("x_m", "y_m", "z_m", "area_m2", "tensile_strength_pa", "shear_strength_pa", "traction_x_pa", "traction_y_pa",
        "traction_z_pa", "normal_traction_pa", "shear_traction_pa")
BOND_LOADS = ("force_x_n", "force_y_n", "force_z_n", "moment_x_nm", "moment_y_nm", "moment_z_nm", "normal_force_n",
              "shear_force_n", "bending_moment_nm", "twisting_moment_nm", "energy_j", "stress_ratio", "damage",
              "plastic_strain")
POINT_STATES = ("b_xx", "b_yy", "b_zz", "b_yz", "b_xz", "b_xy", "rest_volume_m3", "state")
CONTACT_SIDES = ("i", "j", "i_obstacle", "j_obstacle")
CONTACT_FORCES = ("x_m", "y_m", "z_m", "normal_x", "normal_y", "normal_z", "normal_force_n", "friction_x_n",
                  "friction_y_n", "friction_z_n", "overlap_m")


def member_columns(block, count, size, kind, offset, names):
    """Columns of members that follow each other in an array of structs, all of one type."""
    stride = size // ctypes.sizeof(kind)
    flat = copied(ctypes.cast(block, ctypes.POINTER(kind)), count * stride)
    return {name: flat[offset + k::stride] for k, name in enumerate(names)}


# ---------------------------------------------------------------- what may be asked of a world

class WorldQueries:
    """Everything that can be asked of a world without changing it. Columns are copies."""

    _handle: Handle

    def _ask(self, function, *arguments):
        with self._handle as world:
            return function(world, *arguments)

    @property
    def time_s(self) -> float:
        """Simulated time."""
        return self._ask(lib.sherd_world_time)

    @property
    def time_step_s(self) -> float:
        """Length of a step; 0 before it is known."""
        return self._ask(lib.sherd_world_time_step)

    @property
    def step_count(self) -> int:
        """Steps since the start."""
        return self._ask(lib.sherd_world_step_count)

    @property
    def explicit_reason(self) -> "str | None":
        """Why the method `auto` would make explicit steps only; None: it may make implicit ones."""
        return text(self._ask(lib.sherd_world_explicit_reason))

    @property
    def element_time_step_s(self) -> float:
        """The stability limit of elements and free bodies beside material points, once stable_time_step_s() was asked; 0: none."""
        return self._ask(lib.sherd_world_element_time_step)

    def check_method(self, method: str) -> None:
        """Raises what the first step would refuse if the world's method were this one."""
        error = _c.sherd_error()
        check(self._ask(lib.sherd_world_check_method, method_number(method), ctypes.byref(error)), error)

    def solver_counts(self) -> SolverCounts:
        """Counts of the solver since the start."""
        return struct(self._ask(lib.sherd_world_solver_counts))

    def step_times(self) -> StepTimes:
        """What steps took in this process, by what was computed [s]."""
        return struct(self._ask(lib.sherd_world_step_times))

    def split_steps(self) -> SplitSteps:
        """Steps that were made in parts because surfaces met fast in them."""
        return struct(self._ask(lib.sherd_world_split_steps))

    def region(self, element: int) -> Region:
        """The part of the world that is stepped with an element."""
        with self._handle as world:
            count = lib.sherd_world_elements(world).count
            return struct(lib.sherd_world_region(world, _in_range(element, count, "element")))

    # ---- columns

    def elements(self, *names: str) -> Columns:
        """Copies of the elements' columns, or of some: x_m ... qx ... vx_m_s ... wx_rad_s."""
        with self._handle as world:
            view = lib.sherd_world_elements(world)
            return copies(view.count, column_pointers(view), names, "Elements")

    def bonds(self) -> Columns:
        """Copies: i, j, and broken (1) or intact (0)."""
        with self._handle as world:
            view = lib.sherd_world_bonds(world)
            return copies(view.count, {"i": view.i, "j": view.j, "broken": view.broken}, title="Bonds")

    def given(self) -> Columns:
        """Copies of what elements were given: rest_x_m, rest_y_m, rest_z_m, radius_m, mass_kg, material."""
        with self._handle as world:
            columns = _c.sherd_given_columns()
            try:
                if not lib.sherd_given_columns_create(ctypes.byref(columns), world):
                    raise MemoryError("not enough memory for columns")
                pointers = {"rest_x_m": columns.rest_x, "rest_y_m": columns.rest_y, "rest_z_m": columns.rest_z,
                            "radius_m": columns.radius, "mass_kg": columns.mass, "material": columns.material}
                return copies(lib.sherd_world_elements(world).count, pointers, title="Given")
            finally:
                lib.sherd_given_columns_free(ctypes.byref(columns))

    def _filled(self, function, kind, of_bonds=False):
        with self._handle as world:
            count = lib.sherd_world_bonds(world).count if of_bonds else lib.sherd_world_elements(world).count
            block, column = room(kind, count)
            function(world, block)
            return column()

    def bond_sections_m2(self) -> "Column":
        """Area of each bond's section."""
        return self._filled(lib.sherd_world_bond_sections, ctypes.c_float, of_bonds=True)

    def components(self) -> "Column":
        """First element of the component that each element is in."""
        return self._filled(lib.sherd_world_components, ctypes.c_int32)

    def stress_ratio(self) -> "Column":
        """Largest stress over strength of each element's intact bonds."""
        return self._filled(lib.sherd_world_stress_ratio, ctypes.c_float)

    def stress(self) -> Columns:
        """Cauchy stress of each element: xx_pa, yy_pa, zz_pa, xy_pa, yz_pa, zx_pa."""
        with self._handle as world:
            count = lib.sherd_world_elements(world).count
            block = (_c.sherd_stress * max(count, 1))()
            lib.sherd_world_stress(world, block)
        names = [name for name, _ in _c.sherd_stress._fields_]
        flat = copied(ctypes.cast(block, ctypes.POINTER(ctypes.c_float)), count * len(names))
        return Columns(count, {f"{n}_pa": flat[k::len(names)] for k, n in enumerate(names)}, "Stress")

    def points(self) -> Columns:
        """Copies of what material points have, in the order of elements: x_m ... vz_m_s, b_xx ... b_xy (the elastic left
        Cauchy-Green tensor F F^T), rest_volume_m3, state (J_p of snow, v_c of sand), piece, and the stress xx_pa ...
        zx_pa. Empty in worlds of elements and bonds, and before the first step."""
        with self._handle as world:
            count = lib.sherd_world_elements(world).count if lib.sherd_world_points(world).count > 0 else 0
            block = (_c.sherd_point_state * max(count, 1))()
            if count:
                lib.sherd_world_point_states(world, block)
        elements = self.elements("x_m", "y_m", "z_m", "vx_m_s", "vy_m_s", "vz_m_s")
        size = ctypes.sizeof(_c.sherd_point_state)
        columns = {name: elements[name] if count else elements[name][:0] for name in elements}
        columns |= member_columns(block, count, size, ctypes.c_double, 0, POINT_STATES)
        columns |= member_columns(block, count, size, ctypes.c_int64, len(POINT_STATES), ("piece",))
        stress = self.stress()
        columns |= {name: stress[name] if count else stress[name][:0] for name in stress}
        return Columns(count, columns, "Points")

    def bond_loads(self) -> Columns:
        """Load of each bond without damping: force_x_n, ... on j, moment_x_nm, ... about its middle, normal_force_n,
        shear_force_n, bending_moment_nm, twisting_moment_nm, energy_j, stress_ratio, damage, plastic_strain."""
        with self._handle as world:
            count = lib.sherd_world_bonds(world).count
            block = (_c.sherd_bond_load * max(count, 1))()
            lib.sherd_world_bond_loads(world, block)
        size = ctypes.sizeof(_c.sherd_bond_load)
        return Columns(count, member_columns(block, count, size, ctypes.c_double, 0, BOND_LOADS), "Bond loads")

    def glue(self) -> Columns:
        """Glue between pieces of bodies of points, broken glue included: i, j (points), piece_i, piece_j, body, x_m,
        y_m, z_m, area_m2, tensile_strength_pa, shear_strength_pa, traction_x_pa ... traction_z_pa (of j on i),
        normal_traction_pa (of tension above 0), shear_traction_pa, broken. Numbers in breaks() less the count of bonds()
        are rows here."""
        with self._handle as world:
            count = lib.sherd_world_glue_count(world)
            block = (_c.sherd_glue_particle * max(count, 1))()
            lib.sherd_world_glue(world, block)
        particle = _c.sherd_glue_particle
        size, first = ctypes.sizeof(particle), particle.place.offset // ctypes.sizeof(ctypes.c_double)
        columns = member_columns(block, count, size, ctypes.c_int32, 0, GLUE_ENDS)
        columns |= member_columns(block, count, size, ctypes.c_double, first, GLUE)
        columns |= member_columns(block, count, size, ctypes.c_uint8, particle.broken.offset, ("broken",))
        return Columns(count, columns, "Glue")

    def contact_forces(self) -> Columns:
        """What touched in the last step: i, j (elements), i_obstacle, j_obstacle (-1: none), x_m, y_m, z_m,
        normal_x, ..., normal_force_n, friction_x_n, ... (on i), overlap_m."""
        error, count = _c.sherd_error(), ctypes.c_int64()
        block = self._ask(lib.sherd_world_contact_forces, ctypes.byref(count), ctypes.byref(error))
        if not block:
            raise exception(error)
        try:
            size, n = ctypes.sizeof(_c.sherd_contact_force), count.value
            columns = member_columns(block, n, size, ctypes.c_int32, 0, CONTACT_SIDES)
            columns |= member_columns(block, n, size, ctypes.c_double, 2, CONTACT_FORCES)
        finally:
            lib.sherd_world_free_contact_forces(block)
        return Columns(n, columns, "Contact forces")

    def breaks(self) -> Columns:
        """Bonds and glue that broke since the start, or since forget_breaks(), as in Run.breaks."""
        with self._handle as world:
            count = lib.sherd_world_break_count(world)
            block = (_c.sherd_break * max(count, 1))()
            lib.sherd_world_breaks(world, block)
        return break_columns(block, count)

    @property
    def break_count(self) -> int:
        """How many breaks() has."""
        return self._ask(lib.sherd_world_break_count)

    @property
    def broken_count(self) -> int:
        """Bonds and particles of glue that are broken."""
        return self._ask(lib.sherd_world_broken_count)

    @property
    def torn_count(self) -> int:
        """Pairs of neighbouring points that have torn apart, beyond glue."""
        return self._ask(lib.sherd_world_torn_count)

    # ---- single things

    def element(self, element: int) -> ElementInfo:
        """What an element was given."""
        with self._handle as world:
            count = lib.sherd_world_elements(world).count
            return struct(lib.sherd_world_element(world, _in_range(element, count, "element")))

    def element_force_n(self, element: int) -> Vec3:
        """Force on an element without gravity."""
        with self._handle as world:
            count = lib.sherd_world_elements(world).count
            return vec3(lib.sherd_world_element_force(world, _in_range(element, count, "element")))

    @property
    def element_count(self) -> int:
        """Elements of all bodies."""
        return self._ask(lib.sherd_world_elements).count

    @property
    def bond_count(self) -> int:
        """Bonds, broken ones included."""
        return self._ask(lib.sherd_world_bonds).count

    @property
    def asleep_count(self) -> int:
        """Elements of bodies that are asleep now."""
        return self._ask(lib.sherd_world_asleep_count)

    @property
    def body_count(self) -> int:
        """Bodies, in the order in which they were added."""
        return self._ask(lib.sherd_world_body_count)

    def body(self, body: "Id | int") -> BodyInfo:
        """Name, elements and material of a body, by its id or number."""
        with self._handle as world:
            return struct(lib.sherd_world_body(world, _in_range(body, lib.sherd_world_body_count(world), "body", self)))

    def body_bonds(self, body: "Id | int") -> BodyBonds:
        """A body's bonds as it was added."""
        with self._handle as world:
            count = lib.sherd_world_body_count(world)
            return struct(lib.sherd_world_body_bonds(world, _in_range(body, count, "body", self)))

    def body_glue(self, body: "Id | int") -> BodyGlue:
        """Pieces of a body of points, and the glue between them. Without pieces: of elements, or not divided."""
        with self._handle as world:
            count = lib.sherd_world_body_count(world)
            return struct(lib.sherd_world_body_glue(world, _in_range(body, count, "body", self)))

    @property
    def obstacle_count(self) -> int:
        """Obstacles, in the order in which they were added."""
        return self._ask(lib.sherd_world_obstacle_count)

    def obstacle_pose(self, obstacle: "Id | int") -> Pose:
        """Where an obstacle is now."""
        with self._handle as world:
            count = lib.sherd_world_obstacle_count(world)
            return pose(lib.sherd_world_obstacle_pose(world, _in_range(obstacle, count, "obstacle", self)))

    # ---- sums

    def energy(self) -> Energy:
        """Energies stored, dissipated and done as work."""
        return struct(self._ask(lib.sherd_world_energy))

    def momentum_kg_m_s(self) -> Vec3:
        """Momentum of everything."""
        return vec3(self._ask(lib.sherd_world_momentum))

    def angular_momentum_kg_m2_s(self) -> Vec3:
        """Angular momentum about the origin."""
        return vec3(self._ask(lib.sherd_world_angular_momentum))

    @property
    def touching_count(self) -> int:
        """Pairs that pressed on each other in the last step."""
        return self._ask(lib.sherd_world_touching_count)

    @property
    def state_hash(self) -> int:
        """Fingerprint of positions, orientations, velocities and broken bonds."""
        return self._ask(lib.sherd_world_state_hash)

    def memory(self) -> MemoryUse:
        """Bytes that the world holds."""
        return struct(self._ask(lib.sherd_world_memory))

    def check(self) -> None:
        """Raises UnstableError when the state has faults that single steps don't show."""
        error = _c.sherd_error()
        check(self._ask(lib.sherd_world_check, ctypes.byref(error)), error)

    def save(self) -> bytes:
        """The whole changing state, for restore()."""
        error, state, size = _c.sherd_error(), ctypes.c_void_p(), ctypes.c_size_t()
        check(self._ask(lib.sherd_world_save, ctypes.byref(state), ctypes.byref(size), ctypes.byref(error)), error)
        try:
            return ctypes.string_at(state, size.value)
        finally:
            lib.sherd_world_free_state(state)

    def save_to(self, file) -> int:
        """Writes what save() returns to a binary file, in pieces, and returns how many bytes."""
        raised = []

        def take(_context, data, size):
            try:
                file.write(ctypes.string_at(data, size))
            except BaseException as problem:
                raised.append(problem)
            return not raised

        sink, error, size = _c.sherd_state_sink(), _c.sherd_error(), ctypes.c_size_t()
        sink.take = type(sink.take)(take)
        status = self._ask(lib.sherd_world_save_pieces, ctypes.byref(sink), ctypes.byref(size), ctypes.byref(error))
        if raised:
            raise raised[0]
        check(status, error)
        return size.value


# ---------------------------------------------------------------- a world of one's own

class World(WorldQueries):
    """Elements, bonds and obstacles, which are added first and then stepped."""

    materials: "dict[str, Id]"
    bodies: "dict[str, Id]"
    obstacles: "dict[str, Id]"
    drivers: "dict[str, Id]"

    @documented(WORLD)
    def __init__(self, **options):
        """An empty world. Arguments, all by name:"""
        keep, error = [], _c.sherd_error()
        definition = WORLD.make(options, keep)
        pointer = lib.sherd_world_create(ctypes.byref(definition), ctypes.byref(error))
        self._begin(owned(pointer, error), [])

    def __repr__(self):
        return f"World({self.element_count} elements, {len(self.bodies)} bodies, time_s={self.time_s!r})"

    def _begin(self, pointer, keep):
        self._handle = Handle(pointer, lib.sherd_world_destroy, "World", keep)
        self._unstable = None
        self._fragments = None
        self.materials, self.bodies, self.obstacles, self.drivers = {}, {}, {}, {}

    @classmethod
    def from_scene(cls, path: "Path", set: "Mapping[str, Any] | None" = None, variant: "str | None" = None, threads: int = 0) -> "World":
        """The world of a scene file; `bodies`, `obstacles` and `drivers` hold its ids by name."""
        scene = load_scene(path, set, variant)
        build, error = _c.sherd_scene_build(), _c.sherd_error()
        pointer = lib.sherd_scene_create_world(scene.pointer, threads, ctypes.byref(build), ctypes.byref(error))
        self = cls.__new__(cls)
        try:
            self._begin(owned(pointer, error), [scene])
            self._name_parts(scene.pointer.contents, build)
        finally:
            lib.sherd_scene_build_free(ctypes.byref(build))
        return self

    def _name_parts(self, scene, build):
        for kind, names, count, raws in (
                ("body", lambda k: scene.bodies[k].name, scene.body_count, build.body_ids),
                ("obstacle", lambda k: getattr(scene.obstacles[k], "def").name, scene.obstacle_count, build.obstacle_ids),
                ("driver", lambda k: getattr(scene.drivers[k], "def").name, scene.driver_count, build.driver_ids)):
            for k in range(count):
                raw = type(raws[k])(raws[k].index1, raws[k].generation)
                self._note(kind, text(names(k)), raw)

    def _note(self, kind, name, raw):
        table = {"material": self.materials, "body": self.bodies, "obstacle": self.obstacles,
                 "driver": self.drivers}[kind]
        made = Id(kind, raw.index1 - 1, name, raw, self)
        table[name if name and name not in table else f"{kind} {made.index}"] = made
        return made

    def close(self) -> None:
        """Frees the world now; otherwise that happens when nothing refers to it any more."""
        self._handle.close()

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *unused) -> None:
        self.close()

    # ---- building

    def _add(self, kind, function, definition, name):
        error = _c.sherd_error()
        with self._handle as world:
            self._handle.require_own(f"add_{kind}()")
            raw = function(world, ctypes.byref(definition), ctypes.byref(error))
        if raw.index1 == 0:
            raise exception(error)
        return self._note(kind, name, raw)

    @documented(MATERIAL)
    def add_material(self, **options) -> Id:
        """A material of elements and bonds. Arguments, all by name:"""
        keep = []
        definition = MATERIAL.make(options, keep)
        return self._add("material", lib.sherd_world_add_material, definition, options.get("name"))

    @documented(BODY)
    def add_body(self, material: Id, packing: "Packing | None" = None, *, x_m: "Numbers | None" = None,
                 y_m: "Numbers | None" = None, z_m: "Numbers | None" = None, radius_m: "Numbers | None" = None,
                 volume_m3: "Numbers | None" = None, bond_i: "Numbers | None" = None, bond_j: "Numbers | None" = None,
                 bond_section_m2: "Numbers | None" = None, bond_factor: "Numbers | None" = None,
                 weakness: "Sequence[Weakness]" = (), **options) -> Id:
        """A body: a packing's elements, or columns of places and radii in its rest frame.

        Bonds are those of the packing, between near elements, or, with bonding="list", between elements bond_i
        and bond_j of the body. Arguments, by name:
        """
        keep = [packing, list(weakness)]
        definition = BODY.make({}, keep)
        own = {"x": x_m, "y": y_m, "z": z_m, "radius": radius_m}
        if packing is not None:
            if any(column is not None for column in own.values()):
                raise TypeError("either a packing, or x_m, y_m, z_m and radius_m")
            if not isinstance(packing, Packing):
                raise TypeError(f"packing: a sherd.Packing is needed, got {packing!r}")
            packing._fill(definition, options.get("bonding") == "none")
        else:
            self._own_elements(definition, own, volume_m3, keep)
        self._own_bonds(definition, (bond_i, bond_j, bond_section_m2, bond_factor), keep)
        BODY.put(definition, options, keep, ("x_m", "y_m", "z_m", "radius_m", "packing", "bond_i", "bond_j"))
        self._weaken(definition, keep)
        definition.material = _id(material, "material", self)
        return self._add("body", lib.sherd_world_add_body, definition, options.get("name"))

    @staticmethod
    def _own_elements(definition, own, volume_m3, keep):
        missing = [f"{name}_m" for name, column in own.items() if column is None]
        if missing:
            raise TypeError(f"a packing, or columns of elements are needed: {', '.join(missing)}")
        count = None
        for name, column in own.items():
            pointer, count, kept = given(column, ctypes.c_double, f"{name}_m", count)
            setattr(definition, name, pointer)
            keep.append(kept)
        definition.count = count
        if volume_m3 is not None:
            definition.volume, _, kept = given(volume_m3, ctypes.c_double, "volume_m3", count)
            keep.append(kept)

    @staticmethod
    def _own_bonds(definition, columns, keep):
        if columns[0] is None:
            if any(column is not None for column in columns):
                raise TypeError("bond_i is needed with other columns of bonds")
            return
        if columns[1] is None:
            raise TypeError("bond_j is needed with bond_i")
        definition.bonding = _c.ENUMS["sherd_bonding"]["SHERD_BONDING_LIST"]
        count = None
        kinds = (ctypes.c_int32, ctypes.c_int32, ctypes.c_double, ctypes.c_double)
        for member, kind, column in zip(("bond_i", "bond_j", "bond_section", "bond_factor"), kinds, columns):
            if column is not None:
                pointer, count, kept = given(column, kind, member, count)
                setattr(definition, member, pointer)
                keep.append(kept)
        definition.bond_count = count

    @staticmethod
    def _weaken(definition, keep):
        patterns = keep[1]
        if not patterns:
            return
        if not all(isinstance(p, Weakness) for p in patterns):
            raise TypeError("weakness: a list of sherd.Weakness is needed")
        items = (ctypes.POINTER(_c.sherd_weakness) * len(patterns))(*(p._handle.pointer for p in patterns))
        patterns_list = _c.sherd_weakness_list(len(patterns), items)
        keep += [items, patterns_list]
        definition.bond_scale = ctypes.cast(lib.sherd_weakness_list_scale, _c.sherd_bond_scale_function)
        definition.bond_scale_context = ctypes.cast(ctypes.pointer(patterns_list), ctypes.c_void_p)
        definition.cut_faces = ctypes.cast(lib.sherd_weakness_list_faces, _c.sherd_cut_face_function)
        definition.cut_faces_context = definition.bond_scale_context

    @documented(OBSTACLE)
    def add_obstacle(self, shape: "Shape | None" = None, motion: "Motion | None" = None, **options) -> Id:
        """An obstacle: a half-space (is_plane=True) or a shape; fixed, driven by a motion, or free.

        Arguments, by name:
        """
        keep = []
        definition = OBSTACLE.make(options, keep, ("shape", "motion"))
        if shape is not None:
            definition.shape = shape_pointer(shape, "shape")
            self._handle.keep.append(shape)  # the world borrows it
        if motion is not None:
            motion._put(definition.motion, keep)
            if "kind" not in options:
                definition.kind = _c.ENUMS["sherd_obstacle_kind"]["SHERD_OBSTACLE_DRIVEN"]
        return self._add("obstacle", lib.sherd_world_add_obstacle, definition, options.get("name"))

    @documented(DRIVER)
    def add_driver(self, region_body: "Id | None" = None, region_shape: "Shape | None" = None,
                   motion: "Motion | None" = None, free_axes: "Sequence[bool]" = (False, False, False),
                   force_times_s: "Numbers | None" = None, force_factors: "Numbers | None" = None, **options) -> Id:
        """What moves or loads the elements of a region, chosen where they are at time 0, or measures them only.

        Arguments, by name:
        """
        keep = []
        extra = ("region_body", "region_shape", "motion", "free_axes", "force_times_s", "force_factors")
        definition = DRIVER.make(options, keep, extra)
        drives = _c.ENUMS["sherd_drive"]
        if "drive" not in options:
            kinds = [kind for kind in ("force", "wind", "blast", "pressure")
                     if any(name.startswith(kind + "_") for name in options)]
            definition.drive = drives["SHERD_DRIVE_" + ("motion" if motion else [*kinds, "none"][0]).upper()]
        if region_body is not None:
            definition.region.body = _id(region_body, "body", self)
        if region_shape is not None:
            definition.region.shape = shape_pointer(region_shape, "region_shape")
            self._handle.keep.append(region_shape)
        if motion is not None:
            motion._put(definition.motion, keep)
        definition.free_axes[:] = [bool(axis) for axis in free_axes]
        if force_times_s is not None:
            definition.force_times, count, kept = given(force_times_s, ctypes.c_double, "force_times_s")
            definition.force_factors, _, kept_too = given(force_factors, ctypes.c_double, "force_factors", count)
            definition.force_key_count = count
            keep += [kept, kept_too]
        return self._add("driver", lib.sherd_world_add_driver, definition, options.get("name"))

    # ---- stepping

    def _change(self, call, function, *arguments):
        """A call that may change the world's memory."""
        error = _c.sherd_error()
        with self._handle as world:
            self._handle.require_own(call)
            self._judged(function(world, *arguments, ctypes.byref(error)), error)

    def _judged(self, status, error):
        if status == _c.ENUMS["sherd_status"]["SHERD_ERROR_UNSTABLE"]:
            self._unstable = exception(error)
        check(status, error)

    def stable_time_step_s(self) -> float:
        """The stability limit of explicit steps."""
        error = _c.sherd_error()
        with self._handle as world:
            self._handle.require_own("stable_time_step_s()")
            limit = lib.sherd_world_stable_time_step(world, ctypes.byref(error))
        if limit <= 0.0:
            raise exception(error)
        return limit

    def set_time_step(self, time_step_s: float) -> None:
        """Fixes the step for the rest of the run, before the first one."""
        self._change("set_time_step()", lib.sherd_world_set_time_step, time_step_s)

    def _steps(self, call, advance, finished):
        """Calls advance(world, at most so many steps, error) until finished(steps made, steps asked for)."""
        error, most = _c.sherd_error(), 1
        with self._handle as world:
            self._handle.require_own(call)
            while True:
                if self._unstable is not None:
                    raise UnstableError(self._unstable.what, self._unstable.where, self._unstable.hint)
                before, clock = lib.sherd_world_step_count(world), time.perf_counter()
                asked = advance(world, most, error)
                took = time.perf_counter() - clock
                if finished(lib.sherd_world_step_count(world) - before, asked):
                    return
                most = max(most // 2, 1) if took > SLICE else most * 2 if took < 0.5 * SLICE else most

    def step(self, steps: int = 1) -> None:
        """Advances by so many steps; the explicit method only. Other threads run meanwhile; Ctrl-C is heard."""
        left = operator.index(steps)
        if left < 0:
            raise ValueError(f"steps: must be >= 0, got {left}")

        def advance(world, most, error):
            asked = min(most, left)
            self._judged(lib.sherd_world_step(world, asked, ctypes.byref(error)), error)
            return asked

        def finished(_, asked):
            nonlocal left
            left -= asked
            return left <= 0
        self._steps("step()", advance, finished)

    def advance(self, until_s: float) -> None:
        """Advances to a time, with as many steps as the method needs. Ctrl-C is heard between steps."""
        def advance(world, most, error):
            self._judged(lib.sherd_world_advance_towards(world, until_s, most, ctypes.byref(error)), error)
            return most
        self._steps("advance()", advance, lambda made, asked: made < asked)

    def advance_towards(self, until_s: float, most_steps: int) -> None:
        """As advance(), but stops after so many steps on the way; results do not depend on stops."""
        if self._unstable is not None:
            raise UnstableError(self._unstable.what, self._unstable.where, self._unstable.hint)
        self._change("advance_towards()", lib.sherd_world_advance_towards, until_s, most_steps)

    # ---- moving what is driven

    def move(self, moved: Id, until_s: float, translation_m: "Vector | None" = None,
             rotation_rad: "Vector | None" = None) -> None:
        """A driver's region or a driven obstacle goes on straight from where it is, so that at a later time it has this
        translation and rotation from the start, and then stays there. None: as it is.

        To be called again before that time has passed, for a course that is decided as the world goes. What its
        Motion prescribed from now on is forgotten; Motion() begins one that stands still. It is part of save(), and
        the same calls at the same times give the same results.
        """
        now = self.motion(moved)
        move = {"driver": lib.sherd_world_move_driver, "obstacle": lib.sherd_world_move_obstacle}[moved.kind]
        key = _c.sherd_motion_key(float(until_s), c_vec3(translation_m if translation_m is not None else now.translation_m,
                                                         "translation_m"),
                                  c_vec3(rotation_rad if rotation_rad is not None else now.rotation_rad, "rotation_rad"))
        self._change("move()", move, _id(moved, moved.kind, self),
                     ctypes.byref(key))

    def drive(self, courses: "Mapping[Id, Callable[[World], Any]]", until_s: float, every_s: float) -> float:
        """Advances to a time, and asks every so often how what is driven goes on: courses = {driver or driven obstacle:
        function}. function(world) answers with a velocity [m/s], a pair of velocity and rate of the rotation vector
        [rad/s], None to stand still, or sherd.STOP, which ends it. That holds until the next time. In between, the force on
        a driver is averaged anew each time (probe_driver). Returns the time reached.

        The explicit method's steps are all alike: every_s must be a whole number of them (set_time_step).
        """
        if not every_s > 0:
            raise ValueError(f"every_s: must be > 0, got {every_s!r}")
        begin = self.time_s
        for k in range(max(math.ceil((until_s - begin) / every_s - 1e-9), 0)):
            now, then = self.time_s, min(begin + (k + 1) * every_s, until_s)
            answers = {moved: course(self) for moved, course in courses.items()}
            if any(isinstance(answer, str) and answer == STOP for answer in answers.values()):
                break
            for moved, answer in answers.items():
                self._go_on(moved, answer, then - now, then)
            self.reset_probes()
            self.advance(then)
        return self.time_s

    def _go_on(self, moved, rates, length, then):
        velocity, turning = ((rates, None) if rates is None or len(rates) != 2 else rates)
        at = self.motion(moved)
        shifted, turned = ([x + length * v for x, v in zip(start, rate or (0.0, 0.0, 0.0))]
                           for start, rate in ((at.translation_m, velocity), (at.rotation_rad, turning)))
        self.move(moved, then, shifted, turned)

    def motion(self, moved: Id) -> MotionKey:
        """Where a driver's region or a driven obstacle is now: time_s, translation_m and rotation_rad from the start.
        Zeros before the first step of a driven obstacle, and of what moves by no Motion."""
        if not isinstance(moved, Id) or moved.kind not in ("driver", "obstacle"):
            raise TypeError(f"a driver or an obstacle is needed, got {moved!r}")
        key = {"driver": lib.sherd_world_driver_key, "obstacle": lib.sherd_world_obstacle_key}[moved.kind]
        return struct(self._ask(key, _id(moved, moved.kind, self)))

    def restore(self, state: bytes) -> None:
        """Goes back to a saved state of a world that was built alike, bit for bit."""
        self._change("restore()", lib.sherd_world_restore, bytes(state), len(state))
        self._unstable, self._fragments = None, None

    # ---- measuring

    def probe_driver(self, driver: Id) -> ProbeReading:
        """Force and torque on a driver's region, averaged since reset_probes(), and its motion."""
        return struct(self._ask(lib.sherd_world_probe_driver, _id(driver, "driver", self)))

    def probe_obstacle(self, obstacle: Id) -> ProbeReading:
        """Force and torque on an obstacle, averaged since reset_probes(), and its motion."""
        return struct(self._ask(lib.sherd_world_probe_obstacle, _id(obstacle, "obstacle", self)))

    def reset_probes(self) -> None:
        """Begins to average anew."""
        with self._handle as world:
            self._handle.require_own("reset_probes()")
            lib.sherd_world_reset_probes(world)

    def forget_breaks(self) -> None:
        """Empties the list of breaks()."""
        with self._handle as world:
            self._handle.require_own("forget_breaks()")
            lib.sherd_world_forget_breaks(world)

    def fragments(self) -> FragmentList:
        """What hangs together by intact bonds; ids last from call to call."""
        columns = self.given()
        with self._handle as world:
            if self._fragments is None:
                error = _c.sherd_error()
                tracker = owned(lib.sherd_fragments_create(ctypes.byref(error)), error)
                self._fragments = Handle(tracker, lib.sherd_fragments_destroy, "fragments")
            return fragments_of(self._fragments.pointer, columns, lib.sherd_world_bonds(world))

    # ---- borrowing

    def borrow(self) -> "Borrowed":
        """`with world.borrow() as view:` gives the world's own columns, read-only and without copies.

        view.elements.x_m and so on, view.bonds.broken. In the block the world can't be stepped or changed. At its
        end no array or slice of them may be left; what is left then raises BorrowError, stays readable, and keeps
        the world from being changed until it is gone.
        """
        return Borrowed(self._handle)


def fragments_of(tracker, columns, bonds):
    """The fragments of masses, radii and bonds, as a list."""
    count, error, view = len(columns), _c.sherd_error(), _c.sherd_fragment_input()
    view.element_count, view.bond_count = count, bonds.count
    view.bond_i, view.bond_j, view.bond_broken = bonds.i, bonds.j, bonds.broken
    view.mass, _, kept = given(columns.mass_kg, ctypes.c_double, "mass_kg")
    view.radius, _, kept_too = given(columns.radius_m, ctypes.c_double, "radius_m")
    check(lib.sherd_fragments_update(tracker, ctypes.byref(view), ctypes.byref(error)), error)
    del kept, kept_too
    return FragmentList(lib.sherd_fragments_view(tracker), count)


class Borrowed:
    """A world's own columns, within a `with` block."""

    def __init__(self, handle):
        self._handle = handle
        self._blocks = []  # one for each `with` that is open; columns are of one of them

    def __enter__(self) -> "Borrowed":
        with self._handle:
            self._handle.borrowing += 1
            self._blocks.append(object())
        return self

    def __exit__(self, kind, value, traceback) -> None:
        self._blocks.pop()
        self._handle.borrowing -= 1
        names = self._handle.lender.lent_after_collection()
        if names and kind is None:
            raise BorrowError(f"columns outlive `with world.borrow()`: {', '.join(names)}", self._handle.what,
                              "let go of arrays and slices within the block, or copy them")

    def _lend(self, block, name, pointer, count):
        # The world may have changed since an earlier block, or be gone.
        if not any(block is one for one in self._blocks):
            raise BorrowError("columns can be borrowed within `with world.borrow()` only", self._handle.what)
        with self._handle:
            return self._handle.lender.lend(name, pointer, count, self._handle)

    def _columns(self, ask, pointers):
        if not self._blocks:
            raise BorrowError("columns can be borrowed within `with world.borrow()` only", self._handle.what)
        with self._handle as world:
            view = ask(world)
        return LentColumns(self, self._blocks[-1], view.count, pointers(view))

    @property
    def elements(self) -> "Any":
        """x_m ... qx ... vx_m_s ... wx_rad_s."""
        return self._columns(lib.sherd_world_elements, column_pointers)

    @property
    def points(self) -> "Any":
        """Material points as the world keeps them, in an order that steps change: element (whose number it is; -1: it
        only fills up), x_m ... vz_m_s, b_xx ... b_xy, rest_volume_m3, state, piece."""
        return self._columns(lib.sherd_world_points, column_pointers)

    @property
    def bonds(self) -> "Any":
        """i, j, broken."""
        return self._columns(lib.sherd_world_bonds, lambda v: {"i": v.i, "j": v.j, "broken": v.broken})


# ---------------------------------------------------------------- scenes

def setting(path, value):
    """"path=value" of a value that YAML reads the same."""
    if isinstance(value, bool):
        value = "true" if value else "false"
    elif value is None:
        value = "null"
    elif isinstance(value, dict):
        value = "{" + ", ".join(f"{k}: {setting('', v)[1:]}" for k, v in value.items()) + "}"
    elif isinstance(value, (list, tuple)) or hasattr(value, "tolist") and getattr(value, "ndim", 0):
        value = "[" + ", ".join(setting("", v)[1:] for v in value) + "]"
    elif isinstance(value, float) or hasattr(value, "dtype"):
        value = repr(float(value)) if float(value) != int_or_none(value) else str(int_or_none(value))
    return f"{path}={value}"


def int_or_none(value):
    """The whole number that a finite value is, else None."""
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < 2**53 else None


def scene_options(settings, variant, keep):
    """sherd_scene_options of {path: value}."""
    if settings is not None and not hasattr(settings, "items"):
        raise TypeError(f"set: a dictionary {{path: value}} is needed, got {settings!r}")
    texts = [encoded(setting(path, value)) for path, value in (settings or {}).items()]
    block = (ctypes.c_char_p * max(len(texts), 1))(*texts)
    chosen = encoded(variant)
    keep += [texts, block, chosen]
    return _c.sherd_scene_options(chosen, len(texts), block)


def load_scene(path, settings=None, variant=None):
    """A Handle of a scene; raises SceneError with everything that is wrong."""
    keep, diagnostics = [], _c.sherd_diagnostics()
    options = scene_options(settings, variant, keep)
    pointer = lib.sherd_scene_load(encoded(path), ctypes.byref(options), ctypes.byref(diagnostics))
    try:
        if pointer:
            return Handle(pointer, lib.sherd_scene_destroy, "scene")
        errors = [exception(diagnostics.errors[k]) for k in range(diagnostics.count)]
    finally:
        lib.sherd_diagnostics_free(ctypes.byref(diagnostics))
    if not errors:
        raise MemoryError("not enough memory for the scene")
    if len(errors) == 1 and not isinstance(errors[0], InputError):
        raise errors[0]
    raise SceneError(errors[0].what if len(errors) == 1 else "\n".join(str(e) for e in errors),
                     errors[0].where if len(errors) == 1 else "", errors[0].hint if len(errors) == 1 else "", errors)
