"""scripts/compare-states: the same command is the same, resumed too; one that computes otherwise is not."""
import os
import stat
import subprocess
import sys
import tempfile
import unittest

import small_run

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/compare-states")
SHERD = os.path.abspath(sys.argv.pop(1))


class CompareStates(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.scene = self.write("small.yaml", small_run.SCENE)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def other(self, setting):
        """A command that computes something else: one setting is another."""
        path = self.write("other", f'#!/bin/sh\nexec "{SHERD}" "$@" --set {setting}\n')
        os.chmod(path, stat.S_IRWXU)
        return path

    def compare(self, *arguments, status=0):
        done = subprocess.run([sys.executable, SCRIPT, *arguments, "--frames", "2", "--limit", "200"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def test_the_same_command_is_the_same(self):
        said = self.compare("--resume", "--cross", SHERD, SHERD, self.scene)
        self.assertEqual(said.count("same: 3 frames"), 9, said)
        self.assertIn("3 runs, 0 differences", said)

    def test_another_seed_differs(self):
        other = self.other("materials.clay.seed=4")
        said = self.compare("--methods", "explicit", SHERD, other, self.scene, status=1)
        self.assertIn("small-explicit", said)
        self.assertRegex(said, r"DIFFERS: stats.csv, \d .*: \w+ is .*, then ")

    def test_records_stand_for_a_command(self):
        records = os.path.join(self.folder.name, "records")
        self.compare("--methods", "auto", "--record", records, SHERD, self.scene)
        said = self.compare("--methods", "auto", records, SHERD, self.scene)
        self.assertIn("same: 3 frames", said)
        said = self.compare("--methods", "auto", records, self.other("gravity=[0,0,-9]"), self.scene, status=1)
        self.assertIn("DIFFERS", said)

    def test_what_both_refuse_is_the_same(self):
        scene = self.write("bad.yaml", small_run.SCENE.replace("density: 2000", "density: -1"))
        self.assertIn("both end with 2", self.compare("--methods", "auto", SHERD, SHERD, scene))
        self.assertIn("DIFFERS: ended with", self.compare("--methods", "auto", SHERD,
                      self.other("materials.clay.density=2000"), scene, status=1))


if __name__ == "__main__":
    unittest.main()
