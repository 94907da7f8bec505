#!/usr/bin/env python3
"""What a run says of itself: in the log at its end, in report.html and from `sherd info`.

usage: diagnosis.py SHERD

Each scene has one thing to tell, whose numbers are known beforehand; and one has nothing to tell.
"""
import html
import os
import re
import subprocess
import sys
import tempfile

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
    """What the log says, which report and info must say, too."""
    path, out = os.path.join(folder, name + ".yaml"), os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    log = run(sherd, "run", path, "-o", out, "-j", "2")
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
    ratio = number(line, "stress is # of the strength")
    check(1e-4 < ratio < 1, "unbroken: ratio " + line)
    check(0 <= number(line, "t = # ms") <= 2 and "body 'block'" in line, line)


def driven(sherd, folder):
    # Half of the block is turned up to speed: energy is work.
    more = ("drivers:\n  - {name: grip, region: {box: [30 mm, 30 mm, 6 mm], position: [0, 0, 6 mm]},"
            " motion: {velocity: [0, 0, 2]}}\n")
    lines = told(sherd, folder, "driven", scene(more=more))
    line = one(lines, "driven", "Energy rose")
    check("did" in line and "of work" in line, line)
    rise, work = number(line, "rose by # J"), number(line, "did # J")
    check(0.5 * rise < work < 2 * rise, "driven: " + line)


def away(sherd, folder):
    # 30 m/s for 100 ms: 3 m, where ten times the size of the block are 0.2 m.
    lines = told(sherd, folder, "away", scene(duration="100 ms", rate="100 Hz", body=", velocity: [30, 0, 0]"))
    line = one(lines, "away", "216 of 216 elements have left")
    check(abs(number(line, r"at \(#, ") - 3) < 0.02, line)


def within(sherd, folder):
    # Pressed by a driver until its lowest elements are a radius deep in the floor.
    more = ("drivers:\n  - {name: hold, body: block, motion: {velocity: [0, 0, %s]}}\n"
            "obstacles:\n  - {name: floor, plane: {point: [0, 0, %s], normal: [0, 0, 1]}}\n")
    lines = told(sherd, folder, "within", scene(more=more % ("-1.001", "-6.001 mm")))
    last = [line for line in lines if "obstacle 'floor'" in line][-1]
    check(abs(number(last, "is # mm within") - 1) < 0.02 and abs(number(last, ", # of its radius") - 1) < 0.02, last)
    # They begin as deep and stay there: contact does not push them.
    line = one(told(sherd, folder, "stays", scene(more=more % ("0", "-5 mm"))), "stays", "An element of body 'block'")
    check(abs(number(line, "began # mm within obstacle 'floor'") - 1) < 0.02, line)
    # They begin half as deep and go as far again.
    lines = told(sherd, folder, "farther", scene(more=more % ("-0.5", "-5.5 mm")))
    last = [line for line in lines if "than at the start" in line][-1]
    check(abs(number(last, "is # mm farther within obstacle 'floor' than at the start") - 0.5) < 0.02, last)


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
    # Two blocks begin 0.5 mm within each other, which is half of a radius and nothing that contact pushes at.
    other = """  - {name: other, shape: {box: [12 mm, 12 mm, 12 mm]}, packing: {cubic: {radius: 1 mm}}, material: clay,
     position: [0, 0, 11.5 mm]%s}
"""
    line = one(told(sherd, folder, "between", scene(more=other % "")), "between",
               "Elements of bodies 'block' and 'other' began")
    check(abs(number(line, "began # mm within each other") - 0.5) < 0.01, line)
    # One is pushed 0.4 mm farther in, so that the row of elements next to the other gives way by less.
    text = scene(more=other % "" + """drivers:
  - {name: hold, body: block, region: {box: [1, 1, 10 mm]}, hold: true}
  - {name: push, body: other, region: {box: [1, 1, 9 mm], position: [0, 0, 11.5 mm]}, motion: {velocity: [0, 0, -0.4]}}
""")
    lines = told(sherd, folder, "deeper", text)
    line = [line for line in lines if "than at the start" in line][-1]
    check("'block'" in line and "'other'" in line and 0.1 < number(line, "are # mm farther within each other") < 0.4,
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


def nothing(sherd, folder):
    # It lies in empty space.
    check(told(sherd, folder, "nothing", scene(duration="0.2 ms")) ==
          ["Nothing broke: no bond was stressed in any frame, or nothing can break"], "nothing: more is told")


def main():
    sherd = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for case in (unbroken, driven, away, within, between, beside, pieces, limited, nothing):
            case(sherd, folder)
    print("ok")


main()
