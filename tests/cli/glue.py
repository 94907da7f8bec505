#!/usr/bin/env python3
"""Glue between pieces of material points, beside a body of bonds, in what a run writes.

usage: glue.py SHERD

1. breaks.csv, csv/bonds.csv and csv/breaks.csv have each particle once, as glue, with its two pieces
2. loads of glue in csv/bonds_*.csv: as many as are intact, none without a stress
3. `sherd info` and the report count glue apart from bonds
4. the .glb has the fragments of the last frame, points that hang together as one piece
5. a run that was stopped and resumed writes the same breaks.csv
6. with the fracture energy that `sherd check` names glue softens, with less the run is refused, and names the same
7. an open mesh that goes through a body cuts it in two; of one that ends inside `sherd run` warns
"""
import csv
import json
import os
import re
import tempfile

from small_run import check, done, sherd

SCENE = """
sherd: 1
name: glued
duration: 20 ms
output: {frame_rate: 500, bond_loads: true, meshes: [], render: {enabled: false}}
materials:
  clay: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: neo_hookean, friction: 0.3}
  chalk: {density: 1500, youngs_modulus: 5 MPa, tensile_strength: 20 kPa, shear_strength: 20 kPa}
bodies:
  - {name: rod, shape: {box: [10 cm, 2 cm, 2 cm]}, material: chalk, packing: {cubic: {radius: 5 mm}},
     position: [30 cm, 0, 2.1 cm], rotation: [0, 10 deg, 0], velocity: [0, 0, -5]}
  - {name: block, shape: {box: [10 cm, 8 cm, 10 cm]}, material: clay, packing: {points: {spacing: 1.25 cm}},
     position: [0, 0, 8 cm], rotation: [0, 20 deg, 0], velocity: [0, 0, -4],
     fracture: {pieces: {voronoi: {size: 5 cm, seed: 3}},
                glue: {tensile_strength: 8 kPa, shear_strength: 12 kPa, scatter: 0.3}}}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
"""


SHEET = """
sherd: 1
name: sheet
duration: 1 ms
output: {frame_rate: 1000, meshes: [], render: {enabled: false}}
materials:
  clay: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: neo_hookean}
bodies:
  - {name: block, shape: {box: [10 cm, 8 cm, 10 cm]}, material: clay, packing: {points: {spacing: 1.25 cm}},
     fracture: {pieces: {cut: {sheet: {file: sheet.obj, scale: 1 cm, position: [0, 0, 1 cm], rotation: [0, 10 deg, 0]}}},
                glue: {tensile_strength: 8 kPa, shear_strength: 12 kPa}}}
"""


def table(*path):
    with open(os.path.join(*path), newline="") as file:
        return list(csv.DictReader(file))


def of(kind, rows):
    return [r for r in rows if r["kind"] == kind]


def check_tables(run):
    stats, breaks = table(run, "stats.csv"), table(run, "breaks.csv")
    bonds, exported = table(run, "csv", "bonds.csv"), table(run, "csv", "breaks.csv")
    glue = of("glue", bonds)
    check(len(of("bond", bonds)) + len(glue) == len(bonds) == int(stats[0]["bonds"]), "bonds.csv has not all of them")
    check(bonds.index(glue[0]) == len(bonds) - len(glue), "glue is not behind bonds")
    for rows in (bonds, breaks, exported):
        check(len(of("bond", rows)) > 0 and len(of("glue", rows)) > 0, "a kind is missing")
        check(all(r["piece_i"] == r["piece_j"] == "-1" and r["body"] == "0" for r in of("bond", rows)), "a bond")
        check(all(0 <= int(r["piece_i"]) != int(r["piece_j"]) >= 0 and r["body"] == "1" for r in of("glue", rows)),
              "pieces of glue")
    check(len(breaks) == len(exported) == len({r["bond"] for r in breaks}) == int(stats[-1]["broken_bonds"]),
          "breaks.csv has not all of them, or some twice")
    for row in of("glue", breaks):
        whole = bonds[int(row["bond"])]
        check(all(row[c] == whole[c] for c in ("i", "j", "body", "kind", "piece_i", "piece_j")), "ends of glue")
        check(row["mode"] in ("tension", "shear") and float(row["energy_j"]) == 0.0, "mode and energy of glue")
        before, after = (float(stats[int(row["frame"]) - k]["time_s"]) for k in (1, 0))
        check(before < float(row["time_s"]) <= after * (1 + 1e-12), "time of a break")
    check({r["mode"] for r in of("glue", breaks)} == {"tension", "shear"}, "modes of glue")
    return len(glue), len(of("glue", breaks)), len(of("bond", breaks))


def check_loads(run):
    last = len(table(run, "stats.csv")) - 1
    pulled = 0
    for row in table(run, "csv", f"bonds_{last:06d}.csv"):
        load = [row[c] for c in ("force_x_n", "force_y_n", "force_z_n", "normal_force_n", "shear_force_n",
                                 "bond_stress_ratio")]
        check(all((text == "") == (row["broken"] == "1") for text in load), "a load")
        if row["kind"] == "bond" or row["broken"] == "1":
            continue
        x, y, z, normal, shear, ratio = map(float, load)
        size = x * x + y * y + z * z
        check(abs(normal * normal + shear * shear - size) <= 1e-5 * size, "parts of a load") # rounded to 24 bits
        check(0.0 <= ratio < 1.0, "it would have broken")
        check(float(row["bending_nm"]) == float(row["twisting_nm"]) == float(row["elastic_energy_j"]) == 0.0,
              "glue has no moments and stores nothing")
        pulled += normal > 0
    check(pulled > 0, "no glue is pulled")


def check_pieces(run):
    """Every node that is a piece, by its elements."""
    said = done("export", run, "--to", "glb")
    with open(os.path.join(run, "run.glb"), "rb") as file:
        head = file.read(20)
        nodes = json.loads(file.read(int.from_bytes(head[12:16], "little")))["nodes"]
    # Crumbs, which replace elements that came off, have none.
    told = sorted(n["extras"]["elements"] for n in nodes if n.get("extras", {}).get("elements", 0) > 0)
    last = len(table(run, "stats.csv")) - 1
    sizes = {}
    for row in table(run, "csv", f"elements_{last:06d}.csv"):
        sizes[row["fragment"]] = sizes.get(row["fragment"], 0) + 1
    check(told == sorted(sizes.values()), f"pieces of the .glb: {said}")


def check_words(run, glue, broken_glue, broken_bonds):
    said = done("info", run)
    check(f", {glue} particles of glue, 2 bodies" in said, said)
    check(f" {broken_bonds} broken bonds, {broken_glue} broken particles of glue, " in said, said)
    with open(os.path.join(run, "report.html")) as file:
        page = re.sub(r"\s+", "", file.read())
    for name, count in (("Particlesofglue", glue - broken_glue), ("Brokenparticlesofglue", broken_glue),
                        ("Brokenbonds", broken_bonds)):
        check(f"<dt>{name}</dt><dd>{count}</dd>" in page, f"the report does not say {name} {count}")


def check_sheet(place):
    """A square of 7 by 7 cm about the origin, and one of 20 by 20 cm."""
    scene = os.path.join(place, "sheet.yaml")
    with open(scene, "w") as file:
        file.write(SHEET)
    for size, said in ((3.5, "one piece"), (10, "2 pieces")):
        with open(os.path.join(place, "sheet.obj"), "w") as file:
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                file.write(f"v {x * size} {y * size} 0\n")
            file.write("f 1 2 3\nf 1 3 4\n")
        check(f"fracture: {said}" in done("check", scene), f"sheet of {size}: not {said}")
        result = sherd("run", scene, "-o", os.path.join(place, said), "--quiet", "--frames", "0")
        check(result.returncode == 0, result.stderr)
        check(("cuts nothing off" in result.stderr) == (size < 10), result.stderr)


def check_least(place):
    scene, out = os.path.join(place, "least.yaml"), os.path.join(place, "least")
    with open(scene, "w") as file:
        file.write(SCENE)
    least = re.search(r"has to be ([0-9.]+) J/m\^2", done("check", scene)).group(1)

    def run(energy):
        key = f"bodies.block.fracture.glue.fracture_energy={energy:g} J/m^2"
        return sherd("run", scene, "-o", out, "--overwrite", "--quiet", "--frames", "0", "--set", key)
    enough, less = run(float(least)), run(0.98 * float(least)) # told in three digits, not below
    check(enough.returncode == 0, enough.stderr)
    check(less.returncode != 0 and f"it takes {least} J/m^2" in less.stderr, less.stderr)
    # At the key itself, which --set gives.
    check(re.search(r"--set \S+=[0-9.]+ J/m\^2  bodies.block.fracture.glue.fracture_energy", less.stderr), less.stderr)


with tempfile.TemporaryDirectory() as place:
    check_sheet(place)
    check_least(place)
    scene, run, again = (os.path.join(place, name) for name in ("glued.yaml", "run", "again"))
    with open(scene, "w") as file:
        file.write(SCENE)
    done("run", scene, "-o", run, "--quiet", "-j", "1")
    done("export", run, "--to", "csv")
    glue, broken_glue, broken_bonds = check_tables(run)
    check_loads(run)
    check_pieces(run)
    check_words(run, glue, broken_glue, broken_bonds)
    done("run", scene, "-o", again, "--quiet", "-j", "2", "--frames", "4")
    done("run", scene, "-o", again, "--quiet", "-j", "2", "--resume")
    with open(os.path.join(run, "breaks.csv")) as a, open(os.path.join(again, "breaks.csv")) as b:
        check(a.read() == b.read(), "breaks.csv differs after a resume")
print(f"{broken_glue} of {glue} particles of glue and {broken_bonds} bonds broke, and are told")
