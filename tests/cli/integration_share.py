#!/usr/bin/env python3
"""What integration takes of the energy stands in the closing line of a run and in its report, above half a per cent, with what to do.

usage: integration_share.py SHERD

1. a bar that rings loses much with implicit steps, which is said, and what lessens it, which does; resumed, the run says
   the same
2. with explicit steps, and with auto, nothing is to be said
3. above five per cent both warn, for elements and for material points; below, nothing warns
4. implicit steps that are no longer than explicit ones may be are told of, longer ones are not
"""
import csv
import os
import re
import tempfile

from small_run import check, done

SCENE = """
sherd: 1
name: bar
duration: 8 ms
gravity: [0, 0, 0]
output: {frame_rate: 1 kHz, meshes: [], render: false}
materials:
  m: {density: 1000, youngs_modulus: 1 GPa, shear_modulus: 0.4 GPa, tensile_strength: 10 MPa, shear_strength: 10 MPa}
bodies:
  - {name: bar, shape: {box: [40 mm, 8 mm, 8 mm]}, packing: {hcp: {radius: 1 mm}}, material: m,
     angular_velocity: [0, 40, 0]}
drivers:
  - {name: clamp, body: bar, region: {box: [6 mm, 20 mm, 20 mm], position: [-20 mm, 0, 0]}, hold: true}
"""
POINTS = """
sherd: 1
name: spin
duration: 40 ms
gravity: [0, 0, 0]
output: {frame_rate: 100 Hz, meshes: [], render: false}
materials: {m: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: neo_hookean}}
bodies:
  - {name: bar, shape: {box: [80 mm, 40 mm, 40 mm]}, packing: {points: {spacing: 10 mm}}, material: m,
     angular_velocity: [0, 0, 10]}
"""
WARNING = re.compile(r"The method itself (took|gave) \S+ J, (\S+) % of the largest stored energy")

# What is advised: where implicit steps take energy, shares of the limit of explicit ones do nothing.
ADVICE = ("a smaller `accuracy`", "`transfer: affine`")


def warned(output, folder):
    """The share that the closing lines warn of [%], or None; the report and `sherd info` have the same."""
    found = WARNING.search(output)
    with open(os.path.join(folder, "report.html")) as file:
        reported = WARNING.search(file.read())
    told = WARNING.search(done("info", folder))
    same = [m and m.groups() for m in (found, reported, told)]
    check(same[0] == same[1] == same[2], f"warned of {same}")
    if found:
        check(any(f"; {advice} lessen" in output for advice in ADVICE), f"no advice, or another: {output}")
    return float(found[2]) if found else None


def points(folder):
    """A bar of points: PIC stops one that turns; nothing is lost by one that flies straight on."""
    scene = os.path.join(folder, "spin.yaml")
    with open(scene, "w") as file:
        file.write(POINTS)
    straight = os.path.join(folder, "straight.yaml")
    with open(straight, "w") as file:
        file.write(POINTS.replace("angular_velocity", "velocity"))
    for scene, setting, told in ((scene, "solver.transfer=flip", True), (straight, "solver.flip=1", False)):
        out = os.path.join(folder, "points-" + setting)
        first = ["run", scene, "-o", out, "--no-pictures", "-j", "1", "--set", setting]
        share = warned(done(*first), out)
        check((share is not None) == told, f"{setting}: {share}")
        if not told:
            continue
        check(abs(share - taken(out)) < 0.06 * taken(out), f"{share} %, by the table {taken(out)} %")
        # The largest store is that of the start, before the resumption.
        again = os.path.join(folder, "again")
        done(*[word if word != out else again for word in first], "--frames", "2")
        check(warned(done(*[word if word != out else again for word in first], "--resume"), again) == share,
              "resumed, the warning is another")


LINE = re.compile(r"energy balance \S+ %(?:, integration (took|gave) (\S+) % of the largest stored energy)?$", re.MULTILINE)


def ran(scene, folder, *arguments):
    """What the closing line says that integration took [%], and whether the report has it."""
    output = done("run", scene, "-o", folder, "--no-pictures", "-j", "1", *arguments)
    found = LINE.search(output)
    check(found, f"no closing line: {output}")
    with open(os.path.join(folder, "report.html")) as file:
        report = f"integration {found[1]} {found[2]} %" in file.read() if found[1] else False
    share = warned(output, folder)
    check((share is not None) == (found[1] is not None and float(found[2]) > 5), f"warned of {share}: {output}")
    return found[1], found[2], report


def taken(folder):
    """The same by the table, in per cent: nothing is larger than the bar's motion at the start."""
    with open(os.path.join(folder, "stats.csv"), newline="") as file:
        table = list(csv.DictReader(file))
    largest = max(max(float(row["kinetic_j"]), float(row["elastic_j"])) for row in table)
    return 100 * float(table[-1]["dissipated_integration_j"]) / largest


def main():
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "bar.yaml")
        with open(scene, "w") as file:
            file.write(SCENE)
        out = os.path.join(folder, "implicit")
        word, share, reported = ran(scene, out, "--set", "solver.method=implicit")
        check(word == "took" and reported, f"{word} {share}, in the report: {reported}")
        # Two digits are told.
        check(abs(float(share) - taken(out)) < 0.06 * taken(out), f"{share} %, by the table {taken(out)} %")
        check(float(share) > 10, f"{share} % only")
        again = ran(scene, out, "--set", "solver.method=implicit", "--resume")
        check(again == (word, share, reported), f"resumed: {again}")
        # What the warning advises helps.
        finer = ran(scene, os.path.join(folder, "finer"), "--set", "solver.method=implicit", "--set", "solver.accuracy=1e-4")
        check(float(finer[1]) < 0.2 * float(share), f"a hundredth of the accuracy: {finer[1]} after {share}")
        for method in ("explicit", "auto"):
            word, share, _ = ran(scene, os.path.join(folder, method), "--set", f"solver.method={method}")
            check(word is None, f"{method}: {word} {share} %")
        for step, told in (("0.5 T", True), ("10 T", False)):
            output = done("run", scene, "-o", os.path.join(folder, step), "--no-pictures", "--frames", "1",
                          "--set", "solver.method=implicit", "--set", f"solver.time_step={step}")
            check(("use method auto or explicit" in output) == told, f"{step}: {output}")
        points(folder)
    print("integration shares: told where there are any")


if __name__ == "__main__":
    main()
