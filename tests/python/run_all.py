"""Runs every test_*.py of this folder and the package's docstrings; the last line is what the test runner reads."""

import array
import doctest
import importlib
import sys
import unittest
from pathlib import Path

import numpy

import jitreduce


def doctests():
    """The examples of all docstrings of the package, run with the names that users have."""
    names = {"array": array, "jitreduce": jitreduce, "numpy": numpy}
    suite = unittest.TestSuite()
    for file in sorted(Path(jitreduce.__file__).parent.glob("_[a-z]*.py")):
        suite.addTests(doctest.DocTestSuite(importlib.import_module("jitreduce." + file.stem), extraglobs=names))
    suite.addTests(doctest.DocTestSuite(jitreduce, extraglobs=names))
    return suite


def main():
    """Runs them all; the words of the command line select tests by their names."""
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{word}*" for word in sys.argv[1:]] or None
    suite = loader.discover(str(Path(__file__).parent))
    if not sys.argv[1:]:
        suite.addTests(doctests())
    result = unittest.TextTestRunner(verbosity=1, stream=sys.stdout).run(suite)
    for test, reason in result.skipped:
        print(f"skipped {test}: {reason}")
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    ran = result.testsRun - sum(isinstance(test, unittest.TestCase) for test, _ in result.skipped)  # not whole classes
    print(f"{ran - failed} passed, {failed} failed, {len(result.skipped)} skipped")
    sys.exit(failed > 0 or ran + len(result.skipped) == 0)


if __name__ == "__main__":
    main()
