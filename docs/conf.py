"""The manual's site: `make docs`. Pages are Markdown (MyST); the C reference comes from Doxygen's XML by Breathe, the Python
reference from the module's stubs."""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(HERE, "site"))


def version_of_build():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as lists:
        return re.search(r"^project\(sherd VERSION ([\d.]+)", lists.read(), re.M)[1]


project = "Sherd"
author = "The authors of Sherd"
copyright = author
release = version_of_build()
extensions = ["myst_parser", "breathe", "python_stub"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["site"]
nitpicky = False

myst_enable_extensions = ["colon_fence"]
smartquotes_action = "qe" # quotes and ellipses; dashes are options' own
myst_heading_anchors = 4
# Tags of papers, [BDEM21], are text, and indented code has no language.
highlight_language = "none"
suppress_warnings = ["misc.highlighting_failure"]

breathe_projects = {"sherd": os.environ.get("SHERD_DOXYGEN_XML", os.path.join(ROOT, "build/docs/doxygen/xml"))}
breathe_default_project = "sherd"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False
breathe_show_define_initializer = False
c_id_attributes = ["SHERD_API"]

html_theme = "furo"
html_title = f"Sherd {release}"
html_static_path = ["site/static"]
html_css_files = ["sherd.css"]
html_search_scorer = os.path.join(HERE, "site/scorer.js")
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
