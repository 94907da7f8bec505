#!/usr/bin/env python3
"""Pictures that a run makes beside the simulation.

usage: beside.py SHERD

1. one thread, which makes each picture before the next step, and two, of which one makes them beside it: the same
   bytes, and those of `sherd render`; exported files of frames likewise, and those of `sherd export`
2. a run that is stopped, or killed, while pictures are behind, and resumed: the same bytes, a picture of every frame
3. a resumed run that lacks the pictures of earlier frames makes them, but for one whose frame is damaged
4. a picture that can't be written ends the run with one error, and frames up to then stay readable
"""
import filecmp
import os
import signal
import subprocess
import sys
import tempfile
import time

SCENE = """
sherd: 1
name: tiny
duration: 6 ms
output: {frame_rate: 1 kHz, meshes: [ply], render: {width: 64, height: 48, samples: 16, video: false, shutter: 0.5,
                                                            quality: final}}
materials:
  clay: {density: 2000, youngs_modulus: 100 MPa, poissons_ratio: 0.25, tensile_strength: 0.5 MPa,
         shear_strength: 0.6 MPa, weibull_modulus: 8, seed: 3}
bodies:
  - {name: slab, shape: {box: [40 mm, 40 mm, 6 mm]}, packing: {hcp: {radius: 1.5 mm}}, material: clay,
     position: [0, 0, 14 mm], rotation: [10 deg, 5 deg, 0], velocity: [0, 0, -5]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
"""
FRAMES = 7


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def run(sherd, *arguments):
    return subprocess.run([sherd, *arguments], capture_output=True, text=True, timeout=300)


def done(sherd, *arguments):
    result = run(sherd, *arguments)
    check(result.returncode == 0, " ".join(arguments) + ": " + result.stderr)
    return result


def compare(kind, one, other, what):
    for k in range(FRAMES):
        name = f"frame_{k:06d}.{kind}"
        a, b = os.path.join(one, name), os.path.join(other, name)
        check(os.path.exists(a) and os.path.exists(b), f"{what}: no {name}")
        check(filecmp.cmp(a, b, shallow=False), f"{what}: {name} differs")


def compare_runs(one, other, what):
    compare("png", os.path.join(one, "frames"), os.path.join(other, "frames"), what)
    compare("ply", os.path.join(one, "surface"), os.path.join(other, "surface"), what)


def interrupted(sherd, scene, out, with_signal, reference):
    process = subprocess.Popen([sherd, "run", scene, "-o", out, "-j", "2"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    deadline = time.time() + 200
    while time.time() < deadline and process.poll() is None:
        stats = os.path.join(out, "stats.csv")
        if os.path.exists(stats) and open(stats).read().count("\n") >= 4:
            break
        time.sleep(0.002)
    process.send_signal(with_signal)
    process.communicate(timeout=200)
    done(sherd, "run", scene, "-o", out, "-j", "2", "--resume", "--quiet")
    compare_runs(reference, out, f"after signal {with_signal}")


def damaged(sherd, scene, out):
    """Flips a byte of frame 0, which has no picture yet; the camera is then that of frame 1."""
    done(sherd, "run", scene, "-o", out, "-j", "2", "--frames", "2", "--no-pictures", "--quiet")
    with open(os.path.join(out, "run.sherd"), "r+b") as file:
        data = file.read()
        at = data.index(b"FRAM") + 60
        file.seek(at)
        file.write(bytes([data[at] ^ 0x55]))
    told = done(sherd, "run", scene, "-o", out, "-j", "2", "--resume").stderr
    check("1 pictures are missing" in told, "the missing picture is not told: " + told)
    made = sorted(os.listdir(os.path.join(out, "frames")))
    check(made == [f"frame_{k:06d}.png" for k in range(1, FRAMES)], f"made: {made}")


def main():
    sherd = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "tiny.yaml")
        with open(scene, "w") as file:
            file.write(SCENE)
        one, two = os.path.join(folder, "one"), os.path.join(folder, "two")
        done(sherd, "run", scene, "-o", one, "-j", "1", "--quiet")
        told = done(sherd, "run", scene, "-o", two, "-j", "2").stdout
        check("beside the simulation" in told, "the time of pictures is not told: " + told)
        compare_runs(one, two, "two threads")
        done(sherd, "render", one, "-o", os.path.join(folder, "rendered"), "--quiet")
        compare("png", os.path.join(one, "frames"), os.path.join(folder, "rendered"), "sherd render")
        done(sherd, "export", one, "--to", "ply", "-o", os.path.join(folder, "exported"), "--quiet")
        compare("ply", os.path.join(one, "surface"), os.path.join(folder, "exported"), "sherd export")
        for with_signal in (signal.SIGINT, signal.SIGKILL):
            interrupted(sherd, scene, os.path.join(folder, "stopped" + str(int(with_signal))), with_signal, one)
        damaged(sherd, scene, os.path.join(folder, "damaged"))
        # A folder in the way of the third frame's picture.
        blocked = os.path.join(folder, "blocked")
        os.makedirs(os.path.join(blocked, "frames", "frame_000002.png", "there"))
        result = run(sherd, "run", scene, "-o", blocked, "-j", "2", "--overwrite", "--quiet")
        check(result.returncode != 0 and result.stderr.count("error:") == 1, "no single error: " + result.stderr)
        check("frame_000002.png" in result.stderr, "the error does not name the picture: " + result.stderr)
        info = done(sherd, "info", blocked).stdout
        check("elements" in info, "frames are lost: " + info)


if __name__ == "__main__":
    main()
