#!/usr/bin/env python3
"""Runs into a folder in which there is a run already.

usage: run_again.py SHERD

1. a shorter run leaves no pictures, meshes or lists of the longer one before it, but what is not Sherd's
2. the video of a range of frames has these alone, or all if there are pictures of all
3. a run at its end says so when it is resumed, and its figures stay
4. two runs at once into one folder: the second is refused and harms nothing
5. meshes that changed since the run: no exports of what did not break
6. `--scene`: a scene of other looks makes other pictures, one that breaks otherwise is refused
7. words that can't be written are an error
8. bodies that begin in others, shapes too thin for their elements, durations between frames: warnings
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

SCENE = """
sherd: 1
name: twice
duration: 3 ms
output: {frame_rate: 2 kHz, meshes: [ply, glb, vtk], render: {width: 64, height: 36, samples: 1}}
materials:
  clay: {density: 2000, youngs_modulus: 50 MPa, poissons_ratio: 0.25, tensile_strength: 0.2 MPa,
         shear_strength: 0.3 MPa}
bodies:
  - {name: wedge, shape: {mesh: {file: wedge.obj, scale: 1 mm}}, packing: {hcp: {radius: 1.2 mm}}, material: clay,
     position: [0, 0, 2 mm], velocity: [0, 0, -5]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
"""
CORNERS = [(0, 0, 0), (20, 0, 0), (20, 16, 0), (0, 16, 0), (0, 0, 10), (0, 16, 10)]
FACES = ["1 4 3 2", "1 2 5", "4 6 3", "1 5 6 4", "2 3 6 5"]


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def sherd(*arguments, **options):
    return subprocess.run([os.path.abspath(sys.argv[1]), *arguments], capture_output=True, text=True, timeout=200,
                          **options)


def done(*arguments):
    result = sherd(*arguments)
    check(result.returncode == 0, f"{arguments}: {result.returncode}: {result.stderr}")
    return result.stdout


def write_mesh(folder, height):
    with open(os.path.join(folder, "wedge.obj"), "w") as file:
        for x, y, z in CORNERS:
            file.write(f"v {x} {y} {z * height}\n")
        for face in FACES:
            file.write(f"f {face}\n")


def files_of(folder):
    return {os.path.relpath(os.path.join(path, name), folder) for path, _, names in os.walk(folder) for name in names}


def video_frames(path):
    probe = shutil.which("ffprobe")
    if probe is None or not os.path.exists(path):
        return None
    words = [probe, "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", path]
    return int(subprocess.run(words, capture_output=True, text=True, timeout=60).stdout.strip().strip(","))


def replaced(scene, out):
    done("run", scene, "-o", out, "--frames", "5", "--quiet", "-j", "1")
    for name in ("frames/mine.png", "frames/frame_cover.png", "frames/frame_000004.png.txt", "notes.txt"):
        with open(os.path.join(out, name), "w") as file:
            file.write("a user's own")
    before = files_of(out)
    check("frames/frame_000005.png" in before and "vtk/surface_000005.vtp" in before, "the longer run")
    said = done("run", scene, "-o", out, "--frames", "2", "-j", "1")
    check("the earlier run in" in said and "replaced" in said, "not a word of the run that went: " + said)
    gone = {f"{name}_{k:06}{kind}" for k in (3, 4, 5) for name, kind in (
        ("frames/frame", ".png"), ("surface/frame", ".ply"), ("vtk/elements", ".vtp"), ("vtk/surface", ".vtp"))}
    lost = before - files_of(out) - {"checkpoint-former.sherd"}  # written after 2 s: where the machine is busy
    check(lost == gone, f"left or lost: {lost ^ gone}")
    check(video_frames(os.path.join(out, "video.mp4")) in (None, 3), "the video has frames of the former run")
    check("report.html, run.sherd" in said and ("video.mp4" in said) == os.path.exists(os.path.join(out, "video.mp4")),
          "what there is: " + said)
    done("run", scene, "-o", out, "--frames", "1", "-j", "1", "--quiet", "--no-pictures", "--set", "output.meshes=[]")
    left = files_of(out)
    check(not any(name.endswith((".ply", ".vtp", ".pvd", ".glb", ".mp4")) for name in left), f"left: {left}")
    check({"notes.txt", "frames/mine.png", "frames/frame_cover.png"} <= left, f"lost: {left}")


def ranges(scene, out):
    done("run", scene, "-o", out, "--quiet", "-j", "1", "--quality", "final")
    for text, frames in (("2:4", 3), ("3", 1)):
        place = out + "-" + text.replace(":", "-")
        done("render", out, "--frames", text, "-o", place, "--quiet")
        check(video_frames(os.path.join(place, "video.mp4")) in (None, frames), f"the video of {text}")
        names = ("frame_000003.png", os.path.join("frames", "frame_000003.png"))
        pictures = [open(os.path.join(*at), "rb").read() for at in zip((place, out), names)]
        check(pictures[0] == pictures[1], f"another camera for {text}")
    still = out + "-still"
    done("render", out, "--frames", "3", "-o", still, "--quiet", "--set", "output.render.video=false")
    check(os.listdir(still) == ["frame_000003.png"], f"{os.listdir(still)}")
    # With pictures of all frames the video is of all; where some are missing, or have another size, there is one of
    # these frames beside them, and the run's video stays. A single picture is no video.
    whole, part = os.path.join(out, "video.mp4"), os.path.join(out, "frames", "video_000001.mp4")
    done("render", out, "--frames", "1:2", "--quiet")
    check(video_frames(whole) in (None, 7) and not os.path.exists(part), "the video after two of seven frames")
    os.remove(os.path.join(out, "frames", "frame_000004.png"))
    before = open(whole, "rb").read() if os.path.exists(whole) else b""
    done("render", out, "--frames", "1:2", "--quiet")
    check(video_frames(part) in (None, 2), "the video of two of seven frames")
    check(before == (open(whole, "rb").read() if os.path.exists(whole) else b""), "the run's video is another")
    done("render", out, "--frames", "4", "--quiet", "--set", "output.render.width=32")
    check(before == (open(whole, "rb").read() if os.path.exists(whole) else b""), "pictures of two sizes in a video")
    check(not os.path.exists(os.path.join(out, "frames", "video_000004.mp4")), "a video of one picture")
    done("render", out, "--frames", "4", "--quiet")
    check(video_frames(whole) in (None, 7), "the video with all pictures again")


def previews(scene, out):
    """Quick pictures: of a run by default, by the option and by the setting, with any number of threads."""
    def render(name, *options):
        place = out + "-" + name
        done("render", out, "--frames", "3", "-o", place, "--quiet", "--set", "output.render.video=false", *options)
        return open(os.path.join(place, "frame_000003.png"), "rb").read()

    final, preview = render("final"), render("preview", "--quality", "preview", "-j", "1")
    check(preview != final, "a preview is another picture")
    check(render("two", "--quality=preview", "-j", "2") == preview, "threads change previews")
    check(render("set", "--set", "output.render.quality=preview") == preview, "the setting is the option")
    check(render("twice", "--quality", "preview", "--quality", "final") == final, "the last one counts")
    check(render("auto", "--set", "output.render.quality=auto") == final, "sherd render makes final pictures")
    bad = sherd("render", out, "--quality", "fast")
    check(bad.returncode == 2 and "--quality wants final or preview" in bad.stderr, bad.stderr)
    bad = sherd("render", out, "--set", "output.render.quality=fast")
    check(bad.returncode == 2 and "must be one of auto, final, preview, got 'fast'" in bad.stderr, bad.stderr)
    quick, usual = out + "-quick", out + "-usual"
    done("run", scene, "-o", quick, "--frames", "3", "--quiet", "-j", "1", "--quality", "preview")
    said = done("run", scene, "-o", usual, "--frames", "3", "-j", "1")
    check(f"sherd render {usual}\n" in said, "not said how to make final pictures: " + said)
    made = []
    for folder in (quick, usual):
        with open(os.path.join(folder, "frames", "frame_000003.png"), "rb") as file:
            made.append(file.read())
    check(made[0] == made[1] != final, "a run makes previews")
    done("render", usual, "--quiet", "--set", "output.render.video=false")
    with open(os.path.join(usual, "frames", "frame_000003.png"), "rb") as file:
        check(file.read() == final, "sherd render replaces previews by final pictures")
    # Meshes that a run leaves do not depend on the pictures' quality.
    name = os.path.join("surface", "frame_000003.ply")
    meshes = [open(os.path.join(folder, name), "rb").read() for folder in (out, quick)]
    check(meshes[0] == meshes[1], "previews changed meshes")


def at_its_end(scene, out):
    with open(os.path.join(out, "stats.csv")) as file:
        stats = file.read()
    broken = stats.splitlines()[-1].split(",")[stats.splitlines()[0].split(",").index("broken_bonds")]
    check(int(broken) > 0, "nothing broke")
    for more in ([], ["--frames", "2"]):
        said = done("run", scene, "-o", out, "--resume", *more)
        check("nothing to simulate: the run has frames 0 to 6 already" in said, said)
        check(f"{broken} of " in said and "frame 6/2" not in said, said)
        with open(os.path.join(out, "stats.csv")) as file:
            check(file.read() == stats, "stats.csv changed")


def at_once(scene, out):
    longer = ["run", scene, "-o", out, "--set", "duration=10 s", "--no-pictures", "--set", "output.meshes=[]"]
    first = subprocess.Popen([os.path.abspath(sys.argv[1]), *longer], stdout=subprocess.DEVNULL)
    stats = os.path.join(out, "stats.csv")
    deadline = time.time() + 60
    while time.time() < deadline and not (os.path.exists(stats) and open(stats).read().count("\n") >= 3):
        time.sleep(0.01)
    second = sherd("run", scene, "-o", out, "--quiet")
    first.terminate()
    first.wait(timeout=60)
    check(second.returncode == 1 and "another program is writing this file" in second.stderr, second.stderr)
    check("resumable after frame" in done("info", out), "the first run was harmed")


def changed_meshes(scene, out, folder):
    csv = os.path.join(folder, "csv")
    write_mesh(folder, 1.5)
    for words in (["export", out, "--to", "ply"], ["export", out, "--to", "glb"], ["surface", out], ["render", out]):
        result = sherd(*words, "-o", os.path.join(folder, "never"))
        check(result.returncode == 2 and "have changed since" in result.stderr, f"{words}: {result.stderr}")
    check(not os.path.exists(os.path.join(folder, "never")), "something was written")
    done("export", out, "--to", "csv", "-o", csv, "--quiet")
    write_mesh(folder, 1)
    done("export", out, "--to", "ply", "--frames", "6", "-o", os.path.join(folder, "again"), "--quiet")
    check(files_of(os.path.join(folder, "again")) == {"frame_000006.ply"}, "one frame was asked for")


def other_looks(scene, out, folder):
    def render(name, *changes):
        text = SCENE
        for former, new in changes:
            check(former in text, former)
            text = text.replace(former, new)
        looks = os.path.join(folder, name + ".yaml")
        with open(looks, "w") as file:
            file.write(text)
        pictures = os.path.join(folder, name)
        said = sherd("render", out, "--scene", looks, "--frames", "3:3", "-o", pictures, "--quiet",
                     "--set", "output.render.video=false")
        return said, os.path.join(pictures, "frame_000003.png")

    pictures = []
    for name, *changes in (("same",),
                           ("red", ("strength: 0.3 MPa}", 'strength: 0.3 MPa, color: "#c02020"}')),
                           ("wooden-floor", ("1]}}", "1]}, appearance: {texture: wood, size: 2 mm}}"))):
        said, picture = render(name, *changes)
        check(said.returncode == 0, said.stderr)
        check(files_of(os.path.join(folder, name)) == {"frame_000003.png"}, "a video that nobody wants")
        pictures.append(open(picture, "rb").read())
    check(pictures[0] == open(os.path.join(out, "frames", "frame_000003.png"), "rb").read(), "the run's own looks")
    check(len(set(pictures)) == 3, "colours and floors are not seen")
    said, picture = render("faster", ("velocity: [0, 0, -5]", "velocity: [0, 0, -6]"))
    check(said.returncode == 2 and "this scene breaks otherwise" in said.stderr and not os.path.exists(picture),
          said.stderr)


def unwritable_words(scene):
    if not os.path.exists("/dev/full"):
        return
    with open("/dev/full", "w") as full:
        result = subprocess.run([os.path.abspath(sys.argv[1]), "check", scene], stdout=full, stderr=subprocess.PIPE,
                                text=True, timeout=60)
    check(result.returncode == 1 and "can't write to standard output" in result.stderr, result.stderr)


def warned(scene):
    """Allowed, but not what anybody means."""
    said = sherd("check", scene)
    check(said.returncode == 0 and said.stderr == "", "a warning for nothing: " + said.stderr)
    said = sherd("check", scene, "--set", "bodies.wedge.position.2=-5 mm")
    check(said.returncode == 0 and "begins up to 5 mm inside obstacle 'floor'" in said.stderr and
          "as the rest state" in said.stderr, said.stderr)
    said = sherd("check", scene, "--set", "solver.time_step=0.1 ms")
    check(said.returncode == 0 and "0.0001 s is above the stability limit" in said.stderr, said.stderr)
    rods = ("--set", "materials.clay.bond_law=rod")
    said = sherd("check", scene, *rods)
    check(said.returncode == 0 and said.stderr == "", said.stderr)
    # E kappa G / (E - kappa G) = 50 MPa / 2 with kappa = 5/6 and G = E / 2.5
    said = sherd("check", scene, *rods, "--set", "materials.clay.tensile_strength=26 MPa")
    check(said.returncode == 0 and "of material 'clay' lose their stability in shear at 25 MPa" in said.stderr,
          said.stderr)
    said = sherd("check", scene, *rods, "--set", "materials.clay.tensile_strength=24 MPa")
    check(said.returncode == 0 and said.stderr == "", said.stderr)
    strong = ("--set", "materials.clay.tensile_strength=20 MPa", "--set")
    said = sherd("check", scene, *strong, "materials.clay.yield_stress=24 MPa")
    check(said.returncode == 0 and "bonds of material 'clay' break at 20 MPa, before they yield at 24 MPa" in
          said.stderr and "make yield_stress smaller, or tensile_strength larger" in said.stderr, said.stderr)
    said = sherd("check", scene, *strong, "materials.clay.yield_stress=20 MPa")
    check(said.returncode == 0 and said.stderr == "" and "so they are rods" in said.stdout, said.stderr)
    said = sherd("check", scene, "--set", "solver.time_step=1 us")
    check(said.returncode == 0 and said.stderr == "", said.stderr)
    said = sherd("check", scene, "--set", "duration=2.1 ms")
    check(said.stderr == "" and "5, to 0.0025 s: the duration of 0.0021 s" in said.stdout, said.stdout)
    said = sherd("check", scene, "--set", "bodies.wedge.packing.hcp.radius=3 mm")
    covered = re.search(r"of body 'wedge', (\d) in all, cover only (\d+) %", said.stderr)
    check(said.returncode == 0 and covered and int(covered[2]) < 50, said.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "twice.yaml")
        with open(scene, "w") as file:
            file.write(SCENE)
        write_mesh(folder, 1)
        replaced(scene, os.path.join(folder, "replaced"))
        out = os.path.join(folder, "out")
        ranges(scene, out)
        previews(scene, out)
        at_its_end(scene, out)
        at_once(scene, os.path.join(folder, "at-once"))
        changed_meshes(scene, out, folder)
        other_looks(scene, out, folder)
        unwritable_words(scene)
        warned(scene)
    print("all as it should be")


if __name__ == "__main__":
    main()
