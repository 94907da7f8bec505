#!/usr/bin/env python3
"""Gives the command what users may give, by accident or not.

usage: inputs.py SHERD

1. settings of any length and with any characters come back from the run file: export, resume
2. files within the documented sizes that ask for much more: within SHERD_TEST_LIMIT_S (5 s) and 1 GB, refused
   or read: scenes, shapes, meshes, run files
"""
import os
import resource
import struct
import subprocess
import sys
import tempfile
import zlib

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


# ---------------------------------------------------------------- bombs

# Sanitizers are slower and reserve terabytes.
LIMIT_S = float(os.environ.get("SHERD_TEST_LIMIT_S", "5"))
LIMIT_BYTES = 1 << 30 if LIMIT_S <= 10 else resource.RLIM_INFINITY


def bounded(*arguments, **options):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    try:
        return sherd(*arguments, timeout=LIMIT_S, preexec_fn=limit, **options)
    except subprocess.TimeoutExpired:
        check(False, f"{arguments}: takes more than {LIMIT_S} s")


def refused(expected, *arguments, **options):
    """One clear error of the given words, exit status 2."""
    result = bounded(*arguments, **options)
    check(result.returncode == 2 and expected in result.stderr,
          f"{arguments}: {result.returncode}, not '{expected}': {result.stderr[:2000]}")
    return result


def yaml_bombs(folder):
    def scene(name, more):
        return write(folder, name + ".yaml", SCENE + more)
    refused("MB of text, aliases expanded", "check",
            scene("texts", "x: &a '" + 7900000 * "q" + "'\ny: [" + 400 * "*a, " + "*a]\n"))
    refused("too many anchors", "check",
            scene("anchors", "x: [" + ", ".join(f"&a{k} 1" for k in range(300000)) + "]\n"))
    refused("too many anchors", "check",
            scene("aliases", "x: [" + ", ".join(f"&a{k} 1" for k in range(1000)) + 450000 * ", *a1" + "]\n"))
    refused("longer than 64 bytes", "check", scene("name", "x: &" + 100 * "a" + " 1\n"))
    refused("more than 500000 values", "check", scene("values", "x: [" + 1500000 * "1," + "]\n"))
    refused("a key holds a zero byte", "check", scene("zero", '"x\\0y": 1\n'))
    refused("64 levels", "check", scene("levels", "x: " + 3000000 * "["))
    done("check", scene("fits", "variants: {a: {gravity: &g [0, 0, -9.81 m/s^2]}, b: {gravity: *g}}\n"))


def shape_bombs(folder):
    """Balls in a box of 60 mm, three deep; corners of a polygon."""
    def scene(name, shape):
        return write(folder, name + ".yaml", SCENE.replace("{box: [20 mm, 20 mm, 6 mm]}", shape))

    def balls(count):
        def at(k, n):
            return (k * n * 7919 + n) % 60
        return ", ".join(f"{{sphere: 4 mm, position: [{at(k, 1)} mm, {at(k, 7)} mm, {at(k, 13)} mm]}}"
                         for k in range(count))
    result = bounded("check", scene("union", "{union: [" + balls(500) + "]}"))
    check(result.returncode == 0, result.stderr)
    box = "{box: [60 mm, 60 mm, 60 mm], position: [30 mm, 30 mm, 30 mm]}"
    result = bounded("check", scene("holes", "{difference: [" + box + ", " + balls(20) + "]}"))
    check(result.returncode == 0, result.stderr)
    refused("1 to 10000 parts", "check", scene("parts", "{union: [" + balls(20000) + "]}"))
    corners = ", ".join(f"[{k} mm, {k % 7} mm]" for k in range(20000))
    refused("3 to 10000 vertices", "check", scene("corners", "{extrude: {outline: [" + corners + "], height: 1 mm}}"))


def mesh_bombs(folder):
    """A face that winds like a spring, of 20 000 corners."""
    mesh = "\n".join(f"v {k} {k * k % 10007} 0" for k in range(20000)) + "\nf " + " ".join(
        str(k + 1) for k in range(20000)) + "\n"
    refused("so many corners", "info", write(folder, "winding.obj", mesh))


def chunk(kind, codec, raw, stored):
    head = struct.pack("<4sIqQQI", kind, codec, -1, raw, len(stored), zlib.crc32(stored))
    return head + struct.pack("<I", zlib.crc32(head)) + stored


def run_bomb(folder):
    """A run file of some bytes that claims two gigabytes: as a chunk of zstd's longest repeats."""
    block = struct.pack("<I", (128 << 10) << 3 | 1 << 1)[:3] + b"\0"  # 128 KiB of zeros
    last = struct.pack("<I", (128 << 10) << 3 | 1 << 1 | 1)[:3] + b"\0"
    size = 2 << 30
    frame = b"\x28\xb5\x2f\xfd\xe0" + struct.pack("<Q", size) + (size // (128 << 10) - 1) * block + last
    head = struct.pack("<8sIIQI", b"SHERDRUN", 3, 0, 1, 0)
    run = write(folder, "run.sherd", head + struct.pack("<I", zlib.crc32(head)) + chunk(b"INFO", 1, size, frame))
    check(os.path.getsize(run) < 70000, "the bomb is too large")
    refused("ends or is damaged before its first frame", "info", folder)


def main():
    with tempfile.TemporaryDirectory() as folder:
        long_settings(folder)
    print("settings: good")
    with tempfile.TemporaryDirectory() as folder:
        yaml_bombs(folder)
        shape_bombs(folder)
        mesh_bombs(folder)
        run_bomb(folder)
    print("bombs: good")


main()
