"""docs: files, tests, links and anchors that documents name are there; the manual keeps to its budget of words."""
import glob
import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.abspath(sys.argv.pop(1))


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as text:
        return text.read()


def anchors_of(path):
    """What GitHub makes of the headings of a document."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", text_of(path), re.M):
        words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        found.add(words.replace(" ", "-"))
    return found


def documents():
    paths = ["README.md", "CONTRIBUTING.md"] + glob.glob("docs/**/*.md", root_dir=ROOT, recursive=True)
    return sorted(paths)


ROOMS = ("docs/guide/", "docs/reference/", "docs/theory/") # what is for readers; the notebook is for the record
MOST_WORDS = 120         # of a paragraph
MOST_WORDS_OF_PAGE = 4500 # of theory: twenty minutes
MOST_WORDS_OF_ALL = 60_000


def prose_of(path):
    """Without lists that are generated, what Doxygen and stubs give, and lists of pages."""
    text = re.sub(r"<!-- (?:table|man)\b.*?<!-- end -->", "", text_of(path), flags=re.S)
    return re.sub(r"^```\{.*?^```", "", text, flags=re.S | re.M)


def paragraphs(path):
    """Without code and tables. An item of a list is a paragraph."""
    text = re.sub(r"^```.*?^```", "", prose_of(path), flags=re.S | re.M)
    return [line for line in text.splitlines() if line.strip() and not line.startswith(("    ", "|"))]


class Documents(unittest.TestCase):
    def named_files(self, document):
        folders = "src|tests|scripts|apps|include|scenes|research|bench"
        names = re.findall(rf"(?<![\w/.-])((?:{folders})/[\w./-]*[\w/])", text_of(document))
        self.assertGreater(len(names), 5, document)
        return names

    def test_files_are_there(self):
        for document in ("docs/theory/method.md", "docs/theory/physics.md", "docs/reference/architecture.md",
                         "docs/reference/glossary.md"):
            for name in self.named_files(document):
                self.assertTrue(os.path.exists(os.path.join(ROOT, name)), f"{document}: {name}")

    def test_tests_exist_where_they_are_said_to_be(self):
        rows = re.findall(r"`([a-z0-9_]+)`(?: and the others)?(?:, | in )`(tests/\S+?\.c)`", text_of("docs/theory/physics.md"))
        self.assertGreater(len(rows), 8)
        for name, path in rows:
            self.assertRegex(text_of(path), rf"Test\(\w+, {name}\)", f"{name} in {path}")

    def test_links_lead_somewhere(self):
        count = 0
        for document in documents():
            text = text_of(document)
            for target in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"^\[[^]]+\]: (\S+)", text, re.M):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                path = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
                self.assertTrue(os.path.exists(os.path.join(ROOT, path)), f"{document}: {target}")
                if anchor and path.endswith(".md"):
                    self.assertIn(anchor, anchors_of(path), f"{document}: {target}")
                count += 1
        self.assertGreater(count, 50)

    def test_pages_that_code_points_to_are_there(self):
        count = 0
        for folder in ("src", "include", "apps", "bench", "blender", "examples", "python", "research", "scenes", "scripts", "tests"):
            for path in glob.glob(folder + "/**/*", root_dir=ROOT, recursive=True):
                if not os.path.isfile(os.path.join(ROOT, path)):
                    continue
                with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
                    for page in re.findall(r"\bdocs/[\w/.-]+\.md\b", file.read()):
                        self.assertTrue(os.path.exists(os.path.join(ROOT, page)), f"{path}: {page}")
                        count += 1
        self.assertGreater(count, 100)

    def test_videos_are_small_and_linked(self):
        """H.264 for every player, as scripts/gallery.sh --video makes them; clones carry them for ever."""
        gallery, total = text_of("docs/guide/gallery.md"), 0
        listed = re.search(r'^VIDEOS="([^"]+)"', text_of("scripts/gallery.sh"), re.M)[1]
        names = sorted(os.listdir(os.path.join(ROOT, "docs/videos")))
        self.assertTrue(names)
        for name in names:
            self.assertTrue(f"](../videos/{name})" in gallery, name)
            self.assertRegex(listed, rf"\b{name[:-4].replace('-', '[-:]')} \d", name)
            with open(os.path.join(ROOT, "docs/videos", name), "rb") as video:
                data = video.read()
            self.assertEqual(data[4:8], b"ftyp", name)
            self.assertIn(b"avc1", data, name)
            self.assertLessEqual(len(data), 350_000, name)
            total += len(data)
        self.assertLessEqual(total, 5_000_000)

    def test_keys_that_messages_quote_are_in_the_documents(self):
        """`key` or `key: value` in a string of the code is a word of the documents, or another message's."""
        known = set(re.findall(r"\w+", "".join(text_of(path) for path in documents() if "reference/" in path)))
        quoted = 0
        for path in sorted(glob.glob("src/**/*.[ch]", root_dir=ROOT, recursive=True)
                           + glob.glob("apps/sherd/**/*.c", root_dir=ROOT, recursive=True)):
            code = re.sub(r"//.*", "", text_of(path))
            for string in re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r'"\s*\n\s*"', "", code)):
                for word in re.findall(r"`([a-z_]+)[`:.]", string):
                    self.assertTrue(word in known, f"{path}: `{word}`")
                    quoted += 1
        self.assertGreater(quoted, 50)

    def test_every_equation_has_files_and_tests(self):
        table = text_of("docs/theory/method.md").split("## Equations and files")[1]
        rows = [row.split("|")[1:-1] for row in table.splitlines() if row.startswith("| [")]
        self.assertGreater(len(rows), 20)
        for equations, _, files, tests in rows:
            self.assertRegex(files, r"`(src|research|scripts)/", equations)
            self.assertRegex(tests, r"`tests/", equations)

    def test_paragraphs_are_short(self):
        for path in documents():
            for paragraph in paragraphs(path) if path.startswith(ROOMS) else []:
                self.assertLessEqual(len(paragraph.split()), MOST_WORDS, f"{path}: {paragraph[:80]}")

    def test_what_is_for_readers_can_be_read(self):
        """Words of the rooms together, tables and code with them; of a page of theory."""
        words = {path: len(prose_of(path).split()) for path in documents() if path.startswith(ROOMS)}
        for room in ROOMS:
            print(f"{room} {sum(count for path, count in words.items() if path.startswith(room))} words")
        print(f"together {sum(words.values())} of at most {MOST_WORDS_OF_ALL}", flush=True)
        self.assertLessEqual(sum(words.values()), MOST_WORDS_OF_ALL)
        for path, count in words.items():
            if path.startswith("docs/theory/"):
                self.assertLessEqual(count, MOST_WORDS_OF_PAGE, path)

    def test_history_is_in_the_notebook(self):
        for path in documents():
            for paragraph in paragraphs(path) if path.startswith(ROOMS) else []:
                told = re.search(r"\b([Tt]oday|[Ff]ormerly|used to be|as it was before|[Uu]ntil now|commit [0-9a-f]{7}|[Ww](?:as|ere) tried)\b"
                                 r"|\([^()]*\bbefore(?::[^()]*)?\)",
                                 paragraph)
                self.assertIsNone(told, f"{path}: {paragraph[:80]}")

    def test_every_page_is_in_a_list_of_pages(self):
        listed = {"docs/index.md"}
        for path in documents():
            for pages in re.findall(r"^```\{toctree\}\n(.*?)^```", text_of(path), re.S | re.M):
                for page in re.findall(r"^([\w/-]+)$", pages, re.M):
                    listed.add(os.path.normpath(os.path.join(os.path.dirname(path), page + ".md")))
        self.assertEqual({path for path in documents() if path.startswith("docs/")}, listed)

    def test_every_header_is_in_the_reference(self):
        pages = "".join(text_of(path) for path in glob.glob("docs/reference/c-api/*.md", root_dir=ROOT))
        named = re.findall(r"^```\{doxygenfile\} (\S+)$", pages, re.M)
        self.assertEqual(sorted(named), sorted(os.listdir(os.path.join(ROOT, "include/sherd"))))

    def test_the_picture_of_the_house_is_up_to_date(self):
        drawn = subprocess.run([sys.executable, os.path.join(ROOT, "scripts/draw-house"), "--check"],
                               capture_output=True, text=True, check=False)
        self.assertEqual(drawn.returncode, 0, drawn.stderr)

    def test_every_paper_is_in_the_references(self):
        known = re.findall(r"\*\*\[(\w+)\]\*\*", text_of("docs/theory/references.md"))
        for tag in re.findall(r"\[([A-Z]+\d*)\] [(\w]", "".join(text_of(path) for path in documents() if "theory/" in path)):
            self.assertIn(tag, known)


if __name__ == "__main__":
    unittest.main()
