"""Several interpreters in one process, and their end."""

import subprocess
import sys
import unittest

try:
    import _interpreters as interpreters
except ImportError:
    try:
        import _xxsubinterpreters as interpreters
    except ImportError:
        interpreters = None

# One that shares the lock of the first: from 3.12 on others refuse modules of the limited API.
CREATE = "create()" if sys.version_info < (3, 12) else "create(isolated=False)" if sys.version_info < (3, 13) else "create('legacy')"
PROGRAM = """
import {module} as interpreters
one = interpreters.{create}
interpreters.run_string(one, 'import jitreduce; print(jitreduce.sum(b"abc"), flush=True)')
"""


@unittest.skipIf(interpreters is None, "this Python's own modules make no interpreters")
class Interpreters(unittest.TestCase):
    """One beside the first one. What it prints is flushed: a Python of today with any other thread hangs by itself where
    such an interpreter ends with output that is not."""

    def test_one_that_is_left_when_python_ends_does_not_hang(self):
        program = PROGRAM.format(module=interpreters.__name__, create=CREATE)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=600)
        self.assertEqual((done.stdout, done.returncode), ("294\n", 0), done.stderr)
