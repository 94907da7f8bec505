#!/usr/bin/env python3
"""Vases of one layer of elements that are wide against their curves, whole and in pieces: shell_surface.py SHERD

Bonds end within faces, elements lie between two faces alone, two bonds between the same two faces, and a face around
another, where a base is folded; all surfaces are closed 2-manifolds of the same volume nevertheless (scripts/check-meshes).
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
OUTSIDE = [(0, 0), (20, 1), (33, 8), (42, 22), (45, 40), (45, 55), (41, 70), (32, 85), (25, 100), (26, 110), (30, 120)]
INSIDE = [(27, 120), (23, 111), (22, 100), (29, 84), (38, 69), (42, 54), (42, 40), (39, 23), (31, 11), (19, 4), (0, 3)]
FOLDED = [(0, 0), (30, 0), (50.521, 56.382), (47.702, 57.408), (27.899, 3), (0, 3)]  # by 70 degrees
SCENE = """
sherd: 1
name: vase
duration: 10 ms
output: {{frame_rate: 200, meshes: [ply], render: {{enabled: false}}}}
materials:
  clay: {{density: 2000, youngs_modulus: 1 GPa, tensile_strength: 2 MPa, shear_strength: 2 MPa}}
bodies:
  - {{name: vase, shape: {{revolve: [{profile}]}}, packing: {{shell: {{radius: 3 mm}}}}, material: clay, velocity: [0, 0, -12]}}
obstacles: [{{name: floor, plane: {{point: [0, 0, -1 mm], normal: [0, 0, 1]}}}}]
"""


def check(sherd, folder, name, profile):
    """Whether the vase breaks into pieces that are closed."""
    scene, run = os.path.join(folder, name + ".yaml"), os.path.join(folder, name)
    with open(scene, "w") as file:
        file.write(SCENE.format(profile=", ".join(f"[{r} mm, {z} mm]" for r, z in profile)))
    subprocess.run([sherd, "run", scene, "-o", run, "--quiet"], check=True, timeout=300)
    checked = subprocess.run([sys.executable, os.path.join(HERE, "..", "..", "scripts", "check-meshes"), run],
                             capture_output=True, text=True, timeout=300)
    print(checked.stdout + checked.stderr, end="")
    pieces = int(checked.stdout.split(" pieces")[0].split()[-1]) if " pieces" in checked.stdout else 0
    return checked.returncode == 0 and pieces > 50


def main():
    with tempfile.TemporaryDirectory() as folder:
        good = [check(sys.argv[1], folder, "vase", OUTSIDE + INSIDE), check(sys.argv[1], folder, "folded", FOLDED)]
    sys.exit(0 if all(good) else 1)


main()
