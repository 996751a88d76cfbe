#!/usr/bin/env python3
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a site of the documentation, with search: build_site.py [OUT]

The site is in OUT (build/site), whose index.html any browser opens. It needs mkdocs with the material theme
(Debian: apt-get install mkdocs-material), and nothing from the network, neither to be built nor to be read. The
search needs a web server, as browsers let no page read its neighbours: python3 -m http.server -d build/site.
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Pages by section of the menu.
MENU = [
    ("Start", ["README.md", "docs/GettingStarted.md", "examples/README.md", "examples/torch/README.md", "docs/Marks.md"]),
    ("Python", ["docs/Python.md", "docs/python/experts.md", "docs/python/padding.md", "docs/python/attention.md", "docs/python/Reference.md"]),
    ("Find out why", ["docs/Troubleshooting.md", "docs/Explain.md", "docs/Glossary.md"]),
    ("Performance", ["docs/Performance.md", "docs/performance/*.md", "benchmarks/README.md"]),
    ("Reliability", ["docs/Reliability.md", "docs/reliability/*.md", "test/results/README.md"]),
    ("Notebook", ["docs/notebook/*.md"]),
    ("Change PIT", ["docs/Architecture.md", "docs/Extending.md", "docs/Rationale.md", "CONTRIBUTING.md"]),
    ("Reference", ["docs/Status.md", "docs/Semantics.md", "docs/RuntimeABI.md", "docs/Tuning.md", "docs/SeveralGPUs.md", "docs/Embedding.md", "docs/generated/*.md"]),
]
CONFIG = """\
site_name: PIT
site_description: A compiler for dynamic sparsity
docs_dir: {docs}
site_dir: {site}
use_directory_urls: false
theme:
  name: material
  font: false
  features: [navigation.sections, navigation.top, search.highlight]
plugins: [search]
markdown_extensions:
  - tables
  - toc:
      slugify: !!python/name:github_anchors.slugify
      permalink: true
nav:
{nav}"""
SLUGS = '''\
import re


def slugify(heading, separator):
    """Anchors as GitHub makes them, which is what links of the pages name."""
    return re.sub(r"[^\\w\\- ]", "", heading.lower()).replace(" ", separator)
'''
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def find_pages():
    for section, patterns in MENU:
        pages = []
        for pattern in patterns:
            pages += sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, pattern)))
        yield section, pages


def rewrite(page, text, pages):
    """Links to files that are no pages become their names; lists after a line of text get the line between that
    this dialect of Markdown wants."""
    def replace(match):
        words, target = match.groups()
        if "://" in target or target.startswith("#"):
            return match[0]
        path, _, anchor = target.partition("#")
        place = os.path.normpath(os.path.join(os.path.dirname(page), path))
        if place in pages or place.endswith((".svg", ".jpg")):
            return f"[{words}]({path}{'#' + anchor if anchor else ''})"
        return f"{words} (`{place}`)" if words.strip("`") != place else f"`{place}`"

    parts = FENCE.split(text)
    for i in range(0, len(parts), 2):
        parts[i] = LINK.sub(replace, parts[i])
        parts[i] = re.sub(r"^(?![*\s|#>-])(.+)\n(?=\* )", r"\1\n\n", parts[i], flags=re.MULTILINE)
    return "".join(parts)


def stage(folder):
    """Copies pages and figures, and returns the menu."""
    menu = list(find_pages())
    pages = {page for _, some in menu for page in some}
    nav = ""
    for section, some in menu:
        nav += f"  - {section}:\n"
        for page in some:
            with open(os.path.join(ROOT, page), encoding="utf-8") as file:
                text = rewrite(page, file.read(), pages)
            place = os.path.join(folder, page)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w", encoding="utf-8") as file:
                file.write(text)
            nav += f"    - {page}\n"
    for pictures in ("figures", "screenshots"):
        shutil.copytree(os.path.join(ROOT, "docs", pictures), os.path.join(folder, "docs", pictures))
    return nav


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", nargs="?", default=os.path.join(ROOT, "build", "site"))
    parser.add_argument("--mkdocs", default=shutil.which("mkdocs"))
    options = parser.parse_args()
    if not options.mkdocs:
        sys.exit("mkdocs is missing (Debian: apt-get install mkdocs-material)")
    with tempfile.TemporaryDirectory() as folder:
        docs = os.path.join(folder, "docs")
        nav = stage(docs)
        config = os.path.join(folder, "mkdocs.yml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(CONFIG.format(docs=docs, site=os.path.abspath(options.out), nav=nav))
        with open(os.path.join(folder, "github_anchors.py"), "w", encoding="utf-8") as file:
            file.write(SLUGS)
        # Warnings are errors: pages that no menu has, links that lead nowhere.
        return subprocess.run([options.mkdocs, "build", "--strict", "--clean", "-f", config],
                              env={**os.environ, "PYTHONPATH": folder}).returncode


if __name__ == "__main__":
    sys.exit(main())
