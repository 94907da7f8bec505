"""scripts/gdb_printers.py shows vectors, lanes and pairs as numbers. Nothing runs: gdb reads a program's initial data."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
COMPILER = sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "cc"
PROGRAM = """
#include "contact/explicit/pair_list.h"
typedef double lane __attribute__((vector_size(16)));
typedef struct lane3 {
    lane x, y, z;
} lane3;
sherd_vec3 place = {1.5, 2, -3};
sherd_quat turn = {0, 0, 0.6, 0.8};
lane3 lanes = {{1, 2}, {3, 4}, {5, 6}};
static sherd_element_index members[] = {4, 5, 7, 9};
static int32_t starts[] = {0, 2, 3}, partners[] = {1, 3, 2}, slots[] = {-1, 0, -1};
static sherd_pair_block blocks[] = {{.pair_count = 3, .own_count = 2, .member_count = 4, .member = members,
                                     .start = starts, .partner = partners, .slot = slots, .slot_count = 1}};
sherd_pair_list pairs = {.block_count = 1, .blocks = blocks};
int main(void)
{
    return 0;
}
"""


@unittest.skipUnless(shutil.which("gdb"), "there is no gdb")
class GdbPrinters(unittest.TestCase):
    def test_what_is_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "shown.c"), os.path.join(folder, "shown")
            with open(source, "w", encoding="utf-8") as out:
                out.write(PROGRAM)
            subprocess.run([COMPILER, "-std=gnu17", "-g", "-no-pie", f"-I{ROOT}/src", f"-I{ROOT}/include", "-o", program,
                            source], check=True)
            words = ["gdb", "-nx", "-batch", "-ex", f"source {ROOT}/scripts/gdb_printers.py"]
            for name in ("place", "turn", "lanes", "pairs"):
                words += ["-ex", f"print {name}"]
            done = subprocess.run([*words, program], capture_output=True, text=True, check=False)
        if "not supported" in done.stdout + done.stderr:
            self.skipTest("this gdb has no Python")
        self.assertIn("$1 = (1.5, 2, -3)", done.stdout, done.stderr)
        self.assertIn("$2 = (0, 0, 0.5999", done.stdout)
        for text in ('2 lanes = {[0] = "(1, 3, 5)", [1] = "(2, 4, 6)"}',
                     '3 pairs, 1 with a history, in 1 of 1 blocks = {[0] = "(4, 5)", [1] = "(4, 9) slot 0", [2] = "(5, 7)"}'):
            self.assertIn(text.replace('"', ""), done.stdout.replace('"', ""))


if __name__ == "__main__":
    unittest.main()
