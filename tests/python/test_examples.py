"""The examples of the Python module run, and show what they say they show."""
import os
import re
import shutil
import subprocess
import sys
import unittest

import common

SCRIPTS = os.path.join(common.ROOT, "examples/python")


class Examples(unittest.TestCase):
    def said_by(self, name, *arguments):
        with common.folder() as place:
            scripts = os.path.join(place, "scripts")  # as installed: nothing else is near
            shutil.copytree(SCRIPTS, scripts)
            run = subprocess.run([sys.executable, os.path.join(scripts, name), *arguments], capture_output=True,
                                 text=True, check=False, cwd=place)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def test_sweep(self):
        rows = re.findall(r"([\d.]+) m/s +(\d+) fragments, the largest has +(\d+) %", self.said_by("sweep.py"))
        self.assertEqual(len(rows), 7)
        counts = [int(count) for _, count, _ in rows]
        self.assertEqual(counts[0], 1)  # the slow one holds
        self.assertGreater(counts[-1], 50)

    def test_driver(self):
        said = self.said_by("driver.py")
        held = re.search(r"broken at [\d.]+ ms; it held ([\d.]+) N", said)
        # 2 MPa of bonds on some 64 mm^2 of bar, of which close-packed elements carry 0.6 to 1.2 times.
        self.assertGreater(float(held.group(1)), 60)
        self.assertLess(float(held.group(1)), 180)

    def test_calibration(self):
        said = self.said_by("calibration.py")
        modulus = re.search(r"bars have:  E ([\d.]+) GPa", said)
        self.assertAlmostEqual(float(modulus.group(1)), 5.0, delta=0.1)  # 2 %: what calibration promises
        stresses = [float(s) for s in re.findall(r"([\d.]+) MPa  #", said)]
        self.assertAlmostEqual(max(stresses), 10, delta=1)

    def test_seeds(self):
        said = self.said_by("seeds.py", "4")
        self.assertRegex(said, r"4 tiles: \d+\.\d fragments \(standard deviation \d+\.\d\)")
        self.assertNotIn("standard deviation 0.0", said)

    def test_packing(self):
        said = self.said_by("packing.py")
        broken = [int(b) for b in re.findall(r"(\d+) of 810 bonds broken", said)]
        self.assertEqual(broken, sorted(broken))
        self.assertGreater(broken[-1], 20)
        self.assertIn("fragment 1:", said)


if __name__ == "__main__":
    unittest.main()
