"""Runs every test_*.py of this folder and the package's docstrings; the last line is what the test runner reads.

Tests of packages that this Python has not are run by that of `make deps`, .deps/tables, if it is there."""

import array
import doctest
import importlib
import importlib.util
import subprocess
import sys
import unittest
from pathlib import Path

import numpy

import jitreduce


def doctests():
    """The examples of all docstrings of the package, run with the names that users have."""
    names = {"array": array, "jitreduce": jitreduce, "numpy": numpy}
    suite = unittest.TestSuite()
    for file in sorted(Path(jitreduce.__file__).parent.glob("[_a-z][a-z]*.py")):
        suite.addTests(doctest.DocTestSuite(importlib.import_module("jitreduce." + file.stem), extraglobs=names))
    suite.addTests(doctest.DocTestSuite(jitreduce, extraglobs=names))
    return suite


TABLE_TESTS = ("test_columns", "test_ml_dtypes", "test_types")
TABLES = Path(__file__).parents[2] / ".deps/tables/bin/python"


def of_tables():
    """(passed, failed, skipped) of the tests that need packages of tables, by the Python that has them; None: this one has, or none has."""
    if importlib.util.find_spec("pandas") and importlib.util.find_spec("mypy") or not TABLES.exists():
        return None
    done = subprocess.run([TABLES, __file__, *TABLE_TESTS], stdout=subprocess.PIPE, text=True, check=False)
    lines = done.stdout.rstrip().split("\n")
    print("\n".join(lines[:-1]))
    words = lines[-1].split()  # as main() prints them
    return tuple(map(int, words[0:5:2])) if words[1:2] == ["passed,"] else (0, 1, 0)


def main():
    """Runs them all; the words of the command line select tests by their names, or modules of tests."""
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{word}*" for word in sys.argv[1:]] or None
    other = None if sys.argv[1:] else of_tables()
    suite = loader.discover(str(Path(__file__).parent))
    if not sys.argv[1:]:
        suite.addTests(doctests())
    result = unittest.TextTestRunner(verbosity=1, stream=sys.stdout).run(suite)
    left = [one for one in result.skipped if other is None or not any(f"({name}." in str(one[0]) for name in TABLE_TESTS)]
    for test, reason in left:
        print(f"skipped {test}: {reason}")
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    ran = result.testsRun - sum(isinstance(test, unittest.TestCase) for test, _ in result.skipped)  # not whole classes
    found = (ran - failed, failed, len(left))
    passed, failed, skipped = map(sum, zip(found, other or (0, 0, 0)))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(failed > 0 or ran + len(result.skipped) == 0)


if __name__ == "__main__":
    main()
