#!/usr/bin/env python3
"""What is in a folder before Sherd writes there.

usage: run_folder.py SHERD

1. files of Sherd's names that no run made, links, a foreign run file or list: nothing is touched, exit status 2 and
   a hint; with --overwrite they are written over, but nothing outside of the folder
2. in the folder of a run: what that run made is replaced, a file that was changed since or put there is not
3. a run of an earlier version, without a list: its own names up to its frames are replaced
4. the same for export, render and surface, within the run's folder and elsewhere
5. --resume begins anew where there is nothing, or this run without a checkpoint; of anything else it says why not
6. checkpoints also within frames, the first after two seconds
7. temporary files of killed runs go, those of others stay
8. a folder that is removed or moved while a run writes there: an error at the next frame that says so
9. long names, percent signs, variants that lead out of the folder
10. damaged frames of the run file: it goes on over them, where they are not needed
"""
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time

from small_run import PICTURES, check, command, contents, done, rows, sherd, write_scene

QUICK = ["--quiet", "-j", "1"]
FRAMES = ["--frames", "1"]
NO_VIDEO = ["--set", "output.render.video=false"]
PLANTED = ["video.mp4", "run.glb", "report.html", "stats.csv", "probes.csv", "checkpoint.sherd", "run.sherd",
           "outputs.list", "frames/frame_000000.png", "frames/frame_000077.png", "surface/frame_000001.ply",
           "vtk/elements_000000.vtp", "vtk/surface.pvd"]


def write(path, text="precious"):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def refused(folder, *words, name=None):
    """Refused with a hint, exit status 2, and everything as it was."""
    before = contents(folder)
    result = sherd(*words)
    check(result.returncode == 2, f"{words}: {result.returncode} {result.stderr}")
    check("nothing was changed" in result.stderr and "--overwrite" in result.stderr, result.stderr)
    check(name is None or name in result.stderr, f"{name} is not named: {result.stderr}")
    after = contents(folder)
    check(after == before, f"{words}: touched {before.keys() ^ after.keys()}")


def planted_files(scene, folder):
    for k, name in enumerate(PLANTED):
        out = os.path.join(folder, f"planted-{k}")
        write(os.path.join(out, name))
        refused(out, "run", scene, "-o", out, *FRAMES, name=name)
        refused(out, "run", scene, "-o", out, "--resume", *FRAMES, name=name)
        done("run", scene, "-o", out, "--overwrite", *FRAMES, *QUICK, *PICTURES, *([] if "video" in name else NO_VIDEO))
        kept = "77" in name
        check((read(os.path.join(out, name)) == b"precious") == kept, f"{name} after --overwrite")
    out = os.path.join(folder, "list alone")
    done("run", scene, "-o", out, *FRAMES, *QUICK)
    os.remove(os.path.join(out, "run.sherd"))
    refused(out, "run", scene, "-o", out, name="stats.csv")
    out = os.path.join(folder, "all")
    for name in PLANTED:
        write(os.path.join(out, name))
    refused(out, "run", scene, "-o", out, name="and 12 more")
    out = os.path.join(folder, "others")
    others = {name: b"precious" for name in ("notes.txt", "frames/cover.png", "frames/frame_1.png", "vtk/mine.vtp")}
    for name in others:
        write(os.path.join(out, name))
    done("run", scene, "-o", out, *FRAMES, *QUICK)
    check(others.items() <= contents(out).items(), "other files are gone")


def links(scene, folder):
    place = os.path.join(folder, "links")
    for name in ("frames", "surface", "vtk"):
        out, target = os.path.join(place, name, "out"), os.path.join(place, name, "target")
        write(os.path.join(target, "frame_000000.png"))
        os.makedirs(out)
        os.symlink(target, os.path.join(out, name))
        refused(os.path.join(place, name), "run", scene, "-o", out, *FRAMES, name=name)
    for name in ("run.sherd", "stats.csv", "report.html", "video.mp4", "outputs.list"):
        out, target = os.path.join(place, name, "out"), os.path.join(place, name, "target")
        write(target)
        os.makedirs(out)
        os.symlink(target, os.path.join(out, name))
        refused(os.path.join(place, name), "run", scene, "-o", out, *FRAMES, name=name)
        done("run", scene, "-o", out, "--overwrite", *FRAMES, *QUICK)
        check(read(target) == b"precious", f"written through the link {name}")
    out, target = os.path.join(place, "part", "out"), os.path.join(place, "part", "target")
    write(target)
    os.makedirs(out)
    for name in ("run.sherd", "report.html", "checkpoint.sherd"):
        os.symlink(target, os.path.join(out, name + ".part"))
    done("run", scene, "-o", out, *FRAMES, *QUICK)
    check(read(target) == b"precious" and os.path.islink(os.path.join(out, "report.html.part")), "a .part was followed")


def own_folder(scene, folder):
    out = os.path.join(folder, "own")
    run = ["run", scene, "-o", out, *PICTURES, *NO_VIDEO, *QUICK]
    done(*run)
    done(*run)
    copy = os.path.join(folder, "copy")
    subprocess.run(["cp", "-al", out, copy], check=True)
    before = contents(copy)
    done(*run, *FRAMES, "--set", "gravity=[0, 0, -1]")
    check(contents(copy) == before, "a copy by hard links was changed")
    names = contents(out)
    check("frames/frame_000001.png" in names and "frames/frame_000002.png" not in names, "the former frames")
    write(os.path.join(out, "frames/frame_000001.png"), "touched up")
    refused(out, *run, name="frame_000001.png")
    os.remove(os.path.join(out, "frames/frame_000001.png"))
    write(os.path.join(out, "frames/frame_000003.png"), "put there")
    refused(out, *run, name="frame_000003.png")
    os.remove(os.path.join(out, "frames/frame_000003.png"))
    done(*run)


def earlier_version(scene, folder):
    out = os.path.join(folder, "earlier")
    run = ["run", scene, "-o", out, *PICTURES, *NO_VIDEO, *QUICK]
    done(*run)
    done("export", out, "--to", "usda", "--quiet")
    os.remove(os.path.join(out, "outputs.list"))
    for path in ("frames/frame_000005.png", "vtk/elements_000123.vtp"):  # the run has frames 0 to 4
        write(os.path.join(out, path))
        refused(out, *run, name=path)
        os.remove(os.path.join(out, path))
    done("export", out, "--to", "usda", "--quiet")
    done("render", out, "--quiet")
    done(*run, "--frames", "2", "--resume")
    done(*run, "--frames", "2")
    names = contents(out)
    check("frames/frame_000002.png" in names and "frames/frame_000003.png" not in names, "the former frames")
    check("run.usda" in names, "what was exported is gone")


def exports(scene, folder):
    out, place = os.path.join(folder, "exported"), os.path.join(folder, "place")
    done("run", scene, "-o", out, *FRAMES, *QUICK)
    for words, name in ((["--to", "ply"], "frame_000001.ply"), (["--to", "csv"], "elements_000000.csv"),
                        (["--to", "vtk"], "surface.pvd"), (["--to", "glb"], "run.glb"), (["--to", "usda"], "run.usda"),
                        (["--to", "obj-pc2"], "run.mtl"), (["--to", "obj-pc2"], "run.pc2")):
        write(os.path.join(place, name))
        words = ["export", out, *words, *QUICK]
        refused(folder, *words, "-o", place, name=name)
        done(*words, "-o", place, "--overwrite")
        done(*words, "-o", place)  # by now it is Sherd's
        check(read(os.path.join(place, name)) != b"precious", name)
        write(os.path.join(place, name))
        refused(folder, *words, "-o", place, name=name)
        shutil.rmtree(place)
    for words, name in ((["export", "--to", "glb"], "run.glb"), (["surface"], "surface/frame_000000.ply"),
                        (["render"], "frames/frame_000001.png"), (["render"], "video.mp4"),
                        (["export", "--to", "ply", "--rest"], "rest/frame_000000.ply")):
        words = [words[0], out, *words[1:], "--quiet"]
        write(os.path.join(out, name))
        refused(out, *words, name=name)
        done(*words, "--overwrite")
        done(*words)
    write(os.path.join(place, "frame_000000.png"))
    refused(folder, "render", out, "-o", place, "--quiet")
    refused(folder, "export", out, "--to", "glb", "-o", write_file(folder, "mine.glb"))
    shutil.rmtree(os.path.join(out, "csv"), ignore_errors=True)
    os.makedirs(place, exist_ok=True)
    os.symlink(place, os.path.join(out, "csv"))
    refused(folder, "export", out, "--to", "csv", name="csv")


def write_file(folder, name):
    write(os.path.join(folder, name))
    return os.path.join(folder, name)


def resumed_anew(scene, folder):
    out = os.path.join(folder, "anew")
    run = ["run", scene, "-o", out, "-j", "1", "--resume"]
    check("no run yet" in done(*run), "nothing there")
    reference = rows(out, "stats.csv")
    for name in ("checkpoint.sherd", "checkpoint-former.sherd"):
        if os.path.exists(os.path.join(out, name)):
            os.remove(os.path.join(out, name))
    check("no checkpoint yet" in done(*run) and rows(out, "stats.csv") == reference, "without a checkpoint")
    result = sherd(*run, "--set", "gravity=[0, 0, -1]")
    check(result.returncode == 2 and "other physical settings" in result.stderr, result.stderr)
    for name in ("checkpoint.sherd", "checkpoint-former.sherd"):
        write(os.path.join(out, name))
    before = contents(out)
    result = sherd(*run)
    check(result.returncode == 2 and "checkpoint" in result.stderr, f"a foreign checkpoint: {result.stderr}")
    check(contents(out) == before, "something was touched")


def within_frames(scene, folder):
    out = os.path.join(folder, "within")
    longer = ["--set", "output.frame_rate=0.1", "--set", "duration=10 s", "--set", "output.probe_rate=100"]
    process = subprocess.Popen(command("run", scene, "-o", out, *longer, *QUICK))
    checkpoint = os.path.join(out, "checkpoint.sherd")
    begin = time.time()
    while not os.path.exists(checkpoint) and process.poll() is None and time.time() < begin + 60:
        time.sleep(0.02)
    took = time.time() - begin
    process.kill()
    process.wait()
    check(took > 1.9, f"a checkpoint after {took} s")
    check("resumable after frame 0" in done("info", out), "the checkpoint is not within the first frame")


def temporary_files(scene, folder):
    out = os.path.join(folder, "temporary")
    done("run", scene, "-o", out, *FRAMES, *QUICK)
    write(os.path.join(out, "video.mp4.part"))
    write(os.path.join(out, "checkpoint.sherd.part"))  # what a run that is killed leaves
    done("run", scene, "-o", out, *FRAMES, *QUICK)
    names = contents(out)
    check("video.mp4.part" in names and "checkpoint.sherd.part" not in names, f"{sorted(names)}")


def lost_folder(scene, folder):
    for moved in (False, True):
        out = os.path.join(folder, f"lost-{moved}")
        process = subprocess.Popen(command("run", scene, "-o", out, "--set", "duration=10 s"),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        stats = os.path.join(out, "stats.csv")
        deadline = time.time() + 60
        while time.time() < deadline and not (os.path.exists(stats) and open(stats).read().count("\n") >= 3):
            time.sleep(0.01)
        if moved:
            os.rename(out, out + "-elsewhere")
        else:
            shutil.rmtree(out)
        begin = time.time()
        _, errors = process.communicate(timeout=60)
        check(process.returncode == 1 and time.time() < begin + 5, f"{process.returncode} {errors}")
        check("was removed, moved or replaced" in errors and "stays readable" not in errors, errors)
        check("--resume" not in errors or moved, "vain advice: " + errors)
    done("info", os.path.join(folder, "lost-True-elsewhere"))


def pipes(scene, folder):
    """What nobody writes is not waited for."""
    out = os.path.join(folder, "piped")
    done("run", scene, "-o", out, *FRAMES, *QUICK)
    os.remove(os.path.join(out, "checkpoint.sherd"))
    os.mkfifo(os.path.join(out, "checkpoint.sherd"))
    check("resumable" not in done("info", out), "a pipe is no checkpoint")
    os.remove(os.path.join(out, "run.sherd"))
    os.mkfifo(os.path.join(out, "run.sherd"))
    for words in (["info", out], ["export", out, "--to", "csv"]):
        result = sherd(*words)
        check(result.returncode == 2 and "error" in result.stderr, f"{words}: {result.returncode} {result.stderr}")
    result = sherd("run", scene, "-o", os.path.join(out, "outputs.list"))
    check(result.returncode == 1 and "a part of it is a file" in result.stderr, result.stderr)


def flip(out, kind, frame):
    """A bit in the payload of a chunk (docs/reference/run-file.md)."""
    path = os.path.join(out, "run.sherd")
    with open(path, "rb") as file:
        data = bytearray(file.read())
    at = 32
    while True:
        found, _, index, _, stored = struct.unpack_from("<4sIqQQ", data, at)
        if (found, index) == (kind, frame):
            break
        at += 40 + stored
    data[at + 45] ^= 4
    with open(path, "wb") as file:
        file.write(data)


def over_damage(scene, folder):
    whole = os.path.join(folder, "whole")
    done("run", scene, "-o", whole, *QUICK)
    former = os.path.join(folder, "former")
    done("run", scene, "-o", former, "--frames", "2", *QUICK)
    tables = os.path.join(folder, "tables")
    done("export", whole, "--to", "csv", "-o", tables, *QUICK)
    expected = contents(tables)
    for number, (chunks, left) in enumerate((
            ([(b"STEP", 1)], True), ([(b"FRAM", 1)], True), ([(b"STEP", 0), (b"STEP", 1)], True), ([(b"FRAM", 2)], True),
            # The last frame's figures; what broke by then, which neither lists nor arrays tell.
            ([(b"STEP", 2)], False), ([(b"STEP", 1), (b"FRAM", 2)], False))):
        out = os.path.join(folder, f"over-{number}")
        shutil.copytree(whole, out)
        shutil.copy(os.path.join(former, "checkpoint.sherd"), out)
        for kind, frame in chunks:
            flip(out, kind, frame)
        before = contents(out)
        result = sherd("run", scene, "-o", out, "--resume", *QUICK)
        if not left:
            check(result.returncode == 2 and "can't go on over frame 2" in result.stderr, f"{chunks}: {result.stderr}")
            check(contents(out) == before, f"{chunks}: refused, but changed")
            continue
        check(result.returncode == 0 and "are damaged" in result.stderr, f"{chunks}: {result.stderr}")
        check(rows(out, "stats.csv") == rows(whole, "stats.csv"), f"{chunks}: stats.csv differs")
        check(sherd("export", out, "--to", "csv", *QUICK).returncode == 1, f"{chunks}: export")
        found = contents(os.path.join(out, "csv"))
        frames = {f"elements_{k:06}.csv" for k in range(5)} - {f"elements_{frame:06}.csv" for _, frame in chunks}
        check({name for name in found if name.startswith("elements")} == frames, f"{chunks}: {sorted(found)}")
        check(all(found[name] == expected[name] for name in frames), f"{chunks}: frames differ")
    out = os.path.join(folder, "no-row")
    shutil.copytree(former, out)
    flip(out, b"STEP", 1)
    os.remove(os.path.join(out, "stats.csv"))
    result = sherd("run", scene, "-o", out, "--resume", *QUICK)
    check(result.returncode == 0 and "the row of frame 1 is missing" in result.stderr, result.stderr)
    check(rows(out, "stats.csv") == [row for row in rows(whole, "stats.csv") if row["frame"] != "1"], "a row is missing")


def odd_names(scene, folder):
    place = os.path.join(folder, "long")
    while len(place) < 1000:
        place = os.path.join(place, "n" * 200)
    for length in (1000, 2000):
        out = place + "/" + "/".join(["x" * 99] * ((length - len(place)) // 100 + 1))
        out = out[:length].rstrip("/")
        done("run", scene, "-o", out, *PICTURES, *QUICK)
        names = contents(out)
        check(all(f"frames/frame_{k:06}.png" in names for k in range(5)), f"{length}: {sorted(names)}")
        check("video.mp4" in names or not shutil.which("ffmpeg"), f"{length}: no video")
        done("render", out, *QUICK)
        done("export", out, "--to", "obj-pc2", *QUICK)
    out = os.path.join(folder, *["n" * 200] * 21)
    result = sherd("run", scene, "-o", out)
    check(result.returncode == 2 and "too long" in result.stderr, result.stderr)
    check(not os.path.exists(os.path.join(folder, "n" * 200)), "a part of the long name was made")
    out = os.path.join(folder, "50%d off %s%n")
    done("run", scene, "-o", out, *PICTURES, *QUICK)
    check(os.path.exists(os.path.join(out, "video.mp4")) or not shutil.which("ffmpeg"), "no video")
    done("render", out, "-o", os.path.join(out, "%06d"), *QUICK)
    with open(scene) as file:
        text = file.read()
    for name in ("../../escape", "/tmp/escape", "a/b", "..", ""):
        write(os.path.join(folder, "variant.yaml"), text + f'variants: {{"{name}": {{duration: 1 ms}}}}\n')
        before = contents(folder)
        result = sherd("run", os.path.join(folder, "variant.yaml"), "--variant", name, cwd=folder)
        check(result.returncode == 2 and "error" in result.stderr, f"{name}: {result.stderr}")
        check(contents(folder) == before, f"{name}: something was written")


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        scene = write_scene(folder)
        for case in (planted_files, links, own_folder, earlier_version, exports, resumed_anew, within_frames, over_damage,
                     temporary_files, lost_folder, pipes, odd_names):
            place = os.path.join(folder, case.__name__)
            os.mkdir(place)
            case(scene, place)
    print("all as it should be")


if __name__ == "__main__":
    main()
