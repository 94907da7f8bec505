#!/usr/bin/env python3
"""What a run says of itself: in the log at its end, in report.html and from `sherd info`.

usage: diagnosis.py SHERD

Each scene has one thing to tell, whose numbers are known beforehand; and one has nothing to tell. Energy that comes from
nowhere, which no scene should have, is written into a run's figures.
"""
import html
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

HEAD = """
sherd: 1
name: told
duration: %s
gravity: [0, 0, 0]
solver: {method: explicit}
output: {frame_rate: %s, meshes: [], render: {enabled: false}}
materials:
  clay: {density: 2000, youngs_modulus: 100 MPa, poissons_ratio: 0.25, tensile_strength: %s, shear_strength: %s}
"""
BLOCK = """
bodies:
  - {name: block, shape: {box: [12 mm, 12 mm, 12 mm]}, packing: {cubic: {radius: 1 mm}}, material: clay%s}
"""


def scene(duration="1 ms", rate="10 kHz", strength="1 GPa", body="", more=""):
    return HEAD % (duration, rate, strength, strength) + BLOCK % body + more


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def run(sherd, *arguments):
    result = subprocess.run([sherd, *arguments], capture_output=True, text=True, timeout=200)
    check(result.returncode == 0, f"{arguments}: {result.stderr}")
    return result.stdout


def told(sherd, folder, name, text):
    """What the log says of a scene, which report and info must say, too."""
    path = os.path.join(folder, name + ".yaml")
    with open(path, "w") as file:
        file.write(text)
    return told_of(sherd, path, os.path.join(folder, name))


def told_of(sherd, path, out, *settings):
    name = os.path.basename(out)
    log = run(sherd, "run", path, "-o", out, "-j", "2", *settings)
    lines = [line.strip() for line in log[log.index("\ndone in "):].split("\n")[2:] if line.startswith("  ")]
    info = run(sherd, "info", out)
    with open(os.path.join(out, "report.html"), encoding="utf-8") as page:
        report = html.unescape(page.read())
    for line in lines:
        check(line in info, f"{name}: info does not say: {line}")
        check(line in report, f"{name}: the report does not say: {line}")
    return lines


def one(lines, name, start):
    found = [line for line in lines if line.startswith(start)]
    check(len(found) == 1, f"{name}: {start!r} is not told once: {lines}")
    return found[0]


def number(line, pattern):
    match = re.search(pattern.replace("#", r"([-+.\de]+)"), line)
    check(match is not None, f"{pattern!r} is not in: {line}")
    return float(match.group(1))


def unbroken(sherd, folder):
    # Dropped gently on a floor: compressed from below, and let go again before the end.
    text = scene(duration="2 ms", strength="20 MPa", body=", position: [0, 0, 6.05 mm], velocity: [0, 0, -0.5]",
                 more="obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n")
    line = one(told(sherd, folder, "unbroken", text), "unbroken", "Nothing broke")
    ratio = number(line, "stress is # % of the strength") / 100
    check(1e-4 < ratio < 1, "unbroken: ratio " + line)
    check(0 <= number(line, "t = # ms") <= 2 and "body 'block'" in line, line)


def cut(sherd, folder):
    """What the scene cuts is told apart from what breaks: 6 by 6 of the bonds of 6 by 6 by 6 elements."""
    text = scene(body=", weakness: [{strength: 0, cut: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}}}]")
    line = one(told(sherd, folder, "cut", text), "cut", "Nothing broke")
    check(line.startswith("Nothing broke but the 36 bonds that the scene cuts: "), line)
    log = run(sherd, "run", os.path.join(folder, "cut.yaml"), "-o", os.path.join(folder, "cut"), "-j", "1")
    check("  broken 0  " in log and "broken 36" not in log, log)
    check(": 0 of 504 bonds broken, 36 cut by the scene, 2 fragments, " in log, log)
    info = run(sherd, "info", os.path.join(folder, "cut"))
    check(" s, 0 broken bonds, 36 cut by the scene, 2 fragments" in info, info)
    # Material points alone have no bonds to speak of.
    text = scene().replace("cubic: {radius: 1 mm}", "points: {spacing: 2 mm}").replace(
        "tensile_strength: 1 GPa, shear_strength: 1 GPa", "model: neo_hookean")
    told(sherd, folder, "points", text)
    log = run(sherd, "run", os.path.join(folder, "points.yaml"), "-o", os.path.join(folder, "points"), "-j", "1")
    check("bonds" not in log and "broken" not in log, log)
    check("bonds" not in run(sherd, "info", os.path.join(folder, "points")), "info tells of bonds")


def parts(sherd, folder):
    """A lattice in parts of the shape that no bond joins is told before the run; a whole one is not."""
    shapes = {"one": "{box: [12 mm, 6 mm, 6 mm]}",
              "two": "{union: [{box: [12 mm, 6 mm, 6 mm]}, {box: [8 mm, 6 mm, 6 mm], position: [20 mm, 0, 0]}]}"}
    for name, shape in shapes.items():
        path = os.path.join(folder, name + ".yaml")
        with open(path, "w") as file:
            file.write(scene().replace("{box: [12 mm, 12 mm, 12 mm]}", shape))
        lines = [line for line in run(sherd, "check", path).splitlines() if "with no bond between" in line]
        check(len(lines) == (name == "two"), f"{name}: {lines}")
        if lines:
            check("in 2 pieces" in lines[0] and number(lines[0], "of up to # elements") == 6 * 3 * 3, lines[0])


def rising(sherd, folder):
    # One end is held, the other drawn away ever farther: 0.1 mm/ms over 12 mm in 1 ms, E 100 MPa, so about 0.9 MPa of
    # 20 MPa over the 11 mm between grips, up to twice as much where the grips end.
    more = "".join(f"  - {{name: {name}, region: {{box: [2 mm, 1, 1], position: [{x} mm, 0, 0]}}, {what}}}\n"
                   for name, x, what in (("hold", -6, "hold: true"), ("draw", 6, "motion: {velocity: [0.1, 0, 0]}")))
    line = one(told(sherd, folder, "rising", scene(strength="20 MPa", more="drivers:\n" + more)), "rising", "Nothing broke")
    check(line.endswith("; it was still rising at the end") and number(line, "t = # ms") == 1, line)
    check(3 < number(line, "stress is # % of the strength") < 12, line)
    check("softened" not in line, line)
    # The same past its strength, with far more fracture energy than that takes.
    text = scene(strength="0.5 MPa", more="drivers:\n" + more).replace("youngs_modulus", "fracture_energy: 500 J/m^2, youngs_modulus")
    line = one(told(sherd, folder, "softened", text), "softened", "Nothing broke")
    check(number(line, "have softened, which took # J") > 0, line)


def untouched(sherd, folder):
    """Nothing broke, for nothing was touched; what is not certain is not said."""
    jaw = ("obstacles:\n  - {name: above, box: [8 mm, 10 mm, 20 mm], position: [0, %s mm, 0],"
           " motion: {velocity: [0, %s, 0]}}\n")
    # 0.9 mm from the block at first; 0.5 mm less 1 ms later.
    line = one(told(sherd, folder, "short", scene(more=jaw % (11.9, -0.5))), "short", "Nothing broke")
    check("obstacle 'above' never touched body 'block'" in line, line)
    check(abs(number(line, "nearest # mm") - 0.4) < 0.01 and number(line, "t = # ms") == 1, line)
    check("highest stress" not in line, line)
    # It arrives after 0.6 ms and presses.
    line = one(told(sherd, folder, "arrives", scene(more=jaw % (11.3, -0.5))), "arrives", "Nothing broke")
    check("touched" not in line and "highest stress" in line, line)
    # What falls and has no time to: the nearest of two floors.
    floors = "obstacles:\n" + "".join(f"  - {{name: {name}, plane: {{point: [0, 0, {z} mm], normal: [0, 0, 1]}}}}\n"
                                      for name, z in (("floor", -8), ("cellar", -50)))
    line = one(told(sherd, folder, "falls", scene(body=", velocity: [0, 0, -1]", more=floors)), "falls", "Nothing broke")
    check("obstacle 'floor' never touched body 'block'" in line and "cellar" not in line, line)
    check(abs(number(line, "nearest # mm") - 1) < 0.01, line)
    # Two bodies that pass.
    other = ("  - {name: other, shape: {box: [12 mm, 12 mm, 12 mm]}, packing: {cubic: {radius: 1 mm}}, material: clay,"
             " position: [20 mm, 0, 0], velocity: [0, 1, 0]}\n")
    line = one(told(sherd, folder, "passes", scene(more=other)), "passes", "Nothing broke")
    check("no body touched another one" in line, line)
    # It flies by in one frame: whether it met the block is not seen there, but the block knows.
    fast = ("obstacles:\n  - {name: shot, box: [2 mm, 2 mm, 2 mm], position: [-6.9 mm, 60 mm, 0],"
            " motion: {velocity: [0, -1000, 0]}}\n")
    line = one(told(sherd, folder, "shot", scene(rate="2 kHz", strength="1000 GPa", more=fast)), "shot", "Nothing broke")
    check("never touched" not in line, line)


def driven(sherd, folder):
    # Half of the block is brought up to speed: energy is work, which is nothing to tell.
    more = ("drivers:\n  - {name: grip, region: {box: [30 mm, 30 mm, 6 mm], position: [0, 0, 6 mm]},"
            " motion: {velocity: [0, 0, 2]}}\n")
    lines = told(sherd, folder, "driven", scene(more=more))
    check(not any("Energy rose" in line for line in lines), lines)


def away(sherd, folder):
    # 30 m/s for 100 ms: 3 m, where ten times the size of the block are 0.2 m.
    lines = told(sherd, folder, "away", scene(duration="100 ms", rate="100 Hz", body=", velocity: [30, 0, 0]"))
    line = one(lines, "away", "216 of 216 elements flew away")
    check(abs(number(line, r"at \(#, ") - 3) < 0.02, line)
    check(not any("rolled" in other for other in lines), lines)
    # Along a floor, without friction: grains slide, which is told; a block that slides as a whole does what it should.
    floor = "obstacles:\n  - {name: floor, plane: {point: [0, 0, %s mm], normal: [0, 0, 1]}, friction: 0}\n"
    for loose, count in (("", 0), (", loose: true", 1)):
        text = scene(duration="100 ms", rate="100 Hz", body=", velocity: [30, 0, 0]" + loose, more=floor % -1)
        lines = told(sherd, folder, "along", text.replace("12 mm, 12 mm, 12 mm", "12 mm, 12 mm, 2 mm"))
        check(sum(line.startswith("36 of 36 elements rolled, slid or hopped away") for line in lines) == count, lines)
        check(not any("flew" in line for line in lines), lines)
    # Grains that fall onto a floor, or bounce from it, stay above it, 0.3 m below where they were; without one they fall away.
    for depth, flew in ((-300, 0), (None, 1)):
        text = scene(duration="300 ms", rate="100 Hz", body=", loose: true", more=floor % depth if depth else "")
        text = text.replace("gravity: [0, 0, 0]", "gravity: [0, 0, -9.81]").replace("12 mm, 12 mm, 12 mm", "4 mm, 2 mm, 2 mm")
        lines = told(sherd, folder, "grains", text)
        found = [line for line in lines if "away: they are" in line]
        check(len(found) == flew and all(line.startswith("2 of 2 elements flew away") for line in found), lines)
        check(all(line.endswith(", with no obstacle below it") for line in found), lines)


def touching(sherd, folder):
    """Material points' balls stand out of a turned ball's surface, which only touches what it lies on and beside."""
    text = (HEAD % ("1 ms", "1 kHz", "1 GPa", "1 GPa")) + """
  soft: {density: 1000, youngs_modulus: 1 MPa, poissons_ratio: 0.3, model: neo_hookean}
bodies:
  - {name: low, shape: {sphere: 15 mm}, packing: {points: {spacing: 4 mm}}, material: soft,
     position: [0, 0, 15 mm], rotation: [45 deg, 30 deg, 0]}
  - {name: high, shape: {sphere: 15 mm}, packing: {points: {spacing: 4 mm}}, material: soft,
     position: [21.213203 mm, 0, %s mm]}
obstacles:
  - {name: floor, plane: {point: [0, 0, %s mm], normal: [0, 0, 1]}}
"""
    text = text.replace("solver: {method: explicit}\n", "")
    lines = told(sherd, folder, "touching", text % ("36.213203", "0"))
    check(not any("began" in line for line in lines), lines)
    lines = told(sherd, folder, "deep", text % ("33", "2"))
    # Balls by 2.3 mm and 2 mm, of which the points nearest to the deepest places see a part.
    check(0.8 < number(one(lines, "deep", "Elements of bodies"), "overlap of # mm") < 2.3, lines)
    check(0.8 < number(one(lines, "deep", "The sphere of a point"), "began # mm inside") <= 2.0, lines)


def within(sherd, folder):
    # Pressed by a driver until its lowest elements are a radius deep in the floor.
    more = ("drivers:\n  - {name: hold, body: block, motion: {velocity: [0, 0, %s]}}\n"
            "obstacles:\n  - {name: floor, plane: {point: [0, 0, %s], normal: [0, 0, 1]}}\n")
    lines = told(sherd, folder, "within", scene(more=more % ("-1.001", "-6.001 mm")))
    last = [line for line in lines if "obstacle 'floor'" in line][-1]
    check(abs(number(last, "reaches # mm into") - 1) < 0.02 and abs(number(last, ", # of its radius") - 1) < 0.02, last)
    check("passed through" not in last, last)
    # Two radii deep: the centres are behind the surface.
    lines = told(sherd, folder, "through", scene(more=more % ("-2.001", "-6.001 mm")))
    last = [line for line in lines if "obstacle 'floor'" in line][-1]
    check(abs(number(last, "reaches # mm into") - 2) < 0.02 and last.endswith("; it passed through the surface"), last)
    # They begin as deep and stay there: contact does not push them.
    line = one(told(sherd, folder, "stays", scene(more=more % ("0", "-5 mm"))), "stays", "The sphere of an element of body 'block'")
    check(abs(number(line, "began # mm inside obstacle 'floor'") - 1) < 0.02, line)
    # They begin half as deep and go as far again.
    lines = told(sherd, folder, "farther", scene(more=more % ("-0.5", "-5.5 mm")))
    last = [line for line in lines if "than at the start" in line][-1]
    check(abs(number(last, "reaches # mm farther into obstacle 'floor' than at the start") - 0.5) < 0.02, last)


def settled(sherd, folder):
    """Water that rests in a tank, and soft cubes on each other, lie on what they lie on; pushed through, they do not."""
    text = (HEAD % ("300 ms", "10 Hz", "1 GPa", "1 GPa")).replace("[0, 0, 0]", "[0, 0, -9.81]").replace("explicit", "auto") + """
  water: {density: 1000, model: fluid, bulk_modulus: 20 kPa}
  jelly: {density: 1000, youngs_modulus: 5 kPa, poissons_ratio: 0.3, model: neo_hookean}
bodies:
  - {name: pool, shape: {box: [10 cm, 10 cm, 10 cm]}, packing: {points: {spacing: 2 cm}}, material: water, position: [0, 0, 5 cm]}
  - {name: low, shape: {box: [8 cm, 8 cm, 4 cm]}, packing: {points: {spacing: 2 cm}}, material: jelly, position: [30 cm, 0, 2 cm]}
  - {name: high, shape: {box: [4 cm, 4 cm, 4 cm]}, packing: {points: {spacing: 2 cm}}, material: jelly, position: [30 cm, 0, 6.2 cm]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  - {name: left, plane: {point: [-5 cm, 0, 0], normal: [1, 0, 0]}}
  - {name: right, box: [2 cm, 20 cm, 20 cm], position: [6 cm, 0, 10 cm]}
  - {name: back, plane: {point: [0, 5 cm, 0], normal: [0, -1, 0]}}
  - {name: front, plane: {point: [0, -5 cm, 0], normal: [0, 1, 0]}}
"""
    lines = told(sherd, folder, "settled", text)
    check(not any("obstacle" in line or "overlap" in line for line in lines), lines)
    text += "drivers:\n  - {name: push, body: low, motion: {velocity: [0, 0, -0.1]}}\n"
    lines = told(sherd, folder, "sunk", text.replace("[0, 0, -9.81]", "[0, 0, 0]"))
    line = one(lines, "sunk", "At t = 300 ms a point of body 'low' lies")
    # 30 mm down, from 10 mm above the floor.
    check(abs(number(line, "lies # mm behind the surface of obstacle 'floor'") - 20) < 0.1, line)
    check(number(line, ", # of the spacing") == 1 and line.endswith("; it passed through the surface"), line)


def pieces(sherd, folder):
    # A union of two boxes that do not touch.
    text = (HEAD % ("1 ms", "10 kHz", "1 GPa", "1 GPa")) + """
bodies:
  - name: pair
    shape: {union: [{box: [8 mm, 8 mm, 8 mm]}, {box: [4 mm, 4 mm, 8 mm], position: [12 mm, 0, 0]}]}
    packing: {cubic: {radius: 1 mm}}
    material: clay
"""
    line = one(told(sherd, folder, "pieces", text), "pieces", "Body 'pair' was 2 pieces from the start")
    count = number(line, ": # of its")
    check(10 <= count <= 20, line)  # 2 x 2 x 4 of the smaller box


def limited(sherd, folder):
    # Two elements with one bond a hundred times as stiff, and others with two along each axis: sqrt(100 / 2) = 7.07,
    # and a few percent more, as its elements are made a few percent smaller.
    # The stability limits themselves, with all vibrations of all elements together, are in that proportion to within
    # a sixth.
    text = (HEAD + """  steel: {density: 2000, youngs_modulus: 10 GPa, poissons_ratio: 0.25, unbreakable: true}
""" + BLOCK) % ("0.2 ms", "10 kHz", "1 GPa", "1 GPa", "")
    alone = os.path.join(folder, "alone.yaml")
    with open(alone, "w") as file:
        file.write(text)
    text += """  - {name: pin, shape: {box: [4 mm, 2 mm, 2 mm]}, packing: {cubic: {radius: 1 mm}}, material: steel,
     position: [30 mm, 0, 0]}
"""
    lines = told(sherd, folder, "limited", text)
    line = [line for line in lines if "limits explicit time steps" in line][0]
    gain = number(line, "about # times")
    check("body 'pin'" in line and 7.0 < gain < 7.5, line)
    limits = [number(run(sherd, "check", path), "limit # s")
              for path in (alone, os.path.join(folder, "limited.yaml"))]
    check(abs(limits[0] / limits[1] / gain - 1) < 1 / 6, f"limited: {limits[0] / limits[1]}, told {gain}")


def between(sherd, folder):
    # Two blocks begin with an overlap of 0.5 mm, half of a radius, which contact does not resist.
    other = """  - {name: other, shape: {box: [12 mm, 12 mm, 12 mm]}, packing: {cubic: {radius: 1 mm}}, material: clay,
     position: [0, 0, 11.5 mm]%s}
"""
    line = one(told(sherd, folder, "between", scene(more=other % "")), "between",
               "Elements of bodies 'block' and 'other' began")
    check(abs(number(line, "began with an overlap of # mm") - 0.5) < 0.01, line)
    # One is pushed 0.4 mm farther in, so that the row of elements next to the other gives way by less.
    text = scene(more=other % "" + """drivers:
  - {name: hold, body: block, region: {box: [1, 1, 10 mm]}, hold: true}
  - {name: push, body: other, region: {box: [1, 1, 9 mm], position: [0, 0, 11.5 mm]}, motion: {velocity: [0, 0, -0.4]}}
""")
    lines = told(sherd, folder, "deeper", text)
    line = [line for line in lines if "than at the start" in line][-1]
    check("'block'" in line and "'other'" in line and 0.1 < number(line, "overlap by # mm more than") < 0.4,
          lines)


def beside(sherd, folder):
    # Face to face: spheres of tetrahedra stand out of their faces, which is no penetration.
    text = (HEAD % ("1 ms", "1 kHz", "1 GPa", "1 GPa")).replace("[0, 0, 0]", "[0, 0, -9.81]") + """
bodies:
  - {name: low, shape: {box: [12 mm, 12 mm, 12 mm]}, packing: {tetra: {size: 6 mm}}, material: clay}
  - {name: high, shape: {box: [12 mm, 12 mm, 12 mm]}, packing: {tetra: {size: 6 mm, seed: 1}}, material: clay,
     position: [0, 0, 12 mm]}
obstacles:
  - {name: floor, plane: {point: [0, 0, -6 mm], normal: [0, 0, 1]}}
"""
    lines = told(sherd, folder, "beside", text)
    check(not any("within" in line for line in lines), lines)


# ---------------------------------------------------------------- run files that are changed

def chunks(data):
    """Kind, frame, where the header begins and where the payload ends (docs/reference/run-file.md)."""
    at = 32
    while at < len(data):
        kind, _, frame, _, stored = struct.unpack_from("<4sIqQQ", data, at)
        yield kind, frame, at, at + 40 + stored
        at += 40 + stored


ENERGIES = ("kinetic", "elastic", "gravity", "contact", "work", "dissipated_bonds", "dissipated_fracture",
            "dissipated_contact", "dissipated_friction", "dissipated_integration", "balance_error",
            "max_stress_ratio", "dissipated_onset", "dissipated_softening", "dissipated_plastic")
F64, I64, U64 = (1, "d"), (3, "q"), (5, "Q")


def column(name, rows, *members):
    """Of a record; a member is its name, its type and its values in a row."""
    head = data = b""
    for member, (kind, letter), values in members:
        head += struct.pack("<BBH", kind, len(member), len(values)) + member.encode()
        data += struct.pack(f"<{len(values)}{letter}", *values) if rows > 0 else b""
    return struct.pack("<cBHIQQ", b"C", 0, len(name), len(members), rows, len(data)) + name.encode() + head + data


def step_chunk(frame, time, energy):
    """Of a run without obstacles, in which nothing breaks; energies by their names, J, and counts of steps."""
    whole = {"frame": frame, "steps": 10 * frame, "elements": 216, "bonds": 540, "broken_bonds": 0, "fragments": 1,
             "newton_iterations": 0, "linear_iterations": 0, "implicit_steps": energy.get("implicit_steps", 0),
             "unsettled_steps": energy.get("unsettled_steps", 0)}
    stats = [(name, I64, [value]) for name, value in whole.items()]
    stats += [("time", F64, [time]), ("time_step", F64, [1e-6]), ("wall", F64, [0.0]), ("state_hash", U64, [0])]
    stats += [("energy." + name, F64, [energy.get(name, 0.0)]) for name in ENERGIES]
    stats += [(name, F64, [0.0] * 3) for name in ("momentum", "angular_momentum")]
    payload = column("time", 1, ("", F64, [time])) + column("stats", 1, *stats)
    payload += column("obstacles", 0, ("", F64, [0.0] * 7)) + column("newly_broken", 0, ("", I64, [0]))
    header = struct.pack("<4sIqQQI", b"STEP", 0, frame, len(payload), len(payload), zlib.crc32(payload))
    return header + struct.pack("<I", zlib.crc32(header)) + payload


def with_energies(sherd, folder, name, energies):
    """What info says of a run whose last frames have these energies."""
    out = os.path.join(folder, name)
    told(sherd, folder, name, scene(duration="1 ms", rate="2 kHz"))
    path = os.path.join(out, "run.sherd")
    with open(path, "rb") as file:
        data = file.read()
    last = max(frame for _, frame, _, _ in chunks(data))
    changed = data[:32]
    for kind, frame, begin, end in chunks(data):
        back = len(energies) - 1 - (last - frame)
        changed += step_chunk(frame, frame / 2000, energies[back]) if kind == b"STEP" and back >= 0 else data[begin:end]
    with open(path, "wb") as file:
        file.write(changed)
    return [line.strip() for line in run(sherd, "info", out).splitlines()]


def energies(sherd, folder):
    # Largest store 1 J; all of it comes in the last frame, 1 ms.
    line = one(with_energies(sherd, folder, "given", [{"kinetic": 1.0, "dissipated_integration": -0.9}]), "given", "Energy rose")
    check("integration gave 0.9 J" in line and number(line, "rose by # J up to t = 1 ms") == 1, line)
    line = one(with_energies(sherd, folder, "unknown", [{"kinetic": 1.0, "work": 0.2}]), "unknown", "Energy rose")
    check("of which drivers and driven obstacles did 0.2 J of work" in line and number(line, "rose by # J") == 1, line)
    # More than all of it, in whole per cent; what lessens it is what explicit steps of this scene have.
    for share, words in ((1.03, "103 %"), (0.0649, "6.5 %")):
        line = one(with_energies(sherd, folder, "much", [{"kinetic": 1.0, "dissipated_integration": share}]), "much", "The method")
        check(f", {words} of the largest stored energy" in line and line.endswith("; a smaller `safety` lessens it"), line)
    # The worst frame is told, not the last, unless next to nothing of it is left then; of the largest energy of all.
    for error, word in ((0.03, "appeared"), (-0.03, "vanished")):
        def balance(left, early=1.0):
            frames = [{"kinetic": early, "balance_error": error}, {"kinetic": 1.0, "balance_error": left * error}]
            return with_energies(sherd, folder, word, frames)
        line = one(balance(0.4), word, f"Energy {word} for no known reason")
        check(number(line, ": # % of the largest energy") == 100 * error and number(line, "at t = # ms") == 0.5, line)
        check(number(line, "of which # % are left") == 1.2, line)
        for lines in (balance(0.1), balance(-0.5), balance(0.1, early=0.1)):
            check(not any("for no known reason" in line for line in lines), "an error that goes again is told")
    lines = with_energies(sherd, folder, "small", [{"kinetic": 1.0, "work": 1.0, "balance_error": 0.004}])
    check(not any("for no known reason" in line for line in lines), "a balance of 0.4 % is told")


def unsettled(sherd, folder):
    """Sand between walls of elements; as many steps as the last row of the table says."""
    hourglass = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scenes/hourglass.yaml")
    settings = [word for setting in ("solver.method=implicit", "bodies.glass.packing.hcp.radius=3",
                                     "bodies.sand.packing.cubic.radius=2", "output={frame_rate: 1 kHz, meshes: [],"
                                     " render: {enabled: false}}", "duration=2 ms") for word in ("--set", setting)]
    out = os.path.join(folder, "unsettled")
    line = one(told_of(sherd, hourglass, out, *settings), "unsettled", "In ")
    with open(os.path.join(out, "stats.csv")) as file:
        rows = [row.strip().split(",") for row in file]
    last = dict(zip(rows[0], rows[-1]))
    check(0 < number(line, "In # of") == int(last["unsettled_steps"]), line)
    check(number(line, "of # implicit steps") == int(last["implicit_steps"]) == int(last["steps"]), line)


def accepted(sherd, folder):
    """Steepest descent, [IBDEM25] Algorithm 1, of a soft beam in one long step: more iterations than it may take."""
    path, out = os.path.join(folder, "beam.yaml"), os.path.join(folder, "accepted")
    with open(path, "w", encoding="utf-8") as file:
        file.write("""sherd: 1
name: beam
duration: 10 ms
solver: {method: implicit, scheme: euler, time_step: 10 ms, optimizer: algorithm_1, accuracy: 1e-4}
output: {frame_rate: 100, meshes: [], render: {enabled: false}}
materials: {m: {density: 1000, youngs_modulus: 30 kPa, shear_modulus: 12 kPa, unbreakable: true, bond_damping: 0}}
bodies: [{name: b, shape: {box: [30 mm, 6 mm, 6 mm]}, packing: {hcp: {radius: 1 mm}}, material: m}]
drivers: [{name: hold, region: {box: [3 mm, 1, 1], position: [-14.5 mm, 0, 0]}, hold: true}]
""")
    line = one(told_of(sherd, path, out), "accepted", "1 of 1 implicit steps were accepted")
    check("unbalanced force" in line, line)


def unfelt(sherd, folder):
    """Friction that has not converged where nothing touches anything, but for neighbours in a body that bends."""
    steps = {"kinetic": 1.0, "elastic": 1.0, "implicit_steps": 100, "unsettled_steps": 7}
    for contact, friction, count in ((1e-7, 1e-11, 0), (0.01, 0.0, 1), (1e-7, 0.01, 1)):
        lines = with_energies(sherd, folder, "unfelt", [steps | {"contact": contact, "dissipated_friction": friction}])
        check(sum("friction did not converge" in line for line in lines) == count, f"{contact} {friction}: {lines}")


def damaged(sherd, folder):
    # Torn apart in frames 1 to 10; frame 1 is damaged, which is no reason to say that nothing broke.
    more = ("drivers:\n  - {name: hold, region: {box: [2 mm, 1, 1], position: [-6 mm, 0, 0]}, hold: true}\n"
            "  - {name: draw, region: {box: [2 mm, 1, 1], position: [6 mm, 0, 0]}, motion: {velocity: [2, 0, 0]}}\n")
    told(sherd, folder, "damaged", scene(strength="1 MPa", more=more))
    path = os.path.join(folder, "damaged", "run.sherd")
    with open(path, "rb") as file:
        data = bytearray(file.read())
    begin = next(at for kind, frame, at, _ in chunks(data) if (kind, frame) == (b"STEP", 1))
    data[begin + 45] ^= 1
    with open(path, "wb") as file:
        file.write(data)
    text = run(sherd, "info", os.path.join(folder, "damaged"))
    check(number(text, "# broken bonds") > 0, text)
    check("damaged frames: 1;" in text and "Nothing broke" not in text, text)


def nothing(sherd, folder):
    # It lies in empty space.
    check(told(sherd, folder, "nothing", scene(duration="0.2 ms")) ==
          ["Nothing broke: no bond was stressed in any frame, or nothing can break"], "nothing: more is told")
    # Turned, its rest lengths are rounded, and swing by that.
    lines = told(sherd, folder, "rounding", scene(duration="0.2 ms", body=", rotation: [10 deg, 20 deg, 30 deg]"))
    one(lines, "rounding", "Nothing broke")
    check(len(lines) == 1, lines)


def weights(sherd, folder):
    # Elements of a lattice weigh their spheres, random ones, tetrahedra and thin walls what the solid weighs.
    text = HEAD % ("0.1 ms", "10 kHz", "1 GPa", "1 GPa") + """
bodies:
  - {name: lattice, shape: {box: [12 mm, 12 mm, 12 mm]}, packing: {cubic: {radius: 1 mm}}, material: clay}
  - {name: random, shape: {box: [12 mm, 12 mm, 12 mm]}, packing: {random: {radius: 1.5 mm}}, material: clay,
     position: [20 mm, 0, 0]}
  - {name: tetra, shape: {box: [12 mm, 12 mm, 12 mm]}, packing: {tetra: {size: 5 mm}}, material: clay,
     position: [40 mm, 0, 0]}
  - {name: wall, shape: {box: [12 mm, 12 mm, 0.3 mm]}, packing: {shell: {radius: 1 mm}}, material: clay,
     position: [60 mm, 0, 0]}
"""
    told(sherd, folder, "weights", text)
    with open(os.path.join(folder, "weights", "report.html"), encoding="utf-8") as page:
        report = html.unescape(page.read())
    for name, share in (("lattice", 100 * math.pi / 6), ("random", 100), ("tetra", 100), ("wall", 100)):
        line = re.search(name + ": cells of its elements .*?% of the solid", report)
        check(line is not None, f"weights: nothing is said of {name}")
        # Tetrahedra fill the box within 1 % (docs/theory/method.md); one digit is told.
        check(abs(number(line.group(0), "weigh # %") - share) < 1.0, line.group(0))
    said = run(sherd, "check", os.path.join(folder, "weights.yaml"))
    fills = [float(share) for share in re.findall(r"fill ([\d.]+) %", said)]
    check(len(fills) == 4 and max(fills) <= 100.0 and " 0 layers" not in said, said)


HOUSE = """v -1 -1 0
v 1 -1 0
v 1 1 0
v -1 1 0
v -1 -1 1.5
v 1 -1 1.5
v 1 1 1.5
v -1 1 1.5
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
f 5 6 7 8
"""


def checked(sherd, folder, text):
    """What `sherd check` says of a scene, and what `sherd run` says before its first frame."""
    path = os.path.join(folder, "checked.yaml")
    with open(path, "w") as file:
        file.write(text)
    result = subprocess.run([sherd, "check", path], capture_output=True, text=True, timeout=200)
    check(result.returncode == 0, result.stderr)
    ran = subprocess.run([sherd, "run", path, "-o", os.path.join(folder, "checked"), "--frames", "1"],
                         capture_output=True, text=True, timeout=200)
    check(ran.returncode == 0, ran.stderr)
    return result.stdout, result.stderr, ran.stdout[:ran.stdout.index("frame 1/")] + ran.stderr


def impacts(sherd, folder):
    """The first impact: rho c = 447 kPa s/m (2000 kg/m^3, 100 MPa)."""
    floor = "obstacles:\n  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
    body = ", position: [0, 0, 7 mm], velocity: [0, 0, -2]"
    out, errors, ran = checked(sherd, folder, scene(strength="1 MPa", body=body, more=floor))
    line = one([text.strip() for text in out.split("\n") if "meets" in text], "impacts", "note")
    check("bodies.block: meets obstacle 'floor' at 2 m/s" in line and line in ran.replace("\n  ", "\n"), line + ran)
    check(abs(number(line, r"youngs_modulus\) = # MPa") - 0.894) < 0.01 and number(line, "is # times") == 0.89, line)
    check("its `velocity` (m/s: " in line and "material 'clay' (times " in line, line)
    slower = number(line, r"m/s: # for 5"), number(line, r", # for 50")
    check(slower[0] < slower[1] and number(line, r"times # for 5") > number(line, r"times [\d.e+-]+ for 5, # for 50"), line)
    # Twenty times as fast, in smaller elements, it is powder, which is a warning; slow presses are none.
    fast = scene(strength="1 MPa", body=body.replace("-2]", "-40]"), more=floor).replace("radius: 1 mm", "radius: 0.7 mm")
    out, errors, ran = checked(sherd, folder, fast)
    check("powder" in errors and "warning: bodies.block: meets" in errors and "powder" in ran, errors)
    check("of this first impact alone" in errors and "take more elements" in errors, errors)
    each = number(" ".join(errors.split()), "become powder: about [\\d.e+]+ pieces, most of them of # elements")
    check(1.0 <= each < 10.0, errors)
    out, errors, ran = checked(sherd, folder, scene(strength="1 MPa", body=body.replace("-2]", "-0.05]"), more=floor))
    check("meets" not in out + errors, out + errors)


def weaknesses(sherd, folder):
    """All that weakness does is said."""
    half = ", weakness: [{%s, region: {shape: {box: [12 mm, 12 mm, 6 mm], position: [0, 0, %s mm]}}}]"
    for factors, place, words in (("stiffness: 3", 3, "stiffer (up to 3 times)"), ("strength: 2", 3, "stronger (up to 2 times)"),
                                  ("strength: 0.5, stiffness: 0.25", 3, "weaker (down to 0.5 times)"),
                                  ("stiffness: 0.25", 3, "softer (down to 0.25 times)"), ("strength: 0", 3, "cut"),
                                  ("strength: 0.5", 300, "changes none of 540 bonds")):
        out, errors, ran = checked(sherd, folder, scene(body=half % (factors, place)))
        line = one([text.strip() for text in out.split("\n")], factors, "weakness:")
        check(words in line and "0.0 %" not in line, line)


def rows(sherd, folder):
    """Of lattices that guide cracks, where there is one to guide."""
    cut = (", weakness: [{strength: 0, cut: {polygon: [[-7 mm, 0, -7 mm], [0, 0, -7 mm], [0, 0, 7 mm], [-7 mm, 0, 7 mm]]}}]")
    for packing, weakness, told in (("hcp", cut, True), ("hcp", "", False), ("random", cut, False)):
        text = scene(body=weakness).replace("cubic:", packing + ":")
        check(("cracks follow the rows" in checked(sherd, folder, text)[0]) == told, packing + weakness)


def yields(sherd, folder):
    """Bonds that yield for ever, which is no fault, but told."""
    strengths = "tensile_strength: 1 GPa, shear_strength: 1 GPa"
    for keys, count in (("tensile_strength: inf, shear_strength: inf, yield_stress: 1 MPa", 1),
                        ("tensile_strength: inf, shear_strength: inf, yield_stress: 1 MPa, fracture_strain: 0.1", 0),
                        (strengths + ", yield_stress: 1 MPa", 0)):
        text = scene()
        check(strengths in text, text)
        out, errors, ran = checked(sherd, folder, text.replace(strengths, keys))
        check(out.count("bonds of material 'clay' yield and never break") == count, f"{keys}: {out}{errors}")


def rebounds(sherd, folder):
    """A restitution that says little of a bonded body; of grains, of fragments and of few elements it says what it should."""
    keys, small = "density: 2000", ("box: [12 mm, 12 mm, 12 mm]", "box: [6 mm, 6 mm, 6 mm]")
    for given, body, size, count in ((", restitution: 0.8", "", small[0], 1), (", restitution: 0.2, unbreakable: true", "", small[0], 1),
                                     ("", "", small[0], 0), (", restitution: 0.2", "", small[0], 0),
                                     (", restitution: 0.8", ", loose: true", small[0], 0), (", restitution: 0.8", "", small[1], 0)):
        text = scene(body=body).replace(keys, keys + given).replace(small[0], size)
        out, errors, ran = checked(sherd, folder, text)
        check(out.count("of material 'clay' is that of two single elements: body 'block'") == count, f"{given}{body}: {out}{errors}")


def houses(sherd, folder):
    """Walls and a roof, no floor: solid without a thickness, which is a warning that names the key."""
    with open(os.path.join(folder, "house.obj"), "w") as file:
        file.write(HOUSE)
    for thickness, told in (("", True), (", thickness: 200 mm", False)):
        text = scene().replace("{box: [12 mm, 12 mm, 12 mm]}", "{mesh: {file: house.obj%s}}" % thickness)
        text = text.replace("cubic: {radius: 1 mm}", "hcp: {radius: 100 mm}")
        out, errors, ran = checked(sherd, folder, text)
        check(("house.obj is open" in errors and "`thickness`" in errors) == told, errors)
        check(("house.obj is open" in ran) == told, ran)


def main():
    sherd = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for case in (unbroken, cut, rising, untouched, driven, away, touching, within, settled, between, beside, pieces, parts, limited, energies, unsettled, accepted, unfelt,
                     damaged, weights, nothing, impacts, weaknesses, rows, yields, rebounds, houses):
            case(sherd, folder)
    print("ok")


main()
