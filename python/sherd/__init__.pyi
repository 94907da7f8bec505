# Written by scripts/make-python-stubs: do not edit.
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

Vector = Sequence[float]
Rotation = Sequence[float]  # a unit quaternion x, y, z, w
Numbers = Any  # a sequence, an array.array, a buffer or an array of numpy
Column = Any  # an array of numpy; without numpy an array.array
Path = str | os.PathLike[str]


class Borrowed:
    """A world's own columns, within a `with` block."""
    def __enter__(self) -> Borrowed: ...
    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None: ...
    @property
    def elements(self) -> Any:
        """x_m ... qx ... vx_m_s ... wx_rad_s."""
    @property
    def points(self) -> Any:
        """Material points as the world keeps them, in an order that steps change: element (whose number it is; -1: it
        only fills up), x_m ... vz_m_s, b_xx ... b_xy, rest_volume_m3, state, piece.
        """
    @property
    def bonds(self) -> Any:
        """i, j, broken."""


class Columns:
    """Columns of equal length, as attributes with their units in the names. Copies: they are the caller's own."""
    def __len__(self) -> int: ...
    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
    def __getitem__(self, name: str) -> Column: ...
    def __getattr__(self, name: str) -> Column: ...
    def __iter__(self) -> Iterator[str]: ...
    def keys(self) -> tuple[str, ...]:
        """Names of the columns; so dict(columns) works, and pandas.DataFrame(dict(columns))."""
    def pandas(self) -> Any:
        """A pandas.DataFrame with these columns."""


class Frame:
    """One frame of a run. Columns are copies: they are the caller's own."""
    index: int
    time_s: float
    stats: Stats
    elements: Columns
    bonds: Columns
    breaks: Columns
    obstacles: dict[str, Pose]


class Frames:
    """A run's frames, read when asked for: len(), [k], slices, iteration."""
    def __len__(self) -> int: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __iter__(self) -> Iterator[Frame]: ...
    def stacked(self, name: str) -> Stacked:
        """A column of the elements over all frames, which are read when asked for: stacked("stress_ratio")."""


class Id:
    """A material, body, obstacle or driver of a world."""
    kind: str
    index: int
    name: str | None


class Motion:
    """Prescribed motion: a table over time, linear in between, plus constant velocities."""
    def __init__(
        self,
        times_s: Numbers = ...,
        translations_m: Sequence[Vector] = ...,
        rotations_rad: Sequence[Vector] = ...,
        *,
        velocity_m_s: Vector = ...,
        angular_velocity_rad_s: Vector = ...,
        pivot_m: Vector = ...,
    ) -> None:
        """Without a table and velocities: held fast. Translations and rotations are from the start.

        velocity_m_s: constant velocity (default (0, 0, 0))
        angular_velocity_rad_s: constant angular velocity about the pivot, world axes (default (0, 0, 0))
        pivot_m: centre of rotation, in the world at time 0 (default (0, 0, 0))
        """
    @classmethod
    def sampled(cls, function: Callable[[float], Any], until_s: float, every_s: float, **options: Any) -> Motion:
        """From a function of time: function(t) is a translation [m], or a pair of translation and rotation [rad].

        It is called now, for the times 0, every_s, ... until_s; steps in between follow straight lines.
        """


class Packing:
    """Elements that fill a shape, in its frame."""
    def __init__(
        self,
        shape: Shape,
        *,
        kind: Literal['hcp', 'layers', 'cubic', 'random', 'tetra', 'shell', 'points'] = ...,
        radius_m: float = ...,
        spacing_m: float = ...,
        radius_tolerance: float = ...,
        layers: int = ...,
        orientation: Literal['auto', 'axes'] = ...,
        angle_rad: float = ...,
        jitter: float = ...,
        seed: int = ...,
        size_low: float = ...,
        size_high: float = ...,
        sizes: Literal['radius', 'volume'] = ...,
        bond_range: float = ...,
        tetra_size_m: float = ...,
        tetra_model: Literal['bonded', 'fem'] = ...,
        tetra_generator: Literal['lattice', 'gmsh'] = ...,
        tetra_jitter: float = ...,
        tetra_quality: float = ...,
        tetra_time_limit_s: float = ...,
        tetra_mesh_file: str | None = ...,
        tetra_mesh_scale: float = ...,
        max_elements: int = ...,
        threads: int = ...,
    ) -> None:
        """Fills a shape with elements.

        kind: kind of packing; one of hcp, layers, cubic, random, tetra, shell, points (default 'hcp')
        radius_m: radius of an element. random: unit of size_ratio; radii vary by up to 2 %, so that the packing jams (8 % smaller at most with fewer than 30 elements). shell: half the distance of neighbouring elements; > 0 (default 0)
        spacing_m: points: distance of neighbouring points, the same in all bodies of a scene. Grid nodes are two spacings apart; thinner walls and gaps are not resolved; > 0 (default 0)
        radius_tolerance: largest relative change of the radius to fit the shape's thickness; between 0 and 0.5 (default 0.1)
        layers: layers, shell: number of layers; between 1 and 1e6 (default 0)
        orientation: auto: layers across the thinnest extent; axes: layers perpendicular to z, rows along x. sherd check and sherd run report gaps of more than 0.3 radii below a flat face: a load on that face meets no element before it has closed the gap; one of auto, axes (default 'auto')
        angle_rad: rotation of the layers' rows about the layers' normal. At 0, rows follow the longest extent, or x, and two directions at 60 degrees to it. Cracks tend to follow rows: for free crack paths use random, or compare angles; between -180 and 180 deg (default 0)
        jitter: largest random displacement of centres as a fraction of the radius; of points along each axis, as a fraction of spacing; rows of points move as one, which keeps the density; between 0 and 0.5 (default 0)
        seed: random seed: each gives another packing (default 0)
        size_low: smallest size, in radii; between 0.05 and 20 (default 1)
        size_high: largest size, in radii; between 0.05 and 20 (default 1)
        sizes: quantity distributed uniformly between the two sizes: radius, or volume of the elements; one of radius, volume (default 'radius')
        bond_range: largest distance of the centres of bonded elements over the sum of their radii: δ0 of [RBDEM] 4.1. Replaces bond_reach; between 1 and 1.5 (default 1.1)
        tetra_size_m: mean edge length of tetrahedra; > 0 (default 0)
        tetra_model: bonded: elements, bonded across faces; fem: linear finite elements that separate at nodes, for comparison (finite elements); one of bonded, fem (default 'bonded')
        tetra_generator: lattice: built in, follows the surface and keeps sharp edges; gmsh: the gmsh program, if installed; one of lattice, gmsh (default 'lattice')
        tetra_jitter: lattice: random displacement of vertices as a fraction of size; without it cracks show the lattice's planes; between 0 and 0.5 (default 0.3)
        tetra_quality: lattice: lower bound on the quality of tetrahedra that jitter keeps (6 sqrt2 V / l_rms^3: 1 is regular, 0 flat); between 0 and 0.5 (default 0.25)
        tetra_time_limit_s: gmsh: time after which it is stopped; > 0 (default 10)
        tetra_mesh_file: a Gmsh .msh file (2.2 or 4.1, text or binary), relative to the scene's folder, instead of the keys above. The body then needs no shape: its surface is the mesh's. Tetrahedra without volume and physical groups are ignored, and sherd check says so (default None)
        tetra_mesh_scale: mesh_file: metres per unit of the file; > 0 (default 1)
        max_elements: largest number of elements; more are an error; >= 1 (default 50000000)
        threads: number of threads, 0: all; results do not depend on it; >= 0 (default 0)
        """
    def __len__(self) -> int: ...
    def elements(self) -> Columns:
        """Copies: x_m, y_m, z_m, radius_m, and volume_m3 where the packing has it."""
    def bonds(self) -> Columns:
        """Copies: i, j, section_m2, factor; no rows where near elements are bonded."""
    @property
    def solid_fraction(self) -> float:
        """Volume of the elements' spheres over that of the shape."""
    @property
    def radius_m(self) -> float:
        """Radius of a lattice's elements after fitting."""


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
    result: RunResult | None
    messages: Sequence[tuple[str, str]]
    def __init__(self, path: Path) -> None: ...
    def close(self) -> None:
        """Closes the file now; otherwise that happens when nothing refers to the run any more."""
    def __enter__(self) -> Run: ...
    def __exit__(self, *unused: Any) -> Any: ...
    @property
    def frames(self) -> Frames:
        """The frames, read when asked for."""
    def given(self) -> Columns:
        """Copies of what elements were given: rest_x_m, rest_y_m, rest_z_m, radius_m, mass_kg, material."""
    def bond_sections_m2(self) -> Column:
        """Area of each bond's section; empty where the file does not tell."""
    @property
    def bodies(self) -> dict[str, BodyInfo]:
        """{name: first and count of its elements, material}."""
    @property
    def stats(self) -> Table:
        """One row per frame, the columns of stats.csv: time_s, kinetic_j, broken_bonds, fragments, ..."""
    @property
    def probes(self) -> Table:
        """probes.csv: time_s, probe, force_x_n, ... (means between rows), displacement_x_m, ..., force_x_least_n,
        force_x_largest_n, ... (of all steps between rows).
        """
    @property
    def breaks(self) -> Columns:
        """All bonds and glue that broke: bond, time_s, x_m, y_m, z_m, energy_j, i, j, body, piece_i and piece_j (of
        glue; -1: a bond), mode.
        """
    def fragments(self, frame: int = ...) -> FragmentList:
        """Fragments of a frame, by default of the last one."""


class RunView:
    """What a callback sees of a run. Only valid during the callback; columns are copies and may be kept."""
    @property
    def frame(self) -> int:
        """The last complete frame; -1: none yet."""
    @property
    def frame_count(self) -> int:
        """Frames to compute after frame 0."""
    @property
    def resumed_at(self) -> int:
        """The frame at which this call began; -1: anew."""
    @property
    def time_s(self) -> float:
        """Simulated time now."""
    @property
    def fraction(self) -> float:
        """Of the simulated time, 0 to 1."""
    @property
    def time_left_s(self) -> float:
        """At the speed so far; -1: not known yet."""
    @property
    def folder(self) -> str:
        """The run's folder."""
    @property
    def stats(self) -> Stats | None:
        """Figures of the last complete frame; None: there is none yet."""
    @property
    def fragments(self) -> FragmentList:
        """Fragments of the last complete frame."""
    @property
    def world(self) -> RunWorld:
        """The world: elements(), bonds(), energy() and so on."""


class Shape:
    """A solid: a signed distance, bounds, a volume. Immutable; any number of threads may ask it.

    Made by Shape.box, sphere, cylinder, capsule, torus, revolve, extrude, text, mesh; combined by `a | b`,
    `a - b` and placed.
    """
    @classmethod
    def box(cls, size_m: Vector) -> Shape:
        """A box of full edge lengths x, y, z."""
    @classmethod
    def sphere(cls, radius_m: float) -> Shape:
        """A ball."""
    @classmethod
    def cylinder(cls, radius_m: float, height_m: float) -> Shape:
        """A cylinder along z."""
    @classmethod
    def capsule(cls, radius_m: float, length_m: float) -> Shape:
        """A capsule along z; the length is between the centres of its caps."""
    @classmethod
    def torus(cls, major_radius_m: float, minor_radius_m: float) -> Shape:
        """A torus about z."""
    @classmethod
    def revolve(cls, profile_m: Sequence[Vector]) -> Shape:
        """A closed polygon of (r, z), revolved about z."""
    @classmethod
    def extrude(cls, outline_m: Sequence[Vector], height_m: float) -> Shape:
        """A closed polygon of (x, y), extruded along z about 0."""
    @classmethod
    def text(cls, text: str, height_m: float, depth_m: float, font: Path | None = ...) -> Shape:
        """A line of text in the xy plane; `font`: a TrueType or OpenType file in place of DejaVu Sans Bold."""
    @classmethod
    def mesh(cls, path: Path, scale: float = ...) -> Shape:
        """A closed mesh from an STL, OBJ, PLY or glTF file, mended where that is harmless; 1e-3 for files in mm."""
    def __or__(self, other: Shape) -> Shape: ...
    def __sub__(self, other: Shape) -> Shape: ...
    def placed(self, position_m: Vector = ..., rotation: Rotation = ...) -> Shape:
        """The shape moved and turned."""
    def distance_m(self, point_m: Vector) -> float:
        """Distance to the surface, negative inside."""
    def normal(self, point_m: Vector) -> Vec3:
        """Gradient of the distance."""
    @property
    def bounds(self) -> Bounds:
        """Axis-aligned bounds."""
    @property
    def volume_m3(self) -> float:
        """Volume."""


class Stacked:
    """A column of elements over all frames of a run, shape (frames, elements): [k] reads the frame k, slices and
    iteration read theirs, and numpy.asarray reads all of them.
    """
    def __len__(self) -> int: ...
    def __getitem__(self, index: Any) -> Any: ...
    def __iter__(self) -> Iterator[Column]: ...
    def xarray(self) -> Any:
        """An xarray.DataArray with the dimensions frame and element, and the coordinate time_s."""


class Struct:
    """What the library tells, as attributes with their units in the names."""
    def __eq__(self, other: object) -> bool: ...
    def as_dict(self) -> Any:
        """{name: value}, structs within as dictionaries."""


class Weakness:
    """A pattern by which bonds of a body are weaker or softer."""
    def __init__(
        self,
        points_m: Sequence[Vector] | None = ...,
        shape: Shape | None = ...,
        *,
        strength: float = ...,
        stiffness: float = ...,
        size_m: float = ...,
        share: float = ...,
        contrast: float = ...,
        stretch: Vector = ...,
        irregularity: float = ...,
        warp: float = ...,
        wall_m: float = ...,
        depth_m: float = ...,
        along: Vector = ...,
        radius_m: float = ...,
        falloff_m: float = ...,
        point_m: Vector = ...,
        normal: Vector = ...,
        kind: Literal['noise', 'voronoi', 'paint', 'curve', 'cut', 'region'] = ...,
        seed: int = ...,
        octaves: int = ...,
        channel: Literal['red', 'green', 'blue', 'mean'] = ...,
        invert: bool = ...,
        cut: Literal['plane', 'disc', 'polygon', 'shape', 'sheet'] = ...,
    ) -> None:
        """A pattern: noise, cells, curves, cuts or regions. (Painted meshes: in scenes.)

        strength: factor on both strengths of a bond where the pattern applies fully; linear in between; between 0 and 1e6 (default 1)
        stiffness: factor on both moduli, likewise; between 0 and 1e6 (default 1)
        size_m: noise: wavelength of the largest features. voronoi: edge of a cube as large as the mean fragment; > 0 (default 0)
        share: noise: fraction of the body that is weak; between 0 and 1 (default 0.5)
        contrast: noise: 1 makes all degrees equally frequent, 10 makes patches with narrow edges; between 1e-6 and 1e6 (default 1)
        stretch: voronoi: factors on the length of cells along x, y, z (default (1, 1, 1))
        irregularity: voronoi: 0 makes cubes, 1 is most irregular; between 0 and 1 (default 1)
        warp: voronoi: bending of walls, 0 flat, 1 strongly bent; between 0 and 1 (default 0)
        wall_m: voronoi: thickness of walls; bonds inside are weak too; >= 0 (default 0)
        depth_m: paint: depth below the mesh's surface to which it applies fully; > 0 (default inf)
        along: curve: direction in which it extends through the body; 0: none (default (0, 0, 0))
        radius_m: half the width of a curve; radius of a disc; > 0 (default 0)
        falloff_m: curve, paint, region: width of the soft edge; >= 0 (default 0)
        point_m: cut: a point of a plane; the centre of a disc (default (0, 0, 0))
        normal: cut: normal of a plane or a disc, of any length but 0 (default (0, 0, 0))
        kind: kind of pattern; one of noise, voronoi, paint, curve, cut, region (default 'noise')
        seed: noise, voronoi: random seed (default 0)
        octaves: noise: number of octaves, each with half the size and strength of the one before; between 1 and 16 (default 4)
        channel: paint: colour channel; dark is 0, bright is full; one of red, green, blue, mean (default 'red')
        invert: paint: true: dark is full (default False)
        cut: kind of surface of a cut; one of plane, disc, polygon, shape, sheet (default 'plane')
        """
    def amount(self, i_m: Vector, j_m: Vector) -> float:
        """How much it applies to a bond between these places, 0 to 1."""


class WorldQueries:
    """Everything that can be asked of a world without changing it. Columns are copies."""
    @property
    def time_s(self) -> float:
        """Simulated time."""
    @property
    def time_step_s(self) -> float:
        """Length of a step; 0 before it is known."""
    @property
    def step_count(self) -> int:
        """Steps since the start."""
    @property
    def explicit_reason(self) -> str | None:
        """Why the method `auto` would make explicit steps only; None: it may make implicit ones."""
    @property
    def element_time_step_s(self) -> float:
        """The stability limit of elements and free bodies beside material points, once stable_time_step_s() was asked; 0: none."""
    def check_method(self, method: str) -> None:
        """Raises what the first step would refuse if the world's method were this one."""
    def solver_counts(self) -> SolverCounts:
        """Counts of the solver since the start."""
    def step_times(self) -> StepTimes:
        """What steps took in this process, by what was computed [s]."""
    def split_steps(self) -> SplitSteps:
        """Steps that were made in parts because surfaces met fast in them."""
    def region(self, element: int) -> Region:
        """The part of the world that is stepped with an element."""
    def elements(self, *names: str) -> Columns:
        """Copies of the elements' columns, or of some: x_m ... qx ... vx_m_s ... wx_rad_s."""
    def bonds(self) -> Columns:
        """Copies: i, j, and broken (1) or intact (0)."""
    def given(self) -> Columns:
        """Copies of what elements were given: rest_x_m, rest_y_m, rest_z_m, radius_m, mass_kg, material."""
    def bond_sections_m2(self) -> Column:
        """Area of each bond's section."""
    def components(self) -> Column:
        """First element of the component that each element is in."""
    def stress_ratio(self) -> Column:
        """Largest stress over strength of each element's intact bonds."""
    def stress(self) -> Columns:
        """Cauchy stress of each element: xx_pa, yy_pa, zz_pa, xy_pa, yz_pa, zx_pa."""
    def points(self) -> Columns:
        """Copies of what material points have, in the order of elements: x_m ... vz_m_s, b_xx ... b_xy (the elastic left
        Cauchy-Green tensor F F^T), rest_volume_m3, state (J_p of snow, v_c of sand), piece, and the stress xx_pa ...
        zx_pa. Empty in worlds of elements and bonds, and before the first step.
        """
    def bond_loads(self) -> Columns:
        """Load of each bond without damping: force_x_n, ... on j, moment_x_nm, ... about its middle, normal_force_n,
        shear_force_n, bending_moment_nm, twisting_moment_nm, energy_j, stress_ratio, damage, plastic_strain.
        """
    def glue(self) -> Columns:
        """Glue between pieces of bodies of points, broken glue included: i, j (points), piece_i, piece_j, body, x_m,
        y_m, z_m, area_m2, tensile_strength_pa, shear_strength_pa, traction_x_pa ... traction_z_pa (of j on i),
        normal_traction_pa (of tension above 0), shear_traction_pa, broken. Numbers in breaks() less the count of bonds()
        are rows here.
        """
    def contact_forces(self) -> Columns:
        """What touched in the last step: i, j (elements), i_obstacle, j_obstacle (-1: none), x_m, y_m, z_m,
        normal_x, ..., normal_force_n, friction_x_n, ... (on i), overlap_m.
        """
    def breaks(self) -> Columns:
        """Bonds and glue that broke since the start, or since forget_breaks(), as in Run.breaks."""
    @property
    def break_count(self) -> int:
        """How many breaks() has."""
    @property
    def broken_count(self) -> int:
        """Bonds and particles of glue that are broken."""
    @property
    def torn_count(self) -> int:
        """Pairs of neighbouring points that have torn apart, beyond glue."""
    def element(self, element: int) -> ElementInfo:
        """What an element was given."""
    def element_force_n(self, element: int) -> Vec3:
        """Force on an element without gravity."""
    @property
    def element_count(self) -> int:
        """Elements of all bodies."""
    @property
    def bond_count(self) -> int:
        """Bonds, broken ones included."""
    @property
    def asleep_count(self) -> int:
        """Elements of bodies that are asleep now."""
    @property
    def body_count(self) -> int:
        """Bodies, in the order in which they were added."""
    def body(self, body: Id | int) -> BodyInfo:
        """Name, elements and material of a body, by its id or number."""
    def body_bonds(self, body: Id | int) -> BodyBonds:
        """A body's bonds as it was added."""
    def body_glue(self, body: Id | int) -> BodyGlue:
        """Pieces of a body of points, and the glue between them. Without pieces: of elements, or not divided."""
    @property
    def obstacle_count(self) -> int:
        """Obstacles, in the order in which they were added."""
    def obstacle_pose(self, obstacle: Id | int) -> Pose:
        """Where an obstacle is now."""
    def energy(self) -> Energy:
        """Energies stored, dissipated and done as work."""
    def momentum_kg_m_s(self) -> Vec3:
        """Momentum of everything."""
    def angular_momentum_kg_m2_s(self) -> Vec3:
        """Angular momentum about the origin."""
    @property
    def touching_count(self) -> int:
        """Pairs that pressed on each other in the last step."""
    @property
    def state_hash(self) -> int:
        """Fingerprint of positions, orientations, velocities and broken bonds."""
    def memory(self) -> MemoryUse:
        """Bytes that the world holds."""
    def check(self) -> None:
        """Raises UnstableError when the state has faults that single steps don't show."""
    def save(self) -> bytes:
        """The whole changing state, for restore()."""
    def save_to(self, file: Any) -> int:
        """Writes what save() returns to a binary file, in pieces, and returns how many bytes."""


class BodyBonds(Struct):
    """sherd_body_bonds of the library.

    count: bonds, pre-cracks included
    weakened: Bonds that bond_scale changed: with lower or higher strength, lower or higher stiffness than the material's, and pre-cracks (broken from the start).
    strengthened: Bonds that bond_scale changed: with lower or higher strength, lower or higher stiffness than the material's, and pre-cracks (broken from the start).
    softened: Bonds that bond_scale changed: with lower or higher strength, lower or higher stiffness than the material's, and pre-cracks (broken from the start).
    stiffened: Bonds that bond_scale changed: with lower or higher strength, lower or higher stiffness than the material's, and pre-cracks (broken from the start).
    broken: Bonds that bond_scale changed: with lower or higher strength, lower or higher stiffness than the material's, and pre-cracks (broken from the start).
    least_strength: Extreme factors of bond_scale on bonds that are not broken [-]: least <= 1, largest >= 1.
    largest_strength: Extreme factors of bond_scale on bonds that are not broken [-]: least <= 1, largest >= 1.
    least_stiffness: Extreme factors of bond_scale on bonds that are not broken [-]: least <= 1, largest >= 1.
    largest_stiffness: Extreme factors of bond_scale on bonds that are not broken [-]: least <= 1, largest >= 1.
    reduced: Number of bonds whose strength was reduced so that breaking dissipates the fracture energy.
    least_reduction: smallest factor on strengths [-]; largest element radius without reduction, INFINITY if none [m]
    unreduced_radius_m: smallest factor on strengths [-]; largest element radius without reduction, INFINITY if none [m]
    pieces: Connected parts by all bonds, pre-cracks included; elements outside the largest part.
    apart: Connected parts by all bonds, pre-cracks included; elements outside the largest part.
    """
    count: int
    weakened: int
    strengthened: int
    softened: int
    stiffened: int
    broken: int
    least_strength: float
    largest_strength: float
    least_stiffness: float
    largest_stiffness: float
    reduced: int
    least_reduction: float
    unreduced_radius_m: float
    pieces: int
    apart: int


class BodyGlue(Struct):
    """sherd_body_glue of the library.

    pieces: 1 without glue; 0 if the body is not of points
    count: Particles of glue, one for each pair of neighbours across a wall, and those broken.
    broken: Particles of glue, one for each pair of neighbours across a wall, and those broken.
    torn: Pairs of neighbours of one piece that once were so far apart that they shared no grid node. 0 for laws without neighbours: snow, sand, fluid.
    least_energy_j_m2: Smallest fracture energy with which glue of these strengths can soften at this spacing [J/m^2]; 0 if strengths are infinite.
    """
    pieces: int
    count: int
    broken: int
    torn: int
    least_energy_j_m2: float


class BodyInfo(Struct):
    """sherd_body_info of the library.

    name: owned by the world; empty if none was given
    first: its elements are contiguous: the first one, and how many
    count: its elements are contiguous: the first one, and how many
    material: index into the world's materials, from 0
    """
    name: str | None
    first: int
    count: int
    material: int


class Bounds(NamedTuple):
    low_m: Vec3
    high_m: Vec3


class Break(Struct):
    """sherd_break of the library.

    bond: number of the bond; particles of glue follow the world's bonds
    time_s: end of the step in which it broke [s]
    place_m: midpoint between the centres of its elements, or position of the glue [m]
    energy_j: Elastic energy that it stored when it broke, >= 0; 0 for glue [J]. The sum over all breaks is dissipated_fracture; what bonds lost while they softened is in dissipated_softening (sherd_energy).
    i: its elements, i < j
    j: its elements, i < j
    body: the body of both
    mode: the load that broke it; TENSION or SHEAR for glue
    piece_i: glue: the pieces of i and j in their body, from 0; -1 for a bond
    piece_j: glue: the pieces of i and j in their body, from 0; -1 for a bond
    """
    bond: int
    time_s: float
    place_m: Vec3
    energy_j: float
    i: int
    j: int
    body: int
    mode: Literal['tension', 'shear', 'bending', 'twisting', 'compression']
    piece_i: int
    piece_j: int


class Calibration(Struct):
    """sherd_calibration of the library.

    full: Bonds for a geometric stiffness of the packing of 1: that is the share of the shape that elements of a lattice fill, or the affine modulus of other packings. sherd_calibration_apply computes it, and so the bonds, for a body; that of the test bars is, in the mean, bar_stiffness.
    bar_stiffness
    bar: A bar's bonds, the guess by homogenisation alone, and the measured results of the bars.
    guess: A bar's bonds, the guess by homogenisation alone, and the measured results of the bars.
    youngs_modulus_pa: of the bars that decide [Pa], [-]
    poissons_ratio: of the bars that decide [Pa], [-]
    tensile_strength_pa: INFINITY: not tested [Pa]
    shear_strength_pa: INFINITY: not tested [Pa]
    guess_youngs_modulus: of the guessed bonds, by homogenisation
    guess_poissons_ratio: of the guessed bonds, by homogenisation
    yield_stress_pa: INFINITY, 0: not tested [Pa]
    hardening_modulus_pa: INFINITY, 0: not tested [Pa]
    fracture_energy_j_m2: 0: not tested [J/m^2]. The guess is what cracks take of bonds with the fracture energy requested.
    guess_fracture_energy_j_m2: 0: not tested [J/m^2]. The guess is what cracks take of bonds with the fracture energy requested.
    fracture_radius_m: up to which elements carry it with these bonds; 0: not tested [m]
    stretched_strength_pa: What bars bear that are pulled on to five times the strain that they would have their strength at were they elastic: more than that where a lattice of bonds that soften hardens [Pa].
    pressed_strength_pa: What bars bear at least that are pressed, of materials whose shear strength c a twisted bar does not show, which breaks by tension before: 4 c^2 over the tensile strength is what such solids should. 0: not tested [Pa].
    strength_radius_m: Up to which bonds can make a solid that has the strength requested beside the fracture energy; 0: not tested [m]. Of larger elements r it has the share sqrt(strength_radius / r) of it, and so says tensile_strength.
    axis_modulus_pa: Along x, y and z; 0 = not measured. Bars along x decide for lattices, whose rows they follow, those along x and y, in the mean, for other packings. The rest is only measured with_table. [Pa]
    axis_poissons_ratio: mean of both sides
    axis_strength_pa: [Pa]
    bending_modulus_pa: from a bar's curvature [Pa]
    torsion_modulus_pa: of shear [Pa]
    poissons_low: within reach of this packing
    poissons_high: within reach of this packing
    poissons_ratio_reached: else the nearest was taken
    tensile_strength_reached: else it is less, for the fracture energy's sake
    shear_strength_reached: else the nearest was taken
    hardening_reached: Within a tenth of what is asked for, or bonds do not harden because nothing is asked for: bars have a slope of about half a per cent of E in any case.
    elements: of a bar
    own_bars: cut out of the body: `full` is what its bonds are, and directions those of the body's extents, the longest first
    tests: bars loaded, 0 from the cache
    cached
    seconds: wall time it took
    tension
    torsion
    """
    full: CalibrationBonds
    bar_stiffness: float
    bar: CalibrationBonds
    guess: CalibrationBonds
    youngs_modulus_pa: float
    poissons_ratio: float
    tensile_strength_pa: float
    shear_strength_pa: float
    guess_youngs_modulus: float
    guess_poissons_ratio: float
    yield_stress_pa: float
    hardening_modulus_pa: float
    fracture_energy_j_m2: float
    guess_fracture_energy_j_m2: float
    fracture_radius_m: float
    stretched_strength_pa: float
    pressed_strength_pa: float
    strength_radius_m: float
    axis_modulus_pa: tuple[float, ...]
    axis_poissons_ratio: tuple[float, ...]
    axis_strength_pa: tuple[float, ...]
    bending_modulus_pa: float
    torsion_modulus_pa: float
    poissons_low: float
    poissons_high: float
    poissons_ratio_reached: bool
    tensile_strength_reached: bool
    shear_strength_reached: bool
    hardening_reached: bool
    elements: int
    own_bars: bool
    tests: int
    cached: bool
    seconds: float
    tension: CalibrationCurve
    torsion: CalibrationCurve


class CalibrationBonds(Struct):
    """sherd_calibration_bonds of the library.

    youngs_modulus_pa: [Pa]
    shear_modulus_pa: [Pa]
    tensile_strength_pa: [Pa]
    shear_strength_pa: [Pa]
    yield_stress_pa: INFINITY, 0: they don't yield [Pa]
    hardening_modulus_pa: INFINITY, 0: they don't yield [Pa]
    fracture_energy_j_m2: 0: they don't soften [J/m^2]
    """
    youngs_modulus_pa: float
    shear_modulus_pa: float
    tensile_strength_pa: float
    shear_strength_pa: float
    yield_stress_pa: float
    hardening_modulus_pa: float
    fracture_energy_j_m2: float


class CalibrationCurve(Struct):
    """sherd_calibration_curve of the library.

    count: 0: not run, or taken from the cache
    strain: nominal, of the gauge while elastic [-]
    stress_pa: over the shape's section [Pa]
    """
    count: int
    strain: tuple[float, ...]
    stress_pa: tuple[float, ...]


class Diagnosis(Struct):
    """sherd_diagnosis of the library.

    count: number of findings
    findings: (count)
    """
    count: int
    findings: tuple[Finding, ...]


class ElementInfo(Struct):
    """sherd_element_info of the library.

    rest_m: position in the body's rest frame [m]
    radius_m: [m]
    mass_kg: [kg]
    material: index into materials, from 0
    body: index into bodies, from 0
    """
    rest_m: Vec3
    radius_m: float
    mass_kg: float
    material: int
    body: int


class Energy(Struct):
    """sherd_energy of the library.

    kinetic_j: of elements and free rigid bodies, translation and rotation
    elastic_j: stored in intact bonds
    gravity_j: potential energy relative to the start
    contact_j: stored in contact and friction springs
    work_j: done on the system by drivers and driven obstacles
    dissipated_bonds_j: by bond damping, and vibration left in what fell asleep
    dissipated_fracture_j: elastic energy of bonds when they broke
    dissipated_contact_j: by contact damping
    dissipated_friction_j: by sliding
    dissipated_integration_j: By the time integration; negative if energy was gained. From implicit steps, and from explicit ones whose loads change between the two half kicks: where bonds break, where softening bonds close and open, where steps become implicit or change their length. It closes the balance of such steps, so balance_error is that of all others.
    balance_error: Relative error of the energy balance: stored + dissipated - work - start, over the largest stored energy. It refers to the energy that velocity Verlet conserves, K - dt^2/8 sum (m |a|^2 + I |dw/dt|^2) + V, about which K + V oscillates.
    max_stress_ratio: largest stress over strength of all intact bonds
    dissipated_onset_j: By contacts that begin or end within an explicit step; negative if energy was gained. 0 for a pair without other forces.
    dissipated_softening_j: by softening bonds as they open (sherd/material.h)
    dissipated_plastic_j: plastic work of yielding bonds
    """
    kinetic_j: float
    elastic_j: float
    gravity_j: float
    contact_j: float
    work_j: float
    dissipated_bonds_j: float
    dissipated_fracture_j: float
    dissipated_contact_j: float
    dissipated_friction_j: float
    dissipated_integration_j: float
    balance_error: float
    max_stress_ratio: float
    dissipated_onset_j: float
    dissipated_softening_j: float
    dissipated_plastic_j: float


class Finding(Struct):
    """sherd_finding of the library.

    level: its severity
    text: one sentence or two
    """
    level: Literal['good', 'note', 'warning', 'bad']
    text: str


class Fragment(Struct):
    """sherd_fragment of the library.

    id: its identity
    parent: the fragment that it broke off; 0 if it existed from the start
    count: number of elements
    first: lowest element index
    mass_kg: [kg]
    volume_m3: of its elements' spheres [m^3]
    """
    id: int
    parent: int
    count: int
    first: int
    mass_kg: float
    volume_m3: float


class FragmentList(list[Fragment]):
    """Fragments, ordered by their first elements; `element_fragment` is the id of each element's."""
    element_fragment: Column


class MaterialFigures(Struct):
    """sherd_material_figures of the library.

    name: as scenes say it, "glass"
    about: which sort of it, a few words
    density_kg_m3: [kg/m^3]
    youngs_modulus_pa: E [Pa]; of wood across its grain
    poissons_ratio: nu [-]
    tensile_strength_pa: [Pa]; of wood across its grain
    compressive_strength_pa: [Pa]: nothing takes it; brittle solids' shear strength follows from it
    shear_strength_pa: [Pa]: brittle solids' cohesion, half the root of tensile times compressive strength
    fracture_energy_j_m2: G_f of a crack [J/m^2], or
    fracture_toughness_pa_sqrt_m: K_Ic [Pa m^0.5]; at most one of the two
    yield_stress_pa: sigma_y in tension [Pa]
    hardening_modulus_pa: slope of the yield stress over plastic strain [Pa]
    fracture_strain: plastic strain at which it parts [-]
    weibull_modulus: of strengths' scatter [-]
    friction: Coulomb coefficient on the same solid, dry [-]
    restitution: of slow impacts of the same solid [-]
    bond_damping: a numerical choice, not a figure of handbooks [-]
    friction_angle_rad: of model SAND [rad]
    grain_stiffening: of wood [-]
    grain_strengthening: of wood [-]
    grain_direction: in the body's rest frame
    model: BONDED; another: figures are of material points
    points: model that suits it as material points; BONDED: none
    color: sRGB, 0..1 each
    opacity: (0, 1]
    varies: how much typical figures vary, a line
    sources: of the figures, a line
    """
    name: str | None
    about: str | None
    density_kg_m3: float
    youngs_modulus_pa: float
    poissons_ratio: float
    tensile_strength_pa: float
    compressive_strength_pa: float
    shear_strength_pa: float
    fracture_energy_j_m2: float
    fracture_toughness_pa_sqrt_m: float
    yield_stress_pa: float
    hardening_modulus_pa: float
    fracture_strain: float
    weibull_modulus: float
    friction: float
    restitution: float
    bond_damping: float
    friction_angle_rad: float
    grain_stiffening: float
    grain_strengthening: float
    grain_direction: Vec3
    model: Literal['bonded', 'corotated', 'neo_hookean', 'hencky', 'snow', 'sand', 'fluid', 'phase_field', 'nacc']
    points: Literal['bonded', 'corotated', 'neo_hookean', 'hencky', 'snow', 'sand', 'fluid', 'phase_field', 'nacc']
    color: Vec3
    opacity: float
    varies: str | None
    sources: str | None


class MemoryUse(Struct):
    """sherd_memory_use of the library.

    elements_bytes: by purpose [bytes]
    bonds_bytes: by purpose [bytes]
    contacts_bytes: by purpose [bytes]
    implicit_bytes: workspace of implicit steps, after the first of them [bytes]
    total_bytes: all together [bytes]
    """
    elements_bytes: int
    bonds_bytes: int
    contacts_bytes: int
    implicit_bytes: int
    total_bytes: int


class MotionKey(Struct):
    """sherd_motion_key of the library.

    time_s: [s], strictly increasing along the table
    translation_m: from the start [m]
    rotation_rad: rotation vector about the pivot, world axes [rad]
    """
    time_s: float
    translation_m: Vec3
    rotation_rad: Vec3


class Pose(NamedTuple):
    position_m: Vec3
    rotation: Quat


class ProbeReading(Struct):
    """sherd_probe_reading of the library.

    force_n: mean force [N]
    torque_nm: mean torque about the region's mean position or the obstacle's origin [N m]
    displacement_m: of the region's mean position or the obstacle's origin [m]
    rotation_rad: rotation vector, prescribed or the mean of the elements' [rad]
    force_least_n: Smallest and largest force of a single step since then, by component, because averages smooth peaks. A step with prescribed loads at both ends counts both. While the world is divided into regions, the load of one is added to the means of the others. [N]
    force_largest_n: Smallest and largest force of a single step since then, by component, because averages smooth peaks. A step with prescribed loads at both ends counts both. While the world is divided into regions, the load of one is added to the means of the others. [N]
    torque_least_nm: the same of the torque [N m]
    torque_largest_nm: the same of the torque [N m]
    """
    force_n: Vec3
    torque_nm: Vec3
    displacement_m: Vec3
    rotation_rad: Vec3
    force_least_n: Vec3
    force_largest_n: Vec3
    torque_least_nm: Vec3
    torque_largest_nm: Vec3


class Quat(NamedTuple):
    x: float
    y: float
    z: float
    w: float


class Region(Struct):
    """sherd_region_info of the library.

    number: number of the region, from 0, and how many there are; 0 of 1: not divided
    count: number of the region, from 0, and how many there are; 0 of 1: not divided
    elements: elements in it, and those of them that are asleep
    asleep: elements in it, and those of them that are asleep
    implicit: true if its next step is implicit
    counts: Counts since the world was divided, including those of the region it was split off from.
    """
    number: int
    count: int
    elements: int
    asleep: int
    implicit: bool
    counts: SolverCounts


class RunResult(Struct):
    """sherd_run_result of the library.

    end: how it ended
    begun: the folder was taken: an earlier run in it is gone
    readable: there is a run in the folder
    frame: the last complete one; -1: none. Written by this call: frame - resumed_at
    resumed_at: -1: begun anew
    steps: since the start, also before a resumption; not those in which all slept
    bonds: and particles of glue: those are `glue_count` of them
    glue_count: number of particles of glue
    broken_glue: of stats.broken_bonds, in the last frame
    cut_bonds: of stats.broken_bonds, by the scene: broken from the start
    plan: its division into frames and steps
    stats: of the last frame
    solver: since the start
    split: since the start
    mean_step_s: Mean length of implicit steps, 0 without any; stability limit at the end [s].
    limit_s: Mean length of implicit steps, 0 without any; stability limit at the end [s].
    wall_s: of this call [s]
    pictures_wall_s: on surfaces and pictures, also beside the simulation [s]
    render_wall_s: of that on pictures alone [s]
    waited_wall_s: of this call's, when nothing but those was made [s]
    formats: bit k: files of format k (<sherd/replay.h>) were to be made
    missing_pictures: that could not be made
    warnings: messages of this level
    integration: "integration took 3 % of the largest stored energy"; "": half a per cent or less
    diagnosis: with SHERD_RUN_SUMMARY_MAKE
    """
    end: Literal['failed', 'stopped', 'finished']
    begun: bool
    readable: bool
    frame: int
    resumed_at: int
    steps: int
    bonds: int
    glue_count: int
    broken_glue: int
    cut_bonds: int
    plan: StepPlan
    stats: Stats
    solver: SolverCounts
    split: SplitSteps
    mean_step_s: float
    limit_s: float
    wall_s: float
    pictures_wall_s: float
    render_wall_s: float
    waited_wall_s: float
    formats: int
    missing_pictures: int
    warnings: int
    integration: str
    diagnosis: Diagnosis


class RunWorld(WorldQueries):
    """The world of a run in progress, to look at within a callback."""


class SolverCounts(Struct):
    """sherd_solver_counts of the library.

    explicit_steps: their sum is sherd_world_step_count
    implicit_steps: their sum is sherd_world_step_count
    newton_iterations: in all implicit steps
    linear_iterations: in all implicit steps
    rejected_steps: steps repeated with a shorter length, or explicitly
    switches: changes between explicit and implicit steps
    divisions: of the world into regions; the steps of each region count
    unsettled_steps: Implicit steps whose friction did not converge: friction is bounded by normal forces that are updated up to twelve times, and these still changed by more than 2 % of the largest. With the algorithms of [IBDEM25]: steps whose iteration reached its bound before its tolerance.
    asleep_steps: of the explicit ones; every element slept in them, and none was stepped
    """
    explicit_steps: int
    implicit_steps: int
    newton_iterations: int
    linear_iterations: int
    rejected_steps: int
    switches: int
    divisions: int
    unsettled_steps: int
    asleep_steps: int


class SplitSteps(Struct):
    """sherd_split_steps of the library.

    steps: steps split, and the total number of parts
    parts: steps split, and the total number of parts
    finest: largest number of parts of one step
    deepest: Largest overlap of fast contacts over the radius of the smaller element (for obstacles, over their thickness, half of it for plates) [-]. Above 1 the springs are too soft to stop the motion with any method and step length.
    """
    steps: int
    parts: int
    finest: int
    deepest: float


class Stats(Struct):
    """sherd_run_stats of the library.

    frame: number of the frame, from 0
    time_s: [s]
    steps: since the start, but those in which everything slept
    time_step_s: [s]
    energy: energies of the world
    elements: numbers of elements, bonds, broken bonds and fragments
    bonds: numbers of elements, bonds, broken bonds and fragments
    broken_bonds: numbers of elements, bonds, broken bonds and fragments
    fragments: numbers of elements, bonds, broken bonds and fragments
    newton_iterations: since the start; 0 for the explicit method
    linear_iterations: since the start; 0 for the explicit method
    wall_s: [s] of computing since the start
    state_hash: sherd_world_state_hash
    momentum_kg_m_s: [kg m/s]
    angular_momentum_kg_m2_s: about the origin [kg m^2/s]
    implicit_steps: Since the start, as sherd_solver_counts; 0 in files that do not tell.
    unsettled_steps: Since the start, as sherd_solver_counts; 0 in files that do not tell.
    torn: pairs of material points, as sherd_world_torn_count; 0 in files that do not tell
    """
    frame: int
    time_s: float
    steps: int
    time_step_s: float
    energy: Energy
    elements: int
    bonds: int
    broken_bonds: int
    fragments: int
    newton_iterations: int
    linear_iterations: int
    wall_s: float
    state_hash: int
    momentum_kg_m_s: Vec3
    angular_momentum_kg_m2_s: Vec3
    implicit_steps: int
    unsettled_steps: int
    torn: int


class StepPlan(Struct):
    """sherd_step_plan of the library.

    limit_s: stability limit T [s]
    interval_s: of frames [s]
    frames: to compute after frame 0
    samples_per_frame: samples of probes per frame
    dt_s: explicit steps only, else 0 [s]
    steps_per_sample: explicit steps only, else 0
    """
    limit_s: float
    interval_s: float
    frames: int
    samples_per_frame: int
    dt_s: float
    steps_per_sample: int


class StepTimes(Struct):
    """sherd_step_times of the library.

    bonds: loads of bonds and the motion of elements, by explicit steps
    contact: forces of contacts, by explicit steps
    search: for contacts, by explicit steps
    points: material points
    implicit: all of implicit steps
    """
    bonds: float
    contact: float
    search: float
    points: float
    implicit: float


class Table(Columns):
    """A table: columns by name, as attributes and by [...]."""
    def where(self, **values: Any) -> Table:
        """The rows in which columns have these values: probes.where(probe="floor"). A name that no row has is an
        InputError, which lists those that there are.
        """


class Vec3(NamedTuple):
    x: float
    y: float
    z: float


class World(WorldQueries):
    """Elements, bonds and obstacles, which are added first and then stepped."""
    materials: dict[str, Id]
    bodies: dict[str, Id]
    obstacles: dict[str, Id]
    drivers: dict[str, Id]
    def __init__(
        self,
        *,
        method: Literal['explicit', 'implicit', 'auto'] = ...,
        scheme: Literal['auto', 'euler', 'midpoint', 'bdf2', 'left_point', 'linear_euler'] = ...,
        optimizer: Literal['newton', 'algorithm_1', 'algorithm_2', 'algorithm_3'] = ...,
        as_printed: bool = ...,
        rolling_friction: float = ...,
        paper_fracture: bool = ...,
        accuracy: float = ...,
        time_step_in_limits: float = ...,
        implicit_elements: int = ...,
        gravity_m_s2: Vector = ...,
        time_step_s: float = ...,
        time_step_safety: float = ...,
        contact_skin: float = ...,
        contact_potential: Literal['linear', 'hertz', 'barrier'] = ...,
        contact_barrier: float = ...,
        contact_stiffness_pa: float = ...,
        precision: Literal['mixed', 'double'] = ...,
        sleep: bool = ...,
        regions: bool = ...,
        mass_scaling: float = ...,
        point_kernel: Literal['cubic', 'quadratic'] = ...,
        point_transfer: Literal['affine', 'flip', 'apic'] = ...,
        point_contact: Literal['surfaces', 'pairwise'] = ...,
        flip: float = ...,
        contacts: bool = ...,
        threads: int = ...,
    ) -> None:
        """An empty world. Arguments, all by name:

        method: time-stepping method; one of explicit, implicit, auto (default 'explicit')
        scheme: time integration of implicit steps: euler ([IBDEM25] 5–6), midpoint ([IBDEM25] 2–3 as printed, first order in rotation), bdf2 (second order), left_point ([VBDEM] 24), linear_euler ([RBDEM] Algorithm 1: one Gauss–Newton iteration, by conjugate gradients to 2e-5), or auto. The papers' own schemes are for comparison: midpoint and left_point (their contacts) have no free rigid bodies; linear_euler needs method: implicit and a time_step, which it never splits (the paper's step, key by key); one of auto, euler, midpoint, bdf2, left_point, linear_euler (default 'auto')
        optimizer: what minimises the energy of implicit steps: newton, or for comparison algorithm_1 to algorithm_3 of [IBDEM25], which need method: implicit, scheme: euler and a time_step (the paper); one of newton, algorithm_1, algorithm_2, algorithm_3 (default 'newton')
        as_printed: optimizer: algorithm_1 to algorithm_3: formulas as printed where Sherd corrects them (slips) (default False)
        rolling_friction: optimizer: algorithm_1 to algorithm_3: coefficient of rolling friction, [IBDEM25] (35); >= 0 (default 0)
        paper_fracture: end_of_step: as in [IBDEM25], all overstressed bonds break at the end of an implicit step of any length, which makes bodies seem tougher in impacts; auto: such steps are rejected and repeated, shorter or explicitly (default False)
        accuracy: tolerance of implicit steps with automatic length: error of displacements as a fraction of the displacement. It does not control the energy of vibrations. method: implicit damps them at any value. auto keeps at least 95 % of the energy in ten periods of vibrations with stresses above 2 % of the strength; it may damp weaker ones and those of unbreakable bodies, which a smaller value or method: explicit keeps. Swinging and rolling under gravity lose little more with auto than with explicit steps, except slow swings, which it damps (automatic choice); > 0 and <= 1 (default 0.01)
        time_step_in_limits: time step in limits; > 0 (default 0)
        implicit_elements: method: auto: largest number of elements for implicit steps, which need up to 1.4 kB per element. Larger worlds, and materials whose bond_law has no energy, such as lu, are stepped explicitly throughout; sherd check and sherd run say so; >= 0 (default 2000000)
        gravity_m_s2: gravitational acceleration (default (0, 0, -9.81))
        time_step_s: length of steps. A time is the longest explicit step, and selects method: explicit if no method is given. Steps above the stability limit T create energy and break intact bonds: sherd check and sherd run warn, and runs stop when such steps created a quarter of the energy, or when 5 % of it has no known source. A multiple, 50 T, is for implicit steps. auto: explicit steps take the fraction safety of T, found from the largest eigenvalue of the actual system; implicit steps follow an error estimate. A step of given length in which bodies would pass through each other is split, and counted as one; > 0 (default 0)
        time_step_safety: length of explicit steps as a fraction of the stability limit. Above 0.95, bonded elements that also touch others may gain energy, which stops the run. Explicit steps are split automatically where surfaces meet fast (substeps); > 0 and <= 1 (default 0.85)
        contact_skin: search margin of contacts as a fraction of the smallest radius; > 0 and <= 10 (default 0.3)
        contact_potential: energy of a contact whose overlap exceeds that at rest by s (stiffness). linear: k s²/2, [BDEM21] (22). hertz: 2/5 k_H s^2.5, elastic spheres, [RBDEM] 3.5. barrier: -k s²/2 ln(1 - s/w), [RBDEM] (30), w from contact_barrier; one of linear, hertz, barrier (default 'linear')
        contact_barrier: width w of a barrier against overlap, as a fraction of the smallest radius ([RBDEM] (30)). With contact_potential: barrier it works with every method: overlaps stay below w with method: implicit; where explicit steps are made, the barrier continues from 0.248 w with constant stiffness. With other potentials it is added to their springs, only with method: implicit; > 0 and <= 2 (default 0)
        contact_stiffness_pa: k_c of [RBDEM] (30): contacts of all materials as stiff as those of one with E = 2 k_c (units); > 0 (default 0)
        precision: arithmetic of bonds: mixed (strains in single precision, positions and sums in double; all in double where several bodies have 2048 elements at most) or double, about a third slower. Bonds that soften or yield use mixed where steps may be implicit; one of mixed, double (default 'mixed')
        sleep: fragments with little vibration and strain and nothing nearby move as rigid bodies, at almost no cost, until something comes near. Debris at rest costs only its contacts. With auto, a world in which everything sleeps costs nothing until something, or a moving obstacle, comes near (sleep) (default True)
        regions: auto only: bodies and fragments that cannot meet for a while are stepped separately, so that an impact on one does not shorten the steps of the others (regions). In scenes with material points, only regions far from these take implicit steps and sleep (material points) (default True)
        mass_scaling: factor on all masses, for slow loads; weights stay the same. Explicit steps get sqrt(mass_scaling) times longer, and falls, waves and cracks take sqrt(mass_scaling) times as long. The run prints by how much inertia may change forces; forces of grains that rearrange vary by another 5 to 10 % (mass scaling). Not for material points; between 1 and 1e12 (default 1)
        point_kernel: grid kernel of material points: cubic, or quadratic, which is faster and noisier; one of cubic, quadratic (default 'cubic')
        point_transfer: transfer between material points and grid: affine transfers changes of nodal velocities and of their gradients, which conserves angular momentum; flip changes of velocities alone, as in [MPMG]; apic is affine with flip: 0 (transfers); one of affine, flip, apic (default 'affine')
        point_contact: contact between bodies of material points: surfaces, where they are drawn; pairwise as in [MPMG], at all nodes that they share, for comparison (MPMG): without bodies of elements and free bodies; one of surfaces, pairwise (default 'surfaces')
        flip: FLIP fraction of material points: 1 adds changes of nodal velocities to those of points, 0 replaces these by nodal velocities, which damps what the grid does not resolve. It applies to steps of 0.85 of the body's own stability limit; shorter steps damp less each, equally over time. Sand uses sqrt(h/g)/5 instead of that step if it is longer; between 0 and 1 (default nan)
        contacts: false: no contact forces (default True)
        threads: number of threads, 0: all; results do not depend on it; between 0 and 4096 (default 0)
        """
    @classmethod
    def from_scene(
        cls,
        path: Path,
        set: Mapping[str, Any] | None = ...,
        variant: str | None = ...,
        threads: int = ...,
    ) -> World:
        """The world of a scene file; `bodies`, `obstacles` and `drivers` hold its ids by name."""
    def close(self) -> None:
        """Frees the world now; otherwise that happens when nothing refers to it any more."""
    def __enter__(self) -> World: ...
    def __exit__(self, *unused: Any) -> None: ...
    def add_material(
        self,
        *,
        name: str | None = ...,
        density_kg_m3: float = ...,
        youngs_modulus_pa: float = ...,
        shear_modulus_pa: float = ...,
        tensile_strength_pa: float = ...,
        shear_strength_pa: float = ...,
        fracture_energy_j_m2: float = ...,
        fracture_toughness_pa_sqrt_m: float = ...,
        strict: bool = ...,
        yield_stress_pa: float = ...,
        hardening_modulus_pa: float = ...,
        fracture_strain: float = ...,
        fracture_displacement_m: float = ...,
        separation_force_n: float = ...,
        rate_time_s: float = ...,
        rate_exponent: float = ...,
        weibull_modulus: float = ...,
        bond_damping: float = ...,
        restitution: float = ...,
        friction: float = ...,
        grain_stiffening: float = ...,
        grain_strengthening: float = ...,
        grain_direction: Vector = ...,
        law: Literal['quaternion', 'lu', 'rod', 'central'] = ...,
        central: Literal['springs', 'equal_springs', 'peridynamics', 'peridynamics_layer'] = ...,
        reach: float = ...,
        shear_correction: float = ...,
        bond_radius: Literal['mean', 'minimum'] = ...,
        breakage: Literal['tensile', 'absolute', 'none', 'rod', 'hydrostatic', 'principal'] = ...,
        seed: int = ...,
        model: Literal['bonded', 'corotated', 'neo_hookean', 'hencky', 'snow', 'sand', 'fluid', 'phase_field', 'nacc'] = ...,
        friction_angle_rad: float = ...,
        friction_cone: Literal['compression', 'mean'] = ...,
        critical_compression: float = ...,
        critical_extension: float = ...,
        hardening: float = ...,
        bulk_modulus_pa: float = ...,
        fluid_exponent: float = ...,
        damage_length_m: float = ...,
        damage_time_s: float = ...,
        residual_stiffness: float = ...,
        cohesion: float = ...,
        compaction_hardening: float = ...,
        initial_compaction: float = ...,
    ) -> Id:
        """A material of elements and bonds. Arguments, all by name:

        name: name in messages (default None)
        density_kg_m3: density of elements; > 0 and <= 1e6 kg/m^3 (default 2600)
        youngs_modulus_pa: Young's modulus E of bonds; of the solid for material points; > 0 (default 1e+09)
        shear_modulus_pa: shear modulus G of bonds; > 0 (default 4e+08)
        tensile_strength_pa: normal stress at which a bond breaks; > 0 (default inf)
        shear_strength_pa: shear stress at which a bond breaks; unused if breakage compares stresses of elements; > 0 (default inf)
        fracture_energy_j_m2: fracture energy G_f per crack area: past its strength, a bond's traction falls linearly to zero; > 0, or 0 (default 0)
        fracture_toughness_pa_sqrt_m: fracture toughness K_Ic, instead of fracture_energy: G_f = K_Ic^2 (1 - nu^2) / E with nu = E / (2 G) - 1, at least 0 and at most 0.5; > 0, or 0 (default 0)
        strict: true: bonds too long to dissipate G_f at their strength are an error; false: their strength is reduced, which keeps G_f, with a warning (default False)
        yield_stress_pa: normal stress at which a bond yields. Selects bond_law: rod if no law is given. Factors on strengths, scatter included, apply to it too; > 0 (default inf)
        hardening_modulus_pa: increase of the yield stress per plastic strain; >= 0 (default 0)
        fracture_strain: plastic strain at which a yielding bond breaks; > 0, or 0 (default 0)
        fracture_displacement_m: plastic elongation at which a yielding bond breaks, instead of fracture_strain: does not depend on the size of elements; > 0, or 0 (default 0)
        separation_force_n: model: fem of packing: {tetra: ...}: force tau at which a node separates, as printed in the paper (finite elements); > 0, or 0 (default 0)
        rate_time_s: t_c: above its strength a bond's damage grows by ((stress / strength - 1)^n / t_c) dt; it breaks at damage 1 (Tuler and Butcher). Not with softening, yielding or breakage by stresses of elements; > 0, or 0 (default 0)
        rate_exponent: exponent n of rate_time; > 0 and <= 20 (default 2)
        weibull_modulus: Weibull modulus of the scatter of both strengths about their means; 0: no scatter; >= 1, or 0 (default 0)
        bond_damping: damping ratio of a bond's stretch, 1: critical; between 0 and 10 (default 0.02)
        restitution: coefficient of restitution of two single elements: rebound speed over impact speed. A body of many bonded elements rebounds by its elasticity, mostly faster: balls of 28 and 311 came back with 0.75 and 0.95 of their speed at 0.1, with 0.98 at 0.8; bond_damping: 1 made it 0.93. Free rigid bodies rebound as it says. Does not change the time step. Loose grains, which limit the step themselves, meet it within about 0.1 on average and 0.2 in single impacts. method: auto makes explicit steps where loose grains or free rigid bodies would rebound by more than about half an element's radius; method: implicit, with steps longer than a collision, gives hardly any rebound; > 0 and <= 1 (default 0.5)
        friction: Coulomb friction coefficient. A contact has the geometric mean sqrt(a b) of both materials' coefficients; the same holds for restitution; >= 0 (default nan)
        grain_stiffening: factor 1 + stiffening (d·b)^4 on E and G of a bond of direction b, d the grain's direction, [BDEM21] (30); between 0 and 1e6 (default 0)
        grain_strengthening: the same factor on strengths; between 0 and 1e6 (default 0)
        grain_direction: direction d of the grain in the body's frame; any length but 0 (default (1, 0, 0))
        law: bond law: how forces and moments follow from deformation. quaternion: elastic energy of [IBDEM25]. lu: forces of [BDEM21], explicit only. rod: Cosserat rods of [RBDEM]. central: resists stretch only, to all elements within reach; one of quaternion, lu, rod, central (default 'quaternion')
        central: stiffness of bond_law: central, its page. springs: k = E S / l0. equal_springs: all bonds have the k of the shortest. peridynamics: k = c V_i V_j / l0 with c = 12 E / (pi delta^4). peridynamics_layer: the same for one layer of thickness t, c = 9 E / (pi t delta^3); one of springs, equal_springs, peridynamics, peridynamics_layer (default 'springs')
        reach: largest length of bonds of bond_law: central, in spacings of elements, twice their mean radius: peridynamics' horizon; between 1 and 4 (default 0)
        shear_correction: shear correction factor kappa: shear stiffness is kappa G S, S the bond's section; > 0 and <= 1 (default 0)
        bond_radius: radius of a bond, from the radii of its two elements; [RBDEM] uses the minimum. Tetrahedra and yarns have bond sections of their own; one of mean, minimum (default 'mean')
        breakage: criterion by which bonds break. tensile: tension only. absolute: compression breaks too, as printed in [BDEM21] (17). none: bonds never break. rod: tension only, with the largest shear stress of a round section, [RBDEM] (24), (25). hydrostatic: an element's mean stress above tensile_strength breaks its bonds, [RBDEM] (32). principal: an element's largest principal stress above tensile_strength breaks its bonds; one of tensile, absolute, none, rod, hydrostatic, principal (default 'tensile')
        seed: random seed of the scatter of strengths (default 1)
        model: constitutive model. bonded: elements and bonds. The others are laws of bodies of material points (packing: {points: ...}), material points. corotated: fixed-corotated elasticity. neo_hookean: neo-Hookean elasticity. hencky: elasticity of logarithmic strains; yields as von Mises has it with a yield_stress. snow: fixed-corotated; stretches beyond two limits become plastic and harden it. sand: Drucker-Prager friction without cohesion, with volume correction. fluid: weakly compressible, without shear stress. phase_field: elastic, its tensile part degraded by a field of damage (CD-MPM). nacc: non-associated Cam clay (CD-MPM); one of bonded, corotated, neo_hookean, hencky, snow, sand, fluid, phase_field, nacc (default 'bonded')
        friction_angle_rad: sand: angle of internal friction phi; while sand slides, sin(phi) = (s1 - s3) / (s1 + s3), s1 and s3 the largest and smallest principal compressive stress; > 0 and <= 88.8084582453 deg (default 0)
        friction_cone: sand: stress state in which sand has the friction angle. mean: plane strain, as in heaps and at walls; compression: triaxial compression; in other states sand then resists more, and above 36.9 degrees carries some tension; one of compression, mean (default 'mean')
        critical_compression: snow: strain beyond which compression is plastic; > 0 and <= 0.5 (default 0.025)
        critical_extension: snow: strain beyond which extension is plastic; > 0 and <= 0.5 (default 0.0075)
        hardening: snow: E grows with plastic compression by exp(hardening (1 - J_p)), at most twentyfold; between 0 and 100 (default 10)
        bulk_modulus_pa: fluid: bulk modulus K; p = K / gamma (J^-gamma - 1); > 0 (default 0)
        fluid_exponent: fluid: exponent gamma of the pressure; > 1 and <= 20 (default 7)
        damage_length_m: phase_field: length l0 over which damage is spread; 0: each point has its own; >= 0 (default 0)
        damage_time_s: phase_field: time in which damage follows what drives it; 0: at once; >= 0 (default 0)
        residual_stiffness: phase_field: share of the tensile stiffness that broken points keep; between 0 and 0.5 (default 0.001)
        cohesion: nacc: tensile over compressive strength, beta of CD-MPM; between 0 and 1000 (default 0.8)
        compaction_hardening: nacc: xi, growth of strength with compaction; between 0 and 100 (default 3)
        initial_compaction: nacc: logarithmic volume strain of earlier compaction, from which its strength at the start follows; between 0 and 1 (default 0.03)
        """
    def add_body(
        self,
        material: Id,
        packing: Packing | None = ...,
        *,
        x_m: Numbers | None = ...,
        y_m: Numbers | None = ...,
        z_m: Numbers | None = ...,
        radius_m: Numbers | None = ...,
        volume_m3: Numbers | None = ...,
        bond_i: Numbers | None = ...,
        bond_j: Numbers | None = ...,
        bond_section_m2: Numbers | None = ...,
        bond_factor: Numbers | None = ...,
        weakness: Sequence[Weakness] = ...,
        name: str | None = ...,
        bonding: Literal['near', 'none', 'list'] = ...,
        bond_reach: float = ...,
        solid_fraction: float = ...,
        cell_fraction: float = ...,
        point_spacing_m: float = ...,
        position_m: Vector = ...,
        rotation: Rotation = ...,
        velocity_m_s: Vector = ...,
        angular_velocity_rad_s: Vector = ...,
    ) -> Id:
        """A body: a packing's elements, or columns of places and radii in its rest frame.

        Bonds are those of the packing, between near elements, or, with bonding="list", between elements bond_i
        and bond_j of the body. Arguments, by name:

            name: name in messages (default None)
            bonding: which elements are bonded; one of near, none, list (default 'near')
            bond_reach: largest gap that a bond spans, as a fraction of the smaller element's radius; between 0 and 2 (default 0.15)
            solid_fraction: volume fraction of elements in the body; > 0 (default 1)
            cell_fraction: volume fraction of elements in the packing's cells; > 0 (default 0)
            point_spacing_m: spacing of material points; > 0 (default 0)
            position_m: position of the origin (default (0, 0, 0))
            rotation: rotation of the rest frame (default (0, 0, 0, 1))
            velocity_m_s: initial velocity of the origin (default (0, 0, 0))
            angular_velocity_rad_s: initial angular velocity about the origin, world axes (default (0, 0, 0))
        """
    def add_obstacle(
        self,
        shape: Shape | None = ...,
        motion: Motion | None = ...,
        *,
        name: str | None = ...,
        kind: Literal['fixed', 'driven', 'free'] = ...,
        is_plane: bool = ...,
        position_m: Vector = ...,
        rotation: Rotation = ...,
        density_kg_m3: float = ...,
        mass_kg: float = ...,
        velocity_m_s: Vector = ...,
        angular_velocity_rad_s: Vector = ...,
        friction: float = ...,
        restitution: float = ...,
        sticky: bool = ...,
    ) -> Id:
        """An obstacle: a half-space (is_plane=True) or a shape; fixed, driven by a motion, or free.

        Arguments, by name:

            name: unique among obstacles, drivers and probes (default None)
            kind: fixed, driven or free; one of fixed, driven, free (default 'fixed')
            is_plane: true: a half-space, no shape (default False)
            position_m: position of the shape (default (0, 0, 0))
            rotation: rotation of the shape (default (0, 0, 0, 1))
            density_kg_m3: density of a free body, or give mass; > 0 and <= 1e6 kg/m^3 (default 0)
            mass_kg: mass of a free body, or give density; > 0 (default 0)
            velocity_m_s: initial velocity (default (0, 0, 0))
            angular_velocity_rad_s: initial angular velocity about the centre of mass (default (0, 0, 0))
            friction: Coulomb friction coefficient. A contact has the geometric mean of this and the body's: 0.1 and the default 0.3 give 0.17; >= 0 (default nan)
            restitution: coefficient of restitution, combined as friction is; > 0 and <= 1 (default nan)
            sticky: true: material points that touch it stick to it. No effect on elements (default False)
        """
    def add_driver(
        self,
        region_body: Id | None = ...,
        region_shape: Shape | None = ...,
        motion: Motion | None = ...,
        free_axes: Sequence[bool] = ...,
        force_times_s: Numbers | None = ...,
        force_factors: Numbers | None = ...,
        *,
        name: str | None = ...,
        region_position_m: Vector = ...,
        region_rotation: Rotation = ...,
        drive: Literal['motion', 'force', 'none', 'wind', 'blast', 'pressure'] = ...,
        force_n: Vector = ...,
        wind_velocity_m_s: Vector = ...,
        wind_drag: float = ...,
        wind_density_kg_m3: float = ...,
        wind_gust_m_s: float = ...,
        wind_gust_size_m: float = ...,
        wind_gust_seed: int = ...,
        wind_vortex_m_s: float = ...,
        wind_vortex_radius_m: float = ...,
        wind_vortex_center_m: Vector = ...,
        wind_vortex_axis: Vector = ...,
        blast_position_m: Vector = ...,
        blast_charge_kg: float = ...,
        blast_time_s: float = ...,
        pressure_value_pa: float = ...,
        pressure_source_m: Vector = ...,
        pressure_reach_m: float = ...,
    ) -> Id:
        """What moves or loads the elements of a region, chosen where they are at time 0, or measures them only.

        Arguments, by name:

            name: unique among obstacles, drivers and probes (default None)
            region_position_m: position of the region's shape (default (0, 0, 0))
            region_rotation: rotation of the region's shape (default (0, 0, 0, 1))
            drive: kind of driver; one of motion, force, none, wind, blast, pressure (default 'none')
            force_n: total force, distributed by mass; factors are linear between entries of the table (default (0, 0, 0))
            wind_velocity_m_s: velocity of the air (default (0, 0, 0))
            wind_drag: drag coefficient, for the area that faces the flow: 1.2 suits plates, panes and cloth; >= 0 (default 1.2)
            wind_density_kg_m3: density of the air, or of water; between 1e-9 and 10000 kg/m^3 (default 1.2)
            wind_gust_m_s: root mean square speed of gusts, which the wind carries along; >= 0 (default 0)
            wind_gust_size_m: size of the smallest gusts; others are up to four times as large; > 0 (default 1)
            wind_gust_seed: another number gives other gusts; >= 0 (default 1)
            wind_vortex_m_s: largest speed of a vortex; negative: the other way round (default 0)
            wind_vortex_radius_m: where that speed is reached; > 0 (default 1)
            wind_vortex_center_m: a point of the vortex's axis (default (0, 0, 0))
            wind_vortex_axis: direction of the vortex's axis (default (0, 0, 1))
            blast_position_m: of the charge (default (0, 0, 0))
            blast_charge_kg: mass of TNT; > 0 (default 1)
            blast_time_s: of the detonation; the front arrives later; >= 0 (default 0)
            pressure_value_pa: pressure; negative: suction (default 0)
            pressure_source_m: only where the surface faces this point: the middle of a vessel, or a point far above a roof (default (nan, nan, nan))
            pressure_reach_m: only within this distance of source; > 0 (default inf)
        """
    def stable_time_step_s(self) -> float:
        """The stability limit of explicit steps."""
    def set_time_step(self, time_step_s: float) -> None:
        """Fixes the step for the rest of the run, before the first one."""
    def step(self, steps: int = ...) -> None:
        """Advances by so many steps; the explicit method only. Other threads run meanwhile; Ctrl-C is heard."""
    def advance(self, until_s: float) -> None:
        """Advances to a time, with as many steps as the method needs. Ctrl-C is heard between steps."""
    def advance_towards(self, until_s: float, most_steps: int) -> None:
        """As advance(), but stops after so many steps on the way; results do not depend on stops."""
    def move(
        self,
        moved: Id,
        until_s: float,
        translation_m: Vector | None = ...,
        rotation_rad: Vector | None = ...,
    ) -> None:
        """A driver's region or a driven obstacle goes on straight from where it is, so that at a later time it has this
        translation and rotation from the start, and then stays there. None: as it is.

        To be called again before that time has passed, for a course that is decided as the world goes. What its
        Motion prescribed from now on is forgotten; Motion() begins one that stands still. It is part of save(), and
        the same calls at the same times give the same results.
        """
    def drive(self, courses: Mapping[Id, Callable[[World], Any]], until_s: float, every_s: float) -> float:
        """Advances to a time, and asks every so often how what is driven goes on: courses = {driver or driven obstacle:
        function}. function(world) answers with a velocity [m/s], a pair of velocity and rate of the rotation vector
        [rad/s], None to stand still, or sherd.STOP, which ends it. That holds until the next time. In between, the force on
        a driver is averaged anew each time (probe_driver). Returns the time reached.

        The explicit method's steps are all alike: every_s must be a whole number of them (set_time_step).
        """
    def motion(self, moved: Id) -> MotionKey:
        """Where a driver's region or a driven obstacle is now: time_s, translation_m and rotation_rad from the start.
        Zeros before the first step of a driven obstacle, and of what moves by no Motion.
        """
    def restore(self, state: bytes) -> None:
        """Goes back to a saved state of a world that was built alike, bit for bit."""
    def probe_driver(self, driver: Id) -> ProbeReading:
        """Force and torque on a driver's region, averaged since reset_probes(), and its motion."""
    def probe_obstacle(self, obstacle: Id) -> ProbeReading:
        """Force and torque on an obstacle, averaged since reset_probes(), and its motion."""
    def reset_probes(self) -> None:
        """Begins to average anew."""
    def forget_breaks(self) -> None:
        """Empties the list of breaks()."""
    def fragments(self) -> FragmentList:
        """What hangs together by intact bonds; ids last from call to call."""
    def borrow(self) -> Borrowed:
        """`with world.borrow() as view:` gives the world's own columns, read-only and without copies.

        view.elements.x_m and so on, view.bonds.broken. In the block the world can't be stepped or changed. At its
        end no array or slice of them may be left; what is left then raises BorrowError, stays readable, and keeps
        the world from being changed until it is gone.
        """


class Error(Exception):
    """An error of the library. `where` (file:line:column, argument or function) and `hint` may be empty."""
    what: str
    where: str
    hint: str
    def __init__(self, what: str, where: str = ..., hint: str = ...) -> None: ...


class InterruptedRunError(Error):
    """A run was asked to stop."""


class BorrowError(Error, RuntimeError):
    """What is borrowed was used too long, or something was to change while it is borrowed."""


class BusyError(Error, RuntimeError):
    """A world, a run or a shape is in use by another thread, or by this one further up."""


class FileError(Error, OSError):
    """The system refused to read or write."""


class InputError(Error, ValueError):
    """A wrong value, file or definition."""


class LibraryError(Error, ImportError):
    """The shared library is missing, or is of another version than this package."""


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory."""


class UnstableError(Error, ArithmeticError):
    """The simulation became unstable: time step too large, not-a-number, energy growth."""


class SceneError(InputError):
    """A scene file is wrong; `errors` holds every error that was found in it."""
    errors: list[Error]
    def __init__(self, what: str, where: str = ..., hint: str = ..., errors: Sequence[Error] = ...) -> None: ...


class UnsupportedError(Error, NotImplementedError):
    """Valid, but this version of the library can't do it."""

def calibrate(
    packing: Mapping[str, Any] | None = ...,
    *,
    layers: int = ...,
    bond_reach: float = ...,
    youngs_modulus_pa: float = ...,
    poissons_ratio: float = ...,
    law: Literal['quaternion', 'lu', 'rod', 'central'] = ...,
    shear_correction: float = ...,
    bond_radius: Literal['mean', 'minimum'] = ...,
    breakage: Literal['tensile', 'absolute', 'none', 'rod', 'hydrostatic', 'principal'] = ...,
    tensile_strength_pa: float = ...,
    shear_strength_pa: float = ...,
    weibull_modulus: float = ...,
    yield_stress_pa: float = ...,
    hardening_modulus_pa: float = ...,
    fracture_energy_j_m2: float = ...,
    bar_width: float = ...,
    with_table: bool = ...,
    cache_folder: str | None = ...,
    threads: int = ...,
) -> Calibration:
    """Finds bonds that give a solid the requested stiffness and strengths; seconds, unless they are in the cache.

    packing: arguments of sherd.Packing as a dictionary, {"kind": "random", "bond_range": 1.2} (default: hcp)

    Arguments, by name:

        layers: number of layers of hcp or layers plates; between 0 and 4 (default 0)
        bond_reach: largest gap that a bond spans, as a fraction of the smaller element's radius; between 0 and 1 (default 0.15)
        youngs_modulus_pa: Young's modulus of the solid; > 0 and <= 1e300 Pa (default 1e+09)
        poissons_ratio: Poisson's ratio of the solid; > -1 and <= 0.5 (default 0.2)
        law: bond law: how forces and moments follow from deformation; one of quaternion, lu, rod, central (default 'quaternion')
        shear_correction: shear correction factor kappa of bonds; > 0 and <= 1 (default 0)
        bond_radius: radius of a bond, from the radii of its two elements; one of mean, minimum (default 'mean')
        breakage: criterion by which bonds break; one of tensile, absolute, none, rod, hydrostatic, principal (default 'tensile')
        tensile_strength_pa: tensile strength of the solid; > 0 (default inf)
        shear_strength_pa: shear strength of the solid, in torsion; > 0 (default inf)
        weibull_modulus: Weibull modulus of the scatter of bonds' strengths; >= 1, or 0 (default 0)
        yield_stress_pa: yield stress of the solid, in tension; > 0 (default inf)
        hardening_modulus_pa: slope of the solid's stress over plastic strain; >= 0 (default 0)
        fracture_energy_j_m2: fracture energy of the solid, in tension; >= 0 (default 0)
        bar_width: width of test bars; between 8 and 64 (default 16)
        with_table: measure more, and keep curves (default False)
        cache_folder: folder of cached results; empty: no cache (default None)
        threads: number of threads, 0: all; results do not depend on it; >= 0 (default 0)
    """

def load(path: Path) -> Run:
    """A run from its folder, or from the run file in it, without simulating."""

def material(name: str) -> dict[str, Any]:
    """Arguments of World.add_material for a well-known solid: world.add_material(**sherd.material("glass")).

    What differs from add_material's own defaults. Change the dictionary as you like; shear_modulus_pa does not follow
    youngs_modulus_pa. InputError names the nearest when there is none of this name.
    """

def materials() -> list[MaterialFigures]:
    """The solids that material() and `like:` of scenes know, with typical figures, ranges and sources."""

def run(
    scene: Path,
    set: Mapping[str, Any] | None = ...,
    out: Path | None = ...,
    on_frame: Callable[[RunView], Any] | None = ...,
    *,
    variant: str | None = ...,
    threads: int = ...,
    frames: int | None = ...,
    resume: bool = ...,
    overwrite: bool = ...,
    pictures: bool = ...,
    summary: bool = ...,
    on_message: Callable[[str, str], Any] | None = ...,
    progress: bool | None = ...,
) -> Run:
    """Runs a scene file to its end, as `sherd run` does, and returns the Run that is then in its folder.

    set: {"bodies.plate.packing.hcp.radius": "2 mm", ...}: other values than the scene's, as `sherd run --set`
    out: the run's folder (default out/NAME)
    on_frame: called with a RunView when a frame is on disk; sherd.STOP as its answer ends the run. What it raises
        stops the run, too, and is raised here.
    frames: to compute after frame 0 (default: as many as the scene says)
    resume: go on with the run in the folder, bit for bit
    overwrite: write over files of others in the folder
    pictures, summary: False: no pictures; no report, lists, animation and video
    on_message: called with (level, text) for each note and warning; default: warnings are printed where progress is
    progress: True, False or None (default): where there is a terminal or a notebook

    Ctrl-C ends the run between two steps with KeyboardInterrupt; `resume=True` goes on. Other Python threads
    run all the while.
    """

def version() -> Any:
    """The library's version."""

STOP: str
library_path: str
__version__: str
