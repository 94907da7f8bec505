"""A browser without a window, driven by chromedriver (Debian: chromium, chromium-driver) over its own protocol.
For other tests to import; needs nothing but the standard library."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

FLAGS = ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--ignore-gpu-blocklist", "--window-size=1280,720", "--hide-scrollbars", "--disable-dev-shm-usage",
         "--disable-background-networking", "--no-first-run", "--disable-component-update"]
PATIENCE = 120  # [s] that a page may take to be ready on a busy machine


def missing():
    """What is needed and not there, or ""."""
    return " and ".join(name for name in ("chromium", "chromedriver") if shutil.which(name) is None)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Browser:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.driver = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        self.session = None
        self.begin()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            if self.session:
                self.ask("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.wait(20)
            self.folder.cleanup()

    def begin(self):
        options = {"args": FLAGS + ["--user-data-dir=" + os.path.join(self.folder.name, "profile")],
                   "perfLoggingPrefs": {"enableNetwork": True}}
        wanted = {"capabilities": {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options,
                                                   "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}}
        for attempt in range(100):
            try:
                self.session = self.ask("POST", "/session", wanted)["sessionId"]
                self.go("about:blank")
                self.requests()  # those of the browser's own first page
                return
            except ConnectionError:
                time.sleep(0.1)
            except urllib.error.URLError:
                time.sleep(0.1)
        raise RuntimeError("chromedriver does not answer")

    def ask(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE + 60) as answer:
            return json.load(answer)["value"]

    def command(self, path, body):
        return self.ask("POST", f"/session/{self.session}/{path}", body)

    def go(self, address):
        self.command("url", {"url": address})

    def script(self, text, *arguments):
        return self.command("execute/sync", {"script": text, "args": list(arguments)})

    def wait(self, expression, seconds=PATIENCE):
        """How long it took until an expression held; None: it never did. [s]"""
        begin = time.monotonic()
        while time.monotonic() - begin < seconds:
            if self.script(f"return Boolean({expression});"):
                return time.monotonic() - begin
            time.sleep(0.05)
        return None

    def picture(self):
        """PNG of the page."""
        return base64.b64decode(self.ask("GET", f"/session/{self.session}/screenshot"))

    def console(self):
        """What the page said since this was last asked."""
        return [entry["message"] for entry in self.command("se/log", {"type": "browser"})]

    def requests(self):
        """Addresses that were asked for since this was last asked."""
        found = []
        for entry in self.command("se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found
