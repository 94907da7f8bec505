"""The wheel: the same bytes each time, records that hold, and a module that needs nothing else of Sherd."""
import base64
import csv
import hashlib
import os
import subprocess
import sys
import unittest
import zipfile

import common
import sherd


def make(place):
    script = os.path.join(common.ROOT, "scripts/make-wheel")
    subprocess.run([sys.executable, script, sherd.library_path, "-o", place, "--level", "1"], check=True, capture_output=True)
    (name,) = [n for n in os.listdir(place) if n.endswith(".whl")]
    return os.path.join(place, name)


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = common.folder()
        cls.addClassCleanup(cls.place.cleanup)
        cls.wheel = make(cls.place.name)

    def test_the_same_bytes_each_time(self):
        with common.folder() as other, open(self.wheel, "rb") as one, open(make(other), "rb") as two:
            self.assertEqual(hashlib.sha256(one.read()).digest(), hashlib.sha256(two.read()).digest())

    def test_records_hold(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            names = set(wheel.namelist())
            (record,) = [n for n in names if n.endswith("/RECORD")]
            rows = list(csv.reader(wheel.read(record).decode().splitlines()))
            self.assertEqual({row[0] for row in rows}, names)
            for name, digest, size in rows:
                if name != record:
                    data = wheel.read(name)
                    made = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                    self.assertEqual((f"sha256={made}", str(len(data))), (digest, size), name)
            self.assertIn("sherd/py.typed", names)
            self.assertIn("sherd/__init__.pyi", names)

    def test_it_brings_its_library(self):
        environment = {k: v for k, v in os.environ.items() if k not in ("SHERD_LIBRARY", "PYTHONPATH")}
        with common.folder() as site, zipfile.ZipFile(self.wheel) as wheel:
            wheel.extractall(site)
            script = "import sherd; print(sherd.library_path); print(sherd.World().element_count)"
            run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=site,
                                 env=environment)
            # As the linker shows it: nothing of the wheel's comes from the system.
            loaded = subprocess.run([sys.executable, "-c", "import sherd; print(open('/proc/self/maps').read())"],
                                    capture_output=True, text=True, check=True, cwd=site, env=environment).stdout
            brought = set(os.listdir(os.path.join(site, "sherd/lib"))) - {"load.txt"}
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(run.stdout.startswith(os.path.join(site, "sherd/lib")), run.stdout)
        for name in brought - {"libz.so.1"}:  # Python itself may have zlib already
            self.assertIn(os.path.join(site, "sherd/lib", name), loaded)


if __name__ == "__main__":
    unittest.main()
