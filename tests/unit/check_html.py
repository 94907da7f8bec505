#!/usr/bin/env python3
"""Checks that a report is one self-contained, well-formed page.

    check_html.py FILE      prints how many of some elements it has
"""
import html.parser
import sys

VOID = {"meta", "img"}
SHAPES = {"path", "line", "circle", "rect"}


class Checker(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
        self.counts = {}

    def handle_starttag(self, tag, attributes):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag == "script":
            sys.exit("check_html: a script")
        bar = dict(attributes)
        if tag == "rect" and bar.get("class") == "bar" and (float(bar["y"]) < 0 or not float(bar["height"]) > 0):
            sys.exit(f"check_html: a bar leaves the chart, or is not there: {bar}")
        for name, value in attributes:
            if name in ("src", "href") and not value.startswith("data:"):
                sys.exit(f"check_html: {name} leads elsewhere: {value[:60]}")
            if name.startswith("on"):
                sys.exit(f"check_html: an event handler {name}")
            if value is not None and any(word in value for word in ("nan", "inf")) and \
                    tag in SHAPES:
                sys.exit(f"check_html: {tag} {name}={value[:60]}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            sys.exit(f"check_html: </{tag}> does not close anything, line {self.getpos()}")


checker = Checker()
with open(sys.argv[1], encoding="utf-8") as file:
    checker.feed(file.read())
checker.close()
if checker.open:
    sys.exit(f"check_html: left open: {checker.open}")
print(" ".join(f"{tag} {checker.counts.get(tag, 0)}" for tag in ("svg", "img", "details", "tr")))
