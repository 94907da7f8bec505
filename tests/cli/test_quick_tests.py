"""scripts/quick-tests: which tests are of a change, nearest first, as many as fit."""
import importlib.machinery
import importlib.util
import os
import sys
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/quick-tests")
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("quick_tests", SCRIPT)
quick = importlib.util.module_from_spec(importlib.util.spec_from_loader("quick_tests", loader))
loader.exec_module(quick)

TESTS = [{"name": "bond", "command": ["/build/test_bond"]}, {"name": "far", "command": ["/build/test_far"]},
         {"name": "sizes", "command": ["python3", os.path.join(quick.ROOT, "scripts/check-sizes")]},
         {"name": "disabled"}]
OBJECTS = {"tests/unit/CMakeFiles/test_bond.dir/test_bond.c.o": {"tests/unit/test_bond.c", "src/laws/bond.h"},
           "tests/unit/CMakeFiles/test_far.dir/test_far.c.o": {"tests/unit/test_far.c", "include/sherd/world.h"},
           "CMakeFiles/sherd.dir/src/laws/bond.c.o": {"src/laws/bond.c", "src/laws/bond.h"}}


class QuickTests(unittest.TestCase):
    def test_a_source_s_header_is_what_its_tests_include(self):
        self.assertEqual(quick.ranks(TESTS, {"src/laws/bond.c"}, OBJECTS),
                         {"bond": 2, "far": 3, "sizes": 3, "disabled": 3})

    def test_scripts_and_tests_are_tested_themselves(self):
        self.assertEqual(quick.ranks(TESTS, {"scripts/check-sizes"}, OBJECTS), {"sizes": 1})
        self.assertEqual(quick.ranks(TESTS, {"tests/unit/test_far.c"}, OBJECTS)["far"], 1)

    def test_documents_need_none(self):
        self.assertEqual(quick.ranks(TESTS, {"docs/theory/material-points.md"}, OBJECTS), {})

    def test_nearest_and_quickest_until_the_time_is_full(self):
        rank, cost = {"a": 2, "b": 1, "c": 3, "d": 3}, {"a": 50, "b": 5, "c": 10, "d": 2}
        self.assertEqual(quick.choose(rank, 60, cost), (["b", "a", "d"], ["c"], 57))


if __name__ == "__main__":
    unittest.main()
