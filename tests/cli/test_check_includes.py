"""scripts/check-includes on small trees, most of them broken on purpose."""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/check-includes")

# A tree that follows the map: {file: its includes}.
SOUND = {
    "include/sherd/types.h": "",
    "include/sherd/world.h": "#include <sherd/types.h>\n#include <stdint.h>\n",
    "src/base/error.h": "#include <sherd/types.h>\n",
    "src/math/vec3.h": '#include "base/error.h"\n',
    "src/geometry/mesh.h": '#include "math/vec3.h"\n',
    "src/bodies/law.h": '#include "geometry/mesh.h"\n',
    "src/bodies/law.c": '#include "bodies/law.h"\n',
    "src/world/step.c": '#include "bodies/law.h"\n#include "math/vec3.h"\n',
    "src/output/file.c": '#include <sherd/world.h>\n#include "base/error.h"\n',
    "apps/sherd/run.h": "#include <sherd/world.h>\n",
    "apps/sherd/main.c": '#include "run.h"\n',
    "tests/unit/test_law.c": '#include "bodies/law.h"\n#include <criterion/criterion.h>\n',
}


def check(changes, *options):
    """Runs the script on the sound tree with some files changed or added."""
    with tempfile.TemporaryDirectory() as root:
        for file, text in {**SOUND, **changes}.items():
            path = os.path.join(root, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        return subprocess.run([sys.executable, SCRIPT, *options, root], capture_output=True,
                              text=True, check=False)


class CheckIncludes(unittest.TestCase):
    def refused(self, changes, *messages):
        result = check(changes)
        self.assertEqual(result.returncode, 1, result.stderr)
        for message in messages:
            self.assertIn(message, result.stderr)

    def test_sound_tree(self):
        result = check({})
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_graph(self):
        self.assertIn("world        -> math bodies\n", check({}, "--graph").stdout)

    def test_upward_arrow(self):
        self.refused({"src/geometry/mesh.h": '#include "bodies/law.h"\n',
                      "src/bodies/law.h": ""},
                     "src/geometry/mesh.h:1: includes bodies/law.h, but geometry may include base, math")

    def test_sideways_arrow(self):
        self.refused({"src/models/grid.c": '\n  #  include "bodies/law.h"\n'},
                     "src/models/grid.c:2: includes bodies/law.h")

    def test_outer_module_uses_public_headers(self):
        self.refused({"src/render/file.c": '#include "geometry/mesh.h"\n'}, "src/render/file.c:1")

    def test_app_looks_inside(self):
        self.refused({"apps/sherd/main.c": '#include "../../src/bodies/law.h"\n'},
                     "apps is built on <sherd/...> only")

    def test_public_header_looks_inside(self):
        self.refused({"include/sherd/world.h": '#include "base/error.h"\n'},
                     "a public header may include only")

    def test_cycle_of_public_headers(self):
        self.refused({"include/sherd/types.h": "#include <sherd/world.h>\n"},
                     "files include each other: include/sherd/world.h -> include/sherd/types.h")

    def test_cycle_inside_a_module(self):
        self.refused({"src/bodies/law.h": '#include "bodies/area.h"\n',
                      "src/bodies/area.h": '#include "bodies/law.h"\n'},
                     "files include each other: src/bodies/area.h -> src/bodies/law.h")

    def test_circle_of_many_modules(self):
        # Headers without circles; what .c files include closes a circle.
        def ring(count):
            files = {f"src/world/m{k}.h": "" for k in range(count)}
            files.update({f"src/world/m{k}.c": f'#include "world/m{(k + 1) % count}.h"\n' for k in range(count)})
            return files
        self.assertEqual(check(ring(4)).returncode, 0)
        self.refused(ring(5), "5 modules include each other: src/world/m0 src/world/m1 ")

    def test_research_looks_inside_and_shows_one_header(self):
        files = {"research/optimizers.h": "#include <sherd/types.h>\n", "research/search.h": "",
                 "research/search.c": '#include "bodies/law.h"\n#include "research/optimizers.h"\n',
                 "apps/sherd/bench.c": '#include "research/optimizers.h"\n'}
        self.assertEqual(check(files).stderr, "")
        files["apps/sherd/bench.c"] = '#include "research/search.h"\n'
        self.refused(files, "apps is built on <sherd/...> only")

    def test_benchmarks_are_built_on_the_command(self):
        files = {"bench/bench.h": "", "bench/timing.h": '#include "run.h"\n',
                 "bench/bench.c": '#include "bench/bench.h"\n#include "bench/timing.h"\n',
                 "apps/sherd/main.c": '#include "bench/bench.h"\n#include "run.h"\n'}
        self.assertEqual(check(files).stderr, "")
        self.refused({**files, "bench/bench.h": '#include "run.h"\n'}, "an entry includes nothing")
        self.refused({**files, "apps/sherd/main.c": '#include "bench/timing.h"\n'},
                     "apps is built on <sherd/...> only", "modules include each other")
        self.refused({**files, "examples/one.c": '#include "bench/bench.h"\n'},
                     "examples is built on <sherd/...> only")
        self.refused({**files, "bench/bench.c": '#include "bodies/law.h"\n'},
                     "bench is built on <sherd/...> and apps only")

    def test_missing_file(self):
        self.refused({"src/bodies/law.c": '#include "bodies/lwa.h"\n'},
                     "src/bodies/law.c:1: no such file: bodies/lwa.h")

    def test_module_without_place_in_the_map(self):
        self.refused({"src/utils/misc.c": ""}, "'utils' is not in the map")

    def test_library_includes_tests(self):
        self.refused({"src/bodies/law.c": '#include "../../tests/near.h"\n', "tests/near.h": ""},
                     "the library doesn't include what is built on it")

    def test_empty_tree(self):
        with tempfile.TemporaryDirectory() as root:
            result = subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True,
                                    check=False)
        self.assertEqual(result.returncode, 1)

    def test_wrong_usage(self):
        self.assertEqual(check({}, "--wrong").returncode, 2)


if __name__ == "__main__":
    unittest.main()
