"""What tests of the Python module share. Run by CTest with the library, the command and layout.c's program named
in the environment; SHERD_TEST_NUMPY=0 hides numpy."""
import os
import sys
import tempfile

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
LAYOUT = os.environ.get("SHERD_TEST_LAYOUT", "")
COMMAND = os.environ.get("SHERD_TEST_COMMAND", "")
COMPILER = os.environ.get("SHERD_TEST_COMPILER", "cc")
SLOW = os.environ.get("SHERD_TEST_SLOW") == "1"  # under sanitizers: times say nothing
if os.environ.get("SHERD_TEST_NUMPY") == "0":
    sys.modules["numpy"] = None

import sherd  # noqa: E402  (numpy is hidden first)

SCENE = """
sherd: 1
name: small
duration: 4 ms
output: {frame_rate: 1 kHz, probe_rate: 4 kHz, meshes: [], render: {enabled: false}}
materials:
  clay: {density: 2000, youngs_modulus: 50 MPa, poissons_ratio: 0.25, tensile_strength: 0.2 MPa,
         shear_strength: 0.3 MPa, weibull_modulus: 8, seed: 3}
bodies:
  - {name: slab, shape: {box: [20 mm, 16 mm, 5 mm]}, packing: {hcp: {radius: 1.2 mm}}, material: clay,
     position: [0, 0, 4 mm], rotation: [10 deg, 5 deg, 0], velocity: [0, 0, -5]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
probes: [floor]
"""


def folder():
    return tempfile.TemporaryDirectory(prefix="sherd-python-")


def scene_in(place):
    """A file of the small scene."""
    path = os.path.join(place, "small.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(SCENE)
    return path


def small_world(**options):
    """A tile of some hundred elements above a floor, which breaks within 1 ms."""
    world = sherd.World(threads=1, **options)
    clay = world.add_material(name="clay", density_kg_m3=2000, youngs_modulus_pa=5e7, shear_modulus_pa=2e7,
                              tensile_strength_pa=1e5, shear_strength_pa=1.5e5)
    packing = sherd.Packing(sherd.Shape.box((0.02, 0.016, 0.005)), radius_m=1.2e-3)
    world.add_body(clay, packing, name="tile", position_m=(0, 0, 0.003), velocity_m_s=(0, 0, -5))
    world.add_obstacle(is_plane=True, name="floor")
    return world
