"""scripts/mutate: the table is true of this tree, and what the script makes of a text. Builds nothing."""
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "scripts/mutate")

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("mutate", SCRIPT)
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
loader.exec_module(mutate)

BLOCK = "name: a\nfile: a.c\nwhat: a sign\nold: x + y\nnew: x - y\n"
FOLDERS = ("bodies", "calibration", "contact", "geometry", "laws", "linear", "models/bonded", "models/mpm", "output",
           "packing", "scene", "stepping", "surface")


class Table(unittest.TestCase):
    def test_every_text_is_found_once(self):
        result = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_bugs_are_over_all_folders(self):
        mutants = mutate.parse(mutate.read(mutate.TABLE))
        self.assertGreaterEqual(len(mutants), 40)
        for folder in FOLDERS:
            self.assertTrue(any(m["file"].startswith(f"src/{folder}/") for m in mutants), folder)

    def test_blocks(self):
        first, second = mutate.parse("# a comment\n" + BLOCK + "tests: one two\n\n" +
                                     BLOCK.replace("name: a", "name: b").replace("x + y", "x\n   + y"))
        self.assertEqual(first["tests"], ["one", "two"])
        self.assertEqual(second["old"], "x + y")

    def test_faults_of_blocks(self):
        for text in (BLOCK + "\n" + BLOCK, BLOCK.replace("new", "now"), BLOCK.replace("old: x + y\n", ""),
                     BLOCK + "file: b.c\n"):
            with self.assertRaises(mutate.TableError):
                mutate.parse(text)


class Text(unittest.TestCase):
    def mutated(self, text, **changes):
        return mutate.mutated(text, [(7, {**mutate.parse(BLOCK)[0], **changes})])

    def test_an_expression(self):
        self.assertEqual(self.mutated("z = x +\n  y;"), '#include "base/mutant.h"\n'
                         "z = (sherd_mutant_number == 7 ? (x - y) : (x +\n  y));")

    def test_a_statement(self):
        self.assertIn("if (sherd_mutant_number == 7) { z = 0; } else { z = x; }",
                      self.mutated("z = x;", old="z = x;", new="z = 0;"))

    def test_what_is_found_more_than_once_needs_more_around_it(self):
        text = "a = x + y; b = x + y;"
        with self.assertRaises(mutate.TableError):
            self.mutated(text)
        self.assertIn("a = x + y; b = (sherd", self.mutated(text, **{"in": "b = x + y"}))

    def test_what_is_not_found(self):
        with self.assertRaises(mutate.TableError):
            self.mutated("z = y;")

    def test_what_overlaps(self):
        one = mutate.parse(BLOCK)[0]
        with self.assertRaises(mutate.TableError):
            mutate.mutated("z = x + y;", [(1, one), (2, {**one, "old": "y;", "new": "x;"})])

    def test_unknown_names(self):
        result = subprocess.run([sys.executable, SCRIPT, "--mutant", "none_such"], capture_output=True, text=True,
                                check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("none_such", result.stderr)


if __name__ == "__main__":
    unittest.main()
