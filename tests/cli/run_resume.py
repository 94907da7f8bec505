#!/usr/bin/env python3
"""Runs a small scene in several ways and compares what they leave.

usage: run_resume.py SHERD

1. one, two, three and four threads: the same state hash in every frame; by explicit steps alone the slab
   sleeps as it falls
2. interrupted by Ctrl-C and resumed, killed and resumed: stats.csv and probes.csv as of a straight
   run, but for the column wall_s; breaks.csv byte for byte; rows that probes.csv has lost since are counted
3. other settings, or settings of an older version: resuming is refused
4. a signal in a slice of steps that takes long is answered at once, a second one ends the run at once; what
   was written stays readable
5. an unwritable folder and a full disk: one clear error, earlier frames readable
6. wrong usage: exit status 2 and a hint; what is refused once the scene is built ends as errors of its text do
7. values attached to their options
8. resumed with another quality of pictures: previews are drawn again as final ones, byte for byte as those of a
   straight run; final ones stay and it is said
9. timings.csv says what measuring took, and counts what a resumed run packs again apart
"""
import csv
import os
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

SCENE = """
sherd: 1
name: tiny
duration: 5 ms
output: {frame_rate: 2 kHz, probe_rate: 8 kHz, meshes: [], render: {enabled: false}}
materials:
  clay: {density: 2000, youngs_modulus: 100 MPa, poissons_ratio: 0.25, tensile_strength: 0.5 MPa,
         shear_strength: 0.6 MPa, weibull_modulus: 8, seed: 3}
bodies:
  - {name: slab, shape: {box: [40 mm, 40 mm, 6 mm]}, packing: {hcp: {radius: 0.8 mm}}, material: clay,
     position: [0, 0, 14 mm], rotation: [10 deg, 5 deg, 0], velocity: [0, 0, -5]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
probes: [floor]
"""


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def rows(folder, name):
    with open(os.path.join(folder, name), newline="") as file:
        table = list(csv.DictReader(file))
    for row in table:
        row.pop("wall_s", None)
    return table


def run(sherd, *arguments, **options):
    return subprocess.run([sherd, *arguments], capture_output=True, text=True, timeout=200, **options)


def straight_runs(sherd, scene, folder):
    hashes, broken = set(), set()
    for threads in "1234":
        out = os.path.join(folder, "t" + threads)
        result = run(sherd, "run", scene, "-o", out, "-j", threads, "--quiet")
        check(result.returncode == 0, result.stderr)
        hashes.add(tuple(row["state_hash"] for row in rows(out, "stats.csv")))
        with open(os.path.join(out, "breaks.csv")) as file:
            broken.add(file.read())
    check(len(hashes) == 1 and len(broken) == 1, "results depend on the number of threads")
    last = rows(os.path.join(folder, "t1"), "stats.csv")[-1]
    check(int(last["broken_bonds"]) > 100, "nothing broke")
    breaks = rows(os.path.join(folder, "t1"), "breaks.csv")
    check(len(breaks) == int(last["broken_bonds"]), "breaks.csv has not all of them")
    released, booked = sum(float(b["energy_j"]) for b in breaks), float(last["dissipated_fracture_j"])
    check(abs(released - booked) < 1e-12 * booked, f"{released} J released, {booked} J in stats.csv")
    told = run(sherd, "info", os.path.join(folder, "t1")).stdout
    for mode in {b["mode"] for b in breaks}:
        count = sum(b["mode"] == mode for b in breaks)
        check(f"{count} by {mode}" in told, f"info does not tell of {count} breaks by {mode}: " + told)
    # Asleep it moves as awake but for the last digits: until it breaks they tell the two apart.
    tables = []
    for sleep in ("true", "false"):
        out = os.path.join(folder, "sleep-" + sleep)
        result = run(sherd, "run", scene, "-o", out, "--quiet", "--set", "solver.method=explicit", "--set",
                     "solver.sleep=" + sleep)
        check(result.returncode == 0, result.stderr)
        tables.append(rows(out, "stats.csv"))
    flying = [(a, b) for a, b in zip(*tables) if a["broken_bonds"] == "0" and a["frame"] != "0"]
    check(any(a["state_hash"] != b["state_hash"] for a, b in flying), "nothing slept before it broke")
    return os.path.join(folder, "t1")


def started_run(sherd, scene, out):
    """A run that has written a few frames."""
    process = subprocess.Popen([sherd, "run", scene, "-o", out, "-j", "2"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    deadline = time.time() + 100
    while time.time() < deadline and process.poll() is None:
        stats = os.path.join(out, "stats.csv")
        if os.path.exists(stats) and open(stats).read().count("\n") >= 4:
            break
        time.sleep(0.005)
    return process


def stopped_run(sherd, scene, out, stop_signal):
    process = started_run(sherd, scene, out)
    process.send_signal(stop_signal)
    output, _ = process.communicate(timeout=100)
    return process.returncode, output


def stopped_twice(sherd, scene, folder):
    out = os.path.join(folder, "twice")
    process = started_run(sherd, scene, out)
    process.send_signal(signal.SIGSTOP)  # so that its slice of steps takes long
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=100)
    if process.returncode == 0:  # it was done before
        return
    check(process.returncode in (-signal.SIGINT, -signal.SIGTERM), f"exit status {process.returncode}: " + errors)
    check("once more stops at once" in errors and "stays readable" in errors, "no word on signals: " + errors)
    result = run(sherd, "info", out)
    check(result.returncode == 0 and "elements" in result.stdout, "earlier frames are lost: " + result.stderr)
    result = run(sherd, "run", scene, "-o", out, "--quiet")
    check(result.returncode == 0, "another run after it: " + result.stderr)


def resumed_runs(sherd, scene, folder, reference):
    out = os.path.join(folder, "interrupted")
    code, output = stopped_run(sherd, scene, out, signal.SIGINT)
    if code != 0:  # 0: it was done before the signal came
        check(code == 1 and "--resume" in output, "no word on how to resume: " + output)
        check("resumable" in run(sherd, "info", out).stdout, "info does not tell of the checkpoint")
        result = run(sherd, "run", scene, "-o", out, "--resume", "--quiet")
        check(result.returncode == 0, result.stderr)
    for name in ("stats.csv", "probes.csv"):
        check(rows(out, name) == rows(reference, name), name + " differs after a resume")
    with open(os.path.join(out, "breaks.csv")) as a, open(os.path.join(reference, "breaks.csv")) as b:
        check(a.read() == b.read(), "breaks.csv differs after a resume")


def lost_rows(sherd, scene, folder):
    """Two frames in a row, one by itself and the last one of a stopped run."""
    out = os.path.join(folder, "lost")
    result = run(sherd, "run", scene, "-o", out, "--frames", "7", "--quiet")
    check(result.returncode == 0, result.stderr)
    path = os.path.join(out, "probes.csv")
    with open(path) as file:
        head, *lines = file.readlines()
    with open(path, "w") as file:
        file.writelines([head] + [line for line in lines if line.split(",")[0] not in ("2", "3", "5", "7")])
    result = run(sherd, "run", scene, "-o", out, "--resume", "--frames", "8", "--quiet")
    check(result.returncode == 0 and "the rows of 4 frames are missing" in result.stderr, "lost rows: " + result.stderr)


def with_settings(run_file, settings):
    """The run file with an INFO chunk of other settings (docs/reference/run-file.md), stored as is."""
    with open(run_file, "rb") as file:
        data = file.read()
    stored = struct.unpack_from("<Q", data, 32 + 24)[0]
    strings = [b"tiny", b"tiny.yaml", SCENE.encode(), b"", settings, b"", b""]
    payload = b"".join(struct.pack("<Q", len(s)) + s for s in strings) + struct.pack("<ddq", 5e-3, 5e-4, 10)
    head = struct.pack("<4sIqQQI", b"INFO", 0, -1, len(payload), len(payload), zlib.crc32(payload))
    with open(run_file, "wb") as file:
        file.write(data[:32] + head + struct.pack("<I", zlib.crc32(head)) + payload + data[72 + stored:])


def other_settings(sherd, scene, folder, reference):
    """A run is resumed with its own settings only, and not by a version that can't compare them."""
    result = run(sherd, "run", scene, "-o", reference, "--resume", "--set", "gravity=[0, 0, -1]")
    check(result.returncode == 2 and "other physical settings" in result.stderr, "other gravity: " + result.stderr)
    result = run(sherd, "run", scene, "-o", reference, "--resume", "--set", "output.probe_rate=6 kHz")
    check(result.returncode == 2 and "other physical settings" in result.stderr, "other probe rate: " + result.stderr)
    with_settings(os.path.join(reference, "run.sherd"), b"digest=0123456789abcdef\n") # format 2's lines
    result = run(sherd, "run", scene, "-o", reference, "--resume")
    check(result.returncode == 2 and "another version of Sherd" in result.stderr, "older run: " + result.stderr)


def hostile_places(sherd, scene, folder):
    blocker = os.path.join(folder, "file")
    open(blocker, "w").close()
    result = run(sherd, "run", scene, "-o", os.path.join(blocker, "out"))
    check(result.returncode in (1, 2) and "error:" in result.stderr, "unwritable folder: " + result.stderr)
    check(result.stderr.count("error:") == 1, "more than one error")

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (300000, 300000))

    out = os.path.join(folder, "full")
    result = run(sherd, "run", scene, "-o", out, "--quiet", preexec_fn=small_files)
    check(result.returncode == 1 and result.stderr.count("error:") == 1, "full disk: " + result.stderr)
    check("no checkpoint yet" in result.stderr and "--resume" not in result.stderr, "vain advice: " + result.stderr)
    result = run(sherd, "info", out)
    check(result.returncode == 0 and "elements" in result.stdout, "earlier frames are lost: " + result.stderr)


def wrong_usage(sherd, scene, folder):
    for arguments in (["rum"], ["run"], ["run", scene, "--fast"], ["run", scene, "-j", "0"], ["run", "none.yaml"],
                      ["run", folder], ["run", scene, "--variant", "papr"], ["check", scene, "--set", "duratoin=1 s"],
                      ["check", scene, "--set", "duration"], ["check", scene, "--set", "duration=1 kg"],
                      ["run", scene, "--frames", "1e4"], ["check", scene, "--set", "output.probe_rate=1e30"], ["info", os.path.join(folder, "nothing")]):
        result = run(sherd, *arguments)
        check(result.returncode == 2, f"{arguments}: exit status {result.returncode}: {result.stderr}")
        check(result.stderr.strip() != "", f"{arguments}: silent")
    for command in ("check", "run"):
        result = run(sherd, command, scene, "--set", "probes=[{name: p, region: {sphere: 1 nm}}]", "-o", os.path.join(folder, "none"))
        check(result.returncode == 2 and result.stderr.endswith("1 error; nothing was run\n"), f"{command}: {result.stderr}")
    for arguments in (["--help"], ["--version"], ["run", "--help"]):
        check(run(sherd, *arguments).returncode == 0, f"{arguments}: not 0")


def attached_values(sherd, scene, folder):
    """-j2 as -j 2, --frames=1 as --frames 1; only what takes a value has one."""
    out = os.path.join(folder, "attached")
    result = run(sherd, "run", scene, "-j2", f"-o{out}", "--frames=1", "--set=output.probe_rate=2 kHz", "--quiet")
    check(result.returncode == 0, result.stderr)
    check([int(row["frame"]) for row in rows(out, "stats.csv")] == [0, 1], "not two frames")
    for word, told in (("-j", "needs a value: -j"), ("-jx", "-j wants a whole number"), ("-hx", "unknown option: -hx"),
                       ("--quiet=1", "takes no value: --quiet=1"), ("--fast=1", "unknown option: --fast=1")):
        result = run(sherd, "check", scene, word)
        check(result.returncode == 2 and told in result.stderr, f"{word}: {result.stderr}")


def pictures(folder):
    names = sorted(os.listdir(os.path.join(folder, "frames")))
    return {name: open(os.path.join(folder, "frames", name), "rb").read() for name in names}


def other_quality(sherd, folder):
    scene = os.path.join(folder, "drawn.yaml")
    with open(scene, "w") as file:
        file.write(SCENE.replace("render: {enabled: false}", "render: {width: 48, height: 32, samples: 2, video: false}"))
    made = {}
    for first, then in (("final", "final"), ("preview", "preview"), ("preview", "final"), ("final", "preview")):
        out = os.path.join(folder, f"{first}-{then}")
        begun = run(sherd, "run", scene, "-o", out, "--frames", "2", "--quality", first, "-j", "2")
        check(begun.returncode == 0, begun.stderr)
        result = run(sherd, "run", scene, "-o", out, "--resume", "--frames", "4", "--quality", then, "-j", "2")
        check(result.returncode == 0, result.stderr)
        made[first, then] = pictures(out)
        check(len(made[first, then]) == 5, f"{first}-{then}: {len(made[first, then])} pictures")
        said = result.stdout + result.stderr
        check(("3 pictures of this run are previews: they are drawn again" in said) == ((first, then) == ("preview", "final")), said)
        check(("3 pictures of this run are final" in said) == ((first, then) == ("final", "preview")), said)
    for name, file in made["final", "final"].items():
        check(made["preview", "final"][name] == file, name + " is no final picture")
        check(made["preview", "preview"][name] != file, name + " is not told from a final picture")
        check((made["final", "preview"][name] == file) == (name <= "frame_000002.png"), name + " of the other order")


def times(sherd, scene, folder):
    out = os.path.join(folder, "times")
    for words in (["--frames", "2"], ["--resume", "--frames", "4"]):
        check(run(sherd, "run", scene, "-o", out, "--quiet", *words).returncode == 0, "times: " + " ".join(words))
    with open(os.path.join(out, "timings.csv"), newline="") as file:
        table = list(csv.DictReader(file))
    stages = [(int(row["frame"]), row["stage"]) for row in table]
    wanted = [(0, "start"), (1, "frame"), (2, "frame"), (2, "end"), (2, "resume"), (3, "frame"), (4, "frame"), (4, "end")]
    check(stages == wanted, f"rows of timings.csv: {stages}")
    for row in table:
        built = float(row["packing_s"]) + float(row["building_s"])
        check((built > 0) == (row["stage"] in ("start", "resume")), f"packing: {row}")
        check((float(row["measuring_s"]) > 0) == (row["stage"] != "resume"), f"measuring: {row}")
    with open(os.path.join(out, "report.html"), encoding="utf-8") as file:
        check("packing and building again to resume" in file.read(), "the report does not tell of packing again")


def main():
    sherd = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "tiny.yaml")
        with open(scene, "w") as file:
            file.write(SCENE)
        reference = straight_runs(sherd, scene, folder)
        resumed_runs(sherd, scene, folder, reference)
        lost_rows(sherd, scene, folder)
        stopped_twice(sherd, scene, folder)
        other_settings(sherd, scene, folder, reference)
        hostile_places(sherd, scene, folder)
        wrong_usage(sherd, scene, folder)
        attached_values(sherd, scene, folder)
        other_quality(sherd, folder)
        times(sherd, scene, folder)
    print("all as it should be")


if __name__ == "__main__":
    main()
