#!/usr/bin/env python3
"""What a material point takes of memory in a run: peaks of two runs of 32,768 and 262,144 points, over the difference of points.

usage: points_memory.py SHERD

A point's state is 240 bytes, the grid 28 to 47. What a run adds is told in docs/notebook/performance-points.md: 468 bytes of an
elastic body, 405 of sand. Three columns of all points, 24 bytes, are more than the margin.
SHERD_TEST_LIMIT_S above 1 (builds with sanitizers) leaves the bound out.
"""
import os
import subprocess
import sys
import tempfile

MOST = {"jelly": 490, "grit": 425}  # bytes a point
SIDES = 32, 64

SCENE = """
sherd: 1
name: cube
duration: 4 ms
output: {{frame_rate: 500, meshes: [], render: {{enabled: false}}}}
materials:
  jelly: {{density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: neo_hookean, friction: 0.3}}
  grit: {{density: 1600, youngs_modulus: 1 MPa, poissons_ratio: 0.2, model: sand, friction_angle: 35 deg, friction: 0.5}}
bodies:
  - {{name: cube, shape: {{box: [{side} cm, {side} cm, {side} cm]}}, material: {material}, packing: {{points: {{spacing: 1 cm}}}},
     position: [0, 0, {half} cm], velocity: [0, 0, -1]}}
obstacles:
  - {{name: floor, plane: {{point: [0, 0, 0], normal: [0, 0, 1]}}}}
"""


def peak(sherd, folder, material, side):
    """Largest memory of a run [bytes]."""
    scene = os.path.join(folder, "scene.yaml")
    with open(scene, "w") as file:
        file.write(SCENE.format(material=material, side=side, half=0.5 * side))
    run = subprocess.Popen([sherd, "run", scene, "-o", os.path.join(folder, "out"), "-j", "2", "--quiet"])
    _, status, used = os.wait4(run.pid, 0)
    if status != 0:
        sys.exit(f"FAILED: {material}, {side}^3 points: the run ended with status {status}")
    return 1024 * used.ru_maxrss


def main():
    bounded = float(os.environ.get("SHERD_TEST_LIMIT_S", "1")) <= 1
    for material, most in MOST.items():
        with tempfile.TemporaryDirectory() as folder:
            small, large = (peak(sys.argv[1], folder, material, side) for side in SIDES)
        each = (large - small) / (SIDES[1] ** 3 - SIDES[0] ** 3)
        print(f"{material}: {each:.0f} bytes a point, at most {most}; {small >> 20} and {large >> 20} MB")
        if bounded and each > most:
            sys.exit(f"FAILED: {material} takes {each:.0f} bytes a point")


if __name__ == "__main__":
    main()
