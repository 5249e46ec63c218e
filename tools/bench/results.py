#!/usr/bin/env python3
"""Makes tools/bench/RESULTS.md, and the tables of figures in other pages, from the CSV files of tools/bench/h100 and h200.

usage: results.py [--check]

A page takes a table with two lines of its own, between which the script writes:
    <!-- results: NAME -->
    <!-- end of results -->
A single figure in a sentence stands between <!-- figure: NAME --> and <!-- end -->.
--check writes nothing: it names each page that differs from what the CSV files say, and exits with 1.
Which tables there are, and what they take from the files: results_tables.py.
"""

import os
import re
import sys
from pathlib import Path

import results_tables

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "tools/bench/RESULTS.md"
TAKERS = [ROOT / "README.md", *sorted((ROOT / "include/manual").glob("*.md"))]
PLACE = re.compile(r"(<!-- results: (\S+) -->\n).*?(<!-- end of results -->)", re.DOTALL)
FIGURE = re.compile(r"(<!-- figure: (\S+) -->).*?(<!-- end -->)")

HEAD = """# Results

`make results` writes this page from the CSV files beside it, which hold medians, quartiles, versions and commands. Do not edit it.

Every ratio is the peer's median time divided by ours, measured in turns in one process: above 1, jitreduce is faster. Where there are several
versions of a peer, the fastest one counts. A share is the speed relative to what the column names. Times are in microseconds, on data beyond the
caches, with launches back to back, unless a table says otherwise. Figures of different cards never stand in one ratio.

"""


def page():
    """The text of RESULTS.md."""
    parts = [HEAD]
    for table in results_tables.TABLES:
        parts.append(f"## {table.title}\n\n{table.note}\n\n")
        for device, text in table.texts():
            parts.append(f"{device}\n\n{text}\n" if device else f"{text}\n")
    return "".join(parts).rstrip("\n") + "\n"


def with_tables(path):
    """The text of a page with its tables made anew."""
    named = {table.name: table for table in results_tables.TABLES + results_tables.CHOSEN}

    def filled(match):
        if match[2] not in named:
            raise SystemExit(f"results.py: {path.name} asks for the table {match[2]}: there are {' '.join(sorted(named))}")
        texts = named[match[2]].texts(os.path.relpath(PAGE.parent, path.parent) + "/")
        return match[1] + "\n" + "\n".join(f"{device}\n\n{text}" if device else text for device, text in texts) + "\n" + match[3]

    def figure(match):
        if match[2] not in results_tables.FIGURES:
            raise SystemExit(f"results.py: {path.name} asks for the figure {match[2]}: there are {' '.join(sorted(results_tables.FIGURES))}")
        return match[1] + results_tables.FIGURES[match[2]]() + match[3]

    return FIGURE.sub(figure, PLACE.sub(filled, path.read_text(encoding="utf-8")))


def main(words):
    """Writes all pages, or checks them."""
    if words not in ([], ["--check"]):
        raise SystemExit("usage: results.py [--check]")
    wanted = {PAGE: page()} | {path: with_tables(path) for path in TAKERS if path.exists()}
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if words:
            print(f"{path.relative_to(ROOT)} is stale: run 'make results'")
        else:
            path.write_text(wanted[path], encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
    return 1 if stale and words else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
