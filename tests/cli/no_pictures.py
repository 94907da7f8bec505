#!/usr/bin/env python3
"""A build without pictures (-DSHERD_PICTURES=OFF): pictures are refused before anything runs, all else is made.

usage: no_pictures.py SHERD
"""
import os
import subprocess
import sys
import tempfile

SCENE = """sherd: 1
name: trial
duration: 0.2 ms
output: {frame_rate: 5 kHz, meshes: [glb, ply]}
materials:
  clay:
    density: 2000
    youngs_modulus: 50 MPa
    tensile_strength: 1 MPa
    shear_strength: 1 MPa
    appearance: {image: picture.png}
bodies:
  - name: block
    shape: {box: [8 mm, 8 mm, 8 mm]}
    packing: {hcp: {radius: 1.5 mm}}
    material: clay
    position: [0, 0, 5 mm]
    velocity: [0, 0, -10]
obstacles: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
"""


def main():
    sherd = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        def run(*words):
            return subprocess.run([sherd, *words], cwd=folder, capture_output=True, text=True)

        with open(os.path.join(folder, "picture.png"), "wb") as picture:
            picture.write(b"\x89PNG not looked at")
        with open(os.path.join(folder, "trial.yaml"), "w", encoding="utf-8") as text:
            text.write(SCENE)
        refused = run("run", "trial.yaml", "-o", "run")
        assert refused.returncode != 0 and "makes no pictures" in refused.stderr, refused
        assert "--no-pictures" in refused.stderr, refused.stderr
        assert not os.path.exists(os.path.join(folder, "run")), "something was made"
        ran = run("run", "trial.yaml", "-o", "run", "--no-pictures")
        assert ran.returncode == 0, ran.stderr
        for name in ("run.glb", "stats.csv", "run.sherd"):
            assert os.path.getsize(os.path.join(folder, "run", name)) > 0, name
        rendered = run("render", "run", "-o", "pictures")
        assert rendered.returncode != 0 and "makes no pictures" in rendered.stderr, rendered
        told = run("doctor")
        assert "a small run" in told.stdout and "makes no pictures" in told.stdout, told.stdout


main()
