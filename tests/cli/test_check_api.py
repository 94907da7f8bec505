"""scripts/check-api on small trees, most of them broken on purpose."""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/check-api")

HEADER = """// A world.
#pragma once

// Where a thing is.
typedef struct sherd_place {
    double x, y; // [m]
    // Mass and volume.
    double mass;
    double volume;
} sherd_place;

// Returns the place.
SHERD_API sherd_place sherd_world_place(void);
// The words.
SHERD_API extern const char *const sherd_words[];
"""
CALLER = "int main(void) { sherd_place p = sherd_world_place(); }\n"


def check(header=HEADER, **callers):
    """Runs the script on a tree with this header and these callers, by folder."""
    with tempfile.TemporaryDirectory() as root:
        files = {"include/sherd/world.h": header}
        for folder, text in (callers or {"examples": CALLER}).items():
            files[f"{folder}/main.{'py' if folder == 'python' else 'c'}"] = text
        for file, text in files.items():
            path = os.path.join(root, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        return subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True, check=False)


class CheckApi(unittest.TestCase):
    def refused(self, message, header=HEADER, **callers):
        result = check(header, **callers)
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn(message, result.stderr)

    def accepted(self, header=HEADER, **callers):
        result = check(header, **callers)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_sound_tree(self):
        self.accepted()

    def test_function_without_caller(self):
        self.refused("include/sherd/world.h: sherd_world_place is called by no program", examples="int main;\n")

    def test_a_comment_is_no_caller(self):
        self.refused("sherd_world_place is called by no program", apps="// sherd_world_place()\n")

    def test_a_test_is_no_caller(self):
        self.refused("sherd_world_place is called by no program", tests=CALLER)

    def test_python_calls_definitions_by_name(self):
        header = HEADER.replace("sherd_place sherd_world_place(void)", "sherd_place sherd_rope_def_default(void)")
        self.accepted(header, python='ROPE = Definition("sherd_rope_def")\n')
        self.refused("sherd_rope_def_default is called by no program", header, python='ROPE = 1\n')

    def test_function_without_comment(self):
        self.refused("include/sherd/world.h:12: sherd_world_place has no comment",
                     HEADER.replace("// Returns the place.\n", ""))

    def test_function_over_two_lines(self):
        self.refused("include/sherd/world.h:12: sherd_world_place has no comment",
                     HEADER.replace("// Returns the place.\nSHERD_API sherd_place ", "SHERD_API\nsherd_place "))

    def test_table_without_comment(self):
        self.refused("sherd_words has no comment", HEADER.replace("// The words.\n", ""))

    def test_struct_without_comment(self):
        self.refused("sherd_place has no comment", HEADER.replace("// Where a thing is.\n", ""))

    def test_member_without_comment(self):
        self.refused("sherd_place.y has no comment", HEADER.replace(" // [m]", ""))
        self.refused("sherd_place.volume has no comment", HEADER.replace("double mass;\n", "double mass;\n\n"))

    def test_no_headers(self):
        self.refused("no public functions found", header="")


if __name__ == "__main__":
    unittest.main()
