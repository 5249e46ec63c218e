"""NumPy's arrays of bf16 and fp8, which are of ml_dtypes and have no buffer."""

import importlib.util
import sys
import unittest
import unittest.mock

import numpy as np

import jitreduce as jr


@unittest.skipUnless(importlib.util.find_spec("ml_dtypes"), "ml_dtypes is not installed")
class SmallFloats(unittest.TestCase):
    """Arrays of each type, contiguous and not, against the same numbers in f64."""

    def test_other_types_of_ml_dtypes_are_refused_by_name(self):
        import ml_dtypes  # pylint: disable=import-outside-toplevel,import-error

        for name in ("int4", "float8_e4m3b11fnuz"):
            self.assertRaisesRegex(TypeError, rf"x: elements of {name} cannot be reduced.*x\.astype\('float32'\)", jr.sum, np.ones(3, getattr(ml_dtypes, name)))

    def test_arrays_of_ml_dtypes_are_reduced(self):
        import ml_dtypes  # pylint: disable=import-outside-toplevel,import-error

        for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
            x = np.array([[1, 2, 0.5], [4, -8, 2]], getattr(ml_dtypes, name))
            y = x.astype("f8")
            self.assertEqual(float(jr.sum(x)), y.sum())
            self.assertEqual(jr.max(x).dtype, x.dtype)
            self.assertEqual(float(jr.min(x, where="x > 0")), 0.5)
            self.assertEqual(jr.max(x, axis=0).dtype, x.dtype)
            self.assertEqual(jr.max(x, axis=0).astype("f8").tolist(), y.max(axis=0).tolist())
            self.assertEqual(int(jr.argmin(np.asfortranarray(x), axis=1)[1]), 1)
            self.assertEqual(float(jr.sum(x[:, ::2])), y[:, ::2].sum())

    def test_a_device_array_of_them_becomes_one_of_numpy(self):
        import ml_dtypes  # pylint: disable=import-outside-toplevel,import-error

        for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
            x = np.array([[1, 2, 0.5], [4, -8, 2]], getattr(ml_dtypes, name))
            back = jr.DeviceArray.of(x).numpy()
            self.assertEqual(back.dtype, x.dtype)
            self.assertEqual(back.astype("f8").tolist(), x.astype("f8").tolist())


class Without(unittest.TestCase):
    """The same where ml_dtypes cannot be imported."""

    def test_the_error_names_the_package(self):
        with unittest.mock.patch.dict(sys.modules, {"ml_dtypes": None}):
            for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
                self.assertRaisesRegex(ImportError, f"no {name} without .*pip install ml_dtypes", lambda: jr.DeviceArray(3, name).numpy())

    def test_a_memoryview_is_refused_with_the_way(self):
        self.assertRaisesRegex(BufferError, "no memoryview of bfloat16: DeviceArray.numpy()", lambda: jr.DeviceArray(3, "bfloat16").copy_to_host())
