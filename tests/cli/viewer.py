#!/usr/bin/env python3
"""The page that plays a run: its file, and what a browser makes of it.

usage: viewer.py COMMAND SOURCES [--no-browser]

1. three.js is what its checksums say, the policy's hash is that of the script that starts the page, and no file of
   the page can end its own element
2. names with markup are text; nothing is loaded from elsewhere; the page counts as many fragments as sherd info,
   from the run's table and from its pieces; it is the same for every number of threads
3. --max-size thins it and says so, or refuses
4. in a browser: a picture, dust, no word on the console, no request, markup shown as text; time, colours, cut, picking
"""
import base64
import csv
import hashlib
import json
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

import browser

EVIL = "<script>document.body.dataset.evil=1</script>"
SCENE = """
sherd: 1
name: small
duration: 4 ms
output: {frame_rate: 2 kHz, probe_rate: 4 kHz, stress: true, meshes: [html], dust: true, render: {enabled: false}}
materials:
  clay: {density: 2000, youngs_modulus: 50 MPa, poissons_ratio: 0.25, tensile_strength: 0.2 MPa,
         shear_strength: 0.3 MPa, weibull_modulus: 8, seed: 3}
bodies:
  - {name: slab, shape: {box: [20 mm, 16 mm, 5 mm]}, packing: {hcp: {radius: 1.2 mm}}, material: clay,
     position: [0, 0, 4 mm], rotation: [10 deg, 5 deg, 0], velocity: [0, 0, -5]}
  - {name: sand, shape: {box: [6 mm, 6 mm, 3 mm]}, packing: {hcp: {radius: 0.8 mm}}, material: clay, loose: true,
     position: [0, 0, 12 mm]}
obstacles:
  - {name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}
  - {name: block, box: [4 mm, 4 mm, 4 mm], position: [16 mm, 0, 2 mm]}
probes: [floor]
"""


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def sherd(*arguments):
    return subprocess.run([os.path.abspath(sys.argv[1]), *arguments], capture_output=True, text=True, timeout=300)


def done(*arguments):
    result = sherd(*arguments)
    check(result.returncode == 0, f"{arguments}: {result.returncode}: {result.stderr}")
    return result.stdout


# ---------------------------------------------------------------- the page's own files

def check_sources(sources):
    three = os.path.join(sources, "third_party/three")
    with open(os.path.join(three, "SHA256SUMS")) as file:
        sums = [line.split() for line in file]
    check([name for _, name in sums] == ["three.module.min.js", "LICENSE"], "SHA256SUMS names other files")
    for digest, name in sums:
        with open(os.path.join(three, name), "rb") as file:
            check(hashlib.sha256(file.read()).hexdigest() == digest, name + " is not what SHA256SUMS says")
    with open(os.path.join(three, "LICENSE")) as file:
        licence = file.read()
    with open(os.path.join(three, "three.module.min.js"), encoding="utf-8") as file:
        check(licence in file.read(2000), "three.js has lost its licence")
    check_viewer(os.path.join(sources, "src/output/page"), os.path.join(three, "three.module.min.js"))


def check_viewer(page, three):
    viewer = os.path.join(page, "viewer")
    with open(os.path.join(viewer, "boot.js"), "rb") as file:
        digest = base64.b64encode(hashlib.sha256(file.read()).digest()).decode()
    with open(os.path.join(page, "page_assets.h")) as file:
        known = re.search(r'"sha256-([^"]*)"', file.read()).group(1)
    check(known == digest, f"boot.js has changed: SHERD_PAGE_BOOT_HASH is now sha256-{digest}")
    for path in [three] + [os.path.join(viewer, name) for name in os.listdir(viewer)]:
        with open(path, encoding="utf-8") as file:
            text = file.read().lower()
        for end in ("</script", "</style", "<!--"):
            check(end not in text, f"{path} holds {end}, which ends its element in the page")


# ---------------------------------------------------------------- what is in a page

def sections(path):
    with open(path, encoding="utf-8") as file:
        html = file.read()
    found = {name: zlib.decompress(base64.b64decode(text))
             for name, text in re.findall(r'<script type="text/plain" data-section="(\w+)">([^<]*)</script>', html)}
    found["about"] = json.loads(found["about"])
    return html, found


def labels(found):
    """Of each frame, the fragments that pieces are part of."""
    about, now, frames = found["about"], {}, []
    changes = list(struct.iter_unpack("<iii", found["labels"]))
    for frame in range(len(about["times"])):
        now.update((piece, label) for at, piece, label in changes if at == frame)
        frames.append(dict(now))
    return frames


def track(data, width, count, frames):
    """Numbers of each frame, as src/output/page/page_delta_encoding.h says."""
    every, most, rows = count * frames, 1 << (8 * width), []
    for f in range(frames):
        row = []
        for k in range(count):
            folded = sum(data[b * every + f * count + k] << (8 * b) for b in range(width))
            difference = ~(folded >> 1) if folded & 1 else folded >> 1
            if f == 0:
                before = row[k - 1] if k > 0 else 0
            else:
                before = rows[f - 1][k] if f == 1 else 2 * rows[f - 1][k] - rows[f - 2][k]
            row.append((before + difference) % most)
        rows.append(row)
    check(len(data) == width * every, "length of a track")
    return rows


def check_values(run, found, folder):
    """Places and speeds of loose elements are those of the run's tables, within the steps that they are stored in."""
    about, n = found["about"], found["about"]["points"]
    tables = os.path.join(folder, "csv")
    done("export", run, "--to", "csv", "-o", tables, "--quiet")
    places = track(found["points"], 2, 3 * n, len(about["stored"]))
    speeds = track(found["speeds"], 1, about["sites"], len(about["stored"]))
    check(about["stored"] == list(range(len(about["times"]))), "frames are left out of a small page")
    for frame in about["stored"]:
        with open(os.path.join(tables, f"elements_{frame:06d}.csv"), newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["body"] == "sand" or row["body"] == "1"]
        check(len(rows) == n > 0, f"{len(rows)} loose elements in the tables, {n} in the page")
        for k, row in enumerate(rows):
            for axis, name in enumerate(("x_m", "y_m", "z_m")):
                place = about["pointBounds"][axis] + about["pointStep"] * places[frame][axis * n + k]
                check(abs(place - float(row[name])) <= 0.51 * about["pointStep"], f"place of {k} in frame {frame}")
            speed = math.hypot(*(float(row[name]) for name in ("vx_m_s", "vy_m_s", "vz_m_s")))
            level = math.sqrt(speed / about["topSpeed"]) * 255
            check(abs(level - speeds[frame][k]) <= 0.51, f"speed of {k} in frame {frame}")


def fragments_told(run):
    return int(re.search(r"(\d+) fragments", done("info", run)).group(1))


def check_page(run, page):
    html, found = sections(page)
    about = found["about"]
    check(EVIL not in html and html.lower().count("<script>") == 1, "a name became a script")
    check(about["title"] == "small" and EVIL.replace("/", "\u2044") in about["file"], "names are lost")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html).group(1)
    check(policy.startswith("default-src 'none'; script-src 'sha256-") and "connect-src" not in policy, policy)
    outside = re.findall(r'(?:src|href)="(?!data:,")[^"]*"', html.split("data-module")[0])
    check(outside == [], f"the page loads {outside}")
    frames = labels(found)
    check(about["fragments"][-1] == fragments_told(run) > 3, "fragments at the end")
    check([len(set(f.values())) for f in frames] == about["fragments"], "fragments from the pieces are others")
    check(about["stressUnit"] == "Pa" and about["topStress"] > 1e3 and about["topSpeed"] > 4, "values")
    check(about["points"] > 20 and about["obstacles"][1]["triangles"] >= 12, f"loose elements, obstacle: {about['points']}, {about['obstacles'][1]}")
    check([p["name"] for p in about["probes"]] == ["floor"], "probes")
    return about


def check_export(folder):
    scene, run = os.path.join(folder, EVIL.replace("/", "\u2044") + ".yaml"), os.path.join(folder, "run")
    with open(scene, "w") as file:
        file.write(SCENE.replace("slab", f'"{EVIL}"'))
    check(sherd("check", scene).returncode == 2, "scenes may name things so now: this test should")
    with open(scene, "w") as file:
        file.write(SCENE)
    done("run", scene, "-o", run, "--quiet", "-j", "2")
    page = os.path.join(run, "run.html")
    check(os.path.exists(page), "output.meshes: [html] made no page")
    check_page(run, page)
    again = os.path.join(folder, "again.html")
    done("export", run, "--to", "html", "-o", again, "--quiet", "-j", "1")
    with open(page, "rb") as a, open(again, "rb") as b:
        check(a.read() == b.read(), "the page depends on the number of threads, or on who makes it")
    check_values(run, sections(page)[1], folder)
    return run, page


def check_size(folder, scene):
    """A run of many frames is too large for 1 MB with all of them, and with frames left out it is not."""
    run, tight = os.path.join(folder, "many"), os.path.join(folder, "tight.html")
    done("run", scene, "-o", run, "--quiet", "--set", "output.frame_rate=300 kHz", "--set", "output.meshes=[]",
         "--set", "bodies.slab.packing.hcp.radius=1.7 mm")
    done("export", run, "--to", "html", "--quiet")
    page = os.path.join(run, "run.html")
    full = sections(page)[1]["about"]
    check(os.path.getsize(page) > 1000000 and full["notes"] == [], f"{os.path.getsize(page)} bytes, {full['notes']}")
    done("export", run, "--to", "html", "-o", tight, "--quiet", "--max-size", "1")
    found = sections(tight)[1]
    about, count = found["about"], len(full["times"])
    check(os.path.getsize(tight) <= 1000000, f"--max-size 1 is not kept: {os.path.getsize(tight)}")
    check("Thinned to fit 1 MB" in about["notes"][0], "thinning is not told")
    check(8 <= len(about["stored"]) < count and about["stored"][-1] == count - 1, f"stored {len(about['stored'])}")
    check(about["times"] == full["times"] and about["fragments"] == full["fragments"], "frames of the table are lost")
    n = about["points"]
    places, all_places = (track(f["points"], 2, 3 * n, len(f["about"]["stored"])) for f in (found, sections(page)[1]))
    check(places == [all_places[k] for k in about["stored"]], "frames that are stored are others")
    again = sherd("export", run, "--to", "html", "--max-size", "0")
    check(again.returncode == 2 and "--max-size" in again.stderr, "--max-size 0")


# ---------------------------------------------------------------- in a browser

def with_evil_names(page, to):
    """The page as it were if scenes could name things like this."""
    html, found = sections(page)
    about = found["about"]
    about["title"] = about["variant"] = EVIL
    for thing in about["bodies"] + about["obstacles"] + about["probes"]:
        thing["name"] = EVIL
    about["notes"] = [EVIL]
    text = base64.b64encode(zlib.compress(json.dumps(about).encode())).decode()
    html = re.sub(r'(data-section="about">)[^<]*', lambda match: match.group(1) + text, html)
    with open(to, "w", encoding="utf-8") as file:
        file.write(html)


SHOW = """
const set = (id, value, event) => {
    const element = document.getElementById(id);
    element.value = value;
    element.dispatchEvent(new Event(event));
};
"""
GET = "return document.getElementById(arguments[0]).textContent;"
LIT = """
const view = document.getElementById('view'), small = document.createElement('canvas');
small.width = 64, small.height = 36;
small.getContext('2d').drawImage(view, 0, 0, 64, 36);
const bytes = small.getContext('2d').getImageData(0, 0, 64, 36).data, seen = new Set();
for (let k = 0; k < bytes.length; k += 4) if (bytes[k + 3] > 200) seen.add(bytes[k] >> 3);
return seen.size;
"""


def picture_settles(b):
    b.script("return 0;")
    return b.command("execute/async", {"script": "const done = arguments[0]; requestAnimationFrame(() => "
                                                 "requestAnimationFrame(() => done(1)));", "args": []})


def check_quiet(b, page):
    said = b.console()
    check(said == [], f"the console says {said}")
    asked = [a for a in b.requests() if not a.startswith(("blob:", "data:"))]
    check(all(a.split("#")[0] == "file://" + page for a in asked), f"the page asks for {asked}")


def check_browser(run, page):
    with browser.Browser() as b:
        b.go("file://" + page)
        took = b.wait("document.body.dataset.ready || document.body.dataset.failed")
        check(took is not None and b.script("return document.body.dataset.ready === '1';"), "the page is not ready: "
              + str(b.script("return document.body.dataset.failed;")))
        picture_settles(b)
        print(f"first picture after {took:.1f} s")
        check(b.script(LIT) > 4, "the picture is empty")
        about = sections(page)[1]["about"]
        b.script(SHOW + "set('scrub', 10000, 'input');")
        check(int(b.script("return document.body.dataset.fragments;")) == fragments_told(run), "fragments shown")
        check(int(b.script("return document.body.dataset.grains;")) == len(sections(page)[1]["dust"]) // 44 > 0, "dust shown")
        check(b.script(GET, "count").replace(",", "") == str(about["fragments"][-1]), "fragments told")
        check(EVIL.replace("/", "\u2044") in b.script(GET, "subtitle"), "the scene's file is not told")
        check_controls(b, about)
        check_quiet(b, page)
        check_names(b, page)


def check_names(b, page):
    evil = page.replace("run.html", "evil.html")
    with_evil_names(page, evil)
    b.go("file://" + evil)
    check(b.wait("document.body.dataset.ready"), "the page with odd names is not ready")
    b.script(SHOW + "set('curve', '2', 'change');")
    check_picked(b)
    for place in ("title", "notes", "pickedFacts"):
        check(EVIL in b.script(GET, place), f"markup in names is not text in {place}")
    check(EVIL in b.script("return document.getElementById('curve').options[3].text;"), "names of probes")
    check(b.script("return document.body.dataset.evil === undefined && document.scripts.length === 1;"),
          "a name was run as a script")
    check_quiet(b, evil)


def check_controls(b, about):
    for word in ("fragment", "speed", "stress"):
        b.script(SHOW + f"set('color', '{word}', 'change');")
        picture_settles(b)
        check(b.script(LIT) > 3, "nothing is seen coloured by " + word)
    check(b.script(GET, "high").endswith("Pa") and b.script(GET, "what") == "von Mises stress", "legend")
    check("0" == b.script("const c = document.getElementById('curve'); return c.options[1].text === 'energy' ? '0' : '1'"),
          "curves")
    b.script(SHOW + "set('curve', '0', 'change'); set('axis', '1', 'change'); set('apart', '300', 'input');")
    picture_settles(b)
    check("kinetic" in b.script(GET, "keys"), "values of curves")
    check_picked(b)


CLICK = """
const view = document.getElementById('view');
for (let x = 320; x <= 960; x += 40)
    for (let y = 120; y <= 600; y += 40) {
        const at = {clientX: x, clientY: y, bubbles: true};
        view.dispatchEvent(new PointerEvent('pointerdown', {...at, pointerId: 1}));
        view.dispatchEvent(new MouseEvent('click', at));
        if (!document.getElementById('picked').hidden) return [x, y];
    }
return null;
"""


def check_picked(b):
    """A click beside everything picks nothing, one on the slab its fragment. Where it is, the camera says."""
    b.script(SHOW + "set('axis', '', 'change'); set('apart', '0', 'input'); set('scrub', 0, 'input');")
    picture_settles(b)
    check(b.script(CLICK) is not None, "nothing can be picked")
    facts = b.script(GET, "pickedFacts")
    check(b.script(GET, "pickedName").startswith("Fragment") and "mass" in facts and "elements" in facts,
          "nothing was picked: " + facts)


def main():
    check_sources(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        run, page = check_export(folder)
        check_size(folder, os.path.join(folder, EVIL.replace("/", "\u2044") + ".yaml"))
        if "--no-browser" in sys.argv:
            return
        if browser.missing():
            print(f"not checked in a browser: {browser.missing()} is missing (scripts/setup --ci installs it)")
            return
        check_browser(run, page)


main()
