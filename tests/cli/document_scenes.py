"""What the manual prints can be run: whole scenes are valid, commands and options exist.

usage: document_scenes.py SHERD ROOT"""
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

SHERD, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
del sys.argv[1:3]


def pages():
    """README, guide and reference; each with its text."""
    for path in ["README.md"] + sorted(glob.glob("docs/guide/*.md", root_dir=ROOT) + glob.glob("docs/reference/*.md", root_dir=ROOT)):
        with open(os.path.join(ROOT, path), encoding="utf-8") as page:
            yield path, page.read()


class Printed(unittest.TestCase):
    def test_whole_scenes_are_valid(self):
        count = 0
        with tempfile.TemporaryDirectory() as folder:
            for path, text in pages():
                for scene in re.findall(r"^```yaml\n(sherd: 1\n.*?)^```", text, re.S | re.M):
                    file = os.path.join(folder, "scene.yaml")
                    with open(file, "w", encoding="utf-8") as out:
                        out.write(scene)
                    result = subprocess.run([SHERD, "check", file, "--no-pictures"], capture_output=True, text=True, check=False)
                    self.assertEqual(result.returncode, 0, f"{path}: {result.stderr}")
                    count += 1
        self.assertGreaterEqual(count, 4)

    def test_commands_and_options_exist(self):
        manual = subprocess.run([SHERD, "man"], capture_output=True, text=True, check=True).stdout.replace("\\-", "-")
        commands = set(re.findall(r"\\fBsherd \\fR\\fB(\w+)", manual))
        options = set(re.findall(r"\\fB(--?[a-z][\w-]*)\\fR", manual)) | {"--help", "--version"}
        self.assertGreater(len(commands), 10)
        count = 0
        for path, text in pages():
            text = text.replace("\\\n", " ")
            for line in re.findall(r"^    (?:build/bin/)?sherd (.*)$", text, re.M) + re.findall(r"`sherd ([^`]*)`", text):
                words = re.sub(r"#.*|\"[^\"]*\"|'[^']*'", "", line).split()
                if words and re.fullmatch(r"[a-z]+", words[0]):
                    self.assertIn(words[0], commands, f"{path}: sherd {line}")
                for word in words:
                    option = re.match(r"--?[a-z][\w-]*", word)
                    if option and not re.fullmatch(r"-j\d+", word):
                        self.assertIn(option[0], options, f"{path}: sherd {line}")
                count += 1
        self.assertGreater(count, 50)


if __name__ == "__main__":
    unittest.main()
