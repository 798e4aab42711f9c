"""How Sphinx builds the documentation site: `make docs`. Nothing is fetched, neither at build nor at view time."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))  # where docs.making is

from fairveil import __version__

project = "fairveil"
author = "the fairveil project"
copyright = "the fairveil project, Apache-2.0"
release = version = __version__

extensions = ["myst_parser", "docs.making.directives"]
exclude_patterns = ["making", "theme", "examples"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
suppress_warnings = [
    "myst.header",  # a page may start its sections one rank lower
]
highlight_language = "text"
nitpicky = True

html_theme = "furo"
html_title = "fairveil"
html_static_path = ["theme"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1d5f8a", "color-brand-content": "#1d5f8a"},
    "dark_css_variables": {"color-brand-primary": "#7cc0ea", "color-brand-content": "#7cc0ea"},
    "top_of_page_buttons": [],
}
