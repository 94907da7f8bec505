#!/usr/bin/env python3
"""sherd view: its server, and the page that it serves.

usage: view.py COMMAND [--no-browser]

1. without the token, by another name, from another origin or by GET nothing is told and nothing changes
2. a scene is shown before it is simulated, and its folder stays untouched; it is simulated, paused, stopped, gone on
   with and continued for longer, with news several times a second; the run is then what sherd run leaves
3. the command ends by a signal and leaves nothing in the folder for temporary files
4. a run that another process writes is followed
5. in a browser: the preview, Simulate, the page of the run when it has ended; five updates a second while it runs
"""
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import browser
from small_run import SCENE, check, command, done, sherd

PATIENCE = 120  # [s]
LONG = SCENE.replace("duration: 4 ms", "duration: 10 s").replace("frame_rate: 1 kHz", "frame_rate: 200 Hz") \
    .replace("probe_rate: 4 kHz", "probe_rate: 200 Hz").replace("meshes: []", "meshes: [], surface: false")


class View:
    """A `sherd view` that runs, and questions to it."""

    def __init__(self, temporary, *arguments):
        environment = dict(os.environ, TMPDIR=temporary)
        environment.pop("DISPLAY", None)
        environment.pop("WAYLAND_DISPLAY", None)
        self.process = subprocess.Popen(command("view", *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, env=environment)
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            check(False, "view did not start: " + self.process.stderr.read())
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address)
        check(match is not None, "address: " + self.address)
        self.port, self.token = int(match.group(1)), match.group(2)

    def ask(self, method, path, headers=()):
        """(status, body) of any request; path as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.putrequest(method, path, skip_host=True)
        names = dict(headers)
        names.setdefault("Host", f"127.0.0.1:{self.port}")
        for name, value in names.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, body

    def state(self):
        status, body = self.ask("GET", f"/{self.token}/state")
        check(status == 200, f"state: {status}")
        return json.loads(body)

    def post(self, what):
        return self.ask("POST", f"/{self.token}/{what}", {"Origin": f"http://127.0.0.1:{self.port}"})[0]

    def wait(self, holds, what):
        begin = time.monotonic()
        while time.monotonic() - begin < PATIENCE:
            state = self.state()
            if holds(state):
                return state
            time.sleep(0.05)
        check(False, f"waited for {what} in vain: {state}")
        return None

    def news(self, seconds):
        """How often events came with another state of the elements."""
        seen = set()

        def listen():
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            connection.request("GET", f"/{self.token}/events")
            answer, end = connection.getresponse(), time.monotonic() + seconds
            while time.monotonic() < end:
                line = answer.readline()
                if line.startswith(b"data: "):
                    seen.add(json.loads(line[6:])["sequence"])
            connection.close()

        thread = threading.Thread(target=listen)
        thread.start()
        thread.join()
        return len(seen)

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode


def check_strangers(view, page_must_hold):
    good = f"/{view.token}/"
    own = f"http://127.0.0.1:{view.port}"
    before = view.state()
    wrong = "0" * 32 if view.token[0] != "0" else "f" * 32
    refused = [("GET", "/", {}), ("GET", "/state", {}), ("GET", f"/{wrong}/", {}), ("GET", f"/{view.token}", {}),
               ("GET", good + "state", {"Host": "evil.example"}), ("GET", good + "state", {"Host": None}),
               ("GET", good + "state", {"Host": f"evil.example:{view.port}"}),
               ("GET", good + "places", {"Origin": "http://evil.example"}), ("GET", good, {"Origin": "null"}),
               ("POST", f"/{wrong}/start", {"Origin": own}), ("POST", "/start", {"Origin": own}),
               ("POST", good + "start", {}), ("POST", good + "start", {"Origin": "http://evil.example"}),
               ("POST", good + "start", {"Origin": f"http://127.0.0.1:{view.port + 1}"}),
               ("POST", good + "start", {"Origin": own, "Host": "evil.example"})]
    for method, path, headers in refused:
        status, body = view.ask(method, path, headers)
        check(status in (400, 403), f"{method} {path} {headers}: {status}")
        check(page_must_hold not in body, f"{method} {path} {headers} told something")
    for path in ("start", "pause", "stop", "longer?by=1"):
        status, _ = view.ask("GET", good + path)
        check(status == 404, f"GET {path}: {status}")
        status, _ = view.ask("PUT", good + path, {"Origin": own})
        check(status == 405, f"PUT {path}: {status}")
    check(view.state() == before, "a refused request changed something")
    check(view.post("nonsense") == 404 and view.post("pause") == 409 and view.post("longer?by=1") == 409, "requests")
    check(view.post("longer?by=nan") == 400 and view.post("longer?by=-1") == 400 and view.post("longer") == 400, "by")


def check_page(view):
    status, page = view.ask("GET", f"/{view.token}/")
    check(status == 200 and b"connect-src 'self'" in page and b'data-section="pieces"' in page, "the page")


def check_elements(view, state):
    n = state["elements"]
    status, body = view.ask("GET", f"/{view.token}/elements")
    check(status == 200 and len(body) == 8 * n > 0, "elements")
    status, body = view.ask("GET", f"/{view.token}/places")
    check(status == 200 and len(body) == 16 + 20 * n, "places")


def check_pace(what, measure):
    """Ten updates a second are offered; five are promised, in one of some spans. A machine that has several times more to
    do than it has processors may give fewer."""
    busy = os.getloadavg()[0] > 4 * os.cpu_count()
    rates = [measure()]
    while rates[-1] < 5.0 and len(rates) < 5:
        rates.append(measure())
    print(f"{what}: {max(rates):.1f} updates a second{', on a busy machine' if busy else ''}")
    check(max(rates) >= (1.0 if busy else 5.0), f"{what}: updates a second: {rates}")


def check_steering(folder, scene):
    run, temporary = os.path.join(folder, "run"), os.path.join(folder, "tmp")
    os.mkdir(temporary)
    view = View(temporary, scene, "-o", run, "--no-browser", "-j", "1")
    check(view.state()["phase"] == "preview" and not os.path.exists(run), "the scene was simulated before it was asked for")
    check_page(view)
    check_strangers(view, b"data-section")
    check(view.post("start") == 200, "start")
    state = view.wait(lambda s: s["phase"] == "running" and s["sequence"] > 2, "a simulation")
    check_elements(view, state)
    check_pace("events", lambda: view.news(2.0) / 2.0)
    check(view.post("pause") == 200, "pause")
    paused = view.wait(lambda s: s["phase"] == "paused", "a pause")
    time.sleep(0.5)
    check(view.state()["time"] == paused["time"], "it goes on while it is paused")
    check(view.post("resume") == 200, "resume")
    view.wait(lambda s: s["time"] > paused["time"] and s["phase"] == "running", "that it goes on")
    check(view.post("stop") == 200, "stop")
    stopped = view.wait(lambda s: s["phase"] == "stopped", "that it stops")
    check(stopped["page"] == 2, "there is no page of the run")
    check("resumable" in done("info", run), "what was stopped can't go on")
    check(view.end() == 0, "end")
    check(os.listdir(temporary) == [], f"left behind: {os.listdir(temporary)}")
    return run


def check_idle(folder, scene):
    """Connections that say nothing are closed after ten seconds; 64 of them lock nobody out for longer."""
    view = View(os.path.join(folder, "tmp"), scene, "-o", os.path.join(folder, "idle"), "--no-browser", "-j", "1")
    silent = [socket.create_connection(("127.0.0.1", view.port), timeout=PATIENCE) for _ in range(64)]
    began, answered = time.monotonic(), False
    while not answered and time.monotonic() - began < PATIENCE:
        try:
            answered = view.state()["phase"] == "preview"
        except (OSError, http.client.HTTPException):
            time.sleep(0.2)
    check(answered, "connections that say nothing lock the page out")
    for one in silent:
        check(one.recv(1) == b"", "a connection that says nothing stays open")
        one.close()
    # A port that is taken: said so, and nothing is left.
    temporary = os.path.join(folder, "taken")
    os.mkdir(temporary)
    result = sherd("view", scene, "--no-browser", "--port", str(view.port), env=dict(os.environ, TMPDIR=temporary))
    check(result.returncode == 1 and "127.0.0.1" in result.stderr, f"a port that is taken: {result}")
    check(os.listdir(temporary) == [], f"left behind: {os.listdir(temporary)}")
    check(view.end() == 0, "end")


def check_opening(folder, scene):
    """The browser is started with a file of this user's alone, not with the address: arguments are seen by everybody."""
    tools, temporary = os.path.join(folder, "tools"), os.path.join(folder, "opened")
    os.mkdir(tools)
    os.mkdir(temporary)
    opener = os.path.join(tools, "xdg-open")
    with open(opener, "w") as file:
        file.write(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > '{tools}/part' && mv '{tools}/part' '{tools}/said'\n")
    os.chmod(opener, 0o755)
    environment = dict(os.environ, TMPDIR=temporary, DISPLAY=":99", PATH=tools + ":" + os.environ["PATH"])
    view = subprocess.Popen(command("view", scene, "-o", os.path.join(folder, "shown"), "-j", "1"), stdout=subprocess.PIPE,
                            text=True, env=environment)
    address, began = view.stdout.readline().strip(), time.monotonic()
    while not os.path.exists(tools + "/said") and time.monotonic() - began < PATIENCE:
        time.sleep(0.05)
    with open(tools + "/said") as file:
        said = file.read().split()
    token = address.split("/")[3]
    check(len(said) == 1 and token not in said[0], f"xdg-open {said}")
    check(os.stat(said[0]).st_mode & 0o777 == 0o600, "others can read the way to the page")
    with open(said[0]) as file:
        check(f"url={address}" in file.read(), "the file does not lead to the page")
    view.send_signal(signal.SIGTERM)
    check(view.wait(PATIENCE) == 0 and os.listdir(temporary) == [], f"left behind: {os.listdir(temporary)}")


def check_again(folder, scene):
    """What failed for a reason that is gone begins again."""
    run = os.path.join(folder, "again")
    os.mkdir(run)
    with open(os.path.join(run, "stats.csv"), "w") as file:
        file.write("somebody's\n")
    view = View(os.path.join(folder, "tmp"), scene, "-o", run, "--no-browser", "-j", "1")
    check(view.post("start") == 200, "start")
    view.wait(lambda s: s["phase"] == "failed", "that it fails")
    os.unlink(os.path.join(run, "stats.csv"))
    check(view.post("start") == 200, "start after it failed")
    view.wait(lambda s: s["phase"] == "finished", "the end of the second start")
    check(view.end() == 0, "end")


def frames_of(run):
    count, planned = re.search(r"(\d+) of (\d+) frames", done("info", run)).groups()
    check(count == planned, f"{count} of {planned} frames of a finished run")
    return int(count)


def check_longer(folder, scene):
    """A finished run is continued, to what a longer run gives."""
    run, temporary = os.path.join(folder, "short"), os.path.join(folder, "tmp")
    done("run", scene, "-o", run, "--quiet")
    before = frames_of(run)
    view = View(temporary, run, "--no-browser", "-j", "1")
    check(view.state()["phase"] == "finished", "a finished run is shown")
    check(view.post("longer?by=0.002") == 200, "longer")
    view.wait(lambda s: s["phase"] == "finished" and s["page"] == 2, "the end of the longer run")
    check(view.end(signal.SIGINT) == 0, "end")
    check(frames_of(run) == before + 2, f"{frames_of(run)} frames, {before} before")
    straight = os.path.join(folder, "straight")
    done("run", scene, "-o", straight, "--quiet", "--set", "duration=6 ms")
    hashes = [open(os.path.join(r, "stats.csv")).read().splitlines() for r in (run, straight)]
    column = hashes[0][0].split(",").index("state_hash")
    check([line.split(",")[column] for line in hashes[0]] == [line.split(",")[column] for line in hashes[1]],
          "continued longer is not what a longer run gives")


def check_following(folder, scene):
    run, temporary = os.path.join(folder, "elsewhere"), os.path.join(folder, "tmp")
    other = subprocess.Popen(command("run", scene, "-o", run, "--quiet", "-j", "1"), stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    begin = time.monotonic()
    while "frames," not in sherd("info", run).stdout and time.monotonic() - begin < PATIENCE:
        time.sleep(0.1)
    view = View(temporary, run, "--no-browser", "-j", "1")
    first = view.wait(lambda s: s["phase"] == "elsewhere" and s["sequence"] > 0, "the other process's frames")
    view.wait(lambda s: s["frame"] > first["frame"], "another frame")
    check(view.post("stop") == 409 and view.post("pause") == 409, "another process can't be steered")
    other.send_signal(signal.SIGTERM)
    other.wait(PATIENCE)
    check(view.end() == 0, "end")


def updates(b, seconds=2.0):
    """How often a second a page shows other places of the elements."""
    def count():
        return int(b.script("return document.body.dataset.updates || 0;"))
    first, begin = count(), time.monotonic()
    time.sleep(seconds)
    return (count() - first) / (time.monotonic() - begin)


def check_live_page(folder, scene):
    """A page that follows a simulation, until that is stopped."""
    view = View(os.path.join(folder, "tmp"), scene, "-o", os.path.join(folder, "watched"), "--no-browser", "-j", "1")
    with browser.Browser() as b:
        b.go(view.address)
        check(b.wait("document.body.dataset.ready") is not None, "preview")
        b.script("document.getElementById('start').click();")
        check(b.wait("document.body.dataset.updates") is not None, "elements are shown while it runs")
        check_pace("page", lambda: updates(b))
        check(b.console() == [], "the console is empty")
    check(view.end() == 0, "end")


def check_browser(folder, scene):
    run, temporary = os.path.join(folder, "seen"), os.path.join(folder, "tmp")
    view = View(temporary, scene, "-o", run, "--no-browser", "-j", "1")
    with browser.Browser() as b:
        b.go(view.address)
        check(b.wait("document.body.dataset.ready && document.body.dataset.phase === 'preview'") is not None, "preview: "
              + str(b.script("return JSON.stringify({...document.body.dataset});")))
        check(b.script("return document.body.dataset.frame === '0' && !document.getElementById('start').hidden;"), "start")
        b.script("document.getElementById('start').click();")
        check(b.wait("document.body.dataset.phase === 'finished' && document.body.dataset.page") is not None,
              "the run's page: " + str(b.script("return JSON.stringify({...document.body.dataset});")))
        told = int(re.search(r"(\d+) fragments", done("info", run)).group(1))
        check(int(b.script("return document.body.dataset.fragments;")) == told > 3, "fragments at the end")
        said = b.console()
        check(said == [], f"the console says {said}")
        strange = [a for a in b.requests() if not a.startswith((view.address, "blob:", "data:"))]
        check(strange == [], f"the page asks for {strange}")
    check(view.end() == 0, "end")


def main():
    refused = sherd("view", "/nothing/here.yaml")
    if "libmicrohttpd" in refused.stderr:
        print("not checked: built without libmicrohttpd (scripts/setup installs it)")
        return
    check(refused.returncode == 2 and sherd("view").returncode == 2, "wrong usage")
    with tempfile.TemporaryDirectory() as folder:
        long, short = os.path.join(folder, "long.yaml"), os.path.join(folder, "short.yaml")
        for path, text in ((long, LONG), (short, SCENE)):
            with open(path, "w") as file:
                file.write(text)
        check_steering(folder, long)
        check_idle(folder, short)
        check_opening(folder, short)
        check_again(folder, short)
        check_longer(folder, short)
        check_following(folder, long)
        if "--no-browser" not in sys.argv:
            if browser.missing():
                print(f"not checked in a browser: {browser.missing()} is missing (scripts/setup --ci installs it)")
            else:
                check_browser(folder, short)
                check_live_page(folder, long)


main()
