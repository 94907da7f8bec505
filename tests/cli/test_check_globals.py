"""scripts/check-globals on small objects. Usage: test_check_globals.py C_COMPILER"""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/check-globals")
COMPILER = "cc"

CONSTANT = """
static const char *const NAMES[] = {"a", "b"};
const char *name(int k);
const char *name(int k) { static const int order[] = {1, 0}; return NAMES[order[k]]; }
"""
CHANGING = """
int sherd_total;
static int counter = 1;
static _Thread_local int mine;
int next(void);
int next(void) { static int calls; return ++counter + ++calls + ++mine + sherd_total; }
"""


def check(files):
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for name, text in files.items():
            source = os.path.join(folder, name)
            with open(source, "w", encoding="utf-8") as out:
                out.write(text)
            objects.append(source + ".o")
            subprocess.run([COMPILER, "-fPIC", "-c", source, "-o", objects[-1]], check=True)
        archive = os.path.join(folder, "libsmall.a")
        subprocess.run(["ar", "rcs", archive, *objects], check=True)
        return [subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)
                for arguments in (objects, [archive])]


class CheckGlobals(unittest.TestCase):
    def test_constants(self):
        for result in check({"names.c": CONSTANT}):
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("0 variables outlive calls", result.stdout)

    def test_variables_of_every_kind(self):
        for result in check({"names.c": CONSTANT, "next.c": CHANGING}):
            self.assertEqual(result.returncode, 1)
            self.assertEqual(result.stderr.splitlines()[1:],
                             ["  next.c calls", "  next.c counter", "  next.c mine", "  next.c sherd_total"])

    def test_allowed_by_file_and_name(self):
        pool = "static int pool; int *all(void); int *all(void) { return &pool; }\n"
        for result in check({"thread_pool.c": pool}):
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        for result in check({"other.c": pool}):
            self.assertIn("other.c pool", result.stderr)

    def test_wrong_usage(self):
        self.assertEqual(subprocess.run([SCRIPT], capture_output=True, check=False).returncode, 2)


if __name__ == "__main__":
    COMPILER = sys.argv.pop(1)
    unittest.main()
