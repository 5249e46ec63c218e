"""Kernels that were compiled before: packs= of a context, by the package's own command."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

import jitreduce as jr


class Packs(unittest.TestCase):
    """Context(packs=...)."""

    def test_kernels_in_a_pack_are_not_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            pack = Path(folder) / "sums.jrpack"
            made = subprocess.run([sys.executable, "-m", "jitreduce", "pack", "--arch", "sim", "--op", "sum", "--type",
                                   "f32", "--output", pack], capture_output=True, text=True, check=False)
            self.assertEqual((made.returncode, made.stderr), (0, ""))
            for packs in (str(pack), [pack], [Path(folder)]):
                context = jr.Context("sim", cache_dir="", packs=packs)
                self.assertEqual(jr.sum(np.arange(9, dtype="f4"), context=context), 36)
                self.assertEqual({name: context.counters()[name] for name in ("pack_hits", "compiles")},
                                 {"pack_hits": 1, "compiles": 0})
            self.assertRaisesRegex(jr.FileError, "none", lambda: jr.Context("sim", packs=Path(folder) / "none"))
            without = jr.Context("sim", cache_dir="", packs="")
            jr.sum(np.arange(9, dtype="f4"), context=without)
            self.assertEqual({name: without.counters()[name] for name in ("pack_hits", "compiles")},
                             {"pack_hits": 0, "compiles": 1})
