#!/usr/bin/env python3
"""A vase of one layer of elements that are wide against its curves, whole and in pieces: shell_surface.py SHERD

Its bonds end within faces, and elements lie between two faces alone; all surfaces are closed 2-manifolds of the
same volume nevertheless (scripts/check-meshes).
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
OUTSIDE = [(0, 0), (20, 1), (33, 8), (42, 22), (45, 40), (45, 55), (41, 70), (32, 85), (25, 100), (26, 110), (30, 120)]
INSIDE = [(27, 120), (23, 111), (22, 100), (29, 84), (38, 69), (42, 54), (42, 40), (39, 23), (31, 11), (19, 4), (0, 3)]
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


def main():
    with tempfile.TemporaryDirectory() as folder:
        scene, run = os.path.join(folder, "vase.yaml"), os.path.join(folder, "run")
        with open(scene, "w") as file:
            file.write(SCENE.format(profile=", ".join(f"[{r} mm, {z} mm]" for r, z in OUTSIDE + INSIDE)))
        subprocess.run([sys.argv[1], "run", scene, "-o", run, "--quiet"], check=True, timeout=300)
        checked = subprocess.run([sys.executable, os.path.join(HERE, "..", "..", "scripts", "check-meshes"), run],
                                 capture_output=True, text=True, timeout=300)
    print(checked.stdout + checked.stderr, end="")
    pieces = int(checked.stdout.split(" pieces")[0].split()[-1]) if " pieces" in checked.stdout else 0
    sys.exit(0 if checked.returncode == 0 and pieces > 50 else 1)


main()
