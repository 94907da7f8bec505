"""scripts/check-sizes on small trees, most of them too large on purpose."""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/check-sizes")


def function(name, lines):
    """A function of so many lines, its signature in two of them."""
    body = ["    if (a) {", "        ++b;", "    }"] + ["    ++b;"] * (lines - 8)
    return "\n".join([f"static int {name}(int a,", "           int b)", "{", *body, "    return b;", "}", ""])


def check(files, *options):
    with tempfile.TemporaryDirectory() as root:
        for file, text in files.items():
            path = os.path.join(root, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        return subprocess.run([sys.executable, SCRIPT, *options, root], capture_output=True,
                              text=True, check=False)


class CheckSizes(unittest.TestCase):
    def test_small_functions(self):
        result = check({"src/world/step.c": "// why\n" + function("walk", 60) + function("run", 60)})
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("2 functions have at most 60 lines, 1 folders at most 25 modules", result.stdout)

    def test_large_function(self):
        text = "#include <math.h>\nint seen;\n\n// why\n" + function("walk", 61) + function("run", 60)
        result = check({"src/world/step.c": text})
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "src/world/step.c:5: walk has 61 lines, at most 60\n")

    def test_tests_and_headers_are_measured(self):
        result = check({"tests/unit/test_step.c": function("walk", 70),
                        "bench/lane.h": function("load", 80)})
        self.assertIn("tests/unit/test_step.c:1: walk has 70 lines", result.stderr)
        self.assertIn("bench/lane.h:1: load has 80 lines", result.stderr)

    def test_tables_are_no_functions(self):
        rows = "static const int ROWS[] = {\n" + "    1,\n" * 200 + "};\n"
        kinds = "typedef struct row {\n" + "    int a;\n" * 200 + "} row;\n"
        self.assertEqual(check({"src/base/rows.c": rows + kinds + function("walk", 20)}).returncode, 0)

    def test_large_folder(self):
        def folder(count):
            files = {f"src/world/m{k}.c": function(f"f{k}", 8) for k in range(count)}
            return {**files, **{f"src/world/m{k}.h": "" for k in range(count)}}
        self.assertEqual(check(folder(25)).returncode, 0)
        self.assertIn("src/world: 26 modules, at most 25", check(folder(26)).stderr)

    def test_folders_below_count_for_themselves(self):
        files = {f"src/world/{folder}/m{k}.h": function("f", 8) for folder in "ab" for k in range(20)}
        self.assertEqual(check(files).returncode, 0)

    def test_folders_of_tests_are_lists(self):
        files = {f"tests/unit/test_m{k}.c": function("f", 8) for k in range(40)}
        self.assertEqual(check(files).returncode, 0)

    def test_nothing_found(self):
        self.assertIn("no C functions found", check({"src/base/names.h": "enum { MOST = 3 };\n"}).stderr)

    def test_wrong_usage(self):
        self.assertEqual(check({}, "--wrong").returncode, 2)


if __name__ == "__main__":
    unittest.main()
