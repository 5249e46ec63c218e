"""The lines of Python in README.md run, and print what stands there."""

import contextlib
import io
import re
import unittest
from pathlib import Path

import jitreduce as jr

README = Path(__file__).resolve().parents[2] / "README.md"


class Readme(unittest.TestCase):
    """The section "Python"."""

    def test_the_lines_print_what_stands_below_them(self):
        section = re.search(r"(?s)\n## Python\n(.*?)\n## ", README.read_text(encoding="utf-8"))[1]
        lines, more = re.findall(r"(?s)```python\n(.*?)```", section)
        expected = re.search(r"(?s)```text\n(.*?)```", section)[1]
        before, printed, names = jr.default_context(), io.StringIO(), {}
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(lines + more, "README.md", "exec"), names)  # pylint: disable=exec-used
        finally:
            jr.set_default_context(before)
        self.assertEqual(printed.getvalue(), expected)
        self.assertEqual((names["cities"].tolist(), names["sums"].tolist(), names["means"].tolist(), names["counts"].tolist()),
                         (["Aachen", "Berlin"], [1, 7], [1, 3.5], [1, 2]))
        self.assertEqual(names["total"], 3)
