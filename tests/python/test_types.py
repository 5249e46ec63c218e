"""Checkers of types resolve what the stub says: results of typed_uses.py are of the types that stand there, and lines that
are marked as wrong are the ones with errors."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jitreduce

USES = Path(__file__).with_name("typed_uses.py")
WRONG = {number for number, line in enumerate(USES.read_text(encoding="utf-8").split("\n"), 1) if "# wrong:" in line}


def lines_of_mypy(folder):
    """The numbers of lines with errors, and the output."""
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", f"--cache-dir={folder}", str(USES)], capture_output=True, text=True, check=False,
                          env={**os.environ, "MYPYPATH": str(Path(jitreduce.__file__).parents[1])})
    if "Traceback" in done.stderr:
        raise AssertionError(done.stderr)
    return {int(found[1]) for found in re.finditer(r"typed_uses\.py:(\d+): error", done.stdout)} | {
        0 for found in re.finditer(r"__init__\.pyi:\d+: error", done.stdout)}, done.stdout


def lines_of_pyright(folder):
    """The same; None: it is not there, since its first call fetches it."""
    config = Path(folder, "pyrightconfig.json")
    shutil.copy(USES, folder)
    config.write_text(json.dumps({"extraPaths": [str(Path(jitreduce.__file__).parents[1])], "pythonVersion": "3.11"}), encoding="utf-8")
    try:
        done = subprocess.run([sys.executable, "-m", "pyright", "--outputjson", "-p", str(config), "--pythonpath", sys.executable], capture_output=True, text=True,
                              check=False, timeout=120)
        found = json.loads(done.stdout)["generalDiagnostics"]
    except (ValueError, KeyError, subprocess.TimeoutExpired):
        return None
    return {one["range"]["start"]["line"] + 1 for one in found if one["severity"] == "error"}, done.stdout


class Checkers(unittest.TestCase):
    """mypy and pyright."""

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed: make deps installs it into .deps/tables")
    def test_mypy_finds_the_types(self):
        with tempfile.TemporaryDirectory() as folder:
            lines, output = lines_of_mypy(folder)
        self.assertEqual(lines, WRONG, output)

    @unittest.skipUnless(importlib.util.find_spec("pyright"), "pyright is not installed (pip install pyright)")
    def test_pyright_finds_the_types(self):
        with tempfile.TemporaryDirectory() as folder:
            found = lines_of_pyright(folder)
        if found is None:
            self.skipTest("pyright cannot fetch itself here")
        self.assertEqual(found[0], WRONG, found[1])

    def test_no_result_is_of_any_type(self):
        text = Path(jitreduce.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
        results = re.findall(r"-> (.*): \.\.\.", text)
        self.assertGreater(len(results), 200)
        self.assertEqual([one for one in results if re.search(r"(?<!NDArray\[)\bAny\b(?!\])", one) and not one.startswith(("dict[", "Mapping["))], [])
