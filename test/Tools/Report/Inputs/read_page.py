#===- read_page.py - What data a report's page has -------------------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
"""read_page.py PAGE.html DATA.json: compares the two, and says what is in them."""

import html.parser
import json
import sys


class Page(html.parser.HTMLParser):
    """The text of the element that has the data."""
    data, inside = "", False

    def handle_starttag(self, tag, attrs):
        self.inside = dict(attrs).get("id") == "data"

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.data += data


def main():
    page = Page()
    with open(sys.argv[1], encoding="utf-8") as file:
        page.feed(file.read())
    with open(sys.argv[2], encoding="utf-8") as file:
        report = json.load(file)
    print("the page has the same data" if json.loads(page.data) == report else "the page has other data")
    for level in report["levels"]:
        print(f"{level['name']}: {level['text'].count(chr(10))} lines, {len(level['links'])} links")
    for op in report["ops"]:
        for note in op["notes"]:
            if note["kind"] == "done" and note["family"] and not note["copy"]:
                print(f"{', '.join(op['ops']) or 'made'} kernel: {note['family']}; Tile {note['metrics'].get('Tile')}")
    for number, op in enumerate(report["ops"]):
        names = [level["name"] for level in report["levels"] if any(link[1] == number for link in level["links"])]
        print(f"linked at {', '.join(names)}: {', '.join(op['ops']) or 'made'} at {op['place']}")


if __name__ == "__main__":
    main()
