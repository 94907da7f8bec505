#!/usr/bin/env python3
"""The strength that the tutorial's script reads from a run is that of the break, not what the halves ring with afterwards.

usage: tutorial_peak.py SHERD TUTORIAL

A bar of material points with glue of 10 kPa is drawn apart; the glue breaks at once.
"""
import csv
import os
import sys
import tempfile

from small_run import check, done

SCENE = """
sherd: 1
name: glued
duration: 0.25 s
gravity: [0, 0, 0]
output: {frame_rate: 100, probe_rate: 2000, meshes: [], render: {enabled: false}}
materials:
  rubber: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0, model: neo_hookean}
bodies:
  - {name: bar, shape: {box: [16 cm, 4 cm, 4 cm]}, material: rubber, packing: {points: {spacing: 1 cm}},
     fracture: {pieces: {cut: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}}},
                glue: {tensile_strength: 10 kPa, shear_strength: 10 kPa}}}
drivers:
  - {name: left, body: bar, region: {box: [2 cm, 5 cm, 5 cm], position: [-7 cm, 0, 0]}, hold: true}
  - {name: right, body: bar, region: {box: [2 cm, 5 cm, 5 cm], position: [7 cm, 0, 0]},
     motion: {table: [{time: 0 s}, {time: 0.02 s, translation: [0.1 mm, 0, 0]}, {time: 0.5 s, translation: [5 mm, 0, 0]}]}}
"""


def read_peak(page):
    """The function of the script in the page."""
    with open(page) as file:
        text = file.read()
    begin = text.index("def peak(stress):")
    names = {}
    exec(text[begin:text.index("\n\n", begin)], names)
    return names["peak"]


peak = read_peak(sys.argv[2])
# A noisy start, a dip on the way, the break, and what is larger afterwards.
check(peak([0, 0.1, -0.1, 3, 2.5, 10, 1, -8, 11.8, 2]) == 5, "the peak is not that before the break")
check(peak([0, 1, 2]) == 2, "without a break it is the last one")
with tempfile.TemporaryDirectory() as place:
    scene, run = os.path.join(place, "glued.yaml"), os.path.join(place, "run")
    with open(scene, "w") as file:
        file.write(SCENE)
    done("run", scene, "-o", run, "--quiet", "-j", "2")
    with open(os.path.join(run, "probes.csv"), newline="") as file:
        stress = [-float(r["force_x_n"]) / 16e-4 for r in csv.DictReader(file) if r["probe"] == "right"]
told = stress[peak(stress)]
check(abs(told - 10e3) < 0.02 * 10e3, f"{told:g} Pa, not 10 kPa") # waves of the start, rho c v = 0.3 kPa
print(f"{told:g} Pa, and {max(stress):g} Pa at most in the run")
