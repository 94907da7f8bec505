"""docs: files that the tables of equations and corrections name are there, and tests that they name exist."""
import os
import re
import sys
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as text:
        return text.read()


class Documents(unittest.TestCase):
    def named_files(self, document):
        names = re.findall(r"`((?:src|tests|scripts|apps|include|scenes)/[^`\s]+)`", text_of(document))
        self.assertGreater(len(names), 5, document)
        return names

    def test_files_are_there(self):
        for document in ("docs/method.md", "docs/physics.md"):
            for name in self.named_files(document):
                self.assertTrue(os.path.exists(os.path.join(ROOT, name)), f"{document}: {name}")

    def test_tests_exist_where_they_are_said_to_be(self):
        rows = re.findall(r"`([a-z0-9_]+)`(?: and the others)?(?:, | in )`(tests/\S+?\.c)`", text_of("docs/physics.md"))
        self.assertGreater(len(rows), 8)
        for name, path in rows:
            self.assertRegex(text_of(path), rf"Test\(\w+, {name}\)", f"{name} in {path}")

    def test_every_paper_is_in_the_references(self):
        known = re.findall(r"\*\*\[(\w+)\]\*\*", text_of("docs/references.md"))
        for tag in re.findall(r"\[([A-Z]+\d*)\] [(\w]", text_of("docs/method.md") + text_of("docs/physics.md")):
            self.assertIn(tag, known)


if __name__ == "__main__":
    unittest.main()
