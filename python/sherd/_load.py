"""Finished runs, and those in progress, read from their folders without simulating."""
import ctypes
import math
import operator
import os

from . import _c
from ._columns import Columns, copied, copies, given
from ._errors import InputError
from ._handle import Handle
from ._library import check, encoded, lib, owned, text
from ._notebook import Stacked
from ._results import Pose, Stats, pose, struct
from ._world import FragmentList, break_columns

_KINDS = _c.ENUMS["sherd_column_kind"]
_PER_ELEMENT = _c.ENUMS["sherd_run_per"]["SHERD_RUN_PER_ELEMENT"]


def _cell(kind, cell):
    if kind == _KINDS["SHERD_COLUMN_HASH"]:
        return cell.integer & (1 << 64) - 1
    if kind == _KINDS["SHERD_COLUMN_INTEGER"]:
        return cell.integer
    return text(cell.text) if kind == _KINDS["SHERD_COLUMN_TEXT"] else cell.number


def _packed(values):
    """Numbers as a column; whole numbers, texts and hashes as they are, in a list."""

    if values and all(isinstance(v, float) for v in values):
        return given(values, ctypes.c_double, "column")[2]
    if values and all(isinstance(v, int) and abs(v) < 2**63 for v in values):
        return given(values, ctypes.c_int64, "column")[2]
    return values


# Columns of text, and the words that may be there.
WORDS = {"probe": (), "kind": ("driver", "obstacle", "probe")}


class Table(Columns):
    """A table: columns by name, as attributes and by [...]."""

    def where(self, **values: "Any") -> "Table":
        """The rows in which columns have these values: probes.where(probe="floor"). A name that no row has is an
        InputError, which lists those that there are."""
        for name, value in values.items():
            self._check_name(name, value)
        rows = [k for k in range(len(self)) if all(self[name][k] == value for name, value in values.items())]
        return Table(len(rows), {n: _packed([_plain(self[n][k]) for k in rows]) for n in self.names}, "Table")

    def _check_name(self, column, value):
        """Names and words are known, so that one that is not there is a slip; numbers may have no row."""
        there = list(self[column])
        if column not in WORDS or value in there or value in WORDS[column]:
            return
        known = sorted(set(there)) or sorted(WORDS[column])
        raise InputError(f"no row has {column} {value!r}", hint=f"there are {', '.join(known)}" if known else
                         "the table has no rows: obstacles, drivers and regions that `probes:` lists are probed")


def _plain(value):
    return value.item() if hasattr(value, "item") else value


def _table_of_file(path):
    error = _c.sherd_error()
    table = owned(lib.sherd_table_read(encoded(path), ctypes.byref(error)), error)
    try:
        count, columns = lib.sherd_table_row_count(table), {}
        for c in range(lib.sherd_table_column_count(table)):
            texts, name = [text(lib.sherd_table_text(table, r, c)) for r in range(count)], \
                text(lib.sherd_table_column_name(table, c))
            columns[name] = texts if name in WORDS else _packed([_value(t) for t in texts])
        return Table(count, columns, "Table")
    finally:
        lib.sherd_table_destroy(table)


def _value(cell):
    if cell == "":
        return math.nan
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            pass
    return cell


class Frame:
    """One frame of a run. Columns are copies: they are the caller's own."""

    index: int
    time_s: float
    stats: Stats
    elements: Columns
    bonds: Columns
    breaks: Columns
    obstacles: "dict[str, Pose]"

    def __init__(self, frame, model):
        n, m = model.element_count, model.bond_count
        self.index = frame.index
        self.time_s = frame.time
        self.stats = struct(frame.stats)
        self.elements = copies(n, {
            "x_m": frame.x, "y_m": frame.y, "z_m": frame.z, "qx": frame.qx, "qy": frame.qy, "qz": frame.qz,
            "qw": frame.qw, "vx_m_s": frame.vx, "vy_m_s": frame.vy, "vz_m_s": frame.vz,
            "stress_ratio": frame.stress_ratio, "fragment": frame.element_fragment,
            **self._further(frame, True)}, title="Elements")
        self.bonds = copies(m, {"i": model.bond_i, "j": model.bond_j, "broken": frame.bond_broken,
                                         **self._further(frame, False)}, title="Bonds")
        self.breaks = break_columns(frame.breaks, frame.break_count)
        names = [text(model.obstacle_names[k]) for k in range(model.obstacle_count)]
        self.obstacles = {name: pose(frame.obstacles[k]) for k, name in enumerate(names)}

    @staticmethod
    def _further(frame, of_elements):
        """Columns that a model or a law adds."""
        found = [frame.columns[k] for k in range(frame.column_count)]
        return {text(c.name): c.values for c in found if (c.per == _PER_ELEMENT) == of_elements}

    def __repr__(self):
        return f"Frame({self.index}, time_s={self.time_s!r}, {len(self.elements)} elements)"


class Frames:
    """A run's frames, read when asked for: len(), [k], slices, iteration."""

    def __init__(self, run):
        self._run = run

    def __len__(self) -> int:
        with self._run._handle as pointer:
            return lib.sherd_run_frame_count(pointer)

    def __getitem__(self, index) -> "Any":
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        number, count = operator.index(index), len(self)
        if not -count <= number < count:
            raise IndexError(f"there is no frame {number}; there are {count}")
        return self._run._read(number % count, lambda frame, model: Frame(frame, model))

    def __iter__(self) -> "Iterator[Frame]":
        return (self[k] for k in range(len(self)))

    def stacked(self, name: str) -> Stacked:
        """A column of the elements over all frames, which are read when asked for: stacked("stress_ratio")."""
        return Stacked(self, name)


class Run:
    """A run in a folder: frames, stats, probes, breaks, fragments. `result` is there when sherd.run made it."""

    folder: str
    name: str
    scene_path: str
    scene_text: str
    variant: str
    version: str
    duration_s: float
    frame_interval_s: float
    frames_planned: int
    result: "RunResult | None" = None
    messages: "Sequence[tuple[str, str]]" = ()  # (level, text)

    def __init__(self, path: "Path"):
        self.folder = os.path.dirname(path) if os.path.isfile(path) else os.fspath(path)
        error = _c.sherd_error()
        pointer = owned(lib.sherd_run_open(encoded(path), ctypes.byref(error)), error)
        self._handle = Handle(pointer, lib.sherd_run_close, "run")
        info = lib.sherd_run_get_info(pointer)
        self.name = text(info.name)
        self.scene_path = text(info.scene_path)
        self.scene_text = text(info.scene_text)
        self.variant = text(info.variant)
        self.version = text(info.version)
        self.duration_s = info.duration
        self.frame_interval_s = info.frame_interval
        self.frames_planned = info.frames_planned

    def __repr__(self):
        return f"Run({self.folder!r}, {len(self.frames)} of {self.frames_planned} frames)"

    def close(self) -> None:
        """Closes the file now; otherwise that happens when nothing refers to the run any more."""
        self._handle.close()

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *unused):
        self.close()

    @property
    def frames(self) -> Frames:
        """The frames, read when asked for."""
        return Frames(self)

    def _read(self, index, make):
        error = _c.sherd_error()
        with self._handle as run:
            frame = owned(lib.sherd_run_read_frame(run, index, ctypes.byref(error)), error)
            try:
                return make(frame.contents, lib.sherd_run_get_model(run))
            finally:
                lib.sherd_run_frame_destroy(frame)

    def given(self) -> Columns:
        """Copies of what elements were given: rest_x_m, rest_y_m, rest_z_m, radius_m, mass_kg, material."""
        with self._handle as run:
            m = lib.sherd_run_get_model(run)
            return copies(m.element_count, {
                "rest_x_m": m.rest_x, "rest_y_m": m.rest_y, "rest_z_m": m.rest_z, "radius_m": m.radius,
                "mass_kg": m.mass, "material": m.material}, title="Given")

    def bond_sections_m2(self) -> "Column":
        """Area of each bond's section; empty where the file does not tell."""
        with self._handle as run:
            m = lib.sherd_run_get_model(run)
            return copied(m.bond_section, m.bond_count)

    @property
    def bodies(self) -> "dict[str, BodyInfo]":
        """{name: first and count of its elements, material}."""
        with self._handle as run:
            m = lib.sherd_run_get_model(run)
            infos = [struct(m.bodies[k]) for k in range(m.body_count)]
        return {info.name: info for info in infos}

    @property
    def stats(self) -> Table:
        """One row per frame, the columns of stats.csv: time_s, kinetic_j, broken_bonds, fragments, ..."""
        names = lib.sherd_stats_columns()
        count = _c.CONSTANTS["SHERD_STATS_COLUMN_COUNT"]
        rows, row, cells = [], _c.sherd_run_stats(), (_c.sherd_cell * count)()
        with self._handle as run:
            for k in range(lib.sherd_run_frame_count(run)):
                error = _c.sherd_error()
                check(lib.sherd_run_read_stats(run, k, ctypes.byref(row), ctypes.byref(error)), error)
                lib.sherd_stats_cells(ctypes.byref(row), cells)
                rows.append([_cell(names[c].kind, cells[c]) for c in range(count)])
        return Table(len(rows), {text(names[c].name): _packed([r[c] for r in rows]) for c in range(count)}, "Table")

    @property
    def probes(self) -> Table:
        """probes.csv: time_s, probe, force_x_n, ... (means between rows), displacement_x_m, ..., force_x_least_n,
        force_x_largest_n, ... (of all steps between rows)."""
        return _table_of_file(os.path.join(self.folder, "probes.csv"))

    @property
    def breaks(self) -> Columns:
        """All bonds and glue that broke: bond, time_s, x_m, y_m, z_m, energy_j, i, j, body, piece_i and piece_j (of
        glue; -1: a bond), mode."""
        error = _c.sherd_error()
        with self._handle as run:
            last = lib.sherd_run_frame_count(run) - 1
            breaks = owned(lib.sherd_run_read_breaks(run, last, ctypes.byref(error)), error)
            try:
                return break_columns(breaks.contents.events, breaks.contents.event_count)
            finally:
                lib.sherd_run_breaks_destroy(breaks)

    def fragments(self, frame: int = -1) -> FragmentList:
        """Fragments of a frame, by default of the last one."""
        count = len(self.frames)
        if not -count <= frame < count:
            raise IndexError(f"there is no frame {frame}; there are {count}")
        return self._read(frame % count, _fragments)


def _fragments(frame, model):
    """What hangs together, with the ids that the run gave."""
    error = _c.sherd_error()
    labels, n = frame.element_fragment, model.element_count
    tracker = owned(lib.sherd_fragments_create(ctypes.byref(error)), error)
    try:
        most = max(labels[k] for k in range(n)) if n else 0
        check(lib.sherd_fragments_restore(tracker, labels, n, most + 1, ctypes.byref(error)), error)
        first = {}  # element of each label; material points have no bonds that could tell
        component = (ctypes.c_int32 * max(n, 1))(*(first.setdefault(labels[k], k) for k in range(n)))
        given = _c.sherd_fragment_input(element_count=n, mass=model.mass, radius=model.radius, component=component)
        check(lib.sherd_fragments_update(tracker, ctypes.byref(given), ctypes.byref(error)), error)
        return FragmentList(lib.sherd_fragments_view(tracker), n)
    finally:
        lib.sherd_fragments_destroy(tracker)


def load(path: "Path") -> Run:
    """A run from its folder, or from the run file in it, without simulating."""
    return Run(os.fspath(path))
