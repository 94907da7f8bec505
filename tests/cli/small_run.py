"""A small run that breaks, and what tests of the command say and compare. For other tests to import.

It breaks into a dozen pieces: surfaces of more take most of a run's time.
"""
import csv
import os
import subprocess
import sys

SCENE = """
sherd: 1
name: small
duration: 4 ms
output: {frame_rate: 1 kHz, probe_rate: 4 kHz, meshes: [],
         render: {enabled: false, width: 32, height: 32, samples: 1}}
materials:
  clay: {density: 2000, youngs_modulus: 50 MPa, poissons_ratio: 0.25, tensile_strength: 0.6 MPa,
         shear_strength: 0.6 MPa, weibull_modulus: 8, seed: 3}
bodies:
  - {name: slab, shape: {box: [20 mm, 16 mm, 5 mm]}, packing: {hcp: {radius: 1.2 mm}}, material: clay,
     position: [0, 0, 4 mm], rotation: [10 deg, 5 deg, 0], velocity: [0, 0, -5]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
probes: [floor]
"""
PICTURES = ["--set", "output.render.enabled=true", "--set", "output.meshes=[ply, glb, vtk]"]


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def command(*arguments):
    return [os.path.abspath(sys.argv[1]), *arguments]


def sherd(*arguments, **options):
    return subprocess.run(command(*arguments), capture_output=True, text=True, timeout=200, **options)


def done(*arguments, **options):
    result = sherd(*arguments, **options)
    check(result.returncode == 0, f"{arguments}: {result.returncode}: {result.stderr}")
    return result.stdout


def write_scene(folder):
    scene = os.path.join(folder, "small.yaml")
    with open(scene, "w") as file:
        file.write(SCENE)
    return scene


def rows(folder, name):
    """The rows of a table, without the time that they took."""
    with open(os.path.join(folder, name), newline="") as file:
        table = list(csv.DictReader(file))
    for row in table:
        row.pop("wall_s", None)
    return table


def contents(folder):
    """Every file below a folder and its bytes; where links lead."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(place, name)
            key = os.path.relpath(path, folder)
            if os.path.islink(path):
                found[key] = "-> " + os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as file:
                    found[key] = file.read()
    return found
