"""How Sphinx builds the website; its theme, furo, is light or dark as the reader's system is."""

from importlib.metadata import version as installed

project = "Equipoise"
version = release = installed("equipoise")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = "Equipoise"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
myst_heading_anchors = 4
"""Headings down to the fourth level can be linked to, with the names that GitHub gives them."""

suppress_warnings = ["myst.header", "misc.highlighting_failure"]
"""Pages may skip a level of headings; sessions are not a language that is highlighted."""

default_role = "code"
napoleon_google_docstring = False
napoleon_use_rtype = False
autodoc_typehints = "none"
autodoc_default_options = {"member-order": "bysource"}
