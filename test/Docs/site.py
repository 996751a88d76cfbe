#===- site.py - What is in the site of the documentation -------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
"""site.py SOURCE SITE: pages, what search finds, and what a browser would load from elsewhere."""

import glob
import html.parser
import json
import os
import sys


class Loads(html.parser.HTMLParser):
    """What a page loads without being asked."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        address = attrs.get("src") if tag in ("script", "img", "iframe", "source") else None
        if tag == "link" and attrs.get("rel") in ("stylesheet", "preload", "preconnect", "icon"):
            address = attrs.get("href")
        if address and (address.startswith("//") or "://" in address):
            self.found.append(address)


def main():
    source, site = sys.argv[1:]
    pages = [os.path.relpath(path, source) for path in glob.glob(f"{source}/docs/**/*.md", recursive=True)]
    lacking = [page for page in pages if not os.path.exists(f"{site}/{page[:-3]}.html")]
    print("every page is there" if not lacking else f"not there: {lacking}")
    with open(f"{site}/search/search_index.json", encoding="utf-8") as file:
        texts = [entry["text"] for entry in json.load(file)["docs"]]
    for words in ("grouped GEMM", "SDDMM", "capacity exceeded"):
        print("found by search:" if any(words in text for text in texts) else "not found by search:", words)
    loads = Loads()
    for path in glob.glob(f"{site}/**/*.html", recursive=True):
        with open(path, encoding="utf-8") as file:
            loads.feed(file.read())
    print("nothing from elsewhere" if not loads.found else f"from elsewhere: {sorted(set(loads.found))}")


if __name__ == "__main__":
    main()
