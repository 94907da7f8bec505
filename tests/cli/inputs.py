#!/usr/bin/env python3
"""Gives the command what users may give, by accident or not.

usage: inputs.py SHERD

1. settings of any length and with any characters come back from the run file: export, resume
"""
import os
import subprocess
import sys
import tempfile

SCENE = """
sherd: 1
name: tiny
duration: 2 ms
output: {frame_rate: 1 kHz, meshes: [], render: {enabled: false}}
materials:
  clay: {density: 2000, youngs_modulus: 50 MPa, poissons_ratio: 0.25, tensile_strength: 0.2 MPa,
         shear_strength: 0.3 MPa}
bodies:
  - {name: slab, shape: {box: [20 mm, 20 mm, 6 mm]}, packing: {hcp: {radius: 1.5 mm}}, material: clay,
     position: [0, 0, 8 mm], velocity: [0, 0, -2]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
"""


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def sherd(*arguments, **options):
    options = {"timeout": 60, "capture_output": True, "text": True, **options}
    return subprocess.run([os.path.abspath(sys.argv[1]), *arguments], **options)


def done(*arguments, **options):
    result = sherd(*arguments, **options)
    check(result.returncode == 0, f"{arguments}: {result.returncode}: {result.stderr}")
    return result


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w" if isinstance(text, str) else "wb") as file:
        file.write(text)
    return path


def long_settings(folder):
    """The shape stands behind 12 kB of points, and its last setting spans two lines."""
    scene = write(folder, "tiny.yaml", SCENE)
    out = os.path.join(folder, "out")
    points = ", ".join(f"[{6 + (k % 2) * 1e-6:.17g} mm, {6 * k / 600 + 1e-9:.17g} mm]" for k in range(600))
    settings = [f"bodies.slab.shape={{revolve: [[0, 0], {points}, [0, 6 mm]]}}",
                "bodies.slab.position=[0,\n 0, 12.5\n mm]"]
    check(len(settings[0]) > 12000, "the setting is shorter than it should be")
    settings += [f"materials.clay.density={2000 + k}" for k in range(100)]  # more than 64 of them
    words = [word for setting in settings for word in ("--set", setting)]
    done("run", scene, "-o", out, "--quiet", "--frames", "1", *words)
    with open(os.path.join(out, "run.sherd"), "rb") as file:
        check(file.read(9)[8] == 3, "format version")
    done("export", out, "--to", "vtk", "--quiet", "--set", "output.surface.method=cut")
    done("run", scene, "-o", out, "--quiet", "--resume", *words)
    vtp = os.listdir(os.path.join(out, "vtk"))
    check("surface_000001.vtp" in vtp, f"the surface was not exported: {vtp}")
    # An error names the setting, not all of it.
    result = sherd("check", scene, "--set", settings[0].replace("6 mm]]", "6 mmm]]"))
    check(result.returncode == 2 and len(result.stderr) < 1000 and "mmm" in result.stderr, result.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        long_settings(folder)
    print("settings: good")


main()
